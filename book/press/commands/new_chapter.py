"""Writes a new chapter to fill in, which passes all tests: python book/press new-chapter part/name "Title"

The chapter is a small example with everything that a chapter must have. It is added at the end of its part to
_toc.yml, and it is executed.
"""

import re
from pathlib import Path

import nbformat
from myst_nb.core.read import read_myst_markdown_notebook

from press import CommandError
from press.commands import inventory, parser, refresh
from press.commands.hosted import put_first
from press.execution import METADATA, write
from press.structure import ROOT, toc_files, toc_notebooks

SKELETON = Path(__file__).with_name("skeleton") / "chapter.md"
NAME = re.compile(r"([a-z][a-z0-9_]*)/([a-z][a-z0-9_]*)")
APPENDIX = "  - caption: Appendix\n"


def examine(name, title, caption, root=ROOT):
    """Raises CommandError if no chapter called `name` can be added; `caption` is that of a new part, or None."""
    match = NAME.fullmatch(name)
    if match is None:
        raise CommandError(f"the name must be part/chapter in a-z, 0-9 and _, such as model/tokens, got {name!r}")
    if title.strip() != title or not title.isprintable() or title == "":
        raise CommandError(f"the title must be one line of text without spaces around it, got {title!r}")
    part, stem = match.groups()
    parts = list(dict.fromkeys(path.parent.name for path in toc_notebooks(root)))
    if caption is None and part not in parts:
        raise CommandError(
            f"there is no part {part!r}: it must be one of {', '.join(parts)}, or new, with --part CAPTION"
        )
    if caption is not None and (root / "book" / part).exists():
        raise CommandError(f"book/{part} is there already: a new part needs a folder of its own")
    taken = {path.stem: path.relative_to(root).as_posix() for path in toc_files(root)}
    if stem in taken:
        raise CommandError(f"{stem!r} is taken by {taken[stem]}: labels begin with it, so it must be new in the book")
    if path_of(name, root).exists():
        raise CommandError(f"{path_of(name, root).relative_to(root).as_posix()} exists")


def path_of(name, root=ROOT):
    """Returns the path of the notebook of the chapter called `name`."""
    return root / "book" / f"{name}.ipynb"


def filled(name, title):
    """Returns the text of the skeleton with the names of a chapter in it."""
    stem = name.rpartition("/")[2]
    names = {"label": stem.replace("_", "-"), "claim": stem.title().replace("_", ""), "title": title}
    text = SKELETON.read_text(encoding="utf-8")
    return re.sub(r"@(label|claim|title)@", lambda found: names[found[1]], text)


def chapter(name, title, root=ROOT):
    """Returns the notebook of a new chapter, not executed."""
    notebook = read_myst_markdown_notebook(filled(name, title))
    notebook.metadata = nbformat.from_dict({**METADATA, "sga": {"needs": [], "uses": []}})
    put_first(notebook, root)
    return notebook


def enlist(toc, name, caption=None):
    """Returns the text of the table of contents with a chapter at the end of its part, or of a new part."""
    entry = f"      - file: book/{name}\n"
    if caption is not None:
        return toc.replace(APPENDIX, f"  - caption: {caption}\n    numbered: true\n    chapters:\n{entry}{APPENDIX}")
    lines = toc.splitlines(keepends=True)
    beside = f"- file: book/{name.partition('/')[0]}/"
    last = max(number for number, line in enumerate(lines) if line.strip().startswith(beside))
    return "".join([*lines[: last + 1], entry, *lines[last + 1 :]])


def add(name, title, caption=None, root=ROOT):
    """Writes the notebook of a new chapter and its line in the table of contents."""
    examine(name, title, caption, root)
    path, toc = path_of(name, root), root / "_toc.yml"
    path.parent.mkdir(exist_ok=True)
    write(chapter(name, title, root), path)
    toc.write_text(enlist(toc.read_text(encoding="utf-8"), name, caption), encoding="utf-8", newline="\n")
    return path


def main(arguments=None):
    """Adds the chapter that is named on the command line and executes it; returns the exit code."""
    words = parser(__name__, __doc__)
    words.add_argument("name", help="folder and file, such as model/tokens")
    words.add_argument("title", help="what stands over the chapter")
    words.add_argument("--part", metavar="CAPTION", help="begin a new part, before the appendix")
    given = words.parse_args(arguments)
    path = add(given.name, given.title, given.part)
    return refresh.main([str(path)]) or inventory.main([])
