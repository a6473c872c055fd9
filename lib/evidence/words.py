"""The words in which records are shown, and their form in a notebook: plain text, and HTML made of the same words."""

import html
from collections.abc import Iterator, Mapping
from typing import Any

from evidence.records import MIME, Scope, Verdict

Record = Mapping[str, Any]
HEADINGS = ("Claim", "Statement", "Evidence", "Verdict")
#: The look of a check by its verdict, as a class of CSS.
STYLES = {Verdict.PASSED: "sga-pass", Verdict.NOT_PASSED: "sga-fail", Verdict.ILLUSTRATED: "sga-illustrated"}


def pieces(text: str) -> list[tuple[str, bool]]:
    """The pieces of a text in which `$...$` is mathematics, as pairs (piece, whether it is mathematics).

    Raises:
        ValueError: a dollar has no partner.
    """
    parts = text.split("$")
    if len(parts) % 2 == 0:
        raise ValueError(f"unpaired $ in {text!r}")
    return [(part, i % 2 == 1) for i, part in enumerate(parts) if part]


def title(record: Record) -> str:
    """What a claim is called: "Claim B1"."""
    return f"{'Demonstration' if record['demonstration'] else 'Claim'} {record['id']}"


def statement(record: Record) -> str:
    """What a claim says, with its assumptions."""
    assumes = f" Assumes: {record['assumes']}." if record["assumes"] else ""
    return f"{record['statement']}.{assumes}"


def line(record: Record) -> str:
    """The line of a check, up to its verdict."""
    return " · ".join([record["claim"], *([record["about"]] if record["about"] else []), *_numbers(record)])


def _numbers(record: Record) -> Iterator[str]:
    if record["scope"] != Scope.ILLUSTRATED:
        yield record["scope"]
    if record["n"] is not None:
        yield f"n = {record['n']:,}"
    if record["z"] is not None:
        yield f"z = {record['z']:.1f}"
    if record["p"] is not None:
        yield f"p = {record['p']:.1g}"
    if record["resolution"] is not None:
        yield f"sees {record['resolution']:.2g} at {record['alpha']:.0e}"
    if record["error"] is not None:
        yield f"within {record['error']:.1g}"
    if record["rivals"]:
        kept = [rival["name"] for rival in record["rivals"] if not rival["rejected"]]
        rejected = len(record["rivals"]) - len(kept)
        yield f"rivals rejected {rejected} of {len(record['rivals'])}" + (f" (kept: {', '.join(kept)})" if kept else "")


def row(entry: Record) -> tuple[str, str, str, str]:
    """The cells under HEADINGS of a claim in a list of claims."""
    return entry["id"], entry["statement"], ", ".join(entry["scopes"]) or "none", entry["verdict"]


def bundle(record: Record) -> dict[str, Any]:
    """What a cell shows of a record: text, HTML and the record itself, by mime type."""
    plain, page = _FORMS[record["kind"]](record)
    return {"text/plain": plain, "text/html": page, MIME: record}


def _claim(record: Record) -> tuple[str, str]:
    page = (
        f'<div class="sga-claim" id="claim-{record["id"]}"><strong>{title(record)}.</strong> '
        f"{_html(statement(record))}</div>"
    )
    return f"{title(record)}: {statement(record)}", page


def _check(record: Record) -> tuple[str, str]:
    said, style = record["verdict"], STYLES[record["verdict"]]
    page = f'<div class="sga-check {style}">{_html(line(record))}: <strong>{said}</strong></div>'
    return f"{line(record)}: {said}", page


def _checked(record: Record) -> tuple[str, str]:
    rows = [row(entry) for entry in record["claims"]]
    head = "".join(f"<th>{heading}</th>" for heading in HEADINGS)
    body = "".join("<tr>" + "".join(f"<td>{_html(cell)}</td>" for cell in cells) + "</tr>" for cells in rows)
    page = f'<table class="sga-checked"><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>'
    return "\n".join(" · ".join(cells) for cells in rows), page


_FORMS = {"claim": _claim, "check": _check, "checked": _checked}


def _html(text: str) -> str:
    return "".join(
        f'<span class="math notranslate nohighlight">\\({html.escape(piece)}\\)</span>' if math else html.escape(piece)
        for piece, math in pieces(text)
    )
