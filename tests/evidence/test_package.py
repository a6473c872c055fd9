"""The package stands alone: it knows nothing of attention, and claims can be made without what only pages need."""

import ast
import inspect
import subprocess
import sys
from pathlib import Path

import pytest

import evidence

HOME = Path(evidence.__file__).parent
MODULES = sorted(HOME.glob("*.py"))


def imported(path):
    """Returns the top names of the modules that a module imports, anywhere in it."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found.add((node.module or ".").split(".")[0])
    return found


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.stem)
def test_a_module_imports_nothing_of_attention_or_of_the_book_and_is_short(path):
    allowed = {"IPython", "docutils", "evidence", "numpy", "scipy", "sympy"}
    assert imported(path) <= allowed | set(sys.stdlib_module_names)
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 400


@pytest.mark.parametrize("late", ["docutils", "sympy", "sga"])
def test_a_claim_does_not_wait_for_what_it_does_not_need(late):
    program = f"import sys, evidence; sys.exit('{late}' in sys.modules)"
    command = [sys.executable, "-c", program]
    assert subprocess.run(command, env={"PYTHONPATH": str(HOME.parent)}).returncode == 0


@pytest.mark.parametrize("name", evidence.__all__)
def test_what_is_public_is_explained(name):
    thing = getattr(evidence, name)
    if inspect.isroutine(thing) or inspect.isclass(thing):
        assert inspect.getdoc(thing)
        assert not inspect.getdoc(thing).startswith(f"{name}("), "the docstring of a dataclass was made by itself"


CHECKS = [method for name, method in vars(evidence.Claim).items() if inspect.isfunction(method) and name[0] != "_"]


@pytest.mark.parametrize("method", [*CHECKS, evidence.claim, evidence.sample_size], ids=lambda method: method.__name__)
def test_a_docstring_names_every_argument(method):
    names = [name for name in inspect.signature(method).parameters if name != "self"]
    doc = inspect.getdoc(method)
    assert len(names) < 2 or [name for name in names if f"{name}:" not in doc and f"{name}," not in doc] == []
