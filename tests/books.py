"""Books for tests: how to build and read one, and a small one to break on purpose."""

import os
import re
import shutil
import subprocess
import sys
from contextlib import chdir

import nbformat
import yaml
from bs4 import BeautifulSoup
from click.testing import CliRunner
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

import evidence
from press.commands.build import ARGUMENTS, command
from press.execution import METADATA
from press.freshness import COUNT, keep, stamp_of
from press.structure import ROOT

#: What no reader may meet in an output or on a page: raw representations, and what betrays the machine of the author.
LEAKS = re.compile(
    r"np\.(?:float64|int64)\(|np\.(?:True|False)_|\bobject at 0x|<IPython|Traceback|ipykernel_"
    r"|(?<![\w.:/])/(?:tmp|home|root|Users|usr|var|mnt|opt|workspace)/|\b[A-Z]:\\\\?Users\b"
)
#: What a small book has of the library.
LIBRARY = ("lib/pyproject.toml", "lib/evidence", "lib/sga")
EXERCISE = re.compile(r"^:{3,}\{exercise(?:-start)?\}[^\n]*\n:label: (\S+)", re.MULTILINE)
SOLUTION = re.compile(r"^:{3,}\{solution-start\} (\S+)", re.MULTILINE)
SOLUTION_END = re.compile(r"^:{3,}\{solution-end\}", re.MULTILINE)


def texts(cell):
    """Yields every text that the outputs of a cell hold."""
    for output in cell.outputs:
        yield output.get("text", "")
        yield from (content for content in output.get("data", {}).values() if isinstance(content, str))


def exercises(notebook):
    """Returns for every exercise its label and the code cells of its gated solution."""
    found, current = {}, None
    for cell in notebook.cells:
        if cell.cell_type == "code":
            if current is not None:
                found[current].append(cell)
            continue
        found |= {label: [] for label in EXERCISE.findall(cell.source)}
        for label in SOLUTION.findall(cell.source):
            current = label
        if SOLUTION_END.search(cell.source):
            current = None
    return found


def build(source, target, arguments=ARGUMENTS):
    """Runs jupyter-book, with the arguments of `python book/press build` or others, in `source`, into `target`."""
    return subprocess.run(
        [command()[0], *arguments, "--path-output", target],
        cwd=source,
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
    )


def build_here(source, target):
    """Builds the book in `source` into `target` in this process, which then imports Sphinx but once."""
    from jupyter_book.cli.main import main

    with chdir(source):
        done = CliRunner().invoke(main, [*command()[1:], "--path-output", str(target)])
    return subprocess.CompletedProcess(command(), done.exit_code, done.stdout, done.stderr)


def parse(page):
    """Returns the HTML file at `page` as a BeautifulSoup."""
    return BeautifulSoup(page.read_text(encoding="utf-8"), "html.parser")


class SmallBook:
    """A book with the configuration and the extensions of the real one, a copy of its lib and chapters made here."""

    def __init__(self, root, target):
        self.root, self.target = root, target
        for name in ("_config.yml", "book/press", "book/_static", "book/references.bib", *LIBRARY):
            source, copy = ROOT / name, root / name
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copytree(source, copy) if source.is_dir() else shutil.copy(source, copy)
        self.text("_toc.yml", yaml.safe_dump({"format": "jb-book", "root": "book/intro", "parts": []}))
        self.text("book/intro.md", "# A small book\n")

    def text(self, name, content):
        """Writes a text file."""
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")
        return path

    def chapter(self, name):
        """Adds a chapter to the table of contents."""
        toc = yaml.safe_load((self.root / "_toc.yml").read_text(encoding="utf-8"))
        parts = toc["parts"] or [{"caption": "Part", "numbered": True, "chapters": []}]
        if {"file": name} not in parts[0]["chapters"]:
            parts[0]["chapters"].append({"file": name})
        self.text("_toc.yml", yaml.safe_dump({**toc, "parts": parts}))

    def notebook(self, name, *cells):
        """Adds a chapter of cells (source, outputs) as if they had been executed and stamped."""
        code = [new_code_cell(source, outputs=list(outputs), execution_count=COUNT) for source, outputs in cells]
        path = self.root / f"{name}.ipynb"
        path.parent.mkdir(parents=True, exist_ok=True)
        notebook = new_notebook(cells=[new_markdown_cell(f"# Chapter {path.stem}"), *code], metadata=METADATA)
        nbformat.write(notebook, path)
        keep({path: stamp_of(notebook, path, self.root)}, self.root)
        self.chapter(name)
        return path

    def build(self):
        """Builds the book in this process, with the extensions of the real one."""
        return build_here(self.root, self.target)

    def refresh(self, *names):
        """Runs `refresh` on the notebooks `names`, with the copy of lib in front."""
        command = [sys.executable, "book/press", "refresh", *names]
        environment = {**os.environ, "PYTHONPATH": str(self.root / "lib")}
        return subprocess.run(
            command, cwd=self.root, env=environment, capture_output=True, text=True, stdin=subprocess.DEVNULL
        )

    def page(self, name):
        """Returns a built page as a BeautifulSoup."""
        return parse(self.target / "_build" / "html" / f"{name}.html")


def nbval(folder, notebook, *arguments):
    """Runs pytest, set up as for the book, on one notebook in a `folder` of its own; returns what came of it."""
    for name in (".pytest.ini", "book/conftest.py", "book/press", "tests/pictures.py"):
        source, copy = ROOT / name, folder / name
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copytree(source, copy) if source.is_dir() else shutil.copy(source, copy)
    nbformat.write(notebook, folder / "book" / "chapter.ipynb")
    command = [sys.executable, "-m", "pytest", "book", "-q", *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, stdin=subprocess.DEVNULL)


def edit(path, change):
    """Changes the notebook at `path` by `change(notebook)`."""
    notebook = nbformat.read(path, as_version=4)
    change(notebook)
    nbformat.write(notebook, path)


def claim_record(id, statement="two and two are four", **fields):
    """Returns the record of a claim."""
    return evidence.Claim(id, statement, **fields).record()


def check_record(claim, **fields):
    """Returns the record of a check: of an identity that holds, unless `fields` say otherwise."""
    usual = {"about": "a formula", "test": "identity", "scope": "symbolic", "passed": True}
    return evidence.Check(claim, **{**usual, **fields}).record()


def shown(*records):
    """Returns outputs that carry `records`, as a cell stores them."""
    usual = {"text/plain": "a record", "text/html": "<p>a record</p>"}
    return [new_output("display_data", data={evidence.MIME: record, **usual}) for record in records]


def prose(path):
    """Returns the text of a page or a notebook without its code."""
    if path.suffix == ".md":
        return path.read_text(encoding="utf-8")
    cells = nbformat.read(path, as_version=4).cells
    return "\n".join(cell.source for cell in cells if cell.cell_type == "markdown")
