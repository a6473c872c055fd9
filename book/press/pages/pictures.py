"""Sphinx extension: figures of several panels, whole on a phone, and formulas that keep the mark behind them.

A figure whose panels stand side by side is cut between them, where a column of the picture is blank, and its pieces
are stacked; a narrow screen shows the stack. A figure that has something across its gutter stays as it is.
"""

import hashlib
import io
from itertools import pairwise
from pathlib import Path

import numpy as np
from docutils import nodes
from PIL import Image
from sphinx.transforms.post_transforms import SphinxPostTransform

from press.structure import SHARP

#: Up to this width of the screen panels are stacked.
NARROW = "(max-width: 600px)"
#: Brightness from which on a point is blank, and up to which it belongs to a line.
BLANK, LINE = 250, 120
#: Least width of a gutter and of a panel's axis, as shares of the picture's width.
GUTTER, AXIS = 0.011, 0.15
COLORS = 128
MARKS = ".,;:?!)]"


def panels(picture):
    """Returns the ranges [start, end) of columns of the panels of a picture; one if it cannot be cut.

    Args:
        picture: a PIL image on white.
    """
    gray = np.asarray(picture.convert("L"))
    width, blank = gray.shape[1], np.all(gray >= BLANK, axis=0)
    dark = gray <= LINE
    long = dark[dark.sum(axis=1) >= AXIS * width]
    runs = [_runs(row, AXIS * width) for row in long] or [[]]
    axes = max(runs, key=lambda found: (len(found), sum(b - a for a, b in found)))
    cuts = []
    for (_, end), (start, _) in pairwise(axes):
        gutters = [(a + end, b + end) for a, b in _runs(blank[end:start], GUTTER * width)]
        if not gutters:
            return [(0, width)]
        cuts.append(sum(gutters[0]) // 2)
    edges = [0, *cuts, width]
    return list(pairwise(edges))


def _runs(flags, least):
    """Returns the ranges [start, end) of at least `least` consecutive true flags."""
    steps = np.flatnonzero(np.diff(np.concatenate([[False], flags, [False]]).astype(int)))
    return [(a, b) for a, b in zip(steps[::2], steps[1::2], strict=True) if b - a >= least]


def stack(picture):
    """Returns the picture with its panels below each other, or None if it has but one."""
    parts = panels(picture)
    if len(parts) < 2:
        return None
    picture, high = picture.convert("RGB"), picture.height
    whole = Image.new("RGB", (max(b - a for a, b in parts), high * len(parts)), "white")
    for number, (a, b) in enumerate(parts):
        whole.paste(picture.crop((a, 0, b, high)), (0, number * high))
    return whole


class Pictures(SphinxPostTransform):
    """Offers the stack of each figure of several panels to narrow screens, and glues marks to formulas."""

    default_priority = 240
    formats = ("html",)

    def run(self, **kwargs):
        """Changes the tree of a page."""
        for image in list(self.document.findall(nodes.image)):
            source = Path(self.env.srcdir, image["uri"])
            if source.suffix != ".png" or "jupyter_execute" not in source.parts:
                continue
            with Image.open(source) as picture:
                image["width"] = f"{picture.width // SHARP}px"
            if name := self.stacked(source):
                address = (
                    f"{self.app.builder.get_relative_uri(self.env.docname, 'index').rpartition('/')[0] or '.'}/{name}"
                )
                begin = f'<picture><source media="{NARROW}" srcset="{address}">'
                image.replace_self([_html(begin), image.deepcopy(), _html("</picture>")])
        for formula in list(self.document.findall(nodes.math)):
            self.glue(formula)

    def stacked(self, source):
        """Writes the stack of the picture at `source` among the images of the site; returns its name, or None."""
        content = source.read_bytes()
        name = f"_images/{hashlib.sha256(content).hexdigest()[:24]}-stacked.png"
        target = Path(self.app.outdir) / name
        if not target.exists():
            whole = stack(Image.open(io.BytesIO(content)))
            if whole is None:
                return None
            target.parent.mkdir(exist_ok=True)
            whole.quantize(COLORS, dither=Image.Dither.NONE).save(target, "png", optimize=True)
        return name

    def glue(self, formula):
        """Keeps the mark behind a formula on its line."""
        after = formula.next_node(descend=False, siblings=True)
        text = after.astext() if isinstance(after, nodes.Text) else ""
        marks = text[: len(text) - len(text.lstrip(MARKS))]
        if marks:
            formula.parent.replace(after, nodes.Text(text[len(marks) :]))
            formula.replace_self(nodes.inline("", "", formula.deepcopy(), nodes.Text(marks), classes=["sga-nobreak"]))


def _html(text):
    return nodes.raw("", text, format="html")


def setup(app):
    """Registers the transform."""
    app.add_post_transform(Pictures)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
