"""Checked code: rules that break their contract deep in a game are told, by every search."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from runpy import run_path
from typing import Any

import numpy as np
import pytest
from attrs import frozen

import dragon
from dragon import TERMINAL, ConfigError, RecordGame, RuleError, Rules, rule
from dragon.bits import Random
from dragon.laws import GAME_LAWS, LawBroken, check_game
from dragon.laws.kit import effort, walk
from dragon.modes import CHECKED, JIT
from dragon.rules import rehearsal
from dragon.rules.evaluator import compiled_of, interpreted_of
from dragon.rules.perft import perft
from dragon.rules.playout import playouts
from dragon.rules.record import rules_of
from dragon.rules.rehearsal import Mishap, rehearse

pytestmark = pytest.mark.samples(1)

MISTAKES = {
    "seat": ("turn", "it is not a seat; they are 0 to 1, chance is -1, the end -2"),
    "loop": ("turn", "its loops have gone round 10,000,000 times"),
    "calls": ("turn", "it calls itself, 1,000 deep"),
    "none": ("moves", "it gives no move, and turn does not say that the game is over"),
    "many": ("moves", "it says that there are more moves than width = 2"),
    "list": ("moves", "an index is out of bounds"),
    "field": ("play", "an index is out of bounds"),
    "division": ("play", "division by zero"),
    "shift": ("play", "a shift by a count that is not 0 to 63"),
    "narrow": ("play", "a number does not fit into i1 (-128 to 127), where it is written"),
    "payoff": ("payoff", "it is more than largest = 1"),
    "endless": ("turn", "plies = 8"),
    "evaluate": ("evaluate", "it is not between -1 and 1"),
    "order": ("order", "an index is out of bounds"),
    "reduced to none": ("reduce", "it must leave one move at least"),
    "reduced to more": ("reduce", "it must leave one move at least, and no more than"),
    "bounds": ("bounds", "the least is more than the most"),
}
"""By mistake the rule that is to blame, and what is said of it."""
(SEAT, LOOP, CALLS, NONE, MANY, LIST, FIELD, DIVISION, SHIFT, NARROW, PAYOFF, ENDLESS, EVALUATE,
 ORDER, TO_NONE, TO_MORE, BOUNDS) = range(1, len(MISTAKES) + 1)  # fmt: skip


@frozen
class Race(RecordGame):
    """Two sides take one or two steps in turn; who reaches the eighth wins. With a mistake.

    Which one the record says, so that the rules are compiled once for all.
    """

    name = "race"
    mistake: str = ""

    def setup(self, record: Any) -> None:
        record.wrong = ["", *MISTAKES].index(self.mistake)
        record.small = 100

    def rules(self) -> Rules:
        @rule
        def deeper(n):
            return 0 if n == 7 else deeper(n + 2)

        @rule
        def turn(s):
            if s.wrong == CALLS and s.at == 5:
                return deeper(s.ply * 2)
            if s.at >= 8:
                return TERMINAL
            if s.wrong == SEAT and s.at == 5:
                return 2
            if s.wrong == LOOP and s.at == 5:
                while s.ply >= 0:
                    s.at = 5
            return s.ply % 2

        @rule
        def moves(s, out):
            if s.wrong == NONE and s.at == 5:
                return 0
            if s.wrong == MANY and s.at == 5:
                return 3
            out[0] = 1
            out[1] = 2
            if s.wrong == LIST and s.at == 5:
                out[2] = 3
            return 2

        @rule
        def play(s, move):
            if s.wrong == FIELD:
                s.marks[s.at] = move
            if s.wrong == DIVISION and s.at == 5:
                s.marks[0] = 7 // (s.at - 5)
            if s.wrong == SHIFT:
                s.marks[0] = (move << (60 + s.at)) & 7
            if s.wrong == NARROW and s.at == 5:
                s.small += 28
            s.ply += 1
            if s.wrong != ENDLESS or s.at < 5:
                s.at += move

        @rule
        def payoff(s, seat):
            units = 1 if (s.ply - 1) % 2 == seat else -1
            return 3 * units if s.wrong == PAYOFF else units

        @rule
        def evaluate(s, seat):
            return 2.0 if s.wrong == EVALUATE and s.at == 5 else 0.0

        @rule
        def order(s, out, n, scores):
            for i in range(n + (s.wrong == ORDER and s.at == 5)):
                scores[i] = out[i]

        @rule
        def reduce(s, out, n):
            if s.wrong == TO_NONE and s.at == 5:
                return 0
            return n + 1 if s.wrong == TO_MORE and s.at == 5 else n

        @rule
        def bounds(s):
            return (1, -1) if s.wrong == BOUNDS and s.at == 5 else (-1, 1)

        fields = [("at", "i8"), ("ply", "i8"), ("wrong", "i8"), ("marks", "i8", (5,)),
                  ("small", "i1")]  # fmt: skip
        return Rules(
            fields, moves=moves, play=play, turn=turn, payoff=payoff, evaluate=evaluate,
            order=order, reduce=reduce, bounds=bounds, width=2, plies=8,
        )  # fmt: skip


def playing(state: Any) -> None:
    playouts(state, 200, Random(1))


def counting(state: Any) -> None:
    perft(state, 7)


def searching(spec: str) -> Any:
    def work(state: Any) -> None:
        dragon.search(spec).best(state, dragon.Limit(nodes=20_000))

    return work


ALWAYS = {"seat", "loop", "calls", "none", "many", "list", "field", "division", "shift",
          "narrow"}  # fmt: skip
"""Mistakes of rules that everybody asks."""
PLAIN = "alphabeta(order=false, reduce=false, bounds=false, table=false, pvs=false, sooner=false)"
WORK = {
    "playouts": (playing, {"evaluate", "order", "reduced to none", "reduced to more", "bounds"}),
    "perft": (counting, {*MISTAKES} - ALWAYS),
    "mcts": (searching("mcts(solver=false)"), {"evaluate", "order", "bounds"}),
    "montecarlo": (searching("montecarlo"), {"evaluate", "order", "bounds", "reduced to none",
                                             "reduced to more"}),
    "dfpn": (searching("dfpn"), {"evaluate", "payoff"}),
    "alphabeta": (searching("alphabeta(sooner=false)"), {"evaluate"}),
    "alphabeta to a depth": (searching("alphabeta(depth=5)"), {"payoff", "endless", "bounds"}),
    "alphabeta, plain": (searching(PLAIN), {"evaluate", "order", "bounds", "reduced to none",
                                            "reduced to more"}),
}  # fmt: skip
"""Whoever runs rules, and the mistakes that it may not come to, for it does not ask that rule."""
LESS = "alphabeta, plain"
"""The same kernel as of the other two with less of it, so by default they stand for it."""
BY = [pytest.param(by, marks=[pytest.mark.full] * (by == LESS)) for by in WORK]


@pytest.fixture(autouse=True)
def _checked(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Checked, without a rehearsal, which would find some of the mistakes before."""
    monkeypatch.setattr(rehearsal, "check_rules", lambda rules: None)
    with CHECKED.under("1"):
        yield


