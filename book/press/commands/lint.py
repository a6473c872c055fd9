"""Checks the style of code and notebooks and the types of the library: python book/press lint [--fix]"""

import subprocess
import sys

from press.commands import parser
from press.structure import ROOT


def main(arguments=None):
    """Runs ruff's checks, its formatter, and mypy on the packages in `lib`; returns 1 if one of them objects."""
    words = parser(__name__, __doc__)
    words.add_argument("--fix", action="store_true", help="change the files instead of naming what is wrong")
    fix = words.parse_args(arguments).fix
    ruff = [sys.executable, "-m", "ruff"]
    steps = [[*ruff, "check", *(["--fix"] if fix else [])], [*ruff, "format", *([] if fix else ["--check"])]]
    packages = sorted(str(path.parent) for path in (ROOT / "lib").glob("*/py.typed"))
    steps.append([sys.executable, "-m", "mypy", "--config-file", str(ROOT / "lib" / "pyproject.toml"), *packages])
    return max(subprocess.run(step, cwd=ROOT).returncode for step in steps)
