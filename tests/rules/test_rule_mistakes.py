"""More than a hundred mistakes in rules: each is named with its rule, its line and the reason.

Every kind is tried in a process of its own: with three seeds, where chance decides what is found,
and with twenty in the slow tests.
"""

from __future__ import annotations

import importlib
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import dragon
from dragon import TERMINAL, PluginError, RecordGame, RuleError, Rules, frozen, rule
from dragon.bits import Random, bit, elements, has, popcount, u64
from dragon.boards.grid import Grid
from dragon.compiler import specialise
from dragon.laws import LawBroken, check_game
from dragon.laws.kit import reachable
from dragon.laws.whole import law_positions_read_back
from dragon.modes import JIT
from dragon.rules.playout import step
from dragon.rules.record import rules_of
from dragon.rules.rehearsal import check_rules

pytestmark = pytest.mark.samples(1)

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))
gather: Any = importlib.import_module("gather")
rule_mistakes: Any = importlib.import_module("rule_mistakes")
Gather, Mistake = gather.Gather, rule_mistakes.Mistake
KINDS, SYNTAX, RIGHT = rule_mistakes.KINDS, rule_mistakes.SYNTAX, rule_mistakes.RIGHT

FEW, MANY = "3", "20"
HARDER = {*rule_mistakes.OFTEN, "truth"}
"""Kinds whose mistakes are also tried where they are rare."""
LONGER = ("rare contract", "rare endless", "rare memory", "rare truth")
"""Of the rare kinds a default run tries one: each state is found in the same way."""


def tried(how: str, seeds: str, kind: str) -> None:
    """Has each mistake of a kind tried; all must be named, and the process must come back."""
    command = [sys.executable, rule_mistakes.__file__, how, seeds, kind]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=600)
    verdicts = [json.loads(line) for line in ran.stdout.splitlines()]
    wrong = {v["name"]: v["said"] for v in verdicts if v["said"] != [RIGHT]}
    assert wrong == {}
    names = [mistake.name for mistake in KINDS[kind]]
    assert [v["name"] for v in verdicts] == names, f"the process ended: {ran.stderr}"


@pytest.mark.full
@pytest.mark.parametrize(
    "kind",
    [
        pytest.param(kind, marks=[pytest.mark.full] * (kind in LONGER))
        for kind in KINDS
        if kind not in HARDER
    ],
)
def test_every_mistake_is_named_with_its_line(kind: str) -> None:
    tried("said", FEW, kind)


@pytest.mark.full
@pytest.mark.budget(60)  # each mistake is a game that is compiled
@pytest.mark.parametrize("kind", KINDS)
def test_every_seed_names_every_mistake(kind: str) -> None:
    tried("said", MANY, kind)


@pytest.mark.full
@pytest.mark.budget(240)  # it compiles two searches for each
@pytest.mark.parametrize("kind", ["rare memory", "rare arithmetic", "rare endless", "ends"])
def test_a_checked_search_names_the_mistake_or_is_right_for_all_that(kind: str) -> None:
    tried("searched", "1", kind)


def test_there_are_a_hundred_mistakes_and_no_two_are_the_same() -> None:
    mistakes = [mistake.source() for kind in KINDS.values() for mistake in kind]
    assert len(mistakes) == len(set(mistakes))
    assert sum(map(len, {**rule_mistakes.FRONT, **rule_mistakes.GAMES}.values())) > 100


@pytest.mark.full
@pytest.mark.parametrize("chance", [False, True])
def test_the_game_without_a_mistake_keeps_every_law(chance: bool) -> None:
    game = Gather(chance)
    assert [v.message for v in check_game(game) if not v.passed] == []
    assert reachable(game.start(), 1000) == (176 if chance else 96)
    value = dragon.search("exhaustive").best(game.start()).value
    assert value == pytest.approx(-17 / 15 if chance else 3)


def test_one_state_is_rare() -> None:
    start = Gather().start()
    seen, waiting = {start}, [start]
    while waiting:
        state = waiting.pop()
        after = {state.after(move) for move in state.moves()} - seen
        seen |= after
        waiting += after
    assert [str(state) for state in seen if gather.rare(state.record)] == ["XOX.."]


# ---- a text that leaves something out in one state of a hundred


@frozen
class Passing(RecordGame):
    """Six cells are taken in turn; once in a while one side passes, which a Grid does not write."""

    name = "passing"

    def rules(self) -> Rules:
        grid = Grid(2, 3, {"stones": "XO"})

        @rule
        def turn(s):
            return TERMINAL if s.stones[0] | s.stones[1] == 63 else s.ply % 2

        @rule
        def moves(s, out):
            return elements(~(s.stones[0] | s.stones[1]) & u64(63), out)

        @rule
        def play(s, cell):
            s.stones[s.ply % 2] |= bit(cell)
            s.ply += 1
            if s.stones[0] | s.stones[1] == 35 and has(s.stones[1], 5):
                s.ply += 1

        @rule
        def payoff(s, seat):
            return 1 - 2 * seat

        return Rules(grid.layout, moves, play, turn, payoff, width=6, plies=6, notation=grid)


