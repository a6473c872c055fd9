"""Every statement of a chapter that claims something is proved there, or quoted with its reason."""

import re

import nbformat
import pytest

from press.structure import ROOT, toc_notebooks

BLOCK = re.compile(r"^(:{3,})\{prf:(\w+)\}[^\n]*\n(.*?)^\1\s*$", re.MULTILINE | re.DOTALL)
LABEL = re.compile(r"^:label: (\S+)$", re.MULTILINE)
#: A proof that does not follow its statement begins with these words.
OF = re.compile(r"\(Of \{prf:ref\}`([^`]+)`")
STATEMENTS = {"theorem", "proposition", "lemma", "corollary"}
#: Statements that are not proved in the book, and why.
QUOTED = {"thm:ode-limit": "Benaïm's theorem, cited by number; what the book uses of it is proved after it"}

NOTEBOOKS = toc_notebooks()


def blocks(text):
    """Returns the kind, the label and the content of every block of sphinx-proof in a text."""
    found = [(match[2], match[3]) for match in BLOCK.finditer(text)]
    return [(kind, (LABEL.search(content) or [None, None])[1], content) for kind, content in found]


def unproved(text):
    """Returns the labels of the statements that neither a proof follows nor one names."""
    found = blocks(text)
    named = {match[1] for kind, _, content in found if kind == "proof" and (match := OF.match(content.strip()))}
    following = [*(kind for kind, _, _ in found[1:]), None]
    return [
        label
        for (kind, label, _), after in zip(found, following, strict=False)
        if kind in STATEMENTS and after != "proof" and label not in named
    ]


def markdown(path):
    """Returns the text of a notebook between its code cells."""
    cells = nbformat.read(path, as_version=4).cells
    return "\n\n".join(cell.source for cell in cells if cell.cell_type == "markdown")


@pytest.mark.parametrize("path", NOTEBOOKS, ids=[path.relative_to(ROOT / "book").as_posix() for path in NOTEBOOKS])
def test_every_statement_is_proved_or_quoted(path):
    assert [label for label in unproved(markdown(path)) if label not in QUOTED] == []


def test_what_is_quoted_is_in_the_book_and_not_proved():
    assert sorted(label for path in NOTEBOOKS for label in unproved(markdown(path))) == sorted(QUOTED)


def test_most_of_the_book_is_proved():
    kinds = [kind for path in NOTEBOOKS for kind, _, _ in blocks(markdown(path))]
    assert sum(kind in STATEMENTS for kind in kinds) > 90
    assert kinds.count("proof") > 90


STATEMENT = ":::{{prf:lemma}} A\n:label: {}\n\nIt is so.\n:::\n\n"
PROOF = ":::{prf:proof}\nBecause.\n:::\n\n"


@pytest.mark.parametrize(
    ("text", "labels"),
    [
        (STATEMENT.format("a") + PROOF, []),
        (STATEMENT.format("a"), ["a"]),
        (STATEMENT.format("a") + STATEMENT.format("b") + PROOF, ["a"]),
        (STATEMENT.format("a") + STATEMENT.format("b") + PROOF + PROOF.replace("Bec", "(Of {prf:ref}`a`.) Bec"), []),
        (PROOF + STATEMENT.format("a"), ["a"]),
    ],
)
def test_a_statement_without_a_proof_is_seen(text, labels):
    assert unproved(text) == labels
