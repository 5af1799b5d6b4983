"""`dragon prove`: finds what a position is worth, and writes the proof down."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from dragon.commands.options import (
    Seconds,
    as_json,
    limit_of,
    number,
    plain,
    position,
    print_json,
    rate,
    say_caveats,
    with_checks,
    with_seed,
)
from dragon.commands.proofs import watching
from dragon.config import game, search
from dragon.core import TERMINAL, Game, Limit
from dragon.errors import ConfigError, GameError, Objection, SearchError
from dragon.seats import turn_name


@click.command()
@click.argument("game_spec", metavar="GAME")
@click.option("--position", "text", metavar="TEXT", help="The position; the start if not given.")
@click.option("--out", "file", metavar="FILE", help="Keep the proof in this file.")
@click.option("--search", "search_spec", metavar="SPEC", help="A `dfpn` with other settings.")
@click.option(
    "--most", type=click.IntRange(min=1), metavar="N", help="Positions in a proof; 100,000."
)
@click.option("--nodes", type=click.IntRange(min=1), metavar="N", help="Stop after N nodes.")
@click.option("--seconds", type=Seconds(), metavar="S",
              help="Stop after S seconds.")  # fmt: skip
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
    """Prove what a position of GAME is worth: a strategy that anybody can replay.

    The search dfpn finds the value, for the seat to move. Then the strategy is written out,
    a move for each position in which the proving side is to move, and replayed by the rules
    of the game alone. A value between the worst and the best has two proofs, of at least and
    of at most. `dragon check` replays a file again. Ctrl-C tells what is known by then.

    \b
    Examples:
      dragon prove "nex(rows=3, cols=4)" --out nex-3x4.proof
      dragon prove tictactoe --position "X../.O./... X" --json
      dragon prove connect4 --position "......./......./......./......./O..OX../XX.XO.O X"
      dragon prove "hex(size=4)" --search "dfpn(megabytes=500)" --seconds 60
    """
    from dragon.search.dfpn import DfPn
    from dragon.search.proving import MOST, Found, settle

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
        _writable(file)
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
        from dragon.proof import write

        write(file, found.proofs)
    told = row(of, asked, state, found, file if done else None, done)
    if as_json:
        print_json(told)
    else:
        click.echo(report(of, told))
    if interrupted:
        raise KeyboardInterrupt
    if stopped is not None:
        raise stopped


def _writable(file: str) -> None:
    """Raises ConfigError now where a proof could not be written later."""
    path = Path(file)
    try:
        if path.is_dir():
            raise IsADirectoryError(21, "it is a folder")
        draft = path.with_name(f"{path.name}.part")
        draft.touch()
        draft.unlink()
    except OSError as wrong:
        raise ConfigError(f"cannot write {file}: {wrong.strerror or wrong}") from wrong


def row(of: Any, asked: Any, state: Any, found: Any, file: str | None, done: bool) -> Any:
    """What was found, as one JSON object."""
    proofs = [
        {"bound": str(p.bound), "value": p.value, "moves": len(p.moves), "positions": n}
        for p, n in zip(found.proofs, found.positions, strict=True)
    ]
    return plain(
        {
            "game": str(of),
            "search": str(asked),
            "position": str(state),
            "turn": state.turn,
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


def report(of: Game[Any], told: dict[str, Any]) -> str:
    """The same on several lines, for people."""
    low, high = (number(told[key]) for key in ("at_least", "at_most"))
    value = f"= {low}" if low == high else f"from {low} to {high}"
    shown = [
        ("position", f"{told['position']}  ({told['game']})"),
        ("to move", turn_name(of, told["turn"])),
        ("value", value if told["proven"] else f"{value}, without a proof yet"),
        ("move", told["move"] or "-"),
    ]
    for each in told["proofs"]:
        claim = f"{each['bound']} {number(each['value'])}"
        size = f"{each['moves']:,} moves, replayed in {each['positions']:,} positions"
        shown.append(("proof", f"{claim}: {size}"))
    speed = rate(told["nodes"], told["seconds"])
    shown.append(("nodes", f"{told['nodes']:,} in {told['seconds']:.3f} s ({speed:,.0f}/s)"))
    if told["file"] is not None:
        shown.append(("file", told["file"]))
    return "\n".join(f"{name:<9} {text}" for name, text in shown)
