"""Computes the stored data of the chapters anew, which takes hours: python book/press data

A run that is stopped goes on from what it has finished.
"""

import subprocess
import sys

from press.commands import parser
from press.structure import ROOT

SCRIPT = "book/recovery/full_scale.py"


def main(arguments=None):
    """Runs the script of the experiments at full scale."""
    parser(__name__, __doc__).parse_args(arguments)
    return subprocess.run([sys.executable, ROOT / SCRIPT], cwd=ROOT).returncode
