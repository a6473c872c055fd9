"""Claims and checks in Markdown, made of the same words as on the pages."""

from evidence import words


def markdown(record):
    """Returns what a cell shows of a record."""
    return _FORMS[record["kind"]](record)


def _claim(record):
    return f"**{words.title(record)}.** {words.statement(record)}"


def _check(record):
    head = f"**{words.said(record)}** · {words.line(record)}"
    rows = "\n".join(f"- {name}: {value}" for name, value in words.numbers(record))
    return f"{head}\n\n<details><summary>Numbers</summary>\n\n{rows}\n\n</details>"


def _checked(record):
    rows = (words.row(entry) for entry in record["claims"])
    return "\n".join(f"- **{name}** · {verdict} · {scopes} · {said}" for name, verdict, scopes, said in rows)


_FORMS = {"claim": _claim, "check": _check, "checked": _checked}
