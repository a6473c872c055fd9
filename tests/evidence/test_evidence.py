"""Evidence: a check passes only with the right formula and data that could refute a wrong one."""

import json
import math
import re

import nbformat
import numpy as np
import pytest
import sympy as sp
from bs4 import BeautifulSoup
from nbclient import NotebookClient
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output
from scipy import stats

from sga import checked, claim, evidence, sample_size

X, Y = sp.symbols("x y", positive=True)
FIELDS = {"kind", "claim", "about", "test", "scope", "passed", "n", "z", "p", "alpha", "resolution", "error", "verdict"}


@pytest.fixture
def shown(monkeypatch):
    """What is displayed, in order; the session starts without claims."""
    bundles = []

    def display(bundle, *, raw):
        assert raw
        bundles.append(bundle)

    monkeypatch.setattr(evidence, "display", display)
    monkeypatch.setattr(evidence, "_session", {})
    return bundles


@pytest.fixture
def fact(shown):
    """A claim that has been stated."""
    return claim("B1", "a statement")


def normal(n, seed=0, mean=0.0, scale=1.0):
    return mean + scale * np.random.default_rng(seed).standard_normal(n)


CHECKS = {
    "identity": lambda c, **k: c.identity((X + 1) ** 2, X**2 + 2 * X + 1, **k),
    "exact": lambda c, **k: c.exact([1.0, 2.0], [1.0, 2.0 + 1e-9], error=1e-8, **k),
    "mean": lambda c, **k: c.mean(normal(1000), 0.0, **{"rivals": {"one": 1.0}, **k}),
    "law": lambda c, **k: c.law(normal(1000), stats.norm.cdf, **{"rivals": {"t": stats.norm(1).cdf}, **k}),
    "order": lambda c, **k: c.order([0.1, 0.2, 0.4], [0.01, 0.04, 0.16], 2, **{"rivals": {"first": 1}, **k}),
}
SCOPES = {"identity": "symbolic", "exact": "exact", "mean": "Monte Carlo", "law": "Monte Carlo", "order": "exact"}


# The right formula passes, a wrong one does not.


@pytest.mark.parametrize("test", CHECKS)
def test_a_right_prediction_passes_and_says_its_scope(fact, test):
    check = CHECKS[test](fact, about="a number")
    assert check.passed is True
    assert (check.test, check.scope, check.claim, check.about) == (test, SCOPES[test], "B1", "a number")
    assert fact.checks == [check]


@pytest.mark.parametrize(
    "zero",
    [
        sp.sin(1) ** 2 + sp.cos(1) ** 2 - 1,
        X * (sp.cos(2) - 2 * sp.cos(1) ** 2 + 1),
        sp.sqrt(3 + 2 * sp.sqrt(2)) - 1 - sp.sqrt(2),
    ],
)
def test_an_identity_between_constants_is_simplified_too(fact, zero):
    assert fact.identity(zero, 0).passed is True
    assert fact.identity(0, 0, rivals={"the same": zero}).passed is False


def test_a_wrong_identity_does_not_pass(fact):
    assert fact.identity((X + 1) ** 2, X**2 + 1).passed is False
    assert fact.identity([X, Y], [X, X]).passed is False


def test_a_wrong_number_does_not_pass(fact):
    assert fact.exact(1.0, 1.0 + 2e-8, error=1e-8).passed is False
    assert fact.exact([1.0, 2.0], [1.0, 3.0], error=1e-8).passed is False
    assert fact.exact([1.0, 2.0], [1.0, 1.0], error=0.5).passed is False


def test_a_wrong_mean_does_not_pass(fact):
    assert fact.mean(normal(1000), 0.5, rivals={"far": 3.0}).passed is False
    assert fact.mean(normal((1000, 3)), [0.0, 0.0, 0.5], rivals={"far": 3.0}).passed is False


def test_a_wrong_law_does_not_pass(fact):
    assert fact.law(normal(2000), stats.norm(0, 1.5).cdf, rivals={"far": stats.norm(3).cdf}).passed is False


def test_a_wrong_order_does_not_pass(fact):
    h = np.array([0.1, 0.2, 0.4])
    assert fact.order(h, h**2, 1, rivals={"third": 3}).passed is False
    assert fact.order(h, h**2, 1, rivals={"third": 3}, se=1e-3 * h**2).passed is False


# Data that cannot refute a rival are not evidence.


