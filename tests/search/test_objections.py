"""No search claims what is false of a game that it cannot search, however it is begun.

A matrix of searches and games: either the search objects, at every door and in the same words, or
what it claims agrees with the value of the game.
"""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from functools import cache, wraps
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from attrs import evolve, field, frozen

import dragon
from dragon import (
    CHANCE,
    TERMINAL,
    Bound,
    Determinizable,
    Game,
    IllegalMove,
    Limit,
    Objection,
    Position,
    Result,
    Run,
    Search,
    State,
    Trait,
)
from dragon.bits import Random
from dragon.core.game import UnnamedGame, game_of
from dragon.gtp.server import GtpServer
from dragon.search.alphabeta.search import Batch
from dragon.search.dfpn.search import certify
from dragon.search.simple import Exhaustive
from dragon.web.analyse import each
from dragon.web.play import rows

pytestmark = pytest.mark.samples(1)

LITTLE = Limit(nodes=2000)
STATES = 5_000
"""States that `exhaustive` may visit for the value of one."""
COVER = str(Path(__file__).parents[1] / "oracles" / "cover_colours.txt")
GAMES = {
    "backgammon": "backgammon",
    "breakthrough": "breakthrough(rows=4, columns=3)",
    "checkers": "checkers",
    "chess": "chess",
    "connect4": "connect4",
    "cover": f"cover(file={COVER!r})",
    "domineering": "domineering(rows=2, columns=3)",
    "dominoes": "dominoes(rows=3, cols=4)",
    "dots_and_boxes": "dots_and_boxes(rows=1, columns=2)",
    "einstein": "einstein",
    "gomoku": "gomoku(rows=3, columns=3, line=3)",
    "goofspiel": "goofspiel(cards=2)",
    "hands": "hands",
    "hex": "hex(size=2)",
    "kalah": "kalah(pits=1, seeds=2)",
    "kuhn": "kuhn",
    "langford": "langford(n=3)",
    "latin": "latin(n=3)",
    "leduc": "leduc(suits=1, raises=1)",
    "liars_dice": "liars_dice(faces=2)",
    "morris": "morris",
    "nex": "nex(rows=2, cols=2)",
    "nim": "nim(pile=7)",
    "peg_solitaire": "peg_solitaire",
    "pentominoes": "pentominoes(rows=3, cols=20)",
    "polyominoes": "polyominoes(area='2x3', pieces='O4, I2')",
    "phantom": "phantom",
    "pokemon": "pokemon(gen=2, side='attack', limit=4, locations=['Azalea Town'])",
    "queens": "queens(n=5)",
    "reversi": "reversi(size=4)",
    "sliding": "sliding(rows=2, columns=2, most=4)",
    "small_world": "small_world(bridges=1)",
    "sokoban": "sokoban(level='#######|#@$ .##|#  $ .#|#     #|#######', most=9)",
    "soma": "soma",
    "sudoku": "sudoku",
    "teeko": "teeko",
    "tictactoe": "tictactoe",
    "two048": "two048(goal=64)",
    "ulti": "ulti",
    "ulti-hidden": "ulti(cards='hidden')",
}
SEARCHES = {
    **{name: name for name in dragon.searches()},
    "alphabeta-open": "alphabeta(chance=none)",
    "determinize-exhaustive": "determinize(search='exhaustive', samples=4)",
    "determinize-alphabeta": "determinize(search='alphabeta', samples=4)",
    "determinize-astar": "determinize(search='astar', samples=4)",
}
SAMPLE = ("kuhn", "nim", "queens", "sliding", "tictactoe")
"""Games whose claims are held against `exhaustive` in a default run."""


def searches() -> list[Search]:
    return [dragon.search(spec) for spec in SEARCHES.values()]


@cache
def worth(state: State[Any]) -> float | None:
    """The value of an open state for the seat to move, seat 0's for chance; None: not feasible."""
    result = Exhaustive().best(state, Limit(nodes=STATES))
    return result.value if result.bound is Bound.EXACT else None


def agree(result: Result, value: float) -> bool:
    """Tell whether a claim is true."""
    if result.bound is Bound.EXACT:
        return result.value == pytest.approx(value)
    if result.bound is Bound.LOWER:
        return result.value <= value + 1e-9
    return result.bound is Bound.ESTIMATE or result.value >= value - 1e-9


