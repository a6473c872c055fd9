"""Stored and fresh pictures must agree: a moved line is seen, a rounded color is not, and nbval's run uses this."""

import base64
import io

import matplotlib.pyplot as plt
import numpy as np
import pytest
from nbformat.v4 import new_code_cell, new_notebook, new_output
from PIL import Image

from books import nbval
from pictures import BLOCK, MEAN, SHARE, compare, difference
from press.execution import COLORS, METADATA, shrink
from sga import figures


def png(pixels):
    """Returns pixels as a PNG."""
    stream = io.BytesIO()
    Image.fromarray(np.asarray(pixels, dtype=np.uint8)).save(stream, "png")
    return stream.getvalue()


def line(row, height=300, width=400):
    """Returns a white picture with a black horizontal line, two pixels thick."""
    pixels = np.full((height, width, 3), 255)
    pixels[row : row + 2] = 0
    return pixels


def outputs(*pictures):
    """Returns the outputs of a cell that shows `pictures`."""
    return [new_output("display_data", data={"image/png": base64.b64encode(picture).decode()}) for picture in pictures]


def test_a_picture_agrees_with_itself():
    assert difference(png(line(100)), png(line(100))) == ""


@pytest.mark.parametrize("shift", [1, 10])
def test_a_moved_line_is_seen(shift):
    assert "of the pixels differ" in difference(png(line(100)), png(line(100 + shift)))


def test_a_change_of_color_in_one_channel_is_seen():
    other = line(100)
    other[100:102, :, 2] = 255
    assert "of the pixels differ" in difference(png(line(100)), png(other))


def test_a_rounding_difference_of_one_level_everywhere_is_not_seen():
    gray = np.full((300, 400, 3), 128)
    assert difference(png(gray), png(gray + 1)) == ""


@pytest.mark.parametrize(("extra", "agrees"), [(0, True), (1, False)])
def test_the_tolerated_share_of_pixels_is_exact(extra, agrees):
    other = line(100)
    count = round(SHARE * other.shape[0] * other.shape[1])
    other[200, np.arange(count + extra) * 6] = 0
    assert (difference(png(line(100)), png(other)) == "") is agrees


@pytest.mark.parametrize(("level", "agrees"), [(MEAN, True), (MEAN + 1, False)])
@pytest.mark.parametrize("place", [(0, 0), (299, 399)])
def test_the_tolerated_change_of_a_pale_block_is_exact(place, level, agrees):
    pale = np.full((300, 400, 3), 255)
    row, column = (BLOCK * (at // BLOCK) for at in place)
    pale[row : row + BLOCK, column : column + BLOCK, 1] -= level
    words = f"the block at {column}, {row} differs by {level:.1f} levels (allowed: {MEAN})"
    assert difference(png(np.full((300, 400, 3), 255)), png(pale)) == ("" if agrees else words)


def drawn(theta=(0.6, 1.18, 4), trap=-0.4, alpha=0.12, scale=1.0):
    """Returns the outputs of a cell that draws curves with a legend and shades a trap, as the chapters do."""
    figure, ax = figures.panels(height=2.8)
    rho = np.linspace(-1, 1, 401)
    for strength in theta:
        ax.plot(rho, scale * 4 * rho, label=rf"$\theta = {strength:.3g}$")
    ax.axvspan(-1, trap, color=figures.BLUE, alpha=alpha, linewidth=0)
    ax.set(xlim=(-1, 1), ylim=(-5, 5))
    ax.legend()
    stream = io.BytesIO()
    figure.savefig(stream, format="png", bbox_inches="tight")
    plt.close(figure)
    return outputs(stream.getvalue())


@pytest.mark.parametrize(
    ("change", "seen"),
    [
        ({}, ""),
        ({"scale": 1.0001}, ""),
        ({"scale": 1.01}, "of the pixels differ"),
        ({"alpha": 0.0}, "levels"),
        ({"alpha": 0.09}, "levels"),
        ({"trap": -0.35}, "levels"),
        ({"trap": -0.99}, "differ"),
        ({"theta": (1.6, 2.18, 5)}, "levels"),
        ({"theta": (0.7, 1.18, 4)}, "levels"),
    ],
    ids=str,
)
def test_pale_ink_and_small_print_are_seen(change, seen):
    stored = drawn()
    stored[0].data["image/png"] = shrink(stored[0].data["image/png"])
    words = compare(stored, drawn(**change))
    assert seen in words and bool(seen) is bool(words)


def test_another_size_is_seen():
    assert difference(png(line(100)), png(line(100, height=301))) == (
        "the stored one has 400 x 300 pixels, the fresh one 400 x 301"
    )


def test_a_transparent_background_counts_as_white():
    clear = np.zeros((300, 400, 4))
    assert difference(png(np.full((300, 400, 3), 255)), png(clear)) == ""


@pytest.mark.parametrize(("stored", "fresh"), [(1, 0), (0, 1), (1, 2)])
def test_a_missing_or_an_extra_picture_is_seen(stored, fresh):
    picture = png(line(100))
    words = compare(outputs(*[picture] * stored), outputs(*[picture] * fresh))
    assert words == f"the cell has {stored} stored and {fresh} fresh pictures"


def test_the_picture_that_differs_is_numbered():
    words = compare(outputs(png(line(100)), png(line(100))), outputs(png(line(100)), png(line(120))))
    assert words.startswith("picture 2: ")


def test_a_shrunk_picture_is_smaller_and_agrees_with_the_original():
    down, across = np.mgrid[0:256, 0:256]
    original = png(np.stack([down, across, (down * across) % 256], axis=-1) // 2 + 127)
    small = base64.b64decode(shrink(base64.b64encode(original).decode()))
    assert len(small) < len(original)
    assert len(Image.open(io.BytesIO(small)).getcolors()) <= COLORS
    assert compare(outputs(small), outputs(original)) == ""


DRAW = """import io
import numpy as np
from IPython.display import Image, display
import PIL.Image
pixels = np.full((300, 400, 3), 255, dtype=np.uint8)
pixels[100:102] = 0
stream = io.BytesIO()
PIL.Image.fromarray(pixels).save(stream, "png")
display(Image(stream.getvalue()))"""


@pytest.mark.slow
@pytest.mark.parametrize(("row", "verdict"), [(100, "1 passed"), (120, "1 failed")])
def test_nbval_fails_on_a_stored_picture_that_the_cell_does_not_draw(tmp_path, row, verdict):
    cell = new_code_cell(DRAW, execution_count=1, outputs=outputs(png(line(row))))
    cell.outputs[0].data["text/plain"] = "<IPython.core.display.Image object>"
    done = nbval(tmp_path, new_notebook(cells=[cell], metadata=METADATA))
    assert verdict in done.stdout
    assert ("Cell 0: picture 1: 1." in done.stdout) is (row != 100)
