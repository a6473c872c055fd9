"""Claims without a notebook: what they would show is kept in a list."""

import pytest

from evidence import claim, claims


@pytest.fixture
def shown(monkeypatch):
    """What is displayed, in order; the session starts without claims."""
    bundles = []

    def display(bundle, *, raw):
        assert raw
        bundles.append(bundle)

    monkeypatch.setattr(claims, "display", display)
    monkeypatch.setattr(claims, "_session", {})
    return bundles


@pytest.fixture
def fact(shown):
    """A claim that has been stated."""
    return claim("B1", "a statement")
