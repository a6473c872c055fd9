"""The words in which records are shown, and their form in a notebook: plain text, and HTML made of the same words."""

import html
from collections.abc import Mapping, Sequence
from typing import Any

from evidence.records import MIME, Scope, Verdict

Record = Mapping[str, Any]
HEADINGS = ("Claim", "Verdict", "Evidence", "Statement")
#: The look of a check by its verdict, as a class of CSS.
STYLES = {Verdict.PASSED: "sga-pass", Verdict.NOT_PASSED: "sga-fail", Verdict.ILLUSTRATED: "sga-illustrated"}

#: The sign of a verdict, for those who see no colors.
SIGNS = {Verdict.PASSED: "✓", Verdict.NOT_PASSED: "✗", Verdict.ILLUSTRATED: "○", Verdict.NOT_CHECKED: "–"}


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
    return f"{record['statement'][0].upper()}{record['statement'][1:]}.{assumes}"


def said(record: Record) -> str:
    """The verdict of a check, with a sign in front of it."""
    return f"{SIGNS[record['verdict']]} {record['verdict'].capitalize()}"


def line(record: Record) -> str:
    """What a check found, for people: it follows the verdict."""
    parts = [part for part in (_found(record), _rivals(record["rivals"])) if part]
    about = record["about"] or (f"check of {record['claim']}" if parts else "")
    return f"{about}: {'; '.join(parts)}." if parts else f"{about}."


def _found(record: Record) -> str:
    """What was found of the prediction, or "" where the record does not tell it."""
    n, p, alpha = record["n"], record["p"], record["alpha"]
    z = "" if record["z"] is None else f" (z = {record['z']:.1f})"
    if p is not None and alpha is not None and p < alpha:
        return f"the prediction is rejected{z}"
    if record["verdict"] == Verdict.ILLUSTRATED or (p is None and record["verdict"] != Verdict.PASSED):
        return ""
    within = "" if record["error"] is None else f" within {record['error']:.1g}"
    unseen = _unseen(record)
    match record["test"]:
        case "agrees":
            return "the outcomes agree" if n == 1 else f"{n:,} outcomes agree"
        case "identity":
            return "SymPy reduces the difference to 0" if n == 1 else f"SymPy reduces all {n} differences to 0"
        case "mean":
            several = f" in {record['components']} components" if record.get("components") else ""
            return f"the mean of {n:,} samples agrees{several}{z}{unseen}"
        case "count":
            kind = {"at most": "no more", "at least": "no less"}.get(record["bound"], "")
            agree = f"are {kind} than predicted" if kind else "agree with the share"
            return f"{record['hits']:,} of {n:,} {agree} (p = {p:.1g}){unseen}"
        case "law":
            return f"{n:,} samples follow the distribution (p = {p:.1g})"
        case "order":
            return f"the exponent agrees{within} over {n} sizes{z}"
    return f"the numbers agree{within}" if n == 1 else f"{n:,} numbers agree{within}"


def _unseen(record: Record) -> str:
    """What a test could not see though it had to, or ""."""
    said = ""
    if record["error"] is not None and (record["resolution"] or 0.0) > 1.05 * record["error"]:
        said += f"; it sees differences from {record['resolution']:.2g}, not from {record['error']:.2g}"
    if untested := record.get("untested"):
        said += f"; {len(untested)} of {record['components']} components reject no wrong formula"
    return said


def _rivals(rivals: Sequence[Mapping[str, Any]]) -> str:
    kept, count = [rival["name"] for rival in rivals if not rival["rejected"]], len(rivals)
    if kept:
        survive = "survives" if len(kept) == 1 else "survive"
        return f"{len(kept)} of {count} wrong formulas {survive}: {', '.join(kept)}"
    return f"{count} wrong formula{'s' if count > 1 else ''} rejected" if count else ""


def named(rival: Mapping[str, Any], record: Record) -> str:
    """The name of a rival, with the number of the components that reject it, where there are several."""
    if not rival.get("components"):
        return str(rival["name"])
    return f"{rival['name']} (in {len(rival['components'])} of {record['components']} components)"


def numbers(record: Record) -> list[tuple[str, str]]:
    """The numbers behind the line of a check, as pairs (name, value)."""
    found = [("claim", record["claim"])]
    if record["scope"] != Scope.ILLUSTRATED:
        found.append(("evidence", record["scope"]))
    if record.get("hits") is not None:
        found.append(("counted", f"{record['hits']:,}"))
    if record["n"] is not None:
        found.append(("n", f"{record['n']:,}"))
    if record.get("runs"):
        found.append(("runs for each", f"{record['runs']:,}"))
    if record["z"] is not None:
        allowed = f" (allowed: {record['critical']:.1f})" if record.get("critical") else ""
        found.append(("z", f"{record['z']:.1f}{allowed}"))
    if record["p"] is not None:
        fit = f" (of the fit: {record['fit']:.1g})" if record.get("fit") is not None else ""
        found.append(("p", f"{record['p']:.1g}{fit}"))
    if record["resolution"] is not None:
        found.append(("smallest difference seen", f"{record['resolution']:.2g}, at level {record['alpha']:.0e}"))
    if record["error"] is not None:
        because = f": {record['because']}" if record.get("because") else ""
        found.append(("tolerance", f"{record['error']:.1g}{because}"))
    if record.get("assumes"):
        found.append(("assumes", record["assumes"]))
    for name, rejected in (("rejected", True), ("not rejected", False)):
        if rivals := [named(rival, record) for rival in record["rivals"] if rival["rejected"] is rejected]:
            found.append((name, "; ".join(rivals)))
    return found


def row(entry: Record) -> tuple[str, str, str, str]:
    """The cells under HEADINGS of a claim in a list of claims."""
    verdict = f"{SIGNS[entry['verdict']]} {entry['verdict']}"
    return entry["id"], verdict, ", ".join(entry["scopes"]) or "none", entry["statement"]


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
    rows = "".join(f"<tr><th>{name}</th><td>{_html(value)}</td></tr>" for name, value in numbers(record))
    page = (
        f'<div class="sga-check {STYLES[record["verdict"]]}"><strong>{said(record)}</strong> · {_html(line(record))}'
        f'<details><summary>Numbers</summary><table class="sga-numbers">{rows}</table></details></div>'
    )
    return f"{said(record)} · {line(record)}", page


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
