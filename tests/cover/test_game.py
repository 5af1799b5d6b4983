"""A cover problem as a game: what is left after some choices, and what searches make of it."""

from __future__ import annotations

import sys
from itertools import combinations
from traceback import walk_stack
from typing import Any

import pytest
from attrs import evolve, frozen
from hypothesis import given, settings
from hypothesis import strategies as st

import dragon
from dragon import TERMINAL, Bound, Limit
from dragon.cover import CoverGame, CoverState, Option, Problem, covers, parse
from dragon.cover.optimum import best
from dragon.laws import check_game

pytestmark = pytest.mark.samples(1)

SMALL = [
    parse("a b c d\na b |2\nc d |2\na\nb c |1\nd |1\nb |4\nc\na b c d |9"),
    parse("p q r | x y\np q x y:A\np r x:A y\np x:B\nq x:A\nr y:B\nq r\np"),
    parse("1:2|a b 0:1|c 2:3|d | x\na b x:1\na d\nb c d x:1\nc d\nd x:2\nb\nb d"),
    parse("a b c\na b\nb c"),
    parse("a b | s t\na s |2\na t:1\nb\nb t:2 |1\ns |-3\nt:1 |-1\nt:2 |4"),
]
"""The last one has options that cover secondary items alone."""


@frozen
class Small(CoverGame):
    """One of a few problems."""

    name = "small"
    number: int = 0

    def problem(self) -> Problem:
        return SMALL[self.number]


@frozen
class Cheapest(Small):
    """Small, ranked by cost."""

    name = "cheapest"
    ranked = True


@frozen
class Pairs(Small):
    """Small, of two options at most."""

    name = "pairs"
    size = 2


@frozen
class Overlapping(Small):
    """Small, with items that may be covered more than once."""

    name = "overlapping"
    exact = False


@frozen
class Teams(Overlapping):
    """Small, ranked by what each item costs at the least."""

    name = "teams"
    ranked = True

    def problem(self) -> Problem:
        weighed = (
            evolve(o, weights=self._weights(i, o)) for i, o in enumerate(super().problem().options)
        )
        return evolve(super().problem(), options=tuple(weighed))

    def _weights(self, number: int, option: Option) -> dict[str, int]:
        return {
            i: (7 * number + ord(i)) % 5 for i in option.items if i in SMALL[self.number].primary
        }


@frozen
class Spares(Teams):
    """Small, with options that are not needed."""

    name = "spares"
    spare = True


@frozen
class More(Cheapest):
    """Small and exact, with options that are not needed, where bounds or other rules allow any."""

    name = "more"
    spare = True


KINDS = (Small, Cheapest, Pairs, Overlapping, Teams, Spares, More)
GAMES = [of(number) for of in KINDS for number in range(len(SMALL))]


@pytest.mark.full
@pytest.mark.parametrize("game", GAMES, ids=str)
def test_the_laws_hold(game: CoverGame) -> None:
    broken = [verdict for verdict in check_game(game) if not verdict.passed]
    assert broken == []


def ends(state: CoverState) -> set[tuple[int, ...]]:
    """The sets of options at the ends of all lines that are covers."""
    if state.turn == TERMINAL:
        return {tuple(sorted(state.chosen))} if state.covered else set()
    return set().union(*(ends(state.after(move)) for move in state.moves()))


@pytest.mark.parametrize("number", [0, 1, 3, 4])
def test_the_lines_are_the_covers(number: int) -> None:
    listed = [tuple(sorted(cover)) for cover in covers(SMALL[number])]
    assert ends(Small(number).start()) == set(listed)


@pytest.mark.parametrize("game", [Small(0), Cheapest(2), Pairs(3), Small(4), Spares(3)])
def test_a_sample_is_the_move_of_its_number(game: CoverGame) -> None:
    waiting, asked = [game.start()], 0
    while waiting:
        state = waiting.pop()
        if state.turn == TERMINAL:
            continue
        moves = state.moves()
        found = [state.sample({len(moves): i}.__getitem__) for i in range(len(moves))]
        assert tuple(found) == moves
        rows = [
            [o for o in range(state.allowed.bit_length())
             if state.allowed >> o & state.table.rows[i] >> o & 1]
            for i in range(state.left.bit_length()) if state.left >> i & 1
        ]  # fmt: skip
        if rows:
            fewest = min(rows, key=len)
            assert [state.table.problem.names[o] for o in fewest] == [*moves]
        waiting += [state.after(move) for move in moves]
        asked += 1
    assert asked


