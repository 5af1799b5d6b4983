"""In which order laws are tried."""

from __future__ import annotations

import pytest


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The laws of a game follow one another, and then those of each search on it.

    So one process alone loads what is compiled for them, and what laws find of a game, as `worths`,
    is kept for few.
    """
    subjects = {
        place: (given.get("name") or given["game"], given.get("search", ""))
        for place, item in enumerate(items)
        if isinstance(item, pytest.Function)
        and item.path.name == "test_laws.py"
        and hasattr(item, "callspec")
        and {"name", "game"} & (given := item.callspec.params).keys()
    }
    ordered = [items[place] for place in sorted(subjects, key=lambda place: subjects[place])]
    for place, item in zip(subjects, ordered, strict=True):
        items[place] = item
