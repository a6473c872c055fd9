"""Sphinx extension: the page for teachers in directives, so that slides can be made of it and a slip stops the build.

A section that has a `{board}` is a session, and becomes a deck, in which blocks stand in the order of the page. It has

- `{question}`, what the session asks, and `{symbols}`, a list of what letters mean, before they are used;
- one or more `{board}`, a list of what is derived;
- `{demo}`: for each question an `{ask}`, which a paragraph that sets the scene may precede, and at once its `{see}`;
- `{misconception}`: a wrong sentence, then its `{repair}`;
- `{sections}`, `{homework}`, `{exam}`, `{short}` and `{talks}`, which begin with their words in bold on the page.

`{minutes} 50` is the length of a session. Each of the first five kinds then says its minutes, `{board} 8`, and they
must add up. `{ask}` can be followed by other words than "Ask first". On the page a demonstration is one paragraph and
misconceptions are a list; each part keeps its kind as a class, by which the slides find it.
"""

import re

from docutils import nodes
from sphinx.errors import SphinxError
from sphinx.util.docutils import SphinxDirective

#: The words in bold with which a block begins on the page.
LEADS = {
    "minutes": "Plan",
    "question": "Question",
    "symbols": "Symbols",
    "sections": "Sections",
    "board": "On the board",
    "demo": "Live",
    "misconception": "Misconceptions",
    "homework": "Exercises",
    "exam": "Oral exam",
    "short": "When short",
    "talks": "Talks",
}
#: Blocks that take time in class, and their names in a plan.
TIMED = {
    "question": "question",
    "symbols": "symbols",
    "board": "board",
    "demo": "demonstration",
    "misconception": "misconception",
}
#: The words in italics with which a part of a block begins.
MARKS = {"ask": "Ask first:", "see": "They should see", "repair": "Repair:"}
#: What a block consists of, one letter a part: a paragraph (p), a list (l), or a part by its first letter.
FORMS = {
    "minutes": ("", "nothing"),
    "demo": ("(p?as)+", "one or more {ask}, each with its {see} behind it and at most a paragraph before it"),
    "misconception": ("pr", "a paragraph and its {repair}"),
    "board": ("l", "a list"),
    "symbols": ("l", "a list"),
    "talks": ("p?l", "a list, with at most a paragraph before it"),
    **dict.fromkeys(
        ("ask", "see", "repair", "question", "sections", "homework", "exam", "short"), ("p", "one paragraph")
    ),
}


class LectureError(SphinxError):
    """Blocks of a lecture that lack a part or stand where they cannot stand."""

    category = "Lecture"


class lecture(nodes.General, nodes.Element):
    """A block or a part of one as it was written; no writer ever sees it."""


class Block(SphinxDirective):
    """Any of these directives; the argument of one that takes time is its minutes."""

    has_content = True
    optional_arguments = 1

    def run(self):
        """Returns the block with its content, to be arranged when the page has been read."""
        block = lecture(kind=self.name, words=" ".join(self.arguments))
        self.set_source_info(block)
        self.state.nested_parse(self.content, self.content_offset, block)
        return [block]


class Question(Block):
    """`{ask}`, which can have words of its own."""

    final_argument_whitespace = True


def arrange(_app, document):
    """Puts what readers see in place of the blocks of a page; raises LectureError naming all slips on it."""
    blocks = list(document.findall(lecture))
    if faults := [f"{block.source}:{block.line}: {fault}" for block in blocks for fault in faults_of(block)]:
        raise LectureError("\n".join(faults))
    for block in blocks:
        if block["kind"] == "minutes":
            block["plan"] = plan(block.parent)
    for block in blocks:
        if block["kind"] not in MARKS:
            put(block)


