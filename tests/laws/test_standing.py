"""The standing set: games that keep every law, and mistakes of searches that it tells."""

from __future__ import annotations

import random
import subprocess
import sys
from collections.abc import Iterator
from typing import Any, ClassVar

import pytest
from attrs import field, frozen

import dragon
from dragon import CHANCE, TERMINAL, Bound, Limit, Objection, Result, Search, State, Trait
from dragon.bits import Random
from dragon.laws import check_game, judge, laws_of
from dragon.laws.standing import KINDS, STANDING, standing_for
from dragon.rules.playout import pick
from dragon.search.budget import Budget, OutOfBudget

Found = tuple[tuple[float, ...], tuple[Any, ...], bool]
"""The payoffs by seat, the line, and True if no horizon was met."""


def ply_of(state: State[Any]) -> int:
    """The ply of a position of the standing set."""
    return int(str(state).split()[1].removeprefix("ply="))


@frozen
class Deep(Search):
    """Max^n with chance, deeper and deeper, and what it does wrong."""

    name = "deep"
    excludes = frozenset({Trait.HIDDEN})
    limits = frozenset({"seconds", "nodes", "depth"})
    deterministic = True
    kept: ClassVar[dict[str, Any]] = {}

    mistake: str = ""
    megabytes: float = field(default=1.0)
    """Ten thousand positions for each."""

    def improve(self, state: State[Any], limit: Limit, rng: Any) -> Iterator[Result]:
        wrong, budget = self.mistake, Budget(limit)
        if wrong == "keeps results of all games by text" and str(state) in self.kept:
            yield self.kept[str(state)]
            return
        deepest = limit.depth or 20
        deepest += wrong == "looks a ply too deep"
        seat = 0 if wrong == "counts for seat 0" else max(state.turn, 0)
        moves = state.moves()
        yield budget.result(0.0, line=() if state.turn < 0 else (moves[0],))
        for depth in range(1, deepest + 1):
            try:
                values, line, sure = self.look(state, depth, budget, {}, state)
            except OutOfBudget:
                return
            value = values[seat]
            if wrong == "negates the value":
                value = -value
            if wrong == "gives units":
                value = round(value / state.unit)
            if wrong == "leaves out what is banked":
                value -= state.banked()
            bound = Bound.EXACT if sure or wrong == "is sure at its horizon" else Bound.ESTIMATE
            if bound is Bound.EXACT and wrong == "swaps bounds":
                bound = Bound.UPPER
                value -= state.unit
            if wrong == "calls a lower bound exact" and sure:
                value = max(-state.largest, value - state.unit)
            if wrong == "answers with another move of a proof":
                line = () if state.turn < 0 else (moves[-1],)
            if wrong == "adds a line of another position" and len(line) > 1:
                line = (*line[:1], *line)
            if wrong == "draws by a generator of its own" and state.turn >= 0:
                line = (random.choice(moves),)
            nodes = 0 if wrong == "counts no nodes" else budget.nodes
            result = Result(value, bound, line, 0.0, nodes, budget.seconds, {"depth": depth})
            self.kept[str(state)] = result
            yield result
            if sure:
                if wrong == "goes on after an exact result":
                    yield budget.result(value - state.unit, line=line)
                return

    def look(
        self, state: State[Any], depth: int, budget: Budget, table: dict[Any, Any], root: Any
    ) -> Found:
        wrong = self.mistake
        budget.visit()
        if state.turn == TERMINAL:
            values = state.payoff()
            if wrong == "adds what is banked":
                values = tuple(each + state.banked() for each in values)
            if wrong == "takes a draw for a loss" and not any(values):
                values = (-state.unit, state.unit)
            return values, (), True
        known: Any = (state, depth)
        if wrong == "keeps places without what came before":
            known = str(state).split()[2]
        if known in table:
            return table[known]  # type: ignore[no-any-return]
        full = len(table) >= self.megabytes * 10_000
        if depth == 0 or (full and wrong == "is sure without memory"):
            sure = full and wrong == "is sure without memory"
            return (0.0,) * len(state.teams), (), sure
        after = [
            self.look(state.after(move), depth - 1, budget, table, root) for move in state.moves()
        ]
        found = self.chosen(state, after, root)
        if not full:
            table[known] = found
        return found

    def chosen(self, state: State[Any], after: list[Found], root: State[Any]) -> Found:
        wrong, moves, turn = self.mistake, state.moves(), state.turn
        sure = all(each[2] for each in after)
        if turn == CHANCE and wrong != "lets a seat choose for chance":
            odds = list(state.odds())
            if wrong == "takes chance for uniform":
                odds = [1 / len(odds)] * len(odds)
            if wrong == "takes the likeliest chance":
                odds = [float(p == max(odds)) for p in odds]
            seats = range(len(state.teams))
            values = tuple(
                sum(p * each[0][i] for p, each in zip(odds, after, strict=True)) for i in seats
            )
            return values, (), sure
        own, sign = max(turn, 0), 1
        if wrong == "takes three seats for two" and turn != root.turn:
            own, sign = root.turn, -1
        if wrong == "takes a partner for the other side":
            own, sign = (0, 1) if turn == 0 else (turn, 1 if turn == 1 else -1)
        if wrong == "assumes that seats alternate":
            own = (root.turn + ply_of(state) - ply_of(root)) % len(state.teams)
        if wrong == "makes costs large" and len(state.teams) == 1:
            sign = -1
        best = max(range(len(moves)), key=lambda i: sign * after[i][0][own])
        if wrong == "stops at the first win":
            best = next((i for i in range(len(moves)) if after[i][0][own] > 0), best)
        return after[best][0], (moves[best], *after[best][1]), sure


