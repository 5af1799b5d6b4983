"""Nex against a plain one: sets of cells, its own neighbours, every move tried in turn."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from itertools import combinations, permutations

import numpy as np
import pytest
from attrs import frozen

from dragon import TERMINAL, ConfigError, IllegalMove
from dragon import game as build
from dragon.bits import Random
from dragon.rules.evaluator import Compiled, Interpreted
from dragon.rules.record import rules_of
from dragon_nex import Nex
from dragon_nex.rules import WINNING

pytestmark = pytest.mark.samples(1)

OPTIONS = [
    {},
    {"swap": True},
    {"transforms": "without-generates"},
    {"ending": "fill"},
    {"swap": True, "transforms": "without-generates", "ending": "fill"},
]
SMALL = [
    *[(1, 2), (2, 1), (1, 5), (2, 2), (2, 3), (3, 2), (3, 3)],
    pytest.param((4, 2), marks=pytest.mark.full),  # is as 3x2
]
LARGER = [
    *[(5, 4), (5, 13)],  # the cells are the bits of one word, and of two
    *(pytest.param(size, marks=pytest.mark.full) for size in [(3, 5), (6, 7)]),
]


@frozen
class Plain:
    """Nex in the most obvious way: a position is its rows, the letter to move, seats swapped."""

    rows: int
    cols: int
    swap: bool = False
    transforms: str = "always"
    ending: str = "draw"

    def start(self) -> Position:
        """The empty board."""
        return Position(("." * self.cols,) * self.rows, "B", False)

    def cells(self, position: Position, letter: str) -> list[tuple[int, int]]:
        """Give the cells with a letter, in row-major order."""
        return [
            (r, c)
            for r in range(self.rows)
            for c in range(self.cols)
            if position.board[r][c] == letter
        ]

    def joined(self, position: Position, letter: str) -> bool:
        """Tell whether B joins top and bottom, or W left and right."""
        held = set(self.cells(position, letter))
        along = 0 if letter == "B" else 1
        far = (self.rows if letter == "B" else self.cols) - 1
        seen = {cell for cell in held if cell[along] == 0}
        while True:
            more = {
                (r, c)
                for r, c in held - seen
                if seen
                & {(r, c - 1), (r, c + 1), (r - 1, c), (r + 1, c), (r - 1, c + 1), (r + 1, c - 1)}
            }
            if not more:
                return any(cell[along] == far for cell in seen)
            seen |= more

    def winner(self, position: Position) -> str | None:
        """B, W, or = for a draw; None while the game goes on."""
        joined = [letter for letter in "BW" if self.joined(position, letter)]
        assert len(joined) < 2
        if joined:
            return joined[0]
        return None if self.moves(position) else "="

    def moves(self, position: Position) -> dict[str, dict[tuple[int, int], str]]:
        """Each legal move of an unfinished position and what it puts where, in order."""
        me = position.mover
        empty, neutral, own = (self.cells(position, letter) for letter in (".", "?", me))
        found = {}
        for a, b in permutations(empty, 2):
            found[f"{me}{name(a)}?{name(b)}"] = {a: me, b: "?"}
        if self.transforms == "always" or not found:
            for (a, b), give in ((pair, give) for pair in combinations(neutral, 2) for give in own):
                text = f"{me}{name(a)}{me}{name(b)}?{name(give)}"
                found[text] = {a: me, b: me, give: "?"}
        if self.ending == "fill" and len(empty) < 2 and len(neutral) < 2:
            if empty:
                found[f"{me}{name(empty[0])}"] = {empty[0]: me}
            elif neutral:
                found[f"{me}{name(neutral[0])}"] = {neutral[0]: me}
        if self.swap and found and not position.swapped and me == "W" and not own:
            found["swap"] = {}
        return found

    def after(self, position: Position, changes: dict[tuple[int, int], str]) -> Position:
        """The position after one of its moves; the swap changes no cell."""
        return position.put(changes) if changes else Position(position.board, position.mover, True)


@frozen
class Position:
    """A position of `Plain`."""

    board: tuple[str, ...]
    mover: str
    swapped: bool

    def put(self, changes: dict[tuple[int, int], str]) -> Position:
        """With other letters in some cells, and the other side to move."""
        rows = [list(row) for row in self.board]
        for (r, c), letter in changes.items():
            rows[r][c] = letter
        other = "W" if self.mover == "B" else "B"
        return Position(tuple("".join(row) for row in rows), other, self.swapped)

    def __str__(self) -> str:
        return f"{'/'.join(self.board)} {self.mover}{' swapped' if self.swapped else ''}"


def name(cell: tuple[int, int]) -> str:
    return "abcdefghijklmnopqrs"[cell[0]] + str(cell[1] + 1)


def plain_game(
    plain: Plain, seed: int
) -> Iterator[tuple[Position, dict[str, dict[tuple[int, int], str]]]]:
    """A random game: each position and its moves; none at the end."""
    rng = random.Random(seed)
    position = plain.start()
    while plain.winner(position) is None:
        moves = plain.moves(position)
        yield position, moves
        texts = list(moves)
        if plain.swap and "swap" in moves and rng.random() < 0.5:
            texts = ["swap"]
        position = plain.after(position, moves[rng.choice(texts)])
    yield position, {}


def compare(game: Nex, engine: Interpreted | Compiled, seed: int, some: int) -> int:
    """Plays one game both ways; `some` successors are compared at each position. How many plies."""
    plain = Plain(game.rows, game.cols, game.swap, game.transforms, game.ending)
    rng = random.Random(seed)
    rules = rules_of(game)
    plies = -1
    every = 1 + game.rows * game.cols // 20  # long games are looked at now and then
    for position, moves in plain_game(plain, seed):
        plies += 1
        if plies % every and moves:
            continue
        state = game.parse(str(position))
        assert str(state) == str(position)
        if not moves:
            assert engine.turn(state.data) == TERMINAL
            first = {"B": 1, "W": -1, "=": 0}[str(plain.winner(position))]
            first = -first if position.swapped else first
            assert engine.payoff(state.data) == (first, -first)
            break
        assert engine.turn(state.data) == "BW".index(position.mover) ^ position.swapped
        codes = engine.moves(state.data).tolist()
        assert len(codes) <= rules.width
        assert len(codes) == len(moves)
        assert [state.text(code) for code in codes] == list(moves)
        for text in rng.sample(list(moves), min(some, len(moves))):
            data = engine.play(state.data, state.code(text))
            after = plain.after(position, moves[text])
            assert data == game.parse(str(after)).data  # the record, derived fields too
            assert (engine.turn(data) == TERMINAL) == (plain.winner(after) is not None)
        assert state.code(state.text(engine.sample(state.data, Random(plies)))) in codes
    assert plies <= rules.plies
    return plies


@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.parametrize("size", SMALL, ids=str)
def test_interpreted_rules_agree_with_the_plain_game_on_small_boards(size, options):
    game = Nex(*size, **options)
    for seed in range(6):
        compare(game, Interpreted(rules_of(game)), seed, some=40)


@pytest.mark.parametrize("options", OPTIONS[::4], ids=str)
@pytest.mark.parametrize("size", LARGER, ids=str)
def test_interpreted_rules_agree_with_the_plain_game_on_larger_boards(size, options):
    game = Nex(*size, **options)
    compare(game, Interpreted(rules_of(game)), 1, some=4)


@pytest.mark.parametrize(
    "game",
    [
        Nex(3, 3),
        Nex(4, 3, **OPTIONS[4]),
        Nex(5, 13, swap=True),
        pytest.param(Nex(4, 5, swap=True), marks=pytest.mark.full),
        pytest.param(Nex(8, 8), marks=pytest.mark.full),
        pytest.param(Nex(13, 5, **OPTIONS[4]), marks=pytest.mark.full),
        pytest.param(Nex(4, 19, transforms="without-generates"), marks=pytest.mark.full),
    ],
    ids=str,
)
def test_compiled_rules_agree_with_the_plain_game(game):
    rules = rules_of(game)
    for seed in range(2 if game.rows * game.cols > 32 else 20):
        compare(game, Compiled(rules), seed, some=8)


@pytest.mark.parametrize(
    "game",
    [  # as above, where they are compiled
        Nex(4, 3, **OPTIONS[4]),
        Nex(5, 13, swap=True),
        pytest.param(Nex(3, 4, swap=True), marks=pytest.mark.full),
        pytest.param(Nex(13, 5, ending="fill"), marks=pytest.mark.full),
    ],
    ids=str,
)
def test_compiled_and_interpreted_rules_agree_byte_for_byte(game):
    rules = rules_of(game)
    engines = Compiled(rules), Interpreted(rules)
    for seed in range(3):
        data, draws = game.start().data, [Random(seed), Random(seed)]
        while engines[0].turn(data) != TERMINAL:
            assert len({engine.turn(data) for engine in engines}) == 1
            assert len({engine.key(data) for engine in engines}) == 1
            assert len({tuple(engine.moves(data).tolist()) for engine in engines}) == 1
            codes = [e.sample(data, draw) for e, draw in zip(engines, draws, strict=True)]
            assert codes[0] == codes[1]
            after = {engine.play(data, codes[0]) for engine in engines}
            assert len(after) == 1
            (data,) = after
        assert engines[0].payoff(data) == engines[1].payoff(data)
        assert draws[0].state == draws[1].state


# ---- bounds, options, seats ------------------------------------------------------------------


@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.parametrize("size", [(2, 2), (2, 3), (3, 2)], ids=str)
def test_width_and_plies_are_reached_but_never_passed(size, options):
    plain = Plain(*size, **options)
    width = plies = 0
    level = {plain.start()}
    while level:
        following = set()
        for position in level:
            if plain.winner(position) is None:
                moves = plain.moves(position)
                width = max(width, len(moves))
                following.update(plain.after(position, move) for move in moves.values())
        plies += bool(following)
        level = following
    rules = rules_of(Nex(*size, **options))
    assert rules.width == width
    assert rules.plies == plies


def test_every_position_that_arises_has_counts_that_the_layers_allow_and_no_others():
    for options in OPTIONS:
        for size in [(2, 2), (2, 3), (1, 4), (1, 5)]:
            game = Nex(*size, **options)
            cells = size[0] * size[1]
            allowed = {
                (e, n, b, cells - e - n - b)
                for e in range(cells + 1)
                for n in range(cells + 1 - e)
                for b in range(cells + 1 - e - n)
                if game.layers.objection(e, n, b, cells - e - n - b) is None
            }
            plain = Plain(*size, **options)
            seen, level = set(), {plain.start()}
            while level:  # play goes on after a win: all layers, not only those short games reach
                seen |= {tuple(len(plain.cells(p, x)) for x in ".?BW") for p in level}
                level = {plain.after(p, move) for p in level for move in plain.moves(p).values()}
            assert seen == allowed


def test_nobody_draws_where_the_last_cells_are_filled():
    for size in [(3, 3), (2, 5), (3, 4)]:
        game = Nex(*size, ending="fill")
        engine = Interpreted(rules_of(game))
        for seed in range(40):
            data, draw = game.start().data, Random(seed)
            while engine.turn(data) != TERMINAL:
                data = engine.play(data, engine.sample(data, draw))
            assert engine.payoff(data) in {(1, -1), (-1, 1)}


@pytest.mark.full
def test_after_a_swap_the_other_seat_plays_white_and_payoffs_follow_the_seats():
    state = Nex(2, 2, swap=True).start()
    assert state.turn == 0
    state = state.after("Ba2?a1")
    assert (state.turn, str(state)) == (1, "?B/.. W")
    assert state.moves()[-1] == "swap"
    swapped = state.after("SWAP")
    assert (swapped.turn, str(swapped)) == (0, "?B/.. W swapped")
    assert swapped != state
    assert swapped.key() != state.key()
    assert "swap" not in swapped.moves()
    after = swapped.after("Wb1?b2")
    assert (after.turn, str(after)) == (1, "?B/W? B swapped")
    end = after.after("Ba1Bb2?a2")
    assert end.turn == TERMINAL
    assert end.payoff() == (0.0, 0.0)
    won = state.after("swap").after("Wb2?b1").after("Ba1Bb1?a2")
    assert str(won) == "B?/BW W swapped"
    assert won.payoff() == (-1.0, 1.0)  # seat 1 took over Black
    assert "swapped" not in str(state.after("Wb2?b1"))


def test_a_swap_costs_a_ply_and_a_move():
    plain, swap = rules_of(Nex(3, 3)), rules_of(Nex(3, 3, swap=True))
    assert swap.plies == plain.plies + 1 == 8
    assert swap.width == plain.width == 72  # of the opening, to which there is nothing to swap


# ---- samples ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "position"),
    [
        (Nex(3, 3), ".../.../... B"),
        (Nex(3, 3), "?.B/.WB/?.W B"),
        (Nex(3, 3), "?BB/.WB/??W W"),
        (Nex(3, 3, transforms="without-generates"), "BW?/?.?/BW? B"),
        (Nex(3, 3, swap=True), "B../?../... W"),
        (Nex(3, 3, swap=True), "B../?../... W swapped"),
        (
            Nex(5, 13, swap=True),
            f"{'BW?' * 4}./{'.' * 13}/{'?' * 4}{'BW' * 4}./{'.' * 13}/{'.' * 13} B",
        ),
    ],
    ids=str,
)
def test_a_sample_is_any_legal_move_with_equal_chances(game, position):
    state = game.parse(position)
    engine = Compiled(rules_of(game))
    moves = engine.moves(state.data).tolist()
    draw = Random(2024)
    times = 60
    seen = Counter(engine.sample(state.data, draw) for _ in range(times * len(moves)))
    assert set(seen) <= set(moves)
    freedom = len(moves) - 1
    chi2 = sum((seen[move] - times) ** 2 / times for move in moves)
    assert abs(chi2 - freedom) < 4 * (2 * freedom) ** 0.5 + 4


# ---- parameters ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("nex(rows=20)", "rows must be a whole number from 1 to 19, not 20"),
        ("nex(cols=0)", "cols must be a whole number from 1 to 19, not 0"),
        ("nex(rows=1, cols=1)", "a board of one cell has no moves; set rows or cols to 2 or more"),
        ("nex(swap=1)", "swap"),
        ("nex(ending='misere')", "ending must be 'draw' or 'fill', not 'misere'"),
        (
            "nex(transforms='never')",
            "transforms must be 'always' or 'without-generates', not 'never'",
        ),
        ("nex(size=3)", "no setting 'size' here"),
    ],
)
def test_a_wrong_parameter_is_told_in_a_sentence(spec, message):
    with pytest.raises(ConfigError) as error:
        build(spec)
    assert message in str(error.value)
    assert "nex" in str(error.value)


def test_parameters_of_the_wrong_kind_are_refused_without_a_table_too():
    for wrong in ({"rows": "3"}, {"rows": True}, {"swap": 1}):
        with pytest.raises((TypeError, ValueError), match=r"must be"):
            Nex(**wrong)


@pytest.mark.full
def test_a_large_board_lists_its_moves_without_making_text_of_them():
    state = Nex(19, 19).start()
    moves = state.moves()
    assert len(moves) == 361 * 360
    assert (moves[0], moves[-1]) == ("Ba1?a2", "Bs19?s18")
    assert str(state.after("?s19Bj10")).count("B") == 1
    with pytest.raises(IllegalMove):
        state.after("Bj10?s19").after("Wj10?a1")


# ---- the order of search ---------------------------------------------------------------------


@pytest.mark.parametrize("size", [(3, 3), (2, 4), (3, 6)], ids=str)
def test_the_order_puts_exactly_the_moves_that_win_first(size):
    game, plain = Nex(*size), Plain(*size)
    order = rules_of(game).order
    winning = 0
    for seed in range(12):
        for position, moves in plain_game(plain, seed):
            state = game.parse(str(position))
            codes = np.array([state.code(text) for text in moves], np.int64)
            scores = np.zeros(len(codes), np.int64)
            order(state.record, codes, len(codes), scores)
            for text, score in zip(moves, scores.tolist(), strict=True):
                wins = plain.joined(plain.after(position, moves[text]), position.mover)
                assert (score == WINNING) == wins
                assert score <= WINNING
                winning += wins
    assert winning


@pytest.mark.full
@pytest.mark.parametrize("game", [Nex(3, 3, swap=True), Nex(5, 13, swap=True)], ids=str)
def test_the_order_prefers_the_middle_and_has_no_opinion_of_a_swap(game):
    start = game.start()
    middle, corner = ("Bb2?a1", "Ba1?b2") if game.rows == 3 else ("Bc7?a1", "Ba1?c7")
    scores = start.order([middle, corner])
    assert scores[0] > scores[1]
    assert start.after(corner).order(["swap"]) == (0,)
