"""The library OpenSpiel, as functions on its own games and states: what `spiel` is written with.

A game is loaded by its name, a history replayed, a seat's knowledge separated from the rest; where
the library cannot draw a world, one is searched for.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from dragon.bridges import check_versions
from dragon.errors import ConfigError, did_you_mean

if TYPE_CHECKING:
    import numpy as np

STEPS = 5_000
"""Actions that are tried to find a world."""


@lru_cache
def loaded(name: str) -> Any:
    """The game of OpenSpiel, in turns; raises ConfigError."""
    check_versions("openspiel")
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
    except Exception as wrong:  # IndexError too, of its C++, where a parameter is wanted
        raise ConfigError(f"OpenSpiel refuses {name!r}: {_first_line(wrong)}") from wrong
    dynamics = game.get_type().dynamics
    if dynamics == pyspiel.GameType.Dynamics.MEAN_FIELD:
        raise ConfigError(f"{short} is a mean-field game, in which no single player moves")
    if dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS:
        game = pyspiel.convert_to_turn_based(game)
    try:
        legal(game.new_initial_state())
    except pyspiel.SpielError as wrong:
        raise ConfigError(
            f"{short} does not list its legal actions: {_first_line(wrong)}"
        ) from wrong
    return game


def _first_line(wrong: Exception) -> str:
    return str(wrong).strip().splitlines()[0][:200]


def draws_itself(game: Any) -> bool:
    """True of a game whose chance nodes have one outcome, drawn by the game's own generator."""
    return str(game.get_type().chance_mode).endswith("SAMPLED_STOCHASTIC")


def replayed(name: str, line: tuple[int, ...]) -> Any:
    """The state of OpenSpiel after some actions.

    A game that draws by itself is loaded again, with the seed that the first action names: its
    draws depend on all that it has drawn before.
    """
    game = loaded(name)
    if draws_itself(game):
        import pyspiel

        seeded = {**game.get_parameters(), "rng_seed": line[0]}
        game, line = pyspiel.load_game(game.get_type().short_name, seeded), line[1:]
    state = game.new_initial_state()
    for action in line:
        state.apply_action(action)
    return state


def legal(state: Any) -> list[int]:
    """The actions of a state: those of the player, or the outcomes of chance that can occur."""
    if state.is_terminal():
        return []
    if state.is_chance_node():
        return [action for action, chance in state.chance_outcomes() if chance > 0]
    return [*state.legal_actions()]


def tells_in_turn(game: Any) -> bool:
    """True of a game read from a file of Gambit: out of turn a seat is shown the mover's set."""
    return "efg_game" in str(game)


def shows(state: Any, seat: int) -> str:
    """Return the text that a game shows a seat: its information state, or else its observation.

    It is empty where the game says nothing that the seat may know.
    """
    game = state.get_game()
    kind = game.get_type()
    if state.current_player() != seat and tells_in_turn(game):
        return ""
    if kind.provides_information_state_string:
        return str(state.information_state_string(seat))
    if kind.provides_observation_string:
        return str(state.observation_string(seat))
    return str(state)


def extended(known: tuple[Any, ...], action: int | None, shown: str) -> tuple[Any, ...]:
    """The events of a seat after an action, its own or not (None), and what it is shown then.

    Unchanged and empty texts are not listed: the number of hidden actions would give information.
    """
    moved = known if action is None else (*known, action)
    last = next((event for event in reversed(known) if isinstance(event, str)), None)
    return moved if shown in ("", last) else (*moved, shown)


@lru_cache
def samples_worlds(name: str) -> bool:
    """True where OpenSpiel can draw a world for what a seat knows."""
    import numpy as np
    import pyspiel

    random, state = np.random.default_rng(0), loaded(name).new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.chance_outcomes()[0][0])
    try:
        state.resample_from_infostate(state.current_player(), random.random)
    except pyspiel.SpielError:
        return False
    return True


def searched(
    game: Any, seat: int, known: tuple[Any, ...], rng: np.random.Generator | None = None
) -> tuple[int, ...] | None:
    """A history that gives a seat these events, by depth first search in random order.

    Worlds do not come as often as their odds say; that would take rejection without end.
    """
    if rng is None:
        import numpy as np

        rng = np.random.default_rng(0)
    start = game.new_initial_state()
    first = extended((), None, shows(start, seat))
    if first != known[: len(first)]:
        return None
    line: tuple[int, ...] = ()
    stack, left = [(start, first, line, options(start, seat, first, known, rng))], STEPS
    while stack and left:
        state, events, line, untried = stack[-1]
        if events == known and state.current_player() == seat:
            return line
        if not untried:
            stack.pop()
            continue
        left -= 1
        action = untried.pop()
        child = state.clone()
        own = action if state.current_player() == seat else None
        child.apply_action(action)
        after = extended(events, own, shows(child, seat))
        if after == known[: len(after)] and not child.is_terminal():
            made = (*line, action)
            stack.append((child, after, made, options(child, seat, after, known, rng)))
    return None


def options(
    state: Any, seat: int, events: tuple[Any, ...], known: tuple[Any, ...],
    rng: np.random.Generator,
) -> list[int]:  # fmt: skip
    """The actions to be tried, the first last; likely outcomes of chance tend to come first."""
    if state.current_player() == seat:
        own = known[len(events)] if len(events) < len(known) else None
        return [own] if isinstance(own, int) and own in legal(state) else []
    if state.is_chance_node():
        pairs = [(action, chance) for action, chance in state.chance_outcomes() if chance > 0]
        keyed = sorted((rng.random() ** (1 / chance), action) for action, chance in pairs)
        return [action for _, action in keyed]
    shuffled: list[int] = rng.permutation(legal(state)).tolist()
    return shuffled
