"""PettingZoo and Gymnasium: any game of dragon as an environment for reinforcement learning.

`env` is the game as an AEC environment, one seat after another; `parallel_env` the same with a
dictionary of actions, of which only the mover's counts; `SoloEnv` a game of one seat for Gymnasium.
They need the extra: `pip install "dragon-search[gym]"`.
"""

from __future__ import annotations

from collections.abc import Hashable
from functools import lru_cache
from typing import Any, ClassVar

import numpy as np

import dragon
from dragon.boards.cells import Cells
from dragon.core import CHANCE, TERMINAL, Game, State
from dragon.errors import ConfigError
from dragon.rules.record import Moves, RecordState

try:
    import gymnasium
    from gymnasium import spaces
    from pettingzoo import AECEnv
    from pettingzoo.utils import conversions, wrappers
except ImportError as missing:
    raise ConfigError(
        f'environments need PettingZoo and Gymnasium ({missing}); pip install "dragon-search[gym]"'
    ) from missing

SPARE = 8
"""The last actions, which stand for legal moves that no random game has met, in their order."""
GAMES, PLIES = 200, 20_000
"""Random games in which moves are looked for, and their plies together at most."""
LETTERS = 256
"""Bytes of an observation that is a position's text."""
PIXELS = 600
"""The longer side of a picture."""


class Encoding:
    """The actions and observations of a game, as numbers.

    An action is the place of a move in a list of all moves that random games have met, the same in
    every position and process; the last `SPARE` are for moves that they have not. An observation is
    float32: planes (plane, row, column) on a rectangular board, for each kind of piece, then for
    the turn (1: the seat's own) and each other number of the record; else all numbers of the record
    in a row, or, of a game in plain Python, the bytes of its text divided by 255.
    """

    def __init__(self, game: Game[Any]) -> None:
        self.game = game
        self.words = _moves_met(game)
        self.numbers = {word: number for number, word in enumerate(self.words)}
        self.size = len(self.words) + SPARE
        first = game.start(0)
        self.shape = self.seen(first, 0).shape

    def word(self, state: State[Any], move: Any) -> Hashable:
        """The name of a move in the list: its code, or its text in a game in plain Python."""
        return state.code(move) if isinstance(state, RecordState) else str(move)

    def legal(self, state: State[Any]) -> dict[int, Any]:
        """The legal moves by their actions."""
        found, spare = {}, len(self.words)
        for move in state.moves():
            number = self.numbers.get(self.word(state, move))
            if number is None and spare < self.size:
                number, spare = spare, spare + 1
            if number is not None:
                found[number] = move
        return found

    def mask(self, state: State[Any], seat: int) -> np.ndarray[Any, Any]:
        """int8[actions]: 1 for each legal action of the seat, if it is to move."""
        mask = np.zeros(self.size, np.int8)
        if state.turn == seat:
            mask[list(self.legal(state))] = 1
        return mask

    def seen(self, state: State[Any], seat: int) -> np.ndarray[Any, Any]:
        """float32: what a seat sees of a state; see the class."""
        view = state.seen(seat) if state.turn != TERMINAL else state
        if not isinstance(view, RecordState):
            text = str(view).encode()[:LETTERS]
            return np.frombuffer(text.ljust(LETTERS, b"\0"), np.uint8).astype(np.float32) / 255
        record, notation = view.view, view.rules.notation
        cells = notation if isinstance(notation, Cells) else notation.cells
        if not isinstance(cells, Cells):
            return _numbers(record, record.dtype.names)
        board = np.array(cells.board(record))
        letters = [letter for kinds in cells.stones.values() for letter in kinds]
        planes = [board == letter for letter in letters]
        planes.append(np.full(board.shape, state.turn == seat))
        for name in record.dtype.names:
            if name not in cells.stones:
                planes += _planes(np.atleast_1d(np.asarray(record[name])), cells)
        return np.stack(planes).astype(np.float32)


def _planes(values: np.ndarray[Any, Any], cells: Cells) -> list[np.ndarray[Any, Any]]:
    """A plane for each number of a field, the same on all cells, or for each of its bit sets."""
    shape = (cells.rows, cells.columns)
    if values.dtype != np.uint64:
        return [np.full(shape, number) for number in values.ravel().astype(np.float32)]
    words = max(cells.bits.values()) // 64 + 1
    if values.size % words:  # not sets of cells
        return [np.full(shape, bit) for bit in _bits(values)]
    found = []
    for held in values.reshape(-1, words):
        plane, bits = np.zeros(shape), _bits(held)
        for place, bit in cells.bits.items():
            plane[place] = bits[bit]
        found.append(plane)
    return found


