"""Certificates: proofs that a position is worth at least, or at most, a value, by a strategy.

A proof names one move for each position in which the side that it speaks for is to move. `check`
plays these against every reply, by the game's own State alone: without search, table or symmetry.
As text a proof is JSON, a line each for the claim and for every position.

A file that dragon writes has a seal in its first line, by which damage is found. A proof is valid
if it can be replayed by the rules as they are now, no matter where it comes from.
"""

from __future__ import annotations

import json
import logging
import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from attrs import frozen

from dragon.core import CHANCE, TERMINAL, Bound, State
from dragon.errors import BadProof
from dragon.files import replacing
from dragon.sealed import SEAL, is_intact, is_sealed, seal

log = logging.getLogger("dragon")
VERSION = 1
LARGEST = 1 << 30
"""The most bytes of a file with proofs."""
EPSILON = 1e-9
"""The rounding of payoffs: multiples of a unit that may not be an exact binary fraction."""
STEP = 1000
"""Positions between two reports of a replay."""


@frozen
class Proof:
    """A claim and the strategy that proves it.

    >>> import dragon
    >>> from dragon.certificate import Proof
    >>> state = dragon.game("nim(pile=3)").start()
    >>> Proof("nim(pile=3)", str(state), dragon.Bound.LOWER, 1.0, {"3 A": "3"}).check(state)
    2
    """

    game: str
    """The game's spec, for people who read a file."""
    position: str
    bound: Bound
    """LOWER or UPPER: whether `value` is the least or the most that the seat to move gets."""
    value: float
    """For the seat to move in `position`."""
    moves: Mapping[str, str]
    """The move for each position; both in the game's notation."""

    def check(self, state: State[Any], watch: Callable[[int], object] | None = None) -> int:
        """Replay the strategy from `state` against every reply, and return how many positions there
        were.

        `watch` is called now and then with the number of positions so far.

        Raises BadProof with the first position in which it fails: without a move, with one
        against the rules, with another end than claimed, or come to twice in one line.
        """
        self._check_claim(state)
        side = state.teams[state.turn]
        ours = {team for team in state.teams if (team == side) == (self.bound is Bound.LOWER)}
        seen: set[State[Any]] = {state}
        path, line = {state}, [(state, self._following(state, ours))]
        while line:
            here, following = line[-1]
            child = next(following, None)
            if child is None:
                line.pop()
                path.discard(here)
            elif child in path:
                raise BadProof(f"{child} comes again in one line, so the proof leans on itself")
            elif child not in seen:
                seen.add(child)
                if watch is not None and len(seen) % STEP == 0:
                    watch(len(seen))
                if child.turn == TERMINAL:
                    self._check_end(child, side)
                else:
                    path.add(child)
                    line.append((child, self._following(child, ours)))
        return len(seen)

    def _check_claim(self, state: State[Any]) -> None:
        if self.bound not in (Bound.LOWER, Bound.UPPER):
            raise BadProof(f"a proof shows a bound, {Bound.LOWER} or {Bound.UPPER}; not a value")
        if str(state) != self.position:
            raise BadProof(f"the proof is about {self.position}, not about {state}")
        if state.turn < 0:
            raise BadProof(f"no seat is to move in {state}, so there is nothing to prove")
        if not state.zero_sum or len(set(state.teams)) > 2:
            raise BadProof(f"{state} has more than two sides, or what one gains is not the other's")

    def _following(self, state: State[Any], ours: set[int]) -> Iterator[State[Any]]:
        """The states that the strategy has to face after `state`."""
        if state.turn == CHANCE:
            raise BadProof(f"chance decides in {state}, and a proof cannot reckon with it")
        moves = state.moves()
        if state.teams[state.turn] not in ours:
            yield from (state.after(move) for move in moves)
            return
        said = self.moves.get(str(state))
        if said is None:
            raise BadProof(f"the proof has no move for {state}")
        for move in moves:
            if str(move) == said:
                yield state.after(move)
                return
        raise BadProof(f"the proof plays {said} in {state}, which is against the rules")

    def _check_end(self, state: State[Any], side: int) -> None:
        paid = state.payoff()[0] if state.teams[0] == side else -state.payoff()[0]
        short = self.value - paid if self.bound is Bound.LOWER else paid - self.value
        if not short <= EPSILON:  # nor is it where nothing can be said of a number
            raise BadProof(f"{state} pays {paid:g}, but the claim is {self.bound} {self.value:g}")

    def lines(self, **more: str) -> Iterator[str]:
        """Yield the proof as JSON: the claim, then position and move of each.

        more: further keys of the claim, which readers ignore.
        """
        head: dict[str, Any] = {"proof": VERSION, **more, "game": self.game}
        claim = {"position": self.position, "bound": str(self.bound), "value": self.value}
        yield json.dumps(head | claim)
        for position, move in self.moves.items():
            yield json.dumps({"at": position, "play": move})


