"""Games of Little Golem, whose letters name the column and the row: their winners are known.

Some were played until two edges were joined, and our rules name the winner that the site does.
Others ended by resignation: of two of them a test proves that the winner would have joined its
edges although the other side was to move: in each of some sets of cells, no two of which have a
cell in common, it joins two of its chains, or a chain to an edge, with the second move. What
decides between the two ways in which the letters may be read are the ladders, forced lines along an
edge of the attacker.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

import dragon
from dragon.transcripts import read
from dragon.transcripts.replay import replayed

CELUCH = (
    "(;FF[4]EV[hex.mc.2010.oct.1.11]PB[Maciej Celuch]PW[pensando]SZ[13]RE[B]GC[ game #1254910]"
    "SO[http://www.littlegolem.com];W[mf];B[gg];W[de];B[df];W[ji];B[if];W[ld];B[jg];W[jf];B[ig];"
    "W[kg];B[kc];W[mb];B[ma];W[lb];B[la];W[kb];B[ka];W[jb];B[ja];W[hc];B[hb];W[fd];B[fc];W[ib];"
    "B[ia];W[gc];B[gb];W[cd];B[da];W[eb];B[dd];W[ce];B[dc];W[cc];B[db];W[bb];B[le];W[kf];B[ke];"
    "W[je];B[il];W[jj];B[kk];W[hk];B[resign])"
)
"""The first player wins, who is PB although its moves are marked by W."""
BENNOK = (
    "(;FF[4]EV[hex.ld.DEFAULT]PB[Alan Turing]PW[bennok]SZ[13]RE[W]GC[game #2424182]"
    "SO[https://www.littlegolem.net];W[ad];B[de];W[ji];B[ig];W[gg];B[hd];W[he];B[gf];W[hf];B[ic];"
    "W[id];B[kb];W[kc];B[jc];W[fe];B[ge];W[eg];B[fd];W[gd];B[hb];W[gc];B[gb];W[fc];B[fb];W[ec];"
    "B[eb];W[bc];B[dc];W[cd];B[dd];W[cf];B[dg];W[lb];B[jd];W[kd];B[if];W[kf];B[jh];W[lg];B[kh];"
    "W[lh];B[ki];W[li];B[kj];W[lj];B[ke];W[je];B[kk];W[lk];B[kl];W[ie];B[gh];W[fh];B[fi];W[jf];"
    "B[ll];W[ih];B[hk];W[ii];B[jg];W[ei];B[ej];W[hh];B[hl];W[fj];B[ek];W[ck];B[dj];W[cj];B[di];"
    "W[ci];B[dh];W[bh];B[bg];W[cg];B[ce];W[df];B[ef];W[resign])"
)
"""The second player wins."""
SWAPPED = (
    "(;FF[4]EV[hex.ch.23.1.1]PB[Daniel Sepczuk]PW[Maciej Celuch]SZ[13]RE[W]GC[ game #1139802]"
    "SO[http://www.littlegolem.com];W[mf];B[swap];W[kj];B[ie];W[fh];B[ed];W[cd];B[cb];W[dd];B[fb];"
    "W[db];B[ii];W[ef];B[dj];W[ld];B[kd];W[hi];B[hl];W[ej];B[dk];W[el];B[fg];W[dg];B[dh];W[eh];"
    "B[eg];W[kf];B[ke];W[le];B[lc];W[gf];B[gg];W[hf];B[ig];W[hg];B[gh];W[hh];B[fk];W[resign])"
)
"""The second player takes the first move for its own, and wins."""
ENDED = {
    "981, the first player": "(;FF[4]EV[hex.rt.2002.7.3]PB[Richard Malaschitz]"
    "PW[Strawberry_Sunshine]SZ[13]RE[B]GC[ game #981]SO[http://www.littlegolem.com];W[ll];B[af];"
    "W[gg];B[bf];W[he];B[bg];W[fi];B[cg];W[ic];B[df];W[ek];B[ef];W[ja];B[ff];W[dm];B[gf];W[hf];"
    "B[ej];W[fj];B[hd];W[id];B[ge];W[jb];B[hg];W[gh];B[ig];W[el])",
    "1470742, the second player": "(;FF[4]EV[hex.mc.2012.aug.1.3]PB[bill]PW[jytou]SZ[13]RE[W]"
    "GC[ game #1470742]SO[http://www.littlegolem.com];W[dg];B[di];W[fi];B[fh];W[gg];B[gh];W[ih];"
    "B[ig];W[hg];B[hh];W[jf];B[jg];W[kg];B[kf];W[le];B[lf];W[me];B[mf];W[ci];B[cj];W[eh];B[ei];"
    "W[bj];B[bk];W[al];B[ak])",
    "2072544, the player who swaps": "(;FF[4]EV[hex.HEX11.mc.2019.feb.1.2]PB[sillyswan]PW[blikdak]"
    "SZ[11]RE[W]GC[ game #2072544]SO[http://www.littlegolem.com];W[ff];B[swap];W[fg];B[he];W[hc];"
    "B[dg];W[ec];B[jd];W[fd];B[bh];W[ej];B[ie];W[gd];B[ch];W[df];B[kd];W[fe];B[ai];W[ef];B[eg];"
    "W[ed];B[gf])",
    "6564, the player who is swapped": "(;FF[4]EV[hex.ch.2.2.2]PB[Hjallti]PW[Miodrag Smiljevic]"
    "SZ[13]RE[B]GC[ game #6564]SO[http://www.littlegolem.com];W[eh];B[swap];W[ff];B[fd];W[gd];"
    "B[ge];W[fe];B[ed];W[eh];B[ce];W[dj];B[jf];W[hb];B[lf];W[cl];B[fg];W[eg];B[if];W[di];B[kf];"
    "W[gc];B[af];W[ck];B[mf];W[bm];B[dd];W[ha])",
}
"""Games that were played to their end, by the number of the game and its winner; they are those of
github.com/Elilgo324/ZeroHex, on whose 558 such games our rules and the site agree."""
SIZE = 13
Cell = tuple[int, int]


def cell(name: str) -> Cell:
    """Return the row and the column of a cell."""
    return ord(name[0]) - ord("a"), int(name[1:]) - 1


def around(place: Cell) -> list[Cell]:
    """Return the cells that touch a cell."""
    row, column = place
    return [(row + r, column + c) for r, c in
            ((0, 1), (0, -1), (1, 0), (-1, 0), (1, -1), (-1, 1))]  # fmt: skip


def chain(stones: frozenset[Cell], start: Cell) -> frozenset[Cell]:
    """Return the stones that touch one another from a stone on."""
    found, todo = {start}, [start]
    while todo:
        new = {near for near in around(todo.pop()) if near in stones} - found
        found |= new
        todo += new
    return frozenset(found)


def end(stones: frozenset[Cell], name: str) -> frozenset[Cell]:
    """Return the cells of an edge, by its name, or of the chain that has this stone."""
    line = range(SIZE)
    edges = {"top": {(0, c) for c in line}, "bottom": {(SIZE - 1, c) for c in line},
             "left": {(r, 0) for r in line}, "right": {(r, SIZE - 1) for r in line}}  # fmt: skip
    return frozenset(edges[name]) if name in edges else chain(stones, cell(name))


def joins(stones: frozenset[Cell], one: frozenset[Cell], other: frozenset[Cell],
          cells: frozenset[Cell]) -> bool:  # fmt: skip
    """Return whether a side joins two ends within some cells, where the other side begins."""

    def touching(own: frozenset[Cell]) -> bool:
        held = stones | own
        return any(chain(held, place) & other for place in one & held)

    @cache
    def holds(own: frozenset[Cell], free: frozenset[Cell]) -> bool:
        if touching(own):
            return True
        return len(free) > 1 and all(
            any(holds(own | {reply}, free - {taken, reply}) for reply in free - {taken})
            for taken in free
        )

    return holds(frozenset(), cells)


def found(text: str) -> tuple[Any, Any, frozenset[Cell], frozenset[Cell]]:
    """Return a game, its last state, the stones of its winner and the empty cells."""
    (game,) = read(text, dragon.game("hex"))
    state: Any = replayed(dragon.game(game.game), game).states[-1]
    letter = {"B": "X", "W": "O"}[game.result[0]]
    rows = str(state).split()[0].split("/")
    places = [(r, c) for r in range(SIZE) for c in range(SIZE)]
    return (
        game,
        state,
        *(frozenset(p for p in places if rows[p[0]][p[1]] == held) for held in (letter, ".")),
    )


@pytest.mark.samples("text0-*")
@pytest.mark.parametrize(
    ("text", "players", "result", "steps"),
    [
        (CELUCH, ("Maciej Celuch", "pensando"), "B+R", [
            ("top", "b2", "a2 a3"), ("b2", "c3", "b3 c2"), ("c3", "d6", "d5 e5"),
            ("d6", "e10", "c9 c10 c12 c13 d8 d9 d10 d11 e9"), ("e10", "i10", "h10 h11"),
            ("i10", "k8", "j9 k9"), ("k8", "bottom", "k7 l6 l7 l8 m5 m6 m7 m8"),
        ]),
        (BENNOK, ("Alan Turing", "bennok"), "W+R", [
            ("left", "e3", "e1 e2 f1 f2 g1 h1"), ("e3", "f5", "b9 c8 e5 f6"),
            ("f5", "f9", "g8 i7 j7 j8 j9 j10 k6 k7 k9 k10 l9 l10"), ("f9", "right", "k13 l13"),
        ]),
    ],
)  # fmt: skip
def test_the_winner_of_a_published_game_has_won(
    text: str, players: tuple[str, str], result: str, steps: list[tuple[str, str, str]]
) -> None:
    game, state, stones, free = found(text)
    assert (game.players, game.result) == (players, result)
    assert state.turn == "WB".index(result[0])  # the loser is to move, and resigned
    edges = {"top", "bottom"} if result[0] == "B" else {"left", "right"}
    assert {steps[0][0], steps[-1][1]} == edges
    used: set[Cell] = set()
    for (one, other, names), after in zip(steps, [*steps[1:], None], strict=True):
        cells = frozenset(map(cell, names.split()))
        assert cells <= free - used
        used |= cells
        assert joins(stones, end(stones, one), end(stones, other), cells)
        assert after is None or end(stones, other) == end(stones, after[0])


@pytest.mark.parametrize(
    ("text", "number", "attack", "defence"),
    [
        (CELUCH, 12, "b13 b12 b11 b10", "a13 a12 a11 a10"),
        (BENNOK, 39, "h11 i11 j11", "h12 i12 j12"),
    ],
)
def test_a_ladder_runs_along_an_edge_of_the_side_that_attacks(
    text: str, number: int, attack: str, defence: str
) -> None:
    """Each move of the attack threatens to reach the edge, and the answer is between the two."""
    game, *_ = found(text)
    moves = game.moves[number : number + 2 * len(attack.split())]
    assert (" ".join(moves[::2]), " ".join(moves[1::2])) == (attack, defence)
    seat = number % 2
    for one, other in zip(moves[::2], moves[1::2], strict=True):
        place, answer = cell(one), cell(other)
        assert answer in around(place)
        if seat == 0:  # towards the top
            assert answer[0] < place[0]
        else:  # towards the right
            assert answer[1] > place[1]


@pytest.mark.parametrize("text", ENDED.values(), ids=ENDED)
def test_a_game_that_was_played_to_its_end_has_the_winner_of_the_site(text: str) -> None:
    size = int(text.partition("SZ[")[2].partition("]")[0])
    game = dragon.game(f"hex(size={size})")
    (record,) = read(text, game)
    *before, last = replayed(game, record).states
    named = "BW".index(text.partition("RE[")[2][0])
    winner = text.partition(("PB[", "PW[")[named])[2].partition("]")[0]
    seat = record.players.index(winner)
    assert last.payoff()[seat] == 1.0
    assert record.result == ("B+", "W+")[seat]
    assert all(state.turn >= 0 for state in before)


def test_who_swaps_is_the_first_seat() -> None:
    """Our rules have no swap: the first move is given as that of the player who took it."""
    game, state, *_ = found(SWAPPED)
    assert (game.players, game.result) == (("Maciej Celuch", "Daniel Sepczuk"), "B+R")
    assert game.moves[:3] == ("f13", "k10", "i5")
    assert state.turn == 1  # that of the player who resigned
