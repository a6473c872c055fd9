"""Makes the decks: one a chapter, of its figures, statements and equations, and one a session of the page for teachers.

A session is a section with a board (`press.pages.lecture`); its slides are made of its blocks and of what they name.
"""

import re
from dataclasses import dataclass
from pathlib import Path

from press.slides.pages import SHOWN, before, contents, heading, inner, of
from press.structure import ROOT, toc_files

TEACHING = "book/appendix/teaching"
#: The blocks that stand in the notes of the title slide.
NOTES = ("short", "exam")
#: What the slides of a chapter take no equation out of: there it makes no sense alone, or gives an answer away.
INSIDE = ["proof", "exercise", "solution"]
EQUATIONS, ROWS = 3, 7  # at most, on one slide; an equation of more rows has its own
TALL = 12  # rows of an equation from which on it stands in two columns
ALIGNED = re.compile(r"\\begin\{aligned\}((?:(?!\\begin).)*)\\end\{aligned\}", re.DOTALL)


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


def said(part):
    """Returns the HTML of a part of a demonstration or a misconception, without the mark that it begins with."""
    return contents(part, ".sga-mark, .sga-lead")


def sentence(html):
    """Returns words that followed a colon as a sentence of their own."""
    return html[:1].upper() + html[1:]


def demonstration(book, paragraph):
    """Yields the slides of a demonstration: each question, after the first one the figures, and what to see."""
    scene, figures = [], [element for element in book.named([paragraph]) if of("figure", element)]
    for child in paragraph.children:
        kind = child["class"][0] if child.name and child.has_attr("class") else ""
        if kind == "sga-ask":
            setup = f"<p>{inner(*scene)}</p>" if inner(*scene) else ""
            yield Slide("ask", "Ask first", f"{setup}<p class='large'>{sentence(said(child))}</p>", "Live")
            yield from slides_of(figures, "Live")
            scene, figures = [], []
        elif kind == "sga-see":
            yield Slide("see", "Answer", f"<p class='large'>You should see {said(child)}</p>", "Live")
        elif kind != "sga-lead":
            scene.append(child)


def items(book, kind, block):
    """Yields the slides of the items of a block's list: the words with their equations, then statements and figures."""
    listed = block.select(":scope > :is(ol, ul) > li") if block else []
    for number, item in enumerate(listed, 1):
        above = f"{kind}, {number} of {len(listed)}"
        shown = [element for element in book.named([item]) if not of("exercise", element)]
        equations = [element for element in shown if of("math", element)]
        if equations:
            yield from slides_of(equations, above, f"<div class='lead'>{contents(item)}</div>")
        else:
            yield Slide("question", "", f"<div>{contents(item)}</div>", above)
        yield from slides_of([element for element in shown if not of("math", element)], above)


def misconception(book, paragraph):
    """Yields the wrong sentence, its repair, and the figures that the repair names."""
    wrong, repair = contents(paragraph, ".sga-repair"), said(paragraph.select_one(".sga-repair"))
    yield Slide("wrong", "True or false?", f"<p class='large'>{wrong}</p>", "Misconception")
    body = f"<p class='said'>{wrong}</p><p class='large'>{sentence(repair)}</p>"
    yield Slide("repair", "Repair", body, "Misconception")
    yield from slides_of([element for element in book.named([paragraph]) if of("figure", element)], "Misconception")


def exercises(book, block):
    """Yields a slide for each exercise that is named, with its difficulty and minutes in the line above the title."""
    for link in block.select("a[data-target]") if block else ():
        words = re.match(r"\s*\(([^)]*)\)", str(link.next_sibling))
        yield from (single(element, words[1] if words else "Exercise") for element in book.target(link))


def session(book, board):
    """Returns the deck of the session that `board` stands in, made of what its section names."""
    section = board.parent
    block = {kind: section.select_one(f":scope > .sga-{kind}") for kind in ("sections", *NOTES, "homework", "talks")}
    title, course = heading(board), heading(section)
    sections = f"<p>{said(block['sections'].p)}</p>" if block["sections"] else ""
    notes = inner(*(block[kind].p for kind in NOTES if block[kind]))
    slides = [Slide("title", title, sections, course, notes), *items(book, "On the board", board)]
    for paragraph in section.select(":scope > .sga-demo"):
        slides += demonstration(book, paragraph)
    for paragraph in section.select(":scope > .sga-misconceptions .sga-misconception"):
        slides += misconception(book, paragraph)
    slides += exercises(book, block["homework"])
    slides += items(book, "Talk", block["talks"])
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
        made += [session(book, board) for board in book.article(TEACHING).select("section > .sga-board")]
    return made