def test_an_identity_that_a_rival_shares_does_not_pass(fact):
    kept = fact.identity(sp.sin(X) ** 2, 1 - sp.cos(X) ** 2, rivals={"double angle": (1 - sp.cos(2 * X)) / 2})
    assert kept.passed is False
    assert kept.rivals == (("double angle", False),)
    assert fact.identity(sp.sin(X) ** 2, 1 - sp.cos(X) ** 2, rivals={"sign": 1 + sp.cos(X) ** 2}).passed is True


def test_an_error_bound_too_wide_for_a_rival_does_not_pass(fact):
    rivals = {"near": [1.0, 2.01]}
    assert fact.exact([1.0, 2.0], [1.0, 2.0], error=0.1, rivals=rivals).passed is False
    assert fact.exact([1.0, 2.0], [1.0, 2.0], error=0.001, rivals=rivals).passed is True


def test_too_few_samples_to_reject_a_rival_mean_do_not_pass(fact):
    few = fact.mean(normal(100), 0.0, rivals={"far": 2.0, "near": 0.1})
    assert few.passed is False
    assert few.rivals == (("far", True), ("near", False))
    assert few.resolution > 0.1
    many = fact.mean(normal(10_000), 0.0, rivals={"far": 2.0, "near": 0.1})
    assert many.passed is True
    assert many.resolution < 0.1


def test_too_few_samples_to_reject_a_rival_law_do_not_pass(fact):
    rivals = {"shifted": stats.norm(0.3).cdf}
    few, many = (fact.law(normal(n), stats.norm.cdf, rivals=rivals) for n in (100, 3000))
    assert (few.passed, many.passed) == (False, True)
    assert few.rivals == (("shifted", False),)


def test_too_much_noise_to_reject_a_rival_order_does_not_pass(fact):
    h = np.array([0.1, 0.2, 0.4])
    noisy, clean = (fact.order(h, h, 1, rivals={"half": 0.5}, se=share * h) for share in (0.2, 0.01))
    assert (noisy.passed, clean.passed) == (False, True)
    assert noisy.resolution > 0.5 > clean.resolution
    assert fact.order(h, h, 1, rivals={"close": 1.05}).passed is False


@pytest.mark.parametrize("rivals", [None, {}])
@pytest.mark.parametrize("test", ["mean", "law", "order"])
def test_a_statistical_check_without_rivals_is_refused(fact, shown, test, rivals):
    with pytest.raises(ValueError, match="rivals must name at least one wrong prediction"):
        CHECKS[test](fact, rivals=rivals)
    assert fact.checks == []
    assert len(shown) == 1


@pytest.mark.parametrize("test", ["mean", "law", "order"])
def test_rivals_of_a_statistical_check_cannot_be_left_out(fact, test):
    arguments = {
        "mean": (normal(50), 0.0),
        "law": (normal(50), stats.norm.cdf),
        "order": ([0.1, 0.2, 0.4], [0.1, 0.2, 0.4], 1),
    }
    with pytest.raises(TypeError, match="rivals"):
        getattr(fact, test)(*arguments[test])


# The statistics are right.


def test_z_p_and_resolution_of_a_mean_are_those_of_a_t_test(fact):
    samples = normal(400, seed=1, mean=0.1)
    check = fact.mean(samples, 0.0, rivals={"far": 5.0})
    known = stats.ttest_1samp(samples, 0.0)
    assert check.z == round(known.statistic, 1)
    assert check.p == pytest.approx(known.pvalue, rel=0.5)
    assert float(f"{known.pvalue:.1g}") == check.p
    se = stats.sem(samples)
    reach = stats.t.isf(0.5e-6, 399) + stats.norm.isf(1 - evidence.POWER)
    assert check.resolution == pytest.approx(reach * se, rel=0.06)
    assert (check.n, check.alpha, check.error) == (400, 1e-6, None)


def test_the_worst_component_decides_and_the_level_is_shared(fact, monkeypatch):
    monkeypatch.setattr(evidence, "ALPHA", 0.02)
    samples = normal((500, 4), seed=2)
    offset = np.array([0.0, 0.0, -0.2, 0.0])
    check = fact.mean(samples + offset, 0.0, rivals={"far": 5.0})
    z = (samples + offset).mean(axis=0) / stats.sem(samples)
    assert check.z == round(float(z[2]), 1)
    single = 2 * stats.t.sf(abs(z[2]), 499)
    assert check.p == pytest.approx(4 * single, rel=0.5)
    at_edge = stats.t.isf(0.02 / 2 / 4, 499) * stats.sem(samples)
    for share, passes in [(0.999, True), (1.001, False)]:
        exactly = samples.mean(axis=0) + share * at_edge * np.eye(4)[1]
        assert fact.mean(samples, exactly, rivals={"far": 5.0}).passed is passes


