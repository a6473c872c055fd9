"""Checks the style of code and notebooks: python book/press lint [--fix]"""

import subprocess
import sys

from press.commands import parser
from press.structure import ROOT


def main(arguments=None):
    """Runs ruff's checks and its formatter; returns 1 if one of them finds something."""
    words = parser(__name__, __doc__)
    words.add_argument("--fix", action="store_true", help="change the files instead of naming what is wrong")
    fix = words.parse_args(arguments).fix
    ruff = [sys.executable, "-m", "ruff"]
    steps = [[*ruff, "check", *(["--fix"] if fix else [])], [*ruff, "format", *([] if fix else ["--check"])]]
    return max(subprocess.run(step, cwd=ROOT).returncode for step in steps)
