"""The pages of a server: its own, and those that plugins add by the hook `dragon_pages`."""

from __future__ import annotations

from dragon.plugins import by_name, leave_out, offers
from dragon.web.own import OWN
from dragon.web.page import Page

RESERVED = frozenset({"api", "static", "openapi-json", "status"} | {page.name for page in OWN})
"""Addresses that are the server's."""


def pages() -> tuple[Page, ...]:
    """The server's own pages, then the plugins' by their titles.

    A plugin's page that is none, or whose name is taken, is told of and left out.
    """
    offered = []
    for offer in offers("dragon_pages"):
        if (name := getattr(offer.value, "name", None)) in RESERVED:
            leave_out(f"the page {name!r} of plugin {offer.plugin!r}, for the server has one")
        else:
            offered.append(offer)
    wanted = "a Page of dragon.web.page"
    found = by_name("page", wanted, lambda value: isinstance(value, Page), offered)
    return (*OWN, *sorted(found.values(), key=lambda page: page.title))