def refused(search: Search, state: State[Any], sentence: str) -> None:
    """Every way to begin with a state raises Objection, and says the same."""
    doors = (
        lambda: search.best(state, LITTLE),
        lambda: next(search.results(state, LITTLE)),
        lambda: search.open().best(Position(state), LITTLE),
        lambda: search.open(state.game).best(Position(state), LITTLE),
        lambda: next(search.open(state.game).results(Position(state, state), LITTLE)),
    )
    for door in doors:
        with pytest.raises(Objection) as raised:
            door()
        assert str(raised.value) == sentence


def some(game: Game[Any]) -> Iterator[State[Any]]:
    """The first state of a game, and some of a random game, none of them terminal."""
    state, random = game.start(), Random(1)
    for ply in range(60):
        if state.turn == TERMINAL:
            return
        if ply in (0, 1, 3, 6, 12, 40):
            yield state
        state = state.after(state.sample(random))


# ---- installed games ---------------------------------------------------------------------------


def test_every_installed_game_is_in_the_matrix() -> None:
    assert {dragon.game(spec).name for spec in GAMES.values()} == set(dragon.games())


@pytest.mark.parametrize("name", GAMES)
def test_searches_object_at_every_door(name: str) -> None:
    game = dragon.game(GAMES[name])
    for search in searches():
        if (sentence := search.objection(game)) is not None:
            refused(search, game.start(), sentence)
            with pytest.raises(Objection):
                search.open(game)


@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=[pytest.mark.full] * (n not in SAMPLE)) for n in GAMES]
)
def test_searches_that_do_not_object_agree_with_exhaustive(name: str) -> None:
    game, held = dragon.game(GAMES[name]), 0
    hidden = Trait.HIDDEN in game.traits
    for search in searches():
        if search.objection(game) is not None:
            continue
        for state in some(game):
            result = search.best(state, LITTLE, 1)
            if hidden:  # open values are not the game's: kuhn is worth -1/18, and 0 with open cards
                assert result.bound is Bound.ESTIMATE, (search, state, result)
            elif result.bound is not Bound.ESTIMATE and (value := worth(state)) is not None:
                assert agree(result, value), (search, state, result, value)
                held += 1
    assert held > 5 or hidden or name not in SAMPLE


@pytest.mark.parametrize("name", ["astar", "idastar", "breadth", "beam", "nmcs", "nrpa"])
@pytest.mark.parametrize("game", ["tictactoe", "ulti", "nim", "kuhn"])
def test_searches_of_one_seat_prove_nothing_of_games_for_more(name: str, game: str) -> None:
    search, of = dragon.search(name), dragon.game(game)
    refused(search, of.start(), search.objection(of) or "")


@pytest.mark.parametrize("name", GAMES)
def test_states_know_their_game(name: str) -> None:
    game = dragon.game(GAMES[name])
    rng = np.random.default_rng(1)
    for state in some(game):
        known = [state, game.parse(str(state)), pickle.loads(pickle.dumps(state))]
        known += [state.after(move) for move in state.moves()[:3]]
        if state.turn >= 0:
            known.append(state.seen(state.turn))
        if isinstance(state, Determinizable) and state.turn >= 0:
            known.append(state.seen(state.turn).determinize(rng))
        assert [each.game for each in known] == [game] * len(known)
        for same in known[1:3]:
            assert (same, hash(same), repr(same)) == (state, hash(state), repr(state))


# ---- games without Rules -----------------------------------------------------------------------


