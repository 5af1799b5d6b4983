"""Rules and kernels by dragon's own compiler run as fast as those by numba.

Both compile the same kernels in one process, and the same work is done by one and the other in
turn; the ratio is of the quickest of several times. Run with `pytest tests/benchmarks -s`.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from typing import Any

import pytest

import dragon
from dragon.bits import Random
from dragon.compiler import specialise as module
from dragon.modes import JIT
from dragon.rules.playout import playouts

fallback: Any = pytest.importorskip("dragon.compiler.fallback", reason="numba is not installed")

GAMES = ("tictactoe", "connect4", "hex", "hex(size=5)", "nex(rows=3, cols=3)",
         "nex(rows=4, cols=4)", "nex", "ulti", "ulti(contract='party')")  # fmt: skip
WORK: dict[str, Callable[[Any, int], Any]] = {
    "playouts": lambda state, n: playouts(state, n, Random(1)),
    "perft": lambda state, n: [dragon.perft(state, DEPTHS[state.game]) for _ in range(n)],
    "alphabeta": lambda state, n: searched("alphabeta", state, dragon.Limit(nodes=100 * n)),
    "mcts": lambda state, n: searched("mcts", state, dragon.Limit(simulations=n)),
    "dfpn": lambda state, n: searched("dfpn", state, dragon.Limit(nodes=100 * n)),
}
DEPTHS: dict[Any, int] = {}
LEAST = 0.05
"""Seconds that one piece of work takes at least."""
TURNS = 8


def searched(name: str, state: Any, limit: dragon.Limit) -> int:
    """Nodes of as many searches as it takes to use a limit up."""
    total, search = 0, dragon.search(name)
    wanted = limit.nodes or limit.simulations or 0
    while total < wanted:
        result = search.best(state, limit, seed=1)
        total += result.nodes if limit.nodes else result.extra["simulations"]
    return total


def ratio(patch: pytest.MonkeyPatch, state: Any, work: Callable[[Any, int], Any]) -> float:
    """Numba's time by ours, the quickest of each."""
    kernels: dict[str, dict[str, Any]] = {"1": {}, "numba": {}}
    best = dict.fromkeys(kernels, math.inf)
    n = 1
    for turn in range(TURNS):
        for compiler in ("1", "numba") if turn % 2 else ("numba", "1"):
            patch.setattr(JIT, "value", compiler)
            patch.setattr(module, "_kernels", kernels[compiler])
            if turn == 0:
                work(state, 1)
                while n < 1 << 20:
                    begun = time.process_time()
                    work(state, n)
                    if time.process_time() - begun > LEAST:
                        break
                    n *= 2
                continue
            begun = time.process_time()
            work(state, n)
            best[compiler] = min(best[compiler], time.process_time() - begun)
    return best["numba"] / best["1"]


def test_own_code_is_as_fast_as_numbas(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(fallback.OPTIONS, "_nrt", False)  # no reference counts, which take time
    ratios = []
    print(f"\n{'own by numba':<24}" + "".join(f"{name:>11}" for name in WORK))
    for spec in GAMES:
        state: Any = dragon.game(spec).start()
        DEPTHS[state.game] = next(d for d in range(1, 20) if dragon.perft(state, d) > 300_000
                                  or d == 9 or dragon.perft(state, d + 1) > 30_000_000)  # fmt: skip
        row = f"{spec:<24}"
        for name, work in WORK.items():
            if name in ("alphabeta", "dfpn", "mcts") and dragon.search(name).objection(state.game):
                row += f"{'-':>11}"
                continue
            ratios.append(ratio(monkeypatch, state, work))
            row += f"{ratios[-1]:>11.2f}"
        print(row, flush=True)
    mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
    print(f"geometric mean {mean:.3f}, worst {min(ratios):.2f}, best {max(ratios):.2f}")
    assert mean >= 1.0
    assert min(ratios) >= 0.95
