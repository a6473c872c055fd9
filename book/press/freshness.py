"""Whether the outputs stored in the notebooks belong to the present cells, library and data.

`refresh` executes a notebook and writes down its stamp, a digest of each thing that the outputs depend on and of the
outputs themselves; here the stamps are compared with the present files, and each stale notebook is named with what
changed and the command for it.

The stamps stand in one file beside the notebooks, a notebook's name and below it its stamp, and git merges this file
by keeping the lines of both sides. Two branches that execute one notebook leave two stamps, which says that the merged
notebook was executed by neither.
"""

import json
import os
import shlex
import sys
from pathlib import Path
from urllib.parse import quote, unquote

from press.sources import Shelf, cover, digest
from press.structure import ROOT, code_cells, toc_notebooks, unmet

STAMPS = "book/stamps.txt"
#: The execution count of every code cell that was executed: a number of its own would change with every cell above it.
COUNT = 1
CELLS, OUTPUTS = "cells", "outputs"
WORDS = {CELLS: "its code cells changed", OUTPUTS: "its outputs were changed by something else than `refresh`"}


def load(path):
    """Returns the notebook at `path`, read as JSON without more."""
    return json.loads(Path(path).read_text(encoding="utf-8"))


def text_of(lines):
    """Returns a multi-line text of a notebook, which is one string in memory and a list of lines in its file."""
    return lines if isinstance(lines, str) else "".join(lines)


def sources_of(notebook):
    """Returns the sources of the code cells."""
    return [text_of(cell["source"]) for cell in code_cells(notebook)]


def inputs_of(notebook, path, root=ROOT, shelf=None):
    """Returns {what: digest} of what the outputs of the notebook file at `path` depend on: its cells and each file."""
    cells = sources_of(notebook)
    return {CELLS: digest(json.dumps(cells)), **cover(cells, Path(path).parent, shelf or Shelf(root))}


def parts_of(notebook, path, root=ROOT, shelf=None):
    """Returns `inputs_of` the notebook and the digest of its outputs."""
    outputs = [_joined(cell["outputs"]) for cell in code_cells(notebook)]
    return {**inputs_of(notebook, path, root, shelf), OUTPUTS: digest(json.dumps(outputs, sort_keys=True))}


def _joined(value):
    """Returns JSON with every list of texts made one text, as a notebook in memory has it."""
    if isinstance(value, dict):
        return {key: _joined(item) for key, item in value.items()}
    if isinstance(value, list):
        return text_of(value) if value and all(isinstance(item, str) for item in value) else [*map(_joined, value)]
    return value


def stamp_of(notebook, path, root=ROOT, shelf=None):
    """Returns the stamp of a notebook whose file is at `path`: one line."""
    return line(parts_of(notebook, path, root, shelf))


def line(parts):
    """Returns digests by name as a stamp."""
    return " ".join(f"{quote(name)}={value}" for name, value in parts.items())


def stamp(path, root=ROOT):
    """Returns the stamp that the notebook file at `path` deserves as it is."""
    return stamp_of(load(path), path, root)


def stored(root=ROOT):
    """Returns {name of a notebook: its stamps} as they are written down."""
    file, found, name = Path(root) / STAMPS, {}, None
    for text in file.read_text(encoding="utf-8").splitlines() if file.is_file() else ():
        if text.startswith(" "):
            found.setdefault(name, []).append(text.strip())
        elif text:
            name = text
    return found


def keep(stamps, root=ROOT):
    """Writes down the stamps {path of a notebook: stamp}; the others stay, as far as their notebooks are there."""
    root = Path(root)
    new = {Path(path).relative_to(root).as_posix(): [value] for path, value in stamps.items()}
    kept = {name: lines for name, lines in {**stored(root), **new}.items() if (root / name).is_file()}
    text = "".join(f"{name}\n" + "".join(f"  {value}\n" for value in kept[name]) for name in sorted(kept))
    unfinished = root / f"{STAMPS}.{os.getpid()}"
    unfinished.write_text(text, encoding="utf-8", newline="\n")
    unfinished.replace(root / STAMPS)


def problems(path, root=ROOT, shelf=None):
    """Returns what is wrong with the stored outputs of the notebook at `path`, one sentence a fault."""
    notebook = load(path)
    found = []
    for number, cell in enumerate(code_cells(notebook), 1):
        if cell["execution_count"] != COUNT:
            found.append(f"code cell {number} has execution count {cell['execution_count']}, not {COUNT}")
        if any(output["output_type"] == "error" for output in cell["outputs"]):
            found.append(f"code cell {number} holds an error")
    stamps = stored(root).get(Path(path).relative_to(root).as_posix(), [])
    return [*found, *differences(stamps, parts_of(notebook, path, root, shelf))]


def differences(stamps, now):
    """Returns what tells the stamps of a notebook from `now`, its parts, one sentence a difference."""
    if not stamps:
        return [f"`refresh` has never stored its outputs: {STAMPS} does not name it"]
    if len(stamps) > 1:
        return ["it was executed on two branches and not since they were merged"]
    then = {unquote(name): value for name, _, value in (part.partition("=") for part in stamps[0].split())}
    changed = [name for name in now if then.get(name, now[name]) != now[name]]
    found = [WORDS.get(name, f"{name} changed") for name in changed]
    if CELLS not in changed:
        found += _named("it has come to depend on", now.keys() - then.keys())
        found += _named("it no longer depends on", then.keys() - now.keys())
    return found


def _named(words, names):
    return [f"{words} {', '.join(sorted(names))}"] if names else []


def stale(root=ROOT, notebooks=None):
    """Returns {path: problems} of the notebooks, all of the table of contents if None is given, that have any."""
    shelf = Shelf(root)
    found = {path: problems(path, root, shelf) for path in (toc_notebooks(root) if notebooks is None else notebooks)}
    return {path: faults for path, faults in found.items() if faults}


def report(root=ROOT, notebooks=None):
    """Returns a message naming every stale notebook and how to refresh it, or "" if all (or all given) are fresh."""
    found = stale(root, notebooks)
    if not found:
        return ""
    lines = ["stored outputs are stale:"]
    lines += [f"  {path.relative_to(root).as_posix()}: {'; '.join(faults)}" for path, faults in found.items()]
    lines += ["Refresh them with", f"  {command(root, found)}"]
    for path in found:
        if reason := unmet(load(path)):
            lines.append(f"{path.name} {reason} (without it this notebook stays stale, and the book is not built)")
    return "\n".join(lines)


def command(root, notebooks):
    """Returns the command that refreshes the notebooks, to be pasted where this program was started."""
    words = [shown(sys.executable), shown(Path(root) / "book" / "press"), "refresh", *map(shown, notebooks)]
    return " ".join(words) if os.name == "nt" else shlex.join(words)


def shown(path):
    """Returns a path as one would type it here: relative where it lies below the current folder."""
    path, here = Path(path), Path.cwd()
    return str(path.relative_to(here) if path.is_relative_to(here) else path)
