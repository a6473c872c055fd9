"""Sphinx extension: a book with stale outputs does not build.

Pages show the outputs stored in the notebooks, so a change in a cell, in `lib` or in a data file must not pass
unnoticed: the build stops and names each stale notebook.
"""

from pathlib import Path

from sphinx.errors import SphinxError

from press.freshness import report


class StaleNotebookError(SphinxError):
    """Stored outputs that do not belong to the present cells, library or data."""

    category = "Stale notebook"


def refuse_stale(app):
    """Stops the build if a notebook is stale."""
    message = report(Path(app.srcdir))
    if message:
        raise StaleNotebookError(message)


def setup(app):
    """Registers the extension."""
    app.connect("builder-inited", refuse_stale)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
