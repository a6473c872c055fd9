"""The comparison of numbers within a tolerance, and of facts without one."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from evidence import arguments, levels, rivals
from evidence.records import Scope

#: A tolerance needs no reason below this part of the least number compared, if rivals are this many of it away.
SMALL, FAR = 1e-3, 10.0


def exact(
    value: ArrayLike, reference: ArrayLike, error: float, because: str, wrong: Mapping[str, ArrayLike]
) -> dict[str, Any]:
    """Compare numbers within a tolerance; returns the numbers of a `Check`."""
    value, reference = arguments.array("value", value), arguments.array("reference", reference)
    error = arguments.real("error", error, 0.0, above=True)
    size = np.broadcast(value, reference).size
    if size == 0:
        raise ValueError("value must hold at least one number, got none")
    others = {name: arguments.array("a rival", other) for name, other in rivals.need(wrong).items()}
    apart = {name: float(np.max(np.abs(other - reference))) for name, other in others.items()}
    nearest = min(apart, key=apart.__getitem__)
    sizes = np.abs(reference[reference != 0.0])
    scale = float(np.min(sizes)) if sizes.size else apart[nearest]
    if not because.strip() and (error > SMALL * scale or apart[nearest] < 0.999 * FAR * error):
        raise ValueError(
            f"error={error:g} is no small part of the least number compared, {scale:.3g}, or of the distance to the "
            f"rival {nearest!r}, {apart[nearest]:.3g}: because= must say what error is expected, and why"
        )
    judged = tuple(
        (name, bool(np.max(np.abs(value - other)) > error and apart[name] > 2 * error))
        for name, other in others.items()
    )
    return {
        "scope": Scope.EXACT,
        "accepted": bool(np.max(np.abs(value - reference)) <= error),
        "judged": judged,
        "n": size,
        "error": levels.digits(error, 3),
        "because": because,
    }


def agrees(found: ArrayLike, expected: ArrayLike, wrong: Mapping[str, ArrayLike]) -> dict[str, Any]:
    """Compare facts; returns the numbers of a `Check`."""
    found, expected = arguments.whole("found", found), arguments.whole("expected", expected)
    size = np.broadcast(found, expected).size
    if size == 0:
        raise ValueError("found must hold at least one fact, got none")
    others = {name: arguments.whole("a rival", other) for name, other in rivals.need(wrong).items()}
    return {
        "scope": Scope.EXACT,
        "accepted": bool(np.all(found == expected)),
        "judged": tuple((name, not bool(np.all(found == other))) for name, other in others.items()),
        "n": size,
    }
