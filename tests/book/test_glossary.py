"""The terms of the glossary: each defined once, explained, and used in the book."""

import re

from books import prose
from press.structure import ROOT, toc_files

GLOSSARY = ROOT / "book" / "appendix" / "glossary.md"


def terms():
    """Returns {term: its explanation}; several terms may share one."""
    block = re.search(r"^```\{glossary\}\n(.*?)^```", GLOSSARY.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)[1]
    found, waiting = [], []
    for line in block.splitlines():
        if line and not line.startswith(" "):
            waiting.append(line)
        elif line.strip() and waiting:
            found += [(term, line.strip()) for term in waiting]
            waiting = []
    assert waiting == [], "a term without an explanation"
    assert len(found) == len(dict(found)), "a term twice"
    return dict(found)


def test_every_term_is_used_outside_of_the_glossary():
    said = re.sub(r"\s+", " ", " ".join(prose(path) for path in toc_files() if path != GLOSSARY)).lower()
    assert [term for term in terms() if term.lower() not in said] == []


def test_every_explanation_leads_to_its_place():
    assert [term for term, words in terms().items() if not re.search(r"\{[\w:]+\}`", words)] == []
