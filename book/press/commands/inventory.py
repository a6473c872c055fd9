"""Writes down what every claim is checked by, so that a lost check shows in a diff: python book/press inventory

The file book/inventory.toml is made from the records stored in the notebooks and from book/claims.toml, and a test
compares it with them. Rewrite it after an intended change, and read its diff: a check, a rival or a claim that
is gone and an error that grew are seen there.
"""

import json

from press.claims import book_claims, read_source_claims
from press.commands import parser
from press.structure import ROOT

HEAD = """# By what every claim is checked. Written by: python book/press inventory
#
# source  verdict on the claim, its condition, and the claims of the book that are its evidence
# book    chapter, number of checks and of rivals, the errors that exact checks allow, what the claim assumes
"""


def main(arguments=None):
    """Writes the file."""
    parser(__name__, __doc__).parse_args(arguments)
    path = ROOT / "book" / "inventory.toml"
    path.write_text(current(), encoding="utf-8")
    print(f"{path.relative_to(ROOT)} is written: what changed is in git diff")


def current(root=ROOT):
    """Returns what the file must say."""
    return inventory(read_source_claims(root / "book" / "claims.toml"), book_claims(root), root)


def inventory(source, claims, root=ROOT):
    """Returns the text of the file, one line a claim."""
    entries = {"source": {entry.id: _source(entry) for entry in source}, "book": {c.id: _book(c, root) for c in claims}}
    tables = [
        f"[{table}]\n" + "".join(f"{_text(name)} = {_line(row)}\n" for name, row in rows.items())
        for table, rows in entries.items()
    ]
    return "\n".join([HEAD, *tables])


def _source(entry):
    return {"verdict": entry.verdict, "condition": entry.condition, "evidence": list(entry.evidence)}


def _book(claim, root):
    return {
        "chapter": claim.notebook.relative_to(root / "book").with_suffix("").as_posix(),
        "checks": len(claim.checks),
        "rivals": sum(len(check["rivals"]) for check in claim.checks),
        "errors": [check["error"] for check in claim.checks if check["error"] is not None],
        "assumes": claim.record["assumes"],
    }


def _line(row):
    return "{ " + ", ".join(f"{key} = {_text(value)}" for key, value in row.items()) + " }"


def _text(value):
    """Returns a text, a number or a list of them, as TOML and JSON both write it."""
    return json.dumps(value, ensure_ascii=False)
