"""Writes the first code cell of every notebook, which installs the library if missing: python book/press hosted

On a hosted service the library comes from the clone in which the notebook lies or, outside of a clone, from the
repository's address, once CITATION.cff has one under `repository-code`. Run `refresh` after it.
"""

import nbformat
import yaml
from nbformat.v4 import new_code_cell

from press.commands import parser
from press.execution import write
from press.structure import ROOT, code_cells, toc_notebooks

#: A cell with this tag runs but is not shown on the page.
TAG = "remove-cell"
CLONE = """\
# Installs the book's library where it is missing; elsewhere this does nothing.
import importlib.util
import pathlib

if importlib.util.find_spec("sga") is None:
    folders = [
        p / "lib"
        for p in pathlib.Path.cwd().parents
        if (p / "lib" / "sga").is_dir()
    ]
"""
NOWHERE = """\
    assert folders, (
        "open this notebook in a clone of the book, or install its library first"
    )
    %pip install --quiet {folders[0]}"""
ADDRESS = """\
    source = folders[0] if folders else "git+%s#subdirectory=lib"
    %%pip install --quiet {source}"""


def first_source(root=ROOT):
    """Returns the source of that cell for the repository at `root`."""
    citation = yaml.safe_load((root / "CITATION.cff").read_text(encoding="utf-8"))
    address = citation.get("repository-code")
    return CLONE + (ADDRESS % address if address else NOWHERE)


def put_first(notebook, root=ROOT):
    """Makes it the first code cell of `notebook`, in place of an earlier one; a notebook without code is left alone."""
    for first in code_cells(notebook)[:1]:
        if TAG in first.metadata.get("tags", ()):
            first.source = first_source(root)
        else:
            cell = new_code_cell(first_source(root), metadata={"tags": [TAG]})
            notebook.cells.insert(notebook.cells.index(first), cell)


def main(arguments=None):
    """Puts the cell into the notebooks of the table of contents that do not have it as it should be."""
    parser(__name__, __doc__).parse_args(arguments)
    for path in toc_notebooks():
        notebook = nbformat.read(path, as_version=4)
        if code_cells(notebook)[0].source != first_source():
            put_first(notebook)
            write(notebook, path)
            print(path.relative_to(ROOT))
