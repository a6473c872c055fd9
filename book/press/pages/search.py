"""Sphinx extension: the search finds what a page says, not its code."""

from docutils import nodes


def leave_out_code(app):
    """Lets the builder of pages index their text without blocks of code and printed output."""
    builder = app.builder
    if builder.format != "html" or not getattr(builder, "search", False):
        return
    index_page = builder.index_page

    def index_text(pagename, doctree, title):
        blocks = [(block, block.children) for block in doctree.findall(nodes.literal_block)]
        for block, _ in blocks:
            block.children = []
        index_page(pagename, doctree, title)
        for block, children in blocks:
            block.children = children

    builder.index_page = index_text


def setup(app):
    """Registers the listener."""
    app.connect("builder-inited", leave_out_code)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
