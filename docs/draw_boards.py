"""Draws a position in the middle of each game, and takes pictures of the Play page with it.

`python docs/draw_boards.py FOLDER` writes GAME.svg for each, and docs/images/boards-*.jpg, which
show all of them; with `--pages` also GAME-SIZE-THEME.png, of the Play page of each installed game
at three sizes. It is run by hand, and the pictures are looked at.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import numpy as np
from screenshots_web import serving

import dragon
from dragon.boards import material

IMAGES = Path(__file__).parent / "images"
SIZES = {"1280": (1280, 800), "1366": (1366, 768), "390": (390, 844)}
PLIES = {
    "chess": 24, "checkers": 20, "breakthrough": 20, "reversi": 24, "gomoku": 60, "morris": 30,
    "connect4": 30, "dots_and_boxes(rows=4, columns=4)": 28, "domineering": 14, "teeko": 9,
    "hex(size=7)": 42, "nex(rows=5, cols=5)": 6, "kalah": 9, "backgammon": 12, "two048": 150,
    "einstein": 12, "sliding": 30, "peg_solitaire": 9, "sokoban": 12, "tictactoe": 6,
}  # fmt: skip
"""The games, and how many plies at random lead to the position that is drawn."""
PLANS = {"hands", "small_world", "pokemon", "cover"}
"""What is not played: it needs a file, or has a page of its own."""


def played(spec: str, plies: int) -> tuple[Any, list[str]]:
    """A position, and the moves that lead to it."""
    rng, state, moves = np.random.default_rng(3), dragon.game(spec).start(), list[str]()
    while len(moves) < plies and state.turn != dragon.TERMINAL:
        legal = state.moves()
        moves.append(str(legal[int(rng.integers(len(legal)))]))
        state = state.after(legal[[str(each) for each in legal].index(moves[-1])])
    return state, moves


def overview(svgs: list[str]) -> str:
    """A page with all drawings."""
    return (
        f"<!doctype html><style>{material.css()}body{{margin:0;padding:14px;display:grid;gap:14px;"
        "grid-template-columns:repeat(5,1fr);place-items:center;color-scheme:light dark;"
        "background:light-dark(#fbfaf7,#16181d)}svg{width:100%;max-height:190px}</style>"
        + "".join(svgs)
    )


def main(folder: Path, pages: bool) -> None:
    """Draw all, and take all pictures."""
    from playwright.sync_api import sync_playwright

    games = {spec: played(spec, plies) for spec, plies in PLIES.items()}
    svgs = [dragon.game(spec).svg(state) or "" for spec, (state, _) in games.items()]
    folder.mkdir(parents=True, exist_ok=True)
    for spec, svg in zip(games, svgs, strict=True):
        (folder / f"{spec.partition('(')[0]}.svg").write_text(svg, encoding="utf-8")
    named = {spec.partition("(")[0] for spec in games} | PLANS
    shown = games | {name: played(name, 8) for name in dragon.games().keys() - named if pages}
    browsers = filter(None, map(shutil.which, ("chromium-headless-shell", "chromium")))
    with sync_playwright() as play, serving(str(folder)) as address:
        chromium = play.chromium.launch(executable_path=next(browsers), args=["--no-sandbox"])
        for theme in ("light", "dark"):
            page = chromium.new_page(viewport={"width": 1060, "height": 300}, color_scheme=theme)
            page.set_content(overview(svgs))
            file = IMAGES / f"boards-{theme}.jpg"
            page.screenshot(path=file, full_page=True, quality=74)
            for spec, (_, moves) in shown.items() if pages else ():
                seats = ",".join(["human"] * len(dragon.game(spec).teams))
                asked = urlencode({"game": spec, "seats": seats, "moves": ",".join(moves)})
                for name, (width, height) in SIZES.items():
                    page.set_viewport_size({"width": width, "height": height})
                    page.goto(f"{address}/play?{asked}")
                    page.locator(".board > *").first.wait_for(timeout=60_000)
                    page.wait_for_timeout(500)  # the winning line is drawn in 400 ms
                    own = f"{spec.partition('(')[0]}-{name}-{theme}.png"
                    page.screenshot(path=folder / own)
            page.close()
        chromium.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]), "--pages" in sys.argv)
