"""The rules of Nex over a record: what boards of all sizes share.

Colours are 0 (Black, joins row a to the last row) and 1 (White, joins column 1 to the last
column). A record's `status` says who moves or how the game ended, and follows from its
stones: only the side that has just moved can have joined its edges, for a move takes
nothing from the other side.

    0 Black to move   1 White to move   2 Black has won   3 drawn   4 White has won

A move code holds points (bits of a cell, see `Board`), each `shift` binary digits wide:

    generate    own, neutral
    fill        own, own                  (an empty cell or a neutral stone becomes own)
    transform   given + 1, one, two       (one < two become own, given becomes neutral)
    swap        all ones and more

Moves are listed in this order: generates by own, then neutral cell in row-major order;
transforms by the two neutrals, then the stone given up; a fill; the swap.

Searches try first the moves that win at once, then those that gain central cells. Measured on
alpha-beta from the empty board, against no rule: 3x3 34,870 -> 21,595 nodes, 3x4 1.30 M -> 0.71 M,
4x3 1.99 M -> 0.79 M. The win test pays where it is a table look-up or a short flood, so boards past
64 cells have the static worth alone.

The module is imported when a game begins, since it needs numpy.
"""

from __future__ import annotations

from collections.abc import Callable
from math import comb
from typing import TYPE_CHECKING, Any

import numpy as np

from dragon import TERMINAL, Rules, rule
from dragon.bits import bit, ctz, draw, drop, popcount, shl, u64
from dragon_nex.board import DRAWN_AT, Board, Layer, Layers
from dragon_nex.forced import joining_rule, word_rules
from dragon_nex.stones import beside, counting, fields_of, stone_rules
from dragon_nex.table.files import MOST_CELLS, Kind, shelves

if TYPE_CHECKING:
    from dragon.rules.notation import BaseNotation

TRANSFORM_COST = 10
"""The amount subtracted from a transform: it spends neutral stones, of which there are few."""
WINNING = 1000


def worth_rule(board: Board) -> Any:
    """The rule `worth(code)`: central cells gained, twice, less those given away."""
    shift = board.shift
    mask = (1 << shift) - 1
    central = np.zeros(64 * board.words, np.int64)
    for cell in board.cells():
        central[board.point(cell)] = board.central(cell)

    @rule
    def worth(code):
        one, two, given = code >> shift & mask, code & mask, code >> 2 * shift
        if given:
            return 2 * (central[one] + central[two]) - central[given - 1] - TRANSFORM_COST
        return 2 * central[one] - central[two]

    return worth


def static_order(board: Board) -> Any:
    """The rule `order` by worth alone."""
    swap = board.swap_code
    worth = worth_rule(board)

    @rule
    def order(s, out, n, scores):
        for i in range(n):
            scores[i] = 0 if out[i] == swap else worth(out[i])

    return order


def winning_order(board: Board, joined: Any) -> Any:
    """The rule `order` that sees wins too; `joined` is a rule of `dragon_nex.forced`."""
    swap, shift = board.swap_code, board.shift
    mask = (1 << shift) - 1
    empty_of, *_ = counting(board)
    worth = worth_rule(board)

    @rule
    def order(s, out, n, scores):
        if n == 0:
            return
        mover = s.status
        own = s.stones[mover, 0]
        by_generate = joined(own | empty_of(s, 0), mover)
        by_transform = joined(own | s.neutral[0], mover)
        for i in range(n):
            code = out[i]
            if code == swap:
                scores[i] = 0
                continue
            scores[i] = worth(code)
            one, two, given = code >> shift & mask, code & mask, code >> 2 * shift
            if given:
                if by_transform and joined(own ^ (bit(one) | bit(two) | bit(given - 1)), mover):
                    scores[i] = WINNING
            elif by_generate and joined(own | bit(one), mover):
                scores[i] = WINNING

    return order


@rule
def turn(s):
    return s.status if s.status < 2 else TERMINAL


@rule
def payoff(s, seat):
    return (1 - 2 * seat) * (3 - s.status)


def with_swap(rules: dict[str, Any], board: Board, layers: Layers) -> dict[str, Any]:
    """Return the rules with one more move on White's first turn, and a field `swapped`."""
    swap = board.swap_code
    openings = layers.moves(Layer(board.rows * board.cols - 2, 1, 1))
    plain_moves, plain_play, plain_sample = rules["moves"], rules["play"], rules["sample"]
    fresh = rules["fresh"]

    @rule
    def turn(s):
        return s.status ^ s.swapped if s.status < 2 else TERMINAL

    @rule
    def payoff(s, seat):
        return (1 - 2 * (seat ^ s.swapped)) * (3 - s.status)

    @rule
    def can_swap(s):
        return s.status == 1 and s.swapped == 0 and fresh(s)

    @rule
    def moves(s, out):
        n = plain_moves(s, out)
        if can_swap(s):
            out[n] = swap
            n += 1
        return n

    @rule
    def play(s, code):
        if code == swap:
            s.swapped = 1
        else:
            plain_play(s, code)

    @rule
    def sample(s, random):
        if can_swap(s) and draw(random, openings) == 0:
            return swap
        return plain_sample(s, random)

    swapping = {"turn": turn, "payoff": payoff, "moves": moves, "play": play, "sample": sample}
    if rules.get("key") and board.rows * board.cols < 32:
        plain_key = rules["key"]

        @rule
        def key(s):
            return plain_key(s) | shl(u64(s.swapped), 63)

        swapping["key"] = key
    if "solved" in rules:
        swapping["solved"] = solving_swap(rules["solved"], fresh)
    return rules | {"key": None} | swapping


