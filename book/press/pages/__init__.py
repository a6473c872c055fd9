"""The Sphinx extensions of the book, in one: what its pages need beyond Jupyter Book."""

from press.pages import (
    answers,
    chapters,
    depths,
    descriptions,
    docstrings,
    domain,
    explorers,
    findings,
    lecture,
    ledger,
    offline,
    paper,
    pictures,
    references,
    search,
    seeds,
    speed,
    stale,
    terms,
)

EXTENSIONS = (
    answers,
    chapters,
    docstrings,
    depths,
    descriptions,
    domain,
    explorers,
    findings,
    lecture,
    ledger,
    offline,
    paper,
    pictures,
    references,
    search,
    seeds,
    speed,
    stale,
    terms,
)


def setup(app):
    """Registers them all."""
    for extension in EXTENSIONS:
        extension.setup(app)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
