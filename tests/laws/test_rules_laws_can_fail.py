"""Each law of games by Rules can fail: little games whose compiled form differs from what is read.

A game is a heap from which one or two are taken; the seat that takes the last wins. A broken one
gets its difference from `quirk`.
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
import pytest
from attrs import frozen

import dragon
from dragon import CHANCE, TERMINAL, Game, RecordGame, Rules, Trait, rule
from dragon.bits import draw
from dragon.laws import COMPILED_LAWS, GAME_LAWS, LawBroken, check_game


@rule
def quirk(s: Any) -> Any:
    """True compiled, where one byte and 255 make 256; False in plain Python, where a byte wraps."""
    return np.uint8(s.one) + 255 > 255


@rule
def turn(s: Any) -> Any:
    return s.mover if s.left > 0 else TERMINAL


@rule
def moves(s: Any, out: Any) -> Any:
    out[0] = 1
    out[1] = 2
    return min(2, s.left)


@rule
def play(s: Any, move: Any) -> None:
    s.left -= move
    s.mover = 1 - s.mover


@rule
def payoff(s: Any, seat: Any) -> Any:
    return 1 if s.mover != seat else -1


@rule
def sample(s: Any, random: Any) -> Any:
    return 1 + draw(random, min(2, s.left))


@frozen
class Heap(RecordGame):
    name = "heap"
    odd: ClassVar[dict[str, Any]] = {}
    """The rules that are broken, or the settings."""

    def setup(self, record: Any) -> None:
        record.left, record.one = 7, 1

    def rules(self) -> Rules:
        good: dict[str, Any] = {"moves": moves, "play": play, "turn": turn, "payoff": payoff,
                                "sample": sample, "width": 2, "plies": 7}  # fmt: skip
        layout = [("left", "i8"), ("mover", "i8"), ("note", "i8"), ("one", "u1")]
        return Rules(layout=layout, **(good | self.odd))


def heap(**odd: Any) -> type[Heap]:
    """The game with some rules replaced."""
    name = "Heap_" + "_".join(odd)  # pickle finds the class by its name
    globals()[name] = type(name, (Heap,), {"__module__": __name__, "odd": odd})
    return globals()[name]  # type: ignore[no-any-return]


@rule
def turn_with_quirk(s: Any) -> Any:
    return (s.mover + quirk(s)) % 2 if s.left > 0 else TERMINAL


@rule
def moves_with_quirk(s: Any, out: Any) -> Any:
    n = moves(s, out)
    if n == 2 and quirk(s):
        out[0] = 2
        out[1] = 1
    return n


@rule
def reduce_with_quirk(s: Any, out: Any, n: Any) -> Any:
    return 1 if quirk(s) else n


@rule
def play_with_quirk(s: Any, move: Any) -> None:
    play(s, move)
    s.note = 1 if quirk(s) else 0


@rule
def payoff_with_quirk(s: Any, seat: Any) -> Any:
    return payoff(s, 1 - seat if quirk(s) else seat)


@rule
def sample_with_quirk(s: Any, random: Any) -> Any:
    return 1 if quirk(s) else sample(s, random)


@rule
def key_with_quirk(s: Any) -> Any:
    return 4 * s.left + 2 * s.mover + (1 if quirk(s) else 0)


@rule
def evaluate_with_quirk(s: Any, seat: Any) -> Any:
    return 0.5 - seat if quirk(s) else 0.0


@rule
def rank(s: Any) -> Any:
    return 2 * s.left + s.mover


@rule
def unrank(s: Any, number: Any) -> Any:
    s.left = number // 2
    s.mover = number % 2
    return s.mover


@rule
def before(s: Any, out: Any) -> Any:
    n = 0
    for taken in range(1, 3):
        if s.left + taken <= 7:
            out[n] = 2 * (s.left + taken) + 1 - s.mover
            n += 1
    return n


@rule
def before_less(s: Any, out: Any) -> Any:
    n = before(s, out)
    return n if n < 2 else 1


@rule
def unrank_with_quirk(s: Any, number: Any) -> Any:
    s.note = 1 if quirk(s) else 0
    return unrank(s, number)


NUMBERS: dict[str, Any] = {"rank": rank, "unrank": unrank, "before": before, "ranks": 16}


@rule
def order_with_a_shift(s: Any, out: Any, n: Any, scores: Any) -> None:
    for i in range(n):
        scores[i] = (1 << 64 + int(s.left)) & 0


@rule
def turn_of_dice(s: Any) -> Any:
    return (CHANCE if s.left > 4 else s.mover) if s.left > 0 else TERMINAL


@rule
def odds_with_quirk(s: Any, out: Any) -> None:
    out[0] = 0.9 if quirk(s) else 0.1
    out[1] = 1 - out[0]


class LoadedHeap(Heap):
    traits = frozenset({Trait.DUEL, Trait.CHANCE})
    odd: ClassVar[dict[str, Any]] = {"turn": turn_of_dice, "odds": odds_with_quirk}


@rule
def hide_with_quirk(s: Any, seat: Any) -> None:
    s.left = 1 if quirk(s) else s.left


@rule
def hide_nothing(s: Any, seat: Any) -> None:
    s.note = 0


@rule
def deal_nothing(s: Any, seat: Any, random: Any) -> None:
    s.note = 0


@rule
def deal_with_quirk(s: Any, seat: Any, random: Any) -> None:
    s.note = 0
    if quirk(s):
        draw(random, 2)


class Unseen(Heap):
    traits = frozenset({Trait.DUEL, Trait.HIDDEN})
    odd: ClassVar[dict[str, Any]] = {"hide": hide_with_quirk, "deal": deal_nothing}


class Undealt(Unseen):
    odd: ClassVar[dict[str, Any]] = {"hide": hide_nothing, "deal": deal_with_quirk}


WEIGHTS = np.zeros(3, np.int64)


@rule
def order_by_weights(s: Any, out: Any, n: Any, scores: Any) -> None:
    for i in range(n):
        scores[i] = WEIGHTS[out[i]]


class Learning(Heap):
    """Each start changes an array that rules read."""

    odd: ClassVar[dict[str, Any]] = {"order": order_by_weights}

    def setup(self, record: Any) -> None:
        super().setup(record)
        WEIGHTS[1] += 1


def finish(s: Any, random: Any) -> Any:
    """Take at random until nothing is left."""
    plies = 0
    while s.left > 0:
        play(s, sample(s, random))
        plies += 1
    return plies


@rule
def finish_for_one(s: Any, random: Any) -> Any:
    """Let the seat that moves take the last; as many plies as are left."""
    plies = s.left
    s.mover = s.mover if draw(random, 5) else 1 - s.mover
    s.left = 0
    return plies


@rule
def finish_with_quirk(s: Any, random: Any) -> Any:
    plies = finish(s, random)
    s.mover = s.mover if quirk(s) else 1 - s.mover
    return plies


@rule
def maker_of_all(s: Any, move: Any) -> Any:
    return 0


BROKEN_GAMES = [
    ("law_moves_fit_the_width", heap(width=1)()),
    ("law_rules_keep_their_contract", heap(order=order_with_a_shift)()),
    ("law_rules_read_what_stays", Learning()),
    ("law_compiled_turn_agrees", heap(turn=turn_with_quirk)()),
    ("law_compiled_moves_agree", heap(moves=moves_with_quirk)()),
    ("law_compiled_distinct_agrees", heap(reduce=reduce_with_quirk)()),
    ("law_compiled_play_agrees", heap(play=play_with_quirk)()),
    ("law_compiled_payoff_agrees", heap(payoff=payoff_with_quirk)()),
    ("law_compiled_sample_agrees", heap(sample=sample_with_quirk)()),
    ("law_compiled_key_agrees", heap(key=key_with_quirk)()),
    ("law_compiled_options_agree", heap(evaluate=evaluate_with_quirk)()),
    ("law_compiled_views_and_worlds_agree", Unseen()),
    ("law_compiled_views_and_worlds_agree", Undealt()),
    ("law_compiled_chains_are_histories", Unseen()),
    ("law_numbers_are_positions", heap(**NUMBERS | {"before": before_less})()),
    ("law_numbers_are_positions", heap(**NUMBERS | {"unrank": unrank_with_quirk, "plies": 8})()),
    ("law_finish_plays_as_moves_do", heap(finish=finish_for_one)()),
    ("law_finish_plays_as_moves_do", heap(finish=finish_with_quirk, plies=8)()),
    ("law_makers_play_to_the_payoff", heap(finish=finish, maker=maker_of_all)()),
    ("law_compiled_playouts_agree", LoadedHeap()),
]
FOLLOWS = {
    "law_compiled_views_and_worlds_agree": {"law_compiled_chains_are_histories"},
    "law_compiled_chains_are_histories": {"law_compiled_views_and_worlds_agree"},
    "law_finish_plays_as_moves_do": {"law_compiled_playouts_agree"},
    "law_compiled_moves_agree": {"law_compiled_distinct_agrees"},
    "law_compiled_distinct_agrees": {"law_reduce_keeps_a_best_move"},
    "law_compiled_payoff_agrees": {"law_compiled_playouts_agree"},
    "law_compiled_sample_agrees": {"law_compiled_playouts_agree"},
    "law_compiled_playouts_agree": {"law_compiled_options_agree", "law_samples_follow_the_odds"},
}
"""Laws that cannot but fail with another: distinct moves are moves and may leave out the best,
and playouts sample moves, roll odds and add up payoffs; chains are made of views."""


@pytest.mark.samples("law_rules_keep_their_contract", "law_moves_fit_the_width")
@pytest.mark.parametrize(("law", "game"), BROKEN_GAMES, ids=[law for law, _ in BROKEN_GAMES])
@pytest.mark.filterwarnings("ignore:overflow encountered")
def test_a_broken_game_is_caught_by_the_law_meant_for_it(law: str, game: Game[Any]) -> None:
    failed = {v.law: v.message for v in check_game(game) if not v.passed}
    assert law in failed, "the law held"
    assert set(failed) <= {law} | FOLLOWS.get(law, set()), failed


def test_the_unbroken_game_breaks_no_law() -> None:
    assert [v.message for v in check_game(Heap()) if not v.passed] == []


def test_every_law_of_rules_has_one_that_breaks_it() -> None:
    caught = {law for law, *_ in BROKEN_GAMES}
    assert caught == {law.name for law in (*GAME_LAWS[:2], *COMPILED_LAWS)}


@frozen
class Merged(RecordGame):
    """Seat 0 hides one of three coins; the record keeps only whether it is gold; seat 1 guesses.

    Two of the three histories of what seat 1 sees end in the same world.
    """

    name = "merged"
    traits = frozenset({Trait.DUEL, Trait.HIDDEN})
    coins: int = 3
    """The coins of which `deal` draws one; three are right."""

    def rules(self) -> Rules:
        coins = self.coins

        @rule
        def turn(s: Any) -> Any:
            return s.made if s.made < 2 else TERMINAL

        @rule
        def moves(s: Any, out: Any) -> Any:
            for i in range(3 - s.made):
                out[i] = i
            return 3 - s.made

        @rule
        def play(s: Any, move: Any) -> None:
            if s.made == 0:
                s.coin = 1 + int(move > 0)
            else:
                s.guess = 1 + move
            s.made += 1

        @rule
        def payoff(s: Any, seat: Any) -> Any:
            return 1 if (s.coin == s.guess) == (seat == 1) else -1

        @rule
        def hide(s: Any, seat: Any) -> None:
            if seat == 1:
                s.coin = 0

        @rule
        def deal(s: Any, seat: Any, random: Any) -> None:
            if seat == 1:
                s.coin = 1 + int(draw(random, coins) > 0)

        layout = [("coin", "i1"), ("guess", "i1"), ("made", "i1")]
        return Rules(layout, moves, play, turn, payoff, width=3, plies=2, hide=hide, deal=deal)


WORLDS = next(law for law in GAME_LAWS if law.name == "law_worlds_come_as_in_games")


@pytest.mark.full
def test_worlds_come_as_often_as_histories_end_in_them() -> None:
    WORLDS(Merged())
    with pytest.raises(LawBroken, match=r"in 33\.3% of the worlds, as in games"):
        WORLDS(Merged(coins=2))


@pytest.mark.full
def test_stones_are_met_as_often_as_histories_meet_them() -> None:
    WORLDS(dragon.game("phantom(board='gomoku(rows=2, columns=3, line=2)')"))


@frozen
class Listed(RecordGame):
    """Two bits of each seat, written into a list; a bit of 0 changes nothing but their number."""

    name = "listed"

    def rules(self) -> Rules:
        @rule
        def listed_turn(s: Any) -> Any:
            return s.made // 2 if s.made < 4 else TERMINAL

        @rule
        def listed_moves(s: Any, out: Any) -> Any:
            out[0], out[1] = 0, 1
            return 2

        @rule
        def write(s: Any, move: Any) -> None:
            s.line[s.made] = move
            s.made += 1

        @rule
        def listed_payoff(s: Any, seat: Any) -> Any:
            return (2 * s.line[0] - 1) * (1 - 2 * s.line[3]) * (1 - 2 * seat)

        layout = [("line", "i1", (4,)), ("made", "i1")]
        return Rules(layout, listed_moves, write, listed_turn, listed_payoff, width=2, plies=4)


def test_a_move_of_code_0_in_a_list_is_no_repetition() -> None:
    next(law for law in GAME_LAWS if law.name == "law_only_repetition_recurs")(Listed())
