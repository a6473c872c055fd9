"""The map of the chapters says what the chapters say they need, and leads to them."""

import re

import pytest
from nbformat.v4 import new_notebook

from books import edit
from press.execution import normalize
from press.pages.chapters import BOX, Chapter, ChapterError, arrange, draw, lines, read_chapters, routes, rows_of
from press.structure import toc_notebooks

A = Chapter(1, "part/a", (), ())
B = Chapter(2, "part/b_c", ("part/a",), ())
C = Chapter(3, "part/c", ("part/a", "part/b_c"), ())


NOTHING = "*Prerequisites:* limits. *Run time:* short."
NEEDS_A = "*Prerequisites:* {ref}`label-a`. *Run time:* short."


def written(book, **chapters):
    """Adds chapters, {name: (line of prerequisites, sga metadata)}, and returns {name: Chapter} of all."""
    for name, (line, said) in chapters.items():

        def change(notebook, name=name, line=line, said=said):
            notebook.cells[0].source = f"(label-{name})=\n# {name}\n\n{line}\n\n(part-{name})=\n## A part\n"
            notebook.metadata["sga"] = said

        edit(book.notebook(f"book/{name}", ("1", ())), change)
    return {chapter.name: chapter for chapter in read_chapters(book.root)}


def test_the_metadata_says_what_is_needed_and_what_is_used_and_the_line_only_links_it(small_book):
    found = written(
        small_book,
        a=(NOTHING, {}),
        b=("*Prerequisites:* {ref}`label-a` ({prf:ref}`thm`). *Run time:* short. {ref}`label-c`", {"needs": ["a"]}),
        c=(
            "*Prerequisites:* {ref}`part-a`. Long is {doc}`the second </book/b>`. *Run time:* short.",
            {"needs": ["b"], "uses": ["a"], "requires": []},
        ),
        d=("*Prerequisites:* {ref}`c <label-c>` and {doc}`/book/a`. *Run time:* short.", {"needs": ["c", "a"]}),
    )
    assert {name: (found[name].needs, found[name].uses) for name in "abcd"} == {
        "a": ((), ()),
        "b": (("book/a",), ()),
        "c": (("book/b",), ("book/a",)),
        "d": (("book/a", "book/c"), ()),
    }


@pytest.mark.parametrize(
    "line, said, complaint",
    [
        ("Nothing is needed.", {}, "book/b has no line"),
        (NOTHING, {"need": ["a"]}, "book/b has sga metadata need: it can have needs, requires, uses"),
        (NOTHING, {"needs": ["nowhere"]}, "book/b names book/nowhere in its metadata, which is no chapter"),
        (NOTHING, {"needs": "a c"}, "which is no chapter"),
        (NEEDS_A, {"needs": ["a"], "uses": ["a"]}, "book/b names book/a twice"),
        (NEEDS_A, {"needs": ["a", "c"]}, "book/b needs book/c, which does not come before it"),
        (NEEDS_A, {"needs": ["a", "b"]}, "book/b needs book/b, which does not come before it"),
        (NEEDS_A, {}, "its line of prerequisites links book/a, which its metadata does not name"),
        (NOTHING, {"uses": ["a"]}, "its line of prerequisites does not link book/a, which its metadata names"),
        (NEEDS_A, {"uses": ["c"]}, "links book/a, which .* and does not link book/c, which"),
    ],
)
def test_a_slip_on_either_side_is_refused(small_book, line, said, complaint):
    with pytest.raises(ChapterError, match=complaint):
        written(small_book, a=(NOTHING, {}), b=(line, said), c=(NOTHING, {}))


def test_execution_keeps_what_the_metadata_says():
    notebook = new_notebook(metadata={"sga": {"needs": ["a"], "uses": ["b"]}})
    normalize(notebook)
    assert notebook.metadata["sga"] == {"needs": ["a"], "uses": ["b"]}


def test_a_line_that_follows_from_others_is_left_out():
    assert lines([A, B, C]) == [("part/b_c", "part/a"), ("part/c", "part/b_c")]


def test_a_chapter_stands_below_all_that_it_needs_and_no_row_is_too_long():
    assert rows_of([A, B, C]) == [[A], [B], [C]]
    chapters = read_chapters()
    rows = rows_of(chapters)
    height = {chapter.page: y for y, row in enumerate(rows) for chapter in row}
    assert all(height[near] < height[chapter.page] for chapter in chapters for near in chapter.needs)
    assert sum(map(len, rows)) == len(chapters) and max(map(len, rows)) <= 5


def test_a_line_passes_between_the_boxes_of_other_rows_and_no_boxes_overlap():
    chapters = read_chapters()
    place, width = arrange(chapters)
    boxes = [place[chapter.page] for chapter in chapters]
    between = [place[stop] for way in routes(chapters) for stop in way[1:-1]]
    assert len(between) > 5
    for x, y in boxes:
        assert 0 < x and x + BOX[0] < width
        assert not [1 for stop in between if stop[1] == y and x <= stop[0] <= x + BOX[0]]
        assert [1 for other in boxes if other[1] == y and abs(other[0] - x) < BOX[0]] == [1]


def test_the_picture_has_a_link_for_each_chapter_and_a_curve_for_each_line():
    picture = draw([A, B, C], "to/{}".format)
    assert re.findall(r'<a href="([^"]*)">', picture) == ["to/part/a", "to/part/b_c", "to/part/c"]
    assert picture.count("<path") == 2 and ">b c</text>" in picture


def test_every_chapter_of_the_book_is_on_the_map():
    assert len(read_chapters()) == len(toc_notebooks())


def test_the_page_shows_the_map_and_the_same_in_a_table(small_book):
    written(small_book, a=(NOTHING, {}), b=(NEEDS_A, {"needs": ["a"]}))
    small_book.text("book/map.md", "# Map\n\n```{chapter-map}\n```\n")
    small_book.chapter("book/map")
    done = small_book.build()
    assert done.returncode == 0, done.stderr
    page = small_book.page("book/map")
    assert [a["href"] for a in page.select("svg.sga-map a")] == ["a.html", "b.html"]
    rows = [[cell.get_text(strip=True) for cell in row("td")] for row in page.select("table.sga-chapters tbody tr")]
    assert rows == [["1.a", "–", "–"], ["2.b", "1", "–"]]
