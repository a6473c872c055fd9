"""Slips in directives that a build does not tell, or places on a wrong page: named with file and cell."""

import re

import nbformat
from nbformat.v4 import new_markdown_cell

from books import edit
from press.structure import ROOT, toc_files

OPENING = re.compile(
    r"^(?P<fence>`{3,}|:{3,}) *\{(?P<name>[\w:-]+)\} *(?P<words>.*)\n(?P<options>(?::[\w-]+:.*\n)*)", re.MULTILINE
)
LABEL = re.compile(r"^:label: *(\S+)", re.MULTILINE)


def texts(root):
    """Yields (place, text) for each text file and each markdown cell of the book."""
    for path in toc_files(root):
        name = path.relative_to(root).as_posix()
        if path.suffix == ".md":
            yield name, path.read_text(encoding="utf-8")
        else:
            cells = nbformat.read(path, as_version=4).cells
            found = ((number, cell) for number, cell in enumerate(cells, 1) if cell.cell_type == "markdown")
            yield from ((f"{name}, cell {number}", cell.source) for number, cell in found)


def directives(root):
    """Yields (place, name, the words behind the name, its options, its body) for each directive of the book."""
    for place, text in texts(root):
        text = f"{text}\n"
        for found in OPENING.finditer(text):
            closing = re.compile(rf"^{found['fence']} *$", re.MULTILINE).search(text, found.end())
            body = text[found.end() : closing.start() if closing else len(text)]
            yield place, found["name"], found["words"].strip(), found["options"], body.strip()


def slips(root):
    """Returns what is wrong with the figures, exercises and solutions of the book."""
    found, faults = list(directives(root)), []
    labels = {label for _, name, _, options, _ in found if name == "exercise" for label in LABEL.findall(options)}
    for place, name, words, options, body in found:
        if name == "figure" and not body:
            faults.append(f"{place}: the figure {words} has no caption")
        if name in ("solution", "solution-start"):
            if not re.search(r"^:class:.*\bdropdown\b", options, re.MULTILINE):
                faults.append(f"{place}: the solution of {words} is open, without `:class: dropdown`")
            if words not in labels:
                faults.append(f"{place}: there is no exercise {words} to solve")
        if name == "exercise" and not LABEL.search(options):
            faults.append(f"{place}: the exercise {words} has no label")
    return faults


def test_every_figure_has_a_caption_and_every_solution_is_folded_and_has_its_exercise():
    names = [name for _, name, *_ in directives(ROOT)]
    assert min(names.count(name) for name in ("figure", "exercise", "solution-start")) > 0
    assert slips(ROOT) == []


EXERCISE = ":::{exercise} One\n:label: ex:one\n\nTry.\n:::"
SOLUTION = "::::{solution-start} ex:one\n:label: sol:one\n:class: dropdown\n::::\n\nDone.\n\n:::{solution-end}\n:::"


def test_slips_are_found_with_their_file_and_cell(small_book):
    cells = [
        EXERCISE,
        SOLUTION,
        SOLUTION.replace(":class: dropdown\n", ""),
        SOLUTION.replace("dropdown", "tip").replace("ex:one", "ex:two"),
        EXERCISE.replace(":label: ex:one\n", ""),
        "```{figure} a.svg\n:alt: A\n```",
        "::::{margin}\n:::{figure} b.svg\n:name: b\n:::\n::::\nNo caption.",
        "```{figure} c.svg\n:alt: C\n\nA caption.\n```",
    ]
    path = small_book.notebook("book/one", ("1", ()))
    edit(path, lambda notebook: notebook.cells.extend(map(new_markdown_cell, cells)))
    small_book.text("book/intro.md", "# A\n\n```{figure} d.svg\n```\n")
    assert slips(small_book.root) == [
        "book/intro.md: the figure d.svg has no caption",
        "book/one.ipynb, cell 5: the solution of ex:one is open, without `:class: dropdown`",
        "book/one.ipynb, cell 6: the solution of ex:two is open, without `:class: dropdown`",
        "book/one.ipynb, cell 6: there is no exercise ex:two to solve",
        "book/one.ipynb, cell 7: the exercise One has no label",
        "book/one.ipynb, cell 8: the figure a.svg has no caption",
        "book/one.ipynb, cell 9: the figure b.svg has no caption",
    ]
