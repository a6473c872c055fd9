"""Whether the pages in `_build/html` were made from the present sources: the last build left a digest of them there."""

import hashlib
from pathlib import Path

from press.structure import ROOT

SOURCES = ("_config.yml", "_toc.yml", ".github/CONTRIBUTING.md", "book", "lib")
#: What Python and its installers leave among the sources.
LEFT = ("__pycache__", "build", "sga.egg-info")
PAGES = Path("_build") / "html"
RECORD = PAGES / ".made_from"


def digest(root=ROOT):
    """Returns the sha256 over the names and contents of the sources."""
    found = [path for name in SOURCES for path in ((root / name), *(root / name).rglob("*")) if path.is_file()]
    names = {path.relative_to(root).as_posix(): path for path in found}
    whole = hashlib.sha256()
    for name in sorted(names):
        if not any(part in LEFT or part.startswith(".") for part in name.split("/")[1:]):
            content = names[name].read_bytes()
            whole.update(f"{name}\0{len(content)}\0".encode() + content)
    return whole.hexdigest()


def record(sources, root=ROOT):
    """Leaves the digest that the sources had before they were built among the pages."""
    (root / RECORD).write_text(sources, encoding="utf-8")


def fresh(root=ROOT):
    """Says whether the pages were made from the present sources, and by the last build that there was."""
    left, last = root / RECORD, root / PAGES / "searchindex.js"
    if not (left.is_file() and last.is_file()) or left.stat().st_mtime < last.stat().st_mtime:
        return False
    return left.read_text(encoding="utf-8") == digest(root)
