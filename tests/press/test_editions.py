"""Editions of notebooks: plain text with the numbers of the pages, all of a chapter, and no solution for students."""

import ast
import json
import os
import re
import subprocess
import sys
from functools import cache
from itertools import chain

import nbformat
import pytest
from jupyter_client.kernelspec import KernelSpecManager
from jupyter_client.manager import start_new_kernel
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from books import EXERCISE, edit, texts
from editions import CHAPTER, END, MACROS, ONE, START, small, sources
from press.commands.editions import EditionError, inventory, write
from press.commands.notebooks import KINDS, edition, main
from press.notebooks.chapters import METADATA, YOURS
from press.notebooks.numbers import targets
from press.notebooks.plain import spelled
from press.notebooks.solutions import Solution, parted
from press.selfchecks import bare
from press.structure import ROOT, code_cells, toc_notebooks
from sga.exercises import ANSWERS

NOTEBOOKS = toc_notebooks()
STUDENT = KINDS[True]
CHEAP = "book/primer/robbins_monro.ipynb"
NOTHING_TOLD = re.compile(r"(?:from \S+ )?import \w|\\(?:begin|end)\{")
#: What no viewer but Sphinx understands.
RAW = re.compile(
    r"\{[\w:-]+\}`|^[:`]{3,} *\{|^:{3,}|^:[\w-]+: |^\([\w:-]+\)=|\$\$ *\([\w:-]+\)|^% |\\(?:E|R|norm)(?![A-Za-z])",
    re.MULTILINE,
)
#: Statements that a solution repeats from the chapter on purpose.
SHARED = {
    "g, rho = (gradient(q, x, beta), q[:, :1])",
    "ideal = information(posterior(x, share), x, share)",
    "ways = np.prod(R - np.arange(i)) * np.prod(N - np.arange(j))",
    "zeta = rng.standard_normal(n)",
    "w = np.exp(beta * v + 1.5 * beta ** 2 - np.log(L))",
    "along, across_ = rates.noise(wide, r)",
    "ax.set(xlim=(0, 1), ylim=(0.9, 6))",
    "power = (1 - r ** 2) * Limit(wide).slope(r) ** 2 + along + (wide.dim - 2) * across_",
}
TEXTS = (".ipynb", ".py", ".json", ".toml", ".md")
MYST = r"""(part)=
## A part

```{index} part
```

```{margin} Beside
A *note* on {eq}`eq:one`.
```

Text of $\E x$:

$$
\norm{x} = 1
$$ (eq:one)

% a remark
:::{prf:theorem} Of one
:label: thm:one
By {eq}`eq:one`,

$$
\begin{aligned}
a &= b \\
c
\end{aligned}
$$
:::

:::{prf:proof}
See {cite:t}`robbins1951`.
:::

### More

See {prf:ref}`thm:one` in {ref}`part` and {ref}`words <part>`; `{eq}` is code, {cite:p}`robbins1951`."""


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    """The two editions of the book, as the command writes them: {for students: folder}."""
    target = tmp_path_factory.mktemp("editions")
    main([str(target / "reading")])
    main([str(target / "student"), "--student"])
    return {False: target / "reading", True: target / "student"}


labels = cache(targets)
of_each_edition = pytest.mark.parametrize("student", KINDS, ids=KINDS.values())


def twin(chapter, folder):
    """Returns the notebook of an edition that belongs to the notebook of the book at `chapter`."""
    return nbformat.read(folder / chapter.relative_to(ROOT), as_version=4)


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


def shown(cell):
    """Returns the texts that the outputs of a cell hold, for a figure not its size."""
    return [text for text in texts(cell) if not text.startswith("<Figure size")] if cell.cell_type == "code" else []


def lines(cell):
    """Returns what a cell says: the statements of its code, or its lines of text, and the lines of its outputs."""
    said = statements(cell.source) if cell.cell_type == "code" else cell.source.splitlines()
    return [*said, *(line for text in shown(cell) for line in text.splitlines())]


def telling(cells):
    """Returns what cells say in eight or more letters, but for imports and the frames of formulas."""
    found = {line.strip() for cell in cells for line in lines(cell)}
    return {line for line in found if len(re.findall("[A-Za-z]", line)) >= 8 and not NOTHING_TOLD.match(line)}


