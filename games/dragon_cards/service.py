"""What pages ask about cards, and the answers. The address of the public data is never asked."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from attrs import frozen

from dragon.page import Nothing, text, whole
from dragon.web.meanwhile import meanwhile
from dragon_cards.download import update as downloaded
from dragon_cards.objects import of_store
from dragon_cards.store import store


@frozen
class Like:
    """Which names."""

    like: str = text("", longest=100)
    """What they have in them, whatever the case, the accents and the signs."""
    top: int = whole(20, least=1, most=200)
    """So many."""


def known(asked: Nothing) -> dict[str, Any]:
    """Which cards are known: where they come from, and how many of each kind."""
    return of_store(store())


def names(asked: Like) -> dict[str, Any]:
    """Cards whose names have something in them, those that begin so first."""
    known = store().names
    return {"names": [known.names[i] for i in known.having(asked.like)[: asked.top]]}


def archetypes(asked: Nothing) -> dict[str, Any]:
    """The archetypes of all cards, by name."""
    return {"archetypes": sorted({card.archetype for card in store().cards} - {""})}


def update(asked: Nothing) -> Iterator[dict[str, Any]]:
    """Fetches all cards: how many bytes are there and how many there will be; then the cards."""
    fetched = yield from meanwhile(lambda watch: downloaded(watch=watch), _under_way, 0, None)
    yield {**of_store(fetched), "done": True}


def _under_way(got: int, total: int | None) -> dict[str, Any]:
    return {"bytes": got, "total": total, "done": False}
