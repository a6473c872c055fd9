"""Claims as objects: noted page by page, forgotten with their page, and never shown without their renderer."""

from types import SimpleNamespace

import pytest
from docutils import nodes
from docutils.utils import new_document
from sphinx.errors import ExtensionError

from evidence.render import Records
from press.pages import domain


@pytest.fixture
def claims():
    """The domain of a book with a claim on each of two pages."""
    found = domain.EvidenceDomain(SimpleNamespace(domaindata={}))
    for page, name in (("one", "B1"), ("two", "B2")):
        document = new_document(page)
        data = SimpleNamespace(mime_type="application/vnd.sga.evidence+json", content=record(name))
        document += Records.handle_mime(None, data, False)
        found.process_doc(None, page, document)
    return found


def record(name):
    """Returns the record of a claim."""
    return {"kind": "claim", "id": name, "statement": "$x$ is 1", "assumes": "", "demonstration": False}


def test_a_claim_is_an_object_of_its_page(claims):
    assert claims.get_objects() == [
        ("B1", "B1", "claim", "one", "claim-B1", 1),
        ("B2", "B2", "claim", "two", "claim-B2", 1),
    ]


def test_a_page_that_is_read_again_loses_its_claims(claims):
    claims.clear_doc("one")
    assert claims.claims == {"B2": "two"}


def test_claims_that_another_process_read_are_taken_over(claims):
    claims.merge_domaindata(["three"], {"claims": {"B3": "three", "B4": "four"}})
    assert claims.claims == {"B1": "one", "B2": "two", "B3": "three"}


def test_an_output_of_another_kind_is_left_to_others():
    data = SimpleNamespace(mime_type="text/html", content="<p>1</p>")
    assert Records.handle_mime(None, data, False) is None


def test_mathematics_is_mathematics():
    data = SimpleNamespace(mime_type="application/vnd.sga.evidence+json", content=record("B1"))
    (output,) = Records.handle_mime(None, data, False)
    (claim,) = output.children
    assert claim["ids"] == ["claim-B1"]
    assert [node.astext() for node in output.findall(nodes.math)] == ["x"]


def test_a_library_without_its_renderer_stops_the_build(monkeypatch):
    domain.require_renderer(None)
    monkeypatch.setattr(domain, "load_mime_renders", list)
    with pytest.raises(ExtensionError, match="without its renderer of records"):
        domain.require_renderer(None)
