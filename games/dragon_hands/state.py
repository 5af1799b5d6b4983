"""An opening hand and its free cards as a game of one seat: luck deals, then the player plays."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import comb
from typing import TYPE_CHECKING, Any, ClassVar

from attrs import define, field, frozen

from dragon.core import CHANCE, TERMINAL, State
from dragon.errors import BadNotation, ConfigError, IllegalMove
from dragon_hands.checking import checked_hand
from dragon_hands.classes import Model, model_of
from dragon_hands.counts import Counts, compositions
from dragon_hands.formula import either, formula
from dragon_hands.play import (
    AFTER,
    BEFORE,
    COST,
    DRAW,
    EXCAVATE,
    LOST,
    PICK,
    REST,
    Position,
    begun,
    choices,
    chosen,
    come,
    is_chance,
    opened,
    outcomes,
    playable,
    wins,
)
from dragon_hands.reading import parse_spec
from dragon_hands.source import read

if TYPE_CHECKING:
    from dragon_hands import Hands

STEPS = {COST: "cost", BEFORE: "before", DRAW: "draw", EXCAVATE: "excavate", PICK: "pick",
         AFTER: "after"}  # fmt: skip
"""The words of a position's notation for what is under way."""
VERBS = {DRAW: "draw", EXCAVATE: "see", PICK: "pick"}
KEPT = 20_000
"""Positions whose moves are remembered."""


@define(eq=False)
class Table:
    """A deck's model and the moves of positions met before, shared by the states of a game."""

    model: Model
    known: dict[Position | None, tuple[tuple[str, ...], tuple[float, ...]]] = field(factory=dict)

    def __getstate__(self) -> tuple[Model]:
        return (self.model,)

    def __setstate__(self, kept: tuple[Model]) -> None:
        self.model, self.known = kept[0], {}

    def text(self, counts: Counts) -> str:
        """`2 Alpha, 3 other`, or `nothing`."""
        shown = zip(self.model.classes, counts, strict=True)
        return ", ".join(f"{n} {each.label}" for each, n in shown if n) or "nothing"

    def counts(self, text: str) -> Counts:
        """What `text` writes; raises BadNotation."""
        labels = {each.label: c for c, each in enumerate(self.model.classes)}
        found = [0] * self.model.size
        for part in text.split(",") if text.strip() != "nothing" else ():
            n, _, label = part.strip().partition(" ")
            if not n.isdecimal() or len(n) > 3 or label not in labels:
                known = ", ".join(labels)
                raise BadNotation(f"{part.strip()!r} is not a number and one of: {known}")
            found[labels[label]] += int(n)
        return tuple(found)

    def moves(self, at: Position | None) -> tuple[tuple[str, ...], tuple[float, ...]]:
        """The moves, and where luck decides their probabilities."""
        if at not in self.known:
            if len(self.known) >= KEPT:
                self.known.clear()
            self.known[at] = self._moves(at)
        return self.known[at]

    def _moves(self, at: Position | None) -> tuple[tuple[str, ...], tuple[float, ...]]:
        model = self.model
        if at is None:
            copies = tuple(each.copies for each in model.classes)
            total = comb(sum(copies), model.hand)
            dealt = list(compositions(copies, model.hand))
            return tuple(self.text(t) for t, _ in dealt), tuple(n / total for _, n in dealt)
        if at.step == LOST or (at.step == REST and wins(model, at)):
            return (), ()
        if at.step == REST:
            return tuple(f"play {model.classes[c].label}" for c in playable(model, at)), ()
        if is_chance(model, at):
            total, ways = outcomes(model, at)
            verb = VERBS.get(at.step, "lose")
            return (
                tuple(f"{verb} {self.text(t)}" for _, t in ways),
                tuple(n / total for n, _ in ways),
            )
        verb = VERBS.get(at.step, "give")
        return tuple(f"{verb} {self.text(t)}" for t in choices(model, at)), ()


