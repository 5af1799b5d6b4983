"""The page of `dragon serve`: a deck, and what Small World can do in it."""

from __future__ import annotations

from dragon.page import Endpoint, Page

SMALL_WORLD = Page(
    name="small-world",
    title="Small World",
    summary="Which monster bridges the others of a Yu-Gi-Oh! deck.",
    folder="dragon_small_world:web",
    script="small-world.js",
    style="small-world.css",
    service="dragon_small_world.service",
    warm="warm",
    picture="scene.svg",
    example="Which bridges does a Mathmech deck have?",
    endpoints=(
        Endpoint(path="deck", function="understood", method="POST", cost="quick"),
        Endpoint(path="names", cost="quick"),
        Endpoint(
            path="bridges",
            method="POST",
            cost="quick",
            summary="The bridges of a deck, as `dragon small-world bridges --json`; what is "
            "printed on each, and whether its links depend on what `?` equals.",
        ),
        Endpoint(path="pairs", method="POST", cost="search", stream=True, seconds=90),
        Endpoint(path="sets", method="POST", cost="search", stream=True, seconds=90),
        Endpoint(path="paths", method="POST", cost="quick"),
        Endpoint(path="explain", cost="quick"),
        Endpoint(path="weak", method="POST", cost="quick"),
        Endpoint(path="graph", method="POST", cost="quick"),
        Endpoint(path="matrix", method="POST", cost="quick"),
        Endpoint(path="reach", method="POST", cost="search", seconds=20),
    ),
)  # fmt: skip