TREES: dict[str, Any] = {
    "alternating": (0, {"a": (1, {"a": 1, "b": -1}), "b": (1, {"a": 0, "b": 1})}),
    "one side twice": (0, {"a": (0, {"a": (1, {"a": -1, "b": 0}), "b": -1}), "b": (1, {"a": -1})}),
    "three seats": (
        0,
        {
            "a": (1, {"a": (2, {"a": (2, 0, -2), "b": (-1, 0, 1)}), "b": (0, -1, 1)}),
            "b": (1, {"a": (1, -1, 0), "b": (-2, 1, 1)}),
        },
    ),
    "no sum": (0, {"a": (1, {"a": (2, 2), "b": (-1, 1)}), "b": (1, {"a": (1, -2), "b": (0, 2)})}),
    "forgetful": (0, {"a": (1, {"a": (2, 2), "b": (-1, 1)}), "b": (1, {"a": (1, -2)})}),
    "chance first": (CHANCE, {"a": (0, {"a": 1, "b": 0}), "b": (1, {"a": 1, "b": -2})}),
    "chance later": (0, {"a": (1, {"a": (CHANCE, {"a": 2, "b": -2, "c": -1})}), "b": -1}),
    "alone": (0, {"a": (0, {"a": (-3,), "b": (-1,)}), "b": (0, {"a": (-2,)})}),
    "alone with luck": (0, {"a": (CHANCE, {"a": (2,), "b": (-2,), "c": (-2,)}), "b": (0,)}),
    "pennies": (0, {"a": (1, {"a": -1, "b": 1}), "b": (1, {"a": 1, "b": -1})}),
    "pennies later": (
        0,
        {"c": (0, {"a": (1, {"a": -1, "b": 1}), "b": (1, {"a": 1, "b": -1})}), "d": -2},
    ),
    "pennies unsaid": (0, {"a": (1, {"a": -1, "b": 1}), "b": (1, {"a": 1, "b": -1})}),
    "luck unsaid": (CHANCE, {"a": (0, {"a": (2,)}), "b": (0, {"a": (-2,)}), "c": (-2,)}),
    "walk": (0, {"a": (1, {"a": (0, {"a": 1, "b": 0}), "b": (0, {"a": 0})}), "b": (1, {"a": 0})}),
}
"""A node is who is to move and what follows each move; an end what each seat, or seat 0, gets."""
SEATS = dict.fromkeys(("alone", "alone with luck", "luck unsaid"), (0,)) | {
    "three seats": (0, 1, 2)
}
TRAITS = {
    "three seats": {},
    "no sum": {},
    "chance first": {Trait.DUEL, Trait.CHANCE},
    "chance later": {Trait.DUEL, Trait.CHANCE},
    "alone": {Trait.SOLO},
    "alone with luck": {Trait.SOLO, Trait.CHANCE},
    "luck unsaid": {Trait.SOLO},
    "pennies": {Trait.DUEL, Trait.HIDDEN},
    "pennies later": {Trait.DUEL, Trait.HIDDEN},
    "walk": {Trait.DUEL, Trait.REPETITION},
}
"""`forgetful` says that it is a duel, as games do by default, and its states that it is not."""
LATER = ("chance later", "alone with luck", "pennies later", "forgetful", "pennies unsaid",
         "luck unsaid")  # fmt: skip
"""What is to come does not show in their first states, or the game does not say it."""


@frozen
class Node(State[str]):
    """The moves so far in one of TREES."""

    tree: str
    line: str = ""
    game: Any = field(default=None, eq=False, repr=False)
    largest = 4.0

    @property
    def teams(self) -> tuple[int, ...]:  # type: ignore[override]
        return SEATS.get(self.tree, (0, 1))

    @property
    def zero_sum(self) -> bool:  # type: ignore[override]
        return self.tree not in ("no sum", "forgetful")

    @property
    def repeats(self) -> bool:  # type: ignore[override]
        return self.tree == "walk"

    @property
    def _here(self) -> Any:
        here = TREES[self.tree]
        for move in self.line:
            here = here[1][move]
        return here

    @property
    def turn(self) -> int:
        here = self._here
        inner = isinstance(here, tuple) and isinstance(here[-1], dict)
        return here[0] if inner else TERMINAL

    def moves(self) -> tuple[str, ...]:
        return tuple(self._here[1]) if self.turn != TERMINAL else ()

    def after(self, move: str) -> Node:
        if move not in self.moves():
            raise IllegalMove(f"{move} is not possible after {self.line}")
        kind = Penny if self.tree == "pennies later" else type(self)
        return kind(self.tree, self.line + move, self.game)

    def payoff(self) -> tuple[float, ...]:
        here = self._here
        return tuple(map(float, here)) if isinstance(here, tuple) else (float(here), -float(here))

    def __str__(self) -> str:
        return self.line or "-"


class Penny(Node, Determinizable[str]):
    """A node where the second seat does not see the first one's penny, the last move before it."""

    __slots__ = ()

    def seen(self, seat: int) -> Penny:
        if seat != 1 or self.turn != 1:
            return self
        return evolve(self, line=self.line[:-1] + "a")  # as if it were heads: moves are the same

    def determinize(self, rng: Any) -> Penny:
        return evolve(self, line=self.line[:-1] + "ab"[rng.integers(2)]) if self.turn == 1 else self


