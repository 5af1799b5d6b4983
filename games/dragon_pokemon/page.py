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
    warm="dragon_pokemon.service:warm",
    endpoints=(
        Endpoint(
            path="types",
            function="dragon_pokemon.service:types",
            parameters="dragon_pokemon.service:Tables",
            summary="A generation, as an element of `dragon pokemon types --json`.",
        ),
        Endpoint(
            path="locations",
            function="dragon_pokemon.service:locations",
            parameters="dragon_pokemon.service:Generation",
            summary="Gyms, trials and leagues, as `dragon pokemon locations --json` lists them.",
        ),
        Endpoint(
            path="team",
            function="dragon_pokemon.service:team",
            parameters="dragon_pokemon.service:Picked",
            cost="quick",
            summary="A team, as `dragon pokemon team --json` tells it, with its picture.",
        ),
        Endpoint(
            path="cover",
            function="dragon_pokemon.service:cover",
            parameters="dragon_pokemon.service:Question",
            cost="search",
            stream=True,
            seconds=90,
            summary="The covers, as `dragon pokemon cover --json`, and why there is none.",
        ),
    ),
)