def test_the_resolution_is_that_of_the_component_that_sees_least(fact):
    samples = normal((400, 3), seed=8) * [1.0, 5.0, 0.1]
    check = fact.mean(samples, 0.0, rivals={"far": 50.0})
    reach = stats.t.isf(0.5e-6 / 3, 399) + stats.norm.isf(1 - evidence.POWER)
    assert check.resolution == pytest.approx(reach * stats.sem(samples).max(), rel=0.06)


def test_one_rival_component_far_off_is_enough_to_reject_the_rival(fact):
    assert fact.mean(normal((1000, 2)), 0.0, rivals={"second": [0.0, 1.0]}).rivals == (("second", True),)


def test_false_alarms_of_a_mean_are_as_rare_as_stated(fact, monkeypatch):
    monkeypatch.setattr(evidence, "ALPHA", 0.05)
    alarms = sum(not fact.mean(row, 0.0, rivals={"far": 9.0}).passed for row in normal((1000, 30), seed=30))
    assert 1e-6 < stats.binom.sf(alarms - 1, 1000, 0.05)
    assert 1e-6 < stats.binom.cdf(alarms, 1000, 0.05)


def test_false_alarms_of_small_samples_at_a_small_level_are_as_rare_as_stated(fact, monkeypatch):
    monkeypatch.setattr(evidence, "ALPHA", 1e-4)
    critical = stats.t.isf(0.5e-4, 29)
    samples = normal(30)
    se = stats.sem(samples)
    for share, passes in [(0.99, True), (1.01, False)]:
        predicted = samples.mean() + share * critical * se
        assert fact.mean(samples, predicted, rivals={"far": 99.0}).passed is passes


def test_false_alarms_of_a_law_are_as_rare_as_stated(fact, monkeypatch):
    monkeypatch.setattr(evidence, "ALPHA", 0.05)
    rivals = {"far": lambda x: 0.0 * x}
    alarms = sum(not fact.law(row, stats.norm.cdf, rivals=rivals).passed for row in normal((500, 40), seed=3))
    assert 1e-6 < stats.binom.sf(alarms - 1, 500, 0.05)
    assert 1e-6 < stats.binom.cdf(alarms, 500, 0.05)


def test_false_alarms_of_a_noisy_order_are_as_rare_as_stated(fact, monkeypatch):
    monkeypatch.setattr(evidence, "ALPHA", 0.05)
    h = np.array([0.1, 0.2, 0.4, 0.8])
    se = h * np.array([0.02, 0.01, 0.03, 0.01])
    noise = normal((500, 4), seed=4)
    alarms = sum(not fact.order(h, h + se * row, 1, rivals={"far": 4}, se=se).passed for row in noise)
    assert 1e-6 < stats.binom.sf(alarms - 1, 500, 0.05)
    assert 1e-6 < stats.binom.cdf(alarms, 500, 0.05)


@pytest.mark.parametrize("alpha", [0.01, 1e-6])
def test_a_mean_sees_a_gap_of_its_resolution_with_the_stated_power(fact, monkeypatch, alpha):
    monkeypatch.setattr(evidence, "ALPHA", alpha)
    gap = 0.3
    n = sample_size(1.0, gap)
    draws = normal((500, n), seed=5, mean=gap)
    seen = sum(not fact.mean(row, 0.0, rivals={"far": 9.0}).passed for row in draws)
    assert 1e-6 < stats.binom.cdf(seen, 500, evidence.POWER)
    assert 1e-6 < stats.binom.sf(seen - 1, 500, evidence.POWER)


def test_a_law_sees_a_gap_of_its_resolution(fact, monkeypatch):
    monkeypatch.setattr(evidence, "ALPHA", 0.01)
    rivals = {"far": lambda x: 0.0 * x}
    sees = fact.law(normal(200), stats.norm.cdf, rivals=rivals).resolution
    shift = 2.0 * stats.norm.ppf(0.5 + sees / 2)
    draws = normal((200, 200), seed=6, mean=shift)
    seen = sum(not fact.law(row, stats.norm.cdf, rivals=rivals).passed for row in draws)
    assert 1e-6 < stats.binom.cdf(seen, 200, evidence.POWER)


