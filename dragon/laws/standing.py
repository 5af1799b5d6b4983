"""The standing set: small games on which a search is tried where no other game is given.

A position is a place in a tree of pseudo-random numbers; the seed of the start selects the tree. So
the seats move in no fixed order, payoffs have many values, and places are reached by several lines.
Each kind is given by Rules and as a State, and is small enough for its exact value.

These games stay apart from the command: tests of searches use them too.
"""
# mypy: disable-error-code="no-untyped-def,no-untyped-call,untyped-decorator"

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING, Any

from attrs import field, frozen
from attrs.validators import in_

from dragon.bits import draw
from dragon.core import CHANCE, TERMINAL, Game, Search, State, Trait
from dragon.errors import BadNotation, GameError, IllegalMove
from dragon.protocols import Determinizable
from dragon.rules.record import RecordGame, RecordState
from dragon.rules.rules import Rules, rule

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np

KINDS: dict[str, tuple[tuple[int, ...], frozenset[Trait]]] = {
    "sides": ((0, 1), frozenset({Trait.DUEL})),
    "partners": ((0, 1, 1), frozenset({Trait.DUEL})),
    "chance": ((0, 1), frozenset({Trait.DUEL, Trait.CHANCE})),
    "repetition": ((0, 1), frozenset({Trait.DUEL, Trait.REPETITION})),
    "three": ((0, 1, 2), frozenset()),
    "costs": ((0,), frozenset({Trait.SOLO})),
}
"""The teams and the traits of each kind."""
DEPTH, AGAIN = 6, 8
"""The most plies of a game; of one in which places recur."""
PLACES, FEW = 32, 12
"""The places of each ply; of a game in which they recur."""
UNIT = 0.5


@frozen
class Tree(RecordGame):
    """A tree by Rules."""

    name = "standing"
    kind: str = field(default="sides", validator=in_(KINDS))
    """`sides`, `partners`, `chance`, `repetition`, `three` or `costs`."""

    @property
    def teams(self) -> tuple[int, ...]:  # type: ignore[override]
        return KINDS[self.kind][0]

    @property
    def traits(self) -> frozenset[Trait]:
        return KINDS[self.kind][1]

    def setup(self, record: Any, random: Any) -> None:
        record.tree = draw(random, 1000)

    def rules(self) -> Rules:
        seats, teams = len(self.teams), self.teams
        costs, three = self.kind == "costs", self.kind == "three"
        again, luck = self.kind == "repetition", self.kind == "chance"
        plies, places = (AGAIN, FEW) if again else (DEPTH, PLACES)
        most = 1000 if three else 4 * DEPTH if costs else 3

        @rule
        def mixed(s, salt):
            ply = 0 if again else s.ply
            place = s.place % PLACES
            x = (s.tree * 7919 + ply * 104729 + place * 129971 + salt * 15485863) % 1000003
            x = (x * x + 48271 * x + 11) % 1000003
            return (x * x + 7 * x) % 1000003 // 8

        @rule
        def turn(s):
            if s.ply == plies or (s.ply > 1 and mixed(s, 1) % (4 if again else 8) == 0):
                return TERMINAL
            if luck and (s.ply == plies - 1 or mixed(s, 2) % 3 == 0):
                return CHANCE
            return mixed(s, 3) % seats

        @rule
        def moves(s, out):
            n = 2 + mixed(s, 4) % 2 if again or s.ply < 4 else 1 + mixed(s, 4) % 3
            if luck and turn(s) == CHANCE:
                n = 2
            for i in range(n):
                out[i] = 3 + 5 * i
            return n

        @rule
        def odds(s, out):
            out[0] = 0.875
            out[1] = 0.125

        @rule
        def play(s, move):
            if costs:
                s.total += 1 + mixed(s, 50 + move) % 3
            place = mixed(s, 20 + move) % places
            s.ply += 1
            s.place = place if again else PLACES * s.ply + place

        @rule
        def payoff(s, seat):
            if costs:
                return -s.total - mixed(s, 5) % 4
            if three:
                return mixed(s, 6 + seat) % (2 * most + 1) - most
            worth = mixed(s, 5) % (2 * most + 1) - most
            if again and s.ply == plies:
                worth = 0
            return worth if teams[seat] == 0 else -worth

        @rule
        def banked(s):
            return -s.total

        layout = [("tree", "i8"), ("ply", "i8"), ("place", "i8"), ("total", "i8")]
        return Rules(layout, moves, play, turn, payoff, width=3, plies=plies, unit=UNIT,
                     largest=most, odds=odds if luck else None,
                     banked=banked if costs else None)  # fmt: skip


