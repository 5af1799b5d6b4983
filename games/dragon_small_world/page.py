"""The page of `dragon serve`: a deck, and what Small World can do in it."""

from __future__ import annotations

from dragon.web.page import Endpoint, Page

SERVICE = "dragon_small_world.service"
SMALL_WORLD = Page(
    name="small-world",
    title="Small World",
    summary="Which monster bridges the others of a Yu-Gi-Oh! deck.",
    folder="dragon_small_world:web",
    script="small-world.js",
    style="small-world.css",
    warm=f"{SERVICE}:warm",
    endpoints=(
        Endpoint(
            path="deck",
            function=f"{SERVICE}:understood",
            parameters=f"{SERVICE}:Decked",
            method="POST",
            cost="quick",
            summary="A deck as it is understood, with what is not.",
        ),
        Endpoint(
            path="names",
            function=f"{SERVICE}:names",
            parameters=f"{SERVICE}:Like",
            cost="quick",
            summary="Monsters whose names have something in them.",
        ),
        Endpoint(
            path="bridges",
            function=f"{SERVICE}:bridges",
            parameters=f"{SERVICE}:Bridging",
            method="POST",
            cost="quick",
            summary="The bridges of a deck, as `dragon small-world bridges --json`; what is "
            "printed on each, and whether its links depend on what `?` equals.",
        ),
        Endpoint(
            path="pairs",
            function=f"{SERVICE}:pairs",
            parameters=f"{SERVICE}:Pairing",
            method="POST",
            cost="search",
            stream=True,
            seconds=90,
            summary="The best pairs of bridges, as `dragon small-world pairs --json`.",
        ),
        Endpoint(
            path="sets",
            function=f"{SERVICE}:sets",
            parameters=f"{SERVICE}:Joining",
            method="POST",
            cost="search",
            stream=True,
            seconds=90,
            summary="The best set of bridges, as `dragon small-world sets --json`.",
        ),
        Endpoint(
            path="paths",
            function=f"{SERVICE}:paths",
            parameters=f"{SERVICE}:Way",
            method="POST",
            cost="quick",
            summary="Ways from one monster to another, as `dragon small-world paths --json`.",
        ),
        Endpoint(
            path="explain",
            function=f"{SERVICE}:explain",
            parameters=f"{SERVICE}:Two",
            cost="quick",
            summary="What two monsters share, as `dragon small-world explain --json`.",
        ),
        Endpoint(
            path="weak",
            function=f"{SERVICE}:weak",
            parameters=f"{SERVICE}:Decked",
            method="POST",
            cost="quick",
            summary="A deck's monsters, the weakest first, as `dragon small-world weak --json`.",
        ),
        Endpoint(
            path="graph",
            function=f"{SERVICE}:graph",
            parameters=f"{SERVICE}:Decked",
            method="POST",
            cost="quick",
            summary="The links of a deck, as `dragon small-world graph --json`, and drawn.",
        ),
        Endpoint(
            path="matrix",
            function=f"{SERVICE}:matrix",
            parameters=f"{SERVICE}:Tabled",
            method="POST",
            cost="quick",
            summary="The matrix of a deck, as `dragon small-world matrix --json`, and drawn.",
        ),
        Endpoint(
            path="reach",
            function=f"{SERVICE}:reach",
            parameters=f"{SERVICE}:Drawn",
            method="POST",
            cost="search",
            seconds=20,
            summary="Opening hands that have a monster, as `dragon small-world reach --json`.",
        ),
    ),
)
