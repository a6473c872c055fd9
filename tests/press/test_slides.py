"""The slides: a deck for every chapter and session, with all its figures, offline, typeset, and within the frame."""

import base64
import os
import re
import subprocess
import sys

import nbformat
import pytest
from nbformat.v4 import new_markdown_cell

from books import edit, exercises, parse
from press.made import RECORD, digest, fresh, record
from press.structure import ROOT, code_cells, toc_notebooks

NOTEBOOKS = toc_notebooks()
TEACHING = (ROOT / "book" / "appendix" / "teaching.md").read_text(encoding="utf-8")
SESSIONS = {
    title: text
    for title, text in re.findall(r"^### ([^\n]+)\n(.*?)(?=^##)", TEACHING + "\n##", re.MULTILINE | re.DOTALL)
    if "{board}" in text
}
BLOCK = re.compile(r"^(:{3,})\{(\w+)\}[^\n]*\n(.*?)^\1$", re.MULTILINE | re.DOTALL)
STATEMENT = re.compile(r"^:{3,}\{prf:(?!proof)\w+\}[^\n]*\n:label: (\S+)", re.MULTILINE)
WIDTH, HEIGHT = 1280, 720
SMALLEST = HEIGHT / 50

of_every_notebook = pytest.mark.parametrize(
    "path", NOTEBOOKS, ids=[path.relative_to(ROOT / "book").as_posix() for path in NOTEBOOKS]
)
of_every_session = pytest.mark.parametrize("title", SESSIONS, ids=[title.partition(":")[0] for title in SESSIONS])

#: Letters that need no word: indices, the dimension and differentials, the base of exponentials, and the number.
NEEDS_NONE = {*"ijknmtde", "pi"}
GREEK = set(
    "alpha beta gamma delta epsilon varepsilon zeta eta theta kappa lambda mu nu xi pi rho sigma tau phi varphi chi "
    "psi omega Gamma Delta Theta Lambda Xi Sigma Phi Psi Omega ell E".split()
)
LETTER = re.compile(r"\\(?:text|operatorname|mathrm|begin|end)\{[^{}]*\}|\\([A-Za-z]+)|([A-Za-z])")
#: Least seconds for a slide in class, on average over a part of a plan.
PACE = 40
#: Shows every slide in turn and returns what is wrong with each: [its number, a fault in words].
LOOK = """([width, height, smallest]) => {
  const faults = [];
  document.querySelectorAll('.slides > section').forEach((slide, index) => {
    Reveal.slide(index);
    const fault = words => faults.push([index + 1, words]);
    const parts = slide.querySelectorAll('p, li, h2, img, figcaption, mjx-container, .eqno, pre');
    const seen = [...parts].filter(e => !e.closest('aside'));
    for (const e of seen) {
      const box = e.getBoundingClientRect();
      const end = e.matches('.running') ? height : slide.querySelector('.running').getBoundingClientRect().top;
      if (box.width && (box.left < 0 || box.top < 0 || box.right > width + 1 || box.bottom > end + 1))
        fault(`${e.tagName} ends at ${box.right}, ${box.bottom}`);
      if (e.matches('p, li, h2, mjx-container') && parseFloat(getComputedStyle(e).fontSize) < smallest)
        fault(`${e.tagName} has a font of ${getComputedStyle(e).fontSize}`);
    }
    const notes = slide.querySelector('aside');
    if (notes?.querySelector('mjx-container') || /\\\\[(\\[a-z]/.test(notes?.textContent.replace(/\\s+/g, ' ') ?? ''))
      fault('notes with a formula that the window of the notes cannot show');
    const image = slide.querySelector('img'), shown = image?.complete && image.naturalWidth;
    if (image && !(shown && image.clientHeight >= height / 3)) fault('a small picture, or none');
    const source = slide.cloneNode(true);
    source.querySelectorAll('mjx-container, code, pre').forEach(e => e.remove());
    const raw = source.textContent.match(/\\$|\\\\[(\\[a-z]|\\{[a-z:]+\\}|\\?\\?/);
    if (raw) fault('raw text: ' + source.textContent.slice(Math.max(0, raw.index - 30), raw.index + 30));
    if (slide.querySelector('mjx-merror, merror, [data-mjx-error]')) fault('a formula in error');
    const formulas = [...slide.querySelectorAll('.math')].filter(e => !e.closest('aside')).length;
    if (formulas > slide.querySelectorAll('mjx-container').length) fault('a formula that is not typeset');
    if (slide.querySelector('a[href], section')) fault('a link, or a slide in a slide');
  });
  return faults;
}"""


