"""`dragon annotate`: the value of each move of a game, in every form that games are written in."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

import click
from attrs import evolve, frozen

from dragon.cli_tools import (
    as_json,
    chosen_search,
    followed,
    limit_of,
    limits,
    number,
    say_caveats,
    tell,
    with_checks,
    with_search,
    with_seed,
)
from dragon.config import Elsewhere, game, read_text, search
from dragon.core import TERMINAL, Bound, Game, Limit, Position, Result, Run, Search, State
from dragon.errors import BadNotation, ConfigError, DragonError, did_you_mean
from dragon.files import STDOUT, write
from dragon.protocols import Form, Transcript, seat_names
from dragon.search.alphabeta.values import has
from dragon.transcripts import common, forms_of, read, recognised
from dragon.transcripts.replay import Replay, add_comment, replayed

SECONDS = 0.5
"""Of thought about a position, where no limit is given and the search does not end by itself."""
GUESSING = ("mcts",)
"""The searches for estimates in a game that does not say what a position is worth."""
VARIANT = re.compile(r'^\[Variant "([^"]+)"\]', re.M)
"""The tag of PGN by which `dragon export` names the game."""
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
    """Say what each move of a game was worth.

    FILE is a record in any form that an installed game has, or - for stdin: PGN, PDN, SGF, links
    of HexWorld, match files of backgammon, lists of moves, and transcripts of dragon. A value is in
    units of payoff, for the side that moved; = is proven, ~ an estimate. ?? marks a move that
    changes who wins, ? one that gives up much. Without a limit each position gets half a
    second, or less where its value is proven before. Without --search, games that have no
    evaluation of their own are guessed at by mcts where alphabeta proves nothing; guesses are
    not marked.

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
    if limit is None or limit == Limit():
        limit = Limit(seconds=SECONDS)
    searches = [chosen_search(search_spec, of)]
    if search_spec is None and not has(replay.states[0], "evaluate"):
        searches += [each for each in map(search, GUESSING) if not each.objection(of)]
    if len(searches) > 1 and limit.seconds is not None:
        limit = evolve(limit, seconds=limit.seconds / len(searches))
    say_caveats(searches, limit)
    moves = sum(seat >= 0 for seat in replay.movers)
    plies, interrupted = followed(judged(of, replay, searches, limit, seed), moves, "moves")
    plies.reverse()
    if form is None:
        row = _row(of, transcript, searches, plies, moves, interrupted)
        tell(as_json, row, _report(of, transcript, plies, moves))
    else:
        into = known.get(form)
        comments = {each.number: _comment(each, into) for each in plies}
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


def _claim(value: float, exact: bool) -> str:
    return f"{'=' if exact else '~'} {number(round(value, 3) + 0.0)}"


def _comment(each: Judged, form: Form | None) -> str:
    """Return the mark of a move, its value in the form's own way and in ours, and a better one."""
    first = each.value if each.seat == 0 else -each.value
    said = form.evaluation(first, each.plies) if form else ""
    better = f", better {each.best} {_claim(each.best_value, each.best_exact)}" if each.mark else ""
    return " ".join(filter(None, (each.mark, said, _claim(each.value, each.exact)))) + better


def _report(of: Game[Any], transcript: Transcript, plies: list[Judged], moves: int) -> list[str]:
    names = seat_names(of, drawn=True)
    shown = transcript.players if len(transcript.players) == len(names) else names
    head = f"{of}: " + " - ".join(shown) + (f", {transcript.result}" if transcript.result else "")
    wide = max([6, *(len(each.move) for each in plies)])
    lines = [
        f"{each.number:4}  {names[each.seat]:<8} {each.move:<{wide}}  "
        f"{_claim(each.value, each.exact):<9}"
        + (f" {each.mark} better {each.best} {_claim(each.best_value, each.best_exact)}"
           if each.mark else "")
        for each in plies
    ]  # fmt: skip
    counts = [sum(each.mark == "??" and each.seat == seat for each in plies)
              for seat in range(len(names))]  # fmt: skip
    counted = ", ".join(f"{name} {count}" for name, count in zip(names, counts, strict=True))
    rest = f", {moves - len(plies)} not judged" if moves > len(plies) else ""
    return [head, *(line.rstrip() for line in lines), f"losing moves: {counted}{rest}"]


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
            }
            for each in plies
        ],
        "not_judged": moves - len(plies),
        "interrupted": interrupted,
    }


WON, LOST = 0.5, -0.5
"""The share of the largest payoff from which an estimate counts as won, and as lost."""
DROP = 0.3
"""The share of the largest payoff that a doubtful move loses by an estimate."""