@pytest.mark.parametrize(("deviation", "gap", "components"), [(1.0, 0.1, 1), (2.0, 0.05, 1), (0.3, 0.02, 50)])
def test_the_sample_size_is_the_least_whose_resolution_is_the_gap(fact, deviation, gap, components):
    n = sample_size(deviation, gap, components)

    def resolution(size):
        reach = stats.t.isf(evidence.ALPHA / 2 / components, size - 1) + stats.norm.isf(1 - evidence.POWER)
        return reach * deviation / math.sqrt(size)

    assert resolution(n) <= gap < resolution(n - 1)


def test_a_mean_of_the_planned_size_resolves_the_gap(fact):
    n = sample_size(1.0, 0.1)
    samples = normal(n)
    samples = (samples - samples.mean()) / samples.std(ddof=1)
    assert fact.mean(samples, 0.0, rivals={"gap": 0.1}).resolution == pytest.approx(0.1, rel=0.06)


def test_the_sample_size_is_never_below_thirty():
    assert sample_size(1.0, 100.0) == 30


def test_more_components_need_more_samples():
    assert sample_size(1.0, 0.1, 100) > sample_size(1.0, 0.1)


def test_the_order_is_read_at_the_smallest_sizes_whatever_their_order(fact):
    h = np.array([0.4, 0.1, 0.8, 0.2])
    errors = h**2 * np.array([5.0, 1.0, 9.0, 1.0])
    assert fact.order(h, errors, 2, rivals={"first": 1}).passed is True
    assert fact.order(h, -errors, 2, rivals={"first": 1}).passed is True


def test_an_order_may_be_off_by_the_stated_tolerance_only(fact):
    h = np.array([0.1, 0.2, 0.4])
    assert fact.order(h, h**2.09, 2, rivals={"first": 1}).passed is True
    assert fact.order(h, h**2.11, 2, rivals={"first": 1}).passed is False
    assert fact.order(h, h**1.89, 2, rivals={"first": 1}).passed is False


def test_a_noisy_order_is_the_weighted_least_squares_slope(fact):
    h = np.array([0.2, 0.1, 0.4, 0.8])
    errors = h**1.5 * np.array([1.02, 0.99, 1.0, 1.01])
    se = errors * np.array([0.02, 0.01, 0.03, 0.01])
    design = np.stack([np.log(h), np.ones(4)], axis=1) / (se / errors)[:, None]
    covariance = np.linalg.inv(design.T @ design)
    slope = (covariance @ design.T @ (np.log(errors) * errors / se))[0]
    check = fact.order(h, errors, 1.4, rivals={"zero": 0.0}, se=se)
    assert check.scope == "Monte Carlo"
    assert check.z == round((slope - 1.4) / math.sqrt(covariance[0, 0]), 1)
    reach = stats.norm.isf(0.5e-6) + stats.norm.isf(1 - evidence.POWER)
    assert check.resolution == pytest.approx(reach * math.sqrt(covariance[0, 0]), rel=0.06)


def test_the_budget_pays_for_a_thousand_checks():
    assert evidence.BUDGET == pytest.approx(1000 * evidence.ALPHA)


def test_identities_may_need_simplification(fact):
    assert fact.identity(sp.tanh(X), 1 - 2 / (1 + sp.exp(2 * X))).passed is True
    assert fact.identity(sp.Matrix([X * (Y + 1), 0]), sp.Matrix([X * Y + X, 0])).n == 2
    assert fact.identity([X, 2], (X, 2)).n == 2
    assert fact.identity(1, 1).n == 1


def test_exact_numbers_broadcast_and_are_counted(fact):
    assert fact.exact(np.ones((2, 3)), 1.0, error=1e-12).n == 6
    assert fact.exact(1.0, np.ones(4), error=1e-12).n == 4
    assert fact.exact(np.ones((2, 3)), [1.0, 1.0, 2.0], error=1e-12).passed is False
    assert fact.exact(2.0, 2.5, error=0.5).passed is True


# Records.