@pytest.fixture(scope="module")
def folder(built_book, tmp_path_factory):
    """The slides of the book, as the command writes them from its built pages."""
    target = tmp_path_factory.mktemp("slides") / "edition"
    done = command(ROOT, target, "--pages", built_book)
    assert (done.returncode, done.stderr) == (0, "")
    assert re.fullmatch(rf"\d+ decks are in {target}: open index.html there\n", done.stdout)
    return target


@pytest.fixture(scope="module")
def index(folder):
    """Returns {title in the index: the deck that it leads to}."""
    links = parse(folder / "index.html").select("li > a")
    return {link.get_text(): parse(folder / link["href"]) for link in links}


@pytest.fixture(scope="module")
def numbers(built_book):
    """Returns {id of an equation in the chapters: its number, as in (1.2)}."""
    pages = [parse(built_book / path.relative_to(ROOT).with_suffix(".html")) for path in NOTEBOOKS]
    equations = [node for page in pages for node in page.select("div.math[id]")]
    return {node["id"]: node.select_one(".eqno").find(string=True) for node in equations}


def command(root, *arguments):
    """Runs the command in the folder of a book."""
    words = [sys.executable, "book/press", "slides", *arguments]
    return subprocess.run(words, cwd=root, capture_output=True, text=True, stdin=subprocess.DEVNULL)


def title_of(path):
    """Returns the title of the notebook at `path`."""
    text = nbformat.read(path, as_version=4).cells[0].source
    return re.search(r"^# (.+)$", text, re.MULTILINE)[1]


def test_there_is_a_deck_for_every_chapter_and_every_session_and_no_other(folder, index):
    assert len(SESSIONS) >= 2
    assert sorted(index) == sorted([*map(title_of, NOTEBOOKS), *SESSIONS])
    assert len(list(folder.glob("*.html"))) == len(index) + 1
    assert [
        title for title, deck in index.items() if deck.select_one(".slides > .title > h2").get_text() != title
    ] == []


@of_every_notebook
def test_every_figure_outside_solutions_is_on_one_slide_with_its_stored_picture_and_its_words(path, folder, index):
    notebook = nbformat.read(path, as_version=4)
    inside = {cell["id"] for cells in exercises(notebook).values() for cell in cells}
    figures = [cell for cell in code_cells(notebook) if "figure" in cell.metadata.get("mystnb", {})]
    assert figures
    for cell in figures:
        name, said = cell.metadata["mystnb"]["figure"]["name"], cell.metadata["mystnb"]["image"]["alt"]
        slides = {
            title: deck.select(f'.slides > section[id="{name}"]')
            for title, deck in index.items()
            if title not in SESSIONS
        }
        found = {title: len(found) for title, found in slides.items() if found}
        if cell["id"] in inside:
            assert found == {}, "a figure of a solution is on no projector"
            continue
        assert found == {title_of(path): 1}
        slide = slides[title_of(path)][0]
        stored = next(output.data["image/png"] for output in cell.outputs if "image/png" in output.get("data", {}))
        assert (folder / slide.img["src"]).read_bytes() == base64.b64decode(stored)
        assert slide.img["alt"] == said
        assert slide.h2.get_text() and slide.select_one("figcaption .caption-number")


@of_every_notebook
def test_every_numbered_statement_is_on_a_slide(path, index):
    text = "\n".join(cell.source for cell in nbformat.read(path, as_version=4).cells)
    shown = [slide["id"] for slide in index[title_of(path)].select(".slides > .statement")]
    assert shown == STATEMENT.findall(text)


@of_every_notebook
def test_a_deck_begins_with_the_title_and_all_objectives(path, index):
    text = "\n".join(cell.source for cell in nbformat.read(path, as_version=4).cells)
    objectives = re.search(r"^## Objectives\n(.*?)^(?:##|\*Prereq)", text, re.MULTILINE | re.DOTALL)[1]
    slides = index[title_of(path)].select(".slides > section")
    assert slides[0]["class"] == ["title"] and slides[1].h2.get_text() == "Objectives"
    assert len(slides[1].select("li")) == len(re.findall(r"^(?:-|\d+\.) ", objectives, re.MULTILINE)) > 1


