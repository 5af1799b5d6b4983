"""Nex on the first page of `dragon serve`; it is played on the Play page."""

from __future__ import annotations

from dragon.page import Page

NEX = Page(
    name="nex",
    title="Nex",
    summary="Join your two edges; stones are placed with neutral ones, and change sides.",
    folder="dragon_nex:web",
    picture="scene.svg",
    example="Play on 5x5 against the computer",
    link="/play?game=nex(rows=5,cols=5)",
)
