"""The examples on the page of the library give what is printed under them."""

import doctest
import re

from press.structure import ROOT

PAGE = ROOT / "book" / "appendix" / "api.md"


def test_the_first_names_do_what_the_page_says():
    blocks = re.findall(r"^```python\n(>>> .*?)^```", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    examples = doctest.DocTestParser().get_doctest("\n".join(blocks), {}, PAGE.name, str(PAGE), 0)
    found = doctest.DocTestRunner().run(examples)
    assert found.attempted > 12
    assert found.failed == 0
