"""Play games of `dragon uci` against another engine, with python-chess between them as the judge.

    python docs/measure_uci.py --games 200 --seconds 2 --increment 0.05
    python docs/measure_uci.py --engine "node stockfish-19-lite-single.js" --elo 1320

It needs python-chess and the engine (`stockfish`; the second line has that of the npm package of
this name), which is limited to an Elo, or to the least that it knows (1350 in Stockfish 15, 1320
since 16). Clocks are kept here, with no tolerance;
python-chess refuses illegal moves. Each game is a line, and the sums are the last.
"""

from __future__ import annotations

import math
import random
import shlex
import sys
import time
from collections import Counter

import chess
import chess.engine
import click

SIDES = chess.WHITE, chess.BLACK
GAMES = {
    "1-0": {chess.WHITE: "won", chess.BLACK: "lost"},
    "0-1": {chess.WHITE: "lost", chess.BLACK: "won"},
    "1/2-1/2": dict.fromkeys(SIDES, "drawn"),
}
Engine = chess.engine.SimpleEngine


def play(
    players: dict[bool, Engine], board: chess.Board, seconds: float, increment: float
) -> tuple[str, str]:
    """Play a game to its end; return the result and the reason."""
    left = dict.fromkeys(SIDES, seconds)
    game = object()
    while (end := board.outcome(claim_draw=True)) is None:
        mover = board.turn
        limit = chess.engine.Limit(
            white_clock=left[chess.WHITE], black_clock=left[chess.BLACK],
            white_inc=increment, black_inc=increment,
        )  # fmt: skip
        lost = "0-1" if mover else "1-0"
        begun = time.monotonic()
        try:
            found = players[mover].play(board, limit, game=game, info=chess.engine.INFO_ALL)
        except chess.engine.EngineError as wrong:
            return lost, f"error: {wrong}"
        left[mover] -= time.monotonic() - begun
        if left[mover] < 0:
            over, took = -left[mover], time.monotonic() - begun
            counted = found.info.get("time", math.nan)
            return lost, (
                f"time forfeit by {over * 1000:.0f} ms: the move took {took:.2f} s, "
                f"{counted:.2f} s as the engine counts"
            )
        if found.move is None:
            return lost, f"no move by {found.info}"
        left[mover] += increment
        board.push(found.move)
    return end.result(), end.termination.name.lower().replace("_", " ")


@click.command()
@click.option("--games", default=200, show_default=True)
@click.option("--seconds", default=2.0, show_default=True)
@click.option("--increment", default=0.05, show_default=True)
@click.option("--engine", default="stockfish", show_default=True)
@click.option("--elo", default=1320, show_default=True)
def main(games: int, seconds: float, increment: float, engine: str, elo: int) -> None:
    """Play the games, with alternate colours, each opening of four random plies twice."""
    ours = Engine.popen_uci([sys.executable, "-m", "dragon", "uci"], timeout=60)
    theirs = Engine.popen_uci(shlex.split(engine), timeout=60)
    elo = max(elo, int(theirs.options["UCI_Elo"].min or 0))
    theirs.configure({"UCI_LimitStrength": True, "UCI_Elo": elo, "Threads": 1, "Hash": 16})
    for each in (ours, theirs):
        each.play(chess.Board(), chess.engine.Limit(time=1))  # compiles, before a clock runs
    outcomes, reasons = Counter[str](), Counter[str]()
    for number in range(games):
        board, dice = chess.Board(), random.Random(number // 2)
        for _ in range(4):
            board.push(dice.choice([*board.legal_moves]))
        colour = number % 2 == 0
        result, reason = play({colour: ours, not colour: theirs}, board, seconds, increment)
        outcome = GAMES[result][colour]
        outcomes[outcome] += 1
        reasons[f"{outcome} by {reason.partition(' by ')[0]}"] += 1
        plies, side = len(board.move_stack), "white" if colour else "black"
        click.echo(f"{number + 1}: {side} {result}, {reason}, {plies} plies")
    click.echo(f"{games} games: {dict(outcomes)}; {dict(reasons)}; {theirs.id['name']}, Elo {elo}")
    ours.quit()
    theirs.quit()


if __name__ == "__main__":
    main()