def _bits(values: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """float32: the bits of words of 64, the lowest first."""
    return np.unpackbits(values.astype("<u8").ravel().view(np.uint8), bitorder="little").astype(
        np.float32
    )


def _numbers(record: Any, names: Any) -> np.ndarray[Any, Any]:
    """float32: the numbers of some fields of a record; a word of bits becomes 64 numbers."""
    parts = []
    for name in names:
        values = np.atleast_1d(np.asarray(record[name])).ravel()
        if values.dtype == np.uint64:
            parts.append(_bits(values))
        elif values.dtype.kind in "iuf":
            parts.append(values.astype(np.float32))
    return np.concatenate(parts) if parts else np.zeros(0, np.float32)


@lru_cache
def _moves_met(game: Game[Any]) -> tuple[Hashable, ...]:
    """The names of all moves of seats that random games meet, in order."""
    found, plies = set[Hashable](), 0
    rng = np.random.default_rng(0)
    for deal in range(GAMES):
        state = game.start(deal)
        while state.turn != TERMINAL and plies < PLIES:
            moves = state.moves()
            if state.turn != CHANCE:
                found.update(moves.codes.tolist() if isinstance(moves, Moves) else map(str, moves))
            state = state.after(_drawn(state, rng))
            plies += 1
    numbers = sorted(each for each in found if isinstance(each, int))
    return (*numbers, *sorted(each for each in found if isinstance(each, str)))


def _drawn(state: State[Any], rng: np.random.Generator) -> Any:
    """A legal move at random; of chance as often as its odds say."""
    moves = state.moves()
    if state.turn == CHANCE:
        return moves[int(rng.choice(len(moves), p=np.asarray(state.odds())))]
    return moves[int(rng.integers(len(moves)))]


def _after_chance(state: State[Any], rng: np.random.Generator) -> State[Any]:
    """The state when chance has decided all that it has to."""
    while state.turn == CHANCE:
        state = state.after(_drawn(state, rng))
    return state


@lru_cache
def encoding(spec: str) -> Encoding:
    """The encoding of a game, made once in a process."""
    return Encoding(dragon.game(spec))


def _picture(state: State[Any], mode: str | None) -> Any:
    """A state as text, or as uint8[rows, columns, 3]."""
    if mode == "ansi":
        return state.picture()
    if mode != "rgb_array":
        return None
    import io

    from PIL import Image

    from dragon.boards.picture import png

    svg = state.svg()
    if svg is None:
        raise ConfigError(f"{state.game} has no drawing; render_mode='ansi' gives its text")
    return np.asarray(Image.open(io.BytesIO(png(svg, PIXELS))).convert("RGB"))


class RawEnv(AECEnv):  # type: ignore[misc]
    """A game as an AEC environment, without the wrappers that `env` puts around it.

    Agents are `seat_0`, `seat_1`, ...; chance plays by itself. Observations are dictionaries with
    `observation` and `action_mask` (see `Encoding`), of what the seat sees. Rewards are 0 until the
    end, then the payoffs.
    """

    metadata: ClassVar[dict[str, Any]] = {
        "render_modes": ["ansi", "rgb_array"],
        "name": "dragon_v1",
        "is_parallelizable": True,
        "render_fps": 1,
    }

    def __init__(self, spec: str, render_mode: str | None = None) -> None:
        super().__init__()
        self.encoding, self.render_mode = encoding(spec), render_mode
        self.game = self.encoding.game
        self.possible_agents = [f"seat_{seat}" for seat in range(len(self.game.teams))]
        self.agents = list[str]()
        size, shape = self.encoding.size, self.encoding.shape
        self._observed = spaces.Dict({
            "observation": spaces.Box(-np.inf, np.inf, shape, np.float32),
            "action_mask": spaces.Box(0, 1, (size,), np.int8),
        })  # fmt: skip
        self._actions = {agent: spaces.Discrete(size) for agent in self.possible_agents}
        self._rng = np.random.default_rng()

    def observation_space(self, agent: str) -> Any:
        """The space of observations, of one agent as of another."""
        return self._observed

    def action_space(self, agent: str) -> Any:
        """The space of actions, the same object each time, so that it keeps its seed."""
        return self._actions[agent]

    def observe(self, agent: str) -> dict[str, Any]:
        """Return the view of an agent, and the actions that it may take."""
        seat = self.possible_agents.index(agent)
        return {
            "observation": self.encoding.seen(self.state_now, seat),
            "action_mask": self.encoding.mask(self.state_now, seat),
        }

    def action_text(self, action: int) -> str:
        """The move that a legal action makes now, as the game writes it."""
        return str(self.encoding.legal(self.state_now)[action])

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a game; a seed decides all that is dealt and drawn."""
        if seed is not None:
            self._rng = np.random.default_rng(seed)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.state_now = _after_chance(self.game.start(self._rng), self._rng)
        self.agent_selection = self.possible_agents[max(0, self.state_now.turn)]

    def step(self, action: int | None) -> None:
        """Play the mover's action; of an agent whose game is over, None."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        move = self.encoding.legal(self.state_now).get(action)  # type: ignore[arg-type]
        if move is None:
            raise ValueError(
                f"the action {action} is not legal for {agent}; take one whose action_mask is 1"
            )
        self._cumulative_rewards[agent] = 0.0
        self.state_now = _after_chance(self.state_now.after(move), self._rng)
        self._clear_rewards()
        if self.state_now.turn == TERMINAL:
            payoffs = map(float, self.state_now.payoff())
            self.rewards = dict(zip(self.possible_agents, payoffs, strict=True))
            self.terminations = dict.fromkeys(self.agents, True)
            after = (self.possible_agents.index(agent) + 1) % len(self.possible_agents)
            self.agent_selection = self.possible_agents[after]
        else:
            self.agent_selection = self.possible_agents[self.state_now.turn]
        self._accumulate_rewards()

    def render(self) -> Any:
        """The position: text by `ansi`, uint8[rows, columns, 3] by `rgb_array`."""
        return _picture(self.state_now, self.render_mode)

    def close(self) -> None:
        """Nothing is held."""


def env(spec: str, render_mode: str | None = None) -> Any:
    """A game as an AEC environment; an illegal action ends it, and costs its agent 1."""
    raw = wrappers.TerminateIllegalWrapper(RawEnv(spec, render_mode), illegal_reward=-1)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(raw))


