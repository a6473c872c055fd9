"""The index of the book: every entry, under its letter, with the number of its section and a link there."""

from books import parse
from press.structure import ROOT, toc_notebooks

PAGE = """# First

## One

```{index} ! single: trap
```

A trap.

## Two

```{index} single: trap; of noise
```

More. Other {index}`words <pair: noise; echo>`.

```{index} see: pit; trap
```
"""


def entries(page):
    """The lines of an index page, each with its links."""
    found = {}
    for item in page.select("ul.sga-index li"):
        line = item.find("p")
        found[line.get_text()] = [(a["href"], a.strong is not None) for a in line("a")]
    return found


def test_the_index_shows_every_entry_with_its_sections_and_leaves_pages_out(small_book):
    for name, text in {
        "first": PAGE,
        "second": "# Second\n\n{index}`trap`\n",
        "left": "# Left out\n\n{index}`ghost`\n",
        "end": "# Index\n\n```{book-index}\n:without: book/left\n```\n",
    }.items():
        small_book.text(f"book/{name}.md", text)
        small_book.chapter(f"book/{name}")
    done = small_book.build()
    assert done.returncode == 0, done.stderr
    page = small_book.page("book/end")
    assert [letter.get_text() for letter in page.select("p.rubric")] == ["E", "N", "P", "T"]
    found = entries(page)
    assert list(found) == [
        "echo",
        "noise, 1.2",
        "noise",
        "echo, 1.2",
        "pit",
        "see trap",
        "trap, 1.1, 2",
        "of noise, 1.2",
    ]
    assert [main for _, main in found["trap, 1.1, 2"]] == [True, False]
    for links in found.values():
        for href, _ in links:
            name, anchor = href.split(".html#")
            assert small_book.page(f"book/{name}").find(id=anchor) is not None


def test_the_index_of_the_book_has_entries_from_every_chapter(built_book):
    page = parse(built_book / "book" / "appendix" / "index.html")
    pages = {link.split(".html#")[0] for links in entries(page).values() for link, _ in links}
    chapters = {f"../{path.relative_to(ROOT / 'book').with_suffix('').as_posix()}" for path in toc_notebooks()}
    assert chapters <= pages
