"""Figures of several panels are cut between them; a figure with something across its gutter is not."""

import io

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import pytest
from PIL import Image

from press.pages.pictures import panels, stack
from sga import figures


def drawn(columns, across=False, **kwargs):
    """A figure in the style of the book, as notebooks store it, and where its axes stand."""
    with mpl.rc_context({"backend": "Agg"}):
        figure, axes = figures.panels(columns, **kwargs)
        for number, ax in enumerate(np.ravel(axes)):
            ax.plot([0, 1], [0, 10.0**number])
            ax.set(xlabel="time", ylabel=f"height {number}")
        if across:
            figure.suptitle("a title that goes across the gutter of both panels")
        buffer = io.BytesIO()
        figure.savefig(buffer, format="png")
        boxes = [ax.get_tightbbox().extents[[0, 2]] for ax in np.ravel(axes)]
        plt.close(figure)
    return Image.open(buffer), boxes


@pytest.mark.parametrize("columns", [2, 3])
@pytest.mark.parametrize("sharey", [False, True])
def test_each_panel_is_in_one_piece_with_its_labels(columns, sharey):
    picture, boxes = drawn(columns, sharey=sharey)
    parts = panels(picture)
    assert len(parts) == columns
    for (left, right), (a, b) in zip(boxes, parts, strict=True):
        assert a <= left + 1 and right - 1 <= b


@pytest.mark.parametrize("columns", [2, 3])
def test_a_stack_has_all_panels_below_each_other(columns):
    picture, _ = drawn(columns)
    whole = stack(picture)
    assert whole.height == columns * picture.height
    assert whole.width < picture.width / (columns - 0.6)
    dark = [np.count_nonzero(np.asarray(image.convert("L")) < 100) for image in (picture, whole)]
    assert dark[0] == dark[1], "nothing is lost"


def test_one_panel_and_panels_with_a_common_title_stay_as_they_are():
    assert stack(drawn(1)[0]) is None
    assert stack(drawn(2, across=True)[0]) is None