@frozen
class Flat(Search):
    """Random playouts, equally many after each move, and what they do wrong."""

    name = "flat"
    excludes = frozenset({Trait.HIDDEN})
    proves, limits = False, frozenset({"nodes", "seconds"})

    mistake: str = ""

    def improve(self, state: State[Any], limit: Limit, rng: Any) -> Iterator[Result]:
        wrong, budget = self.mistake, Budget(limit)
        moves, random = state.moves(), Random(int(rng.integers(1 << 63)))
        seat = 0 if wrong == "counts for seat 0" else max(state.turn, 0)
        seat = (seat + 1) % len(state.teams) if wrong == "counts for the next seat" else seat
        sums, n = [0.0] * len(moves), 0
        while n < 30 and not (n and budget.spent()):
            for i, move in enumerate(moves):
                end = state.after(move)
                while end.turn != TERMINAL:
                    chance = end.turn == CHANCE and wrong != "takes chance for uniform"
                    options = end.moves()
                    k = pick(random.state, end.odds()) if chance else random(len(options))
                    end = end.after(options[k])
                sums[i] += end.payoff()[seat]
                budget.nodes += 1
            n += 1
        means = [each / n for each in sums]
        if wrong == "gives the sum of wins":
            means = sums
        worst = wrong == "takes the move with the lowest mean"
        best = means.index(min(means) if worst else max(means))
        value = -means[best] if wrong == "negates the value" else means[best]
        value = sum(means) / len(means) if wrong == "gives the mean of all moves" else value
        line = () if state.turn < 0 else (moves[0 if wrong == "moves first" else best],)
        yield budget.result(value, line=line)


class Open(Deep):
    """Plays what is hidden as if it were open."""

    excludes = frozenset()


MISTAKES = [
    "counts for seat 0", "negates the value", "gives units", "leaves out what is banked",
    "adds what is banked", "is sure at its horizon", "swaps bounds", "calls a lower bound exact",
    "answers with another move of a proof", "adds a line of another position",
    "draws by a generator of its own", "counts no nodes", "goes on after an exact result",
    "takes a draw for a loss", "keeps places without what came before", "is sure without memory",
    "lets a seat choose for chance", "takes chance for uniform", "takes the likeliest chance",
    "takes three seats for two", "takes a partner for the other side",
    "assumes that seats alternate", "makes costs large", "stops at the first win",
    "keeps results of all games by text",
]  # fmt: skip