@pytest.mark.parametrize("number", range(len(SMALL)))
def test_with_options_to_spare_the_lines_of_an_exact_game_are_all_covers(number: int) -> None:
    listed = [tuple(sorted(cover)) for cover in covers(SMALL[number])]
    assert ends(More(number).start()) == set(listed)
    cheapest = best(SMALL[number]).covers
    result = dragon.search("dlx").best(More(number).start())
    assert result.value == (-cheapest[0].cost if cheapest else -More(number).start().largest)


@pytest.mark.parametrize("kind", [Cheapest, More, Spares])
def test_an_option_of_secondary_items_alone_may_be_in_a_cover(kind: type[Small]) -> None:
    """The covers of the first problem are {a} at cost 2 and {a, s} at -1."""

    class Asked(kind):
        def problem(self) -> Problem:
            return parse("a | s\na |2\ns |-3")

    start = Asked().start()
    for name in ("dlx", "exhaustive", *(["count", "algorithm_x"] if kind.exact else [])):
        result = dragon.search(name).best(start)
        assert (result.value, result.bound) == (1.0, Bound.EXACT)
        assert result.line == ("a", "s", "-")
    assert ends(start) == {(0,), (0, 1)}


@pytest.mark.full
@settings(max_examples=60)
@given(st.sampled_from(GAMES), st.data())
def test_every_search_values_every_state_alike(game: CoverGame, data: Any) -> None:
    state = game.start()
    for _ in range(data.draw(st.integers(0, 3))):
        if state.turn != TERMINAL:
            state = state.after(data.draw(st.sampled_from(state.moves())))
    truth = dragon.search("exhaustive").best(state)
    for name in ("dlx", "algorithm_x", "count"):
        if name != "dlx" and (not game.exact or game.problem().bounds):
            continue
        result = dragon.search(name).best(state)
        assert (result.value, result.bound) == (truth.value, Bound.EXACT)
        end = state
        for move in result.line:
            end = end.after(move)
        if state.turn != TERMINAL and result.extra["verdict"] == "cover":
            assert end.payoff()[0] == truth.value


@pytest.mark.parametrize("number", range(len(SMALL)))
def test_the_lines_of_an_overlapping_game_need_all_their_options(number: int) -> None:
    listed = [tuple(sorted(cover)) for cover in covers(SMALL[number], exact=False)]
    assert ends(Overlapping(number).start()) == set(listed)


@pytest.mark.parametrize("number", range(len(SMALL)))
def test_with_options_to_spare_the_lines_are_all_covers(number: int) -> None:
    state = Spares(number).start()
    problem = state.table.problem
    lows = {item: problem.bounds_of(item)[0] for item in problem.primary}
    found: dict[tuple[int, ...], float] = {}
    for size in range(len(problem.options) + 1):
        for chosen in combinations(range(len(problem.options)), size):
            options = [problem.options[o] for o in chosen]
            if all(sum(i in o.items for o in options) >= low for i, low in lows.items()):
                least = {i: min((o.weights[i] for o in options if i in o.weights), default=0)
                         for i in lows}  # fmt: skip
                found[chosen] = -sum(o.cost for o in options) - sum(least.values())
    colours = any(o.colours for o in problem.options)
    assert ends(state) <= set(found) if colours else ends(state) == set(found)
    truth = dragon.search("dlx").best(state)
    if not colours:
        assert truth.value == max(found.values(), default=-state.largest)
    for move in truth.line:
        state = state.after(move)
    assert (state.turn, state.payoff()) == (TERMINAL, (truth.value,))
    assert Spares(number).parse(str(state)).moves() == state.moves()


