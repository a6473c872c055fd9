"""Claims, and the checks that could have refuted them."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from IPython.display import display
from numpy.typing import ArrayLike

from evidence import counts, laws, means, numbers, orders, words
from evidence.checks import Check
from evidence.records import ID, Scope, verdict


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
        because: str = "",
        about: str = "",
        rivals: Mapping[str, ArrayLike],
    ) -> Check:
        """Check |value - reference| <= error everywhere, and that every rival is off by more somewhere.

        A rival must also differ from the reference by more than twice the error, so that no number is near to both.

        It cannot see an error that both routes share. Nor can it see whether the reason of the tolerance is true.

        Args:
            value: computed numbers, any shape.
            reference: numbers by an independent route; broadcasts against `value`.
            error: bound on the error of both routes together, > 0, stated beforehand.
            because: where the bound comes from, in a few words: an error estimate, never the distance to a rival. It
                may be left out if `error` is at most 1e-3 of the least number compared, zeros apart, and at most a
                tenth of the distance between `reference` and the nearest rival.
            about: what is compared.
            rivals: {name: wrong reference}, at least one.

        Returns:
            `Check` of scope "exact"; n counts the numbers compared.
        """
        return self._record("exact", about, numbers.exact(value, reference, error, because, rivals))

    def agrees(
        self, found: ArrayLike, expected: ArrayLike, *, about: str = "", rivals: Mapping[str, ArrayLike]
    ) -> Check:
        """Check that yes/no facts, signs or counts are the expected ones, and that no rival has them all.

        It cannot see chance: facts that another seed would change are a share, and belong to `count`.

        Args:
            found: booleans or whole numbers, any shape.
            expected: booleans or whole numbers by an independent route; broadcasts against `found`.
            about: what is compared.
            rivals: {name: wrong expectation}, at least one; each must differ somewhere.

        Returns:
            `Check` of scope "exact"; n counts the facts compared.
        """
        return self._record("agrees", about, numbers.agrees(found, expected, rivals))

    def mean(
        self,
        samples: ArrayLike,
        predicted: ArrayLike,
        *,
        about: str = "",
        rivals: Mapping[str, ArrayLike],
        tails: means.Tails | None = None,
        tolerance: float | None = None,
    ) -> Check:
        """Test that independent samples have the predicted mean.

        A t test at level ALPHA, shared (Bonferroni) between the m components if samples have shape (n, m). On the side
        of the long tail its critical value is moved outward by the skewness of the sample and its error (Hall 1992).
        Measured at 30 or more samples, the level is at most twice ALPHA for gamma laws of skewness up to 2.8 and five
        times ALPHA for a lognormal one of skewness 1.8; shared between 60 components, ten and fifteen times. A sample
        whose kurtosis exceeds sqrt(n) is refused: a few of its members carry the variance.

        It cannot see an event too rare to be in the sample. Either no such event can matter, because all samples lie
        between bounds; then what it may hide is added to every distance. Or the claim must say why there is none. It
        cannot see dependence between samples, nor that a prediction was read off the same sample.

        Args:
            samples: shape (n,) or (n, m), n >= 30 independent draws; not yes/no facts, which belong to `count`.
            predicted: mean, a number or shape (m,).
            about: what is compared.
            rivals: {name: wrong mean}, at least one; each must be rejected by the same test, in one component at least.
            tails: (low, high) that no sample can leave, or a text: why no rare event carries the mean.
            tolerance: the difference that matters, less than the distance of every rival; the resolution must not
                exceed it. Without it the nearest rival must be within five resolutions, and each component must reject
                a rival.

        Returns:
            `Check` of scope "Monte Carlo": z and p of the worst component, and the smallest discrepancy of the mean
            that the test sees with probability POWER, in the component that sees least.
        """
        return self._record("mean", about, means.judge(samples, predicted, rivals, tails, tolerance))

    def count(
        self,
        hits: ArrayLike,
        n: ArrayLike,
        predicted: ArrayLike,
        *,
        bound: str = "",
        about: str = "",
        rivals: Mapping[str, ArrayLike],
        tolerance: float | None = None,
    ) -> Check:
        """Test how often something happened in independent trials, by the exact binomial distribution.

        The level is at most ALPHA at every size, shared (Bonferroni) between several shares.

        It cannot see dependence between trials. Of trials that share their random numbers count one of each set.

        Args:
            hits: how often it happened, a whole number or shape (m,).
            n: number of trials, likewise.
            predicted: share in [0, 1], likewise.
            bound: "" if the share is `predicted`; "at most" or "at least" if that is a bound of it. The rivals must
                then lie beyond the bound.
            about: what is counted.
            rivals: {name: wrong share}, at least one; each must be rejected.
            tolerance: as in `mean`.

        Returns:
            `Check` of scope "Monte Carlo"; n counts the trials, and the resolution is a difference of shares.
        """
        return self._record("count", about, counts.judge(hits, n, predicted, bound, rivals, tolerance))

    def law(self, samples: ArrayLike, cdf: laws.Law, *, about: str = "", rivals: Mapping[str, laws.Law]) -> Check:
        """Test that independent samples follow a continuous law, at level ALPHA.

        Half of the level is for Kolmogorov and Smirnov's test, half for the extremes and for the numbers of samples
        beyond the quantiles where 0.1, 1 and 10 in either tail are expected. Samples that repeat are refused, and so is
        a law that fits them so closely that its parameters must come from them: known by an exact mean or spread on the
        scale of a normal or an exponential law, or by too small a distance.

        It cannot see other ways to fit parameters, dependence between samples, nor a difference that is smaller than
        the resolution and not in the tails.

        Args:
            samples: shape (n,), n >= 30 independent draws.
            cdf: the predicted distribution function.
            about: what is compared.
            rivals: {name: wrong distribution function}, at least one; each must be rejected, and the nearest must be
                within five resolutions.

        Returns:
            `Check` of scope "Monte Carlo"; the resolution is a distance between distribution functions, by the
            Dvoretzky-Kiefer-Wolfowitz inequality.
        """
        return self._record("law", about, laws.judge(samples, cdf, rivals))

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

    def _record(self, test, about, found):
        scope, accepted, judged = (found.pop(name) for name in ("scope", "accepted", "judged"))
        return self._show(test, scope, accepted, judged, about=about, **found)

    def _show(self, test, scope, accepted, judged, **found):
        passed = None if accepted is None else bool(accepted and all(hit for _, hit in judged))
        outcome = Check(self.id, test=test, scope=scope, passed=passed, rivals=judged, **found)
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
