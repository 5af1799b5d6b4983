"""The page of `dragon serve`: a question, its teams, and what each of them does."""

from __future__ import annotations

from dragon.page import Endpoint, Page

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
        Endpoint(path="types"),
        Endpoint(path="locations"),
        Endpoint(path="names", method="POST", cost="quick"),
        Endpoint(path="team", cost="quick"),
        Endpoint(path="cover", cost="search", stream=True, seconds=90),
    ),
)
