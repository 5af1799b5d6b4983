"""What pages ask about cards, and the answers. The address of the public data is never asked."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from typing import Any

from attrs import frozen

from dragon.page import Nothing, text, whole
from dragon.web.throttle import PAUSE
from dragon_cards.download import DownloadFailed
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
    got: tuple[int, int | None] = (0, None)
    left = False

    def watch(*now: int | None) -> None:
        nonlocal got
        if left:
            raise DownloadFailed("nobody waits for the cards any more")
        got = now  # type: ignore[assignment]

    with ThreadPoolExecutor(1) as pool:
        outcome = pool.submit(downloaded, watch=watch)
        try:
            while not wait([outcome], PAUSE).done:
                yield {"bytes": got[0], "total": got[1], "done": False}
        finally:
            left = True
        yield {**of_store(outcome.result()), "bytes": got[0], "total": got[0], "done": True}