GUESSES = [
    "counts for seat 0", "counts for the next seat", "takes chance for uniform",
    "gives the sum of wins", "takes the move with the lowest mean", "negates the value",
    "gives the mean of all moves", "moves first",
]  # fmt: skip


def broken_law(search: Search) -> tuple[str, str, str] | None:
    """The first law that a search breaks on the standing set, and the game."""
    for game in standing_for(search):
        for law in laws_of(game, search):
            if not (verdict := judge(law, game, search)).passed:
                return law.name, str(game), verdict.message
    return None


QUICK = {"counts for seat 0", "counts no nodes", "is sure without memory", "swaps bounds",
         "answers with another move of a proof", "takes three seats for two",
         "keeps results of all games by text"}  # fmt: skip


@pytest.mark.samples(1)
@pytest.mark.parametrize(
    "mistake",
    [each if each in QUICK else pytest.param(each, marks=pytest.mark.full) for each in MISTAKES],
)
def test_the_standing_set_tells_a_mistake(mistake: str) -> None:
    Deep.kept.clear()
    assert broken_law(Deep(mistake)) is not None


@pytest.mark.full
@pytest.mark.parametrize(
    "mistake",
    [*GUESSES[:2], *(pytest.param(each, marks=pytest.mark.full) for each in GUESSES[2:])],
)
def test_the_standing_set_tells_a_mistake_in_an_estimate(mistake: str) -> None:
    broken = broken_law(Flat(mistake))
    assert broken is not None
    assert broken[0] in ("law_decided_positions_are_valued", "law_values_are_possible")


@pytest.mark.full
def test_a_search_without_a_mistake_keeps_every_law_on_the_standing_set() -> None:
    assert broken_law(Deep()) is None
    assert broken_law(Flat()) is None


@pytest.mark.full
def test_what_is_hidden_cannot_be_played_openly() -> None:
    broken = broken_law(Open())
    assert broken is not None
    assert broken[1] == "standing_cards"


@pytest.mark.full
@pytest.mark.parametrize("game", [STANDING[0], STANDING[1], STANDING[-1]], ids=str)
def test_games_of_the_standing_set_keep_the_laws_of_games(game: dragon.Game[Any]) -> None:
    assert [v.message for v in check_game(game) if not v.passed] == []


@pytest.mark.full
@pytest.mark.parametrize("game", STANDING[2:-1], ids=str)
def test_all_games_of_the_standing_set_keep_the_laws_of_games(game: dragon.Game[Any]) -> None:
    assert [v.message for v in check_game(game) if not v.passed] == []


def test_the_set_has_every_kind_by_rules_and_as_a_state() -> None:
    assert len(STANDING) == 2 * len(KINDS) + 1
    seen = {trait for game in STANDING for trait in game.traits}
    assert seen == {*Trait} - {Trait.COVER}


def test_a_search_that_plays_none_of_them_objects() -> None:
    with pytest.raises(Objection, match="nextable knows Nex"):
        standing_for(dragon.search("nextable"))


def laws(*words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "dragon", "laws", *words]
    return subprocess.run(command, capture_output=True, text=True, timeout=120)


@pytest.mark.full
def test_laws_of_a_search_need_no_game() -> None:
    ran = laws("--search", "astar", "--law", "law_lines_are_legal")
    assert ran.returncode == 0
    assert ran.stdout.splitlines() == [
        "holds   law_lines_are_legal[astar on standing(kind='costs')]",
        "1 laws tried on 1 game of the standing set, 0 broken",
    ]


@pytest.mark.full
def test_laws_without_a_game_and_a_search_are_told() -> None:
    ran = laws()
    assert ran.returncode == 2
    assert "give a GAME, or --search" in ran.stderr
    ran = laws("--search", "random", "--law", "law_games_end")
    assert ran.returncode == 2
    assert "without a GAME only laws of searches are tried" in ran.stderr
