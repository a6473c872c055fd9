"""Builds the book, with warnings as errors: python book/press build [--pdf]

The pages go to `_build/html`, the PDF to `_build/latex`.
"""

import subprocess
import sys
from pathlib import Path

from press.commands import CommandError, parser
from press.freshness import report
from press.structure import ROOT

ARGUMENTS = ("build", ".", "-n", "-W", "--keep-going")
PDF = ("--builder", "pdflatex")


def command(*more):
    """Returns the command that builds the book in its root, with `more` arguments."""
    return [str(Path(sys.executable).with_name("jupyter-book")), *ARGUMENTS, *more]


def main(arguments=None):
    """Builds what the arguments ask for; a stale book is refused before Sphinx starts."""
    words = parser(__name__, __doc__)
    words.add_argument("--pdf", action="store_true", help="the book on paper, in place of its pages; needs TeX")
    given = words.parse_args(arguments)
    if message := report():
        raise CommandError(message)
    return subprocess.run(command(*(PDF if given.pdf else ())), cwd=ROOT, stdin=subprocess.DEVNULL).returncode
