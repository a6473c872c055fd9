"""Builds the book, with warnings as errors: python book/press build [--pdf]

The pages go to `_build/html`, the PDF to `_build/latex`.
"""

import subprocess
import sys
from pathlib import Path

from press.commands import CommandError, parser
from press.freshness import report
from press.made import digest, record
from press.structure import ROOT

ARGUMENTS = ("build", ".", "-n", "-W", "--keep-going")
PDF = ("--builder", "pdflatex")


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
    words.add_argument("--pdf", action="store_true", help="the book on paper, in place of its pages; needs TeX")
    given = words.parse_args(arguments)
    return build(*(PDF if given.pdf else ()))
