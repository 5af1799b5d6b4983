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
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np
from attrs import field, frozen

from dragon.core import CHANCE, TERMINAL, Game, State, Trait
from dragon.errors import BadNotation, ConfigError, GameError, IllegalMove, did_you_mean

if TYPE_CHECKING:
    from collections.abc import Sequence

UNIT = 1e-6
"""Payoffs are rounded to whole multiples of this."""
STEPS = 5_000
"""Actions that are tried to find a world."""
DRAWS = 16
"""Seeds, of which chance takes one first, where a game draws by a generator of its own."""


@lru_cache
def loaded(name: str) -> Any:
    """The game of OpenSpiel, in turns; raises ConfigError."""
    try:
        import pyspiel
    except ImportError as missing:
        raise ConfigError(
            f'openspiel needs OpenSpiel ({missing}); pip install "dragon-search[openspiel]"'
        ) from missing
    short = re.split(r"[(\s]", name.strip(), maxsplit=1)[0]
    if short not in (known := pyspiel.registered_names()):
        raise ConfigError(f"OpenSpiel does not have a game {short!r}{did_you_mean(short, known)}")
    try:
        game = pyspiel.load_game(name)
    except pyspiel.SpielError as wrong:
        raise ConfigError(f"OpenSpiel refuses {name!r}: {_first_line(wrong)}") from wrong
    dynamics = game.get_type().dynamics
    if dynamics == pyspiel.GameType.Dynamics.MEAN_FIELD:
        raise ConfigError(f"{short} is a mean-field game, in which no single player moves")
    if dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS:
        game = pyspiel.convert_to_turn_based(game)
    return game


def _first_line(wrong: Exception) -> str:
    return str(wrong).strip().splitlines()[0][:200]


def _draws_itself(game: Any) -> bool:
    """True of a game whose chance nodes have one outcome, drawn by the game's own generator."""
    return str(game.get_type().chance_mode).endswith("SAMPLED_STOCHASTIC")


def _replayed(name: str, line: tuple[int, ...]) -> Any:
    """The state of OpenSpiel after some actions.

    A game that draws by itself is loaded again, with the seed that the first action names: its
    draws depend on all that it has drawn before.
    """
    game = loaded(name)
    if _draws_itself(game):
        import pyspiel

        seeded = {**game.get_parameters(), "rng_seed": line[0]}
        game, line = pyspiel.load_game(game.get_type().short_name, seeded), line[1:]
    state = game.new_initial_state()
    for action in line:
        state.apply_action(action)
    return state


def _shows(state: Any, seat: int) -> str:
    """Return the text that a game shows a seat: its information state, or else its observation."""
    kind = state.get_game().get_type()
    if kind.provides_information_state_string:
        return str(state.information_state_string(seat))
    if kind.provides_observation_string:
        return str(state.observation_string(seat))
    return str(state)


