"""Evidence: claims, and the checks that could have refuted them.

A check shows itself in its cell and carries its record in the same output, under `MIME`; the ledger of the book
is read from the notebooks' stored outputs. A statistical check compares data with a prediction *and* with rivals,
plausible wrong predictions. It passes only if the data accept the prediction and reject every rival.
"""

import html
import json
import math
import re
from bisect import bisect_left
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import sympy as sp
from IPython.display import display
from scipy import stats

from sga import _validate as check

MIME = "application/vnd.sga.evidence+json"
#: Probability that the whole book shows a false alarm; each Monte Carlo check may spend ALPHA of it.
BUDGET, ALPHA = 1e-3, 1e-6
#: Chance with which a check sees a discrepancy of the size it reports as its resolution.
POWER = 0.9999
#: Distance from the expected exponent that a measured order of convergence may have.
ORDER_TOLERANCE = 0.1
ID = re.compile(r"[A-Z][A-Za-z0-9]*(\.[A-Za-z0-9-]+)*")


@dataclass(frozen=True)
class Check:
    """The outcome of one check; displays as one line."""

    claim: str
    about: str
    test: str
    scope: str
    passed: bool | None
    n: int | None = None
    z: float | None = None
    p: float | None = None
    alpha: float | None = None
    resolution: float | None = None
    error: float | None = None
    rivals: tuple = ()

    @property
    def verdict(self):
        """One of "passed", "not passed", or "illustrated" where nothing was asserted."""
        return {True: "passed", False: "not passed", None: "illustrated"}[self.passed]

    def record(self):
        """The outcome as a JSON-ready dict."""
        names = ("claim", "about", "test", "scope", "passed", "n", "z", "p", "alpha", "resolution", "error", "verdict")
        rivals = [{"name": name, "rejected": rejected} for name, rejected in self.rivals]
        return {"kind": "check", **{name: getattr(self, name) for name in names}, "rivals": rivals}

    def _parts(self):
        if self.passed is not None:
            yield self.scope
        if self.n is not None:
            yield f"n = {self.n:,}"
        if self.z is not None:
            yield f"z = {self.z:.1f}"
        if self.p is not None:
            yield f"p = {self.p:.1g}"
        if self.resolution is not None:
            yield f"sees {self.resolution:.2g} at {self.alpha:.0e}"
        if self.error is not None:
            yield f"within {self.error:.1g}"
        if self.rivals:
            rejected = sum(hit for _, hit in self.rivals)
            kept = [name for name, hit in self.rivals if not hit]
            yield f"rivals rejected {rejected} of {len(self.rivals)}" + (f" (kept: {', '.join(kept)})" if kept else "")

    def bundle(self):
        """What the cell shows: text, HTML and the record, by mime type."""
        line = " · ".join([self.claim, *([self.about] if self.about else []), *self._parts()])
        style = {True: "pass", False: "fail", None: "illustrated"}[self.passed]
        shown = f'<div class="sga-check sga-{style}">{_typeset(line)}: <strong>{self.verdict}</strong></div>'
        return {"text/plain": f"{line}: {self.verdict}", "text/html": shown, MIME: self.record()}

    def _ipython_display_(self):
        """Nothing: the outcome was shown when it was made."""


