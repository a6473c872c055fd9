"""Writes slides for a projector: python book/press slides [folder]

The folder (default: `_build/slides`) must be new, empty or earlier slides, which are replaced. `index.html` in it lists
one deck a chapter and one a session of `book/appendix/teaching.md`. All of a deck is taken from the built pages of the
book, which are built first, so numbers, captions and pictures are those that readers see. The decks need no network.
"""

import json
import re
import subprocess
from copy import copy
from dataclasses import dataclass
from importlib.resources import files as package_files
from pathlib import Path
from urllib.parse import unquote

import yaml
from bs4 import BeautifulSoup, SoupStrainer
from jinja2 import Environment, FileSystemLoader, StrictUndefined

from press.commands.build import command
from press.commands.editions import EditionError, admit, folder_parser, write
from press.structure import ROOT, toc_files

KIND = "edition of the slides"
DECK = Path(__file__).with_name("deck")
TEACHING = "book/appendix/teaching"
#: What a slide can show of a page: figures, statements with a number, equations with a number, exercises.
SHOWN = "figure[id], div.proof:has(.admonition-title), div.math[id], div.exercise"
#: What the slides of a chapter take no equation out of: there it makes no sense alone, or gives an answer away.
INSIDE = ["proof", "exercise", "solution"]
EQUATIONS, ROWS = 3, 7  # at most, on one slide; an equation of more rows has its own
TALL = 12  # rows of an equation from which on it stands in two columns
ALIGNED = re.compile(r"\\begin\{aligned\}((?:(?!\\begin).)*)\\end\{aligned\}", re.DOTALL)
ASK = re.compile(r"(Ask|Second question)\b.*:")
SEE = "They should see"
REPAIR, BOARD = "Repair:", "On the board"


@dataclass
class Slide:
    """A slide: its layout, and HTML of the line above the title, the title, the body and the speaker notes."""

    layout: str
    title: str
    body: str = ""
    above: str = ""
    notes: str = ""
    id: str = ""


@dataclass
class Deck:
    """A deck: the name of its file, its title in HTML, the group that the index lists it in, and its slides."""

    name: str
    title: str
    group: str
    slides: list


class Book:
    """The built pages of the book, as the slides need them."""

    def __init__(self, folder):
        self.folder, self.pictures, self._articles = folder.resolve(), {}, {}

    def article(self, name):
        """Returns the article of the page `name`, with the targets of its links and its pictures found."""
        if name not in self._articles:
            path = self.folder / f"{name}.html"
            if not path.is_file():
                raise EditionError(f"there is no page {path}: build the book, or leave out --pages")
            only = SoupStrainer("article")
            article = BeautifulSoup(path.read_text(encoding="utf-8"), "html.parser", parse_only=only).article
            for node in article.select("a.headerlink, script, style, button"):
                node.decompose()
            for link in article.select("a.internal[href]"):
                page, _, anchor = link["href"].partition("#")
                target = (path.parent / page).resolve() if page else path
                link["data-target"] = f"{target.relative_to(self.folder).with_suffix('').as_posix()}#{unquote(anchor)}"
            for image in article.select("img"):
                picture = (path.parent / unquote(image["src"])).resolve()
                image["src"] = f"_images/{picture.name}"
                self.pictures[image["src"]] = picture
            self._articles[name] = article
        return self._articles[name]

    def target(self, link):
        """Returns what `link` leads to, if a slide can show it, as a list of at most one element."""
        name, _, anchor = link["data-target"].partition("#")
        element = self.article(name).find(id=anchor)
        return [element] if element is not None and element.css.match(SHOWN) else []

    def named(self, nodes):
        """Returns what the links in `nodes` lead to and a slide can show, in order."""
        return [element for node in nodes for link in node.select("a[data-target]") for element in self.target(link)]


def inner(*nodes):
    """Returns nodes as HTML for a slide: no links, no ids, no sections, which would be slides of their own."""
    soup = BeautifulSoup("<div></div>", "html.parser")
    soup.div.extend(copy(node) for node in nodes)
    for node in soup.select("a"):
        node.unwrap()
    for node in soup.select("[id]"):
        del node["id"]
    for node in soup.select("section"):
        node.name = "div"
    return soup.div.decode_contents().strip()