def text_of(notebook):
    """Returns everything that stands in a notebook, its code both as it is and as statements."""
    code = (statements(cell.source) for cell in notebook.cells if cell.cell_type == "code")
    return "\n".join([*strings(notebook), *chain.from_iterable(code)])


def solutions_of(notebook):
    """Returns the cells of each solution of a notebook of the reading edition, without its heading."""
    heads = [place for place, cell in enumerate(notebook.cells) if cell.source.startswith("### Solution to ")]
    ends = [*heads[1:], len(notebook.cells)]
    return [notebook.cells[head + 1 : end] for head, end in zip(heads, ends, strict=True)]


def leaks(solution, left):
    """Returns the lines of a solution that the text of an edition holds, but for those that are shared on purpose."""
    return sorted(line for line in telling(solution) - SHARED if line in left)


@of_each_edition
def test_nothing_raw_is_left(chapter, folders, student):
    notebook = twin(chapter, folders[student])
    shown_texts = [(cell.source, *shown(cell)) for cell in notebook.cells]
    found = [RAW.search(text) for texts in shown_texts for text in texts]
    assert [hit.string[max(0, hit.start() - 40) : hit.end() + 40] for hit in found if hit] == []


@of_each_edition
def test_notebooks_are_valid_and_written_as_jupyter_leaves_them(folders, student):
    paths = sorted(folders[student].rglob("*.ipynb"))
    assert len(paths) == len(NOTEBOOKS) + 1
    for path in paths:
        notebook = nbformat.read(path, as_version=4)
        nbformat.validate(notebook, relax_add_props=False)
        assert {key: notebook.metadata[key] for key in METADATA} == METADATA
        assert len({cell["id"] for cell in notebook.cells}) == len(notebook.cells)


@pytest.mark.slow
def test_the_kernel_of_this_environment_has_nothing_to_add_to_a_notebook():
    manager, client = start_new_kernel(kernel_name="python3")
    try:
        said = client.kernel_info(reply=True, timeout=60)["content"]["language_info"]
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)
    spec = KernelSpecManager().get_kernel_spec("python3")
    assert METADATA["language_info"] == said
    assert METADATA["kernelspec"] == {"display_name": spec.display_name, "language": "python", "name": "python3"}


def test_all_cells_stand_in_the_reading_edition_and_solutions_at_its_end(chapter, folders):
    parts, plain = parted(nbformat.read(chapter, as_version=4)), twin(chapter, folders[False])
    solutions = [part for part in parts if isinstance(part, Solution)]
    ordered = [part for part in parts if not isinstance(part, Solution)]
    ordered += [cell for solution in solutions for cell in solution.cells]
    code = [cell for cell in ordered if cell.cell_type == "code"]
    assert [cell.id for cell in code_cells(plain)] == [cell.id for cell in code]
    for old, new in zip(code, code_cells(plain), strict=True):
        assert new.source == spelled(bare(old.source), {**MACROS, "R": r"\mathbb{R}"})
        pictures = [o.data["image/png"] for o in old.outputs if "image/png" in o.get("data", {})]
        assert [o.data["image/png"] for o in new.outputs if "image/png" in o.get("data", {})] == pictures
        assert len(old.outputs) == len(new.outputs)
    kept = [cell.source for cell in plain.cells if cell.cell_type == "markdown"]
    formulas = sum(len(re.findall(r"\$\$", cell.source)) for cell in ordered if cell.cell_type == "markdown")
    assert sum(text.count("$$") for text in kept) == formulas
    last = next(place for place, cell in enumerate(plain.cells) if cell.source == "## Solutions")
    found = solutions_of(plain)
    assert len(found) == len(solutions) and sum(map(len, found)) + len(found) == len(plain.cells) - last - 1
    for cells in found:
        text = [cell.source for cell in cells if cell.cell_type == "markdown"]
        assert [said for said in text if not said.startswith(("<details>", "**Fig. "))] == []


@of_each_edition
def test_every_figure_has_its_numbered_caption_below_it(chapter, folders, student):
    named = {
        cell.id: cell.metadata.mystnb.figure.name
        for cell in code_cells(nbformat.read(chapter, as_version=4))
        if "figure" in cell.metadata.get("mystnb", {})
    }
    cells, found = twin(chapter, folders[student]).cells, labels()
    places = [place for place, cell in enumerate(cells) if cell.id in named]
    assert places and (student or len(places) == len(named))
    for place in places:
        assert cells[place + 1].source.startswith(f"**{found[named[cells[place].id]].words}.** ")


