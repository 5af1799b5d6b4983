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
    warm="dragon_ulti.service:warm",
    endpoints=(
        Endpoint(
            path="deal",
            function="dragon_ulti.service:deal",
            parameters="dragon_ulti.service:Dealing",
            cost="quick",
            summary="A deal at random, as `dragon ulti deal --json` prints it.",
        ),
        Endpoint(
            path="read",
            function="dragon_ulti.service:read",
            parameters="dragon_ulti.service:Position",
            cost="quick",
            summary="What a deal's text says: hands, talon, trump, contract, and the cards played.",
        ),
        Endpoint(
            path="table",
            function="dragon_ulti.service:table",
            parameters="dragon_ulti.service:Table",
            cost="search",
            stream=True,
            summary="Every contract with every trump: 31 objects as `dragon ulti table --json`.",
        ),
        Endpoint(
            path="solve",
            function="dragon_ulti.service:solve",
            parameters="dragon_ulti.service:Position",
            cost="search",
            stream=True,
            summary="Verdict, units, cards and line of a contract as `dragon ulti solve --json`.",
        ),
        Endpoint(
            path="cards",
            function="dragon_ulti.service:cards",
            parameters="dragon_ulti.service:Position",
            cost="search",
            stream=True,
            summary="What each card leads to at any point, as `dragon ulti cards --json`.",
        ),
        Endpoint(
            path="review",
            function="dragon_ulti.service:review",
            parameters="dragon_ulti.service:Position",
            cost="search",
            stream=True,
            summary="A played game with its mistakes, as `dragon ulti review --json`.",
        ),
        Endpoint(
            path="advise",
            function="dragon_ulti.service:advise",
            parameters="dragon_ulti.service:Hand",
            cost="search",
            stream=True,
            summary="What to bid on a hand with closed cards, as `dragon ulti advise --json`.",
        ),
    ),
)
