"""An opening hand and its free cards as a game of one seat: a chance node deals."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property, lru_cache
from math import comb
from typing import Any, ClassVar

from attrs import field, frozen

from dragon.core import CHANCE, TERMINAL, Game, State
from dragon.errors import BadNotation, IllegalMove
from dragon_hands import play
from dragon_hands.exact import Counts
from dragon_hands.formula import Model, compositions
from dragon_hands.play import Position

STEPS = dict(enumerate(("cost", "before", "draw", "excavate", "pick", "after"), play.COST))
"""The words of a position's notation for the steps of a card."""
VERBS = {play.DRAW: "draw", play.EXCAVATE: "see", play.PICK: "pick"}
KEPT = 20_000
"""The most positions whose moves are remembered, and the most moves whose counts are."""


@frozen(eq=False)
class Table:
    """A deck's model, shared by the states of a game."""

    model: Model
    game: Game[str] | None = None

    @cached_property
    def places(self) -> dict[str, int]:
        """The classes by label."""
        return {each.label: c for c, each in enumerate(self.model.classes)}

    def text(self, counts: Counts) -> str:
        """Return counts as text: `2 Alpha, 3 other`, or `nothing`."""
        shown = zip(self.model.classes, counts, strict=True)
        return ", ".join(f"{n} {each.label}" for each, n in shown if n) or "nothing"

    @lru_cache(maxsize=KEPT)  # noqa: B019
    def counts(self, text: str) -> Counts:
        """Return the counts that `text` writes as this; raise BadNotation."""
        labels = self.places
        found = [0] * self.model.size
        for part in text.split(",") if text.strip() != "nothing" else ():
            n, _, label = part.strip().partition(" ")
            if not n.isdecimal() or len(n) > 3 or label not in labels:
                known = ", ".join(labels)
                raise BadNotation(f"{part.strip()!r} is not a number and one of: {known}")
            found[labels[label]] += int(n)
        return tuple(found)

    @lru_cache(maxsize=KEPT)  # noqa: B019  of a few tables, which are kept anyway
    def moves(self, at: Position | None) -> tuple[tuple[str, ...], tuple[float, ...]]:
        """Return the moves, and at chance nodes their probabilities."""
        model = self.model
        if at is None:
            copies = model.copies
            total = comb(sum(copies), model.hand)
            dealt = list(compositions(copies, model.hand))
            return tuple(self.text(t) for t, _ in dealt), tuple(n / total for _, n in dealt)
        if at.step == play.LOST or (at.step == play.REST and play.wins(model, at)):
            return (), ()
        if at.step == play.REST:
            return tuple(f"play {model.classes[c].label}" for c in play.playable(model, at)), ()
        if play.is_chance(model, at):
            total, ways = play.outcomes(model, at)
            verb = VERBS.get(at.step, "lose")
            words = tuple(f"{verb} {self.text(t)}" for _, t in ways)
            return words, tuple(n / total for n, _ in ways)
        verb = VERBS.get(at.step, "give")
        return tuple(f"{verb} {self.text(t)}" for t in play.choices(model, at)), ()


@frozen
class HandState(State[str]):
    """A state before the deal (`at` is None), or a position of the cards after it."""

    at: Position | None
    table: Table = field(eq=False, repr=False)

    teams: ClassVar[tuple[int, ...]] = (0,)

    @property
    def game(self) -> Game[str] | None:
        """The game, which its states share."""
        return self.table.game

    @property
    def turn(self) -> int:
        """CHANCE before the deal and where cards come from the deck; else seat 0 until the end."""
        if self.at is None or play.is_chance(self.table.model, self.at):
            return CHANCE
        return 0 if self.table.moves(self.at)[0] else TERMINAL

    def moves(self) -> Sequence[str]:
        """Return the moves: hands, cards that come, cards to play, to give or to pick."""
        return self.table.moves(self.at)[0]

    def odds(self) -> Sequence[float]:
        """Return the probability of each hand, or of each set of cards that may come."""
        return self.table.moves(self.at)[1]

    def after(self, move: str) -> HandState:
        """Return the state after a move; raise IllegalMove."""
        moves = self.moves()
        if move not in moves:
            shown = ", ".join(map(repr, moves[:3])) + (", ..." if len(moves) > 3 else "")
            raise IllegalMove(f"{move!r} is not a move here; the moves are: {shown or 'none'}")
        model, at = self.table.model, self.at
        if at is None:
            return HandState(play.opened(model, self.table.counts(move)), self.table)
        word, _, rest = move.partition(" ")
        if word == "play":
            return HandState(play.begun(model, at, self.table.places[rest]), self.table)
        step = play.come if play.is_chance(model, at) else play.chosen
        return HandState(step(model, at, self.table.counts(rest)), self.table)

    def payoff(self) -> tuple[float, ...]:
        """Return 1 if the hand satisfies the objective, else 0."""
        if self.at is None or self.at.step != play.REST:
            return (0.0,)
        return (1.0 if play.wins(self.table.model, self.at) else 0.0,)

    def bounds(self) -> tuple[float, float]:
        """Return 0 and 1."""
        return (0.0, 1.0)

    def parsed(self, text: str) -> HandState:
        """Return the state of this game that `str` writes as `text`; raise BadNotation."""
        if text.strip() == "deal":
            return HandState(None, self.table)
        model, labels = self.table.model, self.table.places
        steps = {word: step for step, word in STEPS.items()}
        none = (0,) * model.size
        found: dict[str, Any] = {"bottom": none, "gy": none, "banished": none}
        for part in text.split(";"):
            word, _, rest = part.strip().partition(" ")
            if word in ("hand", "deck", "bottom", "gy", "banished", "seen"):
                found["pile" if word == "deck" else word] = self.table.counts(rest)
            elif word == "used":
                cards = {label.strip() for label in rest.split(",")}
                if not cards <= labels.keys():
                    raise BadNotation(f"{rest!r} is not a list of cards of this deck")
                found["used"] = sum(1 << labels[label] for label in cards)
            elif word in ("drawn", "barred") and not rest:
                found[word] = True
            elif word == "lost" and not rest:
                found["step"] = play.LOST
            elif word in steps and rest in labels and model.classes[labels[rest]].free:
                found |= {"step": steps[word], "card": labels[rest]}
            else:
                raise BadNotation(
                    f"{part.strip()!r} is not a part of a position; write 'deal', or such as "
                    "'hand 2 Alpha, 3 other; deck 1 Alpha, 34 other'"
                )
        if "hand" not in found or "pile" not in found:
            raise BadNotation("a position needs a hand and a deck: 'hand ...; deck ...'")
        at = Position(**found)
        if at.step in STEPS and at.step != play.PICK and play.settled(model, at) != at:
            raise BadNotation(f"{STEPS[at.step]!r} is not under way there; leave it out")
        if (at.step == play.PICK) != bool(at.seen) or (at.step == play.LOST and at.card >= 0):
            raise BadNotation("cards are seen while a pick is to be made, and only then")
        return HandState(at, self.table)

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
        if at.step == play.LOST:
            parts.append("lost")
        elif at.step != play.REST:
            parts.append(f"{STEPS[at.step]} {labels[at.card]}")
        if at.seen:
            parts.append(f"seen {show(at.seen)}")
        return "; ".join(parts)
