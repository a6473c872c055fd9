"""nbval executes every cell of the notebooks and compares its outputs, but not its pictures: this hook does."""

import pytest

from pictures import compare


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item):
    """Compares the stored pictures of a notebook cell with those it has just drawn."""
    result = yield
    if hasattr(item, "test_outputs"):
        words = compare(item.cell.outputs, item.test_outputs)
        if words:
            item.raise_cell_error(words)
    return result