def contents(node, but=None):
    """Returns the HTML inside `node`, without the children that match the CSS selector `but`."""
    return inner(*(child for child in node.children if not (but and child.name and child.css.match(but))))


def heading(node):
    """Returns the title of the innermost section that holds `node`, without its number."""
    titles = (section.find(["h1", "h2", "h3", "h4"], recursive=False) for section in node.find_parents("section"))
    return contents(next(filter(None, titles)), ".section-number")


def before(node):
    """Returns the paragraph before `node` in its section, for the speaker notes, or ""."""
    section = node.find_parent("section")
    paragraph = node.find_previous(lambda tag: tag.name == "p" and tag.parent is section)
    return inner(paragraph) if paragraph else ""


def of(kind, element):
    """Says whether `element` is of a kind: figure, math, proof or exercise."""
    return element.name == kind or kind in element.get("class", ())


def together(equations, lead):
    """Says whether equations fit on one slide; without `lead` they must be of one section."""
    rows = sum(1 + equation.get_text().count(r"\\") for equation in equations)
    small = len(equations) == 1 or (len(equations) <= EQUATIONS and rows <= ROWS)
    return small and (lead is not None or len({heading(equation) for equation in equations}) == 1)


def columns(html):
    """Returns HTML in which the aligned rows of a tall equation stand in two columns."""

    def halves(found):
        rows = found[1].split(r"\\")
        if len(rows) < TALL:
            return found[0]
        middle = (len(rows) + 1) // 2
        left, right = (r"\\".join(part) for part in (rows[:middle], rows[middle:]))
        aligned = r"\begin{aligned}[t]%s\end{aligned}"
        return rf"{aligned % left} \qquad {aligned % right}"

    return ALIGNED.sub(halves, html)


def slides_of(elements, above="", lead=None):
    """Yields a slide for each figure, statement and exercise among `elements`, and for equations in small groups.

    Equations stand below `lead`, or else below the title of their section.
    """
    group = []
    for element in [*elements, None]:
        joins = element is not None and of("math", element)
        if group and not (joins and together([*group, element], lead)):
            title, first = heading(group[0]) if lead is None else "", group[0]
            body = f"{lead or ''}<div class='equations'>{columns(inner(*group))}</div>"
            yield Slide("equations", title, body, above, before(first), first["id"])
            group = []
        if joins:
            group.append(element)
        elif element is not None:
            yield single(element, above)


def single(element, above=""):
    """Returns the slide of a figure, a statement or an exercise."""
    if of("figure", element):
        solution = element.find_parent(class_="solution")
        title = contents(solution.select_one(".admonition-title")) if solution else heading(element)
        return Slide(
            "figure",
            title,
            inner(element.img, element.figcaption),
            above,
            before(element),
            element["id"],
        )
    layout = "exercise" if of("exercise", element) else "statement"
    title, body = (
        contents(element.select_one(".admonition-title")),
        contents(element, ".admonition-title"),
    )
    return Slide(layout, title, f"<div>{body}</div>", above, id=element["id"])


def chapter(book, name):
    """Returns the deck of the chapter on page `name`."""
    article = book.article(name)
    top = article.section
    title, number = (
        contents(top.h1, ".section-number"),
        top.h1.select_one(".section-number").get_text(),
    )
    slides = [Slide("title", title, above=f"Chapter {number.strip(' .')}")]
    for section in top.select("#the-question, #objectives"):
        kept = section.find_all(["p", "ul", "ol", "div"], recursive=False)
        listed = [place for place, node in enumerate(kept, 1) if node.name in ("ul", "ol")]
        kept = kept[: listed[0]] if listed else [node for node in kept if not of("cell", node)]
        slides.append(
            Slide(
                "text" if listed else "question",
                heading(section.p),
                f"<div>{inner(*kept)}</div>",
            )
        )
    shown = [
        element
        for element in article.select(SHOWN)
        if not of("exercise", element) and not (of("math", element) and element.find_parent(class_=INSIDE))
    ]
    return Deck(Path(name).name, title, "Chapters", [*slides, *slides_of(shown)])


