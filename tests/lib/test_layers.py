"""The library stands in layers: imports point downward, names are public on purpose, and all of it is documented."""

import ast
import inspect
import re

import pytest

import sga
from library import FUNCTIONS, HOME, MODULES, PUBLIC, ROOT, parameters

#: Lines of a module.
LONGEST = 400
ORDER = [
    "_validate",
    "model",
    "_softmax",
    "attention",
    "symbols",
    "_series",
    "landscape",
    "limits",
    "finite",
    "steps",
    "_chain",
    "_runs",
    "ascent",
    "flow",
    "rates",
    "exercises",
    "sweep",
    "figures",
]
TREES = {name: ast.parse((HOME / f"{name}.py").read_text(encoding="utf-8")) for name in [*MODULES, "__init__"]}
SAMPLE = """
import sga.flow
from sga import symbols as sym
from sga.model import Model
def f():
    from . import steps
    from .ascent import ascend
"""


CROSSING = """
from sga import _runs, __doc__
from sga.flow import _private, flow
from sga import model
def _own(self, other):
    self._mine, model.__doc__, other._own, flow(1)._hidden
    return sga.rates._inside, model.Model(1)._field
"""


def crossings(path):
    """Private names that a file takes from another one, in order; except the library's private modules in `lib`."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    own = {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.ClassDef)}
    own |= {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    beside = {name for name in MODULES if name[0] == "_"} if path.is_relative_to(ROOT / "lib") else set()
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            found += [(node.lineno, alias.name) for alias in node.names if alias.name not in beside]
        elif isinstance(node, ast.Attribute) and ast.unparse(node.value) not in ("self", "cls", "super()"):
            found += [(node.lineno, node.attr)] if node.attr not in own else []
    return [name for _, name in sorted(found) if re.match("_[a-z]", name)]


def imported(tree):
    """Modules of the library that a module imports, anywhere in it."""
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name.split(".")[1] for alias in node.names if alias.name.startswith("sga.")}
        elif isinstance(node, ast.ImportFrom):
            source = (node.module or "").split(".")
            inside = source[1:] if source[0] == "sga" else source if node.level else None
            if inside is not None:
                found |= {inside[0]} if inside and inside[0] else {alias.name for alias in node.names}
    return found


EXPORTED = {thing for name in sga.__all__ if inspect.isfunction(thing := getattr(sga, name))}


def returns_something(function):
    """Whether a function, leaving aside the functions inside it, returns a value."""
    (whole,) = ast.parse(inspect.getsource(function)).body
    inside = [n for n in ast.walk(whole) if isinstance(n, ast.FunctionDef) and n is not whole]
    nested = {n for one in inside for n in ast.walk(one)}
    return any(isinstance(n, ast.Return) and n.value and n not in nested for n in ast.walk(whole))


def test_every_kind_of_import_is_seen():
    assert imported(ast.parse(SAMPLE)) == {"flow", "symbols", "model", "steps", "ascent"}


@pytest.mark.parametrize("name", MODULES)
def test_a_module_imports_only_modules_below_it(name):
    assert name in ORDER, f"{name} has no place in the order of the layers"
    assert imported(TREES[name]) <= set(ORDER[: ORDER.index(name)])


def test_the_order_of_the_layers_is_needed():
    assert imported(TREES["landscape"]) == {"_series", "_validate", "model"}
    assert imported(TREES["limits"]) == {"_validate", "landscape", "symbols"}
    assert imported(TREES["ascent"]) == {"_runs", "model", "steps"}
    assert imported(TREES["_runs"]) == {"_chain", "_softmax", "_validate", "model"}
    assert imported(TREES["rates"]) == {
        *("_chain", "_runs", "_validate", "finite", "landscape", "limits", "model", "steps")
    }
    assert imported(TREES["sweep"]) == {"_runs", "_validate", "ascent", "model", "steps"}


@pytest.mark.parametrize("name", MODULES)
def test_a_module_does_not_import_the_package_as_a_whole(name):
    imports = (node for node in ast.walk(TREES[name]) if isinstance(node, ast.Import))
    assert all(alias.name != "sga" for node in imports for alias in node.names)


@pytest.mark.parametrize(
    "path",
    sorted([*ROOT.glob("lib/*/*.py"), *ROOT.glob("book/**/*.py"), *ROOT.glob("tests/**/*.py")]),
    ids=lambda path: path.relative_to(ROOT).as_posix(),
)
def test_a_module_holds_one_idea_and_is_no_longer_than_four_hundred_lines(path):
    assert len(path.read_text(encoding="utf-8").splitlines()) <= LONGEST


@pytest.mark.parametrize(
    "path", sorted((ROOT / "lib").glob("*/*.py")), ids=lambda path: f"{path.parent.name}.{path.stem}"
)
def test_no_private_name_crosses_a_module_of_the_library(path):
    assert crossings(path) == []


@pytest.mark.parametrize(
    "path", sorted((ROOT / "book").glob("**/*.py")), ids=lambda path: path.relative_to(ROOT).as_posix()
)
def test_no_private_name_of_the_library_or_of_another_module_reaches_the_book(path):
    assert crossings(path) == []


def test_private_names_that_cross_are_seen(tmp_path):
    path = tmp_path / "module.py"
    path.write_text(CROSSING)
    assert crossings(path) == ["_runs", "_private", "_hidden", "_field", "_inside"]


def test_the_names_of_the_contract_are_exported():
    assert set(sga.__all__) >= {
        "Model",
        "weights",
        "pool",
        "objective",
        "gradient",
        "Landscape",
        "Limit",
        "FiniteSize",
        "Proportional",
        "critical_theta",
        "PowerLaw",
        "Constant",
        "ascend",
        "Paths",
        "flow",
        "shadow_distance",
        "time_to",
        "rates",
        "claim",
        "sample_size",
        "symbols",
        "figures",
    }


@pytest.mark.parametrize("name", PUBLIC)
def test_everything_public_has_a_docstring(name):
    thing = PUBLIC[name]
    doc = inspect.getdoc(thing) or ""
    assert doc.strip()
    if inspect.isclass(thing):
        assert not doc.startswith(f"{thing.__name__}("), "the docstring of a dataclass was made by itself"


@pytest.mark.parametrize("name", FUNCTIONS)
def test_the_arguments_and_the_result_of_a_public_function_are_annotated(name):
    annotated = set(inspect.get_annotations(FUNCTIONS[name]))
    assert annotated >= {*parameters(FUNCTIONS[name]), "return"}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_the_docstring_of_a_function_names_every_argument(name):
    doc, names = inspect.getdoc(FUNCTIONS[name]), parameters(FUNCTIONS[name])
    if len(names) > 1:
        assert "Args" in doc
    if "Args:" in doc:
        assert not [p for p in names if not re.search(rf"\b{p}\b", doc)]


@pytest.mark.parametrize("function", sorted(EXPORTED, key=lambda f: f.__name__), ids=lambda f: f.__name__)
def test_the_docstring_of_an_exported_function_has_its_sections(function):
    doc = inspect.getdoc(function)
    if parameters(function):
        assert "Args:" in doc or "Args and Raises: as" in doc
        assert "Raises:" in doc
    if returns_something(function):
        assert "Returns:" in doc


@pytest.mark.parametrize(
    "name", [n for n, thing in PUBLIC.items() if inspect.isclass(thing) and not getattr(thing, "_is_protocol", False)]
)
def test_the_docstring_of_a_class_names_every_field(name):
    doc = inspect.getdoc(PUBLIC[name])
    assert not [field for field in parameters(PUBLIC[name]) if not re.search(rf"\b{field}:", doc)]


def test_no_module_keeps_random_state():
    source = "".join((HOME / f"{name}.py").read_text(encoding="utf-8") for name in MODULES)
    assert not re.search(r"np\.random\.(seed|normal|rand|randn|standard_normal|uniform)\b|import random\b", source)
