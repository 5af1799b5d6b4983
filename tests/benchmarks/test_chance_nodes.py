"""Nodes that windows and probes save where chance decides, for docs/strength.md."""

from __future__ import annotations

import pytest

import dragon
from dragon import CHANCE, TERMINAL, RecordGame, Rules, Trait, frozen, rule
from dragon.bits import bit, elements, u64

AVERAGES = ("expectimax", "star1", "star2")


@frozen
class Market(RecordGame):
    """A side in turn rolls a die of four and takes a field: it gains what the field is worth, twice
    that where the roll says so; who has gained more wins, by one or by how much."""

    name = "market"
    fields: int = 6
    margin: bool = False

    @property
    def traits(self) -> frozenset[Trait]:
        return frozenset({Trait.DUEL, Trait.CHANCE})

    def rules(self) -> Rules:
        count, margin = self.fields, self.margin
        worth = (1, 2, 3, 5, 4, 6, 3, 2, 5, 1)[:count]

        @rule
        def gain(field, roll):
            return worth[field] * (2 if field % 4 == roll else 1)

        @rule
        def turn(s):
            if s.ply == 2 * count:
                return TERMINAL
            return s.ply // 2 % 2 if s.ply % 2 else CHANCE

        @rule
        def moves(s, out):
            return elements(~s.taken & u64((1 << count) - 1) if s.ply % 2 else u64(15), out)

        @rule
        def play(s, move):
            if s.ply % 2:
                s.taken |= bit(move)
                side = s.ply // 2 % 2
                s.lead += gain(move, s.roll) * (1 - 2 * side)
                s.roll = 0
            else:
                s.roll = move
            s.ply += 1

        @rule
        def order(s, out, n, scores):
            for i in range(n):
                scores[i] = gain(out[i], s.roll) if s.ply % 2 else 0

        @rule
        def payoff(s, seat):
            lead = s.lead * (1 - 2 * seat)
            return lead if margin else 1 if lead > 0 else -1 if lead < 0 else 0

        return Rules(
            [("taken", "u8"), ("ply", "i8"), ("roll", "i8"), ("lead", "i8")], moves, play, turn,
            payoff, width=max(4, count), plies=2 * count, largest=60 if margin else 1, order=order,
        )  # fmt: skip


@frozen
class Race(RecordGame):
    """A side in turn takes one of three dice, of which the bolder have more empty faces, and gains
    what it shows; who has gained more in the end wins, by one or by how much."""

    name = "race"
    rounds: int = 4
    margin: bool = False

    @property
    def traits(self) -> frozenset[Trait]:
        return frozenset({Trait.DUEL, Trait.CHANCE})

    def rules(self) -> Rules:
        plies, margin = 4 * self.rounds, self.margin
        faces = (1, 2, 2, 2, 3, 3, 0, 0, 2, 3, 4, 5, 0, 0, 0, 0, 6, 7)  # six of each die

        @rule
        def turn(s):
            if s.ply == plies:
                return TERMINAL
            return CHANCE if s.ply % 2 else s.ply // 2 % 2

        @rule
        def moves(s, out):
            count = 6 if s.ply % 2 else 3
            for i in range(count):
                out[i] = i
            return count

        @rule
        def play(s, move):
            if s.ply % 2:
                s.gained[s.ply // 2 % 2] += faces[6 * s.die + move]
                s.die = 0
            else:
                s.die = move
            s.ply += 1

        @rule
        def payoff(s, seat):
            lead = s.gained[seat] - s.gained[1 - seat]
            return lead if margin else 1 if lead > 0 else -1 if lead < 0 else 0

        return Rules(
            [("gained", "i8", (2,)), ("ply", "i8"), ("die", "i8")], moves, play, turn, payoff,
            width=6, plies=plies, largest=7 * self.rounds if margin else 1,
        )  # fmt: skip


GAMES = {
    Market(8): "table=true",
    Market(8, margin=True): "table=true",
    Race(4): "table=true",
    Race(4, margin=True): "table=true",
    Market(5): "table=false",
    Market(5, margin=True): "table=false",
    Race(2): "table=false",
    Race(2, margin=True): "table=false",
}


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_windows_and_probes_change_no_value(game: RecordGame) -> None:
    start = game.start()
    exact = dragon.search("exhaustive").best(start)
    nodes = {"exhaustive": exact.nodes}
    for chance in AVERAGES:
        spec = f"alphabeta(chance='{chance}', deepening=false, {GAMES[game]})"
        found = dragon.search(spec).best(start)
        assert (found.value, found.bound) == (pytest.approx(exact.value, abs=1e-9), exact.bound)
        nodes[chance] = found.nodes
    row = " | ".join(f"{count:,}" for count in nodes.values())
    print(f"\n| {game}, {GAMES[game]} | {row} |")
    if isinstance(game, Market):
        assert min(nodes["star1"], nodes["star2"]) < nodes["expectimax"]
