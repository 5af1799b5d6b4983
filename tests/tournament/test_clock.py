"""Clocks: how time is shared out, and who loses by it."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import dragon
from dragon import ConfigError, Limit, Position
from dragon_tournament.clock import SHORTEST, Clock
from dragon_tournament.config.reading import parse
from dragon_tournament.executors.local import InlineExecutor, ProcessExecutor
from dragon_tournament.records.in_flight import InFlightLog
from dragon_tournament.records.record import Reason, Record
from dragon_tournament.referees.seat import Forfeit, Seat
from dragon_tournament.schedule import Schedule

pytestmark = pytest.mark.usefixtures("scripted")
CLOCK = {"seconds": 60, "increment": 0.5}


def file(*players: dict[str, Any], **more: Any) -> dict[str, Any]:
    """A tournament of nim on the clock."""
    found = list(players) or [{"search": "mcts"}, {"search": "random"}]
    return {"game": "nim(pile=9)", "clock": CLOCK, "player": found, **more}


def play(table: dict[str, Any], workers: int = 0) -> list[Record]:
    """Its records."""
    tournament = parse(table)
    executor = ProcessExecutor(workers) if workers else InlineExecutor()
    return list(executor.map(tournament, Schedule(tournament).games()))


seconds = st.floats(0.001, 1e6)


@given(seconds, st.floats(0, 100), st.integers(1, 100), st.integers(1, 500))
def test_who_keeps_to_its_share_never_runs_out(
    start: float, increment: float, horizon: int, moves: int
) -> None:
    clock, remaining = Clock(start, increment, horizon), start
    for _ in range(moves):
        share = clock.share(remaining)
        assert share >= SHORTEST
        if remaining > 2 * SHORTEST:
            assert share <= remaining / 2
        remaining += increment - share
        assert remaining > -moves * SHORTEST


def test_the_share_is_what_the_documentation_says() -> None:
    assert Clock(60).share(60) == 2.0
    assert Clock(60, increment=1).share(60) == 2.75
    assert Clock(60, increment=10).share(4) == 2.0
    assert Clock(60, horizon=10).share(60) == 6.0
    assert Clock(60).share(-1) == SHORTEST


@given(seconds, st.floats(0, 100), st.integers(1, 60), st.integers(1, 300))
def test_who_keeps_to_its_share_never_runs_out_of_a_clock_of_moves(
    start: float, increment: float, period: int, moves: int
) -> None:
    """The clock gets its seconds once for each period that was begun."""
    clock, remaining = Clock(start, increment, moves=period), start
    spent = 0.0
    for made in range(moves):
        share = clock.share(remaining, made)
        if remaining > 2 * SHORTEST:
            assert share <= remaining / 2
        spent += share
        remaining += clock.gain(made + 1) - share
        assert remaining > -moves * SHORTEST
    given = start * (1 + moves // period) + increment * moves
    assert remaining + spent == pytest.approx(given)


def test_the_tighter_of_limit_and_clock_counts() -> None:
    clock = Clock(60)
    assert clock.limit(Limit(nodes=5), 60) == Limit(nodes=5, seconds=2.0)
    assert clock.limit(Limit(seconds=1.0), 60) == Limit(seconds=1.0)
    assert clock.limit(Limit(seconds=9.0), 60) == Limit(seconds=2.0)


class Watch:
    """A clock on the wall that only players move."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 0.0
        monkeypatch.setattr("time.perf_counter", lambda: self.now)


def seat_of(monkeypatch: pytest.MonkeyPatch, spends: list[float], **more: Any) -> Seat:
    """A seat whose player spends that much on its moves, in turn."""
    tournament = parse(file(**more))
    seat, watch = Seat(0, tournament.players[0], tournament, InFlightLog()), Watch(monkeypatch)
    seat.prepare(tournament.game)
    assert seat.run is not None
    best, left = seat.run.best, iter(spends)

    def slow(position: Position, *_: Any) -> Any:
        watch.now += next(left)
        return best(position, Limit(simulations=2))

    monkeypatch.setattr(seat.run, "best", slow)
    return seat


def test_time_goes_and_the_increment_comes(monkeypatch: pytest.MonkeyPatch) -> None:
    seat = seat_of(monkeypatch, [2.0, 5.0])
    state: Any = dragon.game("nim").start()
    assert (seat.remaining, seat.limit.seconds) == (60.0, 2.375)
    seat.ask(Position(state), 0)
    assert seat.remaining == pytest.approx(58.5)
    seat.ask(Position(state), 0)
    assert seat.remaining == pytest.approx(54.0)
    assert seat.limit.seconds == pytest.approx(54 / 30 + 0.375)
    assert seat.patience == pytest.approx(54 + 1 + 2)


def test_the_seconds_come_again_after_so_many_moves(monkeypatch: pytest.MonkeyPatch) -> None:
    seat = seat_of(monkeypatch, [2.0, 5.0, 1.0, 4.0], clock={"seconds": 12, "moves": 3})
    state: Any = dragon.game("nim").start()
    shares, left = [], []
    for _ in range(4):
        shares.append(seat.limit.seconds)
        seat.ask(Position(state), 0)
        left.append(seat.remaining)
    assert left == pytest.approx([10.0, 5.0, 4.0 + 12.0, 12.0])
    assert shares == pytest.approx([12 / 3, 10 / 2, 5 / 2, 16 / 3])


