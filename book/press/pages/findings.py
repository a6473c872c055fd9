"""Sphinx extension: the directive `finding`, a picture of a chapter with what it shows, on another page.

    :::{finding} fig-landscape-trap
    **Strong signals build a trap.** What was found, with a link.
    :::

The picture is the one that the chapter's notebook has stored, so it cannot say anything else than the chapter does.
"""

import base64
import io
from html import escape
from pathlib import Path

from docutils import nodes
from PIL import Image
from sphinx.util.docutils import SphinxDirective

from press.freshness import load, text_of
from press.pages.pictures import COLORS, NARROW, stack
from press.structure import code_cells, toc_notebooks


def picture(root, name):
    """Returns (notebook, PNG, alternative text) of the figure called `name`; None if there is none."""
    for path in toc_notebooks(root):
        for cell in code_cells(load(path)):
            about = cell["metadata"].get("mystnb", {})
            if about.get("figure", {}).get("name") == name:
                found = [
                    output["data"]["image/png"] for output in cell["outputs"] if "image/png" in output.get("data", {})
                ]
                return path, base64.b64decode(text_of(found[0])), about["image"]["alt"]
    return None


def address(png):
    """Returns a PNG as an address that holds it."""
    return f"data:image/png;base64,{base64.b64encode(png).decode()}"


class Finding(SphinxDirective):
    """A figure of a chapter, by its name, and beside it the text that the directive holds."""

    required_arguments = 1
    has_content = True

    def run(self):
        """Returns the text with the picture in front of it."""
        found = picture(Path(self.env.srcdir), self.arguments[0])
        if found is None:
            raise self.error(f"no notebook has a figure {self.arguments[0]!r}")
        path, png, alt = found
        self.env.note_dependency(str(path))
        image = f'<img src="{address(png)}" alt="{escape(alt)}" loading="lazy">'
        if stacked := stack(Image.open(io.BytesIO(png))):
            small = io.BytesIO()
            stacked.quantize(COLORS, dither=Image.Dither.NONE).save(small, "png", optimize=True)
            image = f'<picture><source media="{NARROW}" srcset="{address(small.getvalue())}">{image}</picture>'
        block = nodes.container("", nodes.raw("", image, format="html"), classes=["sga-finding"])
        text = nodes.container()
        self.state.nested_parse(self.content, self.content_offset, text)
        block += text
        return [block]


def setup(app):
    """Registers the directive and the style of the first pages."""
    app.add_directive("finding", Finding)
    app.add_css_file("pages.css")
    return {"parallel_read_safe": True, "parallel_write_safe": True}