@pytest.mark.parametrize("mistake", MISTAKES)
@pytest.mark.parametrize("by", BY)
def test_every_search_tells_every_mistake(by: str, mistake: str) -> None:
    work, unasked = WORK[by]
    name, reason = MISTAKES[mistake]
    raised = None
    try:
        work(Race(mistake).start())
    except RuleError as error:
        raised = error
    if raised is None:
        assert mistake in unasked
    else:
        assert (raised.rule, raised.file) == (name, __file__)
        assert reason in raised.reason


@pytest.mark.parametrize("by", BY)
def test_right_rules_are_not_complained_of(by: str) -> None:
    """A complaint would be raised."""
    assert WORK[by][0](Race().start()) is None


def test_numba_cannot_check() -> None:
    with JIT.under("numba"), pytest.raises(ConfigError, match="unset DRAGON_JIT"):
        perft(Race().start(), 2)


@pytest.mark.full
def test_checked_and_unchecked_code_count_alike() -> None:
    state = dragon.game("nex(rows=3, cols=3)").start()
    limit = dragon.Limit(nodes=3000)
    checked = dragon.search("alphabeta").best(state, limit)
    with CHECKED.under("0"):
        unchecked = dragon.search("alphabeta").best(state, limit)
    assert (checked.nodes, checked.value, checked.line) == (
        unchecked.nodes, unchecked.value, unchecked.line
    )  # fmt: skip