@pytest.mark.parametrize("test", CHECKS)
def test_a_record_of_a_check_is_json_with_every_field(fact, shown, test):
    rivals = {} if test in ("identity", "exact") else {"rivals": {"far": stats.norm(9).cdf if test == "law" else 9.0}}
    check = CHECKS[test](fact, **rivals)
    record = json.loads(json.dumps(check.record(), allow_nan=False))
    assert set(record) == FIELDS | {"rivals"}
    assert record["kind"] == "check"
    assert record == shown[-1][evidence.MIME]
    assert record["rivals"] == [{"name": name, "rejected": True} for name in rivals.get("rivals", {})]
    assert record["passed"] is True
    assert record["verdict"] == "passed"


def test_a_record_of_a_claim_is_json_with_every_field(shown):
    made = claim("B1.noise-2", "a statement", assumes="R = 0", theorem="thm", demonstration=True)
    known = {
        "kind": "claim",
        "id": "B1.noise-2",
        "statement": "a statement",
        "assumes": "R = 0",
        "theorem": "thm",
        "demonstration": True,
    }
    assert json.loads(json.dumps(made.record())) == known
    assert shown[0][evidence.MIME] == known


def test_a_plain_claim_assumes_nothing_and_demonstrates_nothing(fact):
    assert fact.record() == {
        "kind": "claim",
        "id": "B1",
        "statement": "a statement",
        "assumes": "",
        "theorem": None,
        "demonstration": False,
    }


def test_an_illustration_asserts_nothing(fact, shown):
    check = fact.illustrated("paths near the equator")
    assert check.passed is None
    assert check.verdict == "illustrated"
    assert check.record()["scope"] == "illustrated"
    assert "paths near the equator" in shown[-1]["text/html"]


def test_numbers_in_records_are_rounded_to_what_does_not_depend_on_the_processor(fact):
    record = fact.mean(normal(1000, mean=0.05), 0.0, rivals={"far": 5.0}).record()
    assert record["z"] == round(record["z"], 1)
    assert record["p"] == float(f"{record['p']:.1g}")
    assert record["resolution"] == float(f"{record['resolution']:.2g}")


# What is shown.


def test_a_claim_and_each_check_are_shown_once(fact, shown):
    for number, check in enumerate(CHECKS.values(), start=2):
        check(fact)
        assert len(shown) == number
    fact.illustrated("a picture")
    assert len(shown) == 7
    assert all(set(bundle) == {"text/plain", "text/html", evidence.MIME} for bundle in shown)


def test_the_html_of_a_claim_can_be_linked_to(shown):
    claim("B4.trap", "J has a trap", assumes="beta > 1")
    page = BeautifulSoup(shown[0]["text/html"], "html.parser")
    assert page.find(id="claim-B4.trap")["class"] == ["sga-claim"]
    assert page.text == "Claim B4.trap. J has a trap. Assumes: beta > 1."
    assert shown[0]["text/plain"] == "Claim B4.trap: J has a trap. Assumes: beta > 1."


def test_a_claim_without_assumptions_does_not_speak_of_any(fact, shown):
    assert "Assumes" not in shown[0]["text/html"] + shown[0]["text/plain"]


def test_a_demonstration_is_called_one(shown):
    claim("D1", "a wrong statement", demonstration=True)
    assert "Demonstration D1" in shown[0]["text/html"]
    assert "Demonstration D1" in shown[0]["text/plain"]


@pytest.mark.parametrize(
    ("passed", "style", "verdict"),
    [(True, "sga-pass", "passed"), (False, "sga-fail", "not passed"), (None, "sga-illustrated", "illustrated")],
)
def test_the_html_of_a_check_says_its_verdict_and_wears_its_color(passed, style, verdict):
    check = evidence.Check("B1", "a number", "exact", "exact", passed)
    page = BeautifulSoup(check.bundle()["text/html"], "html.parser")
    assert page.strong.text == verdict
    assert page.div["class"] == ["sga-check", style]
    assert check.bundle()["text/plain"].endswith(f": {verdict}")


def test_the_line_of_a_check_reads_its_numbers_and_the_rivals_it_kept(fact):
    check = evidence.Check(
        "B1",
        "noise",
        "mean",
        "Monte Carlo",
        False,
        4000,
        0.7,
        0.5,
        1e-6,
        0.0022,
        rivals=(("b^2", True), ("flat", False)),
    )
    assert check.bundle()["text/plain"] == (
        "B1 · noise · Monte Carlo · n = 4,000 · z = 0.7 · p = 0.5 · sees 0.0022 at 1e-06"
        " · rivals rejected 1 of 2 (kept: flat): not passed"
    )
    assert "within 1e-08" in fact.exact(1.0, 1.0, error=1e-8).bundle()["text/plain"]


