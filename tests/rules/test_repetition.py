"""Games whose positions recur: which searches refuse them, and which table keeps plies apart."""

from __future__ import annotations

from functools import cache
from typing import Any, ClassVar

import numpy as np
import pytest
from attrs import evolve

import dragon
from dragon import (
    TERMINAL,
    Bound,
    Game,
    Limit,
    Position,
    RecordGame,
    Rules,
    State,
    Trait,
    frozen,
    rule,
)  # fmt: skip
from dragon.laws import LawBroken, check_game, check_search
from dragon.laws.games import law_only_repetition_recurs, law_teams_agree
from dragon.modes import JIT
from dragon.search.alphabeta.search import Batch
from dragon.search.dfpn.search import certify

pytestmark = pytest.mark.samples(1)

# ---- a token on a graph ------------------------------------------------------------------------

NODES, WAYS, LAST = 12, 3, 7
"""Nodes of a graph, arrows from each, and the ply at which a game is drawn."""


@frozen
class Token(RecordGame):
    """Arrows lead from node to node; whose node it is moves the token on, and some nodes pay.

    The key is the node: what a careless author takes for the position.
    """

    name = "token"
    seed: int = 0
    declared: bool = True

    @property
    def traits(self) -> frozenset[Trait]:
        return super().traits | ({Trait.REPETITION} if self.declared else set())

    def setup(self, record: Any) -> None:
        random = np.random.default_rng(self.seed)
        for node in range(NODES):
            record.ways[node * WAYS : node * WAYS + WAYS] = random.choice(
                NODES, WAYS, replace=False
            )
        record.owner[:] = random.integers(2, size=NODES)
        record.pays[:] = random.choice([0] * 10 + [1, 3], NODES)  # 2 more than seat 0 gets
        record.pays[0] = 0

    def rules(self) -> Rules:
        return Rules(
            [("ways", "i8", (NODES * WAYS,)), ("owner", "i8", (NODES,)), ("pays", "i8", (NODES,)),
             ("at", "i8"), ("ply", "i8")],
            token_moves, token_play, token_turn, token_payoff,
            width=WAYS, plies=LAST, key=token_key,
        )  # fmt: skip


@rule
def token_turn(s):
    return TERMINAL if s.pays[s.at] or s.ply == LAST else s.owner[s.at]


@rule
def token_moves(s, out):
    for way in range(WAYS):
        out[way] = s.ways[s.at * WAYS + way]
    return WAYS


@rule
def token_play(s, move):
    s.at = move
    s.ply += 1


@rule
def token_payoff(s, seat):
    won = s.pays[s.at] - 2 if s.pays[s.at] else 0
    return won if seat == 0 else -won


@rule
def token_key(s):
    return s.at + 1


@cache
def truth(state: Any) -> float:
    """Give the mover's payoff: each node with each number of plies left, from the end backwards."""
    s = state.record
    pays = [int(p) - 2 if p else 0 for p in s.pays]
    worth = list(map(float, pays))
    for _ in range(LAST - int(s.ply)):
        best = [max if owner == 0 else min for owner in s.owner]
        after = [
            [worth[int(to)] for to in s.ways[n * WAYS : n * WAYS + WAYS]] for n in range(NODES)
        ]
        worth = [float(pays[n]) if s.pays[n] else best[n](after[n]) for n in range(NODES)]
    return worth[int(s.at)] * (1 if state.turn == 0 else -1)


SETTINGS = ("alphabeta", "alphabeta(sooner=false)", "alphabeta(deepening=false)",
            "alphabeta(pvs=false, aspiration=false, megabytes=0.001)")  # fmt: skip


@pytest.mark.full
@pytest.mark.parametrize("jit", ["1", "0"])
@pytest.mark.parametrize("search", SETTINGS)
def test_a_table_does_not_mix_up_plies(search: str, jit: str, monkeypatch: Any) -> None:
    monkeypatch.setattr(JIT, "value", jit)
    for seed in range(60 if jit == "1" else 12):
        state = Token(seed).start()
        result = dragon.search(search).best(state)
        assert (result.value, result.bound) == (truth(state), Bound.EXACT), seed


