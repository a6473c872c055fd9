"""Records as docutils nodes, for every format alike: what myst-nb shows of an output that carries a record.

`Records` is the entry point in the group `myst_nb.mime_renderers` of this distribution. Nothing else here imports
this module, so that claims and checks can be made where there is no docutils.
"""

from collections.abc import Iterable, Sequence
from typing import Any, ClassVar

from docutils import nodes

from evidence import words
from evidence.records import MIME


class Records:
    """The renderer of records, a `MimeRenderPlugin` of myst-nb."""

    mime_priority_overrides: ClassVar[list[tuple[str, str, int]]] = [("*", MIME, 1)]

    @staticmethod
    def handle_mime(renderer: Any, data: Any, inline: bool) -> list[nodes.Node] | None:
        """Nodes of an output that is a record, or None for another one."""
        return _RENDERED[data.content["kind"]](data.content) if data.mime_type == MIME and not inline else None


def typeset(text: str) -> list[nodes.Node]:
    """Inline nodes of a text in which `$...$` is mathematics."""
    return [nodes.math("", piece) if math else nodes.Text(piece) for piece, math in words.pieces(text)]


def paragraph(*children: nodes.Node | str) -> nodes.paragraph:
    """A paragraph of nodes and of texts."""
    parts = [typeset(child) if isinstance(child, str) else [child] for child in children]
    return nodes.paragraph("", "", *[node for part in parts for node in part])


def table(
    headings: Sequence[str], rows: Iterable[Iterable[Iterable[nodes.Node | str]]], classes: Sequence[str]
) -> nodes.table:
    """A table; a heading is a text, and a cell a list of nodes and of texts."""
    body = [_row(row) for row in rows]
    columns = max(map(len, body), default=len(headings))
    group = nodes.tgroup("", *[nodes.colspec(colwidth=1) for _ in range(columns)], cols=columns)
    if headings:
        group += nodes.thead("", _row([[heading] for heading in headings]))
    group += nodes.tbody("", *body)
    return nodes.table("", group, classes=classes)


def _row(cells):
    return nodes.row("", *[nodes.entry("", paragraph(*cell)) for cell in cells])


def _output(block):
    return [nodes.container("", block, classes=["output"])]


def _claim(record):
    name = paragraph(nodes.strong("", f"{words.title(record)}."))
    place = {"ids": [f"claim-{record['id']}"], "claim": record["id"], "theorem": record.get("theorem")}
    name += [nodes.Text(" "), nodes.inline("", "", *typeset(words.statement(record)), classes=["sga-statement"])]
    return _output(nodes.container("", name, classes=["sga-claim"], **place))


def _check(record):
    said = paragraph(nodes.strong("", words.said(record)), f" · {words.line(record)}")
    rows = [[[name], [value]] for name, value in words.numbers(record)]
    behind = [nodes.container("", table((), rows, ["sga-numbers"]), classes=["sga-behind"])] if len(rows) > 1 else []
    return _output(nodes.container("", said, *behind, classes=["sga-check", words.STYLES[record["verdict"]]]))


def _checked(record):
    entries = (words.row(entry) for entry in record["claims"])
    rows = [
        [[name], [verdict if verdict.endswith(scopes) else f"{verdict}: {scopes}"], [said]]
        for name, verdict, scopes, said in entries
    ]
    return _output(table(("Claim", "Verdict", "Statement"), rows, ["sga-checked"]))


_RENDERED = {"claim": _claim, "check": _check, "checked": _checked}