def test_html_is_escaped_and_dollars_become_mathematics(shown):
    made = claim("B1", "<b> & $x<y$ hold", assumes="$\\rho > 0$ & so on")
    made.illustrated("a <picture> of $z^2$")
    for bundle in shown:
        assert "<b>" not in bundle["text/html"]
        assert "<picture>" not in bundle["text/html"]
        assert "$" not in bundle["text/html"]
    assert '<span class="math notranslate nohighlight">\\(x&lt;y\\)</span>' in shown[0]["text/html"]
    assert "&lt;b&gt; &amp; " in shown[0]["text/html"]
    assert "\\(\\rho &gt; 0\\)" in shown[0]["text/html"]
    assert "\\(z^2\\)" in shown[1]["text/html"]


def test_a_single_dollar_is_money(shown):
    claim("B1", "it costs <5$")
    assert "it costs &lt;5$" in shown[0]["text/html"]


# Verdicts.


@pytest.mark.parametrize(
    ("outcomes", "word"),
    [
        ([], "not checked"),
        ([None], "illustrated"),
        ([None, None], "illustrated"),
        ([True], "passed"),
        ([True, None], "passed"),
        ([True, True, False], "not passed"),
        ([False, None], "not passed"),
    ],
)
def test_a_claim_passes_if_something_was_asserted_and_all_of_it_passed(outcomes, word):
    checks = [evidence.Check("B1", "", "exact", "exact", passed) for passed in outcomes]
    assert evidence.verdict(checks) == word
    assert evidence.verdict(check.record() for check in checks) == word


def test_the_summary_lists_each_claim_with_its_scopes_and_verdict(shown):
    first = claim("B2", "first $x$")
    CHECKS["exact"](first)
    CHECKS["mean"](first)
    CHECKS["exact"](first)
    claim("B3", "second")
    CHECKS["exact"](claim("D1", "shown to fail", demonstration=True))
    checked()
    page = BeautifulSoup(shown[-1]["text/html"], "html.parser")
    rows = [[cell.text for cell in row.find_all("td")] for row in page.tbody.find_all("tr")]
    assert rows == [["B2", "first \\(x\\)", "exact, Monte Carlo", "passed"], ["B3", "second", "none", "not checked"]]
    assert shown[-1]["text/plain"] == "B2 · first $x$ · exact, Monte Carlo · passed\nB3 · second · none · not checked"
    assert evidence.MIME not in shown[-1]


def test_a_claim_stated_again_replaces_itself(shown):
    fact = claim("B2", "wrong")
    fact.exact(1.0, 2.0, error=0.1)
    claim("B2", "right").exact(1.0, 1.0, error=0.1)
    checked()
    assert shown[-1]["text/plain"] == "B2 · right · exact · passed"


# Notebooks.


def stored(path, *records, others=()):
    """A notebook whose cells hold the records, as displayed."""
    cells = [new_markdown_cell("# Prose"), new_code_cell("1", outputs=list(others))]
    for record in records:
        data = {"text/plain": "shown", "text/html": "<p>shown</p>", evidence.MIME: record}
        cells.append(new_code_cell("c", outputs=[new_output("display_data", data=data)]))
    nbformat.write(new_notebook(cells=cells), path)
    return path


def test_records_read_from_notebooks_are_those_displayed_in_order(fact, shown, tmp_path):
    CHECKS["mean"](fact)
    CHECKS["identity"](fact)
    records = [bundle[evidence.MIME] for bundle in shown]
    stream = new_output("stream", text="hello")
    plain = new_output("display_data", data={"text/plain": "1"})
    error = new_output("error", ename="E", evalue="e", traceback=[])
    one = stored(tmp_path / "one.ipynb", *records, others=[stream, plain, error])
    two = stored(tmp_path / "two.ipynb", records[0])
    read = evidence.read([two, str(one)])
    assert read == [{**r, "notebook": str(p)} for p, r in [(two, records[0]), *((one, r) for r in records)]]
    assert evidence.read([]) == []
    assert evidence.read([stored(tmp_path / "empty.ipynb")]) == []


