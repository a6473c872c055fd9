"""How a chapter reads: its parts in order, little code in sight, pictures, and the idea of every folded proof."""

import re
from statistics import median

import nbformat
import pytest

from press.depths import Role, role_of, shown_lines
from press.pages.depths import LONG
from press.structure import toc_notebooks

PARTS = ("Objectives", "What to remember", "What we checked", "Exercises", "Notes and sources")
PROOF = re.compile(r"^:::+\{prf:proof\}.*?\n(.*?)^:::+\s*$", re.MULTILINE | re.DOTALL)
WHY = "**Why it is true.**"


def texts(notebook):
    """The markdown cells of a notebook, each as its text."""
    return [cell.source for cell in notebook.cells if cell.cell_type == "markdown"]


def test_a_chapter_shows_the_code_that_a_reader_would_write_and_folds_the_rest():
    lines = {path.stem: shown_lines(nbformat.read(path, as_version=4)) for path in toc_notebooks()}
    primer = [lines[path.stem] for path in toc_notebooks() if path.parent.name == "primer"]
    assert median(lines.values()) < 120
    assert median(primer) < 90
    assert min(lines.values()) > 0


def test_the_parts_of_a_chapter_stand_in_one_order(notebook):
    headings = re.findall(r"^## (.*)$", "\n".join(texts(notebook)), re.MULTILINE)
    assert [heading for heading in headings if heading in PARTS] == list(PARTS)
    assert headings[0] == PARTS[0] and headings[-4:] == list(PARTS[1:])


def test_a_chapter_begins_with_its_question_and_the_answer_in_short(notebook):
    first = notebook.cells[0].source
    question, _, answer = first.partition("**In short.**")
    assert "?" in question.split("\n# ", 1)[1]
    assert 20 < len(answer.split("\n:::")[0].split()) < 110


def test_every_folded_proof_has_its_idea_in_front_of_it(notebook):
    for text in texts(notebook):
        for proof in PROOF.finditer(f"{text}\n"):
            if len(proof[1].split()) > LONG:
                before = text[: proof.start()].rstrip().rpartition("\n\n")[2]
                assert before.startswith(WHY), proof[1][:80]
                assert 10 < len(before.split()) < 75


def test_a_chapter_has_something_to_remember(notebook):
    text = "\n".join(texts(notebook)).split("## What to remember")[1].split("\n## ")[0]
    assert 60 < len(text.split()) < 300


def cell(source, tags=(), metadata=None, kind=None):
    """A code cell with a record of some kind in its output."""
    outputs = [{"data": {"application/vnd.sga.evidence+json": {"kind": kind}}}] if kind else []
    return {"source": source, "metadata": {"tags": list(tags), **(metadata or {})}, "outputs": outputs}


@pytest.mark.parametrize(
    ("found", "role"),
    [
        (cell("x = 1"), Role.SHOWN),
        (cell("import numpy as np\nfrom sga import Model"), Role.IMPORTS),
        (cell("%pip install sga"), Role.SHOWN),
        (cell("c = claim()", kind="claim"), Role.CLAIM),
        (cell("c.mean()", kind="check"), Role.CHECK),
        (cell("checked()", kind="checked"), Role.LIST),
        (cell("answer = None\ncheck_answer('ex:a', answer)"), Role.ANSWER),
        (cell("x = 1", ["check"]), Role.SERVES),
        (cell("x = 1", ["remove-cell"]), Role.LEFT_OUT),
        (cell("plt.show()", metadata={"mystnb": {"figure": {"name": "fig-a"}}}), Role.FIGURE),
    ],
)
def test_what_a_cell_is_for_follows_from_its_record_its_source_and_its_tag(found, role):
    assert role_of(found) == role
