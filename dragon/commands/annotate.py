"""`dragon annotate`: the value of each move of a game, in every form that games are written in."""

from __future__ import annotations

import re
from contextlib import suppress
from pathlib import Path
from typing import Any

import click

from dragon.cli_tools import (
    as_json,
    followed,
    judges,
    limit_of,
    limits,
    say_caveats,
    tell,
    with_checks,
    with_search,
    with_seed,
)
from dragon.columns import table
from dragon.config import Elsewhere, game, read_text, search
from dragon.core import Game, Limit, Search, Trait
from dragon.errors import BadNotation, ConfigError, DragonError, did_you_mean
from dragon.files import STDOUT, write
from dragon.protocols import Transcript, seat_names
from dragon.transcripts import common, forms_of, read, recognised
from dragon.transcripts.annotation import Equilibrium, Judged, judged, with_comments
from dragon.transcripts.replay import replayed

VARIANT = re.compile(r'^\[Variant "([^"]+)"\]', re.M)
"""The tag of PGN by which `dragon export` names the game."""
SOUGHT = 20.0
"""Seconds in which an equilibrium is sought without a limit."""
RECORD = Elsewhere("the record of a game", "give the game by --rules")


@click.command()
@click.argument("file", metavar="FILE")
@click.option("--rules", "spec", metavar="GAME", help="The game; found by the text if not given.")
@click.option("--game", "wanted", type=click.IntRange(min=1), metavar="N",
              help="The game of a file with several; the first if not given.")  # fmt: skip
@with_search
@limits
@with_seed
@click.option("--to", "form", metavar="FORM", help="Write the annotated game in a form: pgn, sgf.")
@click.option("--out", type=click.Path(path_type=Path), metavar="PATH",
              help="Write to a file, - for stdout.")  # fmt: skip
@with_checks
@as_json
def annotate(
    file: str,
    spec: str | None,
    wanted: int | None,
    search_spec: str | None,
    seed: int,
    form: str | None,
    out: Path | None,
    as_json: bool,
    **given: Any,
) -> None:
    """Find the value of each move of a game.

    FILE is a record in any form that an installed game has, or - for stdin: PGN, PDN, SGF, links
    of HexWorld, match files of backgammon, lists of moves, and transcripts of dragon. A value is in
    units of payoff, for the side that moved; = is proven, ~ an estimate. ?? marks a move that
    changes who wins, ? one that gives up much. Without a limit each position gets half a
    second, or less where its value is proven before. Without --search, positions that alphabeta
    cannot prove are estimated by mcts in games without an evaluation; moves are not marked by
    estimates of mcts. A game with hidden information is judged by an equilibrium (cfr), if its tree
    is small enough: the equilibrium's moves at each information set, and the loss of the move
    against it.

    \b
    Examples:
      dragon annotate game.pgn
      dragon annotate games.pgn --game 3 --to pgn --out annotated.pgn
      dragon annotate othello.txt --rules reversi --seconds 2
      dragon annotate game.sgf --search dfpn --json
    """
    of, found = recorded(read_text(file, "the record of a game"), file, spec)
    if wanted is not None and wanted > len(found):
        raise ConfigError(f"{file} has {_games(len(found))}, and no game {wanted}")
    if wanted is None and len(found) > 1:
        click.echo(
            f"note: {file} has {_games(len(found))}, and this is the first; --game N takes "
            f"another, up to --game {len(found)}", err=True,
        )  # fmt: skip
    transcript = found[(wanted or 1) - 1]
    of = of if str(of) == transcript.game else game(transcript.game, elsewhere=RECORD)
    known = {each.name: each for each in forms_of(of)}
    if form is not None and form not in {*known, "dragon"}:
        raise ConfigError(
            f"{of} has no form {form!r}{did_you_mean(form, known)}; it has "
            f"{', '.join([*known, 'dragon'])}"
        )
    replay = replayed(of, transcript)
    limit = limit_of(given)
    moves = sum(seat >= 0 for seat in replay.movers)
    beside = _equilibrium(of, search_spec, limit)
    if beside is not None:
        searches, judging = [beside[0]], beside[1].judged(replay)
    else:
        searches, limit = judges(of, replay.states[0], search_spec, limit)
        say_caveats(searches, limit)
        judging = judged(of, replay, searches, limit, seed)
        if Trait.HIDDEN in of.traits:
            click.echo(
                f"note: {of} hides something, and no equilibrium judges: each value is by what the "
                "next to move has seen",
                err=True,
            )
    plies, interrupted = followed(judging, moves, "moves")
    plies.reverse()
    if form is None:
        row = _row(of, transcript, searches, plies, moves, interrupted)
        tell(as_json, row, _report(of, transcript, plies, moves))
    else:
        into = known.get(form)
        comments = {each.number: each.comment(into) for each in plies}
        annotated = with_comments(transcript, comments)
        text = into.write(of, annotated) if into else common(annotated)
        if text is None:
            raise ConfigError(f"{known[form].title} cannot say this game; leave out --to")
        if into is None or not into.commented:
            others = " or ".join(f"--to {name}" for name, each in known.items() if each.commented)
            click.echo(
                f"note: this form holds no values of moves{f'; {others} does' * bool(others)}",
                err=True,
            )
        if out is None or out == STDOUT:
            click.echo(text, nl=False)
        else:
            write(out, text)
    if interrupted:
        raise KeyboardInterrupt


