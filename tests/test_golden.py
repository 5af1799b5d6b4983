"""Golden playthroughs: a readable transcript of each game, which shows any change of behaviour.

`python tests/test_golden.py` writes them again; read the difference before you keep it.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import dragon
from dragon.bits import Random

FOLDER = Path(__file__).parent / "golden"
GAMES = {
    "nim": "nim(pile=10)",
    "tictactoe": "tictactoe",
    "connect4": "connect4",
    "backgammon": "backgammon",
    "breakthrough-6x5": "breakthrough(rows=6, columns=5)",
    "checkers": "checkers",
    "chess": "chess",
    "domineering-5x6": "domineering(rows=5, columns=6)",
    "dots-and-boxes-2x3": "dots_and_boxes(rows=2, columns=3)",
    "einstein": "einstein",
    "gomoku-9": "gomoku(rows=9, columns=9)",
    "kalah-4": "kalah(pits=4, seeds=3)",
    "morris": "morris",
    "reversi-6": "reversi(size=6)",
    "teeko": "teeko",
    "two048": "two048(goal=128)",
    "hex-5": "hex(size=5)",
    "kuhn": "kuhn",
    "leduc": "leduc",
    "liars-dice": "liars_dice",
    "goofspiel": "goofspiel",
    "phantom": "phantom",
    "nex-3x3": "nex(rows=3, cols=3)",
    "nex-4x3-swap-fill": "nex(rows=4, cols=3, swap=true, ending='fill')",
    "nex-9x10": "nex(rows=9, cols=10)",
    "ulti-party-points": "ulti(objective='points')",
    "ulti-forty-hundred-ulti": "ulti(contract='forty_hundred+ulti', trump='B', rules='original')",
    "ulti-betli": "ulti(contract='betli')",
    "queens-5": "queens(n=5)",
    "pentominoes": "pentominoes",
    "pokemon-gen-9": "pokemon(gen=9)",
    "sliding-3x3": "sliding(rows=3, columns=3, most=20)",
    "peg-solitaire": "peg_solitaire",
    "sokoban": "sokoban(most=12)",
    "small-world": "small_world(bridges=3)",
}
MOST = 80
"""Plies of a playthrough; games that go on for longer are left there."""
FIRST_PARTY = (
    "dragon_boards",
    "dragon_classics",
    "dragon_nex",
    "dragon_pokemon",
    "dragon_small_world",
    "dragon_ulti",
)


def transcript(spec: str) -> str:
    """A game of random moves: each position, its picture, its moves, and the end."""
    state, random, lines = dragon.game(spec).start(), Random(2018), [f"# {spec}"]
    for _ in range(MOST):
        if state.turn == dragon.TERMINAL:
            break
        moves = state.moves()
        lines += ["", f"position {state}", f"turn {state.turn}"]
        if type(state).picture is not dragon.State.picture:
            lines += [f"  {line}".rstrip() for line in state.picture().splitlines()]
        some = [str(move) for move in moves[:6]]
        lines.append(f"moves {len(moves)}: {' '.join(some)}{' ...' if len(moves) > 6 else ''}")
        move = state.sample(random)
        lines.append(f"played {move}")
        state = state.after(move)
    lines += ["", f"position {state}"]
    if state.turn == dragon.TERMINAL:
        lines.append(f"payoff {' '.join(f'{x:g}' for x in state.payoff())}")
    return "\n".join(lines) + "\n"


@pytest.mark.samples(
    "tictactoe", "hex-5", "kuhn", "queens-5", "chess", "ulti-betli", "two048", "nim"
)
@pytest.mark.parametrize("name", GAMES)
def test_a_playthrough_is_as_it_was(name: str) -> None:
    assert transcript(GAMES[name]) == (FOLDER / f"{name}.txt").read_text(encoding="utf-8")


def test_every_game_of_the_distribution_has_one() -> None:
    own = {
        name
        for name, cls in dragon.games().items()
        if cls.__module__.partition(".")[0] in FIRST_PARTY
    }
    tried = {spec.partition("(")[0] for spec in GAMES.values()}
    assert own <= tried
    assert tried - own, "and puzzles, two of many that are all alike covers"


if __name__ == "__main__":
    for name, spec in GAMES.items():
        (FOLDER / f"{name}.txt").write_text(transcript(spec), encoding="utf-8")