def test_no_text_of_a_solution_is_left_for_students(chapter, folders):
    written_out = solutions_of(twin(chapter, folders[False]))
    as_written = [part.cells for part in parted(nbformat.read(chapter, as_version=4)) if isinstance(part, Solution)]
    left = text_of(twin(chapter, folders[True]))
    assert len(written_out) == len(as_written) > 0
    for cells in (*written_out, *as_written):
        assert len(telling(cells)) >= 2, "a solution must have lines of its own, or this test proves nothing"
        assert leaks(cells, left) == []


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
    notebook = new_notebook(cells=[before, new_markdown_cell(START), *inside, new_markdown_cell(END)])
    left = [part for part in parted(notebook) if not isinstance(part, Solution)]
    assert leaks(inside, text_of(new_notebook(cells=left))) == seen


def test_every_exercise_is_left_with_one_empty_cell_after_it(chapter, folders):
    order = []
    for cell in twin(chapter, folders[True]).cells:
        order += re.findall(r"^> \*\*(Exercise [\d.]+)", cell.source, re.MULTILINE)
        if cell.source == YOURS:
            assert (cell.cell_type, cell.outputs, cell.execution_count) == ("code", [], None)
            order.append(YOURS)
    text = "\n".join(cell.source for cell in nbformat.read(chapter, as_version=4).cells)
    found = labels()
    assert EXERCISE.findall(text)
    assert order == [item for label in EXERCISE.findall(text) for item in (found[label].words, YOURS)]


@of_each_edition
def test_modules_data_pictures_and_the_library_are_copied(chapter, folders, student):
    needed = [*chapter.parent.glob("*.py"), *chapter.parent.glob("data/*"), *(ROOT / "lib" / "sga").glob("*.py")]
    for cell in twin(chapter, folders[student]).cells:
        needed += [chapter.parent / name for name in re.findall(r"\]\(([^)\s:]+\.png)\)", cell.source)]
    for original in needed:
        copy = folders[student] / original.resolve().relative_to(ROOT)
        assert copy.read_bytes() == original.read_bytes()


def test_the_library_for_students_holds_no_answer_that_can_be_read(folders):
    home = folders[True] / "lib" / "sga"
    assert not (home / "exercises.toml").exists() and (folders[False] / "lib/sga/exercises.toml").is_file()
    hints = [wrong["hint"] for answer in ANSWERS.values() for wrong in answer["wrong"]]
    text = "".join(path.read_text(encoding="utf-8") for path in folders[True].rglob("*") if path.suffix in TEXTS)
    assert hints and [hint for hint in hints if hint in text] == []


@of_each_edition
def test_the_library_of_an_edition_checks_answers(folders, student):
    code = (
        "from sga.exercises import ANSWERS, check_answer\n"
        "print(len(ANSWERS), end=' ')\ncheck_answer('ex:landscape-half', 1.631)"
    )
    environment = {**os.environ, "PYTHONPATH": str(folders[student] / "lib")}
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, cwd=ROOT.anchor
    )
    assert (done.stdout, done.stderr) == (f"{0 if student else len(ANSWERS)} Right: 1.631.\n", "")


def test_an_answer_in_the_notebook_is_written_sealed_and_not_shown(small_book):
    own = 'answer = None  # a share\ncheck_answer("ex:one", answer, value=0.25, within=0.001, wrong={0.1: "A hint."})'
    root = small(small_book, ONE)
    edit(root / f"{CHAPTER}.ipynb", lambda notebook: notebook.cells.append(new_code_cell(own)))
    for student in KINDS:
        files = edition(root, student)
        assert sources(root, student)[-1] == 'answer = None  # a share\ncheck_answer("ex:one", answer)'
        assert "ex:one" in json.loads(files["lib/sga/exercises.json"])["exercises"]
        assert b"A hint." not in b"".join(files.values())


