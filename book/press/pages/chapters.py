"""Sphinx extension: which chapter needs which, read from the metadata of each notebook.

There `{"sga": {"needs": ["primer/rates"], "uses": ["beyond/cold"]}}` names the chapters without which this one cannot
be read, and those that it uses in places. The line of prerequisites says the same to readers, in its own words, and
must link the same chapters. `{chapter-map}` draws what is needed and lists both.
"""

import re
from dataclasses import dataclass
from html import escape
from itertools import pairwise
from pathlib import Path

import nbformat
from docutils import nodes
from sphinx import addnodes
from sphinx.errors import SphinxError
from sphinx.util.docutils import SphinxDirective

from press.structure import ROOT, toc_notebooks

LINE = re.compile(r"^\*Prerequisites:\*(.*?)\*Run time:\*", re.MULTILINE | re.DOTALL)
LABEL = re.compile(r"^\((\S+)\)=$", re.MULTILINE)
LINK = re.compile(r"\{(?:ref|doc)\}`(?:[^`<]*<)?([^`<>]+)>?`")
#: What the metadata of a notebook may say under "sga"; `press.structure` reads "requires".
KEYS = {"requires", "needs", "uses"}
BOX, GAP, ROW, WIDEST, SWEEPS = (112, 44), 14, 84, 5, 4


class ChapterError(SphinxError):
    """Metadata from which no map can be drawn, or a line of prerequisites that says something else."""

    category = "Chapters"


@dataclass(frozen=True)
class Chapter:
    """A chapter: its number, its page, and the pages that it needs and that it uses in places."""

    number: int
    page: str
    needs: tuple
    uses: tuple

    @property
    def name(self):
        """The chapter's name in short, that of its file."""
        return self.page.rsplit("/", 1)[1].replace("_", " ")


def read_chapters(root=ROOT):
    """Returns the chapters in order of reading; raises ChapterError if metadata and text of one do not agree."""
    notebooks = {
        path.relative_to(root).with_suffix("").as_posix(): nbformat.read(path, as_version=4)
        for path in toc_notebooks(root)
    }
    texts = {page: _text(notebook) for page, notebook in notebooks.items()}
    leads = {f"/{page}": page for page in texts}
    leads |= {label: page for page, text in texts.items() for label in LABEL.findall(text)}
    chapters, order = [], list(texts)
    for number, (page, notebook) in enumerate(notebooks.items(), 1):
        needs, uses = _metadata(page, notebook, order)
        if late := [other for other in needs if order.index(other) >= number - 1]:
            raise ChapterError(f"{page} needs {', '.join(late)}, which does not come before it")
        _compare(page, {*needs, *uses}, _linked(page, texts[page], leads))
        chapters.append(Chapter(number, page, needs, uses))
    return chapters


def _text(notebook):
    return "\n\n".join(cell.source for cell in notebook.cells if cell.cell_type == "markdown")


def _metadata(page, notebook, order):
    """Returns the pages that a notebook's metadata says it needs, and those that it uses, in order of reading."""
    said = notebook.metadata.get("sga", {})
    if unknown := sorted(set(said) - KEYS):
        raise ChapterError(f"{page} has sga metadata {', '.join(unknown)}: it can have {', '.join(sorted(KEYS))}")
    needs, uses = ([f"book/{name}" for name in said.get(key, ())] for key in ("needs", "uses"))
    if unknown := [other for other in [*needs, *uses] if other not in order]:
        raise ChapterError(f"{page} names {', '.join(unknown)} in its metadata, which is no chapter")
    if twice := sorted({other for other in [*needs, *uses] if [*needs, *uses].count(other) > 1}):
        raise ChapterError(f"{page} names {', '.join(twice)} twice in its metadata")
    return tuple(sorted(needs, key=order.index)), tuple(sorted(uses, key=order.index))


def _linked(page, text, leads):
    """Returns the pages of the chapters that the line of prerequisites links; `leads` says where a name leads."""
    line = LINE.search(text)
    if line is None:
        raise ChapterError(f"{page} has no line *Prerequisites:* ... *Run time:* ...")
    return {leads[name] for name in LINK.findall(line[1]) if name in leads}


def _compare(page, said, linked):
    """Raises ChapterError if the metadata and the line of prerequisites do not name the same chapters."""
    faults = [f"links {other}, which its metadata does not name" for other in sorted(linked - said)]
    faults += [f"does not link {other}, which its metadata names" for other in sorted(said - linked)]
    if faults:
        raise ChapterError(f"{page}: its line of prerequisites {' and '.join(faults)}")


def lines(chapters):
    """Returns the pairs (page, needed page) that remain when what follows from others is left out."""
    above, kept = {}, []
    for chapter in chapters:
        through = {far for near in chapter.needs for far in above[near]}
        above[chapter.page] = through | set(chapter.needs)
        kept += [(chapter.page, near) for near in chapter.needs if near not in through]
    return kept


def rows_of(chapters):
    """Returns the chapters in rows of at most `WIDEST`: each in the first row with room below what it needs."""
    rows, place = [], {}
    for chapter in chapters:
        row = 1 + max((place[near] for near in chapter.needs), default=-1)
        while row < len(rows) and len(rows[row]) == WIDEST:
            row += 1
        if row == len(rows):
            rows.append([])
        rows[row].append(chapter)
        place[chapter.page] = row
    return rows


