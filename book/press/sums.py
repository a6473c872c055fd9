"""Sums of the stored data: each file that a command computes is as that command wrote it.

Only a sample of the data is computed again by the tests. The sums, in a form that `sha256sum -c` reads, are written by
the commands that make the data, so a change of a file by other means does not pass unnoticed.
"""

import hashlib

from press.structure import ROOT

SUMS = "book/sums.txt"
#: What makes the files, and the files.
MADE = {
    "data experiments": [f"book/recovery/data/{name}.npz" for name in ("full_scale", "grid", "ladder")],
    "data cost": ["book/recovery/data/cost.json"],
    "data speed": ["lib/benchmarks/peers.json"],
    "stills": [
        "book/_static/explorers/runs.js",
        *(
            f"book/_static/explorers/{kind}.png"
            for kind in ("landscape", "ode", "mass", "sign", "walk", "steps", "freeze")
        ),
    ],
}


def stored(root=ROOT):
    """Returns the stored sums, {name of a file: its sum}."""
    lines = (root / SUMS).read_text(encoding="utf-8").splitlines() if (root / SUMS).is_file() else []
    return {name: digest for digest, name in (line.split("  ", 1) for line in lines)}


def sum_of(path):
    """Returns the sha256 of a file, or what stands for one that is not there."""
    return hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else "no file"


def keep(maker, root=ROOT):
    """Stores the sums of the files that `maker` has just written."""
    sums = {**stored(root), **{name: sum_of(root / name) for name in MADE[maker]}}
    lines = [f"{digest}  {name}\n" for name, digest in sorted(sums.items())]
    (root / SUMS).write_text("".join(lines), encoding="utf-8", newline="\n")


def problems(root=ROOT):
    """Returns, one sentence a file, which of the stored data are not as the command that makes them wrote them."""
    sums = stored(root)
    makers = {name: maker for maker, names in MADE.items() for name in names}
    found = [
        f"{name} is not as `python book/press {maker}` wrote it"
        for name, maker in makers.items()
        if sums.get(name) != sum_of(root / name)
    ]
    return found + [f"{name} is in {SUMS}, but no command makes it" for name in sums if name not in makers]