@pytest.mark.full
def test_the_careless_key_is_wrong_where_nobody_tells_of_repetition() -> None:
    found = dragon.search("alphabeta(deepening=false)")
    states = [Token(seed, declared=False).start() for seed in range(60)]
    assert any(found.best(state).value != truth(state) for state in states)


@pytest.mark.full
def test_a_table_kept_from_move_to_move_stays_true() -> None:
    search = dragon.search("alphabeta")
    for seed in range(30):
        state = Token(seed).start()
        with search.open() as run:
            while state.turn != TERMINAL:
                result = run.best(Position(state))
                assert (result.value, result.bound) == (truth(state), Bound.EXACT)
                state = state.after(result.move)


def test_values_one_after_another_stay_true() -> None:
    values, state = Batch(dragon.search("alphabeta")), Token(5).start()
    ahead = [state]
    for here in ahead[:200]:
        if here.turn != TERMINAL:
            assert values.value(here) == truth(here) * (1 if here.turn == 0 else -1)
            ahead += map(here.after, here.moves())
    values.close()


@frozen
class Walk(State[int]):
    """The token in plain Python, its key as careless."""

    of: Any
    repeats: ClassVar[bool] = True

    @property
    def turn(self) -> int:
        return int(self.of.turn)

    def moves(self) -> Any:
        return tuple(map(int, self.of.moves()))

    def after(self, move: Any) -> Walk:
        return evolve(self, of=self.of.after(str(move)))

    def payoff(self) -> tuple[float, ...]:
        return tuple(self.of.payoff())

    def key(self) -> int:
        return int(self.of.record.at) + 1

    def __str__(self) -> str:
        return str(self.of)


class Sure(Walk):
    """A game that does not say that states recur."""

    repeats = False


@pytest.mark.parametrize("kind", [Walk, Sure])
def test_states_in_plain_python_are_kept_under_their_text(kind: type[Walk]) -> None:
    search = dragon.search("alphabeta(deepening=false)")
    states = [kind(Token(seed).start()) for seed in range(12)]
    right = [search.best(state).value == truth(state.of) for state in states]
    assert all(right) == kind.repeats


# ---- a rook and two kings ----------------------------------------------------------------------


