"""What a notebook's stamp covers: what can change its outputs, and nothing else."""

import ast

import pytest

from press.sources import Shelf, cover, normal_form

FILES = {
    "lib/sga/__init__.py": '"""A library."""\n\nfrom importlib import import_module\n\n'
    '_HOME = {"Model": "sga.model", "ascend": "sga.ascent", "answer": "sga.answers", '
    '"_chain": "sga._chain", "claim": "evidence.claims"}\n'
    "__all__ = list(_HOME)\n\n\ndef __getattr__(name):\n    return getattr(import_module(_HOME[name]), name)\n",
    "lib/sga/model.py": '"""A model."""\n\nfrom sga import _validate as check\n\n\nclass Model:\n    """Tokens."""\n\n'
    "    size = 3  # tokens\n",
    "lib/sga/_validate.py": "def real(x):\n    return float(x)\n",
    "lib/sga/ascent.py": "from .model import Model\n\n\ndef ascend(model):\n    from sga import _chain\n\n"
    "    return _chain.run(model)\n",
    "lib/sga/_chain.py": "def run(model):\n    return 1\n",
    "lib/sga/answers.py": "from importlib.resources import files\n\n"
    'answer = files("sga").joinpath("answers.toml").read_text()\n',
    "lib/sga/answers.toml": "a = 1\n",
    "lib/sga/other.toml": "a = 1\n",
    "lib/sga/apart.py": "x = 1\n",
    "lib/evidence/__init__.py": "from evidence.shown import show\n",
    "lib/evidence/claims.py": "from typing import TYPE_CHECKING\n\nif TYPE_CHECKING:\n    from sga import apart\n\n"
    "def claim():\n    return 1\n",
    "lib/evidence/shown.py": "def show():\n    return 1\n",
    "lib/benchmarks/speed.py": "x = 1\n",
    "book/part/beside.py": "from unused_name import nothing\n\nDATA = 'data/beside.csv'\n",
    "book/part/alone.py": "x = 1\n",
    "book/part/data/cells.csv": "1\n",
    "book/part/data/beside.csv": "1\n",
    "book/part/data/deep/other.csv": "1\n",
}
MODEL = {"lib/sga/__init__.py", "lib/sga/model.py", "lib/sga/_validate.py"}
EVIDENCE = {"lib/evidence/__init__.py", "lib/evidence/shown.py", "lib/evidence/claims.py"}
ALL = {name for name in FILES if not name.startswith("lib/benchmarks")}


@pytest.fixture
def book(tmp_path):
    """A repository of a few files."""
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def covered(book, *cells):
    return cover(cells, book / "book" / "part", Shelf(book))


@pytest.mark.parametrize(
    ("cell", "expected"),
    [
        ("1 + 1", set()),
        ("import math, numpy as np\nfrom os import path", set()),
        ("from sga import Model", MODEL),
        ("from sga.model import Model", MODEL),
        ("def later():\n    from sga import Model", MODEL),
        ("import sga.model as m", MODEL),
        ("from sga import model", MODEL),
        ("from sga import ascend", {*MODEL, "lib/sga/ascent.py", "lib/sga/_chain.py"}),
        ("from sga import _chain", {"lib/sga/__init__.py", "lib/sga/_chain.py"}),
        ("from sga import claim", {"lib/sga/__init__.py", *EVIDENCE}),
        ("import evidence", {"lib/evidence/__init__.py", "lib/evidence/shown.py"}),
        ("from sga import answer", {"lib/sga/__init__.py", "lib/sga/answers.py", "lib/sga/answers.toml"}),
        ("import alone", {"book/part/alone.py"}),
        ("import beside", {"book/part/beside.py", "book/part/data/beside.csv"}),
        ("open('data/cells.csv')", {"book/part/data/cells.csv"}),
        ("folder / 'cells.csv'", {"book/part/data/cells.csv"}),
        ("%pip install --quiet {x}\nimport alone", {"book/part/alone.py"}),
    ],
)
def test_a_stamp_covers_what_the_cells_can_reach_and_no_more(book, cell, expected):
    assert covered(book, cell).keys() == expected


@pytest.mark.parametrize(
    "cell",
    [
        "import sga",
        "import sga as s",
        "import sga.model",
        "from sga import *",
        "import importlib\nimportlib.import_module(name)",
        "from importlib import import_module",
        "__import__(name)",
        "exec(text)",
        "import sys\nsys.path.append('elsewhere')",
        "import subprocess",
        "import inspect",
        "print(f.__doc__)",
        "help(f)",
        "%run script.py",
        "!python script.py",
        "%%bash\nls",
    ],
)
def test_where_reading_cannot_tell_what_runs_everything_is_covered(book, cell):
    assert covered(book, cell).keys() == ALL


@pytest.mark.parametrize("cell", ["open(f'data/{name}.csv')", "Path('data') / name", "open('data/' + name)"])
def test_a_computed_path_covers_all_data_beside_the_notebook(book, cell):
    assert covered(book, cell).keys() == {name for name in FILES if name.startswith("book/part/data/")}


