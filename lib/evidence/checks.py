"""The outcome of a check."""

from dataclasses import asdict, dataclass
from typing import Any

from evidence import words
from evidence.records import Scope, Verdict


@dataclass(frozen=True)
class Check:
    """The outcome of one check; displays as one line.

    A field that a check does not have is None or empty. `rejecting` has for each rival the components that reject it,
    `untested` the components that reject none; `assumes` says what the check takes for granted, `because` where its
    tolerance comes from.
    """

    claim: str
    about: str
    test: str
    scope: Scope
    passed: bool | None
    n: int | None = None
    z: float | None = None
    p: float | None = None
    alpha: float | None = None
    resolution: float | None = None
    error: float | None = None
    rivals: tuple[tuple[str, bool], ...] = ()
    critical: float | None = None
    runs: int | None = None
    fit: float | None = None
    assumes: str = ""
    because: str = ""
    hits: int | None = None
    bound: str = ""
    components: int | None = None
    rejecting: tuple[tuple[int, ...], ...] = ()
    untested: tuple[int, ...] = ()

    @property
    def verdict(self) -> Verdict:
        """The `Verdict`: "passed", "not passed", or "illustrated" where nothing was asserted."""
        return {True: Verdict.PASSED, False: Verdict.NOT_PASSED, None: Verdict.ILLUSTRATED}[self.passed]

    def record(self) -> dict[str, Any]:
        """The outcome as a JSON-ready dict; of several components each rival says which reject it."""
        found = asdict(self)
        rivals = [{"name": name, "rejected": rejected} for name, rejected in self.rivals]
        for rival, components in zip(rivals, found.pop("rejecting"), strict=False):
            rival["components"] = list(components)
        said = {"scope": str(self.scope), "verdict": str(self.verdict), "rivals": rivals}
        return {"kind": "check", **found, **said, "untested": list(self.untested)}

    def shown(self) -> dict[str, Any]:
        """What the cell shows: text, HTML and the record, by mime type."""
        return words.bundle(self.record())

    def _ipython_display_(self) -> None:
        """Nothing: the outcome was shown when it was made."""