@frozen
class HandState(State[str]):
    """Nothing dealt yet (`at` is None), or where the cards are and what is under way."""

    at: Position | None
    table: Table = field(eq=False, repr=False)

    teams: ClassVar[tuple[int, ...]] = (0,)

    @property
    def turn(self) -> int:
        """CHANCE before the deal and where cards come from the deck; else seat 0 till the end."""
        if self.at is None or is_chance(self.table.model, self.at):
            return CHANCE
        return 0 if self.table.moves(self.at)[0] else TERMINAL

    def moves(self) -> Sequence[str]:
        """Hands, cards that come, cards to play, to give or to pick."""
        return self.table.moves(self.at)[0]

    def odds(self) -> Sequence[float]:
        """How likely each hand is, or each set of cards that may come."""
        return self.table.moves(self.at)[1]

    def after(self, move: str) -> HandState:
        """The state after a move; raises IllegalMove."""
        moves = self.moves()
        if move not in moves:
            shown = ", ".join(map(repr, moves[:3])) + (", ..." if len(moves) > 3 else "")
            raise IllegalMove(f"{move!r} cannot come here; what can: {shown or 'nothing'}")
        model, at = self.table.model, self.at
        if at is None:
            return HandState(opened(model, self.table.counts(move)), self.table)
        word, _, rest = move.partition(" ")
        if word == "play":
            c = next(i for i, each in enumerate(model.classes) if each.label == rest)
            return HandState(begun(model, at, c), self.table)
        step = come if is_chance(model, at) else chosen
        return HandState(step(model, at, self.table.counts(rest)), self.table)

    def payoff(self) -> tuple[float, ...]:
        """1 where the hand has what is asked for, else 0."""
        if self.at is None or self.at.step != REST:
            return (0.0,)
        return (1.0 if wins(self.table.model, self.at) else 0.0,)

    def bounds(self) -> tuple[float, float]:
        """A hand pays nothing, or one."""
        return (0.0, 1.0)

    def __str__(self) -> str:
        if self.at is None:
            return "deal"
        at, show = self.at, self.table.text
        parts = [f"hand {show(at.hand)}", f"deck {show(at.pile)}"]
        for name, counts in (("bottom", at.bottom), ("gy", at.gy), ("banished", at.banished)):
            if any(counts):
                parts.append(f"{name} {show(counts)}")
        labels = [each.label for each in self.table.model.classes]
        used = [label for c, label in enumerate(labels) if at.used >> c & 1]
        if used:
            parts.append(f"used {', '.join(used)}")
        parts += ["drawn"] * at.drawn + ["barred"] * at.barred
        if at.step == LOST:
            parts.append("lost")
        elif at.step != REST:
            parts.append(f"{STEPS[at.step]} {labels[at.card]}")
        if at.seen:
            parts.append(f"seen {show(at.seen)}")
        return "; ".join(parts)


def parsed(table: Table, text: str) -> HandState:
    """The state that `str` writes as `text`; raises BadNotation."""
    if text.strip() == "deal":
        return HandState(None, table)
    model = table.model
    labels = {each.label: c for c, each in enumerate(model.classes)}
    steps = {word: step for step, word in STEPS.items()}
    none = (0,) * model.size
    found: dict[str, Any] = {"bottom": none, "gy": none, "banished": none}
    for part in text.split(";"):
        word, _, rest = part.strip().partition(" ")
        if word in ("hand", "deck", "bottom", "gy", "banished", "seen"):
            found["pile" if word == "deck" else word] = table.counts(rest)
        elif word == "used":
            cards = [label.strip() for label in rest.split(",")]
            if not all(label in labels for label in cards):
                raise BadNotation(f"{rest!r} is not a list of cards of this deck")
            found["used"] = sum(1 << c for c in {labels[label] for label in cards})
        elif word in ("drawn", "barred") and not rest:
            found[word] = True
        elif word == "lost" and not rest:
            found["step"] = LOST
        elif word in steps and rest in labels and model.classes[labels[rest]].free:
            found |= {"step": steps[word], "card": labels[rest]}
        else:
            raise BadNotation(
                f"{part.strip()!r} is no part of a position; write 'deal', or such as "
                "'hand 2 Alpha, 3 other; deck 1 Alpha, 34 other'"
            )
    if "hand" not in found or "pile" not in found:
        raise BadNotation("a position needs a hand and a deck: 'hand ...; deck ...'")
    at = Position(**found)
    if at.step in STEPS and at.step != PICK and _settled(model, at) != at:
        raise BadNotation(f"{STEPS[at.step]!r} is not under way there; leave it out")
    if (at.step == PICK) != bool(at.seen) or (at.step == LOST and at.card >= 0):
        raise BadNotation("cards are seen while a pick is to be made, and only then")
    return HandState(at, table)


def _settled(model: Model, at: Position) -> Position:
    from dragon_hands.play import settled

    return settled(model, at)


def table_of(game: Hands) -> Table:
    """The table of a game; raises ConfigError for a deck file with mistakes."""
    from pathlib import Path

    file = game.file or str(Path(__file__).with_name("data") / "example.yaml")
    return _table(read(file), Path(file).name, game.hand, game.sharing, game.free, game.condition)


@lru_cache(maxsize=16)
def _table(text: str, name: str, hand: int, sharing: str, free: bool, condition: int) -> Table:
    from attrs import evolve

    spec = parse_spec(text, name)
    checked_hand(spec, hand)
    if condition > len(spec.conditions):
        raise ConfigError(
            f"condition={condition}, but {name} has {len(spec.conditions)}; 0 is any of them"
        )
    if not free:
        spec = evolve(spec, cards=tuple(evolve(card, free=None) for card in spec.cards))
    formulas = [formula(asked.condition, spec, sharing) for asked in spec.conditions]
    objective = (formulas[condition - 1],) if condition else either(formulas)
    return Table(model_of(spec, objective, hand, shortcuts=False))
