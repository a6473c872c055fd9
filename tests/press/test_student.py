"""The student edition: nothing of a solution is left in it, and all else is."""

import ast
import re
import subprocess
import sys
from itertools import chain

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from books import EXERCISE, edit, texts
from press.commands.editions import EditionError, inventory, write
from press.commands.student import KIND, YOURS, edition, main, strip
from press.execution import METADATA, execute
from press.structure import ROOT, code_cells, toc_notebooks

NOTEBOOKS = toc_notebooks()
CHEAP = "book/primer/robbins_monro.ipynb"
CHAPTER = "book/part/chapter"
NOTHING_TOLD = re.compile(r"(?:from \S+ )?import \w|\\(?:begin|end)\{|ax\.set\(xlim=")
#: Statements that a solution repeats from the chapter on purpose.
SHARED = {
    "g, rho = (gradient(q, x, beta), q[:, :1])",
    "ideal = information(posterior(x, share), x, share)",
    "ways = np.prod(R - np.arange(i)) * np.prod(N - np.arange(j))",
    "zeta = rng.standard_normal(n)",
    "w = np.exp(beta * v + 1.5 * beta ** 2 - np.log(L))",
    "along, across_ = rates.noise(wide, r)",
    "power = (1 - r ** 2) * Limit(wide).slope(r) ** 2 + along + (wide.dim - 2) * across_",
}
START = ":::{solution-start} ex:one\n:label: sol:one\n:class: dropdown\n:::"
END = ":::{solution-end}\n:::"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """The student edition of the book, as the command writes it."""
    target = tmp_path_factory.mktemp("student") / "edition"
    main([str(target)])
    return target


def twin(chapter, folder):
    """Returns the student's notebook that belongs to the notebook of the book at `chapter`."""
    return nbformat.read(folder / chapter.relative_to(ROOT), as_version=4)


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


def statements(source):
    """Returns the simple statements of a cell of code, each on one line whatever its formatting."""
    try:
        tree = ast.parse(source)
    except SyntaxError:  # a command of IPython
        return source.splitlines()
    simple = (node for node in ast.walk(tree) if isinstance(node, ast.stmt) and not hasattr(node, "body"))
    return [" ".join(ast.unparse(node).split()) for node in simple]


def lines(cell):
    """Returns what a cell says: the statements of its code, or its lines of text, and the lines of its outputs."""
    said = statements(cell.source) if cell.cell_type == "code" else cell.source.splitlines()
    return [*said, *(line for text in shown(cell) for line in text.splitlines())]


def telling(cells):
    """Returns what cells say in eight or more letters, but for imports and the frames of formulas and axes."""
    found = {line.strip() for cell in cells for line in lines(cell)}
    return {line for line in found if len(re.findall("[A-Za-z]", line)) >= 8 and not NOTHING_TOLD.match(line)}


def text_of(notebook):
    """Returns everything that stands in a notebook, its code both as it is and as statements."""
    code = (statements(cell.source) for cell in notebook.cells if cell.cell_type == "code")
    return "\n".join([*strings(notebook), *chain.from_iterable(code)])


def shown(cell):
    """Returns the texts that the outputs of a cell hold, for a figure not its size."""
    return [text for text in texts(cell) if not text.startswith("<Figure size")] if cell.cell_type == "code" else []


def book_of(small_book, *texts):
    """Returns the root of a small book whose one chapter ends with markdown cells of these texts."""
    path = small_book.notebook(CHAPTER, ("2 + 2", [new_output("stream", name="stdout", text="4\n")]))
    edit(path, lambda notebook: notebook.cells.extend(map(new_markdown_cell, texts)))
    return small_book.root


def sources(files):
    """Returns the sources of the cells of the chapter of a small book."""
    return [cell["source"] for cell in nbformat.reads(files[f"{CHAPTER}.ipynb"].decode(), 4).cells]


def test_no_text_of_a_solution_is_left(chapter, folder):
    _, solutions = parted(nbformat.read(chapter, as_version=4))
    left = text_of(twin(chapter, folder))
    for cells in solutions:
        assert len(telling(cells)) >= 2, "a solution must have lines of its own, or this test proves nothing"
        assert leaks(cells, left) == []