@pytest.mark.parametrize("content", ["", "not json", "[]", "{}", '"text"', "3"])
def test_what_is_no_notebook_is_refused_by_name(tmp_path, content):
    path = tmp_path / "broken.ipynb"
    path.write_text(content)
    with pytest.raises(ValueError, match=re.escape(f"{path} is not a notebook")):
        evidence.read([path])


def test_a_notebook_that_is_missing_is_an_error(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"missing\.ipynb"):
        evidence.read([tmp_path / "missing.ipynb"])


def test_an_executed_notebook_shows_nothing_twice_and_yields_its_records(tmp_path):
    sources = [
        "from sga import checked, claim",
        'c = claim("B1", "one is one")\nc',
        "k = c.exact(1.0, 1.0, error=1e-9)\nk",
        "c.exact(1.0, 2.0, error=1e-9)",
        "checked()",
    ]
    notebook = new_notebook(cells=[new_code_cell(source) for source in sources])
    NotebookClient(notebook, timeout=120, kernel_name="python3").execute()
    assert [len(cell.outputs) for cell in notebook.cells] == [0, 1, 1, 1, 1]
    nbformat.write(notebook, tmp_path / "run.ipynb")
    records = evidence.read([tmp_path / "run.ipynb"])
    assert [(r["kind"], r.get("passed")) for r in records] == [("claim", None), ("check", True), ("check", False)]


# Refusals.


@pytest.mark.parametrize("id", ["", "b1", "1", "B 1", "B1.", ".B1", "B1..x", "B_1", "B1\n", 'B1"', "é", 5, None])
def test_an_id_of_another_form_is_refused(shown, id):
    with pytest.raises(ValueError, match=re.escape(f'id must look like "B1" or "B1.noise", got {id!r}')):
        claim(id, "a statement")
    assert shown == []


@pytest.mark.parametrize("id", ["A", "B1", "B1.noise", "B1.noise-2.a", "Trap"])
def test_an_id_may_be_dotted(shown, id):
    assert claim(id, "a statement").id == id


@pytest.mark.parametrize("statement", ["", "  \n", None, 3])
def test_an_empty_statement_is_refused(shown, statement):
    with pytest.raises(
        ValueError, match="statement must be a text that is not empty, got " + re.escape(repr(statement))
    ):
        claim("B1", statement)