@of_every_session
def test_a_session_shows_what_the_page_for_teachers_names(numbers, index, title):
    found = [(kind, text) for _, kind, text in BLOCK.findall(SESSIONS[title])]
    board, live, homework = ("".join(text for k, text in found if k == kind) for kind in ("board", "demo", "homework"))
    deck, equations = index[title], re.findall(r"\{eq\}`([^`]+)`", board)
    shown = [node.get_text() for node in deck.select(".equations .eqno")]
    assert [label for label in equations if numbers["equation-" + label.replace(":", "-")] not in shown] == []
    ids = {slide.get("id") for slide in deck.select(".slides > section")}
    named = re.findall(r"\{prf:ref\}`([^`]+)`", board)
    named += re.findall(r"\{numref\}`([^`]+)`", live)
    named += re.findall(r"\{ref\}`(ex:[^`]+)`", homework)
    assert len(equations) >= 5
    assert [name for name in named if name not in ids] == []


@of_every_session
def test_a_deck_goes_as_the_page_does_with_minutes_that_add_up_and_suffice(index, title):
    total = int(re.search(r"^:::\{minutes\} (\d+)$", SESSIONS[title], re.MULTILINE)[1])
    planned = re.findall(r"^:{3,}\{(\w+)\} (\d+)$", SESSIONS[title], re.MULTILINE)
    slides = index[title].select(".slides > section")
    begins = {
        place: re.match(r"Minutes (\d+) to (\d+)\.", slide.aside.get_text())
        for place, slide in enumerate(slides)
        if slide.aside and slide.aside.get_text().startswith("Minutes ")
    }
    kinds = {"question": "question", "symbols": "text", "demo": "ask", "misconception": "wrong"}
    blocks = [(kind, int(minutes)) for kind, minutes in planned if kind != "minutes"]
    assert [int(found[2]) - int(found[1]) for found in begins.values()] == [minutes for _, minutes in blocks]
    starts, ends = ([int(found[side]) for found in begins.values()] for side in (1, 2))
    assert [*starts[1:], total] == ends
    last = next((place for place, slide in enumerate(slides) if slide["class"][0] == "exercise"), len(slides))
    for (kind, minutes), place, end in zip(blocks, begins, [*list(begins)[1:], last], strict=True):
        assert kind not in kinds or slides[place]["class"][0] == kinds[kind]
        assert 60 * minutes >= PACE * (end - place), f"{end - place} slides in {minutes} minutes"
    assert f"Plan of {total} minutes." in slides[0].aside.get_text()


def letters(node):
    """Returns the letters of the formulas in a node, the notes excepted, without words, accents and marks."""
    formulas = [node] if "math" in node.get("class", ()) else node.select(".math")
    formulas = [formula for formula in formulas if not formula.find_parent("aside")]
    found = (LETTER.findall(formula.get_text()) for formula in formulas)
    return {greek or latin for pairs in found for greek, latin in pairs if latin or greek in GREEK}


@of_every_session
def test_every_letter_is_said_in_words_before_an_equation_uses_it(index, title):
    said, unsaid = set(NEEDS_NONE), []
    for number, slide in enumerate(index[title].select(".slides > section"), 1):
        for formula in slide.select("span.math" if slide["class"][0] == "equations" else ".math"):
            said |= letters(formula)
        unsaid += [(number, new) for new in sorted(letters(slide) - said)]
    assert unsaid == []


@of_every_session
def test_equations_and_statements_that_are_named_are_shown(index, title):
    slides = index[title].select(".slides > section")
    heads = [slide.h2.get_text() for slide in slides if slide["class"][0] == "statement"]
    shown = {node.get_text().strip("#\n ") for slide in slides for node in slide.select(".eqno")}
    shown |= {re.match(r"\w+ [\d.]+\d", head)[0] for head in heads}
    named = set()
    for slide in slides:
        if slide["class"][0] in ("ask", "see", "wrong", "repair", "question", "equations", "statement"):
            text = " ".join(part.get_text() for part in slide.select("p, li") if not part.find_parent("aside"))
            named |= set(re.findall(r"\(\d+\.\d+\)|(?:Theorem|Proposition|Lemma|Corollary|Definition) [\d.]+\d", text))
    assert named and named <= shown