def write(path: str | Path, proofs: Iterable[Proof]) -> None:
    """Write proofs into a sealed file, one after another; the old file stays until all is there."""
    lines: list[str] = []
    for proof in proofs:
        lines += proof.lines() if lines else proof.lines(seal=SEAL)
    with replacing(Path(path)) as file:
        file.write(seal("".join(f"{line}\n" for line in lines).encode()))


def read(path: str | Path) -> list[Proof]:
    """Return the proofs in a file, not replayed yet: a claim begins a new one.

    Where its seal is broken a warning says so. Raises BadProof with the line that cannot be read.
    """
    proofs: list[tuple[dict[str, Any], dict[str, str]]] = []
    for number, line in enumerate(_lines(path), 1):
        if not line.strip():
            continue
        try:
            found = json.loads(line)
            if not isinstance(found, dict):
                raise ValueError("not an object; a proof has one on each line")
            if not proofs or "proof" in found:
                proofs.append((_claim(found), {}))
                continue
            moves = proofs[-1][1]
            if str(found["at"]) in moves:
                raise ValueError(f"{found['at']} has a move already")
            moves[str(found["at"])] = str(found["play"])
        except (ValueError, KeyError, TypeError, RecursionError) as wrong:
            what = f"{wrong} is missing" if isinstance(wrong, KeyError) else wrong
            raise BadProof(f"{path}, line {number}: {what}") from wrong
    if not proofs:
        raise BadProof(f"{path} is empty; the first line of a proof is its claim")
    return [Proof(**claim, moves=moves) for claim, moves in proofs]


def _lines(path: str | Path) -> list[str]:
    try:
        with Path(path).open("rb") as file:
            data = file.read(LARGEST + 1)
        if len(data) > LARGEST:
            raise BadProof(f"{path} has more than {LARGEST:,} bytes, too many for proofs")
        if (is_sealed(data) or b'"seal"' in data.partition(b"\n")[0]) and not is_intact(data):
            log.warning(
                "%s is damaged, or was changed since dragon wrote it: its checksum is another one; "
                "only the replay counts, and `dragon prove` writes the proof again", path,
            )  # fmt: skip
        return data.decode().splitlines()
    except UnicodeDecodeError as wrong:
        raise BadProof(
            f"{path}: not a text file in UTF-8 ({wrong.reason}); save it as UTF-8"
        ) from wrong
    except OSError as wrong:
        raise BadProof(
            f"cannot read {path}: {wrong.strerror or wrong}; "
            f"give a file with proofs, or a folder of results"
        ) from wrong


def _claim(found: Any) -> dict[str, Any]:
    if found["proof"] != VERSION:
        raise ValueError(f"a proof of version {found['proof']}; this dragon reads {VERSION}")
    value = float(found["value"])
    if not math.isfinite(value):
        raise ValueError(f"the value {value:g} is not a payoff")
    return {
        "game": str(found["game"]),
        "position": str(found["position"]),
        "bound": Bound(found["bound"]),
        "value": value,
    }
