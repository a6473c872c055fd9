"""What the head of a page says of it: a paragraph that needs no typesetting, short, and never a list or a table."""

import pytest
from docutils import nodes
from docutils.core import publish_doctree

from press.pages.descriptions import LONGEST, description

QUESTION = "How does a recursion with noise find the zero of a function that nobody can see exactly?"
TITLE = "Title\n=====\n\n"
SUM = f"{TITLE}The sum :math:`\\sum_k a_k` is long, and this paragraph has it in a formula."
BAG = f"{TITLE}A hidden direction :math:`\\xi` of signal strength :math:`\\theta` is to be found in the bag."


@pytest.mark.parametrize(
    ("source", "said"),
    [
        (f"{TITLE}{QUESTION}\n\nIts answer stands below, in a paragraph of its own, with a proof.", QUESTION),
        (f"{TITLE}Short.\n\n- {QUESTION} But in a list.\n\n{QUESTION}", QUESTION),
        (f"{SUM}\n\n{QUESTION}", QUESTION),
        (BAG, "A hidden direction ξ of signal strength θ is to be found in the bag."),
        (f"{TITLE}Nothing.", ""),
    ],
)
def test_the_description_is_the_first_paragraph_that_needs_no_typesetting(source, said):
    assert description(publish_doctree(source)) == said


def test_a_long_paragraph_is_cut_at_a_word():
    tree = nodes.paragraph("", "", nodes.Text("attention " * 40))
    document = publish_doctree(TITLE)
    document += tree
    said = description(document)
    assert len(said) <= LONGEST + 2 and said.endswith("attention …")