@frozen
class Node(State[str]):
    """A position of a tree that is seen as a State alone."""

    of: RecordState

    teams = property(attrgetter("of.teams"))
    unit = property(attrgetter("of.unit"))
    largest = property(attrgetter("of.largest"))
    zero_sum = property(attrgetter("of.zero_sum"))
    repeats = property(attrgetter("of.repeats"))
    turn = property(attrgetter("of.turn"))

    @property
    def game(self) -> Game[str]:
        return Plain(self.of.game.kind)  # type: ignore[attr-defined]

    def moves(self) -> tuple[str, ...]:
        return tuple(map(str, self.of.moves()))

    def after(self, move: str) -> Node:
        return Node(self.of.after(move))

    def payoff(self) -> tuple[float, ...]:
        return self.of.payoff()

    def odds(self) -> Sequence[float]:
        return self.of.odds()

    def banked(self) -> float:
        return self.of.banked()

    def __str__(self) -> str:
        return str(self.of)


@frozen
class Plain(Game[str]):
    """A tree as a State: that of `Tree`, seen without its rules."""

    name = "standing_state"
    kind: str = field(default="sides", validator=in_(KINDS))
    """The kind, as `Tree` has it."""

    @property
    def teams(self) -> tuple[int, ...]:  # type: ignore[override]
        return KINDS[self.kind][0]

    @property
    def traits(self) -> frozenset[Trait]:
        return KINDS[self.kind][1]

    def start(self, rng: int | np.random.Generator = 0) -> Node:
        return Node(Tree(self.kind).start(rng))

    def parse(self, text: str) -> Node:
        return Node(Tree(self.kind).parse(text))


CARDS = "1234"
UNSEEN = "?"
STAY, FOLD = "stay", "fold"


@frozen
class Hand(Determinizable[str]):
    """A card of each seat, `?` where it is not seen, and the words said so far."""

    cards: str
    words: tuple[str, ...] = ()
    largest = 2.0

    @property
    def turn(self) -> int:
        return TERMINAL if FOLD in self.words or len(self.words) == 2 else len(self.words)

    def moves(self) -> tuple[str, ...]:
        return () if self.turn == TERMINAL else (STAY, FOLD)

    def after(self, move: str) -> Hand:
        if move not in self.moves():
            raise IllegalMove(f"{move} is not a legal move in {self}")
        return Hand(self.cards, (*self.words, move))

    def payoff(self) -> tuple[float, float]:
        if FOLD in self.words:
            gain = -1.0 if len(self.words) == 1 else 1.0
        elif UNSEEN in self.cards:
            raise GameError(f"the payoff of {self} depends on a card that is not seen")
        else:
            gain = 2.0 if self.cards[0] > self.cards[1] else -2.0
        return gain, -gain

    def seen(self, seat: int) -> Hand:
        if self.cards[seat] == UNSEEN:
            raise GameError(f"{self} is what the other seat sees")
        return Hand(self.cards[0] + UNSEEN if seat == 0 else UNSEEN + self.cards[1], self.words)

    def determinize(self, rng: np.random.Generator) -> Hand:
        if self.turn == TERMINAL:
            return self
        own = self.cards[self.turn]
        other = CARDS.replace(own, "")[int(rng.integers(len(CARDS) - 1))]
        return Hand(own + other if self.turn == 0 else other + own, self.words)

    def __str__(self) -> str:
        return " ".join((self.cards, *self.words))


@frozen
class Cards(Game[str]):
    """Each seat has one of four cards, and stays or folds; of two that stay the higher wins."""

    name = "standing_cards"
    traits = frozenset({Trait.DUEL, Trait.HIDDEN})

    def start(self, rng: int | np.random.Generator = 0) -> Hand:
        import numpy as np

        dealt = np.random.default_rng(rng).permutation(list(CARDS))
        return Hand(str(dealt[0]) + str(dealt[1]))

    def parse(self, text: str) -> Hand:
        cards, *words = text.split() or [""]
        known = {*CARDS, UNSEEN}
        if len(cards) != 2 or not {*cards} <= known or not {*words} <= {STAY, FOLD}:
            raise BadNotation(f"{text!r} is not a hand; write two cards and words, as '3? stay'")
        return Hand(cards, tuple(words))


STANDING: tuple[Game[Any], ...] = (
    *(game(kind) for kind in KINDS for game in (Tree, Plain)),
    Cards(),
)
"""The games of the set."""


def standing_for(search: Search) -> list[Game[Any]]:
    """The games of the set that a search can play; raises Objection where there is none."""
    playable = [game for game in STANDING if search.objection(game) is None]
    if not playable:
        search.check(STANDING[0])
    return playable