@dataclass(frozen=True)
class Claim:
    """A statement with a permanent id; its methods are the checks. Made by `claim`."""

    id: str
    statement: str
    assumes: str = ""
    theorem: str | None = None
    demonstration: bool = False
    checks: list = field(default_factory=list, compare=False, repr=False)

    def record(self):
        """The claim as a JSON-ready dict."""
        names = ("id", "statement", "assumes", "theorem", "demonstration")
        return {"kind": "claim", **{name: getattr(self, name) for name in names}}

    def identity(self, lhs, rhs, *, about="", rivals=None):
        """Check that SymPy reduces lhs - rhs to 0, and that no rival right-hand side survives.

        Args:
            lhs, rhs: SymPy expressions, or sequences of them compared one by one.
            about: what is compared, in a few words.
            rivals: {name: wrong rhs}; each must leave a difference that SymPy does not reduce to 0.

        Returns:
            `Check` of scope "symbolic".
        """
        left = _listed(lhs)
        if not left:
            raise ValueError("lhs must hold at least one expression, got none")

        def vanishes(right):
            right = _listed(right)
            if len(left) != len(right):
                raise ValueError(f"lhs and rhs must have as many expressions, got {len(left)} and {len(right)}")
            return all(_is_zero(a - b) for a, b in zip(left, right, strict=True))

        judged = tuple((name, not vanishes(wrong)) for name, wrong in (rivals or {}).items())
        return self._show("identity", "symbolic", vanishes(rhs), judged, about=about, n=len(left))

    def exact(self, value, reference, *, error, about="", rivals=None):
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
        value = check.array("value", value)
        error = check.real("error", error, 0.0, above=True)
        size = np.broadcast(value, check.array("reference", reference)).size
        if size == 0:
            raise ValueError("value must hold at least one number, got none")

        def agrees(other):
            return bool(np.max(np.abs(value - check.array("reference", other))) <= error)

        judged = tuple((name, not agrees(wrong)) for name, wrong in (rivals or {}).items())
        return self._show("exact", "exact", agrees(reference), judged, about=about, n=size, error=error)

    def mean(self, samples, predicted, *, about="", rivals):
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
        samples = check.array("samples", samples)
        if samples.ndim not in (1, 2) or len(samples) < 30 or samples.size == 0:
            raise ValueError(f"samples must have shape (n,) or (n, m) with n >= 30, got {samples.shape}")
        n = len(samples)
        columns = samples.reshape(n, -1)
        se = np.std(columns, axis=0, ddof=1) / math.sqrt(n)
        if not np.all(se > 0.0):
            raise ValueError("samples must vary in every component")
        return self._test("mean", columns.mean(axis=0), se, predicted, rivals, about, n, stats.t(n - 1))

    def law(self, samples, cdf, *, about="", rivals):
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
        samples = check.array("samples", samples)
        if samples.ndim != 1 or samples.size < 30:
            raise ValueError(f"samples must have shape (n,) with n >= 30, got {samples.shape}")
        _need_rivals(rivals)
        n = samples.size

        def p_value(law):
            p = float(stats.kstest(samples, law).pvalue)
            if math.isnan(p):
                raise ValueError("cdf must give numbers in [0, 1], got nan")
            return p

        p = p_value(cdf)
        judged = tuple((name, p_value(wrong) < ALPHA) for name, wrong in rivals.items())
        sees = math.sqrt(math.log(2 / ALPHA) / (2 * n)) + math.sqrt(math.log(2 / (1 - POWER)) / (2 * n))
        return self._show(
            "law",
            "Monte Carlo",
            p >= ALPHA,
            judged,
            about=about,
            n=n,
            p=_digits(p),
            alpha=ALPHA,
            resolution=_digits(sees),
        )

    def order(self, h, errors, expected, *, about="", rivals, se=None):
        """Check that errors behave like h^expected.

        Without `se` the errors are deterministic: the local slope at the two smallest h must lie within
        ORDER_TOLERANCE of `expected`, and not so of any rival. With `se`, standard errors of independent
        Monte Carlo errors, the weighted least-squares slope is tested at level ALPHA like a mean.

        Args:
            h: sizes > 0, shape (m,), m >= 3, any order.
            errors: their errors, nonzero and of one sign, shape (m,).
            expected: the predicted exponent.
            about: what is compared.
            rivals: {name: wrong exponent}, at least one; each must be rejected.
            se: None, or standard errors of `errors`, shape (m,).

        Returns:
            `Check` of scope "exact" or "Monte Carlo".
        """
        h = check.array("h", h)
        errors = check.array("errors", errors)
        if h.ndim != 1 or h.size < 3 or errors.shape != h.shape:
            raise ValueError(f"h and errors must have shape (m,), m >= 3, got {h.shape} and {errors.shape}")
        if np.any(h <= 0.0) or np.unique(h).size < h.size:
            raise ValueError(f"h must be distinct and > 0, got {h.tolist()}")
        signs = np.sign(errors)
        if signs[0] == 0.0 or np.any(signs != signs[0]):
            raise ValueError("errors must be nonzero and of one sign: their logarithm is taken")
        _need_rivals(rivals)
        by_size = np.argsort(h)
        x, y = np.log(h[by_size]), np.log(np.abs(errors[by_size]))
        if se is None:
            slope = (y[1] - y[0]) / (x[1] - x[0])
            judged = tuple((name, bool(abs(slope - wrong) > ORDER_TOLERANCE)) for name, wrong in rivals.items())
            passed = bool(abs(slope - expected) <= ORDER_TOLERANCE)
            return self._show("order", "exact", passed, judged, about=about, n=h.size, error=ORDER_TOLERANCE)
        se = check.array("se", se)
        if se.shape != h.shape or np.any(se <= 0.0):
            raise ValueError(f"se must have shape {h.shape} and be > 0, got shape {se.shape} and {se.tolist()}")
        relative = se[by_size] / np.abs(errors[by_size])
        weight = 1.0 / relative**2
        centered = x - np.average(x, weights=weight)
        spread = np.sum(weight * centered**2)
        slope = np.sum(weight * centered * y) / spread
        return self._test("order", slope, 1.0 / math.sqrt(spread), expected, rivals, about, h.size, stats.norm)

    def illustrated(self, about):
        """Record that a picture shows something; nothing is asserted."""
        return self._show("illustrated", "illustrated", None, (), about=about)

    def _test(self, test, estimate, se, predicted, rivals, about, n, null):
        """Test estimates with standard errors `se`; standardized errors have the law `null`."""
        _need_rivals(rivals)
        estimate, se = np.atleast_1d(estimate), np.atleast_1d(se)
        critical = float(null.isf(ALPHA / (2 * estimate.size)))

        def worst(value):
            z = (estimate - np.broadcast_to(check.array("predicted", value), estimate.shape)) / se
            return float(z[np.argmax(np.abs(z))])

        z = worst(predicted)
        judged = tuple((name, abs(worst(wrong)) > critical) for name, wrong in rivals.items())
        p = min(1.0, 2.0 * float(null.sf(abs(z))) * estimate.size)
        sees = (critical + float(stats.norm.isf(1 - POWER))) * float(se.max())
        return self._show(
            test,
            "Monte Carlo",
            abs(z) <= critical,
            judged,
            about=about,
            n=n,
            z=round(z, 1),
            p=_digits(p, 1),
            alpha=ALPHA,
            resolution=_digits(sees),
        )

    def _show(self, test, scope, accepted, judged, **numbers):
        passed = None if accepted is None else bool(accepted and all(hit for _, hit in judged))
        outcome = Check(self.id, test=test, scope=scope, passed=passed, rivals=judged, **numbers)
        self.checks.append(outcome)
        display(outcome.bundle(), raw=True)
        return outcome

    def bundle(self):
        """What the cell shows: text, HTML and the record, by mime type."""
        kind = "Demonstration" if self.demonstration else "Claim"
        assumes = f" Assumes: {self.assumes}." if self.assumes else ""
        shown = (
            f'<div class="sga-claim" id="claim-{self.id}"><strong>{kind} {self.id}.</strong> '
            f"{_typeset(self.statement)}.{_typeset(assumes)}</div>"
        )
        return {"text/plain": f"{kind} {self.id}: {self.statement}.{assumes}", "text/html": shown, MIME: self.record()}

    def _ipython_display_(self):
        """Nothing: the claim was shown when it was made."""


