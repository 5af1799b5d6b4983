"""The page of `dragon serve`: a deck, and what Small World can do in it."""

from __future__ import annotations

from dragon.web.page import Endpoint, Page

SMALL_WORLD = Page(
    name="small-world",
    title="Small World",
    summary="Which monster bridges the others of a Yu-Gi-Oh! deck.",
    folder="dragon_small_world:web",
    script="small-world.js",
    style="small-world.css",
    service="dragon_small_world.service",
    warm="warm",
    endpoints=(
        Endpoint(
            path="deck",
            function="understood",
            parameters="Decked",
            method="POST",
            cost="quick",
            summary="A deck as it is understood, with what is not.",
        ),
        Endpoint(
            path="names",
            parameters="Like",
            cost="quick",
            summary="Monsters whose names have something in them.",
        ),
        Endpoint(
            path="bridges",
            parameters="Bridging",
            method="POST",
            cost="quick",
            summary="The bridges of a deck, as `dragon small-world bridges --json`; what is "
            "printed on each, and whether its links depend on what `?` equals.",
        ),
        Endpoint(
            path="pairs",
            parameters="Pairing",
            method="POST",
            cost="search",
            stream=True,
            seconds=90,
            summary="The best pairs of bridges, as `dragon small-world pairs --json`.",
        ),
        Endpoint(
            path="sets",
            parameters="Joining",
            method="POST",
            cost="search",
            stream=True,
            seconds=90,
            summary="The best set of bridges, as `dragon small-world sets --json`.",
        ),
        Endpoint(
            path="paths",
            parameters="Way",
            method="POST",
            cost="quick",
            summary="Ways from one monster to another, as `dragon small-world paths --json`.",
        ),
        Endpoint(
            path="explain",
            parameters="Two",
            cost="quick",
            summary="What two monsters share, as `dragon small-world explain --json`.",
        ),
        Endpoint(
            path="weak",
            parameters="Decked",
            method="POST",
            cost="quick",
            summary="A deck's monsters, the weakest first, as `dragon small-world weak --json`.",
        ),
        Endpoint(
            path="graph",
            parameters="Decked",
            method="POST",
            cost="quick",
            summary="The links of a deck, as `dragon small-world graph --json`, and drawn.",
        ),
        Endpoint(
            path="matrix",
            parameters="Tabled",
            method="POST",
            cost="quick",
            summary="The matrix of a deck, as `dragon small-world matrix --json`, and drawn.",
        ),
        Endpoint(
            path="reach",
            parameters="Drawn",
            method="POST",
            cost="search",
            seconds=20,
            summary="Opening hands that have a monster, as `dragon small-world reach --json`.",
        ),
    ),
)
