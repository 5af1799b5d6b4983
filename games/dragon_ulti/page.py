"""The page of Ulti: what `dragon serve` shows, and where its answers come from."""

from __future__ import annotations

from dragon.page import Endpoint, Page

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
    picture="scene.svg",
    example="What is this deal worth as an ulti in hearts?",
    link="/ulti?contract=ulti&trump=H"
    "&deal=0000204050603071727371214151322242332343310112021252630313536",
    endpoints=(
        Endpoint(path="deals"),
        Endpoint(path="deal", cost="quick"),
        Endpoint(path="read", cost="quick"),
        Endpoint(path="hand", cost="quick"),
        *(
            Endpoint(path=path, cost="search", stream=True)
            for path in ("table", "solve", "cards", "review", "advise")
        ),
    ),
)