_session = {}


def claim(id, statement, *, assumes="", theorem=None, demonstration=False):
    """State a claim: shows it, records it, and returns it for its checks.

    Args:
        id: permanent id, a capital letter first, parts separated by dots ("B1", "B1.noise").
        statement: the exact statement, without a final period; `$...$` is typeset.
        assumes: its assumptions, likewise.
        theorem: label of the theorem in the text that proves it, if one does.
        demonstration: whether the claim is made only to show a check that does not pass.

    Returns:
        `Claim`.

    Raises:
        ValueError: an id of another form, or an empty statement.
    """
    if not (isinstance(id, str) and ID.fullmatch(id)):
        raise ValueError(f'id must look like "B1" or "B1.noise", got {id!r}')
    if not (isinstance(statement, str) and statement.strip()):
        raise ValueError(f"statement must be a text that is not empty, got {statement!r}")
    made = Claim(id, statement, assumes, theorem, demonstration)
    _session[id] = made
    display(made.bundle(), raw=True)
    return made


def checked():
    """Show the claims made so far in this session, each with its scopes and its verdict (demonstrations apart)."""
    rows = [
        (c.id, c.statement, ", ".join(dict.fromkeys(k.scope for k in c.checks)) or "none", verdict(c.checks))
        for c in _session.values()
        if not c.demonstration
    ]
    head = "<tr><th>Claim</th><th>Statement</th><th>Evidence</th><th>Verdict</th></tr>"
    body = "".join("<tr>" + "".join(f"<td>{_typeset(cell)}</td>" for cell in row) + "</tr>" for row in rows)
    text = "\n".join(" · ".join(row) for row in rows)
    display(
        {
            "text/html": f'<table class="sga-checked"><thead>{head}</thead><tbody>{body}</tbody></table>',
            "text/plain": text,
        },
        raw=True,
    )


