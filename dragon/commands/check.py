"""`dragon check`: replays the proofs in files by the rules of their games alone."""

from __future__ import annotations

from functools import partial
from typing import Any

import click

from dragon.certificate import Proof, read
from dragon.cli_tools import as_json, number, tell
from dragon.commands.prove import watching
from dragon.config import Elsewhere, game, parsed
from dragon.core import Game
from dragon.errors import FAILED, BadProof, DragonError

PROOF = Elsewhere("a proof", "give the proof's game by --game")


@click.command()
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
@click.option(
    "--game", "spec", metavar="SPEC", help="The game of the proofs; needed if it reads a file."
)
@as_json
def check(files: tuple[str, ...], spec: str | None, as_json: bool) -> None:
    """Replay the proofs in files, as `dragon prove` writes them.

    Every reply is played against a proof's strategy by the rules of the game alone: no
    search, no table, no equivalent moves left out. The exit code is 0 if all claims hold, 1 if
    one does not, and 2 if a file cannot be read. With --json there is one object for each.

    A proof may come from a stranger, so one of a game that reads a file is only replayed
    if --game gives that game. Proofs of another game are refused then.

    \b
    Examples:
      dragon check nex-3x4.proof
      dragon check proofs/*.proof --json
    """
    typed = None if spec is None else game(spec)
    failed, proofs, unread = False, list[tuple[str, Proof, Any]](), list[DragonError]()
    for file in files:
        try:
            proofs += [(file, proof, _state(file, proof, typed)) for proof in read(file)]
        except DragonError as wrong:  # told when the others have been replayed
            unread.append(wrong)
    for file, proof, state in proofs:
        positions, reason = 0, None
        with watching() as watch:
            try:
                positions = proof.check(state, partial(watch, f"replaying {file}"))
            except BadProof as error:
                reason, failed = str(error), True
        claim = f"{proof.game}, {proof.position}: {proof.bound} {number(proof.value)}"
        size = f"{len(proof.moves):,} moves, {positions:,} positions"
        said = f"{file}: {claim} " + (f"holds ({size})" if reason is None else "fails")
        row = {
            "file": file,
            "game": proof.game,
            "position": proof.position,
            "bound": str(proof.bound),
            "value": proof.value,
            "moves": len(proof.moves),
            "positions": positions,
            "holds": reason is None,
            "reason": reason,
        }
        tell(as_json, row, said)
        if reason is not None and not as_json:
            click.echo(f"dragon: {file}: {reason}", err=True)
    if unread:
        for other in unread[:-1]:
            click.echo(f"dragon: {other}", err=True)
        raise unread[-1]
    if failed:
        raise SystemExit(FAILED)


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
