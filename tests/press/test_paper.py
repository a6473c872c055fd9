"""What paper gets in place of what a web page shows: the LaTeX of a small book, without TeX."""

import pytest
from nbformat.v4 import new_output

import evidence
from books import SmallBook, build
from evidence import words

LATEX = ("build", ".", "-n", "-W", "--keep-going", "--builder", "latex")
PROOF = "```{prf:proof}\nIt is *short*.\n```\n"
MARGIN = "```{margin} Beside\nA note.\n```\n\n```{margin}\nAnother note.\n```\n"
EXPLORER = (
    ":::{explorer} mass\n:name: fig-mass\n\n![A still picture](../_static/explorers/mass.png)\n\nA caption.\n:::\n"
)
EXERCISE = "```{exercise} One\n:label: ex:one\nTry.\n```\n"
GLOSSARY = "```{glossary}\nρ-flow\n: A flow.\n```\n"


def shown(bundle):
    """Returns the output of a cell that shows a bundle."""
    return new_output("display_data", data=bundle)


@pytest.fixture(scope="module")
def latex(tmp_path_factory):
    """The LaTeX of a book with a page and a notebook."""
    folder = tmp_path_factory.mktemp("paper")
    book = SmallBook(folder / "source", folder / "target")
    claim = evidence.Claim("B1.a", "the sum $a_1 + b$ is 3 & more", assumes="$a_1 = 1$")
    check = evidence.Check("B1.a", "a & b", "identity", "symbolic", True, n=2)
    entry = {"id": "B1.a", "statement": "the sum $a_1 + b$ & more", "scopes": ["symbolic"], "verdict": "passed"}
    checked = words.bundle({"kind": "checked", "claims": [entry]})
    outputs = [[shown(bundle)] for bundle in (claim.shown(), check.shown(), checked)]
    book.notebook("book/part/one", *zip("123", outputs, strict=True))
    book.text(
        "book/part/two.md",
        f"# Page two\n\nSee {{numref}}`fig-mass` and {{ref}}`start`.\n\n{PROOF}\n{MARGIN}\n{EXPLORER}",
    )
    book.chapter("book/part/two")
    book.text("book/intro.md", "(start)=\n# A small book\n")
    book.text("book/part/four.md", f"# Page four\n\nSee {{ref}}`ex:one`.\n\n{EXERCISE}\n{GLOSSARY}")
    book.chapter("book/part/four")
    book.text("book/part/three.md", "# Page three\n\nLook at {claim}`B1.a`.\n\n```{ledger}\n```\n")
    book.text("book/claims.toml", "claim = []\n")
    book.chapter("book/part/three")
    done = build(book.root, book.target, LATEX)
    assert done.returncode == 0, done.stdout + done.stderr
    text = (book.target / "_build" / "latex" / "signal-recovery.tex").read_text(encoding="utf-8")
    return " ".join(text.split("\\begin{document}")[1].replace("\\sphinxAtStartPar", "").split())


def test_a_claim_and_a_check_are_typeset(latex):
    name = r"\sphinxstylestrong{Claim B1.a} · \(\checkmark\) passed: symbolic."
    statement = r"\DUrole{sga-statement}{The sum \(a_1 + b\) is 3 \& more. Assumes: \(a_1 = 1\).}"
    assert f"{name} {statement}" in latex
    assert r"\sphinxstylestrong{\(\checkmark\) Passed} · a \& b: SymPy reduces all 2 differences to 0." in latex


def test_a_list_of_claims_is_a_table_that_fits_the_page(latex):
    assert latex.count(r"\X{64}{100}") == 1
    assert r"the sum \(a_1 + b\) \& more" in latex


def test_a_claim_in_a_text_leads_to_the_claim(latex):
    label = r"\detokenize{book/part/one:claim-B1.a}"
    assert rf"Look at {{\hyperref[{label}]{{" in latex


def test_the_ledger_leads_to_the_claim(latex):
    label = r"\detokenize{book/part/one:claim-B1.a}"
    assert rf"\label{{{label}}}" in latex
    assert rf"\hyperref[{label}]" in latex


def test_tables_of_the_ledger_fit_the_page(latex):
    assert r"\begin{sphinxuseclass}{sga-small}" in latex
    assert latex.count(r"\X{22}{100}") == 1


def test_a_proof_has_no_frame_and_its_first_word_is_in_italics(latex):
    start = r"\begin{sphinxuseclass}{sga-proof} \sphinxstyleemphasis{Proof.} It is \sphinxstyleemphasis{short}."
    assert start in latex


def test_notes_of_the_margin_are_paragraphs(latex):
    first, second = latex.split(r"\begin{sphinxuseclass}{margin}")[1:]
    assert first.strip().startswith(r"\sphinxstylestrong{Beside} A note.")
    assert second.strip().startswith("Another note.")


def test_a_reference_to_an_exercise_finds_its_label(latex):
    assert r"\hyperref[exercise:ex:one]{Exercise 3.1}" in latex
    assert r"\label{exercise:ex:one}" in latex


def test_the_index_has_a_greek_letter_by_its_name(latex):
    assert r"\index{rho\sphinxhyphen{}flow@" in latex


def test_a_figure_that_moves_says_so(latex):
    assert r"A caption. On the web this figure can be moved." in latex


def test_the_first_page_is_a_chapter_without_a_number_before_the_first_part(latex):
    order = [
        r"\setcounter{secnumdepth}{-1}",
        r"\chapter{Introduction}",
        r"\part{Part}",
        r"\setcounter{secnumdepth}{2}",
        r"\chapter{Chapter one}",
    ]
    assert sorted(order, key=latex.index) == order


def test_a_reference_to_the_first_page_leads_there(latex):
    label = r"\detokenize{book/intro:start}"
    assert rf"\hyperref[{label}]" in latex
    assert latex.count(rf"\label{{{label}}}") == 1
