"""The service that answers pages about cards; it does not show a page itself."""

from __future__ import annotations

from dragon.page import Endpoint, Page

CARDS = Page(
    name="cards",
    title="Cards",
    summary="The cards that are known.",
    folder="dragon_cards:web",
    service="dragon_cards.service",
    endpoints=(
        Endpoint(path="", function="known", cost="quick"),
        Endpoint(path="names", cost="quick"),
        Endpoint(path="archetypes", cost="quick"),
        Endpoint(path="update", method="POST", cost="search", stream=True, seconds=600),
    ),
)