def test_a_module_that_asks_for_a_computed_file_of_its_package_covers_them_all(book):
    write(book, "lib/sga/answers.py", "from importlib.resources import files\n\nanswer = files('sga') / name\n")
    assert {"lib/sga/answers.toml", "lib/sga/other.toml"} <= covered(book, "from sga import answer").keys()


def write(book, name, text):
    (book / name).write_text(text, encoding="utf-8")


CELLS = ("from sga import Model, answer, ascend, claim", "import beside", "open('data/cells.csv')")
#: (file, text in it, what it becomes, whether an output can change)
CHANGES = [
    ("lib/sga/model.py", "size = 3", "size = 4", True),
    ("lib/sga/model.py", "# tokens", "# all tokens", False),
    ("lib/sga/model.py", '"""Tokens."""', '"""Tokens of a bag."""', False),
    ("lib/sga/model.py", '"""A model."""\n', '"""A bag."""\n\n', False),
    ("lib/sga/_chain.py", "return 1", "return 2", True),
    ("lib/sga/_chain.py", "return 1", 'return "1"', True),
    ("lib/sga/_chain.py", "return 1", "return (1)", False),
    ("lib/sga/_validate.py", "float", "int", True),
    ("lib/sga/apart.py", "1", "2", False),
    ("lib/sga/answers.toml", "1", "2", True),
    ("lib/sga/other.toml", "1", "2", False),
    ("lib/sga/__init__.py", '"ascend": "sga.ascent"', '"ascend": "sga.ascent", "more": "sga.apart"', False),
    ("lib/sga/__init__.py", '"Model": "sga.model"', '"Model": "sga.ascent"', True),
    ("lib/sga/__init__.py", "getattr(", "1 and getattr(", True),
    ("lib/evidence/claims.py", "return 1", "return 2", True),
    ("lib/evidence/claims.py", "from sga import apart", "from sga import Model, apart", False),
    ("lib/benchmarks/speed.py", "1", "2", False),
    ("book/part/beside.py", "\n\nDATA", "\n\nMORE = 1\nDATA", True),
    ("book/part/beside.py", "\n\nDATA", "\n\n# where it is\nDATA", False),
    ("book/part/alone.py", "1", "2", False),
    ("book/part/data/cells.csv", "1", "2", True),
    ("book/part/data/beside.csv", "1", "2", True),
    ("book/part/data/deep/other.csv", "1", "2", False),
]


@pytest.mark.parametrize(("name", "old", "new", "matters"), CHANGES)
def test_a_stamp_changes_with_what_can_change_an_output_and_with_nothing_else(book, name, old, new, matters):
    before = covered(book, *CELLS)
    assert FILES[name].count(old) == 1
    write(book, name, FILES[name].replace(old, new))
    assert (covered(book, *CELLS) != before) == matters


def test_a_new_module_matters_only_where_it_can_be_reached(book):
    narrow, wide = covered(book, *CELLS), covered(book, "import sga")
    write(book, "lib/sga/more.py", "x = 1\n")
    assert covered(book, *CELLS) == narrow
    assert covered(book, "import sga") != wide
    write(book, "book/part/numpy.py", "x = 1\n")
    assert "book/part/numpy.py" in covered(book, "import numpy")


def test_a_cycle_of_imports_ends(book):
    write(book, "lib/sga/_validate.py", "from sga import ascend\n")
    assert "lib/sga/ascent.py" in covered(book, "from sga import Model")


def test_the_normal_form_is_the_same_in_every_version_of_python():
    code = '@d(1)\ndef f(a: int = 0, *b, c=None) -> str:\n    """Text."""\n    return f"{a!r:>{c}}é" or b"x" or 1.5e300'
    tree = ast.parse(code).body[0]
    text = normal_form(tree)
    assert "Text" not in text and "type_params" not in text and "kind" not in text
    assert (
        "Constant(value='\\xe9')" in text and "Constant(value=1.5e+300)" in text and "Constant(value=None)" not in text
    )


@pytest.mark.parametrize(
    ("cell", "old", "new", "matters"),
    [
        ("answer('ex:mine')", "value = 1", "value = 3", True),
        ("answer('ex:mine')", "value = 2", "value = 3", False),
        ("answer('ex:mine')", "value = 2", 'value = 2\n["ex:more"]\nvalue = 1', False),
        ("answer('ex:mine')\nanswer('ex:' + name)", "value = 1", "value = 3", True),
        ("answer('ex:' + name)", "value = 2", "value = 3", True),
    ],
)
def test_of_a_file_of_tables_those_count_that_the_cells_name_or_else_all(book, cell, old, new, matters):
    path = book / "lib" / "sga" / "answers.toml"
    path.write_text('["ex:mine"]\nvalue = 1\n["ex:other"]\nvalue = 2\n', encoding="utf-8")
    before = covered(book, "from sga import answer", cell)
    path.write_text(path.read_text(encoding="utf-8").replace(old, new), encoding="utf-8")
    assert (covered(book, "from sga import answer", cell) != before) == matters
