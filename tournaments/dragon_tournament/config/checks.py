"""Checks: what is wrong with a tournament as a whole, though each of its tables is sound."""

from __future__ import annotations

from collections import Counter

from dragon_tournament.config.problems import Problems
from dragon_tournament.formats.openings import number_of, opening_of, used
from dragon_tournament.formats.schedule import games_of, seatings_of
from dragon_tournament.formats.swiss import most, usual
from dragon_tournament.tournament import Tournament

MOST_GAMES = 1_000_000  # nobody waits longer
TRIED = 100  # random openings, to see that there are any; a game has its own when its turn comes


def check_sprt(tournament: Tournament, problems: Problems) -> None:
    """Whether the test suits the tournament."""
    if tournament.sprt is None:
        return
    for key, sentence in tournament.sprt.objections(len(list(seatings_of(tournament)))):
        problems.add(f"{sentence} @ sprt.{key}")
    if len(tournament.players) != 2:
        problems.add(
            f"the test is between two players, not {len(tournament.players)}; leave the others, "
            f"or the test, out @ sprt"
        )
    if tournament.staged:
        problems.add(
            f"the test and format = {tournament.format!r} exclude each other; leave one out @ sprt"
        )
    if tournament.encounters:
        problems.add("the test and [[pairing]] exclude each other; leave one out @ sprt")
    if any(len(set(pair)) < 2 for pair in tournament.pairs):
        problems.add("the test is between two players, who must meet in every pair @ pairs")
    if tournament.referee.seats(tournament.game) is None:
        problems.add(f"{tournament.game} is played alone; the test needs opponents @ sprt")
    if tournament.graded:
        problems.add(
            f"the test counts who wins, and not how much {tournament.game} pays; leave it out, "
            f"give the number of games, and compare mean payoffs @ sprt"
        )


def check_seats(tournament: Tournament, problems: Problems) -> None:
    """Whether pairings fill the seats, and every opening has its game."""
    seats = tournament.referee.seats(tournament.game)
    for index, encounter in enumerate(tournament.encounters):
        n = len(encounter.seats)
        if n == 0 or (seats is not None and n != seats):
            wanted = "at least one player" if seats is None else f"{seats} players"
            problems.add(f"{tournament.game} seats {wanted}, not {n} @ pairing[{index}].seats")
    for index, pair in enumerate(tournament.pairs):
        if seats is not None and len(pair) != seats:
            problems.add(
                f"{tournament.game} seats {seats} players, not {len(pair)} @ pairs[{index}]"
            )
    if tournament.staged or tournament.sprt is not None:
        return  # openings are taken in turn from round to round, or until the test decides
    rounds = [tournament.games] + [e.games for e in tournament.encounters if e.games]
    count = used(tournament.openings) or 1
    if min(rounds) < count:
        problems.add(
            f"{min(rounds)} games a pairing would leave {count - min(rounds)} of {count} openings "
            f"unplayed; raise games to a multiple of {count} @ games"
        )


def check_size(tournament: Tournament, problems: Problems) -> None:
    """Whether anybody can wait for it."""
    total = games_of(tournament)
    if total > MOST_GAMES:
        problems.add(
            f"that makes {total:,} games in all; {MOST_GAMES:,} are the most, so play fewer @ games"
        )


def check_stages(tournament: Tournament, problems: Problems) -> None:
    """Whether a Swiss or a knockout can be held."""
    if not tournament.staged:
        return
    style, players = tournament.format, len(tournament.players)
    if tournament.referee.seats(tournament.game) != 2:
        problems.add(
            f"a {style} is for games of two seats, which {tournament.game} is not; take a "
            f"round-robin @ format"
        )
    if players < 2:
        problems.add(f"a {style} needs two players at least @ player")
    elif style == "swiss" and tournament.rounds > most(players):
        problems.add(
            f"{players} players can meet in {most(players)} rounds without meeting again, not in "
            f"{tournament.rounds}; take fewer rounds, or a round-robin @ rounds"
        )


def check_openings(tournament: Tournament, problems: Problems) -> None:
    """Plays every opening on the deals it will be used with."""
    given = tournament.openings
    if not used(given) and given.random is None:
        return
    games: Counter[tuple[str, ...]] = Counter()
    for seats, number in seatings_of(tournament):
        games[seats] += number
    last = max(games.values())
    if tournament.staged:
        rounds = tournament.rounds or usual(len(tournament.players)) * (tournament.replays + 1)
        last = rounds * tournament.games
    if given.random is not None:
        last = min(last, given.count or last, TRIED)
    for index in range(last):
        at = "openings.random"
        if given.random is None:
            key = "positions" if given.positions else "lines"
            at = f"openings.{key}[{number_of(given, tournament.seed, index)}]"
        if problems.attempt(opening_of, tournament, index, at=at) is None:
            return
