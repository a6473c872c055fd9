"""Builds the book, with warnings as errors: python book/press build [--pdf | --links]

The pages go to `_build/html`, the PDF to `_build/latex`, and what became of links to the outside to `_build/linkcheck`.
"""

import subprocess
import sys
from pathlib import Path

from press import CommandError
from press.commands import parser
from press.freshness import report
from press.made import digest, record
from press.structure import ROOT

ARGUMENTS = ("build", ".", "-n", "-W", "--keep-going")
PDF = ("--builder", "pdflatex")
LINKS = ("--builder", "linkcheck")


def command(*more):
    """Returns the command that builds the book in its root, with `more` arguments."""
    return [str(Path(sys.executable).with_name("jupyter-book")), *ARGUMENTS, *more]


def build(*more, root=ROOT):
    """Builds the book with `more` arguments and returns the exit code; a stale book is refused before Sphinx starts."""
    if message := report(root):
        raise CommandError(message)
    sources = digest(root)
    code = subprocess.run(command(*more), cwd=root, stdin=subprocess.DEVNULL).returncode
    if not (code or more):
        record(sources, root)
    return code


def main(arguments=None):
    """Builds what the arguments ask for."""
    words = parser(__name__, __doc__)
    kind = words.add_mutually_exclusive_group()
    kind.add_argument("--pdf", action="store_const", dest="more", const=PDF, help="on paper, not as pages; needs TeX")
    kind.add_argument(
        "--links", action="store_const", dest="more", const=LINKS, help="only follow links to the outside"
    )
    words.set_defaults(more=())
    given = words.parse_args(arguments)
    return build(*given.more)
