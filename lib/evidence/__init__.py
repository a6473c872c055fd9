"""Evidence: claims, and the checks that could have refuted them.

A check shows itself in its cell and carries its record in the same output, under `MIME`; whatever a book says of its
evidence is read from the notebooks' stored outputs. A statistical check compares data with a prediction *and* with
rivals, plausible wrong predictions. It passes only if the data accept the prediction and reject every rival.
"""

from evidence.checks import Check
from evidence.claims import Claim, checked, claim
from evidence.levels import ALPHA, BUDGET, POWER, sample_size
from evidence.records import ID, MIME, Scope, Verdict, read, verdict

__all__ = [
    "ALPHA",
    "BUDGET",
    "ID",
    "MIME",
    "POWER",
    "Check",
    "Claim",
    "Scope",
    "Verdict",
    "checked",
    "claim",
    "read",
    "sample_size",
    "verdict",
]
