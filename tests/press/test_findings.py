"""A finding shows the stored picture of a chapter, stacked on a phone; a name that no chapter has stops the build."""

import base64
import io

import matplotlib as mpl
import matplotlib.pyplot as plt
import pytest
from nbformat.v4 import new_output
from PIL import Image

from books import edit
from press.freshness import keep, stamp
from sga import figures


@pytest.fixture
def book(small_book):
    """A small book with a chapter that has a figure of two panels."""
    with mpl.rc_context({"backend": "Agg"}):
        figure, axes = figures.panels(2)
        for ax in axes:
            ax.plot([0, 1], [0, 1])
        buffer = io.BytesIO()
        figure.savefig(buffer, format="png")
        plt.close(figure)
    encoded = base64.b64encode(buffer.getvalue()).decode()
    path = small_book.notebook(
        "book/part/one", ("plt.show()", [new_output("display_data", data={"image/png": encoded})])
    )
    about = {"figure": {"name": "fig-two", "caption": "Two."}, "image": {"alt": 'Two rising lines, "side by side"'}}
    edit(path, lambda notebook: notebook.cells[1].metadata.update(mystnb=about))
    keep({path: stamp(path, small_book.root)}, small_book.root)
    return small_book, buffer.getvalue()


def test_a_finding_has_the_picture_its_words_and_a_stack_for_narrow_screens(book):
    small, png = book
    small.text("book/intro.md", "# A small book\n\n:::{finding} fig-two\n**Two lines.** They rise.\n:::\n")
    done = small.build()
    assert done.returncode == 0, done.stdout + done.stderr
    block = small.page("book/intro").select_one(".sga-finding")
    assert base64.b64decode(block.img["src"].partition(",")[2]) == png
    assert block.img["alt"] == 'Two rising lines, "side by side"'
    assert "They rise." in block.get_text()
    whole, stacked = (
        Image.open(io.BytesIO(base64.b64decode(address.partition(",")[2])))
        for address in (block.img["src"], block.source["srcset"])
    )
    assert stacked.height == 2 * whole.height


def test_a_finding_without_its_figure_stops_the_build(book):
    small, _ = book
    small.text("book/intro.md", "# A small book\n\n:::{finding} fig-none\nWords.\n:::\n")
    done = small.build()
    assert done.returncode != 0
    assert "no notebook has a figure 'fig-none'" in done.stdout + done.stderr
