"""Claims, and the checks that could have refuted them."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from typing import Any

import numpy as np
from IPython.display import display
from numpy.typing import ArrayLike
from scipy import stats

from evidence import arguments, levels, orders, words
from evidence.checks import Check
from evidence.records import ID, Scope, verdict
from evidence.rivals import need

#: A distribution function.
Law = Callable[[Any], Any]


@dataclass(frozen=True)
class Claim:
    """A statement with a permanent id; its methods are the checks. Made by `claim`."""

    id: str
    statement: str
    assumes: str = ""
    theorem: str | None = None
    demonstration: bool = False
    checks: list[Check] = field(default_factory=list, compare=False, repr=False)

    def record(self) -> dict[str, Any]:
        """The claim as a JSON-ready dict."""
        said = {part.name: getattr(self, part.name) for part in fields(self) if part.compare}
        return {"kind": "claim", **said}

    def identity(self, lhs: Any, rhs: Any, *, about: str = "", rivals: Mapping[str, Any]) -> Check:
        """Check that SymPy reduces lhs - rhs to 0, and that numbers refute every rival right-hand side.

        A rival is refuted at a point that satisfies the assumptions of all symbols, where both sides have a value and
        the values differ. The right-hand side must not be refuted so.

        It cannot see whether the assumptions of the symbols are those of the claim: the record says them. It cannot
        see a step before lhs was written down, nor an identity between two copies of one formula.

        Args:
            lhs, rhs: SymPy expressions, or sequences of them compared one by one.
            about: what is compared, in a few words.
            rivals: {name: wrong rhs}, at least one.

        Returns:
            `Check` of scope "symbolic".
        """
        from evidence import algebra

        return self._record("identity", about, algebra.judge(lhs, rhs, rivals))

    def exact(
        self,
        value: ArrayLike,
        reference: ArrayLike,
        *,
        error: float,
        about: str = "",
        rivals: Mapping[str, ArrayLike] | None = None,
    ) -> Check:
        """Check |value - reference| <= error everywhere, and that every rival is off by more somewhere.

        Args:
            value: computed numbers, any shape.
            reference: numbers by an independent route; broadcasts against `value`.
            error: bound on the error of both routes together, > 0, stated beforehand.
            about: what is compared.
            rivals: {name: wrong reference}.

        Returns:
            `Check` of scope "exact"; n counts the numbers compared.
        """
        value = arguments.array("value", value)
        error = arguments.real("error", error, 0.0, above=True)
        size = np.broadcast(value, arguments.array("reference", reference)).size
        if size == 0:
            raise ValueError("value must hold at least one number, got none")

        def agrees(other):
            return bool(np.max(np.abs(value - arguments.array("reference", other))) <= error)

        judged = tuple((name, not agrees(wrong)) for name, wrong in (rivals or {}).items())
        return self._show("exact", Scope.EXACT, agrees(reference), judged, about=about, n=size, error=error)

    def agrees(
        self, found: ArrayLike, expected: ArrayLike, *, about: str = "", rivals: Mapping[str, ArrayLike]
    ) -> Check:
        """Check that yes/no facts, signs or counts are the expected ones, and that no rival has them all.

        Args:
            found: booleans or whole numbers, any shape.
            expected: booleans or whole numbers by an independent route; broadcasts against `found`.
            about: what is compared.
            rivals: {name: wrong expectation}, at least one; each must differ somewhere.

        Returns:
            `Check` of scope "exact"; n counts the facts compared.
        """
        found = arguments.whole("found", found)
        size = np.broadcast(found, arguments.whole("expected", expected)).size
        if size == 0:
            raise ValueError("found must hold at least one fact, got none")
        need(rivals)

        def same(other):
            return bool(np.all(found == arguments.whole("expected", other)))

        judged = tuple((name, not same(wrong)) for name, wrong in rivals.items())
        return self._show("agrees", Scope.EXACT, same(expected), judged, about=about, n=size)

    def mean(
        self, samples: ArrayLike, predicted: ArrayLike, *, about: str = "", rivals: Mapping[str, ArrayLike]
    ) -> Check:
        """Test that independent samples have the predicted mean.

        A t test at level ALPHA, shared (Bonferroni) between the m components if samples have shape (n, m).

        Args:
            samples: shape (n,) or (n, m), n >= 30 independent draws.
            predicted: mean, a number or shape (m,).
            about: what is compared.
            rivals: {name: wrong mean}, at least one; each must be rejected by the same test.

        Returns:
            `Check` of scope "Monte Carlo": z and p of the worst component, and the smallest discrepancy of the mean
            that the test sees with probability POWER, in the component that sees least.
        """
        samples = arguments.array("samples", samples)
        if samples.ndim not in (1, 2) or len(samples) < 30 or samples.size == 0:
            raise ValueError(f"samples must have shape (n,) or (n, m) with n >= 30, got {samples.shape}")
        n = len(samples)
        columns = samples.reshape(n, -1)
        se = np.std(columns, axis=0, ddof=1) / math.sqrt(n)
        if not np.all(se > 0.0):
            raise ValueError("samples must vary in every component")
        sees = levels.reach(n, columns.shape[1])
        return self._test("mean", columns.mean(axis=0), se, predicted, rivals, about, n, stats.t(n - 1), sees)

    def law(self, samples: ArrayLike, cdf: Law, *, about: str = "", rivals: Mapping[str, Law]) -> Check:
        """Test that independent samples follow a continuous law (Kolmogorov-Smirnov, level ALPHA).

        Args:
            samples: shape (n,), n >= 30 independent draws.
            cdf: the predicted distribution function.
            about: what is compared.
            rivals: {name: wrong distribution function}, at least one; each must be rejected.

        Returns:
            `Check` of scope "Monte Carlo"; the resolution is a distance between distribution functions, by the
            Dvoretzky-Kiefer-Wolfowitz inequality.
        """
        samples = arguments.array("samples", samples)
        if samples.ndim != 1 or samples.size < 30:
            raise ValueError(f"samples must have shape (n,) with n >= 30, got {samples.shape}")
        need(rivals)
        n = samples.size

        def p_value(law):
            p = float(stats.kstest(samples, law).pvalue)
            if math.isnan(p):
                raise ValueError("cdf must give numbers in [0, 1], got nan")
            return p

        p = p_value(cdf)
        judged = tuple((name, p_value(wrong) < levels.ALPHA) for name, wrong in rivals.items())
        sees = math.sqrt(math.log(2 / levels.ALPHA) / (2 * n)) + math.sqrt(math.log(2 / (1 - levels.POWER)) / (2 * n))
        return self._show(
            "law",
            Scope.MONTE_CARLO,
            p >= levels.ALPHA,
            judged,
            about=about,
            n=n,
            p=levels.digits(p),
            alpha=levels.ALPHA,
            resolution=levels.digits(sees),
        )

    def order(
        self,
        h: ArrayLike,
        errors: ArrayLike,
        expected: float,
        *,
        about: str = "",
        rivals: Mapping[str, float],
        se: ArrayLike | None = None,
        runs: int | None = None,
    ) -> Check:
        """Check that errors behave like h^expected, by all sizes.

        Without `se` the errors are deterministic. The local slope at the two smallest sizes must lie within
        ORDER_TOLERANCE of `expected`; the other slopes must tend to it as h falls, like h^ORDER_RATE or faster; and
        each must lie nearer to it than to any rival. With `se` the weighted least-squares slope is tested, by Student's
        t with as many degrees of freedom as one standard error has, and by a test of lack of fit the points must lie
        on its line; each has half of ALPHA.

        It cannot see what errors do below the smallest size. Two powers that balance there look like one, and so does a
        curve whose bend is less than the noise. With `se` it takes the errors of different sizes for independent.

        Args:
            h: sizes > 0, shape (m,), m >= 3, any order.
            errors: their errors, nonzero and of one sign, shape (m,).
            expected: the predicted exponent.
            about: what is compared.
            rivals: {name: wrong exponent}, at least one; each must be rejected.
            se: None, or standard errors of `errors`, shape (m,).
            runs: with `se`, the number of runs from which each standard error was estimated, at least 30.

        Returns:
            `Check` of scope "exact" or "Monte Carlo"; n counts the sizes.
        """
        return self._record("order", about, orders.judge(h, errors, expected, rivals, se, runs))

    def illustrated(self, about: str) -> Check:
        """Record that a picture shows something; nothing is asserted."""
        return self._show("illustrated", Scope.ILLUSTRATED, None, (), about=about)

    def _test(self, test, estimate, se, predicted, rivals, about, n, null, reach):
        """Test estimates with standard errors `se`; these have the law `null` in units of it; `reach` is seen."""
        need(rivals)
        estimate, se = np.atleast_1d(estimate), np.atleast_1d(se)
        critical = float(null.isf(levels.ALPHA / (2 * estimate.size)))

        def worst(value):
            z = (estimate - np.broadcast_to(arguments.array("predicted", value), estimate.shape)) / se
            return float(z[np.argmax(np.abs(z))])

        z = worst(predicted)
        judged = tuple((name, abs(worst(wrong)) > critical) for name, wrong in rivals.items())
        p = min(1.0, 2.0 * float(null.sf(abs(z))) * estimate.size)
        sees = reach * float(se.max())
        return self._show(
            test,
            Scope.MONTE_CARLO,
            abs(z) <= critical,
            judged,
            about=about,
            n=n,
            z=round(z, 1),
            critical=levels.digits(critical, 3),
            p=levels.digits(p, 1),
            alpha=levels.ALPHA,
            resolution=levels.digits(sees),
        )

    def _record(self, test, about, numbers):
        scope, accepted, judged = (numbers.pop(name) for name in ("scope", "accepted", "judged"))
        return self._show(test, scope, accepted, judged, about=about, **numbers)

    def _show(self, test, scope, accepted, judged, **numbers):
        passed = None if accepted is None else bool(accepted and all(hit for _, hit in judged))
        outcome = Check(self.id, test=test, scope=scope, passed=passed, rivals=judged, **numbers)
        shown = outcome.shown()
        self.checks.append(outcome)
        display(shown, raw=True)
        return outcome

    def shown(self) -> dict[str, Any]:
        """What the cell shows: text, HTML and the record, by mime type."""
        return words.bundle(self.record())

    def _ipython_display_(self) -> None:
        """Nothing: the claim was shown when it was made."""


_session: dict[str, Claim] = {}


def claim(
    id: str, statement: str, *, assumes: str = "", theorem: str | None = None, demonstration: bool = False
) -> Claim:
    """State a claim: shows it, records it, and returns it for its checks.

    Args:
        id: permanent id, a capital letter first, parts separated by dots ("B1", "B1.noise").
        statement: the exact statement, without a final period; `$...$` is typeset.
        assumes: its assumptions, likewise.
        theorem: label of the theorem in the text that proves it, if one does.
        demonstration: whether the claim is made only to show a check that does not pass.

    Returns:
        `Claim`.

    A claim that is stated again keeps the checks that did not pass: only a new session forgets them.

    Raises:
        ValueError: an id of another form, an empty statement, a dollar without a partner, or a claim that was none or
            a demonstration and is now stated as the other.
    """
    if not (isinstance(id, str) and ID.fullmatch(id)):
        raise ValueError(f'id must look like "B1" or "B1.noise", got {id!r}')
    if not (isinstance(statement, str) and statement.strip()):
        raise ValueError(f"statement must be a text that is not empty, got {statement!r}")
    made = Claim(id, statement, assumes, theorem, demonstration)
    shown = made.shown()
    before = _session.get(id, made)
    if before.demonstration is not demonstration:
        kinds = ["a claim", "a demonstration"]
        raise ValueError(f"{id} was stated as {kinds[not demonstration]} and cannot become {kinds[demonstration]}")
    made.checks.extend(check for check in before.checks if check.passed is False)
    _session[id] = made
    display(shown, raw=True)
    return made


def checked() -> None:
    """Show the claims made so far in this session, each with its scopes and its verdict (demonstrations apart)."""
    claims = [
        {
            "id": made.id,
            "statement": made.statement,
            "scopes": list(dict.fromkeys(str(check.scope) for check in made.checks)),
            "verdict": str(verdict(made.checks)),
        }
        for made in _session.values()
        if not made.demonstration
    ]
    display(words.bundle({"kind": "checked", "claims": claims}), raw=True)