def test_the_margin_is_for_the_whole_game(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = {"seconds": 1.0}
    seat = seat_of(monkeypatch, [1.4, 0.5, 0.2], clock=clock, margin=1.0)
    state: Any = dragon.game("nim").start()
    seat.ask(Position(state), 0)
    seat.ask(Position(state), 0)
    assert seat.remaining == pytest.approx(-0.9)
    assert seat.limit.seconds == SHORTEST
    with pytest.raises(
        Forfeit, match=r"1\+0, was overstepped by 1\.100 seconds, 0\.200 of"
    ) as lost:
        seat.ask(Position(state), 0)
    assert lost.value.reason is Reason.TIMEOUT


def test_a_player_whose_clock_runs_out_loses_the_game() -> None:
    slow = {"search": "scripted", "name": "slow", "delay": 0.04, "clock": {"seconds": 0.05}}
    for record in play(file(slow, {"search": "random"}, margin=0.01)):
        seat = record.seats.index("slow")
        assert (record.reason, record.failed) == (Reason.TIMEOUT, (seat,))
        assert record.points[seat] == 0.0
        assert record.seconds[seat] > 0.06


@pytest.mark.full
def test_a_player_that_never_comes_back_loses_by_its_clock() -> None:
    stuck = {"search": "scripted", "name": "stuck", "misdeed": "stall", "clock": {"seconds": 0.2}}
    once = [{"seats": ["random", "stuck"]}]
    (record,) = play(file(stuck, {"search": "random"}, margin=0.1, pairing=once), workers=1)
    assert record.reason is Reason.TIMEOUT
    assert record.points == (1.0, 0.0)


@pytest.mark.alone
def test_on_the_clock_searches_keep_their_time() -> None:
    for record in play(file(clock={"seconds": 1.0, "horizon": 5}, margin=1.0)):
        assert record.reason is Reason.TERMINAL
        assert max(record.seconds) < 2.0


def test_players_may_have_clocks_of_their_own() -> None:
    quick = {"search": "mcts", "clock": {"seconds": 5, "increment": 0.1}}
    tournament = parse(file(quick, {"search": "mcts"}))
    assert [p.name for p in tournament.players] == ["mcts [clock=5+0.1]", "mcts"]
    assert [p.clock for p in tournament.players] == [Clock(5.0, 0.1), Clock(60.0, 0.5)]
    assert tournament.summary()["players"][0]["clock"] == {
        "seconds": 5.0, "increment": 0.1, "horizon": 30,
    }  # fmt: skip
    moves = {"search": "mcts", "clock": {"seconds": 5, "moves": 40}}
    tournament = parse(file(moves, {"search": "mcts"}))
    assert tournament.players[0].name == "mcts [clock=40/5+0]"
    assert tournament.summary()["players"][0]["clock"]["moves"] == 40


def test_a_clock_is_part_of_what_is_played() -> None:
    def ids(**more: Any) -> set[str]:
        return {p.id for p in Schedule(parse(file(**more))).games()}

    assert ids().isdisjoint(ids(clock={"seconds": 59}))
    assert ids().isdisjoint(ids(clock={**CLOCK, "moves": 40}))
    assert ids().isdisjoint(ids(margin=0.1))
    assert ids(clock=None).isdisjoint(ids())


def test_a_player_is_named_of_whose_limits_only_the_clock_counts() -> None:
    assert parse(file()).caveats() == []
    idle = {"search": "alphabeta", "limit": {"simulations": 9}}
    (caveat,) = parse(file(idle, {"search": "mcts"})).caveats()
    assert "ignores a limit in simulations, but not one in seconds" in caveat


MISTAKES: list[tuple[Any, str, str]] = [
    ({"seconds": 0}, "seconds", "@ clock.seconds"),
    ({"seconds": 1e9}, "seconds", "@ clock.seconds"),
    ({"seconds": float("nan")}, "finite", "@ clock.seconds"),
    ({"second": 60}, "did you mean 'seconds'?", "@ clock"),
    ({"seconds": 60, "increment": -1}, "increment", "@ clock.increment"),
    ({"seconds": 60, "moves": 0}, "moves", "@ clock.moves"),
    ({"seconds": 60, "moves": 1.5}, "moves", "@ clock.moves"),
    ({"seconds": 60, "horizon": 0}, "horizon", "@ clock.horizon"),
    ({"increment": 1}, "seconds is missing", "@ clock"),
    ("60+1", "must be a table such as", "@ clock"),
]


@pytest.mark.parametrize(("clock", "reason", "address"), MISTAKES)
def test_a_mistake_has_reason_and_address(clock: Any, reason: str, address: str) -> None:
    for table, prefix in (
        (file(clock=clock), ""),
        (file({"search": "random", "clock": clock}, {"search": "mcts"}), "player[0]."),
    ):
        with pytest.raises(ConfigError) as caught:
            parse(table)
        assert any(
            reason in problem and address.replace("@ ", f"@ {prefix}") in problem
            for problem in caught.value.problems
        )
