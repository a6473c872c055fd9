"""Writes the student edition, the notebooks without solutions: python book/press student [folder]

The folder (default: `_build/student`) must be new, empty or an earlier student edition, which is replaced. It repeats
the tree of the repository: every notebook of the table of contents with the outputs of its chapter and one empty cell
for each solution, and the modules, data and pictures that the notebooks need. The library `sga` is not among them.
"""

import re

import nbformat
from nbformat.v4 import new_code_cell

from press.commands.editions import EditionError, folder_parser, write
from press.structure import ROOT, toc_notebooks

YOURS = "# your solution"
KIND = "student edition"
GATE = re.compile(r"^([:`]{3,}) *\{solution-(start|end)\} *(\S*) *\n(?::[\w-]+:.*\n)*\1 *$", re.MULTILINE)
LINK = re.compile(
    r"\{[\w:-]+\}`(?:([^`<]*?)\s*<)?sol:[^`]*`"  # {ref}`sol:name` or {ref}`words <sol:name>`
    r"|\[([^\]]*)\]\(#?sol:[^)]*\)"  # [words](sol:name)
)
PICTURE = re.compile(r"""!\[[^\]]*\]\(([^)\s]+)|<img\b[^>]*\bsrc=["']([^"']+)|\{(?:image|figure)\} *(\S+)""")


def pieces(notebook):
    """Yields ("", cell) for the cells of a notebook, and between them ("start" or "end", its place in words)."""
    for number, cell in enumerate(notebook.cells, 1):
        markdown = cell.cell_type == "markdown"
        parts = GATE.split(cell.source) if markdown else [cell.source]
        if markdown and cell.source.count("{solution") != len(parts) // 4:
            raise EditionError(f"cell {number} has a directive for solutions that is neither solution-start nor -end")
        for place, text in enumerate(parts):
            if place % 4 == 0 and text.strip():
                yield "", nbformat.from_dict({**cell, "source": text.strip("\n")})
            elif place % 4 == 2:
                yield text, f"cell {number} {parts[place + 1]}".rstrip()


def strip(notebook):
    """Puts an empty code cell in place of each solution; raises EditionError if one is not opened and closed."""
    kept, opened = [], None
    for kind, piece in pieces(notebook):
        if kind == "start" and opened is None:
            opened = piece
            kept.append(new_code_cell(YOURS, id=f"yours-{len(kept):03d}"))
        elif kind == "start":
            break
        elif kind == "end" and opened is None:
            raise EditionError(f"{piece}: solution-end without a solution-start")
        elif kind == "end":
            opened = None
        elif opened is None:
            kept.append(piece)
    if opened is not None:
        raise EditionError(f"{opened}: solution-start without a solution-end")
    for cell in kept:
        if cell.cell_type == "markdown":
            cell.source = LINK.sub(lambda link: link[1] or link[2] or "the solution", cell.source)
    notebook.cells, notebook.nbformat_minor = kept, 5


def needs(notebook, folder):
    """Yields the files that `notebook` needs in `folder`: modules and data beside it, and pictures in its text."""
    yield from folder.glob("*.py")
    yield from (path for path in folder.glob("data/**/*") if path.is_file())
    text = "\n".join(cell.source for cell in notebook.cells if cell.cell_type == "markdown")
    for found in PICTURE.finditer(text):
        if not re.match(r"\w+:", target := found[found.lastindex]):
            yield (folder / target).resolve()


def edition(root=ROOT):
    """Returns the files of the student edition, {path in its folder: content}, and writes nothing."""
    files = {}
    for path in toc_notebooks(root):
        name = path.relative_to(root).as_posix()
        notebook = nbformat.read(path, as_version=4)
        try:
            strip(notebook)
        except EditionError as error:
            raise EditionError(f"{name}: {error}") from error
        files[name] = (nbformat.writes(notebook) + "\n").encode()
        for needed in needs(notebook, path.parent):
            if not (needed.is_file() and needed.is_relative_to(root)):
                raise EditionError(f"{name}: there is no picture {needed} in the book")
            files[needed.relative_to(root).as_posix()] = needed.read_bytes()
    return dict(sorted(files.items()))


def main(arguments=None):
    """Writes the student edition into the folder named on the command line."""
    folder = folder_parser(__name__, __doc__).parse_args(arguments).folder
    files = edition()
    write(files, folder, KIND)
    print(f"{folder}: {sum(name.endswith('.ipynb') for name in files)} notebooks without solutions")