@frozen
class Judged:
    """A move, what it was worth to the seat that made it, and what the best would have been."""

    number: int
    move: str
    seat: int
    value: float
    """In units of payoff, after the move."""
    exact: bool
    best: str
    best_value: float
    best_exact: bool
    largest: float
    """The largest payoff of the game."""
    plies: int | None = None
    """The plies from there to the end, if a proven line leads there."""
    guessed: bool = False
    """Whether one of the two values is of a further search, which guesses by samples."""

    @property
    def loss(self) -> float:
        """The amount by which the best was worth more, as far as the search could tell."""
        return max(0.0, self.best_value - self.value) if self.move != self.best else 0.0

    @property
    def mark(self) -> str:
        """`??` of a move that changes who wins, `?` of one that loses much, else nothing.

        Proven values are compared as they are; a small difference of estimates may be their error,
        and so may any difference of guesses.
        """
        before, after = (
            self._standing(self.best_value, self.best_exact),
            self._standing(self.value, self.exact),
        )
        if self.exact and self.best_exact and after < before:
            return "??"
        if self.guessed or self.loss < DROP * self.largest:
            return ""
        return "??" if after == -1 < before else "?"

    def _standing(self, value: float, exact: bool) -> int:
        """Return 1 for won, -1 for lost, 0 between."""
        share = value / self.largest
        low, high = (0.0, 0.0) if exact else (LOST, WON)
        return (share > high) - (share < low)


def judged(
    game: Game[Any], replay: Replay, searches: Sequence[Search], limit: Limit | None, seed: int = 0
) -> Iterator[Judged]:
    """Yield the judgement of each move that a seat made, from the last to the first.

    searches: each is asked, up to the limit, where those before it have proven nothing. From the
    end on, a table knows what comes after; moves of chance are not judged.
    """
    with ExitStack() as stack:
        runs = [stack.enter_context(search.open(game)) for search in searches]
        after = _value(runs, replay.states[-1], limit, seed)
        for number in range(len(replay.moves), 0, -1):
            state, move = replay.states[number - 1], replay.moves[number - 1]
            before = _value(runs, state, limit, seed)
            if state.turn >= 0 and before is not None and after is not None:
                teams = game.teams
                value, exact = _for(state.turn, teams, after)
                best = str(before.result.line[0]) if before.result and before.result.line else move
                best_value, best_exact = _for(state.turn, teams, before)
                if exact and not best_exact and value > best_value:
                    best, best_value, best_exact = move, value, exact
                yield Judged(
                    number, move, state.turn, value, exact, best, best_value, best_exact,
                    state.largest, after.plies, before.guessed or after.guessed,
                )  # fmt: skip
            after = before


@frozen
class _Worth:
    """The value of a state to a seat."""

    seat: int
    value: float
    exact: bool
    result: Result | None = None
    plies: int | None = None
    """The plies to the end of the game, if a proven line leads there."""
    guessed: bool = False
    """Whether a further search than the first has found it."""


def _for(seat: int, teams: tuple[int, ...], worth: _Worth) -> tuple[float, bool]:
    same = teams[seat] == teams[worth.seat]
    return (worth.value if same else -worth.value) + 0.0, worth.exact  # not -0


def _value(runs: Sequence[Run], state: State[Any], limit: Limit | None, seed: int) -> _Worth | None:
    """Return the value of a state to the seat to move, seat 0 at ends and where chance decides."""
    if state.turn == TERMINAL:
        return _Worth(0, state.payoff()[0], True, plies=0)
    worth = None
    for tried, run in enumerate(runs):
        for result in deque(run.results(Position(state, state), limit or Limit(), seed), maxlen=1):
            exact, last = result.bound is Bound.EXACT, state
            for move in result.line:
                last = last.after(move)
            plies = len(result.line) if exact and last.turn == TERMINAL else None
            worth = _Worth(max(0, state.turn), result.value, exact, result, plies, tried > 0)
        if worth is not None and worth.exact:
            break
    return worth


def with_comments(transcript: Transcript, comments: Mapping[int, str]) -> Transcript:
    """Return a transcript with more comments, each after the one that is there.

    A new `[%eval ...]` takes the place of one that is there.
    """
    merged = dict(transcript.comments)
    for at, said in comments.items():
        if "[%eval" in said and at in merged:
            merged[at] = " ".join(re.sub(r"\[%eval [^\]]*\]", "", merged[at]).split())
        add_comment(merged, at, said)
    return evolve(transcript, comments=merged)
