"""Lines: a player in any language: a line of JSON as a request for each move, and one as the
answer.

`docs/lines.md` has the fields of both.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from random import Random
from string import ascii_lowercase, ascii_uppercase
from typing import TYPE_CHECKING, Any

import click
from attrs import field, frozen
from attrs.validators import ge, gt

from dragon.bridges.engine import Asking
from dragon.cli_tools import chosen_search, limit_of, limits, with_search, with_seed
from dragon.config import Elsewhere
from dragon.config import game as read_game
from dragon.core import (
    CHANCE,
    POLICY,
    TERMINAL,
    Game,
    Limit,
    Position,
    Result,
    Run,
    State,
)
from dragon.errors import DragonError, GameError, ProtocolError, SearchError, quoted
from dragon.gtp.client import MOST, Conversation
from dragon.gtp.server import RESERVE, clock_share, stdin_lines
from dragon.modes import OPTIMISED
from dragon.rules.notation import parse_move
from dragon.rules.record import RecordState

if TYPE_CHECKING:
    import numpy as np

HUGE = 2**63
"""Numbers from here on are none that a player means."""
CONTROLLER = Elsewhere("a line of JSON", "start `dragon lines` with that game instead")


def request(position: Position, limit: Limit, seed: int, game: Game[Any] | None) -> dict[str, Any]:
    """The request for a move, as JSON holds it; of what the seat to move sees alone."""
    state = position.state
    game = game or state.game
    known = position.start is not None
    clock = None
    if position.remaining is not None:
        clock = {
            "left": round(position.remaining, 3),
            "increment": position.increment,
            "moves": position.left,
        }
    return {
        "game": None if game is None else str(game),
        "seat": state.turn,
        "seats": len(state.teams),
        "teams": list(state.teams),
        "position": str(state),
        "record": fields(state),
        "moves": [str(move) for move in state.moves()],
        "start": str(position.start) if known else None,
        "played": list(position.moves) if known else None,
        "seconds": limit.seconds,
        "nodes": limit.nodes,
        "depth": limit.depth,
        "simulations": limit.simulations,
        "clock": clock,
        "seed": seed,
    }


def fields(state: State[Any]) -> dict[str, Any] | None:
    """The fields of a record as numbers and lists; None for a state in plain Python."""
    if not isinstance(state, RecordState):
        return None
    record = state.view
    return {name: record[name].tolist() for name in record.dtype.names}


def renaming(number: int) -> dict[int, str]:
    """Return new names of the letters for `str.translate`, alike for both cases; none for 0.

    >>> "e2e4 Nf3".translate(renaming(1)).isascii(), renaming(0)
    (True, {})
    """
    if not number:
        return {}
    order = list(range(26))
    Random(number).shuffle(order)
    pairs = [(letters[old], letters[new]) for letters in (ascii_lowercase, ascii_uppercase)
             for old, new in enumerate(order)]  # fmt: skip
    return {ord(old): new for old, new in pairs}


def disguised(asked: dict[str, Any], names: dict[int, str]) -> dict[str, Any]:
    """Return a request in other letters, without the name of the game."""
    texts: dict[str, Any] = {}
    for key in ("position", "start", "moves", "played"):
        found = asked[key]
        if isinstance(found, str):
            texts[key] = found.translate(names)
        elif found is not None:
            texts[key] = [each.translate(names) for each in found]
    return asked | texts | {"game": None, "record": None}


@frozen
class Lines(Asking):
    """A search played by a program in any language, by a line of JSON for each move.

    The program sees what its seat sees, and nothing more. Its process serves game after game; when
    it crashes, hangs or breaks the protocol, it is ended with its process group.
    """

    name = "lines"
    proves = False
    limits = frozenset({"seconds", "nodes", "depth", "simulations"})

    command: tuple[str, ...] = field(default=(), converter=tuple, metadata={"outside": True})
    """The program and its arguments, each by itself."""
    patience: float = field(default=30.0, validator=gt(0))
    """The additional seconds for the first move, in which a program starts."""
    restart: bool = False
    """Start a new process for each game."""
    disguise: int = field(default=0, validator=ge(0))
    """A number by which the letters of positions and moves are renamed, and the game's name and
    record are left out, so that a player has to reason and not remember; 0 renames nothing."""
    log: str = field(default="", metadata={"outside": True})
    """A file to which every line is added that is sent to it, or comes from it; none if empty."""

    def converse(self) -> LinesClient:
        """Start a process."""
        return LinesClient(self)


class LinesClient(Conversation):
    """A process that plays, by lines of JSON; the end of its input says that it may end."""

    farewell = ""

    def introduce(self, search: Lines) -> None:
        """Read the settings; the first request begins the conversation."""
        self.grace = self.patience
        self.names = renaming(search.disguise)

    def answer(
        self, position: Position, limit: Limit, game: Game[Any] | None, rng: np.random.Generator
    ) -> Result:
        """Return its move and its claims; raise SearchError for a line that is not an answer."""
        state = position.state
        asked = request(position, limit, int(rng.integers(1 << 31)), game)
        if self.names:
            asked = disguised(asked, self.names)
        self.program.write(json.dumps(asked))
        line = self.program.read(self.deadline_of(limit, self.grace))
        self.grace = 0.0
        if len(line) > MOST:
            raise SearchError(f"{self.title} writes a line of more than {MOST:,} letters")
        try:
            found = json.loads(line)
        except (ValueError, RecursionError):
            found = None
        if not isinstance(found, dict):
            raise SearchError(
                f'{self.title} answered {quoted(line)}; write one object a line: {{"move": "..."}}'
            )
        if found.get("resign") is True:
            return Result(-state.largest, extra={"resigns": True})
        return self._result(state, found)

    def _result(self, state: State[Any], found: Mapping[str, Any]) -> Result:
        text, plain = found.get("move"), {ord(new): chr(old) for old, new in self.names.items()}
        if not isinstance(text, str):
            raise SearchError(
                f"{self.title} answered without `move`, or one that is not a text; write one of "
                f"`moves`"
            )
        text = text.translate(plain)
        try:
            move = parse_move(state, text)
        except GameError:  # the referee judges it
            return Result(0.0, line=(text,))
        value, nodes, extra = found.get("value"), found.get("nodes", 0), {}
        value = 0.0 if value is None else value  # null, as in requests, means none
        if type(value) not in (int, float) or not abs(value) < HUGE:
            raise SearchError(
                f"{self.title} answered the value {quoted(str(value))}, which is not a number"
            )
        if isinstance(policy := found.get("policy"), dict):
            policy = {name.translate(plain): p for name, p in policy.items()}
            extra[POLICY] = self._policy(state, policy)
        value = max(-state.largest, min(state.largest, float(value)))
        counted = nodes if type(nodes) is int and 0 <= nodes < HUGE else 0
        return Result(value, line=(move,), nodes=counted, extra=extra)

    def _policy(self, state: State[Any], policy: Mapping[str, Any]) -> dict[str, float]:
        """The probabilities of moves; raises SearchError where they are none."""
        legal = {str(move) for move in state.moves()}
        numbers = [p for p in policy.values() if type(p) in (int, float) and p >= 0]
        if not policy.keys() <= legal or len(numbers) < len(policy) or abs(sum(numbers) - 1) > 1e-6:
            raise SearchError(
                f"{self.title} answered a policy that is not a probability for each legal move, 1 "
                f"together"
            )
        return {move: float(policy.get(move, 0.0)) for move in legal}


def reply(line: str, run: Run, game: Game[Any], typed: Limit, seed: int) -> dict[str, Any]:
    """The answer of dragon to a request; raises DragonError."""
    try:
        asked = json.loads(line)
    except (ValueError, RecursionError):
        asked = None
    if not isinstance(asked, dict) or not isinstance(asked.get("position"), str):
        raise ProtocolError(f'{quoted(line)} is not a request: {{"position": "...", ...}}')
    if isinstance(spec := asked.get("game"), str) and read_game(spec, elsewhere=CONTROLLER) != game:
        raise ProtocolError(f"this player was started for {game}, not {spec}")
    state = game.parse(asked["position"])
    if state.turn in (CHANCE, TERMINAL):
        raise ProtocolError(f"no seat is to move in {state}")
    given: dict[str, Any] = {
        name: number
        for name in ("seconds", "nodes", "depth", "simulations")
        if (number := _number(asked, name, float if name == "seconds" else int)) is not None
    }
    clock = asked.get("clock")
    if isinstance(clock, dict) and (left := _number(clock, "left", float)) is not None:
        moves, increment = _number(clock, "moves", int), _number(clock, "increment", float) or 0.0
        given["seconds"] = clock_share(left, moves, increment, RESERVE)
    elif "seconds" in given:
        given["seconds"] = max(given["seconds"] - RESERVE, given["seconds"] / 2)
    limit = Limit(**given) or typed or Limit(seconds=1.0)
    result = run.best(Position(state), limit, _number(asked, "seed", int) or seed)
    answer = {
        "move": str(result.move),
        "value": result.value,
        "nodes": result.nodes,
        "line": [str(move) for move in result.line],
    }
    if POLICY in result.extra:
        answer["policy"] = dict(result.extra[POLICY])
    return answer


def _number(asked: Mapping[str, Any], key: str, kind: type) -> Any:
    """A number above 0 of a request, None for null and for 0; raises ProtocolError."""
    given = asked.get(key)
    if given is None or (given == 0 and given is not False):
        return None
    fits = type(given) is int or (kind is float and type(given) is float)
    if not fits or not 0 < given < HUGE:
        raise ProtocolError(f"{key} is {quoted(str(given))}; write a number above 0, or null")
    return given


@click.command()
@click.argument("game_spec", metavar="GAME")
@with_search
@limits
@with_seed
def lines(game_spec: str, search_spec: str | None, seed: int, **given: Any) -> None:
    """Play GAME as a program that answers lines of JSON.

    Any game, chance and hidden information too: a request has the position as its seat sees it.
    The answer is a line of JSON with `move`, `value`, `nodes` and `line`; an error is a line with
    `error`. The other way round, the search `lines(command=[...])` is played by a program in any
    language; its page in the documentation has players of ten lines.

    \b
    Examples:
      echo '{"position": ".../.X./... O"}' | dragon lines tictactoe
      dragon lines leduc --search "determinize(search='mcts')" --seconds 0.2
    """
    played = read_game(game_spec)
    search = chosen_search(search_spec, played)
    with OPTIMISED.under("1"), search.open(played) as run:  # no move waits for better code
        for line in stdin_lines():
            if not line.strip():
                continue
            try:
                answer = reply(line.strip(), run, played, limit_of(given), seed)
            except DragonError as wrong:
                answer = {"error": " ".join(str(wrong).split())}
            print(json.dumps(answer), flush=True)