class SpielState(State[str]):
    """A history of actions, and the state of OpenSpiel that it leads to."""

    __slots__ = ("_before", "_events", "_names", "_state", "game", "line")
    game: OpenSpiel
    unit = UNIT

    def __init__(
        self, game: OpenSpiel, line: tuple[int, ...] = (), state: Any = None,
        before: SpielState | None = None,
    ) -> None:  # fmt: skip
        self.game, self.line, self._state, self._before = game, line, state, before
        self._names: dict[str, int] | None = None
        self._events: dict[int, tuple[Any, ...]] = {}

    @property
    def state(self) -> Any:
        """The state of OpenSpiel, which must not be changed."""
        if self._state is None:
            self._state = _replayed(self.game.title_there, self.line)
        return self._state

    @property
    def teams(self) -> tuple[int, ...]:  # type: ignore[override]
        return self.game.teams

    @property
    def largest(self) -> float:  # type: ignore[override]
        return self.game.largest

    @property
    def zero_sum(self) -> bool:  # type: ignore[override]
        return not self.game.traits.isdisjoint({Trait.DUEL, Trait.SOLO})

    @property
    def conceals(self) -> bool:  # type: ignore[override]
        return self.game.hidden

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
        """The legal actions by the texts of their moves, which are told apart by `#number`."""
        if self._names is None:
            if self._unseeded:
                self._names = {f"draw{seed}": seed for seed in range(DRAWS)}
                return self._names
            state = self.state
            player = state.current_player()
            if self.turn == TERMINAL:
                actions: list[int] = []
            elif self.turn == CHANCE:
                actions = [action for action, chance in state.chance_outcomes() if chance > 0]
            else:
                actions = list(state.legal_actions())
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
        return SpielState(self.game, line, state, self)

    def payoff(self) -> tuple[float, ...]:
        return tuple(round(float(each) / UNIT) * UNIT for each in self.state.returns())

    def events(self, seat: int) -> tuple[Any, ...]:
        """Return the events of a seat: each text that was new to it, and its own actions."""
        found = self._events.get(seat)
        if found is None:
            before = self._before
            if before is None and self.line:
                before = SpielState(self.game, self.line[:-1])
            known = () if before is None else before.events(seat)
            own = before is not None and before.turn == seat
            action = self.line[-1] if own else None
            shown = "" if self._unseeded else _shows(self.state, seat)
            self._events[seat] = found = _extended(known, action, shown)
        return found

    def seen(self, seat: int) -> SpielState:
        if not self.game.hidden or self.turn == TERMINAL:
            return self
        return SpielView(self.game, seat, self.events(seat), self)

    def determinize(self, rng: np.random.Generator) -> SpielState:
        if not self.game.hidden or self.turn in (CHANCE, TERMINAL):
            return self
        return self.seen(self.turn).determinize(rng)

    def __str__(self) -> str:
        return " ".join(map(str, self.line)) or "-"

    def picture(self) -> str:
        return "-" if self._unseeded else str(self.state)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, SpielState):
            return NotImplemented
        return type(self) is type(other) and self._identity() == other._identity()

    def _identity(self) -> tuple[Any, ...]:
        return self.game, self.line

    def __hash__(self) -> int:
        return hash(self._identity())

    def __reduce__(self) -> Any:
        return SpielState, (self.game, self.line)

    def __deepcopy__(self, memo: Any) -> SpielState:
        return self  # which nothing changes


class SpielView(SpielState):
    """A seat's knowledge of a state: its events. The moves are known if it is to move."""

    __slots__ = ("known", "seat", "truth")

    def __init__(
        self, game: OpenSpiel, seat: int, known: tuple[Any, ...], truth: SpielState
    ) -> None:
        """truth: a state with these events; of it only the seat's part is ever shown."""
        super().__init__(game, truth.line, truth.state)
        self.seat, self.known, self.truth = seat, known, truth

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
        game = loaded(self.game.title_there)
        if self.turn != self.seat:
            raise GameError(f"seat {self.seat} is not to move")
        if self.game.draws_itself:
            raise GameError(f"{self.game} draws chance by itself, so that worlds cannot be drawn")
        if samples_worlds(self.game.title_there):
            world = self.state.resample_from_infostate(self.seat, rng.random)
            return SpielState(self.game, tuple(world.history()), world)
        line = _searched(game, self.seat, self.known, rng)
        if line is None:
            raise GameError(
                f"no world was found in {STEPS:,} steps; OpenSpiel has no sampler of worlds for "
                f"{self.game.title_there}"
            )
        return SpielState(self.game, line)

    def __str__(self) -> str:
        return "view " + json.dumps([self.seat, self.known])

    def picture(self) -> str:
        return next(event for event in reversed(self.known) if isinstance(event, str))

    def _identity(self) -> tuple[Any, ...]:
        """The last information state, which is all that there is to know; else all events.

        Cards that were dealt in another order are the same to their owner.
        """
        whole = loaded(self.game.title_there).get_type().provides_information_state_string
        return self.game, self.seat, SpielView.picture(self) if whole else self.known

    def __reduce__(self) -> Any:
        return SpielView, (self.game, self.seat, self.known, self.truth)


