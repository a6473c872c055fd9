"""Executes a notebook and writes it so that two executions give the same file, byte for byte."""

import base64
import io
import os
from pathlib import Path

import nbformat
from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError
from PIL import Image

from press import CommandError
from press.freshness import COUNT, OUTPUTS, inputs_of, line, parts_of
from press.kernel import run
from press.structure import ROOT, code_cells, unmet

COLORS = 128
METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}


class RefreshError(CommandError):
    """A notebook that cannot be stored, with the cell that is at fault."""


def refresh(path):
    """Executes the notebook at `path` in its own folder, replaces the file in one step and returns its new stamp."""
    path = Path(path).resolve()
    notebook = nbformat.read(path, as_version=4)
    if reason := unmet(notebook):
        raise RefreshError(reason)
    # Before execution: what changes meanwhile leaves the notebook stale.
    inputs = inputs_of(notebook, path)
    opened = execute(notebook, path.parent)
    if unseen := [name for name in opened if name not in inputs]:
        raise RefreshError(
            f"it opened {', '.join(unseen)}, which its stamp does not cover: name the file in a cell, in folder `data`"
        )
    normalize(notebook)
    write(notebook, path)
    return line({**inputs, OUTPUTS: parts_of(notebook, path)[OUTPUTS]})


def execute(notebook, folder):
    """Executes the cells of `notebook` in `folder`; returns the names of the files of the repository that they opened.

    Raises RefreshError on an error, on stderr and on a timeout.
    """
    try:
        opened = run(
            notebook, folder, ("guard", f"guard = Guard({str(ROOT)!r})\nguard.watch()"), "sorted(guard.opened)"
        )
    except (CellExecutionError, CellTimeoutError, DeadKernelError) as error:
        raise RefreshError(f"{_last_started(notebook)} failed\n{error}") from error
    for number, cell in enumerate(code_cells(notebook), 1):
        text = "".join(output.text for output in cell.outputs if output.get("name") == "stderr")
        if text:
            raise RefreshError(f"code cell {number} wrote to stderr\n{text}")
    return opened


def _last_started(notebook):
    """Names the cell that was running: the first with an error, else the first that has no execution count."""
    cells = list(enumerate(code_cells(notebook), 1))
    for number, cell in cells:
        if any(output.output_type == "error" for output in cell.outputs):
            return f"code cell {number}"
    return f"code cell {next((number for number, cell in cells if cell.execution_count is None), len(cells))}"


def normalize(notebook):
    """Fixes everything in `notebook` that does not depend on its content."""
    kept = {key: value for key, value in notebook.metadata.items() if key != "widgets"}
    notebook.metadata = nbformat.from_dict({**kept, **METADATA})
    notebook.nbformat_minor = 5
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)
    for cell in code_cells(notebook):
        cell.execution_count = COUNT
        for output in cell.outputs:
            if "execution_count" in output:
                output.execution_count = COUNT
            if "image/png" in output.get("data", {}):
                output.data["image/png"] = shrink(output.data["image/png"])


def shrink(encoded):
    """Returns the base64 PNG with at most 128 colors, or as it was if that is no smaller."""
    raw = base64.b64decode(encoded)
    picture = Image.open(io.BytesIO(raw))
    if picture.mode == "RGBA":
        picture = Image.alpha_composite(Image.new("RGBA", picture.size, "white"), picture)
    options = {"dpi": picture.info["dpi"]} if "dpi" in picture.info else {}
    small = io.BytesIO()
    palette = picture.convert("RGB").quantize(COLORS, dither=Image.Dither.NONE)
    palette.save(small, "png", optimize=True, **options)
    return base64.b64encode(min(raw, small.getvalue(), key=len)).decode() + "\n"


def write(notebook, path):
    """Writes `notebook` beside `path` and renames it, so that no half-written notebook is ever seen."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    temporary.write_text(nbformat.writes(notebook) + "\n", encoding="utf-8", newline="\n")
    os.replace(temporary, path)