def _equilibrium(
    of: Game[Any], spec: str | None, limit: Limit
) -> tuple[Search, Equilibrium] | None:
    """Return the judge of a game that hides something, if its tree can be kept; None for
    others, and where another search is asked for."""
    by = search(spec or "cfr")
    if Trait.HIDDEN not in of.traits or by.name != "cfr" or by.objection(of):
        return None
    from dragon.search.equilibrium.sequences import TooLarge

    with suppress(TooLarge):
        return by, Equilibrium(of, by, limit.seconds or SOUGHT)
    return None


def recorded(text: str, file: str, spec: str | None) -> tuple[Game[Any], list[Transcript]]:
    """Return the game of a text and what is recorded in it; raises ConfigError or BadNotation."""
    first = text.removeprefix("\ufeff").strip().partition("\n")[0]
    if spec is None and first.lower().startswith("game:"):
        spec = first.partition(":")[2].strip()
        of = game(spec, elsewhere=RECORD)
        return of, list(read(text, of))
    if spec is None and (variant := VARIANT.search(text)):
        with suppress(DragonError):  # the tag may name a variant of chess
            spec = str(game(variant[1], elsewhere=RECORD))
    if spec is not None:
        of = game(spec)
        try:
            return of, list(read(text, of))
        except BadNotation as wrong:
            raise BadNotation(f"{file}: {wrong}") from wrong
    found, mistake = recognised(text)
    if len(found) == 1:
        return found[0]
    if not found and mistake is not None:
        raise BadNotation(f"{file}: {mistake}") from mistake
    if not found:
        raise ConfigError(
            f"{file} is not the record of a game in a form that an installed game has; say which "
            "game it is by --rules, and see docs/what-can-i-paste.md"
        )
    names = " or ".join(of.name for of, _ in found)
    raise ConfigError(f"{file} may be a game of {names}; say which by --rules")


def _games(count: int) -> str:
    return f"{count} game{'s' * (count > 1)}"


def _report(of: Game[Any], transcript: Transcript, plies: list[Judged], moves: int) -> list[str]:
    names = seat_names(of, drawn=True)
    shown = transcript.players if len(transcript.players) == len(names) else names
    head = f"{of}: " + " - ".join(shown) + (f", {transcript.result}" if transcript.result else "")
    hidden = bool(plies) and plies[0].policy is not None
    rows = [
        (str(each.number), names[each.seat], each.move, each.claim,
         *((f"{each.loss:.3f}", each.odds) if hidden else ()),
         f"{each.mark}{each.better.removeprefix(',')}".strip())
        for each in plies
    ]  # fmt: skip
    columns = ("ply", "by", "move", "value", *("gave away", "it plays") * hidden, "")
    left = (1, 2, 3, 5, 6) if hidden else (1, 2, 3, 4)
    lines = table(columns, rows, left) if plies else []
    counts = [sum(each.loss if hidden else each.mark == "??" for each in plies if each.seat == seat)
              for seat in range(len(names))]  # fmt: skip
    counted = ", ".join(
        f"{name} {count:.3f}" if hidden else f"{name} {count}"
        for name, count in zip(names, counts, strict=True)
    )
    what = "given away to an equilibrium" if hidden else "losing moves"
    rest = f", {moves - len(plies)} not judged" if moves > len(plies) else ""
    return [head, *(line.rstrip() for line in lines), f"{what}: {counted}{rest}"]


def _row(
    of: Game[Any], transcript: Transcript, searches: list[Search], plies: list[Judged], moves: int,
    interrupted: bool,
) -> dict[str, Any]:  # fmt: skip
    return {
        "game": str(of),
        "players": transcript.players,
        "start": transcript.start or None,
        "result": transcript.result or None,
        "search": ", ".join(map(str, searches)),
        "moves": [
            {
                "number": each.number,
                "seat": each.seat,
                "move": each.move,
                "value": each.value,
                "exact": each.exact,
                "best": each.best,
                "best_value": each.best_value,
                "best_exact": each.best_exact,
                "loss": each.loss,
                "mark": each.mark or None,
                **({"policy": each.policy} if each.policy else {}),
            }
            for each in plies
        ],
        "not_judged": moves - len(plies),
        "interrupted": interrupted,
    }
