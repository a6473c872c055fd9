"""Sphinx extension: a book with stale outputs does not build.

Pages show the outputs stored in the notebooks, so a change in a cell, in `lib` or in a data file must not
pass unnoticed. `refresh.py` executes a notebook and stores in its metadata a stamp of what the outputs depend on;
the build compares that stamp with the present files and stops, naming each stale notebook and the command for it.
"""

import hashlib
from importlib.util import find_spec
from pathlib import Path

import nbformat
import yaml
from sphinx.errors import SphinxError

ROOT = Path(__file__).resolve().parents[2]
STAMP = "sga_stamp"
REFRESH = "python book/_ext/refresh.py"


class StaleNotebookError(SphinxError):
    """Stored outputs that do not belong to the present cells, library or data."""

    category = "Stale notebook"


def toc_files(root=ROOT):
    """Returns the files of the table of contents, in order of reading, as paths with their suffix."""
    toc = yaml.safe_load((root / "_toc.yml").read_text(encoding="utf-8"))
    names = [toc["root"]] + [
        chapter["file"] for part in toc["parts"] for chapter in part["chapters"]
    ]
    return [_with_suffix(root / name) for name in names]


def _with_suffix(path):
    for suffix in (".ipynb", ".md"):
        if path.with_name(path.name + suffix).exists():
            return path.with_name(path.name + suffix)
    raise FileNotFoundError(
        f"{path} is in _toc.yml, but there is neither {path.name}.ipynb nor {path.name}.md"
    )


def toc_notebooks(root=ROOT):
    """Returns the notebooks of the table of contents, in order of reading."""
    return [path for path in toc_files(root) if path.suffix == ".ipynb"]


def code_cells(notebook):
    """Returns the code cells of a notebook."""
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def required(notebook):
    """Returns the optional modules in a notebook's metadata, {"sga": {"requires": ["torch"]}}.

    Each is an extra of the library of the same name.
    """
    return notebook.metadata.get("sga", {}).get("requires", [])


def unmet(notebook):
    """Returns which optional modules a notebook needs that are missing here, or ""."""
    missing = [name for name in required(notebook) if find_spec(name) is None]
    return (
        f"needs {', '.join(missing)}: pip install -e './lib[{','.join(missing)}]'"
        if missing
        else ""
    )


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
        if cell.execution_count != number:
            found.append(
                f"code cell {number} has execution count {cell.execution_count}, not {number}"
            )
        if any(output.output_type == "error" for output in cell.outputs):
            found.append(f"code cell {number} holds an error")
    if notebook.metadata.get(STAMP) != stamp_of(notebook, path, root):
        found.append(
            "its cells, lib/sga, a module beside it or its data changed after the outputs were stored"
        )
    return found


def report(root=ROOT):
    """Returns a message naming every stale notebook and how to refresh them, or "" if all are fresh."""
    stale = {
        path.relative_to(root).as_posix(): problems(path, root) for path in toc_notebooks(root)
    }
    stale = {name: found for name, found in stale.items() if found}
    if not stale:
        return ""
    lines = ["stored outputs are stale:"]
    lines += [f"  {name}: {'; '.join(found)}" for name, found in stale.items()]
    return "\n".join([*lines, "Refresh them with", f"  {REFRESH} {' '.join(stale)}"])


def refuse_stale(app):
    """Stops the build if a notebook is stale."""
    message = report(Path(app.srcdir))
    if message:
        raise StaleNotebookError(message)


def setup(app):
    """Registers the extension."""
    app.connect("builder-inited", refuse_stale)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
