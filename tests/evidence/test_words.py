"""What a cell shows of a claim and of its checks."""

import pytest
from bs4 import BeautifulSoup

import evidence
from evidence import claim
from facts import CHECKS


def test_a_claim_and_each_check_are_shown_once(fact, shown):
    for number, check in enumerate(CHECKS.values(), start=2):
        check(fact)
        assert len(shown) == number
    fact.illustrated("a picture")
    assert len(shown) == 2 + len(CHECKS)
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
    [(True, "sga-pass", "✓ Passed"), (False, "sga-fail", "✗ Not passed"), (None, "sga-illustrated", "○ Illustrated")],
)
def test_the_html_of_a_check_says_its_verdict_first_and_wears_its_color(passed, style, verdict):
    check = evidence.Check("B1", "a number", "exact", "exact", passed, n=1)
    page = BeautifulSoup(check.shown()["text/html"], "html.parser")
    assert page.strong.text == verdict
    assert page.div["class"] == ["sga-check", style]
    assert check.shown()["text/plain"].startswith(f"{verdict} · a number")


def test_a_statement_begins_with_a_capital_unless_it_is_mathematics(shown):
    claim("B7", "the slope is positive")
    claim("B8", "$x$ is positive")
    assert [bundle["text/plain"] for bundle in shown] == [
        "Claim B7: The slope is positive.",
        "Claim B8: $x$ is positive.",
    ]


RIVALS = {True: (("b^2", True), ("flat", True)), False: (("b^2", True), ("flat", False))}
LINES = {
    ("mean", True, 0.7, 0.5): "the mean of 4,000 samples agrees (z = 0.7); 2 wrong formulas rejected.",
    ("mean", False, 0.7, 0.5): "the mean of 4,000 samples agrees (z = 0.7); 1 of 2 wrong formulas survives: flat.",
    ("mean", False, 9.1, 1e-9): "the prediction is rejected (z = 9.1); 1 of 2 wrong formulas survives: flat.",
    ("law", True, None, 0.5): "4,000 samples follow the distribution (p = 0.5); 2 wrong formulas rejected.",
    ("order", True, 0.7, 0.5): "the exponent agrees over 4000 sizes (z = 0.7); 2 wrong formulas rejected.",
    ("identity", True, None, None): "SymPy reduces all 4000 differences to 0; 2 wrong formulas rejected.",
    ("agrees", True, None, None): "4,000 outcomes agree; 2 wrong formulas rejected.",
    ("agrees", False, None, None): "1 of 2 wrong formulas survives: flat.",
}


@pytest.mark.parametrize(("test", "passed", "z", "p"), LINES)
def test_the_line_of_a_check_says_what_was_found_and_no_more(test, passed, z, p):
    alpha = None if p is None else 1e-6
    check = evidence.Check("B1", "noise", test, "exact", passed, 4000, z, p, alpha, rivals=RIVALS[passed])
    assert check.shown()["text/plain"].partition(" · ")[2] == f"noise: {LINES[test, passed, z, p]}"


def test_a_single_number_and_a_tolerance_are_said(fact):
    agrees = fact.agrees(True, 1, rivals={"no": 0})
    assert agrees.shown()["text/plain"] == "✓ Passed · check of B1: the outcomes agree; 1 wrong formula rejected."
    exact = fact.exact(1.0, 1.0, error=1e-8, rivals={"two": 2.0})
    assert "the numbers agree within 1e-08" in exact.shown()["text/plain"]
    assert fact.illustrated("a picture").shown()["text/plain"] == "○ Illustrated · a picture."


def test_the_numbers_behind_a_line_are_all_of_the_record():
    check = evidence.Check(
        "B1", "noise", "mean", "Monte Carlo", False, 4000, 0.7, 0.5, 1e-6, 0.0022, 0.1, RIVALS[False]
    )
    page = BeautifulSoup(check.shown()["text/html"], "html.parser")
    assert {row.th.text: row.td.text for row in page.select("details tr")} == {
        "claim": "B1",
        "evidence": "Monte Carlo",
        "n": "4,000",
        "z": "0.7",
        "p": "0.5",
        "smallest difference seen": "0.0022, at level 1e-06",
        "tolerance": "0.1",
        "rejected": "b^2",
        "not rejected": "flat",
    }


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


def test_a_dollar_without_a_partner_is_refused_and_leaves_nothing_behind(fact, shown):
    with pytest.raises(ValueError, match=r"unpaired \$ in 'It costs 5\$"):
        claim("B2", "it costs 5$")
    with pytest.raises(ValueError, match=r"unpaired \$"):
        fact.illustrated("5$")
    assert (len(shown), fact.checks) == (1, [])
