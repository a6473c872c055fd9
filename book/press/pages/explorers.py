"""Sphinx extension: the directive `explorer`, a figure that a reader moves.

    :::{explorer} landscape
    :name: fig-landscape-explorer

    ![What the still picture shows](../_static/explorers/landscape.png)

    The caption.
    :::

It makes an ordinary figure of the picture, which is what paper, notebook viewers and pages without scripts show. On a
page, the scripts in `_static/explorers` put the moving one in its place. `stills` makes the pictures.
"""

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.util.docutils import SphinxDirective

KINDS = ("landscape", "ode", "mass", "sign", "walk", "steps", "freeze")
#: The scripts that every explorer needs, in the order in which they run; then comes the one named like its kind.
SHARED = ("formulas", "drawing", "frame", "pieces")


class Explorer(SphinxDirective):
    """A figure of a kind of KINDS: a picture, then its caption."""

    required_arguments = 1
    has_content = True
    option_spec = {"name": directives.unchanged_required}  # noqa: RUF012

    def run(self):
        """Returns the figure."""
        kind = self.arguments[0]
        if kind not in KINDS:
            raise self.error(f"there is no explorer {kind!r}; there are {', '.join(KINDS)}")
        content = nodes.Element()
        self.state.nested_parse(self.content, self.content_offset, content)
        picture, caption = self._picture(content, kind), content.children[1:]
        if not caption or not all(isinstance(node, nodes.paragraph) for node in caption):
            raise self.error("an explorer needs a caption of one or more paragraphs")
        first = nodes.caption("", "", *caption[0].children)
        self.set_source_info(first)
        figure = nodes.figure("", picture, first, classes=["explorer", f"explorer-{kind}"])
        if caption[1:]:
            figure += nodes.legend("", *caption[1:])
        self.set_source_info(figure)
        self.add_name(figure)
        return [figure]

    def _picture(self, content, kind):
        """Returns the image that the content begins with, and makes sure that it is the one for this kind."""
        first = content.children[0] if content.children else None
        image = next(iter(first.findall(nodes.image)), None) if first is not None else None
        if image is None or not image["uri"].endswith(f"_static/explorers/{kind}.png"):
            raise self.error(f"an explorer begins with its picture, _static/explorers/{kind}.png")
        if not image.get("alt", "").strip():
            raise self.error("the picture of an explorer needs an alternative text")
        image.parent.remove(image)
        return image


def add_files(app, pagename, templatename, context, doctree):
    """Lets a page that has explorers load the style sheet, the scripts of its kinds and, for `ode`, the stored runs."""
    figures = doctree.findall(nodes.figure) if doctree is not None else ()
    classes = {name for figure in figures for name in figure["classes"]}
    if kinds := [kind for kind in KINDS if f"explorer-{kind}" in classes]:
        app.add_css_file("explorers.css")
        for name in (*SHARED, *(["runs"] if "ode" in kinds else []), *kinds):
            app.add_js_file(f"explorers/{name}.js", loading_method="defer")


def setup(app):
    """Registers the extension."""
    app.add_directive("explorer", Explorer)
    app.connect("html-page-context", add_files)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
