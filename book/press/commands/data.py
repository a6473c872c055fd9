"""Computes the stored data of the chapters anew, which takes hours: python book/press data

A run that is stopped goes on from what it has finished, as long as neither the script nor what it uses of the library
has changed: other code begins anew.
"""

import subprocess
import sys

from press.commands import parser
from press.sources import Shelf, cover, digest
from press.structure import ROOT

SCRIPT = "book/recovery/full_scale.py"


def store(root=ROOT):
    """Returns the folder of finished parts, one for each state of the script and of all that it can import."""
    script = root / SCRIPT
    covered = cover([f"import {script.stem}"], script.parent, Shelf(root))
    code = [f"{name} {value}" for name, value in covered.items() if name.endswith(".py")]
    return root / "_build" / script.stem / digest("\n".join(code))


def main(arguments=None):
    """Runs the script of the experiments at full scale."""
    parser(__name__, __doc__).parse_args(arguments)
    return subprocess.run([sys.executable, ROOT / SCRIPT, store()], cwd=ROOT).returncode
