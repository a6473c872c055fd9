"""What the book consists of: its root, its table of contents, its notebooks and their cells. All else here reads it."""

from importlib.util import find_spec
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parents[2]
#: Pixels of a stored figure for one of a page.
SHARP = 2


def toc_files(root=ROOT):
    """Returns the files of the table of contents, in order of reading, as paths with their suffix."""
    toc = yaml.safe_load((root / "_toc.yml").read_text(encoding="utf-8"))
    names = [toc["root"]] + [chapter["file"] for part in toc["parts"] for chapter in part["chapters"]]
    return [_with_suffix(root / name) for name in names]


def _with_suffix(path):
    for suffix in (".ipynb", ".md"):
        if path.with_name(path.name + suffix).exists():
            return path.with_name(path.name + suffix)
    raise FileNotFoundError(f"{path} is in _toc.yml, but there is neither {path.name}.ipynb nor {path.name}.md")


def numbered_files(root=ROOT):
    """Returns the files of the table of contents that stand in a numbered part, in order of reading."""
    toc = yaml.safe_load((root / "_toc.yml").read_text(encoding="utf-8"))
    parts = [part for part in toc["parts"] if part.get("numbered")]
    return [_with_suffix(root / chapter["file"]) for part in parts for chapter in part["chapters"]]


def toc_notebooks(root=ROOT):
    """Returns the notebooks of the table of contents, in order of reading."""
    return [path for path in toc_files(root) if path.suffix == ".ipynb"]


def code_cells(notebook):
    """Returns the code cells of a notebook."""
    return [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]


def required(notebook):
    """Returns the optional modules in a notebook's metadata, {"sga": {"requires": ["torch"]}}.

    Each is an extra of the library of the same name.
    """
    return notebook["metadata"].get("sga", {}).get("requires", [])


def unmet(notebook):
    """Returns which optional modules a notebook needs that are missing here, or ""."""
    missing = [name for name in required(notebook) if find_spec(name) is None]
    return f"needs {', '.join(missing)}: pip install -e './lib[{','.join(missing)}]'" if missing else ""