def _extended(known: tuple[Any, ...], action: int | None, shown: str) -> tuple[Any, ...]:
    """The events of a seat after an action, its own or not (None), and what it is shown then.

    What does not change leaves no trace: the number of unseen actions would tell something.
    """
    moved = known if action is None else (*known, action)
    last = next((event for event in reversed(known) if isinstance(event, str)), None)
    return moved if shown == last else (*moved, shown)


@lru_cache
def samples_worlds(name: str) -> bool:
    """True where OpenSpiel can draw a world for what a seat knows."""
    import pyspiel

    random, state = np.random.default_rng(0), loaded(name).new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.chance_outcomes()[0][0])
    try:
        state.resample_from_infostate(state.current_player(), random.random)
    except pyspiel.SpielError:
        return False
    return True


def _searched(
    game: Any, seat: int, known: tuple[Any, ...], rng: np.random.Generator
) -> tuple[int, ...] | None:
    """A history that gives a seat these events, by depth first search in random order.

    Worlds do not come as often as their odds say; that would take rejection without end.
    """
    start = game.new_initial_state()
    first = _extended((), None, _shows(start, seat))
    if first != known[: len(first)]:
        return None
    line: tuple[int, ...] = ()
    stack, left = [(start, first, line, _options(start, seat, first, known, rng))], STEPS
    while stack and left:
        state, events, line, options = stack[-1]
        if events == known and state.current_player() == seat:
            return line
        if not options:
            stack.pop()
            continue
        left -= 1
        action = options.pop()
        child = state.clone()
        own = action if state.current_player() == seat else None
        child.apply_action(action)
        after = _extended(events, own, _shows(child, seat))
        if after == known[: len(after)] and not child.is_terminal():
            made = (*line, action)
            stack.append((child, after, made, _options(child, seat, after, known, rng)))
    return None


def _options(
    state: Any, seat: int, events: tuple[Any, ...], known: tuple[Any, ...],
    rng: np.random.Generator,
) -> list[int]:  # fmt: skip
    """The actions to be tried, the first last; likely outcomes of chance tend to come first."""
    if state.is_terminal():
        return []
    if state.current_player() == seat:
        own = known[len(events)] if len(events) < len(known) else None
        return [own] if isinstance(own, int) and own in state.legal_actions() else []
    if state.is_chance_node():
        pairs = [(action, chance) for action, chance in state.chance_outcomes() if chance > 0]
        keyed = sorted((rng.random() ** (1 / chance), action) for action, chance in pairs)
        return [action for _, action in keyed]
    options: list[int] = rng.permutation(state.legal_actions()).tolist()
    return options


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
        """A team for each seat."""
        return tuple(range(loaded(self.title_there).num_players()))

    @property
    def hidden(self) -> bool:
        """Return True if a seat may not see the whole state."""
        information = str(loaded(self.title_there).get_type().information)
        return not information.endswith(".PERFECT_INFORMATION")

    @property
    def draws_itself(self) -> bool:
        """Return True if it draws chance by a generator of its own."""
        return _draws_itself(loaded(self.title_there))

    @property
    def largest(self) -> float:
        """The largest payoff."""
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
        """The first state."""
        return SpielState(self)

    def parse(self, text: str) -> SpielState:
        """The state after the actions in `text`, their numbers; raises BadNotation."""
        if text.startswith("view "):
            return self._parse_view(text)
        state = SpielState(self)
        for word in () if text.strip() in ("", "-") else text.split():
            legal = state._actions.values()
            if not (word.isascii() and word.isdecimal() and int(word) in legal):
                raise BadNotation(
                    f"{word!r} in {text!r} is not the number of a legal action after {state}"
                )
            state = state._with(int(word))
        return state

    def _parse_view(self, text: str) -> SpielState:
        try:
            seat, events = json.loads(text.removeprefix("view "))
            known = tuple(events)
        except (ValueError, TypeError) as wrong:
            raise BadNotation(f"{text[:80]!r} is not what a seat knows") from wrong
        line = _searched(loaded(self.title_there), seat, known, np.random.default_rng(0))
        if line is None:
            raise BadNotation(f"no world was found that agrees with {text[:80]!r}")
        return SpielView(self, seat, known, SpielState(self, line))