BAD_CALLS = [
    (lambda c: c.identity([], []), ValueError, "lhs must hold at least one expression, got none"),
    (lambda c: c.identity([X, Y], X), ValueError, "as many expressions, got 2 and 1"),
    (lambda c: c.identity(X, X, rivals={"a": [X, Y]}), ValueError, "as many expressions, got 1 and 2"),
    (lambda c: c.exact([], [], error=1.0), ValueError, "value must hold at least one number, got none"),
    (lambda c: c.exact(1.0, 1.0, error=0.0), ValueError, "error must be > 0, got 0"),
    (lambda c: c.exact(1.0, 1.0, error=-1.0), ValueError, "error must be > 0, got -1"),
    (lambda c: c.exact(1.0, 1.0, error=math.nan), ValueError, "error must be > 0, got nan"),
    (lambda c: c.exact(1.0, 1.0, error=math.inf), ValueError, "error must be > 0, got inf"),
    (lambda c: c.exact(math.nan, 1.0, error=1.0), ValueError, "value must be finite, got nan"),
    (lambda c: c.exact(1.0, math.inf, error=1.0), ValueError, "reference must be finite, got inf"),
    (lambda c: c.exact("one", 1.0, error=1.0), TypeError, "value must be an array of real numbers, got str"),
    (lambda c: c.exact([1.0, 2.0], [1.0, 2.0, 3.0], error=1.0), ValueError, "shape mismatch"),
    (lambda c: c.mean(np.ones(29), 1.0, rivals={"a": 2.0}), ValueError, "with n >= 30, got (29,)"),
    (lambda c: c.mean(np.ones((2, 50)), 1.0, rivals={"a": 2.0}), ValueError, "with n >= 30, got (2, 50)"),
    (lambda c: c.mean(np.ones((50, 0)), 1.0, rivals={"a": 2.0}), ValueError, "with n >= 30, got (50, 0)"),
    (lambda c: c.mean(np.ones((50, 2, 2)), 1.0, rivals={"a": 2.0}), ValueError, "got (50, 2, 2)"),
    (lambda c: c.mean(1.0, 1.0, rivals={"a": 2.0}), ValueError, "with n >= 30, got ()"),
    (lambda c: c.mean(np.ones(50), 1.0, rivals={"a": 2.0}), ValueError, "samples must vary in every component"),
    (lambda c: c.mean([math.nan] * 50, 1.0, rivals={"a": 2.0}), ValueError, "samples must be finite, got nan"),
    (lambda c: c.mean(normal(50), math.nan, rivals={"a": 2.0}), ValueError, "predicted must be finite, got nan"),
    (lambda c: c.mean(normal(50), "a", rivals={"a": 2.0}), TypeError, "predicted must be an array of real numbers"),
    (lambda c: c.mean(normal((50, 2)), np.zeros(3), rivals={"a": 2.0}), ValueError, "broadcast"),
    (lambda c: c.law(normal(29), stats.norm.cdf, rivals={"a": stats.norm(9).cdf}), ValueError, "n >= 30, got (29,)"),
    (lambda c: c.law(normal((50, 1)), stats.norm.cdf, rivals={"a": stats.norm(9).cdf}), ValueError, "got (50, 1)"),
    (lambda c: c.law([math.inf] * 50, stats.norm.cdf, rivals={"a": stats.norm(9).cdf}), ValueError, "got inf"),
    (lambda c: c.law(normal(50), lambda x: x * math.nan, rivals={"a": stats.norm.cdf}), ValueError, "got nan"),
    (lambda c: c.order([0.1, 0.2], [1, 2], 1, rivals={"a": 2}), ValueError, "m >= 3, got (2,) and (2,)"),
    (lambda c: c.order([0.1, 0.2, 0.4], [1, 2], 1, rivals={"a": 2}), ValueError, "m >= 3, got (3,) and (2,)"),
    (lambda c: c.order(np.ones((3, 1)), np.ones((3, 1)), 1, rivals={"a": 2}), ValueError, "got (3, 1) and (3, 1)"),
    (lambda c: c.order([0.0, 0.2, 0.4], [1, 2, 3], 1, rivals={"a": 2}), ValueError, "h must be distinct and > 0"),
    (lambda c: c.order([0.2, 0.2, 0.4], [1, 2, 3], 1, rivals={"a": 2}), ValueError, "h must be distinct and > 0"),
    (lambda c: c.order([0.1, 0.2, 0.4], [1, -2, 3], 1, rivals={"a": 2}), ValueError, "nonzero and of one sign"),
    (lambda c: c.order([0.1, 0.2, 0.4], [0, 2, 3], 1, rivals={"a": 2}), ValueError, "nonzero and of one sign"),
    (
        lambda c: c.order([0.1, 0.2, 0.4], [1, 2, 3], 1, rivals={"a": 2}, se=[1, 1]),
        ValueError,
        "se must have shape (3,)",
    ),
    (lambda c: c.order([0.1, 0.2, 0.4], [1, 2, 3], 1, rivals={"a": 2}, se=[0, 1, 1]), ValueError, "and be > 0"),
    (lambda c: c.order([0.1, 0.2, math.nan], [1, 2, 3], 1, rivals={"a": 2}), ValueError, "h must be finite, got nan"),
    (lambda _: sample_size(0.0, 1.0), ValueError, "deviation must be > 0, got 0"),
    (lambda _: sample_size(math.nan, 1.0), ValueError, "deviation must be > 0, got nan"),
    (lambda _: sample_size("one", 1.0), TypeError, "deviation must be a number, > 0, got 'one'"),
    (lambda _: sample_size(1.0, -1.0), ValueError, "gap must be > 0, got -1"),
    (lambda _: sample_size(1.0, math.inf), ValueError, "gap must be > 0, got inf"),
    (lambda _: sample_size(1.0, 1.0, 0), ValueError, "components must be an integer >= 1, got 0"),
    (lambda _: sample_size(1.0, 1.0, 1.5), TypeError, "components must be an integer >= 1, got 1.5"),
]


@pytest.mark.parametrize(("call", "error", "message"), BAD_CALLS)
def test_a_check_that_makes_no_sense_is_refused_and_leaves_no_record(fact, shown, call, error, message):
    with pytest.raises(error, match=re.escape(message)):
        call(fact)
    assert fact.checks == []
    assert len(shown) == 1


def test_a_claim_compares_by_what_it_says(shown):
    assert claim("B1", "a") == claim("B1", "a")
    assert claim("B1", "a") != claim("B1", "b")
