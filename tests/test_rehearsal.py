"""Rules that compiled code would not survive are refused before any kernel runs."""

from __future__ import annotations

import pytest

import dragon
from dragon import TERMINAL, RecordGame, RuleError, Rules, frozen, rule
from dragon.bits import bit, elements, u64

FAULTS = {
    "width": "in elements; are there more moves than width = 3",
    "plies": "goes on for more than plies = 3, after",
    "negative": "it gives no move",
    "none": "it gives no move",
    "seat": "it is no seat",
    "endless": "goes on for more than plies = 8, after",
}


@frozen
class Cells(RecordGame):
    """Fill eight cells in turn; seat 0 wins."""

    name = "cells"
    fault: str = ""

    def rules(self) -> Rules:
        fault = self.fault

        @rule
        def turn(s):
            if fault == "seat":
                return 5
            return TERMINAL if s.ply == 8 and fault != "endless" else s.ply % 2

        @rule
        def moves(s, out):
            if fault == "negative":
                return -1
            if fault == "none":
                return 0
            held = u64(0) if fault == "endless" else s.held
            return elements(~held & u64(255), out)

        @rule
        def play(s, cell):
            s.held |= bit(cell)
            s.ply += 1

        @rule
        def payoff(s, seat):
            return 1 - 2 * seat

        width, plies = 3 if fault == "width" else 8, 3 if fault == "plies" else 8
        return Rules([("held", "u8"), ("ply", "i8")], moves, play, turn, payoff, width, plies)


def test_sound_rules_pass() -> None:
    assert dragon.search("alphabeta(depth=3)").best(Cells().start()).move == "0"


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("search", ["alphabeta", "mcts"])
def test_a_fault_is_one_message(fault: str, search: str) -> None:
    with pytest.raises(RuleError, match=FAULTS[fault]) as told:
        dragon.search(search).best(Cells(fault).start())
    assert str(told.value).startswith(__file__)
    assert "\n" not in str(told.value)
