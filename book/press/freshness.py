"""Whether the outputs stored in the notebooks belong to the present cells, library and data.

`refresh` executes a notebook and stores in its metadata a stamp of what the outputs depend on; here that stamp is
compared with the present files, and each stale notebook is named with the command for it.
"""

import hashlib
from pathlib import Path

import nbformat

from press.structure import ROOT, code_cells, toc_notebooks

STAMP = "sga_stamp"
#: The execution count of every code cell that was executed: a number of its own would change with every cell above it.
COUNT = 1
REFRESH = "python book/press refresh"


def stamp(path, root=ROOT):
    """Returns the stamp of the notebook file at `path`: a digest of all that its outputs depend on."""
    return stamp_of(nbformat.read(path, as_version=4), path, root)


def stamp_of(notebook, path, root=ROOT):
    """Returns the sha256 over the code cells, `lib/sga`, the modules beside the notebook and its `data/`."""
    digest = hashlib.sha256()
    for cell in code_cells(notebook):
        _add(digest, "cell", cell.source.encode())
    beside = Path(path).parent
    for folder, pattern in (
        (root / "lib" / "sga", "**/*.py"),
        (beside, "*.py"),
        (beside / "data", "**/*"),
    ):
        for file in sorted(p for p in folder.glob(pattern) if p.is_file()):
            _add(digest, file.relative_to(folder.parent).as_posix(), file.read_bytes())
    return digest.hexdigest()


def _add(digest, name, content):
    """Adds a named piece with its length, so that no two lists of pieces run together to the same bytes."""
    digest.update(f"{name}\0{len(content)}\0".encode() + content)


def problems(path, root=ROOT):
    """Returns what is wrong with the stored outputs of the notebook at `path`, one sentence a fault."""
    notebook = nbformat.read(path, as_version=4)
    found = []
    for number, cell in enumerate(code_cells(notebook), 1):
        if cell.execution_count != COUNT:
            found.append(f"code cell {number} has execution count {cell.execution_count}, not {COUNT}")
        if any(output.output_type == "error" for output in cell.outputs):
            found.append(f"code cell {number} holds an error")
    if notebook.metadata.get(STAMP) != stamp_of(notebook, path, root):
        found.append("its cells, lib/sga, a module beside it or its data changed after the outputs were stored")
    return found


def report(root=ROOT):
    """Returns a message naming every stale notebook and how to refresh them, or "" if all are fresh."""
    stale = {path.relative_to(root).as_posix(): problems(path, root) for path in toc_notebooks(root)}
    stale = {name: found for name, found in stale.items() if found}
    if not stale:
        return ""
    lines = ["stored outputs are stale:"]
    lines += [f"  {name}: {'; '.join(found)}" for name, found in stale.items()]
    return "\n".join([*lines, "Refresh them with", f"  {REFRESH} {' '.join(stale)}"])
