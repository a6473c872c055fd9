"""Computes stored data anew: python book/press data [experiments | cost | speed]

`experiments`, the default, are those at full scale, of an hour and a half on two cores. When stopped, they go on from
what is finished, unless the script or what it uses of the library has changed: other code begins anew. `cost` is what a
sweep costs, `speed` the comparison with other programs, which needs PyTorch; both want a machine with nothing else to
do. The sums of the files are kept in `book/sums.txt`.
"""

import subprocess
import sys

from press import sums
from press.commands import parser
from press.sources import Shelf, cover, digest
from press.structure import ROOT

EXPERIMENTS = "book/recovery/full_scale.py"
SCRIPTS = {"experiments": EXPERIMENTS, "cost": "lib/benchmarks/sweep_cost.py", "speed": "lib/benchmarks/peers.py"}


def store(root=ROOT):
    """Returns the folder of finished parts, one for each state of the script and of all that it can import."""
    script = root / EXPERIMENTS
    covered = cover([f"import {script.stem}"], script.parent, Shelf(root))
    code = [f"{name} {value}" for name, value in covered.items() if name.endswith(".py")]
    return root / "_build" / script.stem / digest("\n".join(code))


def main(arguments=None):
    """Runs the script of the data that are asked for, and keeps their sums if it succeeds."""
    words = parser(__name__, __doc__)
    words.add_argument("what", nargs="?", choices=SCRIPTS, default="experiments")
    what = words.parse_args(arguments).what
    folder = [store()] if what == "experiments" else []
    code = subprocess.run([sys.executable, ROOT / SCRIPTS[what], *folder], cwd=ROOT).returncode
    if code == 0:
        sums.keep(f"data {what}")
    return code
