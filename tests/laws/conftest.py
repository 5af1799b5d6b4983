"""In which order laws are tried."""

from __future__ import annotations

import pytest


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The laws of a game follow one another: what they find of it, as `worths`, is kept for few."""
    games = {
        place: item.callspec.params["name"]
        for place, item in enumerate(items)
        if isinstance(item, pytest.Function)
        and item.path.name == "test_laws.py"
        and hasattr(item, "callspec")
        and "name" in item.callspec.params
    }
    ordered = [items[place] for place in sorted(games, key=lambda place: games[place])]
    for place, item in zip(games, ordered, strict=True):
        items[place] = item