@frozen
class Grove(Game[str]):
    """One of TREES as a game, whose states know it or not."""

    name = "grove"
    tree: str
    named: bool = True

    @property
    def teams(self) -> tuple[int, ...]:  # type: ignore[override]
        return SEATS.get(self.tree, (0, 1))

    @property
    def traits(self) -> frozenset[Trait]:
        return frozenset(TRAITS.get(self.tree, {Trait.DUEL}))

    def start(self, rng: Any = 0) -> Node:
        kind = Penny if self.tree in ("pennies", "pennies unsaid") else Node
        return kind(self.tree, game=self if self.named else None)

    def parse(self, text: str) -> Node:
        return evolve(self.start(), line=text.strip("-"))


def values(state: State[Any]) -> tuple[float, ...]:
    """Give each seat's value under best play: the definition, for trees with nothing hidden."""
    if state.turn == TERMINAL:
        return state.payoff()
    after = [values(state.after(move)) for move in state.moves()]
    if state.turn == CHANCE:
        odds, seats = state.odds(), range(len(state.teams))
        return tuple(sum(p * v[i] for p, v in zip(odds, after, strict=True)) for i in seats)
    return max(after, key=lambda each: each[state.turn])


@pytest.mark.parametrize("named", [True, False], ids=["named", "unnamed"])
@pytest.mark.parametrize("tree", TREES)
def test_no_search_claims_what_is_false_of_a_game_without_rules(tree: str, named: bool) -> None:
    game = Grove(tree, named)
    state = game.start()
    hidden = "pennies" in tree
    value = 0.0 if hidden else values(state)[max(state.turn, 0)]
    for search in searches():
        sentence = search.objection(game_of(state))
        if sentence is not None:
            refused(search, state, sentence)
            continue
        try:
            results = list(search.results(state, LITTLE, 1))
        except Objection:
            assert tree in LATER, (search, tree)
        else:
            assert all(agree(result, value) for result in results), (search, results, value)
        if not named and tree not in LATER:
            assert search.objection(game) is None, (search, "sees less in the state than in game")


@pytest.mark.parametrize(
    ("search", "tree"),
    [
        ("exhaustive", "pennies later"), ("negamax", "pennies later"),
        ("alphabeta", "pennies later"), ("dfpn", "pennies later"), ("mcts", "pennies later"),
        ("alphabeta(chance=none)", "chance later"), ("dfpn", "chance later"),
        ("negamax", "chance later"), ("negamax", "forgetful"), ("alphabeta", "forgetful"),
        ("dfpn", "forgetful"), ("nmcs", "alone with luck"), ("nrpa", "alone with luck"),
        ("greedy", "alone with luck"),
    ],
)  # fmt: skip
def test_what_comes_later_is_refused_when_it_is_met(search: str, tree: str) -> None:
    named = tree == "forgetful"
    with pytest.raises(Objection, match=r"not support (chance|hidden)|needs one side, or two"):
        dragon.search(search).best(Grove(tree, named).start())


def test_a_game_that_a_state_does_not_know_has_what_the_state_shows() -> None:
    traits = {tree: game_of(Grove(tree, named=False).start()).traits for tree in TREES}
    assert traits == {
        tree: (frozenset(TRAITS.get(tree, {Trait.DUEL})) if tree not in LATER else shown)
        for tree, shown in traits.items()
    }
    unnamed = UnnamedGame(Grove("alone", named=False).start())
    assert str(unnamed) == "a game that the Node '-' does not name"
    assert unnamed.parse("-") == unnamed.start()
    with pytest.raises(dragon.BadNotation, match="is not -"):
        unnamed.parse("ab")
    assert UnnamedGame(Grove("no sum", named=False).start()).traits == frozenset()


# ---- searches that others write ----------------------------------------------------------------

ASKED: list[str] = []
STARTED: list[str] = []


@frozen
class Plain(Search):
    """One with `improve` alone; it notes each time that it is asked for an objection."""

    name = "plain"
    excludes = frozenset({Trait.CHANCE})

    def objection(self, game: Game[Any]) -> str | None:
        ASKED.append(str(game))
        return super().objection(game)

    def improve(self, state: Any, limit: Any, rng: Any) -> Iterator[Result]:
        STARTED.append(str(state))
        yield Result(9.0, Bound.EXACT, (state.moves()[0],))


class Started(Run):
    """A search that keeps something; it starts before `Run` is made."""

    def __init__(self, search: Search) -> None:
        STARTED.append("a process")
        super().__init__(search)


@frozen
class Opening(Plain):
    """One with an `open` of its own, which tells its Run nothing of the game."""

    name = "opening"
    size: int = 1

    def open(self, game: Game[Any] | None = None) -> Run:
        super().open(game).close()
        return Started(self)


