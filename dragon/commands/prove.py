"""`dragon prove` finds what a position is worth and writes the proof, `dragon check` replays it.

It checks other results, too, by the checkers of plugins.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from dragon.certificate import Proof, read, write
from dragon.cli_tools import (
    as_json,
    check_writable,
    limit_of,
    number,
    progress_bar,
    rate,
    say_caveats,
    show_step,
    tell,
    with_checks,
    with_nodes,
    with_position,
    with_seconds,
    with_seed,
)
from dragon.columns import fields, filled
from dragon.config import Elsewhere, game, parsed, position, search
from dragon.core import TERMINAL, Game, Limit
from dragon.errors import FAILED, BadProof, DragonError, GameError, Objection, SearchError
from dragon.jsonable import plain, searched
from dragon.plugins import offers
from dragon.protocols import Checked, turn_name

if TYPE_CHECKING:
    from dragon.search.dfpn.search import Watch

PROOF = Elsewhere("a proof", "give the proof's game by --game")


@click.command()
@click.argument("game_spec", metavar="GAME")
@with_position
@click.option("--out", "file", metavar="FILE", help="Keep the proof in this file.")
@click.option("--search", "search_spec", metavar="SPEC", help="A `dfpn` with other settings.")
@click.option(
    "--most", type=click.IntRange(min=1), metavar="N", help="Positions in a proof; 100,000."
)
@with_nodes
@with_seconds
@with_seed
@with_checks
@as_json
def prove(
    game_spec: str,
    text: str | None,
    file: str | None,
    search_spec: str | None,
    most: int | None,
    seed: int,
    as_json: bool,
    **given: Any,
) -> None:
    """Prove the value of a position of GAME: a strategy that can be replayed.

    The search dfpn finds the value, for the seat to move. Then the strategy is written out,
    a move for each position in which the proving side is to move, and replayed by the rules
    of the game alone. A value between the worst and the best has two proofs, of at least and
    of at most. `dragon check` replays a file again. Ctrl-C ends it and prints what is known.

    \b
    Examples:
      dragon prove "nex(rows=3, cols=4)" --out nex-3x4.proof
      dragon prove tictactoe --position "X../.O./... X" --json
      dragon prove connect4 --position "......./......./......./......./O..OX../XX.XO.O X"
      dragon prove "hex(size=4)" --search "dfpn(megabytes=500)" --seconds 60
    """
    from dragon.search.dfpn.search import MOST, DfPn, Found, settle

    of = game(game_spec)
    asked = search(search_spec or "dfpn")
    if not isinstance(asked, DfPn):
        raise Objection(f"{asked} writes no proofs; take dfpn, or leave --search out")
    asked.check(of)
    state = position(of, text, seed)
    if state.turn == TERMINAL:
        raise GameError(f"the game is over in {state}, so there is nothing to prove")
    limit = limit_of(given) or Limit()
    say_caveats([asked], limit)
    if file is not None:
        check_writable(file)
    found, interrupted, stopped = Found(-state.largest, state.largest), False, None
    with watching() as watch:
        try:
            for step in settle(of, state, asked, limit, most or MOST, watch):
                found = step
        except KeyboardInterrupt:
            interrupted = True
        except SearchError as error:
            if isinstance(error, Objection):
                raise
            stopped = error
    done = not interrupted and stopped is None
    if done and file is not None:
        write(file, found.proofs)
    shown = row(of, asked, state, found, file if done else None, done)
    tell(as_json, shown, report(of, shown))
    if interrupted:
        raise KeyboardInterrupt
    if stopped is not None:
        raise stopped


@contextmanager
def watching() -> Iterator[Watch]:
    """A bar on a terminal, which appears after a second, and what moves it."""
    with progress_bar(unit="", unit_scale=True) as bar:

        def watch(doing: str, done: int, unit: str = "positions") -> None:
            bar.unit = f" {unit}"
            show_step(bar, doing, done)

        yield watch


def row(of: Any, asked: Any, state: Any, found: Any, file: str | None, done: bool) -> Any:
    """The result as one JSON object."""
    proofs = [
        {"bound": str(p.bound), "value": p.value, "moves": len(p.moves), "positions": n}
        for p, n in zip(found.proofs, found.positions, strict=True)
    ]
    return plain(
        searched(of, asked, state)
        | {
            "at_least": found.low,
            "at_most": found.high,
            "move": found.move if found.move is None else str(found.move),
            "proofs": proofs,
            "proven": done,
            "nodes": found.nodes,
            "seconds": found.seconds,
            "file": file,
        }
    )


def report(of: Game[Any], row: dict[str, Any]) -> str:
    """Print the result on several lines, for people."""
    low, high = (number(row[key]) for key in ("at_least", "at_most"))
    value = f"= {low}" if low == high else f"from {low} to {high}"
    shown = [
        ("position", f"{row['position']}  ({row['game']})"),
        ("to move", turn_name(of, row["turn"])),
        ("value", value if row["proven"] else f"{value}, without a proof yet"),
        ("move", row["move"] or "-"),
    ]
    for each in row["proofs"]:
        claim = f"{each['bound']} {number(each['value'])}"
        size = f"{each['moves']:,} moves, replayed in {each['positions']:,} positions"
        shown.append(("proof", f"{claim}: {size}"))
    speed = rate(row["nodes"], row["seconds"])
    shown.append(("nodes", f"{row['nodes']:,} in {row['seconds']:.3f} s ({speed:,.0f}/s)"))
    if row["file"] is not None:
        shown.append(("file", row["file"]))
    return "\n".join(fields(shown))


@click.command()
@click.argument("files", metavar="FILE|DIR...", nargs=-1, required=True)
@click.option(
    "--game", "spec", metavar="SPEC", help="The game, where it reads a file or is not installed."
)
@as_json
def check(files: tuple[str, ...], spec: str | None, as_json: bool) -> None:
    """Check again what can be checked: proofs in files, results of tournaments in folders.

    A proof is one that `dragon prove` wrote. Every reply is played against its strategy by the
    rules of the game alone: no search, no table, no equivalent moves left out. Of a tournament's
    folder every game is replayed: whether its moves are legal, they lead to its result, an
    adjudication follows from the values on record, and the game is the one of its id.

    The exit code is 0 if all claims hold, 1 if one does not, and 2 if a file cannot be read.
    With --json there is one object for each proof or folder.

    What is checked may come from a stranger, so a game that reads a file is only replayed
    if --game gives that game. Proofs of another game are refused then.

    \b
    Examples:
      dragon check nex-3x4.proof
      dragon check proofs/*.proof --json
      dragon check results/nex-3x3
    """
    typed = None if spec is None else game(spec)
    failed, unread = False, list[DragonError]()
    for file in files:
        path = Path(file)
        checkers = () if path.suffix == ".proof" else offers("dragon_checkers")
        own = next((each.value for each in checkers if each.value.suits(path)), Proofs)
        try:
            with watching() as watch:
                for found in own.check(path, typed, watch):
                    failed |= bool(found.wrong)
                    tell(as_json, found.shown, found.text)
                    for sentence in () if as_json else found.wrong:
                        click.echo(f"dragon: {file}: {sentence}", err=True)
        except DragonError as wrong:  # told when the others have been checked
            unread.append(wrong)
    if unread:
        for other in unread[:-1]:
            click.echo(f"dragon: {other}", err=True)
        raise unread[-1]
    if failed:
        raise SystemExit(FAILED)


class Proofs:
    """The checker of files with proofs."""

    @staticmethod
    def check(path: Path, typed: Game[Any] | None, watch: Watch) -> Iterator[Checked]:
        """Replay each proof of a file; raises DragonError if it cannot be read."""
        proofs = [(proof, _state(str(path), proof, typed)) for proof in read(path)]
        for proof, state in proofs:
            positions, reason = 0, None
            try:
                positions = proof.check(state, partial(watch, f"replaying {path}"))
            except BadProof as error:
                reason = str(error)
            claim = f"{proof.game}, {proof.position}: {proof.bound} {number(proof.value)}"
            size = f"{len(proof.moves):,} moves, {positions:,} positions"
            shown = {
                "file": str(path),
                "game": proof.game,
                "position": proof.position,
                "bound": str(proof.bound),
                "value": proof.value,
                "moves": len(proof.moves),
                "positions": positions,
                "holds": reason is None,
                "reason": reason,
            }
            verdict = f"holds ({size})" if reason is None else "fails"
            wrong = () if reason is None else (reason,)
            yield Checked(
                shown, "\n".join(filled([f"{path}: {claim} {verdict}"], 2, whole=True)), wrong
            )


def _state(file: str, proof: Proof, typed: Game[Any] | None) -> Any:
    """Return the root of a proof; raises BadProof if its game or position cannot be read.

    typed: the game that the user has given, which may reach outside.
    """
    try:
        if typed is None:
            return parsed(game(proof.game, elsewhere=PROOF), proof.position)
        if str(typed) != proof.game:
            raise BadProof(f"a proof of {proof.game}, not of {typed}; give its game by --game")
        return parsed(typed, proof.position)
    except DragonError as wrong:
        raise BadProof(f"{file}: {wrong}") from wrong
