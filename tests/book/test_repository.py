"""What stands around the book: README's commands, the settings of the tests, the citation, pins, and loose files."""

import configparser
import re
import tomllib
from itertools import chain

import pytest
import yaml
from packaging.requirements import Requirement

from press.__main__ import WORDS
from press.structure import ROOT, toc_files

SETUP = "python3 -m venv .venv && .venv/bin/pip install -r requirements.txt && .venv/bin/python book/press "
WORD = re.compile(r"\bpython[\d.]* book/press ([a-z][\w-]*)((?: --[a-z-]+)*)")
PLACE = re.compile(r"(?<![\w./<-])(?:book|lib|tests|\.ci|\.github|\.binder)/[\w./-]*\w")
TEXTS = [
    path
    for pattern in ("README.md", ".github/*.md", ".ci/run", ".github/workflows/*", ".pre-commit-config.yaml")
    for path in sorted(ROOT.glob(pattern))
]
LIBRARY = tomllib.loads((ROOT / "lib" / "pyproject.toml").read_text(encoding="utf-8"))["project"]
PIN = re.compile(r"^([\w-]+)==(\S+)$", re.MULTILINE)

of_every_text = pytest.mark.parametrize("path", TEXTS, ids=lambda path: path.name)


def read(name):
    """Returns the text of a file of the repository."""
    return (ROOT / name).read_text(encoding="utf-8")


def test_readme_builds_and_tests_by_one_line_each():
    lines = [line for line in read("README.md").splitlines() if line.startswith("python3 -m venv")]
    assert lines == [SETUP + "build", SETUP + "test"]


def test_pytest_runs_all_tests_and_compares_every_notebook():
    settings = configparser.ConfigParser()
    settings.read(ROOT / ".pytest.ini", encoding="utf-8")
    settings = settings["pytest"]
    assert set(settings["testpaths"].split()) == {"tests", "book"}
    assert "--nbval" in settings["addopts"].split()
    assert not re.search(r"lax|ignore|deselect|nbval-sanit|(^| )-[km] ", settings["addopts"])
    assert set(settings["norecursedirs"].split()) <= {"_build", ".*", "data", "skeleton"}


@of_every_text
def test_a_word_that_is_named_is_a_word_and_takes_its_options(path):
    for word, options in WORD.findall(path.read_text(encoding="utf-8")):
        assert word in WORDS
        source = read(f"book/press/commands/{word.replace('-', '_')}.py")
        assert [option for option in options.split() if f'"{option}"' not in source] == []


@of_every_text
def test_a_file_that_is_named_is_there(path):
    named = PLACE.findall(path.read_text(encoding="utf-8"))
    assert [name for name in named if not (ROOT / name).exists() and "build" not in name] == []


def test_binder_installs_what_the_tests_use():
    assert read(".binder/requirements.txt") == "-r ../requirements.txt\n"
    python = read(".binder/runtime.txt").strip().removeprefix("python-")
    assert Requirement(f"python{LIBRARY['requires-python']}").specifier.contains(python)


def pins():
    """Returns the pinned version of each package: in the environment, and for an extra in README."""
    return dict(PIN.findall(read("requirements.txt"))) | dict(re.findall(r" ([\w-]+)==([\d.]+)", read("README.md")))


@pytest.mark.parametrize("needed", [*LIBRARY["dependencies"], *chain(*LIBRARY["optional-dependencies"].values())])
def test_a_pin_is_in_the_range_of_the_library(needed):
    required, pinned = Requirement(needed), pins()
    assert required.name in pinned or required.name == "ipython"
    assert required.specifier.contains(pinned.get(required.name, "9"))


def test_the_citation_says_what_is_needed_and_has_the_version_of_the_library():
    citation = yaml.safe_load(read("CITATION.cff"))
    assert citation["cff-version"] == "1.2.0" and citation["type"] == "software"
    assert all(len(citation[key]) > 10 for key in ("message", "title", "abstract"))
    assert citation["version"] == LIBRARY["version"]
    assert citation["title"] == yaml.safe_load(read("_config.yml"))["title"]
    for work in (citation, *citation["references"]):
        assert len(work["title"]) > 10
        assert all({"name"} <= set(who) or {"family-names", "given-names"} <= set(who) for who in work["authors"])
    assert [one["value"] for work in citation["references"] for one in work["identifiers"]] == ["arXiv:2606.22406"]


def test_no_page_and_no_notebook_lies_outside_of_the_table_of_contents():
    found = [path for pattern in ("*.ipynb", "*.md") for path in (ROOT / "book").rglob(pattern)]
    hidden = {path for path in found if any(part.startswith(".") for part in path.relative_to(ROOT).parts)}
    press = {path for path in found if path.is_relative_to(ROOT / "book" / "press")}
    assert set(found) - hidden - press == set(toc_files())
