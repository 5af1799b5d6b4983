"""The server's own pages: play, analyse, what is installed."""

from __future__ import annotations

from dragon.web.page import Endpoint, Page

LISTS = (
    Page(
        name="games",
        title="Games",
        summary="What is installed: games with their parameters, searches with their settings.",
        folder="dragon.web:static",
        script="games.js",
        service="dragon.web.lists",
        endpoints=(
            Endpoint(
                path="",
                function="games",
                cost="quick",
                summary="The installed games, as `dragon games --json` lists them.",
            ),
            Endpoint(
                path="searches",
                parameters="Of",
                cost="quick",
                summary="The installed searches, as `dragon searches --json`; which can play what.",
            ),
        ),
    ),
)

PLAY = Page(
    name="play",
    title="Play",
    summary="Any game, between people and searches.",
    folder="dragon.web:static",
    script="play.js",
    style="board.css",
    service="dragon.web.play",
    warm="dragon.web.warm:searches",
    endpoints=(
        Endpoint(
            path="position",
            parameters="Course",
            cost="quick",
            summary="A position: who moves, what is legal, how it looks.",
        ),
        Endpoint(
            path="reply",
            parameters="Asked",
            cost="search",
            summary="What a search plays, as `dragon solve --json` tells it.",
        ),
        Endpoint(
            path="think",
            function="reply",
            parameters="Asked",
            cost="search",
            stream=True,
            seconds=75.0,
            summary="The same while it thinks: the last object has the move.",
        ),
        Endpoint(
            path="chance",
            parameters="Course",
            cost="quick",
            summary="What luck decides, by its odds; the same again for the same deal and moves.",
        ),
        Endpoint(
            path="write",
            parameters="Kept",
            method="POST",
            cost="quick",
            summary="A game as text, in the game's own format where it has one.",
        ),
        Endpoint(
            path="read",
            parameters="Written",
            method="POST",
            cost="quick",
            summary="The game that such a text tells.",
        ),
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
        Endpoint(
            path="run",
            parameters="Question",
            cost="search",
            stream=True,
            seconds=75.0,
            summary="Ever better results as `dragon solve --json` has them, and each move's worth.",
        ),
    ),
)

OWN = (PLAY, ANALYSE, *LISTS)
