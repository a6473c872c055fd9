"""Records: what a claim, a check and a list of claims leave in the outputs of a notebook, and how they are read back.

A record is a JSON-ready dict whose "kind" is "claim", "check" or "checked". Whatever shows a record, in whatever
form, is made from the record alone.
"""

import json
import re
from collections.abc import Iterable, Mapping
from enum import StrEnum
from pathlib import Path
from typing import Any

MIME = "application/vnd.sga.evidence+json"
ID = re.compile(r"[A-Z][A-Za-z0-9]*(\.[A-Za-z0-9-]+)*")


class Scope(StrEnum):
    """How far a check reaches."""

    SYMBOLIC = "symbolic"
    EXACT = "exact"
    MONTE_CARLO = "Monte Carlo"
    ILLUSTRATED = "illustrated"


class Verdict(StrEnum):
    """What checks say of a claim."""

    PASSED = "passed"
    NOT_PASSED = "not passed"
    ILLUSTRATED = "illustrated"
    NOT_CHECKED = "not checked"


def judged(record: Mapping[str, Any]) -> Verdict:
    """Verdict of a check from the numbers in its record; what the record says of its verdict is not read.

    Args:
        record: record of a check.

    Returns:
        `Verdict`. Passed means that the record says so, that every rival is rejected and every component tested, and
        that where there is a z, a p or a resolution it lies inside its critical value, its level or the tolerance. It
        cannot see numbers that are wrong but agree.
    """
    if record["scope"] == Scope.ILLUSTRATED:
        return Verdict.ILLUSTRATED
    said = [record["passed"] is True, *(rival["rejected"] for rival in record["rivals"]), not record.get("untested")]
    z, p, alpha = record["z"], record["p"], record["alpha"]
    if record["scope"] == Scope.MONTE_CARLO:
        said.append(p is not None and alpha is not None and p >= alpha)
    if z is not None:  # rounded, like its critical value
        said.append(abs(z) <= (record["critical"] or 0.0) + 0.1)
    if record["resolution"] is not None and record["error"] is not None:  # rounded too
        said.append(record["resolution"] <= 1.05 * record["error"])
    return Verdict.PASSED if all(said) else Verdict.NOT_PASSED


def verdict(checks: Iterable[Any]) -> Verdict:
    """Verdict of a claim from its checks.

    Args:
        checks: iterable of `Check` or of records of checks, each judged anew by `judged`.

    Returns:
        `Verdict`.
    """
    said = [judged(k) if isinstance(k, dict) else k.verdict for k in checks]
    asserted = [word for word in said if word != Verdict.ILLUSTRATED]
    if not said:
        return Verdict.NOT_CHECKED
    if not asserted:
        return Verdict.ILLUSTRATED
    return Verdict.PASSED if all(word == Verdict.PASSED for word in asserted) else Verdict.NOT_PASSED


def read(paths: Iterable[str | Path]) -> list[dict[str, Any]]:
    """Records of claims and checks in the stored outputs of notebooks.

    Args:
        paths: paths of .ipynb files, in the order wanted.

    Returns:
        List of dicts in order of appearance; each is a record with "notebook", the path it came from.

    Raises:
        ValueError: a file is not a notebook.
    """
    records: list[dict[str, Any]] = []
    for path in map(Path, paths):
        try:
            cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        except (json.JSONDecodeError, KeyError, TypeError):
            raise ValueError(f"{path} is not a notebook") from None
        outputs = (output for cell in cells for output in cell.get("outputs", ()))
        found = (output.get("data", {}).get(MIME) for output in outputs)
        records += [{**record, "notebook": str(path)} for record in found if record and record["kind"] != "checked"]
    return records
