"""Plain Markdown of chapters: what becomes of roles, directives, formulas and numbers."""

import re

import nbformat
import pytest
from nbformat.v4 import new_markdown_cell

from books import edit, parse
from editions import CHAPTER, END, MACROS, ONE, START, small, sources
from press.commands.editions import EditionError
from press.commands.notebooks import edition
from press.notebooks.chapters import YOURS
from press.notebooks.numbers import targets
from press.notebooks.plain import Chapter, begun, folded, quoted, spelled
from press.structure import ROOT, toc_notebooks

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


@pytest.mark.slow
def test_references_have_the_numbers_and_titles_of_the_pages(built_book):
    found, compared = targets(), 0
    for path in toc_notebooks():
        page = parse(built_book / path.relative_to(ROOT).with_suffix(".html"))
        links = [link for link in page.select("article a.internal[href]") if not link.select("img")]
        said = {(link["href"].rpartition("#")[2], " ".join(link.get_text().split())) for link in links}
        cells = (cell.source for cell in nbformat.read(path, as_version=4).cells if cell.cell_type == "markdown")
        for label in set(re.findall(r"\{(?:eq|numref|prf:ref|ref)\}`([^`<]+)`", "\n".join(cells))):
            anchor = f"equation-{label.replace(':', '-')}" if found[label].words[0] == "(" else label
            assert (anchor, found[label].words) in said
            compared += 1
    assert compared > 500


def test_what_a_chapter_says_becomes_plain_markdown(small_book):
    root = small(small_book, MYST)
    assert sources(root)[2:] == [
        "## 1.1. A part\n\n> **Beside.** A *note* on (1.1).\n\nText of $\\mathbb{E} x$:\n\n"
        "$$\n\\lVert x \\rVert = 1 \\tag{1.1}\n$$\n\n> **Theorem 1.1 (Of one).** By (1.1),\n>\n"
        "> $$ \\begin{aligned} a &= b \\\\ c \\end{aligned} $$\n\n**Proof.** See Robbins and Monro (1951).\n\n"
        "### 1.1.1. More\n\nSee Theorem 1.1 in A part and words; `{eq}` is code, (Robbins and Monro, 1951).",
        "## References\n\n- Herbert Robbins and Sutton Monro. A stochastic approximation method. *The Annals of "
        "Mathematical Statistics*, 22(3):400–407, 1951. [doi:10.1214/aoms/1177729586]"
        "(https://doi.org/10.1214/aoms/1177729586).",
    ]


def test_a_reference_to_another_chapter_is_a_link(small_book):
    root = small(small_book, "See {eq}`eq:two` in {doc}`/book/other/second`, and {doc}`/book/intro`.")
    path = small_book.notebook("book/other/second", ("1", ()))
    edit(path, lambda notebook: notebook.cells.append(new_markdown_cell("$$\nx\n$$ (eq:two)")))
    there = "../other/second.ipynb"
    assert sources(root)[-1] == f"See [(2.1)]({there}) in [Chapter second]({there}), and *A small book*."


def test_pieces_of_text():
    assert spelled(r"\norm f^2 + \norm{\E\{x\}} + \Ex + \norm\xi", MACROS) == (
        r"\lVert f \rVert^2 + \lVert \mathbb{E}\{x\} \rVert + \Ex + \lVert \xi \rVert"
    )
    assert quoted("a\n\n$$\nb\n$$") == "> a\n>\n> $$ b $$"
    assert folded("Proof", "a") == "<details><summary>Proof</summary>\n\na\n\n</details>"
    assert begun("Proof.", "- a") == "**Proof.**\n\n- a" and begun("Proof.", "a") == "**Proof.** a"


def test_a_formula_in_a_list_stays_in_it_and_one_behind_a_letter_is_set_apart():
    chapter = Chapter(ROOT, "1", {}, {}, None)
    assert chapter.text("1. one\n\n   $$\n   a\n   $$\n\n   two, Beta$(a)$") == (
        "1. one\n\n   $$\n   a\n   $$\n\n   two, Beta $(a)$"
    )


def test_links_to_a_solution_lead_there_or_become_words(small_book):
    root = small(small_book, ONE, START, "three", END, "See {ref}`sol:one`, {ref}`there <sol:one>`, {ref}`ex:one`.")
    assert sources(root, student=True)[-1] == "See the solution, there, Exercise 1.1."
    assert "See Solution to Exercise 1.1, there, Exercise 1.1." in sources(root)


def test_text_that_shares_a_cell_with_a_gate_is_left_if_it_is_outside(small_book):
    root = small(small_book, f"{ONE}\n\n{START}\n\nsecret", f"secret\n{END}\n\n## Notes")
    assert sources(root, student=True)[2:] == ["> **Exercise 1.1 (A first one).** How many?", YOURS, "## 1.1. Notes"]
    assert b"secret" not in b"".join(edition(root, student=True).values())


@pytest.mark.parametrize(
    ("texts", "words"),
    [
        ((START, "secret"), "cell 3 ex:one: solution-start without a solution-end"),
        ((START, "secret", START, END), "cell 3 ex:one: solution-start without a solution-end"),
        (("secret", END), "cell 4: solution-end without a solution-start"),
        ((":::{solution} ex:one\nsecret\n:::",), "cell 3 has a directive for solutions"),
        ((":::{solution-start} ex:one\nsecret",), "cell 3 has a directive for solutions"),
        (("![A picture](missing.png)",), "there is no picture"),
        ((":::{tip}\nsecret\n:::",), "the directive 'tip' has no form in plain Markdown"),
        (("{kbd}`F`",), "the role 'kbd' has no form in plain Markdown"),
        (("{ref}`nowhere`",), "there is no label 'nowhere'"),
        (("```{margin} Open\nsecret",), "is not closed"),
    ],
)
def test_a_notebook_with_a_fault_is_named(small_book, texts, words):
    with pytest.raises(EditionError, match=f"^{CHAPTER}.ipynb: .*{words}"):
        edition(small(small_book, *texts))
