"""The page of opening hands: what `dragon serve` shows, and where its answers come from."""

from __future__ import annotations

from dragon.web.page import Endpoint, Page

HANDS = Page(
    name="hands",
    title="Hands",
    summary="How often a deck opens with what it needs: exact odds while you type.",
    folder="dragon_hands:web",
    script="hands.js",
    style="hands.css",
    service="dragon_hands.service",
    warm="warm",
    endpoints=(
        Endpoint(
            path="example",
            summary="A small deck file to begin with.",
        ),
        Endpoint(
            path="read",
            method="POST",
            parameters="Deck",
            cost="quick",
            summary="A deck file as it was read: cards and conditions with their lines.",
        ),
        Endpoint(
            path="odds",
            method="POST",
            parameters="Estimated",
            cost="search",
            stream=True,
            summary="The odds as `dragon hands odds --json`; before them how much is done.",
        ),
        Endpoint(
            path="sensitivity",
            method="POST",
            parameters="Asked",
            cost="search",
            stream=True,
            summary="One copy more or less of each card as `dragon hands sensitivity --json`.",
        ),
        Endpoint(
            path="histogram",
            method="POST",
            parameters="Asked",
            cost="quick",
            summary="How many copies of each name come, as `dragon hands plot --json`.",
        ),
        Endpoint(
            path="sample",
            method="POST",
            parameters="Dealt",
            cost="quick",
            summary="Hands to look at, each as `dragon hands sample --json` lists it.",
        ),
    ),
)
