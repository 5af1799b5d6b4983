"""Plays and draws the ladder of docs/strength.md: how strong each player is at each game.

`python docs/draw_ladder.py play` plays tournaments/connect4-ladder.toml for each of GAMES, keeps
the games in results/ladder, where an interrupted run goes on, and the ratings in the JSON file
that the page Games of `dragon serve` reads. Without a word the picture is drawn again from those;
the tests fail when it is not as it would be drawn. The table is a part that `docs/generate.py`
writes.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from html import escape
from pathlib import Path
from typing import Any

import attrs

import dragon
from dragon.search.mcts.settings import style_for

FOLDER = Path(__file__).parent / "images"
TOURNAMENTS = Path(__file__).parent.parent / "tournaments"
FILE = TOURNAMENTS / "connect4-ladder.toml"
RATINGS = TOURNAMENTS / "dragon_tournament" / "ladder.json"
GAMES = (
    "tictactoe", "nim", "kuhn", "connect4", "hex(size=5)", "hex(size=7)", "nex(rows=3, cols=3)",
    "nex(rows=4, cols=4)", "nex(rows=5, cols=5)",
)  # fmt: skip
STYLE = (
    ".ladder text{font:13px 'Helvetica Neue',Helvetica,Arial,sans-serif}"
    ".ladder .middle{text-anchor:middle}.ladder .title{font-weight:600}"
    ".ladder path{fill:none;stroke-width:1}.ladder .bar{stroke-width:2.5}"
)
COLOURS = {
    "paper": ("fill", "#fbf6ec", "#22201d"),
    "grid": ("stroke", "#e2d7c0", "#3c3832"),
    "ink": ("fill", "#2f2a24", "#f0e9dc"),
    "soft": ("fill", "#6d6150", "#b3aa9a"),
    "puct": ("stroke", "#c2573f", "#e08a66"),
    "grave": ("stroke", "#2d8a4e", "#6cc48a"),
    "uct": ("stroke", "#35668f", "#7fb0d8"),
    "alphabeta": ("stroke", "#8a5a9e", "#c49ad6"),
    "random": ("stroke", "#8c8170", "#8c8170"),
}
"""The part that each class colours, and its colour by day and by night."""
WIDE, LEFT, RIGHT, TOP, FOOT, ROW, GAP = 720, 190, 30, 44, 34, 15, 14
LEAST, MOST, TICK = -1000, 800, 200
"""Between which Elo is drawn, and how far apart the lines are; bars end there."""

Ladder = dict[str, Any]


def play() -> None:
    """Plays every ladder, or goes on with it, and writes the ratings."""
    from dragon_tournament.config.reading import read

    tournament = read(FILE)
    ladders = [rated(tournament, spec) for spec in GAMES]
    text = ",\n".join(f"  {json.dumps(each)}" for each in ladders)
    RATINGS.write_text(f'{{"ladders": [\n{text}\n]}}\n', encoding="utf-8")


def rated(tournament: Any, spec: str) -> Ladder:
    """One ladder: its players, the strongest first, and why others cannot play the game."""
    from dragon_tournament.cli import ProgressBar
    from dragon_tournament.executors.executor import executor_of
    from dragon_tournament.report.schema import to_json
    from dragon_tournament.runner import run

    game = dragon.game(spec)
    reasons = {each.name: each.search.objection(game) for each in tournament.players}
    able = tuple(each for each in tournament.players if reasons[each.name] is None)
    about = {"game": spec, "name": game.name, "strong": style_for(game.start()), "games": 0}
    about["cannot"] = {name: reason for name, reason in reasons.items() if reason is not None}
    if len(able) < 2:
        return {**about, "players": []}
    here = attrs.evolve(tournament, name=f"ladder {spec}", game=game, players=able)
    folder = Path("results") / "ladder" / "".join(c if c.isalnum() else "-" for c in spec)
    executor = executor_of("process", 1, None)
    found = to_json(run(here, folder, executor, observer=ProgressBar()).report)
    keys = ("name", "elo", "elo_error", "points", "played", "won", "drawn", "lost")
    players = [{key: each[key] for key in keys} for each in found["players"]]
    return {**about, "games": found["played"], "players": players}


def ladders() -> list[Ladder]:
    """The ladders that are kept."""
    found: list[Ladder] = json.loads(RATINGS.read_text(encoding="utf-8"))["ladders"]
    return found


def names() -> list[str]:
    """The players, in the order of the picture's legend."""
    return [name for name in COLOURS if name not in ("paper", "grid", "ink", "soft")]


