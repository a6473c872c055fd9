"""Sphinx extension: the page for teachers in directives, so that slides can be made of it and a slip stops the build.

A section that has a `{board}` is a session, and becomes a deck. It can have

- `{sections}`, `{homework}`, `{exam}`, `{short}` and `{talks}`, which begin with their words in bold on the page;
- `{demo}`: for each question an `{ask}`, which a paragraph that sets the scene may precede, and at once its `{see}`;
- `{misconception}`: a wrong sentence, then its `{repair}`.

`{ask}` can be followed by other words than "Ask first". On the page a demonstration is one paragraph and misconceptions
are a list; each part keeps its kind as a class, by which the slides find it.
"""

import re

from docutils import nodes
from sphinx.errors import SphinxError
from sphinx.util.docutils import SphinxDirective

#: The words in bold with which a block begins on the page.
LEADS = {
    "sections": "Sections",
    "board": "On the board",
    "demo": "Live",
    "misconception": "Misconceptions",
    "homework": "Exercises",
    "exam": "Oral exam",
    "short": "When short",
    "talks": "Talks",
}
#: The words in italics with which a part of a block begins.
MARKS = {"ask": "Ask first:", "see": "They should see", "repair": "Repair:"}
#: What a block consists of, one letter a part: a paragraph (p), a list (l), or a part by its first letter.
FORMS = {
    "demo": ("(p?as)+", "one or more {ask}, each with its {see} behind it and at most a paragraph before it"),
    "misconception": ("pr", "a paragraph and its {repair}"),
    "board": ("l", "a list"),
    "talks": ("p?l", "a list, with at most a paragraph before it"),
    **dict.fromkeys(("ask", "see", "repair", "sections", "homework", "exam", "short"), ("p", "one paragraph")),
}


class LectureError(SphinxError):
    """Blocks of a lecture that lack a part or stand where they cannot stand."""

    category = "Lecture"


class lecture(nodes.General, nodes.Element):
    """A block or a part of one as it was written; no writer ever sees it."""


class Block(SphinxDirective):
    """Any of these directives."""

    has_content = True

    def run(self):
        """Returns the block with its content, to be arranged when the page has been read."""
        block = lecture(kind=self.name, words=" ".join(self.arguments))
        self.set_source_info(block)
        self.state.nested_parse(self.content, self.content_offset, block)
        return [block]


class Question(Block):
    """`{ask}`, which can have words of its own."""

    optional_arguments = 1
    final_argument_whitespace = True


def arrange(_app, document):
    """Puts what readers see in place of the blocks of a page; raises LectureError naming all slips on it."""
    blocks = list(document.findall(lecture))
    if faults := [f"{block.source}:{block.line}: {fault}" for block in blocks for fault in faults_of(block)]:
        raise LectureError("\n".join(faults))
    for block in blocks:
        if block["kind"] not in MARKS:
            put(block)


def faults_of(block):
    """Yields what is wrong with a block or a part."""
    kind, place = block["kind"], block.parent
    pattern, words = FORMS[kind]
    if not re.fullmatch(pattern, "".join(map(letter, block.children))):
        yield f"{{{kind}}} must hold {words}"
    if isinstance(place, lecture):
        return
    if kind in MARKS:
        yield f"{{{kind}}} must stand in a {{{'misconception' if kind == 'repair' else 'demo'}}}"
    elif kind != "demo":
        boards = sum(letter(other) == "b" for other in place.children)
        if boards != 1 or not isinstance(place, nodes.section):
            yield f"{{{kind}}} must stand in a section with one {{board}}, and here are {boards}"


def letter(node):
    """Returns the letter that stands for a node in `FORMS`, "-" where it stands for none, and "b" for a board."""
    if isinstance(node, lecture):
        return node["kind"][0] if node["kind"] in (*MARKS, "board") else "-"
    if isinstance(node, nodes.enumerated_list | nodes.bullet_list):
        return "l"
    return "p" if isinstance(node, nodes.paragraph) else "-"


def put(block):
    """Puts what readers see in place of a block; the first demonstration and misconception here have their lead."""
    kind, earlier = block["kind"], block.parent.children[: block.parent.index(block)]
    lead = nodes.strong("", f"{LEADS[kind]}.", classes=["sga-lead"])
    if kind == "demo":
        first = not any("sga-demo" in other["classes"] for other in earlier)
        block.replace_self(joined(block, [lead] if first else []))
    elif kind == "misconception":
        item = nodes.list_item("", joined(block, []))
        if earlier and "sga-misconceptions" in earlier[-1]["classes"]:
            earlier[-1].append(item)
            block.parent.remove(block)
        else:
            listed = nodes.bullet_list("", item, bullet="-", classes=["sga-misconceptions"])
            block.replace_self([nodes.paragraph("", "", lead), listed])
    else:
        words = block.pop(0).children if letter(block[0]) == "p" else []
        head = nodes.paragraph("", "", *run_on([[lead], words]))
        block.replace_self(nodes.container("", head, *block.children, classes=[f"sga-{kind}"]))


def joined(block, lead):
    """Returns a block as one paragraph that begins with the nodes `lead`, with each part in a span of its own."""
    pieces = [lead, *(span(child) if isinstance(child, lecture) else child.children for child in block.children)]
    return nodes.paragraph("", "", *run_on(pieces), classes=[f"sga-{block['kind']}"])


def span(part):
    """Returns a part as a list of one span that begins with its mark."""
    mark = nodes.emphasis("", part["words"] or MARKS[part["kind"]], classes=["sga-mark"])
    return [nodes.inline("", "", *run_on([[mark], part[0].children]), classes=[f"sga-{part['kind']}"])]


def run_on(pieces):
    """Returns lists of nodes in one, with a space between those that are not empty."""
    return [node for piece in pieces if piece for node in (nodes.Text(" "), *piece)][1:]


def setup(app):
    """Registers the directives."""
    for kind in (*LEADS, *MARKS):
        app.add_directive(kind, Question if kind == "ask" else Block)
    app.connect("doctree-read", arrange)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
