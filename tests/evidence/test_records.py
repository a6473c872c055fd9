"""Records are JSON, say everything, and are read back from notebooks; verdicts follow from them."""

import json
import re

import nbformat
import pytest
from bs4 import BeautifulSoup
from nbclient import NotebookClient
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output
from scipy import stats

import evidence
from evidence import checked, claim
from facts import CHECKS, X, normal

#: What a tolerance that is not small needs.
ROUGH = {"because": "one digit", "rivals": {"nine": 9.0}}
FIELDS = {"kind", "claim", "about", "test", "scope", "passed", "n", "z", "p", "alpha", "resolution", "error", "verdict"}
FIELDS |= {"critical", "runs", "fit", "assumes", "because", "hits", "bound", "components", "untested"}


@pytest.mark.parametrize("test", CHECKS)
def test_a_record_of_a_check_is_json_with_every_field(fact, shown, test):
    far = {"law": stats.norm(0.5).cdf, "mean": 1.0, "count": 0.5}.get(test, 9)
    check = CHECKS[test](fact, rivals={"far": far})
    record = json.loads(json.dumps(check.record(), allow_nan=False))
    assert set(record) == FIELDS | {"rivals"}
    assert record["kind"] == "check"
    assert record == shown[-1][evidence.MIME]
    assert record["rivals"] == [{"name": "far", "rejected": True}]
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
    record = fact.mean(normal(1000, mean=0.05), 0.0, rivals={"far": 5.0}, tails="normal", tolerance=0.7123456).record()
    assert record["error"] == 0.712
    assert record["z"] == round(record["z"], 1)
    assert record["p"] == float(f"{record['p']:.1g}")
    assert record["resolution"] == float(f"{record['resolution']:.2g}")
    compared = fact.exact(1.0, 1.0, error=0.0123456, because="a bound", rivals={"far": 2.0}).record()
    assert compared["error"] == 0.0123


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
    scopes = ["illustrated" if passed is None else "exact" for passed in outcomes]
    checks = [evidence.Check("B1", "", "exact", *said) for said in zip(scopes, outcomes, strict=True)]
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
    assert rows == [
        ["B2", "✓ passed", "exact, Monte Carlo", "first \\(x\\)"],
        ["B3", "– not checked", "none", "second"],
    ]
    assert shown[-1]["text/plain"] == (
        "B2 · ✓ passed · exact, Monte Carlo · first $x$\nB3 · – not checked · none · second"
    )
    assert shown[-1][evidence.MIME] == {
        "kind": "checked",
        "claims": [
            {"id": "B2", "statement": "first $x$", "scopes": ["exact", "Monte Carlo"], "verdict": "passed"},
            {"id": "B3", "statement": "second", "scopes": [], "verdict": "not checked"},
        ],
    }


def test_a_claim_stated_again_keeps_what_did_not_pass_and_nothing_else(shown):
    fact = claim("B2", "wrong")
    fact.exact(1.0, 2.0, error=0.1, **ROUGH)
    fact.exact(1.0, 1.0, error=0.1, **ROUGH)
    fact.illustrated("a picture")
    again = claim("B2", "right")
    again.exact(1.0, 1.0, error=0.1, **ROUGH)
    assert [check.passed for check in again.checks] == [False, True]
    checked()
    assert shown[-1]["text/plain"] == "B2 · ✗ not passed · exact · right"
    claim("B2", "right once more").exact(1.0, 1.0, error=0.1, **ROUGH)
    checked()
    assert shown[-1]["text/plain"] == "B2 · ✗ not passed · exact · right once more"


def test_a_claim_does_not_become_a_demonstration_nor_a_demonstration_a_claim(shown):
    claim("B2", "wrong").exact(1.0, 2.0, error=0.1, **ROUGH)
    with pytest.raises(ValueError, match="B2 was stated as a claim and cannot become a demonstration"):
        claim("B2", "wrong", demonstration=True)
    claim("D1", "wrong", demonstration=True)
    with pytest.raises(ValueError, match="D1 was stated as a demonstration and cannot become a claim"):
        claim("D1", "wrong")
    checked()
    assert shown[-1]["text/plain"] == "B2 · ✗ not passed · exact · wrong"


# A verdict follows from the numbers of a record, whatever the record says.

FORGED = [
    {"passed": False},
    {"z": 99.0},
    {"z": -99.0},
    {"z": 5.3},
    {"p": 1e-9},
    {"p": None},
    {"alpha": None},
    {"rivals": [{"name": "far", "rejected": False}]},
    {"passed": None},
    {"critical": None},
]


@pytest.mark.parametrize("change", FORGED, ids=str)
def test_a_record_whose_numbers_do_not_pass_is_judged_so_whatever_it_says(fact, change):
    record = fact.mean(normal(1000), 0.0, rivals={"far": 5.0}, tails="normal", tolerance=2.4).record()
    assert evidence.judged(record) == record["verdict"] == "passed"
    forged = {**record, **change}
    assert (forged["verdict"], evidence.judged(forged)) == ("passed", "not passed")
    assert evidence.verdict([forged]) == evidence.verdict([record, forged]) == "not passed"


@pytest.mark.parametrize("test", CHECKS)
def test_the_record_of_a_check_is_judged_as_the_check(fact, test):
    good = CHECKS[test](fact)
    near = {
        "law": stats.norm.cdf,
        "agrees": [1, 0],
        "order": 2,
        "identity": (X + 1) ** 2,
        "exact": [1.0, 2.0],
        "count": 0.3,
    }
    why = {"because": "nine digits"} if test == "exact" else {}
    kept = CHECKS[test](fact, rivals={"the same": near.get(test, 0.0)}, **why)
    for check, word in [(good, "passed"), (kept, "not passed"), (fact.illustrated("a picture"), "illustrated")]:
        assert evidence.judged(check.record()) == check.verdict == word


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
        "k = c.exact(1.0, 1.0, error=1e-9, rivals={'two': 2.5})\nk",
        "c.exact(1.0, 2.0, error=1e-9, rivals={'two': 2.5})",
        "checked()",
    ]
    notebook = new_notebook(cells=[new_code_cell(source) for source in sources])
    NotebookClient(notebook, timeout=120, kernel_name="python3").execute()
    assert [len(cell.outputs) for cell in notebook.cells] == [0, 1, 1, 1, 1]
    nbformat.write(notebook, tmp_path / "run.ipynb")
    records = evidence.read([tmp_path / "run.ipynb"])
    assert [(r["kind"], r.get("passed")) for r in records] == [("claim", None), ("check", True), ("check", False)]
