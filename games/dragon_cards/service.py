"""The pages' questions about cards, and the answers. Pages cannot set the data's address."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from attrs import frozen

from dragon.page import Nothing, text, whole
from dragon.web.meanwhile import meanwhile
from dragon_cards.card import of_store
from dragon_cards.download import update as downloaded
from dragon_cards.store import store


@frozen
class Like:
    """A search for names."""

    like: str = text("", longest=100)
    """The text that the names contain, ignoring case, accents and signs."""
    top: int = whole(20, least=1, most=200)
    """The most names to return."""


def known(asked: Nothing) -> dict[str, Any]:
    """Return the source of the cards that are known, and the number of each kind."""
    return of_store(store())


def names(asked: Like) -> dict[str, Any]:
    """Return the cards whose names contain a text, those that begin so first."""
    known = store().names
    return {"names": [known.names[i] for i in known.having(asked.like)[: asked.top]]}


def archetypes(asked: Nothing) -> dict[str, Any]:
    """Return the archetypes of all cards, by name."""
    return {"archetypes": sorted({card.archetype for card in store().cards} - {""})}


def update(asked: Nothing) -> Iterator[dict[str, Any]]:
    """Fetch all cards; yield the bytes received and their total, and at last the cards."""
    fetched = yield from meanwhile(lambda watch: downloaded(watch=watch), _under_way, 0, None)
    yield {**of_store(fetched), "done": True}


def _under_way(got: int, total: int | None) -> dict[str, Any]:
    return {"bytes": got, "total": total, "done": False}