def blocks(section):
    """Returns {bold words that open a paragraph: the paragraph and what follows up to the next ones}."""
    found, name = {}, None
    for node in section.find_all(True, recursive=False):
        first = next((child for child in node.children if str(child).strip()), None) if node.name == "p" else None
        if first is not None and first.name == "strong":
            name = first.get_text().strip(" .")
            found[name] = []
        if name:
            found[name].append(node)
    return found


def parts(paragraph):
    """Yields (kind, HTML) for the parts of a demonstration: "setup", then "ask" and "see" as the marks say."""
    kind, nodes = "setup", []
    for child in paragraph.children:
        words = child.get_text() if child.name == "em" else ""
        mark = "ask" if ASK.fullmatch(words) else "see" if words == SEE else ""
        if mark:
            yield kind, inner(*nodes)
            kind, nodes = mark, []
        elif child.name != "strong" or nodes:
            nodes.append(child)
    yield kind, inner(*nodes)


def sentence(html):
    """Returns words that followed a colon as a sentence of their own."""
    return html[:1].upper() + html[1:]


def demonstration(book, paragraph):
    """Yields the slides of a demonstration: each question, after the first one the figures, and what to see."""
    setup, shown = "", book.named([paragraph])
    figures = [element for element in shown if element.name == "figure"]
    for kind, html in parts(paragraph):
        if kind == "setup":
            setup = f"<p>{html}</p>" if html else ""
        elif kind == "ask":
            yield Slide("ask", "Ask first", f"{setup}<p class='large'>{sentence(html)}</p>", "Live")
            yield from slides_of(figures, "Live")
            setup, figures = "", []
        else:
            yield Slide("see", "Answer", f"<p class='large'>You should see {html}</p>", "Live")
    if setup:
        yield Slide("text", "Live", setup)
    yield from slides_of(figures, "Live")


def items(book, kind, nodes):
    """Yields the slides of the items of lists: the words with their equations, then statements and figures."""
    listed = [item for node in nodes for item in node.find_all("li", recursive=False)]
    for number, item in enumerate(listed, 1):
        above = f"{kind}, {number} of {len(listed)}"
        shown = [element for element in book.named([item]) if not of("exercise", element)]
        equations = [element for element in shown if of("math", element)]
        if equations:
            yield from slides_of(equations, above, f"<div class='lead'>{contents(item)}</div>")
        else:
            yield Slide("question", "", f"<div>{contents(item)}</div>", above)
        yield from slides_of([element for element in shown if not of("math", element)], above)


def misconception(book, item):
    """Yields the wrong sentence, its repair, and the figures that the repair names."""
    paragraph = item.p
    mark = paragraph.find("em", string=REPAIR)
    if mark is None:
        raise EditionError(f"{TEACHING}: no *{REPAIR}* in the misconception {item.get_text()!r}")
    wrong, repair = inner(*reversed([*mark.previous_siblings])), inner(*mark.next_siblings)
    yield Slide("wrong", "True or false?", f"<p class='large'>{wrong}</p>", "Misconception")
    body = f"<p class='said'>{wrong}</p><p class='large'>{sentence(repair)}</p>"
    yield Slide("repair", "Repair", body, "Misconception")
    yield from slides_of([element for element in book.named([item]) if of("figure", element)], "Misconception")


def exercises(book, nodes):
    """Yields a slide for each exercise that is named, with its difficulty and minutes in the line above the title."""
    for link in (link for node in nodes for link in node.select("a[data-target]")):
        words = re.match(r"\s*\(([^)]*)\)", str(link.next_sibling))
        yield from (single(element, words[1] if words else "Exercise") for element in book.target(link))


