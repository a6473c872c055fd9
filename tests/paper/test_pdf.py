"""The book on paper: complete, without loose ends, and inside the margins."""

import re
import shutil
import subprocess
import unicodedata

import nbformat
import pytest
from pybtex.database import parse_file
from pybtex.richtext import Text

import evidence
from books import LEAKS, build
from press.commands.build import ARGUMENTS, PDF
from press.structure import ROOT, numbered_files, toc_files, toc_notebooks

PROGRAMS = ("xelatex", "latexmk", "makeindex", "rsvg-convert", "pdftotext")
#: The width, in points, by which a line may run over the margin before it is seen.
SEEN = 20


@pytest.fixture(scope="module")
def paper(tmp_path_factory):
    """The folder of the PDF and of the log of LaTeX, made as by `python book/press build --pdf`."""
    missing = [name for name in PROGRAMS if shutil.which(name) is None]
    if missing:
        pytest.skip(f"needs {', '.join(missing)}: see README.md, As a PDF")
    target = tmp_path_factory.mktemp("paper")
    done = build(ROOT, target, (*ARGUMENTS, *PDF))
    assert done.returncode == 0, done.stdout[-5000:] + done.stderr
    return target / "_build" / "latex"


@pytest.fixture(scope="module")
def text(paper):
    """The text of the PDF."""
    command = ["pdftotext", paper / "signal-recovery.pdf", "-"]
    return unicodedata.normalize("NFKC", subprocess.run(command, capture_output=True, text=True, check=True).stdout)


@pytest.fixture(scope="module")
def log(paper):
    """The log of LaTeX, without the line breaks that LaTeX puts into it after 79 signs."""
    lines = (paper / "signal-recovery.log").read_text(encoding="utf-8", errors="replace").splitlines()
    return "".join(line if len(line) == 79 else f"{line}\n" for line in lines)


def letters(text):
    """Returns the letters of a text alone, which line breaks and hyphens do not change."""
    return re.sub(r"[\W\d_]", "", unicodedata.normalize("NFKC", text)).lower()


def markdown(path):
    """Returns the text of a page: all of it, or the text between the cells of a notebook."""
    if path.suffix == ".md":
        return path.read_text(encoding="utf-8")
    cells = nbformat.read(path, as_version=4).cells
    return "\n\n".join(cell.source for cell in cells if cell.cell_type == "markdown")


def figures(path):
    """Returns how many numbered figures a page has."""
    made = nbformat.read(path, as_version=4).cells if path.suffix == ".ipynb" else []
    captions = sum("figure" in cell.metadata.get("mystnb", {}) for cell in made)
    return captions + len(re.findall(r"^[:`]{3,}\{(?:figure|explorer)\}", markdown(path), re.MULTILINE))


def test_every_chapter_is_there(text):
    titles = [re.search(r"^# (.+)$", markdown(path), re.MULTILINE)[1] for path in toc_files()[1:]]
    assert len(titles) > 20
    printed = letters(text)
    assert [title for title in titles if letters(title) not in printed] == []


def test_chapters_have_the_numbers_of_the_pages(text):
    for number, path in enumerate(numbered_files(), 1):
        title = re.search(r"^# (.+)$", markdown(path), re.MULTILINE)[1]
        start = r"\W+".join(map(re.escape, title.split()[:2]))
        assert re.search(rf"(?:^|\f){number}\s+{start}", text, re.MULTILINE), f"{number} {title}"


def test_nothing_is_unresolved_or_raw(text):
    assert LEAKS.findall(text) == []
    guide = (ROOT / ".github" / "CONTRIBUTING.md").read_text(encoding="utf-8")
    assert [raw for raw in ("??", "<div", r"\(") if raw in text] == []
    assert text.count("{numref}") == guide.count("{numref}"), "in an example of the guide alone"


def test_latex_found_every_reference_and_every_sign(log):
    assert re.findall(r".*undefined.*", log) == []
    assert re.findall(r"Missing character.*", log) == []
    assert "Output written on signal-recovery.pdf" in log


def test_nothing_runs_over_the_margin(log):
    found = re.findall(r"Overfull \\hbox \(([\d.]+)pt too wide\).*", log)
    assert [width for width in found if float(width) > SEEN] == []


def test_every_figure_has_its_number(text):
    pages = numbered_files()
    assert sum(map(figures, pages)) > 50
    for chapter, path in enumerate(pages, 1):
        numbers = {int(number) for number in re.findall(rf"\bFig\.\W*{chapter}\.(\d+)", text)}
        assert numbers == set(range(1, figures(path) + 1)), path.name


def test_figures_that_move_say_so(text):
    explorers = sum(markdown(path).count("{explorer}") for path in toc_files())
    assert len(re.findall(r"On\s+the\s+web\s+this\s+figure\s+can\s+be\s+moved", text)) == explorers > 0


def test_solutions_are_printed(text):
    solutions = sum(markdown(path).count("{solution-start}") for path in toc_notebooks())
    assert len(re.findall(r"^Solution to Exercise \d+\.\d+", text, re.MULTILINE)) == solutions > 20


def test_every_claim_is_printed_where_it_is_made_and_in_the_ledger(text):
    # The top of a root or of a sum (a "P" in the font of signs) in the next words can come first.
    printed = re.sub(r"[\s√-]", "", re.sub(r"\bP\b", "", text))
    for record in evidence.read(toc_notebooks()):
        if record["kind"] == "claim":
            id = record["id"].replace("-", "")
            assert len(re.findall(rf"{re.escape(id)}(?!\d|\.[a-z])", printed)) >= 2, id


def test_the_bibliography_is_printed(text):
    printed = letters(text)
    titles = [entry.fields["title"] for entry in parse_file(ROOT / "book" / "references.bib").entries.values()]
    assert [title for title in titles if letters(str(Text.from_latex(title))) not in printed] == []
