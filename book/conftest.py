"""nbval executes every cell of the notebooks and compares its outputs, but not its pictures: these hooks do, and skip
notebooks whose optional modules are not installed."""

import pytest

from pictures import compare
from press.structure import required, unmet


def pytest_collection_modifyitems(items):
    """Marks the cells of a notebook that needs optional modules, and skips them where one is missing."""
    for item in items:
        if hasattr(item.parent, "nb") and required(item.parent.nb):
            item.add_marker("extra")
            if reason := unmet(item.parent.nb):
                item.add_marker(pytest.mark.skip(reason=reason))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item):
    """Compares the stored pictures of a notebook cell with those it has just drawn."""
    result = yield
    if hasattr(item, "test_outputs"):
        words = compare(item.cell.outputs, item.test_outputs)
        if words:
            item.raise_cell_error(words)
    return result
