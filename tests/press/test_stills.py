"""Explorers: what readers without scripts would miss is refused, and the stored pictures and runs are fresh."""

import json

import numpy as np
import pytest

from pictures import difference
from press.commands import stills
from press.pages.explorers import KINDS
from press.structure import ROOT

STATIC = ROOT / "book" / "_static"


def test_a_wrong_explorer_stops_the_build(small_book):
    picture = "![A picture of it](../_static/explorers/{}.png)\n\n"
    wrong = {
        "there is no explorer 'hill'": ("hill", picture.format("hill") + "Words."),
        "begins with its picture": ("mass", picture.format("sign") + "Words."),
        "needs an alternative text": ("mass", "![](../_static/explorers/mass.png)\n\nWords."),
        "needs a caption": ("mass", picture.format("mass")),
    }
    text = "\n\n".join(f":::{{explorer}} {kind}\n\n{content}\n:::" for kind, content in wrong.values())
    small_book.text("book/pages/wrong.md", f"# Wrong\n\n{text}\n")
    small_book.chapter("book/pages/wrong")
    done = small_book.build()
    assert done.returncode != 0
    assert [message for message in wrong if message not in done.stdout + done.stderr] == []


@pytest.mark.parametrize("kind", KINDS)
def test_the_still_pictures_are_fresh(kind):
    assert difference((STATIC / "explorers" / f"{kind}.png").read_bytes(), stills.picture(kind)) == "", (
        "python book/press stills makes them anew"
    )


def test_the_stored_runs_are_fresh():
    data = stills.read_script((STATIC / "explorers" / "runs.js").read_text(encoding="utf-8"))
    assert np.shape(data["runs"]) == (len(stills.SCALES), len(stills.POWERS), stills.RUNS, len(stills.RECORDS))
    for i, j in ((0, 0), (2, 2), (4, 1)):
        fresh = stills.stored(stills.SCALES[i], stills.POWERS[j])
        np.testing.assert_allclose(
            data["runs"][i][j], fresh, atol=1, err_msg="python book/press stills makes them anew"
        )
    facts = json.loads(json.dumps(stills.facts()))
    assert data.pop("noise") == pytest.approx(facts.pop("noise"), rel=1e-9)
    assert {key: data[key] for key in facts} == facts


def test_the_files_are_small():
    folder = STATIC / "explorers"
    sizes = {path.name: path.stat().st_size for path in (*folder.iterdir(), STATIC / "explorers.css")}
    assert sizes["explorers.css"] < 12_000
    assert sizes["runs.js"] < 200_000
    assert max(size for name, size in sizes.items() if name.endswith(".js") and name != "runs.js") < 20_000
    assert sum(size for name, size in sizes.items() if name.endswith(".png")) < 300_000
