"""Makes the decks: one a chapter, of its figures, statements and equations, and one a session of the page for teachers.

A session is a section with a board (`press.pages.lecture`); its slides are made of its blocks and of what they name.
"""

import re
from dataclasses import dataclass
from pathlib import Path

from press.slides.pages import SHOWN, contents, heading, inner, of, sentences, spoken
from press.structure import ROOT, toc_files

TEACHING = "book/appendix/teaching"
#: The blocks that take time, wherever they stand in a section.
TIMED = ":scope > :is(.sga-question, .sga-symbols, .sga-board, .sga-demo), :scope > ul > li > .sga-misconception"
#: The blocks that stand in the notes of the title slide.
NOTES = ("short", "exam")
#: What the slides of a chapter take no equation out of: there it makes no sense alone.
INSIDE = ["proof", "exercise"]
#: What a caption says to readers of a page, and letters of a caption on a slide from the second sentence on.
SCREEN, CAPTION = "On a page that can run scripts", 240
EQUATIONS, ROWS = 3, 7  # at most, on one slide; an equation of more rows has its own
TALL = 12  # rows of an equation from which on it stands in two columns
SYMBOLS = 7  # at most, on one slide
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
            yield Slide("equations", title, body, above, spoken(*group), first["id"])
            group = []
        if joins:
            group.append(element)
        elif element is not None:
            yield single(element, above)


def single(element, above=""):
    """Returns the slide of a figure, a statement or an exercise."""
    if of("figure", element):
        shown, rest = caption(element)
        notes = " ".join(filter(None, (spoken(element), rest)))
        return Slide("figure", heading(element), f"{inner(element.img)}{shown}", above, notes, element["id"])
    layout = "exercise" if of("exercise", element) else "statement"
    title, body = (
        contents(element.select_one(".admonition-title")),
        contents(element, ".admonition-title"),
    )
    return Slide(layout, title, f"<div>{body}</div>", above, id=element["id"])


def caption(figure):
    """Returns the caption of a figure for its slide, the finding, and what else it says, for the notes."""
    number, text = figure.select_one(".caption-number"), figure.select_one(".caption-text")
    parts = [part for part in sentences(contents(text)) if not part.startswith(SCREEN)]
    size, kept = 0, 0
    while kept < len(parts) and (not kept or size + len(plain(parts[kept])) <= CAPTION):
        size += len(plain(parts[kept]))
        kept += 1
    return f"<figcaption>{inner(number)} {' '.join(parts[:kept])}</figcaption>", " ".join(parts[kept:])


def plain(html):
    """Returns the text of HTML, for its length."""
    return re.sub(r"<[^>]*>|\\\w+|[{}^_\\]", "", html)


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
        if not of("exercise", element)
        and not element.find_parent(class_="solution")
        and not (of("math", element) and element.find_parent(class_=INSIDE))
    ]
    return Deck(Path(name).name, title, "Chapters", [*slides, *slides_of(shown)])


def said(part):
    """Returns the HTML of a part of a demonstration or a misconception, without the mark that it begins with."""
    return contents(part, ".sga-mark, .sga-lead")


def sentence(html):
    """Returns words that followed a colon as a sentence of their own."""
    return html[:1].upper() + html[1:]


def demonstration(book, paragraph, fresh):
    """Yields the slides of a demonstration: each question, after the first one the figures, and what to see.

    Of the equations and statements that an answer names, `fresh` says which have not been shown.
    """
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
            yield from slides_of(fresh(book.named([child])), "Live", "")
        elif kind != "sga-lead":
            scene.append(child)


def items(book, kind, listed, first=1, count=None):
    """Yields the slides of the items of a list: the words with their equations, then statements and figures."""
    for number, item in enumerate(listed, first):
        above = f"{kind}, {number} of {count or len(listed)}"
        shown = [element for element in book.named([item]) if not of("exercise", element)]
        equations = [element for element in shown if of("math", element)]
        if equations:
            yield from slides_of(equations, above, f"<div class='lead'>{contents(item)}</div>")
        else:
            yield Slide("question", "", f"<div>{contents(item)}</div>", above)
        yield from slides_of([element for element in shown if not of("math", element)], above)