def rehearsing(game: RecordGame) -> Mishap | None:
    return rehearse(rules_of(game), game.start(3).data)


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_rehearsal_finds_the_shortest_game_with_a_mistake(mistake: str) -> None:
    mishap = rehearsing(Race(mistake))
    name, reason = MISTAKES[mistake]
    assert mishap is not None
    assert (mishap.error.rule, mishap.error.file) == (name, __file__)
    assert reason in mishap.error.reason
    shortest = dict.fromkeys(("division", "narrow", "field", "payoff"), 4) | {"endless": 8}
    assert len(mishap.moves) == shortest.get(mistake, 3)
    assert str(Race(mistake).parse(mishap.position)) == mishap.position


@pytest.mark.full
def test_a_rehearsal_of_right_rules_finds_nothing() -> None:
    assert rehearsing(Race()) is None
    for spec in ("connect4", "nex(rows=3, cols=3)", "ulti(contract='party')"):
        assert rehearsing(dragon.game(spec)) is None


def test_the_law_tells_rule_line_position_and_moves() -> None:
    law = next(law for law in GAME_LAWS if law.name == "law_rules_keep_their_contract")
    with pytest.raises(LawBroken) as broken:
        law(Race("division"))
    message = str(broken.value)
    assert f"{__file__}:" in message
    assert re.search(r"ZeroDivisionError: division by zero, after \d \d \d \d$", message)
    assert "position: at=5" in message


def test_after_a_breach_no_law_runs_compiled_rules() -> None:
    verdicts = list(check_game(Race("list")))
    assert [verdict.law for verdict in verdicts if not verdict.passed] == [verdicts[-1].law]
    assert verdicts[-1].law in ("law_moves_fit_the_width", "law_rules_keep_their_contract")


def test_laws_are_thorough_on_request() -> None:
    few = len(walk(Race(), 1))
    with effort(30):
        assert len(walk(Race(), 1)) > 20 * few


@pytest.mark.parametrize("settings", ["sooner=false", "sooner=false, threads=2"])
def test_alphabeta_tells_of_a_game_that_does_not_end_unchecked_too(settings: str) -> None:
    with CHECKED.under("0"), pytest.raises(RuleError, match="goes on for more than plies = 8"):
        searching(f"alphabeta({settings})")(Race("endless").start())


WRITES = {
    "s.byte = s.wide": None, "s.byte += s.wide - 1": None, "s.bytes[1] = s.wide": None,
    "s.bytes[0] += s.wide": None, "s.bytes[:] = s.wide": None,
    "s.inner.short = 0 - s.wide * 200": None, "s.inner.shorts[1, 0] += s.wide * 300": None,
    "s.word = 0 - s.wide": None,
    "s.word = 0xFFFFFFFF + s.wide": None, "s.byte = -1": None,
    "s.byte = s.wide & 255": 0,
    "s.byte = s.bytes[0] + s.bytes[1] + 253": 255,
}  # fmt: skip
"""Lines of `play`, and the value that `byte` has after those which are right."""
RULES = """\
def play(s, move):
    s.wide += 255
    {line}


def turn(s):
    return 0


def payoff(s, seat):
    return 0


def moves(s, out):
    return 1
"""


@pytest.mark.parametrize("mode", ["checked", "interpreted"])
@pytest.mark.parametrize("line", WRITES)
def test_what_does_not_fit_where_it_is_written_is_told(
    line: str, mode: str, tmp_path: Path
) -> None:
    inner = [("short", "i2"), ("shorts", "i2", (2, 2))]
    layout = [("wide", "i8"), ("byte", "u1"), ("bytes", "u1", (2,)), ("word", "u4"),
              ("inner", inner)]  # fmt: skip
    file = tmp_path / "narrow.py"
    file.write_text(RULES.format(line=line))
    made = run_path(str(file))
    rules = Rules(layout, *map(made.get, ("moves", "play", "turn", "payoff")), width=1, plies=9)
    data = np.ones(1, rules.layout)
    data["byte"], data["bytes"] = 1, 1
    with CHECKED.under("1"):
        evaluator = compiled_of(rules) if mode == "checked" else interpreted_of(rules)
        if WRITES[line] is None:
            with pytest.raises(RuleError, match="rule 'play': OverflowError") as error:
                evaluator.play(data.tobytes(), 0)
            assert error.value.line == 3
        else:
            assert rules.record(evaluator.play(data.tobytes(), 0)).byte == WRITES[line]
