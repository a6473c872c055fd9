"""The student edition: nothing of a solution is left in it, and all else is."""

import re
import subprocess
import sys

import nbformat
import pytest
from nbformat.v4 import new_markdown_cell, new_output

from books import edit
from press.commands.editions import EditionError, inventory, write
from press.commands.student import KIND, YOURS, edition, main
from press.execution import METADATA, execute
from press.structure import ROOT, code_cells, toc_notebooks

NOTEBOOKS = toc_notebooks()
CHEAP = ("book/model/tokens.ipynb", "book/primer/robbins_monro.ipynb")
CHAPTER = "book/part/chapter"
EXERCISE = re.compile(r"^:{3,}\{exercise(?:-start)?\}[^\n]*\n:label: (\S+)", re.MULTILINE)
START = ":::{solution-start} ex:one\n:label: sol:one\n:class: dropdown\n:::"
END = ":::{solution-end}\n:::"

of_every_notebook = pytest.mark.parametrize(
    "path", NOTEBOOKS, ids=[path.relative_to(ROOT / "book").as_posix() for path in NOTEBOOKS]
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """The student edition of the book, as the command writes it."""
    target = tmp_path_factory.mktemp("student") / "edition"
    main([str(target)])
    return target


def twin(path, folder):
    """Returns the student's notebook that belongs to the notebook of the book at `path`."""
    return nbformat.read(folder / path.relative_to(ROOT), as_version=4)


def parted(notebook):
    """Returns the cells outside the solutions, and the solutions as lists of cells; each gate has its own line."""
    outside, solutions, inside = [], [], False
    for cell in notebook.cells:
        if "{solution-start}" in cell.source:
            inside = True
            solutions.append([])
        (solutions[-1] if inside else outside).append(cell)
        if "{solution-end}" in cell.source:
            inside = False
            cell, rest = solutions[-1].pop(), cell.source.partition(END)[2].strip()
            if rest:
                outside.append(nbformat.from_dict({**cell, "source": rest}))
    return outside, solutions


def strings(tree):
    """Yields every text in a tree of lists and dictionaries, the ids of cells excepted."""
    if isinstance(tree, str):
        yield tree
    elif isinstance(tree, dict):
        for key, value in tree.items():
            yield from strings(value) if key != "id" else ()
    elif isinstance(tree, list):
        for value in tree:
            yield from strings(value)


def nontrivial(cells):
    """Returns the lines of eight or more characters in sources, outputs and metadata of cells."""
    lines = {line.strip() for text in strings(cells) for line in text.splitlines()}
    return {line for line in lines if len(line) >= 8}


def book_of(small_book, *texts):
    """Returns the root of a small book whose one chapter ends with markdown cells of these texts."""
    path = small_book.notebook(CHAPTER, ("2 + 2", [new_output("stream", name="stdout", text="4\n")]))
    edit(path, lambda notebook: notebook.cells.extend(map(new_markdown_cell, texts)))
    return small_book.root


def sources(files):
    """Returns the sources of the cells of the chapter of a small book."""
    return [cell["source"] for cell in nbformat.reads(files[f"{CHAPTER}.ipynb"].decode(), 4).cells]


@of_every_notebook
def test_no_text_of_a_solution_is_left(path, folder):
    outside, solutions = parted(nbformat.read(path, as_version=4))
    known = "\n".join(strings(outside))
    left = "\n".join(strings(twin(path, folder)))
    for cells in solutions:
        own = {line for line in nontrivial(cells) if line not in known}
        assert len(own) >= 2, "a solution must have lines of its own, or this test proves nothing"
        assert [line for line in own if line in left] == []


def test_no_file_of_the_edition_names_a_solution(folder):
    files = [path for path in folder.rglob("*") if path.suffix in (".ipynb", ".py", ".json")]
    assert len(files) >= len(NOTEBOOKS)
    assert [path for path in files if re.search(r"\{solution|\bsol:", path.read_text(encoding="utf-8"))] == []


@of_every_notebook
def test_all_cells_outside_the_solutions_are_left_with_their_outputs(path, folder):
    outside, _ = parted(nbformat.read(path, as_version=4))
    left = [cell for cell in twin(path, folder).cells if cell.source != YOURS]
    assert [cell.source for cell in left if "sol:" not in cell.source] == [
        cell.source for cell in outside if "sol:" not in cell.source
    ]
    assert [cell.get("outputs") for cell in left] == [cell.get("outputs") for cell in outside]
    assert [cell.metadata for cell in left] == [cell.metadata for cell in outside]


@of_every_notebook
def test_every_exercise_is_left_with_one_empty_cell_after_it(path, folder):
    order = []
    for cell in twin(path, folder).cells:
        order += EXERCISE.findall(cell.source)
        if cell.source == YOURS:
            assert (cell.cell_type, cell.outputs, cell.execution_count) == ("code", [], None)
            order.append(YOURS)
    text = "\n".join(cell.source for cell in nbformat.read(path, as_version=4).cells)
    assert EXERCISE.findall(text)
    assert order == [item for label in EXERCISE.findall(text) for item in (label, YOURS)]


@of_every_notebook
def test_notebooks_are_valid_and_have_a_kernel(path, folder):
    notebook = twin(path, folder)
    nbformat.validate(notebook, relax_add_props=False)
    assert {key: notebook.metadata[key] for key in METADATA} == METADATA
    assert len({cell["id"] for cell in notebook.cells}) == len(notebook.cells)


@of_every_notebook
def test_modules_data_and_pictures_are_copied(path, folder):
    needed = [*path.parent.glob("*.py"), *path.parent.glob("data/*")]
    for cell in twin(path, folder).cells:
        needed += [path.parent / name for name in re.findall(r"\]\(([^)\s:]+\.png)\)", cell.source)]
    for original in needed:
        copy = folder / original.resolve().relative_to(ROOT)
        assert copy.read_bytes() == original.read_bytes()


@pytest.mark.parametrize("name", CHEAP)
def test_a_notebook_runs_in_the_edition_to_the_first_exercise(name, folder):
    """Two cheap notebooks, executed in their folder up to the first empty cell, that one included.

    For the others nbval does it: it executes the same cells, in the notebooks of the book.
    """
    path = folder / name
    notebook = nbformat.read(path, as_version=4)
    first = next(number for number, cell in enumerate(notebook.cells) if cell.source == YOURS)
    notebook.cells = notebook.cells[: first + 1]
    for cell in code_cells(notebook):
        cell.outputs, cell.execution_count = [], None
    execute(notebook, path.parent)
    assert [cell.execution_count for cell in code_cells(notebook)] == list(range(1, len(code_cells(notebook)) + 1))


def test_the_edition_is_the_same_each_time():
    assert edition() == edition()


def test_links_to_a_solution_become_words(small_book):
    text = "See {ref}`sol:one`, {ref}`the proof <sol:one>`, [here](#sol:one), {ref}`ex:one`."
    files = edition(book_of(small_book, text))
    assert sources(files)[-1] == "See the solution, the proof, here, {ref}`ex:one`."


def test_text_that_shares_a_cell_with_a_gate_is_left_if_it_is_outside(small_book):
    root = book_of(small_book, f"an exercise\n\n{START}\n\nsecret", f"secret\n{END}\n\n## Notes")
    assert sources(edition(root))[2:] == ["an exercise", YOURS, "## Notes"]
    assert b"secret" not in b"".join(edition(root).values())


@pytest.mark.parametrize(
    ("texts", "words"),
    [
        ((START, "secret"), "cell 3 ex:one: solution-start without a solution-end"),
        ((START, "secret", START, END), "cell 3 ex:one: solution-start without a solution-end"),
        (("secret", END), "cell 4: solution-end without a solution-start"),
        ((":::{solution} ex:one\nsecret\n:::",), "cell 3 has a directive for solutions"),
        ((":::{solution-start} ex:one\nsecret",), "cell 3 has a directive for solutions"),
        (("![A picture](missing.png)",), "there is no picture"),
    ],
)
def test_a_notebook_with_a_fault_is_named(small_book, texts, words):
    with pytest.raises(EditionError, match=f"^{CHAPTER}.ipynb: .*{words}"):
        edition(book_of(small_book, *texts))


def test_an_earlier_edition_is_replaced_and_other_files_are_left(tmp_path):
    write({"book/old.ipynb": b"old", "book/a.ipynb": b"old"}, tmp_path / "new", KIND)
    (tmp_path / "new" / "mine.txt").write_text("mine", encoding="utf-8")
    write({"book/a.ipynb": b"new"}, tmp_path / "new", KIND)
    files = {p.relative_to(tmp_path / "new").as_posix() for p in tmp_path.rglob("*") if p.is_file()}
    assert files == {inventory(KIND), "book/a.ipynb", "mine.txt"}
    assert (tmp_path / "new" / "book" / "a.ipynb").read_bytes() == b"new"


@pytest.mark.parametrize("name", ["", "book", "book/model", "book/model/student", "lib/sga/student", "student"])
def test_a_folder_among_the_sources_is_refused(name):
    with pytest.raises(EditionError, match="among the sources"):
        write({"book/a.ipynb": b""}, ROOT / name, KIND)
    assert not name.endswith("student") or not (ROOT / name).exists()


def test_a_folder_of_something_else_and_a_file_are_refused(tmp_path):
    (tmp_path / "notes.txt").write_text("mine", encoding="utf-8")
    for target in (tmp_path, tmp_path / "notes.txt"):
        with pytest.raises(EditionError, match="neither empty nor an earlier student edition"):
            write({"notes.txt": b""}, target, KIND)
    assert (tmp_path / "notes.txt").read_text(encoding="utf-8") == "mine"


def test_the_command_names_the_fault_and_writes_nothing(small_book, tmp_path):
    book_of(small_book, START)
    command = [sys.executable, "book/press", "student", tmp_path / "edition"]
    done = subprocess.run(command, cwd=small_book.root, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == f"{CHAPTER}.ipynb: cell 3 ex:one: solution-start without a solution-end\n"
    assert not (tmp_path / "edition").exists()