def rows() -> Iterator[list[str]]:
    """The table: of each game the games played, and each player's Elo with its interval."""
    for ladder in ladders():
        found = {each["name"]: each for each in ladder["players"]}
        cells = [cell(found[name]) if name in found else "none" for name in names()]
        strong = ladder["strong"] if ladder["players"] else "none"
        yield [ladder["game"], str(ladder["games"]), strong, *cells]


def cell(player: dict[str, Any]) -> str:
    """An Elo with half of its interval, where that is known."""
    error = player["elo_error"]
    return f"{player['elo']:+.0f}" + ("" if error is None else f" ± {error:.0f}")


def across(elo: float) -> float:
    """Return the place of an Elo; one that is beyond the picture is at its edge."""
    part = (min(max(elo, LEAST), MOST) - LEAST) / (MOST - LEAST)
    return LEFT + part * (WIDE - LEFT - RIGHT)


def panel(ladder: Ladder, top: int) -> Iterator[str]:
    """The players of one game, a line each, the strongest above."""
    yield f'<text class="ink title" x="16" y="{top + 13}">{escape(ladder["game"])}</text>'
    yield f'<text class="soft" x="16" y="{top + 30}">{ladder["games"]} games</text>'
    for k, each in enumerate(ladder["players"]):
        y, name, error = top + ROW * k + 8, each["name"], each["elo_error"]
        low, high = (across(each["elo"] + (error or 0) * sign) for sign in (-1, 1))
        yield f'<path class="{name} bar" d="M{low:.1f} {y}H{high:.1f}"/>'
        yield (
            f'<circle class="{name} bar paper" cx="{across(each["elo"]):.1f}" cy="{y}" r="4.5">'
            f"<title>{escape(ladder['game'])}: {name} {cell(each)}</title></circle>\n"
        )


def picture() -> str:
    """All ladders on one scale."""
    drawn = [each for each in ladders() if each["players"]]
    heights = [ROW * len(each["players"]) + GAP for each in drawn]
    high = TOP + sum(heights) + FOOT
    grid, legend, panels = [], [], []
    for elo in range(LEAST, MOST + 1, TICK):
        grid.append(f'<path class="grid" d="M{across(elo):g} {TOP - 8}V{high - FOOT}"/>')
        grid.append(f'<text class="soft middle" x="{across(elo):g}" y="{high - 12}">{elo}</text>')
    for k, name in enumerate(names()):
        x = LEFT + 104 * k
        legend.append(f'<circle class="{name} bar paper" cx="{x}" cy="20" r="4.5"/>')
        legend.append(f'<text class="ink" x="{x + 12}" y="25">{name}</text>')
    for k, each in enumerate(drawn):
        panels += panel(each, TOP + sum(heights[:k]))
    day, night = (
        "".join(f".ladder .{n}{{{kind}:{pair[at]}}}" for n, (kind, *pair) in COLOURS.items())
        for at in (0, 1)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="ladder" viewBox="0 0 {WIDE} {high}" '
        f'width="{WIDE}" height="{high}" role="img">'
        "<title>Elo of each player at each game, with 95% intervals</title>"
        f"<style>{STYLE}{day}@media (prefers-color-scheme:dark){{{night}}}</style>"
        f'<rect class="paper" width="{WIDE}" height="{high}" rx="12"/>'
        f"{''.join([*grid, *legend, *panels])}</svg>\n"
    )


PICTURES: dict[str, Callable[[], str]] = {"ladder.svg": picture}

if __name__ == "__main__":
    if sys.argv[1:] not in ([], ["play"]):
        sys.exit("python docs/draw_ladder.py, or python docs/draw_ladder.py play; nothing else")
    if sys.argv[1:]:
        play()
    for name, draw in PICTURES.items():
        (FOLDER / name).write_text(draw(), encoding="utf-8")
