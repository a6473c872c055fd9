"""Sphinx extension: drops the files of the bundled MathJax that no page can load."""

import shutil
from pathlib import Path

KEEP = ("tex-chtml.js", "input", "output", "a11y", "sre", "ui")


def prune_mathjax(folder):
    """Deletes from `folder`, the built site's copy of MathJax, all but the TeX-to-HTML renderer."""
    for path in folder.iterdir():
        if path.name not in KEEP:
            shutil.rmtree(path) if path.is_dir() else path.unlink()
    shutil.rmtree(folder / "output" / "svg", ignore_errors=True)


def finish(app, exception):
    """Prunes once the site has been written without an exception."""
    if exception is None and app.builder.format == "html":
        prune_mathjax(Path(app.outdir, "_static", "mathjax"))


def setup(app):
    """Registers the extension."""
    app.connect("build-finished", finish, priority=900)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