def session(book, section):
    """Returns the deck of a session, made of what its section of the page for teachers names."""
    found = blocks(section)
    title = contents(section.h3, ".section-number")
    course = contents(section.find_parent("section").h2, ".section-number")
    aside = [node for name in ("When short", "Oral exam") for node in found.get(name, ())]
    sections = "".join(f"<p>{contents(node, 'strong')}</p>" for node in found.get("Sections", ()))
    slides = [
        Slide("title", title, sections, course, inner(*aside)),
        *items(book, BOARD, found[BOARD]),
    ]
    for paragraph in found.get("Live", ()):
        slides += demonstration(book, paragraph)
    for node in found.get("Misconceptions", ()):
        for item in node.find_all("li", recursive=False):
            slides += misconception(book, item)
    slides += exercises(book, found.get("Exercises", ()))
    slides += items(book, "Talk", found.get("Talks", ()))
    return Deck(section["id"], title, course, once(slides))


def once(slides):
    """Returns the slides without figures, statements and exercises that the deck has shown before."""
    shown, kept = set(), []
    for slide in slides:
        if slide.id in shown and slide.layout == "equations":
            slide.id = ""
        if not (slide.id and slide.id in shown):
            kept.append(slide)
            shown.add(slide.id)
    return kept


def decks(book, root=ROOT):
    """Returns the decks of all chapters, and of all sessions if the book has the page for teachers."""
    pages = {path.relative_to(root).with_suffix("").as_posix(): path.suffix for path in toc_files(root)}
    made = [chapter(book, name) for name, suffix in pages.items() if suffix == ".ipynb"]
    if TEACHING in pages:
        sections = [node.parent for node in book.article(TEACHING).select("section > h3")]
        made += [session(book, section) for section in sections if BOARD in blocks(section)]
    return made


def assets(pages):
    """Returns reveal.js, the book's MathJax and the own style and script, {path in the edition: content}."""
    reveal = package_files("sphinx_revealjs") / "_static" / "revealjs"
    fonts = reveal / "dist" / "theme" / "fonts" / "source-sans-pro"
    found = {
        "_static/LICENSE.reveal.txt": reveal / "LICENSE",
        "_static/LICENSE.source-sans-pro.txt": fonts / "LICENSE",
        **{f"_static/{name}": reveal / "dist" / name for name in ("reveal.css", "reveal.js")},
        "_static/notes.js": reveal / "plugin" / "notes" / "notes.js",
        **{f"_static/fonts/{path.name}": path for path in fonts.iterdir() if path.name.endswith(".woff")},
        **{f"_static/{name}": DECK / name for name in ("deck.css", "deck.js")},
    }
    mathjax = pages / "_static" / "mathjax"
    for path in mathjax.rglob("*"):
        if path.is_file():
            found[f"_static/mathjax/{path.relative_to(mathjax).as_posix()}"] = path
    return {name: path.read_bytes() for name, path in found.items()}


def edition(pages, root=ROOT):
    """Returns the files of the slides of the built `pages`, {path in their folder: content}, and writes nothing."""
    book = Book(pages)
    made = decks(book, root)
    config = yaml.safe_load((root / "_config.yml").read_text(encoding="utf-8"))
    templates = Environment(
        loader=FileSystemLoader(DECK),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    usual = {
        "book": config["title"],
        "mathjax": json.dumps(config["sphinx"]["config"]["mathjax3_config"]),
    }
    files = {"index.html": templates.get_template("index.html").render(decks=made, **usual).encode()}
    for deck in made:
        files[f"{deck.name}.html"] = templates.get_template("deck.html").render(deck=deck, **usual).encode()
    shown = b"".join(files.values()).decode()
    files |= {name: path.read_bytes() for name, path in book.pictures.items() if f'"{name}"' in shown}
    return {**files, **assets(pages)}


def build(root=ROOT):
    """Builds the book and returns the folder of its pages."""
    done = subprocess.run(command(), cwd=root, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    if done.returncode:
        raise EditionError(f"{done.stdout}{done.stderr}\nthe book does not build: see above")
    return root / "_build" / "html"


def main(arguments=None):
    """Writes the slides into the folder named on the command line."""
    words = folder_parser(__name__, __doc__)
    words.add_argument(
        "--pages",
        type=Path,
        help="pages of the book that are built already; default: build them",
    )
    given = words.parse_args(arguments)
    admit(given.folder, KIND)
    files = edition(given.pages or build())
    write(files, given.folder, KIND)
    print(f"{given.folder}: {sum(name.endswith('.html') for name in files) - 1} decks, see index.html")