def routes(chapters):
    """Returns the lines as lists of stops, from a needed chapter's page through the rows between to the other page.

    A stop between is (page, row): lines from one chapter share it.
    """
    row_of = {chapter.page: y for y, row in enumerate(rows_of(chapters)) for chapter in row}
    return [
        [near, *((near, row) for row in range(row_of[near] + 1, row_of[page])), page] for page, near in lines(chapters)
    ]


def arrange(chapters):
    """Returns {page or stop: (x, y)} of the upper left corners, and the width; neighbors of one line stay close."""
    ways = routes(chapters)
    rows = [[chapter.page for chapter in row] for row in rows_of(chapters)]
    for stop in dict.fromkeys(stop for way in ways for stop in way[1:-1]):
        rows[stop[1]].append(stop)
    near = {}
    for way in ways:
        for one, other in pairwise(way):
            near.setdefault(one, []).append(other)
            near.setdefault(other, []).append(one)
    middle = {}
    for row in [*rows, *rows[::-1], *rows] * SWEEPS:
        ends = {stop: [middle[other] for other in near.get(stop, ()) if other in middle] for stop in row}
        row.sort(key=lambda stop: sum(ends[stop]) / len(ends[stop]) if ends[stop] else middle.get(stop, 0))
        left = -sum(map(_width, row)) / 2
        for stop in row:
            middle[stop] = left + _width(stop) / 2
            left += _width(stop)
    widest = max(sum(map(_width, row)) for row in rows) + GAP
    place = {
        stop: (middle[stop] + (widest - _width(stop) + GAP) / 2, GAP + y * ROW)
        for y, row in enumerate(rows)
        for stop in row
    }
    return place, widest


def _width(stop):
    """Returns the room that a box or a stop between boxes takes in its row."""
    return GAP + (BOX[0] if isinstance(stop, str) else 0)


def draw(chapters, address):
    """Returns the map as SVG, each box a link; `address` gives the address of a page."""
    place, width = arrange(chapters)
    edges = [_curve([place[stop] for stop in way]) for way in routes(chapters)]
    boxes = [_box(chapter, *place[chapter.page], address(chapter.page)) for chapter in chapters]
    height = max(y for _, y in place.values()) + BOX[1] + GAP
    return (
        f'<svg class="sga-map" viewBox="0 0 {width:g} {height:g}" role="group" aria-label="Map of the chapters">'
        f"{''.join(edges)}{''.join(boxes)}</svg>"
    )


def _curve(places):
    """Draws the line from a needed chapter down, between the boxes of other rows, to the chapter that needs it."""
    wide, high = BOX
    (x, y), *between, (x_end, y_end) = places
    path, x, y = f"M{x + wide / 2:g} {y + high:g}", x + wide / 2, y + high
    for x_next, y_next in [*between, (x_end + wide / 2, y_end)]:
        bend = (y + y_next) / 2
        path += f"C{x:g} {bend:g} {x_next:g} {bend:g} {x_next:g} {y_next:g}V{y_next + high:g}"
        x, y = x_next, y_next + high
    return f'<path d="{path.rpartition("V")[0]}"/>'


def _box(chapter, x, y, address):
    wide, high = BOX
    return (
        f'<a href="{escape(address)}"><rect x="{x:g}" y="{y:g}" width="{wide}" height="{high}" rx="6"/>'
        f'<text x="{x + wide / 2:g}" y="{y + 18:g}">{chapter.number}</text>'
        f'<text x="{x + wide / 2:g}" y="{y + 34:g}">{escape(chapter.name)}</text></a>'
    )


class ChapterMap(SphinxDirective):
    """`{chapter-map}`: the map, where pages are HTML, and the table of what each chapter needs and uses."""

    def run(self):
        """Returns the map and the table."""
        root = Path(self.env.app.srcdir)
        for path in (root / "_toc.yml", *toc_notebooks(root)):
            self.env.note_dependency(str(path))
        chapters = read_chapters(root)
        builder, here = self.env.app.builder, self.env.docname
        if builder.format != "html":
            return [self.table(chapters)]
        picture = draw(chapters, lambda page: builder.get_relative_uri(here, page))
        return [nodes.raw("", picture, format="html"), self.table(chapters)]

    def table(self, chapters):
        """Returns the table of all chapters."""
        names = {chapter.page: str(chapter.number) for chapter in chapters}
        group = nodes.tgroup("", *[nodes.colspec(colwidth=w) for w in (6, 2, 2)], cols=3)
        group += nodes.thead("", self.row([[nodes.Text(h)] for h in ("chapter", "needs", "uses in places")]))
        group += nodes.tbody()
        for chapter in chapters:
            title = [nodes.Text(f"{chapter.number}. "), self.link(chapter.page)]
            others = [
                [piece for page in pages for piece in (self.link(page, names[page]), nodes.Text(", "))][:-1]
                for pages in (chapter.needs, chapter.uses)
            ]
            group[-1] += self.row([title, *(other or [nodes.Text("–")] for other in others)])
        return nodes.table("", group, classes=["sga-chapters"])

    def row(self, cells):
        """Returns a row of the table."""
        return nodes.row("", *[nodes.entry("", nodes.paragraph("", "", *cell)) for cell in cells])

    def link(self, page, text=""):
        """Returns a link to a page that shows `text`, or else the title of the page."""
        return addnodes.pending_xref(
            "",
            nodes.inline("", text),
            refdomain="std",
            reftype="doc",
            reftarget=f"/{page}",
            refdoc=self.env.docname,
            refexplicit=bool(text),
            refwarn=True,
        )


def setup(app):
    """Registers the directive."""
    app.add_directive("chapter-map", ChapterMap)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
