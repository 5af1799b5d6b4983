"""The page of `dragon serve`: a question, its teams, and what each of them does."""

from __future__ import annotations

from dragon.web.page import Endpoint, Page

POKEMON = Page(
    name="pokemon",
    title="Pokémon",
    summary="Teams that resist every type, and attacks that hit every type.",
    folder="dragon_pokemon:web",
    script="pokemon.js",
    style="pokemon.css",
    service="dragon_pokemon.service",
    warm="warm",
    endpoints=(
        Endpoint(
            path="types",
            parameters="Tables",
            summary="A generation, as an element of `dragon pokemon types --json`.",
        ),
        Endpoint(
            path="locations",
            parameters="Generation",
            summary="Gyms, trials and leagues, as `dragon pokemon locations --json` lists them.",
        ),
        Endpoint(
            path="team",
            parameters="Picked",
            cost="quick",
            summary="A team, as `dragon pokemon team --json` tells it, with its picture.",
        ),
        Endpoint(
            path="cover",
            parameters="Question",
            cost="search",
            stream=True,
            seconds=90,
            summary="The covers, as `dragon pokemon cover --json`, and why there is none.",
        ),
    ),
)