def verdict(checks):
    """Verdict of a claim from its checks: "not checked", "illustrated", "passed" or "not passed".

    Args:
        checks: iterable of `Check` or of records of checks.
    """
    said = [k["verdict"] if isinstance(k, dict) else k.verdict for k in checks]
    asserted = [word for word in said if word != "illustrated"]
    if not said:
        return "not checked"
    if not asserted:
        return "illustrated"
    return "passed" if all(word == "passed" for word in asserted) else "not passed"


def sample_size(deviation, gap, components=1):
    """Smallest n at which `Claim.mean` sees a gap with probability POWER.

    Args:
        deviation: standard deviation of one sample, > 0.
        gap: distance between the prediction and the nearest rival, > 0.
        components: m, number of components tested together, integer >= 1.

    Returns:
        n, at least 30.

    Raises:
        TypeError, ValueError: an argument is not a number in its range.
    """
    deviation = check.real("deviation", deviation, 0.0, above=True)
    gap = check.real("gap", gap, 0.0, above=True)
    components = check.integer("components", components, 1)

    def needed(n):
        reach = float(stats.t.isf(ALPHA / (2 * components), n - 1) + stats.norm.isf(1 - POWER))
        return math.ceil((reach * deviation / gap) ** 2)

    candidates = range(30, max(30, needed(30)) + 1)
    return candidates[bisect_left(candidates, True, key=lambda n: needed(n) <= n)]


def read(paths):
    """Records of claims and checks in the stored outputs of notebooks.

    Args:
        paths: paths of .ipynb files, in the order wanted.

    Returns:
        List of dicts in order of appearance; each is a record with "notebook", the path it came from.

    Raises:
        ValueError: a file is not a notebook.
    """
    records = []
    for path in map(Path, paths):
        try:
            cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        except (json.JSONDecodeError, KeyError, TypeError):
            raise ValueError(f"{path} is not a notebook") from None
        outputs = (output for cell in cells for output in cell.get("outputs", ()))
        found = (output.get("data", {}).get(MIME) for output in outputs)
        records += [{**record, "notebook": str(path)} for record in found if record]
    return records


def _typeset(text):
    """HTML of a text in which `$...$` is mathematics."""
    parts = text.split("$")
    if len(parts) % 2 == 0:
        return html.escape(text)
    return "".join(
        f'<span class="math notranslate nohighlight">\\({html.escape(part)}\\)</span>' if i % 2 else html.escape(part)
        for i, part in enumerate(parts)
    )


def _listed(expressions):
    if isinstance(expressions, sp.MatrixBase):
        return list(expressions)
    return [sp.sympify(e) for e in expressions] if isinstance(expressions, list | tuple) else [sp.sympify(expressions)]


def _is_zero(expression):
    """Whether SymPy reduces an expression to 0; numbers are not tried, so a failure to reduce is a no."""
    expanded = sp.expand(expression)
    symbols = expanded.free_symbols
    if symbols and expanded.is_polynomial(*symbols) and sp.Poly(expanded, *symbols).domain in (sp.ZZ, sp.QQ):
        return False  # expanded, not 0, and with rational coefficients: nothing is left to cancel
    if expanded == 0:
        return True
    return sp.simplify(expression) == 0 or sp.simplify(expression.rewrite(sp.exp)) == 0


def _need_rivals(rivals):
    if not rivals:
        raise ValueError("rivals must name at least one wrong prediction: a check that cannot fail proves nothing")


def _digits(value, digits=2):
    """Round to significant digits, so that stored outputs do not depend on the processor."""
    return float(f"{value:.{digits}g}")
