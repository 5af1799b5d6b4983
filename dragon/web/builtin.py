"""The pages of a server: the built-in ones, and those that the hook `dragon_pages` adds."""

from __future__ import annotations

from dragon.page import Endpoint, Page
from dragon.plugins import by_name, offers, warn_skipped

PLAY = Page(
    name="play",
    title="Play",
    summary="Any game, between people and searches.",
    folder="dragon.web:static",
    script="play.js",
    style="board.css",
    service="dragon.web.play",
    warm="warm_up",
    endpoints=(
        Endpoint(path="position", cost="quick"),
        Endpoint(path="reply", cost="search"),
        Endpoint(
            path="think",
            function="reply",
            cost="search",
            stream=True,
            seconds=75.0,
            summary="The same while it thinks: the last object has the move.",
        ),
        Endpoint(path="chance", cost="quick"),
        Endpoint(path="picture", cost="quick"),
        Endpoint(path="write", method="POST", cost="quick"),
        Endpoint(path="read", method="POST", cost="quick"),
    ),
)

ANALYSE = Page(
    name="analyse",
    title="Analyse",
    summary="A position, and what a search finds in it as it goes on.",
    folder="dragon.web:static",
    script="analyse.js",
    style="board.css",
    service="dragon.web.analyse",
    endpoints=(
        Endpoint(path="run", cost="search", stream=True, seconds=75.0),
        Endpoint(path="prepare", method="POST", cost="search", stream=True, seconds=3600.0),
    ),
)

LISTS = Page(
    name="games",
    title="Games",
    summary="What is installed: games with their parameters, searches with their settings.",
    folder="dragon.web:static",
    script="games.js",
    service="dragon.web.lists",
    endpoints=(
        Endpoint(path="", function="games", cost="quick"),
        Endpoint(path="searches", cost="quick"),
    ),
)

BUILT_IN = (PLAY, ANALYSE, LISTS)
RESERVED = frozenset({"api", "static", "openapi-json", "status"} | {page.name for page in BUILT_IN})
"""Addresses that are the server's."""


def pages() -> tuple[Page, ...]:
    """The built-in pages, then the plugins' by their titles.

    A plugin's page that is none, or whose name is taken, is skipped with a warning.
    """
    offered = []
    for offer in offers("dragon_pages"):
        if (name := getattr(offer.value, "name", None)) in RESERVED:
            warn_skipped(f"the page {name!r} of plugin {offer.plugin!r}, for the server has one")
        else:
            offered.append(offer)
    wanted = "a Page of dragon.page"
    found = by_name("page", wanted, lambda value: isinstance(value, Page), offered)
    return (*BUILT_IN, *sorted(found.values(), key=lambda page: page.title))
