"""The page of opening hands in `dragon serve`, and the service that answers it."""

from __future__ import annotations

from dragon.page import Endpoint, Page

HANDS = Page(
    name="hands",
    title="Hands",
    summary="How often a deck opens with what it needs: exact odds while you type.",
    folder="dragon_hands:web",
    script="hands.js",
    style="hands.css",
    service="dragon_hands.service",
    warm="warm",
    picture="scene.svg",
    example="How often does this deck open with a starter?",
    endpoints=(
        Endpoint(path="example"),
        Endpoint(path="read", method="POST", cost="quick"),
        Endpoint(path="write", method="POST", cost="quick"),
        Endpoint(path="odds", method="POST", cost="search", stream=True),
        Endpoint(path="turns", method="POST", cost="search", stream=True),
        Endpoint(path="sensitivity", method="POST", cost="search", stream=True),
        Endpoint(path="histogram", method="POST", cost="quick"),
        Endpoint(path="sample", method="POST", cost="quick"),
    ),
)  # fmt: skip