def symbols(block):
    """Yields slides of what letters mean."""
    listed = block.select(":scope > :is(ol, ul) > li")
    for start in range(0, len(listed), SYMBOLS):
        rows = "".join(f"<li>{contents(item)}</li>" for item in listed[start : start + SYMBOLS])
        yield Slide("text", "Symbols", f"<div><ul>{rows}</ul></div>")


def misconception(book, paragraph, fresh):
    """Yields the wrong sentence, its repair, and the figures that it names, with what is `fresh` of the rest."""
    wrong, repair = contents(paragraph, ".sga-repair, .sga-time"), said(paragraph.select_one(".sga-repair"))
    yield Slide("wrong", "True or false?", f"<p class='large'>{wrong}</p>", "Misconception")
    body = f"<p class='said'>{wrong}</p><p class='large'>{sentence(repair)}</p>"
    yield Slide("repair", "Repair", body, "Misconception")
    named = book.named([paragraph])
    yield from slides_of([element for element in named if of("figure", element)] + fresh(named), "Misconception", "")


def exercises(book, block):
    """Yields a slide for each exercise that is named, with its difficulty and minutes in the line above the title."""
    for link in block.select("a[data-target]") if block else ():
        words = re.match(r"\s*\(([^)]*)\)", str(link.next_sibling))
        yield from (single(element, words[1] if words else "Exercise") for element in book.target(link))


def session(book, section):
    """Returns the deck of a section with a board: its blocks in their order, then exercises and talks."""
    block = {kind: section.select_one(f":scope > .sga-{kind}") for kind in ("sections", *NOTES, "homework", "talks")}
    title, course = heading(section.select_one(".sga-board")), heading(section)
    sections = f"<p>{said(block['sections'].p)}</p>" if block["sections"] else ""
    plan = section.select_one(":scope > .sga-minutes")
    notes = inner(*([plan] if plan else []), *(block[kind].p for kind in NOTES if block[kind]))
    slides = [Slide("title", title, sections, course, notes)]
    boards, shown = section.select(":scope > .sga-board > :is(ol, ul) > li"), set()

    def fresh(elements):
        new = [e for e in elements if not (of("figure", e) or of("exercise", e) or e["id"] in shown)]
        shown.update(part["id"] for element in new for part in (element, *element.select("[id]")))
        return new

    for timed in section.select(TIMED):
        made = list(slides_of_block(book, timed, boards, fresh))
        if time := re.search(r"sga-from-(\d+)-to-(\d+)", " ".join(timed["class"])):
            made[0].notes = f"<p>Minutes {time[1]} to {time[2]}.</p>{made[0].notes}"
        slides += made
    slides += exercises(book, block["homework"])
    slides += items(book, "Talk", block["talks"].select(":scope > :is(ol, ul) > li") if block["talks"] else [])
    return Deck(section["id"], title, course, once(slides))


def slides_of_block(book, block, boards, fresh):
    """Yields the slides of a block of a session; `boards` are the items of all its boards, counted through."""
    kind = block["class"][0].removeprefix("sga-")
    if kind == "question":
        yield Slide("question", "The question", f"<div><p>{said(block.p)}</p></div>")
    elif kind == "symbols":
        yield from symbols(block)
    elif kind == "demo":
        yield from demonstration(book, block, fresh)
    elif kind == "misconception":
        yield from misconception(book, block, fresh)
    else:
        listed = block.select(":scope > :is(ol, ul) > li")
        fresh(book.named(listed))
        yield from items(book, "On the board", listed, boards.index(listed[0]) + 1, len(boards))


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
        made += [session(book, section) for section in book.article(TEACHING).select("section:has(> .sga-board)")]
    return made
