"""Builds the book, with warnings as errors: python book/press build [--pdf]

The pages go to `_build/html`, the PDF to `_build/latex`.
"""

import hashlib
import subprocess
import sys
from pathlib import Path

from press.commands import CommandError, parser
from press.freshness import report
from press.structure import ROOT

ARGUMENTS = ("build", ".", "-n", "-W", "--keep-going")
PDF = ("--builder", "pdflatex")
#: What pages are made from.
SOURCES = ("_config.yml", "_toc.yml", "book", "lib")
PAGES = Path("_build") / "html"
#: The file among the pages that says from which sources they were made.
RECORD = PAGES / ".made_from"


def command(*more):
    """Returns the command that builds the book in its root, with `more` arguments."""
    return [str(Path(sys.executable).with_name("jupyter-book")), *ARGUMENTS, *more]


def digest(root=ROOT):
    """Returns the sha256 over the names and contents of the sources."""
    found = [path for name in SOURCES for path in ((root / name), *(root / name).rglob("*")) if path.is_file()]
    names = {path.relative_to(root).as_posix(): path for path in found}
    whole = hashlib.sha256()
    for name in sorted(names):
        if not any(part.startswith((".", "__pycache__")) for part in name.split("/")):
            content = names[name].read_bytes()
            whole.update(f"{name}\0{len(content)}\0".encode() + content)
    return whole.hexdigest()


def fresh(root=ROOT):
    """Says whether the pages were made from the present sources, and by the last build that there was."""
    record, last = root / RECORD, root / PAGES / "searchindex.js"
    if not (record.is_file() and last.is_file()) or record.stat().st_mtime < last.stat().st_mtime:
        return False
    return record.read_text(encoding="utf-8") == digest(root)


def made(*more, root=ROOT):
    """Builds the book with `more` arguments and returns the exit code; a stale book is refused before Sphinx starts."""
    if message := report(root):
        raise CommandError(message)
    present = digest(root)
    code = subprocess.run(command(*more), cwd=root, stdin=subprocess.DEVNULL).returncode
    if not (code or more):
        (root / RECORD).write_text(present, encoding="utf-8")
    return code


def main(arguments=None):
    """Builds what the arguments ask for."""
    words = parser(__name__, __doc__)
    words.add_argument("--pdf", action="store_true", help="the book on paper, in place of its pages; needs TeX")
    return made(*(PDF if words.parse_args(arguments).pdf else ()))
