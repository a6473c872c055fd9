"""Executes notebooks and stores their outputs: python book/press refresh [book/model/population.ipynb ...]

Without arguments, all notebooks of the table of contents. A notebook whose execution raises or writes to stderr, or
that needs an optional module which is not installed, is left as it was, and the exit code is 1. Executing twice gives
the same file, byte for byte, if the cells are deterministic.
"""

import base64
import io
import os
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import nbformat
from ipykernel.kernelspec import RESOURCES, get_kernel_dict
from jupyter_client.kernelspec import KernelSpec, KernelSpecManager
from jupyter_client.manager import AsyncKernelManager
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError
from PIL import Image

from press.commands import CommandError, parser
from press.freshness import COUNT, STAMP, stamp_of
from press.structure import ROOT, code_cells, toc_notebooks, unmet

TIMEOUT = 600
COLORS = 128
METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}


class RefreshError(CommandError):
    """A notebook that cannot be stored, with the cell that is at fault."""


class CurrentPython(KernelSpecManager):
    """Finds one kernel only: the Python that runs this script."""

    def get_kernel_spec(self, kernel_name):
        """Returns the kernel of the running interpreter, whatever `kernel_name` is."""
        return KernelSpec(resource_dir=RESOURCES, **get_kernel_dict(["--log-level=ERROR"]))


def refresh(path):
    """Executes the notebook at `path` in its own folder and replaces the file in one step."""
    path = Path(path).resolve()
    notebook = nbformat.read(path, as_version=4)
    if reason := unmet(notebook):
        raise RefreshError(reason)
    # Before execution: what changes meanwhile leaves the notebook stale.
    stamp = stamp_of(notebook, path)
    execute(notebook, path.parent)
    normalize(notebook, stamp)
    write(notebook, path)


def execute(notebook, folder):
    """Executes the cells of `notebook` in `folder`; raises RefreshError on an error, on stderr and on a timeout."""
    client = NotebookClient(
        notebook,
        km=AsyncKernelManager(kernel_spec_manager=CurrentPython()),
        timeout=TIMEOUT,
        record_timing=False,
        coalesce_streams=True,
        store_widget_state=False,
        resources={"metadata": {"path": str(folder)}},
    )
    try:
        client.execute()
    except (CellExecutionError, CellTimeoutError, DeadKernelError) as error:
        raise RefreshError(f"{_last_started(notebook)} failed\n{error}") from error
    for number, cell in enumerate(code_cells(notebook), 1):
        text = "".join(output.text for output in cell.outputs if output.get("name") == "stderr")
        if text:
            raise RefreshError(f"code cell {number} wrote to stderr\n{text}")


def _last_started(notebook):
    """Names the cell that was running: the first with an error, else the first that has no execution count."""
    cells = list(enumerate(code_cells(notebook), 1))
    for number, cell in cells:
        if any(output.output_type == "error" for output in cell.outputs):
            return f"code cell {number}"
    return f"code cell {next((number for number, cell in cells if cell.execution_count is None), len(cells))}"


def normalize(notebook, stamp):
    """Fixes everything in `notebook` that does not depend on its content, and stamps it."""
    kept = {key: value for key, value in notebook.metadata.items() if key not in ("widgets", STAMP)}
    notebook.metadata = nbformat.from_dict({**kept, **METADATA, STAMP: stamp})
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


def attempt(path):
    """Refreshes the notebook at `path`; returns the reason why it could not be done, or None."""
    try:
        refresh(path)
    except RefreshError as error:
        return str(error)
    return None


def check_library():
    """Raises RefreshError unless the `sga` that notebooks import is the one that the stamp covers."""
    import sga

    expected = ROOT / "lib" / "sga"
    found = Path(sga.__file__).resolve().parent
    if found != expected:
        raise RefreshError(f"`import sga` finds {found}, not {expected}: pip install -e {ROOT / 'lib'}")


def main(arguments=None):
    """Refreshes the notebooks named on the command line and returns the exit code."""
    words = parser(__name__, __doc__)
    words.add_argument("notebooks", nargs="*", type=Path, help="default: all of the table of contents")
    paths = words.parse_args(arguments).notebooks or [Path(os.path.relpath(path)) for path in toc_notebooks()]
    check_library()
    failed = 0
    with ProcessPoolExecutor(2) as pool:
        for path, reason in zip(paths, pool.map(attempt, paths), strict=True):
            print(
                f"{path}: not refreshed: {reason}" if reason else f"{path}: refreshed",
                flush=True,
            )
            failed += reason is not None
    return min(failed, 1)
