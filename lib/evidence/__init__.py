"""Evidence: claims, and the checks that could have refuted them.

A check shows itself in its cell and carries its record in the same output, under `MIME`; whatever a book says of its
evidence is read from the notebooks' stored outputs. A statistical check compares data with a prediction *and* with
rivals, plausible wrong predictions. It passes only if the data accept the prediction and reject every rival.

A name is imported when it is first used, so that a program waits only for what it needs.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # for editors and type checkers, which don't run `__getattr__`
    from evidence.checks import Check as Check
    from evidence.claims import Claim as Claim
    from evidence.claims import checked as checked
    from evidence.claims import claim as claim
    from evidence.levels import ALPHA as ALPHA
    from evidence.levels import BUDGET as BUDGET
    from evidence.levels import POWER as POWER
    from evidence.levels import sample_size as sample_size
    from evidence.records import ID as ID
    from evidence.records import MIME as MIME
    from evidence.records import Scope as Scope
    from evidence.records import Verdict as Verdict
    from evidence.records import judged as judged
    from evidence.records import read as read
    from evidence.records import verdict as verdict

#: Where each public name lives. A plain literal: it can be read without running it.
_HOME = {
    "ALPHA": "evidence.levels",
    "BUDGET": "evidence.levels",
    "ID": "evidence.records",
    "MIME": "evidence.records",
    "POWER": "evidence.levels",
    "Check": "evidence.checks",
    "Claim": "evidence.claims",
    "Scope": "evidence.records",
    "Verdict": "evidence.records",
    "checked": "evidence.claims",
    "claim": "evidence.claims",
    "judged": "evidence.records",
    "read": "evidence.records",
    "sample_size": "evidence.levels",
    "verdict": "evidence.records",
}

__all__ = sorted(_HOME)


def __getattr__(name: str) -> object:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(_HOME[name]), name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