def faults_of(block):
    """Yields what is wrong with a block or a part."""
    kind, place = block["kind"], block.parent
    pattern, words = FORMS[kind]
    if not re.fullmatch(pattern, "".join(map(letter, block.children))):
        yield f"{{{kind}}} must hold {words}"
    if (
        kind != "ask"
        and block["words"]
        and not (kind in (*TIMED, "minutes") and re.fullmatch(r"[1-9]\d*", block["words"]))
    ):
        yield f"{{{kind}}} {block['words']}: a number of minutes can stand there with what takes time, and nothing else"
    if isinstance(place, lecture):
        return
    if kind in MARKS:
        yield f"{{{kind}}} must stand in a {{{'misconception' if kind == 'repair' else 'demo'}}}"
    elif kind != "demo" and not (
        any(letter(other) == "b" for other in place.children) and isinstance(place, nodes.section)
    ):
        yield f"{{{kind}}} must stand in a section with a {{board}}"
    elif kind == "minutes":
        yield from faults_of_plan(block)


def faults_of_plan(block):
    """Yields what is wrong with the minutes of a session."""
    timed = [other for other in block.parent.children if isinstance(other, lecture) and other["kind"] in TIMED]
    if missing := [f"line {other.line}" for other in timed if not other["words"]]:
        yield f"{{minutes}} is said, and not how many the blocks in {', '.join(missing)} take"
    elif (total := sum(int(other["words"]) for other in timed)) != int(block["words"] or 0):
        yield f"{{minutes}} {block['words'] or 'without a number'}, and the blocks take {total}"


def plan(section):
    """Notes from when to when each block of a session goes on; returns the plan in words."""
    at, said = 0, []
    for block in (other for other in section.children if isinstance(other, lecture) and other["kind"] in TIMED):
        block["from"], at = at, at + int(block["words"])
        said.append(f"{block['from']} {TIMED[block['kind']]}")
    return f"{' · '.join(said)} · {at} end."


def letter(node):
    """Returns the letter that stands for a node in `FORMS`, "-" where it stands for none, and "b" for a board."""
    if isinstance(node, lecture):
        return node["kind"][0] if node["kind"] in (*MARKS, "board") else "-"
    if isinstance(node, nodes.enumerated_list | nodes.bullet_list):
        return "l"
    return "p" if isinstance(node, nodes.paragraph) else "-"


def put(block):
    """Puts what readers see in place of a block; of demonstrations and misconceptions in a row the first has a lead."""
    kind, earlier = block["kind"], block.parent.children[: block.parent.index(block)]
    minutes = f" ({block['words']} min)" if kind in TIMED and block["words"] else ""
    lead = nodes.strong("", f"{LEADS[kind]}{minutes}.", classes=["sga-lead"])
    classes = [
        f"sga-{kind}",
        *([f"sga-from-{block['from']}-to-{block['from'] + int(block['words'])}"] if "from" in block else []),
    ]
    if kind == "minutes":
        lead = nodes.strong("", f"{LEADS[kind]} of {block['words']} minutes.", classes=["sga-lead"])
        block.replace_self(nodes.paragraph("", "", lead, nodes.Text(f" {block['plan']}"), classes=classes))
    elif kind == "demo":
        first = not (earlier and "sga-demo" in earlier[-1]["classes"])
        block.replace_self(joined(block, [lead] if first or minutes else [], classes))
    elif kind == "misconception":
        time = [nodes.inline("", minutes, classes=["sga-time"])] if minutes else []
        item = nodes.list_item("", joined(block, [], classes))
        item[0] += time
        if earlier and "sga-misconceptions" in earlier[-1]["classes"]:
            earlier[-1].append(item)
            block.parent.remove(block)
        else:
            lead = nodes.strong("", f"{LEADS[kind]}.", classes=["sga-lead"])
            listed = nodes.bullet_list("", item, bullet="-", classes=["sga-misconceptions"])
            block.replace_self([nodes.paragraph("", "", lead), listed])
    else:
        words = block.pop(0).children if letter(block[0]) == "p" else []
        head = nodes.paragraph("", "", *run_on([[lead], words]))
        block.replace_self(nodes.container("", head, *block.children, classes=classes))


def joined(block, lead, classes):
    """Returns a block as one paragraph that begins with the nodes `lead`, with each part in a span of its own."""
    pieces = [lead, *(span(child) if isinstance(child, lecture) else child.children for child in block.children)]
    return nodes.paragraph("", "", *run_on(pieces), classes=classes)


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
