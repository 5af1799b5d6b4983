"""OpenSpiel: its games as games of dragon, `openspiel(name="leduc_poker")`.

A state is the list of actions that led to it. A game with simultaneous moves becomes one of turns,
in which later seats do not see earlier choices. What a seat knows is a chain of events: its own
actions, and each text by which the game shows it something new. Worlds come from the game's own
sampler where it has one, else from a search for a history that shows the seat the same.

It needs the extra: `pip install "dragon-search[openspiel]"`.

Source: M. Lanctot and others, "OpenSpiel: A Framework for Reinforcement Learning in Games", 2019.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from attrs import field, frozen

from dragon.bridges.spiel_library import (
    STEPS,
    draws_itself,
    extended,
    legal,
    loaded,
    replayed,
    samples_worlds,
    searched,
    shows,
    tells_in_turn,
)
from dragon.core import CHANCE, TERMINAL, Game, State, Trait
from dragon.errors import BadNotation, GameError, IllegalMove, quoted

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np

UNIT = 1e-6
"""Payoffs are rounded to whole multiples of this."""
DRAWS = 16
"""The number of seeds, one of which chance picks first, where a game has its own generator."""


class SpielState(State[str]):
    """A history of actions, and the state of OpenSpiel that it leads to."""

    __slots__ = ("_before", "_events", "_names", "_state", "drawn", "game", "line")
    game: OpenSpiel
    unit = UNIT

    def __init__(
        self, game: OpenSpiel, line: tuple[int, ...] = (), state: Any = None,
        before: SpielState | None = None, drawn: str = "",
    ) -> None:  # fmt: skip
        """drawn: the text of a world whose sampler left the history of the truth in it."""
        self.game, self.line, self._state, self._before = game, line, state, before
        self.drawn = drawn
        self._names: dict[str, int] | None = None
        self._events: dict[int, tuple[Any, ...]] = {}

    @property
    def state(self) -> Any:
        """The state of OpenSpiel, which must not be changed."""
        if self._state is None:
            self._state = replayed(self.game.title_there, self.line)
        return self._state

    teams = property(attrgetter("game.teams"))
    largest = property(attrgetter("game.largest"))
    conceals = property(attrgetter("game.hidden"))

    @property
    def zero_sum(self) -> bool:  # type: ignore[override]
        return not self.game.traits.isdisjoint({Trait.DUEL, Trait.SOLO})

    @property
    def turn(self) -> int:
        if self._unseeded:
            return CHANCE
        player = int(self.state.current_player())
        return player if player >= 0 else CHANCE if player == CHANCE else TERMINAL

    @property
    def _unseeded(self) -> bool:
        """True before the first draw of a game that draws by itself."""
        return not self.line and self.game.draws_itself

    @property
    def _actions(self) -> dict[str, int]:
        """The legal actions by the texts of their moves; equal texts get `#number`."""
        if self._names is None:
            if self._unseeded:
                self._names = {f"draw{seed}": seed for seed in range(DRAWS)}
                return self._names
            state = self.state
            player, actions = state.current_player(), legal(state)
            texts = [
                "_".join(state.action_to_string(player, action).split()) or "-"
                for action in actions
            ]
            times = Counter(texts)
            self._names = {
                text if times[text] == 1 else f"{text}#{action}": action
                for text, action in zip(texts, actions, strict=True)
            }
        return self._names

    def moves(self) -> tuple[str, ...]:
        return tuple(self._actions)

    def odds(self) -> Sequence[float]:
        if self._unseeded:
            return (1 / DRAWS,) * DRAWS
        return tuple(chance for _, chance in self.state.chance_outcomes() if chance > 0)

    def after(self, move: str) -> SpielState:
        action = self._actions.get(str(move))
        if action is None:
            some = ", ".join([*self._actions][:8])
            raise IllegalMove(f"{move!r} is not a legal move in {self}; legal: {some or 'none'}")
        return self._with(action)

    def _with(self, action: int) -> SpielState:
        """The state after a legal action."""
        line, state = (*self.line, action), None
        if not self.game.draws_itself:
            state = self.state.clone()
            state.apply_action(action)
        return SpielState(self.game, line, state, self, self.drawn)

    def payoff(self) -> tuple[float, ...]:
        return tuple(round(float(each) / UNIT) * UNIT for each in self.state.returns())

    @property
    def before(self) -> SpielState | None:
        """The state before the last action, None at the start."""
        if self._before is None and self.line and not self.drawn:
            self._before = SpielState(self.game)
            for action in self.line[:-1]:
                self._before = self._before._with(action)
        return self._before

    def events(self, seat: int) -> tuple[Any, ...]:
        """Return the events of a seat: each text that was new to it, and its own actions."""
        waiting: list[SpielState] = []
        here: SpielState | None = self
        while here is not None and seat not in here._events:
            waiting.append(here)
            here = here.before
        known = () if here is None else here._events[seat]
        for state in reversed(waiting):
            own = state.before is not None and state.before.turn == seat
            known = extended(known, state.line[-1] if own else None, state.shown(seat))
            state._events[seat] = known
        return known

    def shown(self, seat: int) -> str:
        """Return the text that the game shows a seat here."""
        return "" if self._unseeded else shows(self.state, seat)

    def seen(self, seat: int) -> SpielState:
        if not self.game.hidden or self.turn == TERMINAL:
            return self
        return SpielView(self.game, seat, self)

    def determinize(self, rng: np.random.Generator) -> SpielState:
        if not self.game.hidden or self.turn in (CHANCE, TERMINAL):
            return self
        return self.seen(self.turn).determinize(rng)

    def __str__(self) -> str:
        line = " ".join(map(str, self.line)) or "-"
        return f"drawn {json.dumps([line, self.drawn])}" if self.drawn else line

    def picture(self) -> str:
        return "-" if self._unseeded else str(self.state)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, SpielState):
            return NotImplemented
        return type(self) is type(other) and self._identity() == other._identity()

    def _identity(self) -> tuple[Any, ...]:
        return self.game, self.line, self.drawn

    def __hash__(self) -> int:
        return hash(self._identity())

    def __reduce__(self) -> Any:
        if self.drawn:
            raise GameError(
                f"a world that {self.game} has drawn cannot be sent to another process: OpenSpiel "
                "does not tell what history it has"
            )
        return SpielState, (self.game, self.line)

    def __deepcopy__(self, memo: Any) -> SpielState:
        return self  # which nothing changes


class SpielView(SpielState):
    """A seat's knowledge of a state: its events. The moves are known if it is to move."""

    __slots__ = ("_known", "seat", "truth")

    def __init__(
        self, game: OpenSpiel, seat: int, truth: SpielState | None,
        known: tuple[Any, ...] | None = None, moves: dict[str, int] | None = None,
    ) -> None:  # fmt: skip
        """truth: a state that looks so to the seat; of it only the seat's part is ever shown.

        known, moves: events and moves, of a view that was read, without a truth.
        """
        super().__init__(game, () if truth is None else truth.line)
        self.seat, self.truth, self._known, self._names = seat, truth, known, moves

    @property
    def known(self) -> tuple[Any, ...]:
        """The events of the seat."""
        if self.truth is None:
            return self._known or ()
        return self.truth.events(self.seat)

    @property
    def state(self) -> Any:
        """The state of OpenSpiel: of the truth, or of a world that is searched for."""
        if self.truth is None:
            line = searched(loaded(self.game.title_there), self.seat, self.known)
            if line is None:
                raise GameError(
                    f"no world was found in {STEPS:,} steps that agrees with {str(self)[:80]!r}"
                )
            self.truth = SpielState(self.game, line)
        return self.truth.state

    @property
    def turn(self) -> int:
        if self.truth is None:
            return self.seat
        return self.truth.turn

    def moves(self) -> tuple[str, ...]:
        if self.turn not in (self.seat, TERMINAL):
            raise GameError(
                f"seat {self.seat} does not see the moves of another seat, or of chance"
            )
        return super().moves()

    def after(self, move: str) -> Any:
        raise GameError("this is what one seat sees; `determinize` draws a state to play on")

    def seen(self, seat: int) -> SpielView:
        if seat != self.seat:
            raise GameError(f"this is what seat {self.seat} sees, not seat {seat}")
        return self

    def events(self, seat: int) -> tuple[Any, ...]:
        return self.seen(seat).known

    def determinize(self, rng: np.random.Generator) -> Any:
        if self.turn != self.seat:
            raise GameError(f"seat {self.seat} is not to move")
        if self.game.draws_itself:
            raise GameError(f"{self.game} draws chance by itself, so that worlds cannot be drawn")
        if samples_worlds(self.game.title_there):
            world = self.state.resample_from_infostate(self.seat, rng.random)
            history, text = tuple(world.history()), str(world)
            assert self.truth is not None
            same = history == self.truth.line
            if same and text == str(self.state):
                return self.truth
            found = SpielState(self.game, history, world, drawn=text if same else "")
            found._events[self.seat] = self.known
            return found
        line = searched(loaded(self.game.title_there), self.seat, self.known, rng)
        if line is None:
            raise GameError(
                f"no world was found in {STEPS:,} steps; OpenSpiel has no sampler of worlds for "
                f"{self.game.title_there}"
            )
        return SpielState(self.game, line)

    def __str__(self) -> str:
        moves = [self._actions] if self.turn == self.seat else []
        return "view " + json.dumps([self.seat, self.known, *moves])

    def picture(self) -> str:
        if self.truth is None:
            return next(event for event in reversed(self.known) if isinstance(event, str))
        return self.truth.shown(self.seat) or "-"

    def _identity(self) -> tuple[Any, ...]:
        """The last information state, which is all that there is to know; else all events.

        Cards that were dealt in another order are the same to their owner.
        """
        game = loaded(self.game.title_there)
        whole = game.get_type().provides_information_state_string and not tells_in_turn(game)
        return self.game, self.seat, self.picture() if whole else self.known

    def __reduce__(self) -> Any:
        return SpielView, (self.game, self.seat, self.truth, self._known, self._names)