def test_a_ranked_cover_pays_the_negative_of_its_cost() -> None:
    state = Cheapest(0).start()
    prices = []
    for size in range(5):
        for chosen in combinations(range(len(SMALL[0].options)), size):
            items = [item for o in chosen for item in SMALL[0].options[o].items]
            if sorted(items) == ["a", "b", "c", "d"]:
                prices.append(sum(SMALL[0].options[o].cost for o in chosen))
    assert dragon.search("dlx").best(state).value == -min(prices)
    assert dragon.search("exhaustive").best(state).value == -min(prices)


def test_weights_are_paid_by_the_cheapest_of_several() -> None:
    options = [
        Option(("a", "b"), "near", weights={"a": 1, "b": 5}),
        Option(("b",), "far", cost=1, weights={"b": 2}),
    ]

    class Weighted(CoverGame):
        name = "weighted"
        exact = False
        ranked = True

        def problem(self) -> Problem:
            return Problem("ab", options)

    state = Weighted().start()
    assert [str(move) for move in state.moves()] == ["near"]
    assert state.after("near").payoff() == (-6.0,)
    assert state.choose(1).choose(0).payoff() == (-4.0,)


def test_a_limit_leaves_it_unknown() -> None:
    state = Small(3).start()
    result = dragon.search("dlx").best(state, Limit(nodes=1))
    assert (result.bound, result.extra["verdict"]) == (Bound.ESTIMATE, "unknown")
    result = dragon.search("dlx").best(state)
    assert (result.value, result.bound, result.extra["verdict"]) == (0.0, Bound.EXACT, "no cover")
    assert result.move in state.moves()


def test_positions_are_options_in_any_order() -> None:
    game = Small(0)
    state = game.parse("c | a | b")
    assert str(state) == "c | a | b"
    assert state == game.parse("a | b | c")
    assert game.parse("-") == game.start()
    for text, message in (("e", "no option 'e'"), ("a | a b", "with the options before it")):
        with pytest.raises(dragon.BadNotation, match=message.replace("|", r"\|")):
            game.parse(text)


def ranked(problem_of: Problem, overlaps: bool = False) -> CoverState:
    """The start of a ranked game."""

    class Ranked(CoverGame):
        name = "ranked"
        ranked = True
        exact = not overlaps

        def problem(self) -> Problem:
            return problem_of

    return Ranked().start()


def test_an_option_without_a_weight_asks_nothing_for_its_item() -> None:
    options = [
        Option("ab", "o0", cost=4, weights={"a": 4}),
        Option("c", "o1", cost=-1),
        Option("bc", "o2", cost=1, weights={"b": 3, "c": -3}),
    ]
    state = ranked(Problem("abc", options), overlaps=True)
    truth = dragon.search("exhaustive").best(state)
    assert dragon.search("dlx").best(state).value == truth.value == -6


def test_with_bounds_every_order_of_play_counts() -> None:
    options = [
        Option("ab", "o1"),
        Option("a", "o2", cost=-5),
        *(Option("b", n, cost=10) for n in "pq"),
    ]
    state = ranked(Problem("ab", options, bounds={"a": (1, 2)}))
    truth = dragon.search("exhaustive").best(state)
    assert dragon.search("dlx").best(state).value == truth.value == 5


def test_a_position_has_no_more_options_than_a_cover() -> None:
    with pytest.raises(dragon.BadNotation, match="with the options before it"):
        Pairs(0).parse("a | b | c")


@pytest.mark.full
def test_lines_too_long_for_plain_python_are_a_sentence() -> None:
    names = [str(i) for i in range(310)]
    found = dragon.search("algorithm_x").covers(Problem.of(names, [[name] for name in names]))
    most = sys.getrecursionlimit()
    sys.setrecursionlimit(sum(1 for _ in walk_stack(None)) + 300)  # a thousand would take longer
    try:
        with pytest.raises(dragon.SearchError, match="too long for plain Python"):
            found.count()
    finally:
        sys.setrecursionlimit(most)


def test_options_are_written_down_once_a_game() -> None:
    asked = []

    class Told(CoverGame):
        name = "given"

        def problem(self) -> Problem:
            asked.append(self)
            return SMALL[3]

    game = Told()
    assert game.parse("a b") == game.start().after("a b")
    assert game.parse("-") == game.start()
    assert len(asked) == 1