def leaks(solution, left):
    """Returns the lines of a solution that the text of an edition holds, but for those that are shared on purpose."""
    return sorted(line for line in telling(solution) - SHARED if line in left)


@pytest.mark.parametrize(
    ("before", "seen"),
    [
        (new_markdown_cell("It is twice the share of the tokens."), ["It is twice the share of the tokens."]),
        (new_code_cell("answer = 2 * share_of_tokens"), ["answer = 2 * share_of_tokens"]),
        (new_code_cell("a()", outputs=[new_output("stream", text="the share is 0.25\n")]), ["the share is 0.25"]),
        (new_code_cell("from sga.model import Model"), []),
    ],
)
def test_a_solution_that_stands_outside_of_its_gate_is_seen(before, seen):
    code = "from sga.model import Model\nanswer = 2 * share_of_tokens"
    told = new_output("stream", text="the share is 0.25\n")
    inside = [new_markdown_cell("It is twice the share of the tokens."), new_code_cell(code, outputs=[told])]
    gates = new_markdown_cell(START), new_markdown_cell(END)
    notebook = new_notebook(cells=[before, gates[0], *inside, gates[1]])
    strip(notebook)
    assert leaks(inside, text_of(notebook)) == seen


def test_no_file_of_the_edition_names_a_solution(folder):
    files = [path for path in folder.rglob("*") if path.suffix in (".ipynb", ".py", ".json")]
    assert len(files) >= len(NOTEBOOKS)
    assert [path for path in files if re.search(r"\{solution|\bsol:", path.read_text(encoding="utf-8"))] == []


def test_all_cells_outside_the_solutions_are_left_with_their_outputs(chapter, folder):
    outside, _ = parted(nbformat.read(chapter, as_version=4))
    left = [cell for cell in twin(chapter, folder).cells if cell.source != YOURS]
    assert [cell.source for cell in left if "sol:" not in cell.source] == [
        cell.source for cell in outside if "sol:" not in cell.source
    ]
    assert [cell.get("outputs") for cell in left] == [cell.get("outputs") for cell in outside]
    assert [cell.metadata for cell in left] == [cell.metadata for cell in outside]


def test_every_exercise_is_left_with_one_empty_cell_after_it(chapter, folder):
    order = []
    for cell in twin(chapter, folder).cells:
        order += EXERCISE.findall(cell.source)
        if cell.source == YOURS:
            assert (cell.cell_type, cell.outputs, cell.execution_count) == ("code", [], None)
            order.append(YOURS)
    text = "\n".join(cell.source for cell in nbformat.read(chapter, as_version=4).cells)
    assert EXERCISE.findall(text)
    assert order == [item for label in EXERCISE.findall(text) for item in (label, YOURS)]


def test_notebooks_are_valid_and_have_a_kernel(chapter, folder):
    notebook = twin(chapter, folder)
    nbformat.validate(notebook, relax_add_props=False)
    assert {key: notebook.metadata[key] for key in METADATA} == METADATA
    assert len({cell["id"] for cell in notebook.cells}) == len(notebook.cells)


def test_modules_data_and_pictures_are_copied(chapter, folder):
    needed = [*chapter.parent.glob("*.py"), *chapter.parent.glob("data/*")]
    for cell in twin(chapter, folder).cells:
        needed += [chapter.parent / name for name in re.findall(r"\]\(([^)\s:]+\.png)\)", cell.source)]
    for original in needed:
        copy = folder / original.resolve().relative_to(ROOT)
        assert copy.read_bytes() == original.read_bytes()


@pytest.mark.slow
def test_a_notebook_runs_in_the_edition_to_the_first_exercise(folder):
    """A cheap notebook, executed in its folder up to the first empty cell, that one included.

    For the others nbval does it: it executes the same cells, in the notebooks of the book.
    """
    path = folder / CHEAP
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


@pytest.mark.slow
def test_the_command_names_the_fault_and_writes_nothing(small_book, tmp_path):
    book_of(small_book, START)
    command = [sys.executable, "book/press", "student", tmp_path / "edition"]
    done = subprocess.run(command, cwd=small_book.root, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == f"{CHAPTER}.ipynb: cell 3 ex:one: solution-start without a solution-end\n"
    assert not (tmp_path / "edition").exists()