@rule
def near(a, b):
    return abs(a // 8 - b // 8) <= 1 and abs(a % 8 - b % 8) <= 1


@rule
def attacked(s, cell):
    """Tell whether white attacks a cell; its king may stand in between, the black one has left."""
    if near(s.white, cell):
        return True
    if s.rook == cell or (s.rook // 8 != cell // 8 and s.rook % 8 != cell % 8):
        return False
    step = 1 if s.rook // 8 == cell // 8 else 8
    low, high = min(s.rook, cell), max(s.rook, cell)
    for between in range(low + step, high, step):
        if between == s.white:
            return False
    return True


@rule
def kings_moves(s, out):
    n = 0
    if s.ply % 2:
        for cell in range(64):
            if cell != s.black and near(s.black, cell) and not attacked(s, cell):
                out[n] = cell
                n += 1
        return n
    for cell in range(64):
        free = cell != s.white and cell != s.rook and cell != s.black
        if free and near(s.white, cell) and not near(s.black, cell):
            out[n] = cell
            n += 1
    for way in (-8, -1, 1, 8):
        cell = s.rook
        while True:
            edge = (way == -1 and cell % 8 == 0) or (way == 1 and cell % 8 == 7)
            cell += way
            if edge or cell < 0 or cell > 63 or cell == s.white or cell == s.black:
                break
            out[n] = 64 + cell
            n += 1
    return n


@rule
def kings_play(s, move):
    if s.ply % 2:
        s.black = move
    elif move < 64:
        s.white = move
    else:
        s.rook = move - 64
    s.ply += 1


@rule
def stuck(s):
    """Tell whether black is to move and cannot."""
    if s.ply % 2 == 0:
        return False
    for cell in range(64):
        if cell != s.black and near(s.black, cell) and not attacked(s, cell):
            return False
    return True


@rule
def kings_turn(s):
    return TERMINAL if s.ply >= 100 or s.black == s.rook or stuck(s) else s.ply % 2


@rule
def kings_payoff(s, seat):
    mate = s.black != s.rook and stuck(s) and attacked(s, s.black)
    return (1 if seat == 0 else -1) if mate else 0


@frozen
class Rook(RecordGame):
    """White has a rook and mates, or black draws: after 100 plies, by stalemate, by taking it."""

    name = "rook"
    declared: bool = True

    @property
    def traits(self) -> frozenset[Trait]:
        return super().traits | ({Trait.REPETITION} if self.declared else set())

    def setup(self, record: Any) -> None:
        record.white, record.rook, record.black = 13, 3, 15

    def rules(self) -> Rules:
        layout = [("white", "i8"), ("rook", "i8"), ("black", "i8"), ("ply", "i8")]
        return Rules(layout, kings_moves, kings_play, kings_turn, kings_payoff, width=24,
                     plies=100)  # fmt: skip


@pytest.mark.full
def test_alphabeta_proves_a_mate_in_two_of_which_dfpn_loses_itself() -> None:
    proven = dragon.search("alphabeta").best(Rook().start())
    assert (proven.value, proven.bound, proven.extra["distance"]) == (1.0, Bound.EXACT, 3)
    assert proven.nodes < 1_000
    lost = dragon.search("dfpn").best(Rook(declared=False).start(), Limit(nodes=200_000))
    assert lost.bound is Bound.ESTIMATE


def test_dfpn_refuses_a_game_with_repetition() -> None:
    game, search = Rook(), dragon.search("dfpn")
    sentence = "dfpn does not support repetition (rook); where positions recur, lines without end"
    assert str(search.objection(game)).startswith(sentence)
    with pytest.raises(dragon.Objection, match=r"dfpn does not support repetition \(rook\); where"):
        search.best(game.start())
    with pytest.raises(dragon.Objection, match=r"repetition \(rook\)"):
        certify(game, game.start(), Bound.LOWER, 1)
    for spec in ("alphabeta", "mcts", "negamax", "exhaustive", "montecarlo"):
        assert dragon.search(spec).objection(game) is None


# ---- laws --------------------------------------------------------------------------------------


@pytest.mark.full
@pytest.mark.parametrize("game", [Token(), Rook()], ids=str)
def test_games_that_tell_keep_the_laws(game: Game[Any]) -> None:
    assert [v.message for v in check_game(game) if not v.passed] == []


@pytest.mark.full
@pytest.mark.parametrize("search", ["alphabeta(megabytes=1)", "mcts(megabytes=1)"])
def test_searches_keep_their_laws_where_positions_recur(search: str) -> None:
    verdicts = check_search(dragon.search(search), Token())
    assert [v.message for v in verdicts if not v.passed] == []


def test_the_law_finds_a_position_that_recurs() -> None:
    with pytest.raises(LawBroken, match="or the trait REPETITION"):
        law_only_repetition_recurs(Token(declared=False))


@cache
def undeclared() -> type[Game[Any]]:
    class Undeclared(dragon.Game[Any]):  # type: ignore[misc]
        name = "undeclared"

        def start(self, rng: Any = 0) -> State[Any]:
            return Walk(Token(declared=False).start())

        def parse(self, text: str) -> State[Any]:
            return Walk(Token(declared=False).parse(text))

    return frozen(Undeclared)


def test_a_state_that_repeats_in_a_game_that_does_not_is_found() -> None:
    with pytest.raises(LawBroken, match="repeats False, as the traits say"):
        law_teams_agree(undeclared()())
