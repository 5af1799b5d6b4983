"""OpenSpiel, the other way: a game of dragon as a `pyspiel.Game`, for its algorithms.

    from dragon.bridges.spiel_game import spiel_game
    game = spiel_game("leduc")

After the import `pyspiel.load_game("dragon(game=hex(size=5))")` loads it too, so that games and
states are written down and sent to other processes as OpenSpiel does with its own.

Actions are numbers of moves as in `dragon.bridges.encoding`, those of chance the places in its list
of outcomes. The information state of a seat is what it has seen and done; with perfect information
it is the moves of all. It needs the extra: `pip install "dragon-search[openspiel]"`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import attrs
import numpy as np

from dragon import config
from dragon.bridges import check_versions
from dragon.bridges.encoding import Encoding, drawn, encoding
from dragon.core import CHANCE, TERMINAL, Game, State, Trait
from dragon.core.search import informed
from dragon.core.spec import settings
from dragon.errors import ConfigError
from dragon.rules.record import RecordGame, rules_of

check_versions("openspiel")
try:
    import pyspiel
except ImportError as missing:
    raise ConfigError(
        f'games for OpenSpiel need it ({missing}); pip install "dragon-search[openspiel]"'
    ) from missing

GAMES = 50
"""Random games by which the most outcomes of chance are found."""
LONGEST = 10_000
"""The most plies of a game that does not declare them."""


def spiel_game(spec: str) -> DragonGame:
    """The game of a spec, such as `hex(size=5)`, as one of OpenSpiel; raises ConfigError."""
    game = config.game(spec)
    known = {each.name: each.default for each in settings(type(game))}
    given = {a.alias: getattr(game, a.name) for a in attrs.fields(type(game))}
    changed = {name: value for name, value in given.items() if value != known.get(name)}
    return DragonGame({"game": {"name": game.name, **{k: _plain(v) for k, v in changed.items()}}})


def _plain(value: Any) -> Any:
    """A setting as OpenSpiel keeps parameters: numbers, truths and texts."""
    if isinstance(value, (bool, int, float)):
        return value
    return "none" if value is None else str(value)


def _outcomes(game: Game[Any]) -> int:
    """The most outcomes of chance in random games."""
    most, rng = 0, np.random.default_rng(0)
    for deal in range(GAMES if Trait.CHANCE in game.traits else 0):
        state = game.start(deal)
        while state.turn != TERMINAL:
            most = max(most, len(state.moves())) if state.turn == CHANCE else most
            state = state.after(drawn(state, rng))
    return most


def _zero_sum(game: Game[Any]) -> bool:
    """True of two seats against one another; three, of whom two are a team, do not sum to zero."""
    return Trait.DUEL in game.traits and len(game.teams) == 2


def _kind(game: Game[Any] | None = None) -> Any:
    """The type of a game, from its traits; without one that of any, which is registered."""
    kind = pyspiel.GameType
    traits = {Trait.CHANCE, Trait.HIDDEN} if game is None else game.traits
    by_chance = Trait.CHANCE in traits
    zero = game is not None and _zero_sum(game)
    return kind(
        short_name="dragon",
        long_name=str(game or "a game of dragon"),
        dynamics=kind.Dynamics.SEQUENTIAL,
        chance_mode=kind.ChanceMode.EXPLICIT_STOCHASTIC if by_chance
        else kind.ChanceMode.DETERMINISTIC,
        information=kind.Information.IMPERFECT_INFORMATION if Trait.HIDDEN in traits
        else kind.Information.PERFECT_INFORMATION,
        utility=kind.Utility.ZERO_SUM if zero else kind.Utility.GENERAL_SUM,
        reward_model=kind.RewardModel.TERMINAL,
        max_num_players=10 if game is None else len(game.teams),
        min_num_players=1 if game is None else len(game.teams),
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={"game": {"name": "tictactoe"}},
    )  # fmt: skip


class DragonGame(pyspiel.Game):  # type: ignore[misc]
    """A game of dragon."""

    def __init__(self, params: Mapping[str, Any]) -> None:
        """params: the parameter `game`, with its name and its own parameters; as those of OpenSpiel
        are parsed, `none` is a text."""
        spec = {k: None if v == "none" else v for k, v in params["game"].items()}
        actions = self.actions = encoding(str(config.game(spec)))
        game = self.dragon = actions.game
        largest = game.start(0).largest
        info = pyspiel.GameInfo(
            num_distinct_actions=actions.size,
            max_chance_outcomes=_outcomes(game),
            num_players=len(game.teams),
            min_utility=-largest,
            max_utility=largest,
            utility_sum=0.0 if _zero_sum(game) else None,
            max_game_length=rules_of(game).plies if isinstance(game, RecordGame) else LONGEST,
        )
        super().__init__(_kind(game), info, dict(params))

    def __reduce__(self) -> Any:
        return DragonGame, (self.get_parameters(),)

    def new_initial_state(self) -> DragonState:
        """The start, of seed 0 where a seed deals."""
        return DragonState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Observer:
        """The numbers of what a seat sees."""
        return Observer(self.actions)


pyspiel.register_game(_kind(), DragonGame)


class DragonState(pyspiel.State):  # type: ignore[misc]
    """A state of dragon, and what each seat has seen and done."""

    def __init__(self, game: DragonGame) -> None:
        super().__init__(game)
        self.actions = game.actions
        self.now: State[Any] = game.dragon.start(0)
        self.hidden = Trait.HIDDEN in game.dragon.traits
        self.known: list[tuple[Any, ...]] = [()] * len(game.dragon.teams)
        self.line: tuple[str, ...] = ()
        self._places: dict[int, int] | None = None
        self._learn()

    def _learn(self, mover: int | None = None, move: Any = None) -> None:
        """Add to what each seat knows, after a move of `mover`."""
        if self.hidden and self.now.turn != TERMINAL:
            self.known = [
                informed(known, self.now.seen(seat), move if seat == mover else None)
                for seat, known in enumerate(self.known)
            ]

    def current_player(self) -> int:
        """The seat to move, by their numbers for chance and the end."""
        turn = self.now.turn
        special = {CHANCE: pyspiel.PlayerId.CHANCE, TERMINAL: pyspiel.PlayerId.TERMINAL}
        return int(special.get(turn, turn))

    def places(self) -> dict[int, int]:
        """The legal actions, and the places of their moves; OpenSpiel needs them repeatedly."""
        if self._places is None:
            self._places = self.actions.actions(self.now)
        return self._places

    def _legal_actions(self, player: int) -> list[int]:
        """The actions of a seat, in ascending order."""
        return sorted(self.places()) if player == self.now.turn else []

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The outcomes of chance, by their places, with their odds."""
        return [*enumerate(map(float, self.now.odds()))]

    def _move(self, action: int) -> Any:
        place = action if self.now.turn == CHANCE else self.places()[action]
        return self.now.moves()[place]

    def _apply_action(self, action: int) -> None:
        """Go on to the state after an action."""
        mover, move = self.now.turn, self._move(action)
        self.now, self.line, self._places = self.now.after(move), (*self.line, str(move)), None
        self._learn(mover, move)

    def _action_to_string(self, player: int, action: int) -> str:
        """The move as the game writes it."""
        return str(self._move(action))

    def is_terminal(self) -> bool:
        """True at the end."""
        return self.now.turn == TERMINAL

    def returns(self) -> list[float]:
        """The payoffs; 0 before the end."""
        return [*map(float, self.now.payoff())] if self.is_terminal() else [0.0] * len(self.known)

    def information_state_string(self, player: int | None = None) -> str:
        """Return the history that a seat, or the seat to move, has seen; else the moves of all."""
        seat = self.now.turn if player is None else player
        return " ".join(map(str, self.known[seat])) if self.hidden else " ".join(self.line)

    def observation_string(self, player: int | None = None) -> str:
        """The position as a seat, or the seat to move, sees it."""
        if self.is_terminal():
            return str(self.now)
        return str(self.now.seen(self.now.turn if player is None else player))

    def __str__(self) -> str:
        return str(self.now)


class Observer:
    """The observation of a seat, as the interface of observers in OpenSpiel wants it."""

    def __init__(self, actions: Encoding) -> None:
        self.actions = actions
        self.tensor = np.zeros(int(np.prod(actions.shape)), np.float32)
        self.dict = {"observation": self.tensor.reshape(actions.shape)}

    def set_from(self, state: DragonState, player: int) -> None:
        """Fill the numbers."""
        self.tensor[:] = self.actions.seen(state.now, player).ravel()

    def string_from(self, state: DragonState, player: int) -> str:
        """The position as text."""
        return state.observation_string(player)