def test_notes_are_whole_sentences_and_no_slide_shows_a_solution(index):
    for title, deck in index.items():
        slides = deck.select(".slides > section")
        notes = [slide.aside.get_text().strip() for slide in slides if slide.aside]
        assert (title, [note for note in notes if not re.search(r"[.?!][\"”)]*$", note)]) == (title, [])
        assert deck.select(".solution") == [] and "Solution to" not in deck.get_text()


def words(node):
    """Returns the text of a node with single spaces, without its mark and its first letter, which slides capitalize."""
    text = " ".join(node.get_text().split())
    mark = node.select_one(".sga-mark") if node.name == "span" else None
    return text.removeprefix(mark.get_text() if mark else "").strip()[1:]


@of_every_session
def test_each_question_has_a_slide_without_its_answer_which_follows(built_book, index, title):
    page = parse(built_book / "book" / "appendix" / "teaching.html")
    section = next(h.parent for h in page.select("article h3") if h.find(string=re.compile(f"^{re.escape(title)}$")))
    slides = [slide for slide in index[title].select(".slides > section") if slide["class"][0] in ("ask", "see")]
    said = [part for demo in section.select(".sga-demo") for part in demo.select(".sga-ask, .sga-see")]
    kinds = [kind for kind in re.findall(r"^:::\{(\w+)\}", SESSIONS[title], re.MULTILINE) if kind in ("ask", "see")]
    assert [slide["class"][0] for slide in slides] == [part["class"][0].removeprefix("sga-") for part in said] == kinds
    assert kinds == ["ask", "see"] * (len(kinds) // 2) != []
    for place in range(0, len(slides), 2):
        question, answer = said[place : place + 2]
        assert words(question) in words(slides[place]) and words(answer) not in words(slides[place])
        assert words(answer) in words(slides[place + 1])


@of_every_session
def test_each_misconception_has_a_slide_without_its_repair_which_follows(built_book, index, title):
    page = parse(built_book / "book" / "appendix" / "teaching.html")
    section = next(h.parent for h in page.select("article h3") if h.find(string=re.compile(f"^{re.escape(title)}$")))
    said, slides = section.select(".sga-misconception"), index[title].select(".slides > section")
    places = [place for place, slide in enumerate(slides) if slide["class"][0] == "wrong"]
    assert len(places) == len(said) == SESSIONS[title].count("{misconception}") == SESSIONS[title].count("{repair}") > 0
    for place, paragraph in zip(places, said, strict=True):
        repair = words(paragraph.select_one(".sga-repair"))
        wrong, right = slides[place : place + 2]
        assert right["class"][0] == "repair" and repair in words(right)
        assert repair not in words(wrong) and wrong.select_one("p.large").get_text() in paragraph.get_text()


def test_every_slide_is_typeset_and_legible_and_within_its_frame_without_a_network(folder, browser):
    context = browser.new_context(viewport={"width": WIDTH, "height": HEIGHT})
    for path in sorted(folder.glob("*.html")):
        page, faults = context.new_page(), []
        page.on("console", lambda message, faults=faults: faults.append(message.text))
        page.on("pageerror", lambda error, faults=faults: faults.append(str(error)))
        page.on(
            "request",
            lambda request, faults=faults: (
                request.url.startswith(("file:", "data:", "blob:")) or faults.append(request.url)
            ),
        )
        page.on("requestfailed", lambda request, faults=faults: faults.append(request.url))
        page.goto(path.as_uri())
        if path.name == "index.html":
            page.wait_for_function("window.MathJax?.startup?.promise?.then(() => true)")
        else:
            page.wait_for_function("window.Reveal?.isReady()", timeout=120_000)
            faults += page.evaluate(LOOK, [WIDTH, HEIGHT, SMALLEST])
        assert (path.name, faults) == (path.name, [])
        page.close()
    context.close()


def test_no_picture_is_enlarged_on_a_projector_of_1920_pixels(folder, browser):
    page = browser.new_page(viewport={"width": 1920, "height": 1080})
    for name in ("landscape", "rates"):
        page.goto((folder / f"{name}.html").as_uri())
        page.wait_for_function("window.Reveal?.isReady()", timeout=120_000)
        widths = page.evaluate("""() => [...document.querySelectorAll('.slides > section')].flatMap((slide, index) => {
          Reveal.slide(index);
          return [...slide.querySelectorAll('img')].map(i => [i.getBoundingClientRect().width, i.naturalWidth]);
        })""")
        assert len(widths) >= 8 and [pair for pair in widths if not 0 < pair[0] <= pair[1] + 1] == []
    page.close()


def test_a_deck_prints_one_page_a_slide(folder, browser):
    path = min(folder.glob("[!i]*.html"), key=lambda path: path.stat().st_size)
    page = browser.new_page()
    page.goto(f"{path.as_uri()}?print-pdf")
    page.wait_for_selector(".pdf-page", state="attached", timeout=120_000)
    heights = page.evaluate("[...document.querySelectorAll('.pdf-page section')].map(s => s.scrollHeight)")
    printed = page.pdf(prefer_css_page_size=True)
    page.close()
    assert set(heights) == {HEIGHT}
    assert len(re.findall(rb"/Type */Page\b", printed)) == len(parse(path).select(".slides > section"))


def small(small_book, *texts):
    """Returns the root of a small book whose one chapter ends with markdown cells of these texts."""
    path = small_book.notebook("book/part/chapter", ("2 + 2", []))
    edit(path, lambda notebook: notebook.cells.extend(map(new_markdown_cell, texts)))
    return small_book.root


def test_the_command_builds_the_book_unless_its_pages_are_those_of_the_present_sources(small_book, tmp_path):
    root, target = small(small_book, "## A section\n\n$$\n\\R\n$$ (eq:one)"), tmp_path / "slides"
    last = f"1 deck is in {target}: open index.html there\n"
    done = command(root, target)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("building the pages, ") and done.stdout.endswith(last)
    assert "(1.1)" in (target / "chapter.html").read_text(encoding="utf-8")
    done = command(root, target)
    reused = f"using the pages in _build/html: they were made from the present sources\n{last}"
    assert (done.returncode, done.stdout, done.stderr) == (0, reused, "")
    edit(
        root / "book/part/chapter.ipynb",
        lambda notebook: notebook.cells.append(new_markdown_cell("$$\nE\n$$ (eq:two)")),
    )
    done = command(root, target)
    assert done.returncode == 0 and done.stdout.startswith("building the pages, ")
    assert "(1.2)" in (target / "chapter.html").read_text(encoding="utf-8")


def test_pages_of_other_sources_of_a_failed_build_or_of_a_later_one_are_not_fresh(tmp_path):
    for name in ("_config.yml", "book/intro.md", "lib/sga.py", "_build/html/searchindex.js"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("a", encoding="utf-8")
    assert not fresh(tmp_path)
    record(digest(tmp_path), tmp_path)
    (tmp_path / "book" / "__pycache__").mkdir()
    (tmp_path / "book" / "__pycache__" / "some.pyc").write_text("b", encoding="utf-8")
    assert fresh(tmp_path)
    (tmp_path / "lib" / "sga.py").rename(tmp_path / "lib" / "other.py")
    assert not fresh(tmp_path)
    (tmp_path / "lib" / "other.py").rename(tmp_path / "lib" / "sga.py")
    assert fresh(tmp_path)
    os.utime(tmp_path / "_build/html/searchindex.js", ((tmp_path / RECORD).stat().st_mtime + 1,) * 2)
    assert not fresh(tmp_path)


def test_a_book_that_does_not_build_gives_no_slides(small_book, tmp_path):
    done = command(small(small_book, "{eq}`eq:none`"), tmp_path / "slides")
    assert (done.returncode, fresh(small_book.root)) == (1, False)
    assert "eq:none" in done.stderr and done.stderr.endswith("no slides: the book does not build, see above\n")
    assert not (tmp_path / "slides").exists()


def test_a_folder_of_something_else_is_refused_before_the_book_is_built(small_book, tmp_path):
    (tmp_path / "notes.txt").write_text("mine", encoding="utf-8")
    done = command(small(small_book), tmp_path)
    assert (done.returncode, done.stdout) == (1, "")
    assert "neither empty nor an earlier edition of the slides" in done.stderr
    assert not (small_book.root / "_build").exists()


def test_pages_that_are_not_there_are_named(tmp_path):
    done = command(ROOT, tmp_path / "slides", "--pages", tmp_path)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("there is no page ")