# ---- the rule `solved` where there is a table


def placing(board: Board) -> Any:
    """The rule `place(black, white, neutral)`: the place of a position in all shelves together."""
    cells = board.rows * board.cols
    full = u64((1 << cells) - 1)
    choose = np.array([[comb(n, k) for k in range(cells + 1)] for n in range(cells)], np.int64)
    first, stride, colourings = np.zeros((3, cells + 1, cells + 1), np.int64)
    at = 0
    for shelf in shelves(cells):
        here = shelf.layer.empty, shelf.layer.neutral
        first[here], stride[here], colourings[here] = at, shelf.stride, shelf.colourings
        at += comb(cells, shelf.layer.empty) * shelf.stride

    @rule
    def rank(held):
        """Return how many sets of as many cells come before."""
        total = 0
        k = 1
        while held:
            total += choose[ctz(held), k]
            held = drop(held)
            k += 1
        return total

    @rule
    def packed(held, among):
        """The cells of `held`, renumbered among these cells only."""
        found = u64(0)
        i = 0
        while among:
            if held & bit(ctz(among)):
                found |= bit(i)
            among = drop(among)
            i += 1
        return found

    @rule
    def place(black, white, neutral):
        stones = black | white
        empty = full & ~(stones | neutral)
        e, n = popcount(empty), popcount(neutral)
        at = first[e, n] + rank(empty) * stride[e, n]
        at += rank(packed(neutral, stones | neutral)) * colourings[e, n]
        return at + rank(packed(black, stones))

    return place


def solving(board: Board, otherwise: Any) -> Any:
    """The rule `solved`; `otherwise` is one that is asked where there is no table."""
    kinds = Kind(board.rows, board.cols), Kind(board.rows, board.cols, distances=True)
    values, distances = (kind.size for kind in kinds)
    place = placing(board)

    @rule
    def solved(s, tablebase):
        if len(tablebase) != values and len(tablebase) != distances:
            return otherwise(s, tablebase)
        sign = 1 - 2 * s.status
        at = place(s.stones[0, 0], s.stones[1, 0], s.neutral[0])
        if len(tablebase) == values:
            value = (np.int64(tablebase[at >> 2]) >> ((at & 3) << 1) & 3) - 2
            return sign * value, 0
        plies = np.int64(tablebase[at >> 1]) >> ((at & 1) << 2) & 15
        if plies == DRAWN_AT:
            return 0, 0
        return sign if plies & 1 else -sign, plies

    return solved


def solving_swap(plain: Any, fresh: Any) -> Any:
    """The rule `solved` with the swap; while that may come nothing is known."""

    @rule
    def solved(s, tablebase):
        if s.swapped == 0 and fresh(s):
            return 0, -1
        units, plies = plain(s, tablebase)
        return units * (1 - 2 * s.swapped), plies

    return solved


# ---- all rules together


def spelling(board: Board) -> Any:
    """The rule that spells moves by the vocabulary of `NexNotation`."""
    shift, letters, swap = board.shift, 64 * board.words, board.swap_code
    mask, neutral = (1 << shift) - 1, letters + 2

    @rule
    def spell(s, code, way, out):
        if code == swap:
            out[0] = letters + 3
            return 1 - way if way < 2 else -1
        one, two, given = code >> shift & mask, code & mask, code >> 2 * shift
        last = given - 1 if given else two
        if way == 0:
            n = 0
            for k in range(2 if given else 1):
                out[n], out[n + 1] = letters + s.status, two if k else one
                n += 2
            if last != one:
                out[n], out[n + 1] = neutral, last
                n += 2
            return n
        if way > 1 + int(given > 0):
            return -1
        out[0], out[1], out[2] = one, two, last
        if way == 2:
            out[0], out[1] = two, one
        return 3 if given else 1 + int(one != two)

    return spell


def nex_rules(
    board: Board,
    layers: Layers,
    notation: Callable[..., BaseNotation],
    tablebase: Callable[[Board], Any],
) -> Rules:
    """Return the rules of one Nex, whose board and options are constants to the compiler.

    notation: makes the notation, of `board`, `layers` and the rules `settle` and `spell`;
    tablebase: gives the bytes of a board's table.
    """
    joined = joining_rule(board, beside(board)[0]) if board.words == 1 else None
    fields, rules = fields_of(board), stone_rules(board, layers.late, layers.fill, joined)
    if joined:
        rules |= word_rules(board, joined, counting(board)[0], layers.late)
        order = winning_order(board, joined)
    else:
        order = static_order(board)
    rules = {"turn": turn, "payoff": payoff, "order": order, **rules}
    if layers.cells <= MOST_CELLS and not (layers.late or layers.fill):  # a table may know it
        rules |= {"solved": solving(board, rules["solved"]), "tablebase": lambda: tablebase(board)}
    if layers.swap:
        fields, rules = [*fields, ("swapped", "i8")], with_swap(rules, board, layers)
    settle = rules.pop("settle")
    rules.pop("fresh")
    return Rules(
        layout=fields,
        **rules,
        width=layers.width,
        plies=layers.plies,
        notation=notation(board, layers, settle, spelling(board)),
    )
