"""Runs the tests: python book/press test [--quick | --changed] [PYTEST ARGUMENTS]

Two processes share the work, each with one thread for linear algebra. All other arguments are pytest's, such as
`-k tokens`, `tests/lib`, `book/model/tokens.ipynb`, or `-n 0` for one process.
"""

import os
import subprocess
import sys

from press.changes import touched
from press.commands import parser
from press.structure import ROOT

#: The library, the evidence, and what can be said of the book from its files.
QUICK = ("tests/lib", "tests/evidence", "tests/book", "-m", "not slow")
#: The cells of a notebook, and the tests of a module, stay together; tests/conftest.py says which come first.
PROCESSES = ("-n", "2", "--dist", "loadscope", "--no-loadscope-reorder")
#: Libraries of linear algebra would start a thread a core in each process.
THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")


def command(quick, rest):
    """Returns the command that runs the tests; arguments of the user come last, where pytest lets them decide."""
    return [sys.executable, "-m", "pytest", *PROCESSES, *(QUICK if quick else ()), *rest]


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
    environment = {**dict.fromkeys(THREADS, "1"), **os.environ}
    return subprocess.run(command(given.quick, rest), cwd=ROOT, env=environment).returncode
