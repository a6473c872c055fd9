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
    assert len(shown) == 8
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
    page = BeautifulSoup(check.shown()["text/html"], "html.parser")
    assert page.strong.text == verdict
    assert page.div["class"] == ["sga-check", style]
    assert check.shown()["text/plain"].endswith(f": {verdict}")


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
    assert check.shown()["text/plain"] == (
        "B1 · noise · Monte Carlo · n = 4,000 · z = 0.7 · p = 0.5 · sees 0.0022 at 1e-06"
        " · rivals rejected 1 of 2 (kept: flat): not passed"
    )
    agrees = fact.agrees(True, 1, rivals={"no": 0})
    assert agrees.shown()["text/plain"] == "B1 · exact · n = 1 · rivals rejected 1 of 1: passed"
    assert "within 1e-08" in fact.exact(1.0, 1.0, error=1e-8).shown()["text/plain"]


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
    with pytest.raises(ValueError, match=r"unpaired \$ in 'it costs 5\$"):
        claim("B2", "it costs 5$")
    with pytest.raises(ValueError, match=r"unpaired \$"):
        fact.illustrated("5$")
    assert (len(shown), fact.checks) == (1, [])