def parallel_env(spec: str, render_mode: str | None = None) -> Any:
    """A game as a parallel environment: each step has an action of every agent, and the mover's
    counts."""
    return conversions.turn_based_aec_to_parallel(env(spec, render_mode))


class SoloEnv(gymnasium.Env[Any, Any]):  # type: ignore[misc]
    """A game of one seat as a Gymnasium environment; `info["action_mask"]` tells what is legal."""

    metadata: ClassVar[dict[str, Any]] = {"render_modes": ["ansi", "rgb_array"], "render_fps": 1}

    def __init__(self, spec: str, render_mode: str | None = None) -> None:
        self.encoding, self.render_mode = encoding(spec), render_mode
        if len(self.encoding.game.teams) != 1:
            raise ConfigError(f"{spec} is not a game of one seat; take `env` for it")
        self.observation_space = spaces.Box(-np.inf, np.inf, self.encoding.shape, np.float32)
        self.action_space = spaces.Discrete(self.encoding.size)

    def _now(self) -> tuple[Any, dict[str, Any]]:
        state = self.state_now
        return self.encoding.seen(state, 0), {"action_mask": self.encoding.mask(state, 0)}

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Begin a game; a seed decides all that is dealt and drawn."""
        super().reset(seed=seed)
        self.state_now = _after_chance(self.encoding.game.start(self.np_random), self.np_random)
        return self._now()

    def step(self, action: int) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Play an action; raises ValueError for one that is not legal, and after the end."""
        move = self.encoding.legal(self.state_now).get(int(action))
        if move is None:
            raise ValueError(
                f"the action {action} is not legal; take one whose action_mask is 1"
                if self.state_now.turn != TERMINAL
                else "the game is over; call reset()"
            )
        self.state_now = _after_chance(self.state_now.after(move), self.np_random)
        over = self.state_now.turn == TERMINAL
        reward = float(self.state_now.payoff()[0]) if over else 0.0
        seen, info = self._now()
        return seen, reward, over, False, info

    def render(self) -> Any:
        """The position: text by `ansi`, uint8[rows, columns, 3] by `rgb_array`."""
        return _picture(self.state_now, self.render_mode)
