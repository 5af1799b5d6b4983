"""Checks: what is wrong with a tournament as a whole, though each of its tables is sound.

Each gives sentences with their addresses.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from dragon_tournament.config.problems import Problems
from dragon_tournament.formats.openings import number_of, opening_of, used
from dragon_tournament.formats.schedule import games_of, seatings_of
from dragon_tournament.formats.swiss import most, usual
from dragon_tournament.tournament import Tournament, is_dealt

MOST_GAMES = 1_000_000  # more would take too long
TRIED = 100  # random openings, to see that there are any; a game has its own when its turn comes


def mistakes(tournament: Tournament) -> Iterator[str]:
    """All of them, but for openings that cannot be played."""
    yield from _seats(tournament)
    if tournament.staged:
        yield from _rounds(tournament)
    yield from _plies(tournament)
    total = games_of(tournament)
    if total > MOST_GAMES:
        yield f"that makes {total:,} games in all; {MOST_GAMES:,} are the most; play fewer @ games"
    if tournament.sprt is not None:
        seatings = {seats for seats, _ in seatings_of(tournament)}
        for key, sentence in tournament.sprt.objections(len(seatings)):
            yield f"{sentence} @ sprt.{key}"
        yield from _test(tournament)


def _plies(tournament: Tournament) -> Iterator[str]:
    """Return True if openings leave a ply to be played before the game is adjudicated."""
    given, most = tournament.openings, tournament.plies
    longest = {"openings.random": given.random or 0}
    longest |= {f"openings.lines[{i}]": len(line) for i, line in enumerate(given.lines)}
    for at, plies in longest.items():
        if most is not None and plies >= most:
            yield f"{plies} plies leave none to be played, as plies = {most}; raise plies @ {at}"
            return


def _test(tournament: Tournament) -> Iterator[str]:
    """Return True if a test suits the tournament."""
    game, players = tournament.game, len(tournament.players)
    if players != 2:
        yield (
            f"the test is between two players, not {players}; leave the others, or the test, out "
            f"@ sprt"
        )
    if tournament.staged:
        style = tournament.format
        yield f"the test and format = {style!r} exclude each other; leave one out @ sprt"
    if tournament.encounters:
        yield "the test and [[pairing]] exclude each other; leave one out @ sprt"
    if any(len(set(pair)) < 2 for pair in tournament.pairs):
        yield "the test is between two players, who must meet in every pair @ pairs"
    if tournament.referee.seats(game) is None:
        yield f"{game} is played alone; the test needs opponents @ sprt"
    if tournament.graded:
        yield (
            f"the test counts who wins, and not how much {game} pays; leave it out, give the "
            f"number of games, and compare mean payoffs @ sprt"
        )


def _seats(tournament: Tournament) -> Iterator[str]:
    """Return True if pairings fill the seats, and every opening has its game."""
    game, seats = tournament.game, tournament.referee.seats(tournament.game)
    for index, encounter in enumerate(tournament.encounters):
        n = len(encounter.seats)
        if n == 0 or (seats is not None and n != seats):
            wanted = "at least one player" if seats is None else f"{seats} players"
            yield f"{game} seats {wanted}, not {n} @ pairing[{index}].seats"
    for index, pair in enumerate(tournament.pairs):
        if seats is not None and len(pair) != seats:
            yield f"{game} seats {seats} players, not {len(pair)} @ pairs[{index}]"
    if tournament.staged or tournament.sprt is not None:
        return  # openings are taken in turn from round to round, or until the test decides
    least = min([tournament.games] + [e.games for e in tournament.encounters if e.games])
    count = used(tournament.openings) or 1
    if least < count:
        yield (
            f"{least} games a pairing would leave {count - least} of {count} openings unplayed; "
            f"raise games to a multiple of {count} @ games"
        )


def _rounds(tournament: Tournament) -> Iterator[str]:
    """Return True if a Swiss or a knockout can be held."""
    style, players = tournament.format, len(tournament.players)
    if tournament.referee.seats(tournament.game) != 2:
        yield (
            f"a {style} is for games of two seats, which {tournament.game} is not; take a "
            f"round-robin @ format"
        )
    if players < 2:
        yield f"a {style} needs two players at least @ player"
    elif style == "swiss" and tournament.rounds > most(players):
        yield (
            f"{players} players can meet in {most(players)} rounds without meeting again, not in "
            f"{tournament.rounds}; take fewer rounds, or a round-robin @ rounds"
        )


def check_openings(tournament: Tournament, addresses: Sequence[str], problems: Problems) -> None:
    """Play every opening on the deals it will be used with; `addresses` are those of given ones."""
    given = tournament.openings
    if not used(given) and given.random is None:
        return
    games: Counter[tuple[str, ...]] = Counter()
    for seats, number in seatings_of(tournament):
        games[seats] += number
    last = max(games.values())
    if used(given) and not is_dealt(tournament.game):
        last = min(last, used(given))  # each is the same whenever it is played
    if tournament.staged:
        rounds = tournament.rounds or usual(len(tournament.players)) * (tournament.replays + 1)
        last = rounds * tournament.games
    if given.random is not None:
        last = min(last, given.count or last, TRIED)
    for index in range(last):
        at = "openings.random"
        if given.random is None:
            at = addresses[number_of(given, tournament.seed, index)]
        if problems.attempt(opening_of, tournament, index, at=at) is None:
            return
