"""Runs the tests, all or the quick ones: python book/press test [--quick] [PYTEST ARGUMENTS]"""

import subprocess
import sys

from press.commands import parser
from press.structure import ROOT


def main(arguments=None):
    """Runs pytest in the root of the repository; unknown arguments are pytest's."""
    words = parser(__name__, __doc__)
    words.add_argument("--quick", action="store_true", help="library, evidence and structure of the book, in a minute")
    given, rest = words.parse_known_args(arguments)
    quick = ["tests/lib", "tests/evidence", "tests/book"] if given.quick else []
    return subprocess.run([sys.executable, "-m", "pytest", *quick, *rest], cwd=ROOT).returncode
