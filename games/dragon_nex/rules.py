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
"""

from __future__ import annotations

from typing import Any

from dragon import TERMINAL, Rules, rule
from dragon.bits import draw, shl, u64
from dragon_nex.board import Board
from dragon_nex.compact import FIELDS, compact_rules
from dragon_nex.layers import Layer, Layers
from dragon_nex.notation import NexNotation
from dragon_nex.table.index import MOST_CELLS
from dragon_nex.table.lookup import solving, solving_swap, tablebase
from dragon_nex.wide import wide_fields, wide_rules


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


def nex_rules(board: Board, layers: Layers) -> Rules:
    """The rules of one Nex, whose board and options are constants to the compiler."""
    if board.words == 1:
        fields, rules = [*FIELDS], compact_rules(board, layers.late, layers.fill)
    else:
        fields, rules = wide_fields(board), wide_rules(board, layers.late, layers.fill)
    rules = {"turn": turn, "payoff": payoff, **rules}
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
        notation=NexNotation(board, layers, settle, spelling(board)),
    )
