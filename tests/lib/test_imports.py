"""`import sga` is cheap: a name brings its module, and what that needs, when it is first used."""

import ast
import importlib
import subprocess
import sys
from pathlib import Path

import pytest

import sga

SOURCE = ast.parse(Path(sga.__file__).read_text(encoding="utf-8"))
#: What takes long or much memory to import.
HEAVY = ("IPython", "joblib", "matplotlib", "mpmath", "numba", "pandas", "pyarrow", "scipy", "scipy.stats", "sympy")
LIGHT = ("numpy", "threadpoolctl", "tqdm")
LOADED = f"import sys; print(*[name for name in {(*HEAVY, *LIGHT)} if name in sys.modules])"


def said(program):
    """What a fresh interpreter prints, word by word."""
    command = [sys.executable, "-c", program]
    env = {"PYTHONPATH": str(Path(sga.__file__).parents[1])}
    return subprocess.run(command, capture_output=True, text=True, check=True, env=env).stdout.split()


def literal(name):
    """The value of a plain assignment in the package, without running it."""
    (node,) = (n for n in SOURCE.body if isinstance(n, ast.Assign) and getattr(n.targets[0], "id", "") == name)
    return ast.literal_eval(node.value)


@pytest.mark.parametrize(
    ("program", "expected"),
    [
        ("import sga", []),
        ("import sga; dir(sga)", []),
        ("import sga.model", ["numpy"]),
        ("from sga import Model, weights, PowerLaw", ["numpy"]),
        ("from sga import ascend", ["numpy", "threadpoolctl", "tqdm"]),
        ("from sga import Limit, Proportional, critical_theta; Limit.trap", ["scipy", "numpy"]),
        ("from sga import FiniteSize, Tabulated", ["scipy", "numpy"]),
        ("from sga import flow, rates", ["scipy", "numpy", "threadpoolctl", "tqdm"]),
    ],
)
def test_an_import_loads_what_it_needs_and_no_more(program, expected):
    assert said(f"{program}\n{LOADED}") == expected


def test_the_derivation_is_loaded_by_the_first_value_of_a_landscape():
    program = "from sga import Limit, Model; limit = Limit(Model(10, 1, 2, 4.0)); limit.trap(); import sys; "
    assert said(program + "print('sympy' in sys.modules); limit.slope(0.5); print('sympy' in sys.modules)") == [
        "False",
        "True",
    ]


@pytest.mark.slow
@pytest.mark.parametrize(
    "before", ["", "import sga.flow, sga.sweep", "from sga.flow import time_to", "import sga.rates"]
)
def test_flow_and_sweep_are_functions_whatever_was_imported_first(before):
    program = f"{before}\nimport sga\nfrom sga import flow, sweep\nprint(type(sga.flow).__name__, type(flow).__name__, "
    program += "type(sweep).__name__, sga.flow is flow, sga.sweep is sweep)"
    assert said(program) == ["function", "function", "function", "True", "True"]


@pytest.mark.parametrize("name", sga.__all__)
def test_a_public_name_is_the_thing_in_its_module(name):
    home = literal("_HOME")[name]
    module = sys.modules.get(home) or importlib.import_module(home)
    thing = getattr(sga, name)
    if home == f"sga.{name}" and not hasattr(module, name):
        assert thing is module
    else:
        assert thing is getattr(module, name)
        assert thing.__module__ == home


def test_one_table_names_all_that_is_public():
    table = literal("_HOME")
    assert list(table) == sorted(table) == sga.__all__
    (block,) = (node for node in SOURCE.body if isinstance(node, ast.If))
    typed = {
        alias.asname: f"sga.{alias.name}" if node.module == "sga" else node.module
        for node in block.body
        for alias in node.names
    }
    assert typed == table


def test_all_public_names_are_listed_and_no_other_is_found():
    assert set(sga.__all__) <= set(dir(sga))
    with pytest.raises(AttributeError, match="module 'sga' has no attribute 'Landscapes'"):
        sga.Landscapes  # noqa: B018
    with pytest.raises(ImportError, match="cannot import name 'nothing' from 'sga'"):
        from sga import nothing  # noqa: F401


@pytest.mark.slow
def test_a_star_brings_all_public_names():
    assert said("from sga import *; print(*sorted(n for n in vars() if n[0] != '_'))") == sga.__all__
