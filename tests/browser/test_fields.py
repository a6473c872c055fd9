"""The number fields of the self-checks: they say what the library says, to every stored value and slip."""

import pytest

from press.pages.answers import place
from press.structure import ROOT
from sga import check_answer
from sga.exercises import ANSWERS, replies

STATIC = ROOT / "book" / "_static"


@pytest.fixture(scope="module")
def page(browser, tmp_path_factory):
    """A page of all self-checks, offline."""
    fields = [place(f'answer = None  # number of {label}\ncheck_answer("{label}", answer)') for label in ANSWERS]
    file = tmp_path_factory.mktemp("answers") / "page.html"
    script, style = ((STATIC / f"answers.{kind}").read_text(encoding="utf-8") for kind in ("js", "css"))
    file.write_text(
        f"<!doctype html><meta charset=utf-8><style>{style}</style>{''.join(fields)}<script>{script}</script>",
        encoding="utf-8",
    )
    context = browser.new_context(offline=True)
    page = context.new_page()
    page.goto(file.as_uri())
    yield page
    context.close()


def answer(page, label, text):
    """What the page says to a text in the field of an exercise."""
    page.get_by_label(f"Number of {label}", exact=True).fill(text)
    page.keyboard.press("Enter")
    return page.locator(".sga-answer", has_text=f"Number of {label}").get_by_role("status").inner_text()


@pytest.mark.parametrize("label", ANSWERS)
def test_a_field_says_what_the_library_says(page, label, capsys):
    numbers = {reply.value + part * reply.within for reply in replies(label) for part in (-0.97, 0, 0.97)} | {1e9}
    for number in numbers:
        check_answer(label, number)
        verdict, _, rest = capsys.readouterr().out.strip().partition(": ")
        shown, hint = f"{number:.4g}", rest.partition(". ")[2]
        said = answer(page, label, repr(number))
        assert said.startswith(f"{verdict}: ")
        assert said.removesuffix(".").endswith(hint.removesuffix("."))
        assert float(said.split(": ")[1].split(" ")[0].rstrip(".")) == float(shown)


def test_numbers_are_read_as_people_type_them(page):
    label = "ex:landscape-half"
    for text in ("1.631", "1,631", " 1631e-3 ", "+1.631"):
        assert answer(page, label, text) == "Right: 1.631."
    assert "check the sign" in answer(page, label, "−1.631")
    for text in ("", "about 2", "1,631,000", "Infinity"):
        assert answer(page, label, text) == "Enter a number, such as 0.25."
