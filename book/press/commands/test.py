"""Runs the tests, all or the quick ones: python book/press test [--quick | --changed] [PYTEST ARGUMENTS]"""

import subprocess
import sys

from press.changes import touched
from press.commands import parser
from press.structure import ROOT


def main(arguments=None):
    """Runs pytest in the root of the repository; unknown arguments are pytest's."""
    words = parser(__name__, __doc__)
    words.add_argument("--quick", action="store_true", help="library, evidence and structure of the book, in a minute")
    words.add_argument("--changed", action="store_true", help="only what a change since --base can touch")
    words.add_argument("--base", metavar="REV", help="default: where this branch left main")
    given, rest = words.parse_known_args(arguments)
    if given.changed:
        chosen = touched(given.base)
        print("\n".join(["this change can touch", *chosen]) if chosen else "nothing has changed", flush=True)
        if not chosen:
            return 0
        rest = [*chosen, *rest]
    quick = ["tests/lib", "tests/evidence", "tests/book"] if given.quick else []
    return subprocess.run([sys.executable, "-m", "pytest", *quick, *rest], cwd=ROOT).returncode