def noted(opens: Any) -> Any:
    """An author's own decorator."""

    @wraps(opens)
    def opening(self: Search, game: Game[Any] | None = None) -> Run:
        STARTED.append("noted")
        return opens(self, game)

    return opening


class Mixed:
    """An `open` that is not of a Search."""

    def open(self, game: Game[Any] | None = None) -> Run:
        STARTED.append("mixed")
        return super().open(game)  # type: ignore[misc]


@frozen
class Decorated(Mixed, Plain):
    name = "decorated"

    @noted
    def open(self, game: Game[Any] | None = None) -> Run:
        return Mixed.open(self, game)


@frozen
class Inheriting(Mixed, Plain):
    name = "inheriting"


@frozen
class Handing(Search):
    """One that hands on to another, which supports more than it does."""

    name = "handing"
    excludes = frozenset({Trait.CHANCE})
    inner: Search = field(factory=lambda: dragon.search("mcts"))

    def open(self, game: Game[Any] | None = None) -> Run:
        return self.inner.open(game)


@pytest.mark.parametrize(
    "search", [Plain(), Opening(), Decorated(), Inheriting(), Handing()], ids=str
)
@pytest.mark.parametrize("named", [True, False], ids=["named", "unnamed"])
def test_searches_of_others_object_without_doing_anything_for_it(
    search: Search, named: bool
) -> None:
    game = Grove("chance first", named)
    sentence = search.objection(game_of(game.start()))
    assert sentence is not None
    assert "does not support chance" in sentence
    del STARTED[:]
    with pytest.raises(Objection, match="does not support chance"):
        search.open(game)
    if named:
        with pytest.raises(Objection, match="does not support chance"):
            search.best(game.start())
    assert not STARTED
    refused(search, game.start(), sentence)


@pytest.mark.parametrize("search", [Plain(), Opening(), Decorated(), Inheriting()], ids=str)
def test_an_objection_is_asked_for_once_for_each_run(search: Search) -> None:
    del ASKED[:]
    game, other = Grove("alternating"), Grove("walk")
    with search.open(game) as run:
        for state in (game.start(), game.start().after("a"), Grove("alternating").start()):
            run.best(Position(state))
    assert [str(game)] == ASKED
    search.best(game.start())
    assert [str(game)] * 2 == ASKED
    with search.open() as run:
        for state in (game.start(), game.start().after("a"), other.start(), other.start()):
            run.best(Position(state))
    assert [str(game)] * 3 + [str(other)] == ASKED


def test_a_run_for_one_game_objects_to_states_of_another() -> None:
    with (
        dragon.search("alphabeta").open(dragon.game("tictactoe")) as run,
        pytest.raises(Objection, match="does not support hidden information"),
    ):
        run.best(Position(dragon.game("kuhn").parse("KQ")))
    with (
        dragon.search("astar").open(dragon.game(GAMES["sliding"])) as run,
        pytest.raises(Objection, match="needs a state of a game by Rules"),
    ):
        run.best(Position(Grove("alone", named=False).start()))


def test_an_open_that_returns_nothing_is_told() -> None:
    class Forgetting(Plain):
        def open(self, game: Game[Any] | None = None) -> Run:  # type: ignore[return]
            super().open(game)

    with pytest.raises(dragon.PluginError, match=r"Forgetting\.open must return a Run.*`return`"):
        Forgetting().best(Grove("alternating").start())


def test_what_begins_a_search_in_a_way_of_its_own_objects_too() -> None:
    kuhn = dragon.game("kuhn")
    batch = Batch(dragon.search("alphabeta"))  # type: ignore[arg-type]
    with pytest.raises(Objection, match="does not support hidden information"):
        batch.value(kuhn.parse("KQ"))
    for game in (kuhn, dragon.game("tictactoe")):
        with pytest.raises(Objection, match="does not support chance and hidden"):
            certify(game, kuhn.start(), Bound.LOWER, -1)
    alphabeta, state = dragon.search("alphabeta"), kuhn.parse("KQ")
    with pytest.raises(Objection, match="does not support hidden information"):
        GtpServer(kuhn, alphabeta, LITTLE)
    with pytest.raises(Objection, match="does not support hidden information"):
        next(rows(kuhn, alphabeta, Position(state), LITTLE, 1))
    with pytest.raises(Objection, match="does not support hidden information"):
        next(each(kuhn, alphabeta, state, LITTLE, 1))
    with pytest.raises(Objection, match="astar inside determinize does not support chance"):
        dragon.search("determinize(search='astar')").best(kuhn.parse("K?"))
