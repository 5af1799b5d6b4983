"""The checking of results again: every game on record is replayed, by the rules alone.

What a record says of its moves, its end and its points must follow from the moves, the values and
the settings beside it. Nodes and seconds, and how players came to their moves, cannot be checked.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, ClassVar

from attrs import frozen

from dragon import config
from dragon.core import CHANCE, TERMINAL, Bound, Game, State
from dragon.errors import DragonError
from dragon.protocols import Checked
from dragon.rules.playout import roll
from dragon_tournament.adjudication import (
    Adjudication,
    Claim,
    Draw,
    Resign,
    possible,
    scores_of,
)
from dragon_tournament.config.reading import games_in
from dragon_tournament.pairing import LUCK, generator
from dragon_tournament.records.attempt import Sought
from dragon_tournament.records.event_log import IncidentKind, last_run
from dragon_tournament.records.files import RecordFile, settings_in
from dragon_tournament.records.record import (
    FAILURES,
    GIVEN_UP,
    JUDGE,
    ROUNDING,
    TOO_LONG,
    Reason,
    Record,
    award,
)
from dragon_tournament.records.replay import (
    RECORD,
    Step,
    Typed,
    Unplayable,
    game_of,
    lines_of,
    replay,
)
from dragon_tournament.referees.match import forfeited
from dragon_tournament.referees.solo import EPSILON, points_of
from dragon_tournament.report.reader import records_path
from dragon_tournament.schedule import id_of, seed_of_game

SHOWN = 20  # wrong games that are named to people
UNFINISHED = {IncidentKind.INTERRUPTED, IncidentKind.FAILED, IncidentKind.ASIDE}
STEP = 100  # games between two reports of progress


class Wrong(Exception):
    """Something in a record that does not follow from the rest."""


@frozen
class ResultsChecker:
    """The checker of the records of tournaments."""

    name: ClassVar[str] = "results"

    def suits(self, path: Path) -> bool:
        """Return True for a folder, a TOML file, and a file of records."""
        return path.is_dir() or path.suffix in (".toml", ".jsonl")

    def check(
        self, path: Path, game: Game[Any] | None, watch: Callable[[str, int, str], object]
    ) -> Iterator[Checked]:
        """Replay all games; one outcome for all of them. Raises DragonError if there are none."""
        file, about = RecordFile(records_path(path)), settings_in(records_path(path).parent)
        typed: Typed | None = games_in(path) if path.suffix == ".toml" else None
        typed = typed if game is None else {**(typed or {}), str(game): game}
        games = judged = 0
        wrong = []
        for record in file.stream():
            games += 1
            judged += record.judged
            try:
                check_record(record, about, typed)
            except Wrong as reason:
                cause = f"{reason}; it was edited, or the rules have changed"
                wrong.append({"game": games, "id": record.id, "reason": cause})
            except Unplayable as reason:
                wrong.append({"game": games, "id": record.id, "reason": str(reason)})
            if games % STEP == 0:
                watch(f"replaying {path}", games, "games")
        said = [str(junk) for junk in file.junk]
        said += [
            f"line {line} has game {each} once more, which does not count; delete it"
            for line, each in file.twice
        ]
        missing = _missing(records_path(path).parent, about, games + len(file.junk))
        if missing:
            said.append(
                f"games without a record, though they were played: {missing:,} of "
                f"{about['total']:,}; dragon tournament plays them again"
            )
        said += [f"game {each['game']} ({each['id']}): {each['reason']}" for each in wrong]
        if len(said) > SHOWN:
            more = len(said) - SHOWN
            said[SHOWN:] = [f"{more:,} more are wrong; dragon check --json names all of them"]
        shown = {
            "file": str(path), "tournament": about.get("name"), "games": games,
            "adjudicated": judged, "broken_lines": len(file.junk), "wrong": wrong,
            "missing": missing, "repeated_lines": [line for line, _ in file.twice],
            "holds": not said,
        }  # fmt: skip
        if said:
            text = f"{path}: {games - len(wrong):,} of {games:,} games hold"
        else:
            text = f"{path}: all {games:,} games hold, {judged:,} of them adjudicated"
        yield Checked(shown, text, tuple(said))


def _missing(folder: Path, about: Mapping[str, Any], games: int) -> int:
    """Return how many games lack a line in a folder where all were played; games: the lines."""
    left = about.get("total", 0) - games
    last = last_run(folder)
    whole = IncidentKind.ENDED in last and not UNFINISHED.intersection(last)
    return left if left > 0 and whole and about.get("sprt") is None else 0


def check_record(record: Record, about: Mapping[str, Any], typed: Typed | None = None) -> None:
    """Raise Wrong for a record that does not follow from its moves and the settings.

    about: the settings of tournament.json, as far as there are any. typed: as for `game_of`, and
    so Unplayable is raised, too.
    """
    _check_id(record, about)
    if record.sought is Sought.NOTHING:
        _check_match(record, about, typed)
    else:
        _check_solo(record, typed)


def _hold(true: bool, sentence: str) -> None:
    if not true:
        raise Wrong(sentence)


def _near(given: Sequence[float], right: Sequence[float]) -> bool:
    pairs = zip(given, right, strict=True)
    return len(given) == len(right) and all(abs(a - b) <= ROUNDING for a, b in pairs)


def _check_id(record: Record, about: Mapping[str, Any]) -> None:
    """Check players, opening and seeds by the id, which is a hash of them."""
    tables = {each.get("name") for each in about.get("instances", ())}
    if record.index is None or not about or "tune" in about or tables:
        return
    try:
        wanted = id_of(
            about, record.seats, record.index, record.deal, record.opening, record.position
        )
    except KeyError as key:
        raise Wrong(f"its player {key} is not one of the tournament's") from None
    _hold(
        wanted == record.id and record.seed == seed_of_game(about["seed"], wanted),
        "players, opening, deal or seed are not those of its id",
    )


# ---- matches -------------------------------------------------------------------------------------


def _check_match(record: Record, about: Mapping[str, Any], typed: Typed | None) -> None:
    game = game_of(record, typed)
    _hold(record.teams == game.teams, f"the teams of {game} are {game.teams}")
    steps = list(_lucky(record, typed))
    last = steps[-1].state
    plies = about.get("plies")
    _hold(plies is None or len(steps) <= plies + 1, f"a game ends after {plies} plies at most")
    if record.reason is Reason.TERMINAL:
        _hold(last.turn == TERMINAL, "its moves do not end the game")
        right = tuple(map(float, last.payoff()))
        rules = rules_in(about)
        if rules is not None and record.values:
            _replayed(record, rules, steps)
    else:
        _hold(last.turn != TERMINAL, "its moves end the game by the rules")
        loser = _judged(record, about, steps)
        if record.reason is Reason.PROVEN:
            judged = record.detail.startswith(f"{JUDGE} ")
            right = _settled(record, about, last) if judged else _proven(record, steps)
        else:
            right = forfeited(game.teams, loser, steps[0].state.largest)
    _hold(_near(record.scores, right), f"it pays {_shown(right)}, not {_shown(record.scores)}")
    points = award(right, game.teams)
    wrong = f"its points are {_shown(points)}, not {_shown(record.points)}"
    _hold(_near(record.points, points), wrong)


def _lucky(record: Record, typed: Typed | None) -> Iterator[Step]:
    """Replay a match; raise Wrong for a move of chance that its deal does not draw."""
    luck, state = generator(LUCK, record.deal), None
    for ply, step in enumerate(replay(record, typed=typed)):
        if state is not None and step.mover == CHANCE and not step.given:
            rolled = str(roll(state, luck))
            _hold(rolled == step.move, f"chance draws {rolled} at ply {ply}, not {step.move}")
        state = step.state
        yield step


def _judged(record: Record, about: Mapping[str, Any], steps: Sequence[Step]) -> tuple[int, ...]:
    """Return the seats that lost a match that its rules did not end; raise Wrong."""
    if record.reason in FAILURES:
        _hold(bool(record.failed), f"no seat failed, and it ended by {record.reason}")
        return record.failed
    _hold(not record.failed, f"a seat failed, and it ended by {record.reason}")
    if record.reason is Reason.ADJUDICATED:
        if record.detail.endswith(TOO_LONG):
            limit = about.get("plies", len(steps) - 1)
            _hold(len(steps) - 1 == limit, f"it has {len(steps) - 1} plies, and not {limit}")
        return ()
    if record.reason is Reason.RESIGNED and record.detail.endswith(GIVEN_UP):
        return (steps[-1].state.turn,)
    rules = rules_in(about)
    if rules is None or not record.values:
        return (steps[-1].mover,) if record.reason is Reason.RESIGNED else ()
    return _replayed(record, rules, steps)


def _replayed(record: Record, rules: Adjudication, steps: Sequence[Step]) -> tuple[int, ...]:
    """Judge the values on record again; return the seats that lost, or raise Wrong."""
    claims: list[Claim] = []
    given = len(record.opening)
    for ply, (value, step) in enumerate(
        zip(record.values, steps[given + 1 :], strict=True), given + 1
    ):
        if step.mover == CHANCE:
            continue
        claims.append(Claim(step.mover, math.nan if value is None else value))
        found, losers = rules.ended(claims, record.teams, ply)
        if ply == len(steps) - 1:
            settled = record.reason in (Reason.PROVEN, Reason.TERMINAL) or found is record.reason
            _hold(settled, f"its values do not end it as {record.reason}")
            return losers
        _hold(found is None, f"its values end it as {found} at ply {ply}")
    return ()


def _proven(record: Record, steps: Sequence[Step]) -> tuple[float, ...]:
    """Return the payoffs of a proof, which must be possible; raise Wrong."""
    state, mover = steps[-1].state, steps[-1].mover
    value = record.values[-1] if record.values else record.scores[max(mover, 0)]
    if value is None or not possible(value, state):
        raise Wrong("the game cannot pay what was proven")
    return scores_of(Claim(mover, value), record.teams)


def _settled(record: Record, about: Mapping[str, Any], last: State[Any]) -> tuple[float, ...]:
    """Return the payoffs of what the judge proves again; one that reads a file is accepted."""
    rules = rules_in(about)
    if rules is None or rules.judge is None:
        value = record.scores[last.turn]
    else:
        result = rules.judge.best(last, rules.judge_limit)
        _hold(result.bound is Bound.EXACT, f"{rules.judge} does not prove its last position")
        value = float(result.value)
    _hold(possible(value, last), "the game cannot pay what was proven")
    return scores_of(Claim(last.turn, value), record.teams)


def rules_in(about: Mapping[str, Any]) -> Adjudication | None:
    """Return the rules of adjudication in tournament.json, without the search that checks.

    A judge that reads files is left out, too, since the settings may come from elsewhere.
    """
    table = about.get("adjudication")
    if not isinstance(table, dict):
        return None
    judge = None
    with suppress(DragonError):
        judge = config.search(table["judge"], elsewhere=RECORD) if "judge" in table else None
    try:
        return Adjudication(
            proven=bool(table.get("proven")),
            judge=judge,
            judge_nodes=table.get("judge_nodes", Adjudication().judge_nodes),
            resign=Resign(**table["resign"]) if "resign" in table else None,
            draw=Draw(**table["draw"]) if "draw" in table else None,
        )
    except (TypeError, ValueError) as wrong:
        raise Wrong(f"the adjudication of tournament.json is none ({wrong})") from None


def _shown(values: Sequence[float]) -> str:
    return " to ".join(f"{value:g}" for value in values)


# ---- races and estimates -------------------------------------------------------------------------


def _check_solo(record: Record, typed: Typed | None) -> None:
    """Replay the lines of a race, and give the points again."""
    attempts, ranked = record.attempts, []
    lines = dict(lines_of(record)) if record.sought is Sought.LINE else {}
    for seat, attempt in enumerate(attempts):
        if seat in lines:
            *_, last = replay(record, seat, typed)
            value = attempt.value
            _hold(
                value is None or last.state.turn == TERMINAL, f"the line of seat {seat} ends early"
            )
            paid = float(last.state.payoff()[0]) if last.state.turn == TERMINAL else None
            _hold(
                paid is None or (value is not None and abs(paid - value) <= EPSILON),
                f"the line of seat {seat} pays {paid}, not {value}",
            )
    for seat, attempt in enumerate(attempts):
        sound = seat not in record.failed
        score, solved = record.scores[seat], attempt.solved is not None
        _hold(not (solved and record.broken), "a race that broke off was solved")
        if record.sought is Sought.ESTIMATE and sound and attempt.value is not None:
            error = abs(attempt.value - (record.truth or 0.0))
            _hold(abs(score + error) <= ROUNDING, f"the error of seat {seat} is {error:g}")
        if record.sought is Sought.PROOF and sound:
            _hold(score == float(solved), f"the score of seat {seat} is {float(solved):g}")
        if record.sought is Sought.LINE and sound and attempt.value is not None:
            _hold(score == attempt.value, f"the score of seat {seat} is {attempt.value:g}")
        merit = (solved, score) if record.sought is Sought.LINE else (score,)
        ranked.append((sound, *merit))
    spent = [
        a.solved if a.solved is not None and seat not in record.failed else 0.0
        for seat, a in enumerate(attempts)
    ]
    points = points_of([()] * len(ranked) if record.broken else ranked, spent)
    wrong = f"its points are {_shown(points)}, not {_shown(record.points)}"
    _hold(_near(record.points, points), wrong)
