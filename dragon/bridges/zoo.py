"""PettingZoo and Gymnasium: any game of dragon as an environment for reinforcement learning.

`env` is the game as an AEC environment, one seat after another; `parallel_env` the same with a
dictionary of actions, of which only the mover's counts; `SoloEnv` a game of one seat for Gymnasium.
They need the extra: `pip install "dragon-search[gym]"`.
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from dragon.bridges import check_versions
from dragon.bridges.encoding import drawn, encoding
from dragon.core import CHANCE, TERMINAL, State
from dragon.errors import ConfigError

check_versions("gym")
try:
    import gymnasium
    from gymnasium import spaces
    from pettingzoo import AECEnv
    from pettingzoo.utils import conversions, wrappers
except ImportError as missing:
    raise ConfigError(
        f'environments need PettingZoo and Gymnasium ({missing}); pip install "dragon-search[gym]"'
    ) from missing

PIXELS = 600
"""The longer side of a picture."""


def _after_chance(state: State[Any], rng: np.random.Generator) -> State[Any]:
    """The state when chance has decided all that it has to."""
    while state.turn == CHANCE:
        state = state.after(drawn(state, rng))
    return state


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


class _Played:
    """A game, if one is on, and its picture: the part that environments of both kinds share."""

    render_mode: str | None
    _state: State[Any] | None = None

    @property
    def state_now(self) -> State[Any]:
        """The state of the game; raises ValueError before `reset`."""
        if self._state is None:
            raise ValueError("no game is on; call reset()")
        return self._state

    @state_now.setter
    def state_now(self, state: State[Any]) -> None:
        self._state = state

    def render(self) -> Any:
        """The position: text by `ansi`, uint8[rows, columns, 3] by `rgb_array`."""
        return _picture(self.state_now, self.render_mode)


class RawEnv(_Played, AECEnv):  # type: ignore[misc]
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
        if self.state_now.turn == TERMINAL:  # by luck, before the first move
            self._finish()
            self._accumulate_rewards()

    def _finish(self) -> None:
        """Give every agent its payoff, and end the game for all."""
        payoffs = map(float, self.state_now.payoff())
        self.rewards = dict(zip(self.possible_agents, payoffs, strict=True))
        self.terminations = dict.fromkeys(self.agents, True)

    def step(self, action: int | None) -> None:
        """Play the mover's action; of an agent whose game is over, None.

        Raises ValueError for an action that is not legal, and where no game is on.
        """
        if not self.agents:
            raise ValueError("no game is on; call reset()")
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
            self._finish()
            after = (self.possible_agents.index(agent) + 1) % len(self.possible_agents)
            self.agent_selection = self.possible_agents[after]
        else:
            self.agent_selection = self.possible_agents[self.state_now.turn]
        self._accumulate_rewards()

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


class SoloEnv(_Played, gymnasium.Env[Any, Any]):  # type: ignore[misc]
    """A game of one seat as a Gymnasium environment; `info["action_mask"]` has the legal actions.

    Where luck ends a game before the first move, as in `hands`, every action is legal once, and the
    step has the payoff: so that what is learned is the game's own odds.
    """

    metadata: ClassVar[dict[str, Any]] = {"render_modes": ["ansi", "rgb_array"], "render_fps": 1}

    def __init__(self, spec: str, render_mode: str | None = None) -> None:
        self.encoding, self.render_mode = encoding(spec), render_mode
        if len(self.encoding.game.teams) != 1:
            raise ConfigError(f"{spec} is not a game of one seat; take `env` for it")
        self.observation_space = spaces.Box(-np.inf, np.inf, self.encoding.shape, np.float32)
        self.action_space = spaces.Discrete(self.encoding.size)

    def _now(self) -> tuple[Any, dict[str, Any]]:
        state = self.state_now
        mask = self.encoding.mask(state, 0)
        return self.encoding.seen(state, 0), {"action_mask": mask | self._undecided}

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Begin a game; a seed decides all that is dealt and drawn."""
        super().reset(seed=seed)
        self.state_now = _after_chance(self.encoding.game.start(self.np_random), self.np_random)
        self._undecided = self.state_now.turn == TERMINAL
        return self._now()

    def step(self, action: int) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Play an action; raises ValueError for one that is not legal, and after the end."""
        move = self.encoding.legal(self.state_now).get(int(action))
        if move is not None:
            self.state_now = _after_chance(self.state_now.after(move), self.np_random)
        elif not self._undecided or int(action) not in self.action_space:
            raise ValueError(
                f"the action {action} is not legal; take one whose action_mask is 1"
                if self.state_now.turn != TERMINAL or self._undecided
                else "the game is over; call reset()"
            )
        self._undecided = False
        over = self.state_now.turn == TERMINAL
        reward = float(self.state_now.payoff()[0]) if over else 0.0
        seen, info = self._now()
        return seen, reward, over, False, info