@frozen
class OpenSpiel(Game[str]):
    """A game of OpenSpiel, by its name and parameters there.

    Moves have the names of its actions, with underscores for spaces. It runs by C++ a move at a
    time; no rule is compiled.
    """

    name = "openspiel"

    title_there: str = field(default="tic_tac_toe", alias="name")
    """Its name there, with parameters in brackets: `breakthrough(rows=6,columns=6)`."""

    @property
    def teams(self) -> tuple[int, ...]:  # type: ignore[override]
        return tuple(range(loaded(self.title_there).num_players()))

    @property
    def hidden(self) -> bool:
        """Return True if a seat may not see the whole state."""
        information = str(loaded(self.title_there).get_type().information)
        return not information.endswith(".PERFECT_INFORMATION")

    @property
    def draws_itself(self) -> bool:
        """Return True if it draws chance by a generator of its own."""
        return draws_itself(loaded(self.title_there))

    @property
    def largest(self) -> float:
        game = loaded(self.title_there)
        return float(max(abs(game.min_utility()), abs(game.max_utility()), UNIT))

    @property
    def traits(self) -> frozenset[Trait]:
        """The traits, by what OpenSpiel says of the game."""
        game = loaded(self.title_there)
        kind, seats = game.get_type(), game.num_players()
        adversaries = re.search(r"\b(ZERO_SUM|CONSTANT_SUM)$", str(kind.utility))
        given = {
            Trait.SOLO: seats == 1,
            Trait.DUEL: seats == 2 and bool(adversaries),
            Trait.CHANCE: not str(kind.chance_mode).endswith(".DETERMINISTIC"),
            Trait.HIDDEN: self.hidden,
        }
        return frozenset(trait for trait, true in given.items() if true)

    def start(self, rng: Any = 0) -> SpielState:
        return SpielState(self)

    def parse(self, text: str) -> SpielState:
        """The state after the actions in `text`, their numbers; raises BadNotation."""
        if text.startswith("view "):
            return self._parse_view(text)
        if text.startswith("drawn "):
            raise BadNotation(
                f"{text[:40]!r}... is a world drawn by OpenSpiel, whose history is not known"
            )
        line: list[int] = []
        state = None if self.draws_itself else replayed(self.title_there, ())
        for word in () if text.strip() in ("", "-") else text.split():
            actions = range(DRAWS) if state is None else legal(state)
            if word not in map(str, actions):
                raise BadNotation(
                    f"{quoted(word)} in {quoted(text)} is not the number of a legal action after "
                    f"{' '.join(map(str, line)) or '-'}"
                )
            line.append(int(word))
            if state is None:
                state = replayed(self.title_there, (line[0],))
            else:
                state.apply_action(line[-1])
        return SpielState(self, tuple(line), state)

    def _parse_view(self, text: str) -> SpielState:
        try:
            seat, events, *moves = json.loads(text.removeprefix("view "))
            known, named = tuple(events), {str(move): int(moves[0][move]) for move in moves[0]}
        except (ValueError, TypeError, IndexError, KeyError, RecursionError) as wrong:
            raise BadNotation(f"{text[:80]!r} is not what a seat that is to move knows") from wrong
        if type(seat) is not int or seat not in self.teams or not {*map(type, known)} >= {str}:
            raise BadNotation(f"{text[:80]!r} is not what a seat knows")
        return SpielView(self, seat, None, known, named)
