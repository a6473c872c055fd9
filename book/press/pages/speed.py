"""Sphinx extension: the numbers of the page on speed, from the stored result of `lib/benchmarks/peers.py`.

`{speed}` with the name of a table inserts it; `{speed-machine}` says what was measured on. In a line of text,
{ratio}`over_full wide reduced` is the median of a ratio: which one, at which size, for which way.
"""

import json
from pathlib import Path

from docutils import nodes
from sphinx.errors import SphinxError
from sphinx.util.docutils import SphinxDirective, SphinxRole

RESULT = "lib/benchmarks/peers.json"
COMMAND = "python book/press data speed"
TABLES = ("over_full", "over_reduced", "drawing")
WAYS = {
    "full": "`full`",
    "reduced": "`reduced`",
    "torch-together": "PyTorch, all runs together",
    "torch-single": "PyTorch, run by run",
    "numpy-single": "NumPy, run by run",
    "numpy-tokens": "NumPy, token by token",
}
NBSP = "\N{NO-BREAK SPACE}"
SIZES = ("small", "small-one-thread", "long", "wide")
MACHINE = ("processor", "cores", "memory", "system", "python", "numpy", "torch", "numba")


class SpeedError(SphinxError):
    """A stored result from which no true table can be made."""

    category = "Speed"


def read(path):
    """Returns the stored result at `path`; raises SpeedError if it is missing, incomplete or impossible."""
    try:
        result = json.loads(Path(path).read_text(encoding="utf-8"))
        _require_complete(result)
    except OSError as error:
        raise SpeedError(_complaint(f"it can not be read: {error.strerror}")) from error
    except json.JSONDecodeError as error:
        raise SpeedError(_complaint(f"it is not JSON: {error}")) from error
    except KeyError as error:
        raise SpeedError(_complaint(f"it has no {error}")) from error
    except (TypeError, ValueError) as error:
        raise SpeedError(_complaint(str(error))) from error
    return result


def _complaint(what):
    return f"{RESULT}: {what}. Measure again with: {COMMAND}"


def _require_complete(result):
    """Raises KeyError, TypeError or ValueError unless everything that the page shows is there and makes sense."""
    for key in MACHINE:
        result["machine"][key]
    result["date"], result["repeats"], result["runs"]
    for size in SIZES:
        stored = result["sizes"][size]
        for key in ("tokens", "informative", "dim", "threads"):
            stored[key]
        for way in WAYS:
            for table in TABLES:
                _require_spread(stored["ways"][way][table], f"{size}, {way}, {table}")


def _require_spread(spread, place):
    median, least, most = spread
    if not 0 < least <= median <= most < float("inf"):
        raise ValueError(f"{place}: {spread} is not a median, a least and a greatest ratio")


def number(value):
    """Returns a ratio with two digits, as text."""
    value = float(f"{value:.1e}")
    if value >= 10:
        return f"{value:,.0f}"
    return f"{value:.1f}" if value >= 1 else f"{value:#.2g}"


def cell(spread):
    """Returns a median with its range, which no line break divides; that of a way to itself is 1."""
    if set(spread) == {1}:
        return "1"
    median, least, most = map(number, spread)
    return f"{median} ({least}{NBSP}to{NBSP}{most})"


def heading(size):
    """Returns the heading of a size, as MyST."""
    threads = f"{size['threads']}{NBSP}thread{'s' if size['threads'] > 1 else ''}"
    tokens = f"{size['tokens']:,}".replace(",", "{,}")
    return f"$L = {tokens}$, $d = {size['dim']}$, {threads}"


def table(result, name):
    """Returns the table called `name` as MyST: a row for each way, a column for each size."""
    if name not in TABLES:
        raise SpeedError(f"no table {name!r}: it must be one of {', '.join(TABLES)}")
    sizes = [result["sizes"][size] for size in SIZES]
    lines = [["", *map(heading, sizes)], ["---"] * (1 + len(sizes))]
    for way, label in WAYS.items():
        lines.append([label, *(cell(size["ways"][way][name]) for size in sizes)])
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def ratio(result, place):
    """Returns the median at `place`, "table size way", as text."""
    try:
        name, size, way = place.split()
        return number(result["sizes"][size]["ways"][way][name][0])
    except (KeyError, ValueError) as error:
        raise SpeedError(
            f'no ratio {place!r}: it must be a table, a size and a way, such as "over_full wide reduced"'
        ) from error


def sentence(result):
    """Returns what was measured on, as text."""
    machine = result["machine"]
    cores = "1 core" if machine["cores"] == 1 else f"{machine['cores']} cores"
    return (
        f"Measured on {result['date']}: {machine['processor']}, {cores}, {machine['memory']} of memory, "
        f"{machine['system']}; Python {machine['python']}, NumPy {machine['numpy']}, PyTorch {machine['torch']}, "
        f"Numba {machine['numba']}. {result['runs']} runs, {result['repeats']} repeats."
    )


def _stored(env):
    path = Path(env.app.srcdir) / RESULT
    env.note_dependency(str(path))
    return read(path)


class Speed(SphinxDirective):
    """`{speed}`: a table of ratios."""

    required_arguments = 1

    def run(self):
        """Returns the table."""
        made = self.parse_text_to_nodes(table(_stored(self.env), self.arguments[0]))
        for node in made:
            node["classes"].append("sga-speed")
        return made


class Machine(SphinxDirective):
    """`{speed-machine}`: what was measured on."""

    def run(self):
        """Returns a paragraph."""
        return [nodes.paragraph("", sentence(_stored(self.env)))]


class Ratio(SphinxRole):
    """{ratio}: a median ratio in a line of text."""

    def run(self):
        """Returns the number."""
        return [nodes.Text(ratio(_stored(self.env), self.text))], []


def setup(app):
    """Registers the directives and the role."""
    app.add_directive("speed", Speed)
    app.add_directive("speed-machine", Machine)
    app.add_role("ratio", Ratio())
    return {"parallel_read_safe": True, "parallel_write_safe": True}
