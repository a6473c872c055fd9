"""Computes stored data anew: python book/press data [experiments | cost | speed]

`experiments`, the default, are those at full scale, of some hours; when stopped, they go on from what is finished.
`cost` is what a sweep costs, `speed` the comparison with other programs, which needs PyTorch; both want a machine with
nothing else to do. The sums of the files are kept in `book/sums.txt`.
"""

import subprocess
import sys

from press import sums
from press.commands import parser
from press.structure import ROOT

SCRIPTS = {
    "experiments": "book/recovery/full_scale.py",
    "cost": "lib/benchmarks/sweep_cost.py",
    "speed": "lib/benchmarks/peers.py",
}


def main(arguments=None):
    """Runs the script of the data that are asked for, and keeps their sums if it succeeds."""
    words = parser(__name__, __doc__)
    words.add_argument("what", nargs="?", choices=SCRIPTS, default="experiments")
    what = words.parse_args(arguments).what
    code = subprocess.run([sys.executable, ROOT / SCRIPTS[what]], cwd=ROOT).returncode
    if code == 0:
        sums.keep(f"data {what}")
    return code