@of_each_edition
def test_links_lead_to_notebooks_of_the_edition(folders, student):
    for path in sorted(folders[student].rglob("*.ipynb")):
        cells = nbformat.read(path, as_version=4).cells
        text = "\n".join(cell.source for cell in cells if cell.cell_type == "markdown")
        for target in re.findall(r"\]\(([^)\s:]+\.ipynb)\)", text):
            assert (path.parent / target).is_file()


@of_each_edition
def test_the_first_page_lists_all_chapters_in_order(folders, student):
    readme = (folders[student] / "README.md").read_text(encoding="utf-8")
    (page,) = nbformat.read(folders[student] / "contents.ipynb", as_version=4).cells
    assert page.source == readme.rstrip("\n")
    listed = re.findall(r"^\d+\. \[.+\]\((\S+)\)$", readme, re.MULTILINE)
    assert listed == [path.relative_to(ROOT).as_posix() for path in NOTEBOOKS]
    assert "pip install ./lib" in readme and ("no solutions" in readme) is student


@pytest.mark.slow
@of_each_edition
def test_a_notebook_runs_in_a_folder_of_its_own_with_the_library_of_the_edition(folders, student):
    """A cheap notebook, executed with no other `sga` in sight; nbval executes the cells of the others."""
    path = folders[student] / CHEAP
    notebook = nbformat.read(path, as_version=4)
    notebook.cells.append(new_code_cell("import sga\nprint(sga.__file__)"))
    copy = path.with_name("run.ipynb")
    nbformat.write(notebook, copy)
    environment = {**os.environ, "PYTHONPATH": str(folders[student] / "lib")}
    run = (
        "import nbformat, sys\nfrom nbclient import NotebookClient\n"
        "notebook = nbformat.read(sys.argv[1], 4)\n"
        "NotebookClient(notebook, timeout=600).execute()\n"
        "nbformat.write(notebook, sys.argv[1])"
    )
    command = [sys.executable, "-c", run, copy]
    done = subprocess.run(command, cwd=path.parent, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    cells = code_cells(nbformat.read(copy, as_version=4))
    copy.unlink()
    assert str(folders[student] / "lib" / "sga") in cells[-1].outputs[0].text
    checks = [text for cell in cells for text in shown(cell) if text.startswith(("✓", "✗"))]
    assert len(checks) >= 10 and not [text for text in checks if text.startswith("✗")]


def test_the_edition_is_the_same_each_time(small_book):
    root = small(small_book, ONE, START, "three", END)
    assert edition(root) == edition(root)


def test_an_earlier_edition_is_replaced_and_other_files_are_left(tmp_path):
    write({"book/old.ipynb": b"old", "book/a.ipynb": b"old"}, tmp_path / "new", STUDENT)
    (tmp_path / "new" / "mine.txt").write_text("mine", encoding="utf-8")
    write({"book/a.ipynb": b"new"}, tmp_path / "new", STUDENT)
    files = {p.relative_to(tmp_path / "new").as_posix() for p in tmp_path.rglob("*") if p.is_file()}
    assert files == {inventory(STUDENT), "book/a.ipynb", "mine.txt"}
    assert (tmp_path / "new" / "book" / "a.ipynb").read_bytes() == b"new"


@pytest.mark.parametrize("name", ["", "book", "book/model", "book/model/student", "lib/sga/student", "student"])
def test_a_folder_among_the_sources_is_refused(name):
    with pytest.raises(EditionError, match="among the sources"):
        write({"book/a.ipynb": b""}, ROOT / name, STUDENT)
    assert not name.endswith("student") or not (ROOT / name).exists()


def test_a_folder_of_something_else_and_a_file_are_refused(tmp_path):
    (tmp_path / "notes.txt").write_text("mine", encoding="utf-8")
    for target in (tmp_path, tmp_path / "notes.txt"):
        with pytest.raises(EditionError, match="neither empty nor an earlier student edition"):
            write({"notes.txt": b""}, target, STUDENT)
    assert (tmp_path / "notes.txt").read_text(encoding="utf-8") == "mine"


@pytest.mark.slow
def test_the_command_names_the_fault_and_writes_nothing(small_book, tmp_path):
    small(small_book, START)
    command = [sys.executable, "book/press", "notebooks", tmp_path / "edition"]
    done = subprocess.run(command, cwd=small_book.root, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == f"{CHAPTER}.ipynb: cell 3 ex:one: solution-start without a solution-end\n"
    assert not (tmp_path / "edition").exists()