@pytest.mark.full
def test_every_seed_finds_the_rare_state_that_is_not_read_back() -> None:
    share = [_passed(state) for state in _states(2000)]
    assert 0.005 < sum(share) / len(share) < 0.02
    for seed in range(20):
        with pytest.raises(LawBroken) as broken:
            law_positions_read_back(Passing(), seed=seed)
        assert "with ply = 4" in broken.value.expected
        assert "with ply = 3" in broken.value.seen


def _passed(state: Any) -> bool:
    stones, ply = state.record.stones, int(state.record.ply)
    return popcount(stones[0]) + popcount(stones[1]) != ply


def _states(count: int) -> Iterator[Any]:
    """The states of random games, one after another."""
    random, state = Random(1), Passing().start()
    for _ in range(count):
        yield state
        state = Passing().start() if state.turn == TERMINAL else step(state, random)


# ---- where numba is installed


def imported(mistake: Any, folder: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Any, int]:
    """The game with a mistake, in a process where numba is installed."""
    source, line = mistake.source()
    file = folder / f"mistaken_{abs(hash(source))}.py"
    file.write_text(source)
    monkeypatch.syspath_prepend(str(folder))
    monkeypatch.setattr(specialise, "numba_installed", lambda: True)
    monkeypatch.setattr(JIT, "value", "1")
    game = importlib.import_module(file.stem).Gather()
    return game, line


OF_NUMBA = [m for m in SYNTAX if m.said.startswith(rule_mistakes.OF_NUMBA)]


@pytest.mark.parametrize("mistake", OF_NUMBA, ids=lambda m: m.said)
def test_what_numba_cannot_compile_either_is_told_at_once(
    mistake: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, line = imported(mistake, tmp_path, monkeypatch)
    with pytest.raises(RuleError) as caught:
        check_rules(rules_of(game))
    assert (caught.value.rule, caught.value.line) == (mistake.rule, line)
    assert mistake.said in caught.value.reason


@pytest.mark.full
@pytest.mark.parametrize("text", ["n = BY['a']", "try:", "out.append(1)"])
def test_what_numba_refuses_is_told_in_the_same_words(
    text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mistake = next(m for m in SYNTAX if m.text.startswith(text))
    game, line = imported(mistake, tmp_path, monkeypatch)
    with pytest.raises(RuleError) as caught:
        dragon.perft(game.start(), 2)
    assert caught.value.line == line
    assert mistake.said in caught.value.reason
    assert "\n" not in str(caught.value)


def test_a_missing_return_is_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mistake = Mistake("rules", "Rules(", "", instead="return Rules(")
    game, _ = imported(mistake, tmp_path, monkeypatch)
    with pytest.raises(PluginError, match=r"^Gather.rules\(\) must return Rules, but it returned "
                       r"None; is a `return` missing\?$"):  # fmt: skip
        game.start()


def test_a_rule_that_is_no_function_is_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, _ = imported(Mistake("rules", "key=7", "", instead="key=key"), tmp_path, monkeypatch)
    with pytest.raises(PluginError, match=r"the rule 'key' must be a plain function, but it is 7$"):
        game.start()


@pytest.mark.full
def test_the_compilers_own_words_are_shown_on_request(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source, line = Mistake("moves", "print(n)\nreturn n", "", instead="return n").source()
    program = tmp_path / "program.py"
    program.write_text(f"{source}\n{PROGRAM}")
    command = [sys.executable, str(program), "perft", "gather", "2"]
    outputs = []
    for shown in ("", "1"):
        monkeypatch.setenv("DRAGON_TRACEBACK", shown)
        outputs.append(subprocess.run(command, capture_output=True, text=True, timeout=120).stderr)
    without, with_all = outputs
    assert without.startswith(
        f"dragon: {program}:{line - 1}: rule 'moves': the compiler does not support "
    )
    assert without.count("\n") == 1
    assert with_all.endswith(without)
    assert "dragon.compiler.location.Refused" in with_all


PROGRAM = """
if __name__ == "__main__":
    import sys

    from dragon import hookimpl
    from dragon.compiler import specialise
    from dragon.cli import main
    from dragon.plugins import manager

    @hookimpl
    def dragon_games():
        return [Gather]

    specialise.numba_installed = lambda: False
    manager().register(sys.modules["__main__"], "gather")
    main(sys.argv[1:], prog_name="dragon")
"""
