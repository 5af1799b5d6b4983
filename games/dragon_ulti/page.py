"""The page of Ulti: what `dragon serve` shows, and where its answers come from."""

from __future__ import annotations

from dragon.web.page import Endpoint, Page

ULTI = Page(
    name="ulti",
    title="Ulti",
    summary="Deals with open cards solved: every contract, every trump, every card. And what to "
    "bid when they are closed.",
    folder="dragon_ulti:web",
    script="ulti.js",
    style="ulti.css",
    service="dragon_ulti.service",
    warm="warm",
    endpoints=(
        Endpoint(
            path="deal",
            parameters="Dealing",
            cost="quick",
            summary="A deal at random, as `dragon ulti deal --json` prints it.",
        ),
        Endpoint(
            path="read",
            parameters="Position",
            cost="quick",
            summary="What a deal's text says: hands, talon, trump, contract, and the cards played.",
        ),
        Endpoint(
            path="table",
            parameters="Table",
            cost="search",
            stream=True,
            summary="Every contract with every trump: 31 objects as `dragon ulti table --json`.",
        ),
        Endpoint(
            path="solve",
            parameters="Position",
            cost="search",
            stream=True,
            summary="Verdict, units, cards and line of a contract as `dragon ulti solve --json`.",
        ),
        Endpoint(
            path="cards",
            parameters="Position",
            cost="search",
            stream=True,
            summary="What each card leads to at any point, as `dragon ulti cards --json`.",
        ),
        Endpoint(
            path="review",
            parameters="Position",
            cost="search",
            stream=True,
            summary="A played game with its mistakes, as `dragon ulti review --json`.",
        ),
        Endpoint(
            path="advise",
            parameters="Hand",
            cost="search",
            stream=True,
            summary="What to bid on a hand with closed cards, as `dragon ulti advise --json`.",
        ),
    ),
)
