"""Proofs of Othello's endgames: FForum 1-39, 14 to 22 empty cells, a minute each.

    pytest -s tests/benchmarks/test_reversi_endgames.py

Every score and every best move is published; the files lie beside the checkout.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median

import pytest

import dragon
from dragon import Bound, Limit

FACTS = Path(__file__).parents[3] / "shared" / "facts" / "othello"
SECONDS = 60.0


def positions(name: str) -> Iterator[tuple[dragon.State[str], dict[str, int]]]:
    """Each position of a file, with the score of every move for the side to move."""
    if not (FACTS / name).exists():
        pytest.skip("the positions with scores are not beside this checkout")
    game = dragon.game("reversi")
    for line in (FACTS / name).read_text().splitlines():
        board, side, *listed = line.replace(";", "").split()
        rows = "/".join(board.replace("-", ".")[at : at + 8] for at in range(0, 64, 8))
        scored = (each.lower().split(":") for each in listed)
        yield game.parse(f"{rows} {side}"), {move: int(score) for move, score in scored}


@pytest.mark.parametrize(("name", "first"), [("fforum-1-19.obf", 1), ("fforum-20-39.obf", 20)])
def test_none_is_wrong(name: str, first: int) -> None:
    search, seconds, wrong = dragon.search("alphabeta"), [], []
    for number, (state, scores) in enumerate(positions(name), first):
        begun = time.process_time()
        best = search.best(state, Limit(seconds=SECONDS))
        seconds.append(time.process_time() - begun)
        proven = best.bound is Bound.EXACT
        truth = max(scores.values())
        print(f"{number:3} {str(state).count('.'):3} empty {seconds[-1]:6.2f} s "
              f"{best.nodes:12,} nodes {truth:+4} {'proven' if proven else 'not proven'}",
              flush=True)  # fmt: skip
        if proven and (best.value != truth or scores[str(best.move)] != truth):
            wrong.append(number)
    print(f"median {median(seconds):.2f} s, worst {max(seconds):.2f} s")
    assert wrong == []
