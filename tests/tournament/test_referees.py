"""Games as referees play them: the rules of each, and players that misbehave in real processes."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import dragon
from dragon import CHANCE, TERMINAL, TournamentError
from dragon.compiler.specialise import specialise
from dragon.modes import jit_enabled
from dragon.rules.rehearsal import RulesWith
from dragon_tournament.config.reading import parse
from dragon_tournament.executors.local import InlineExecutor, ProcessExecutor
from dragon_tournament.records.in_flight import InFlightLog
from dragon_tournament.records.record import Reason, Record
from dragon_tournament.referees import seat
from dragon_tournament.referees.match import forfeited
from dragon_tournament.referees.seat import Seat, warm_up
from dragon_tournament.referees.solo import points_of
from dragon_tournament.runner import run
from dragon_tournament.schedule import Schedule

pytestmark = pytest.mark.usefixtures("scripted")
SCRIPTED = {"search": "scripted"}


def play(table: dict[str, Any], workers: int = 0) -> list[Record]:
    """The records of a tournament, in the order of its schedule."""
    tournament = parse(table)
    executor = ProcessExecutor(workers) if workers else InlineExecutor()
    outcomes = executor.map(tournament, Schedule(tournament).games())
    records = {r.id: r for r in outcomes if isinstance(r, Record)}
    assert len(records) == len(list(Schedule(tournament).games()))
    return [records[p.id] for p in Schedule(tournament).games()]


def replay(record: Record) -> tuple[float, ...]:
    """The payoff of a record's moves."""
    state: Any = dragon.game(record.game).start(record.deal)
    for text in (*record.opening, *record.moves):
        state = state.after(dragon.parse_move(state, text))
    assert state.turn == TERMINAL
    return tuple(state.payoff())


def test_a_match_is_its_moves_from_opening_to_payoff() -> None:
    table = {
        "game": "nim",
        "games": 6,
        "player": [{"search": "random"}, {"search": "exhaustive"}],
        "openings": {"random": 2},
    }
    for record in play(table):
        assert record.reason is Reason.TERMINAL
        assert replay(record) == record.scores
        assert record.points == tuple((1 + s) / 2 for s in record.scores)
        assert len(record.opening) == 2
        assert min(record.nodes) > 0


def test_luck_and_deal_are_the_same_for_every_seating() -> None:
    records = play({"game": "lucky", "games": 5, "player": [SCRIPTED, SCRIPTED]})
    by_deal: dict[int, set[tuple[str, ...]]] = {}
    for record in records:
        by_deal.setdefault(record.deal, set()).add(record.moves)
        assert replay(record) == record.scores
    assert len(by_deal) == 5
    assert all(len(moves) == 1 for moves in by_deal.values())
    state: Any = dragon.game("lucky").start(records[0].deal)
    rolled = []
    for text in records[0].moves:
        if state.turn == CHANCE:
            rolled.append(text)
        state = state.after(int(text))
    assert set(rolled) == {"0", "1"}


def test_three_seats_share_the_point_by_payoff() -> None:
    for record in play({"game": "three", "player": [{"search": "random"}] * 3, "games": 2}):
        winner = record.scores.index(2.0)
        assert record.points == tuple(float(i == winner) for i in range(3))
        assert replay(record) == record.scores


def test_a_match_too_long_is_adjudicated_a_draw() -> None:
    for record in play({"game": "nim", "player": [{"search": "random"}] * 2, "plies": 2}):
        assert (record.reason, record.points) == (Reason.ADJUDICATED, (0.5, 0.5))
        assert len(record.moves) == 2


def test_each_seat_has_its_own_memory_and_every_move_its_seed(tmp_path: Path) -> None:
    diary = tmp_path / "diary"
    play(
        {
            "game": "nim(pile=6)",
            "player": [{**SCRIPTED, "diary": str(diary)}, SCRIPTED],
            "pairing": [{"seats": ["scripted"] * 2}, {"seats": ["mine", "mine"]}][1:],
        }
        | {"player": [{**SCRIPTED, "diary": str(diary), "name": "mine", "at": 99}, SCRIPTED]}
    )
    lines = [line.split("\t") for line in diary.read_text().splitlines()]
    warmups, asked = lines[:3], lines[3:]
    assert [state for _, state, _ in warmups] == ["6 A", "6 A", "4 A"]
    assert {seed for *_, seed in warmups} == {"0"}
    assert [state for _, state, _ in asked] == ["6 A", "5 B", "4 A", "3 B", "2 A", "1 B"]
    assert len({seed for *_, seed in asked}) == 6


def test_a_race_is_won_by_payoff_then_by_time() -> None:
    table = {
        "game": "stairs",
        "player": [
            {"search": "exhaustive", "name": "best"},
            {**SCRIPTED, "name": "slow", "delay": 0.05},
            {**SCRIPTED, "name": "quick"},
        ],
    }
    (record,) = play(table)
    assert record.reason is Reason.TERMINAL
    assert record.scores == (2.0, 1.0, 1.0)
    assert record.points == (1.0, 0.0, 0.0)
    assert record.moves[1] == record.moves[2] == ("3", "3", "3")
    (record,) = play({**table, "pairing": [{"seats": ["slow", "quick"]}]})
    assert record.scores == (1.0, 1.0)
    assert record.points == (0.0, 1.0)


def test_of_equally_good_answers_those_within_a_tick_of_the_quickest_win() -> None:
    same: list[tuple[float, ...]] = [(1.0,)] * 3
    assert points_of(same, [0.01499, 0.01501, 0.5]) == (0.5, 0.5, 0.0)
    assert points_of(same, [0.02501, 0.01499, 0.5]) == (0.0, 1.0, 0.0)
    assert points_of(same, [0.008, 0.0, 0.016]) == (0.5, 0.5, 0.0)
    assert points_of([(1.0,), (2.0,), (0.0,)], [0.1, 9.0, 0.0]) == (0.0, 1.0, 0.0)


@pytest.mark.parametrize("game", ["stairs", "dice"])
def test_who_is_asked_first_rotates_and_nobody_shares_a_state(
    game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[tuple[str, Any]] = []
    hear = Seat.hear

    def spy(seat: Seat, state: Any, seed: int) -> Any:
        asked.append((seat.player.name, state))
        return hear(seat, state, seed)

    monkeypatch.setattr(Seat, "hear", spy)
    line = {"search": "exhaustive"}
    records = play({"game": game, "games": 4, "player": [{**line, "name": name} for name in "abc"]})
    assert "".join(name for name, _ in asked) == "abcbcacababc"
    assert len({id(state) for _, state in asked}) == len(asked)
    assert all(record.seats == ("a", "b", "c") for record in records)


def test_a_warm_up_compiles_what_a_search_does_with_its_memory() -> None:
    tournament = parse({"game": "tictactoe", "player": [{"search": "mcts"}] * 2})
    seated = Seat(0, tournament.players[0], tournament, InFlightLog())
    warm_up(seated, tournament.game)
    state: Any = tournament.game.start(0)
    mcts: Any = dragon.search("mcts")
    bound = RulesWith(state.rules, mcts.policies.bound)
    kernels = specialise("dragon.search.mcts.kernel", bound)
    if jit_enabled():  # else nothing is compiled in this run
        called = {name for name, entry in kernels._entries.items() if entry._machines}
        assert called == {"resume", "find", "graft"}


def test_the_loser_by_a_failure_pays_no_more_than_the_largest_payoff() -> None:
    assert forfeited((0, 1, 1), (1,), 1.0) == (1.0, -1.0, -1.0)
    assert forfeited((0, 1, 1), (0,), 3.0) == (-3.0, 3.0, 3.0)
    assert forfeited((0, 1), (1,), 2.0) == (2.0, -2.0)
    assert forfeited((0, 1, 2), (0,), 2.0) == (-2.0, 1.0, 1.0)
    assert forfeited((0, 1, 2), (0, 2), 2.0) == (-1.0, 2.0, -1.0)
    assert forfeited((0, 1, 1), (), 1.0) == forfeited((0, 1), (0, 1), 1.0)[:1] * 3


@pytest.mark.full
@pytest.mark.parametrize("workers", [0, 1])
def test_a_game_that_cannot_be_opened_ends_the_run_with_a_sentence(workers: int) -> None:
    table = {"game": "refusing", "player": [SCRIPTED] * 3}
    sentence = r"^refusing cannot make its first move \(ZeroDivisionError: the heap is sealed\); "
    with pytest.raises(TournamentError, match=sentence):
        play(table, workers)


@pytest.mark.full
def test_a_game_that_ends_its_process_ends_the_run_with_a_sentence(tmp_path: Path) -> None:
    file = tmp_path / "deadly.toml"
    file.write_text('game = "refusing(die=true)"\n' + '[[player]]\nsearch = "scripted"\n' * 3)
    command = [sys.executable, "-m", "dragon", "tournament", str(file), "--workers", "1"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert done.returncode == 1
    assert "refusing(die=true) cannot be played in a worker: the process ended with" in done.stderr
    assert "Traceback" not in done.stderr


HARD: dict[str, Any] = {
    "game": "dice(rolls=100)",
    "player": [{"search": "guess"}, SCRIPTED],
    "reference_seconds": 0.0001,
}


@pytest.mark.full
@pytest.mark.parametrize("workers", [0, 1])
def test_a_truth_that_cannot_be_had_in_time_ends_the_run(workers: int) -> None:
    sentence = (
        r"^the reference exhaustive has not proven the value of dice\(rolls=100\) within "
        r"0.0001 seconds; give another reference, more reference_seconds, or a smaller game$"
    )
    with pytest.raises(TournamentError, match=sentence):
        play(HARD, workers)
    (record,) = play({**HARD, "reference_seconds": 30}, workers)
    assert record.reason is Reason.TERMINAL


@pytest.mark.full
def test_a_reference_that_heeds_no_limit_ends_the_run() -> None:
    table = {"game": "dice", "player": [{"search": "guess"}, SCRIPTED], "warmup": 1}
    stuck = "scripted(misdeed='stall', at=0)"
    with pytest.raises(TournamentError, match=r"did not come back within .* heed its limit"):
        play({**table, "reference": stuck, "reference_seconds": 0.5}, workers=1)


def test_a_reference_that_cannot_prove_is_taken_at_its_word() -> None:
    table = {"game": "dice", "player": [{"search": "guess", "value": 4.25}, SCRIPTED]}
    (record,) = play({**table, "reference": "montecarlo(simulations=500)"})
    assert record.reason is Reason.TERMINAL
    assert record.points == (1.0, 0.0)


def test_a_race_replays_the_line_as_certificate() -> None:
    bad = {**SCRIPTED, "misdeed": "illegal", "name": "bad", "at": 0}
    (record,) = play({"game": "stairs", "player": [bad, SCRIPTED]})
    assert record.reason is Reason.ILLEGAL
    assert record.failed == (0,)
    assert record.points == (0.0, 1.0)
    assert "zz" in record.detail


def test_an_estimate_is_won_by_the_least_error() -> None:
    table = {
        "game": "dice",
        "player": [
            {"search": "guess", "value": 4.0},
            {"search": "guess", "value": 4.4, "name": "near"},
            {**SCRIPTED, "misdeed": "not a number", "at": 0, "name": "lost"},
        ],
    }
    (record,) = play(table)
    assert record.scores[0] == pytest.approx(-0.25)
    assert record.scores[1] == pytest.approx(-0.15)
    assert record.points == (0.0, 1.0, 0.0)
    assert record.failed == (2,)
    exact = {"search": "exhaustive", "name": "exact"}
    (record,) = play({**table, "player": [exact, *table["player"]]})
    assert record.scores[0] == 0.0
    assert record.points[0] == 1.0


def test_rules_that_fail_cost_nobody_the_game() -> None:
    for record in play({"game": "broken", "player": [SCRIPTED] * 3}):
        assert record.reason is Reason.ADJUDICATED
        assert record.failed == ()
        assert record.points == (1 / 3,) * 3
        assert "ZeroDivisionError: the rules are wrong" in record.detail


EXPECTED = {
    "raise": (Reason.CRASH, "scripted_players.Grudge"),
    "exit": (Reason.CRASH, "SystemExit: 3"),
    "die": (Reason.CRASH, "the process ended with exit code 7"),
    "die quietly": (Reason.CRASH, "exit code 0"),
    "kill": (Reason.CRASH, "killed by SIGKILL"),
    "stall": (Reason.TIMEOUT, "did not come back within 2 seconds"),
    "grip": (Reason.TIMEOUT, "in _grip"),
    "none": (Reason.CRASH, "returned None, not a Result"),
    "junk": (Reason.CRASH, "returned 'junk', not a Result"),
    "no move": (Reason.ILLEGAL, "gave no move"),
    "illegal": (Reason.ILLEGAL, "gave 'zz' in 7 B; legal: 1, 2, 3"),
    "slippery": (Reason.ILLEGAL, "do not compare me"),
    "bad nodes": (Reason.CRASH, "invalid literal for int()"),
    "many nodes": (Reason.CRASH, "nodes must be a count from 0 to 1e+18"),
    "fewer nodes": (Reason.CRASH, "nodes must be a count from 0 to 1e+18"),
    "half a letter": (Reason.CRASH, "RuntimeError: caf\\udce9"),
    "interrupt": (Reason.CRASH, "KeyboardInterrupt"),
    "generator exit": (Reason.CRASH, "GeneratorExit"),
    "end the run": (Reason.CRASH, "TournamentError: end it"),
    "blame": (Reason.CRASH, "it was the other one"),
    "shut": (Reason.CRASH, "the process ended with exit code 87"),
    "exhaust": (Reason.CRASH, "Too many open files"),
    "odd move": (Reason.ILLEGAL, "gave '\\udce9' in 7 B; legal: 1, 2, 3"),
}


@pytest.mark.full
def test_misdeeds_cost_the_game_and_nothing_else() -> None:
    players = [{**SCRIPTED, "name": "good"}]
    pairings = []
    for misdeed in EXPECTED:
        players.append({**SCRIPTED, "name": misdeed, "misdeed": misdeed})
        pairings.append({"seats": ["good", misdeed]})
    pairings.append({"seats": ["good", "good"]})
    table = {"game": "nim", "stall": 2, "player": players, "pairing": pairings}
    *failures, last = play(table, workers=2)
    for record in failures:
        reason, detail = EXPECTED[record.seats[1]]
        assert record.reason is reason, record
        assert detail in record.detail, record
        assert record.failed == (1,)
        assert record.points == (1.0, 0.0)
        assert record.scores == (1.0, -1.0)
        assert record.moves == ("1", "1", "1")  # each has moved once, then B fails
    assert last.reason is Reason.TERMINAL
    assert 2 <= {r.seats[1]: r.seconds[1] for r in failures}["stall"] < 4


IN_PEACE = sorted(
    EXPECTED.keys() - {"die", "die quietly", "kill", "stall", "grip", "shut", "exhaust"}
)


def test_misdeeds_in_the_runners_own_process(tmp_path: Path) -> None:
    """Here a KeyboardInterrupt may be Ctrl-C's, and a record is written at once."""
    players = [{**SCRIPTED, "name": name, "misdeed": name} for name in IN_PEACE]
    table = {
        "game": "nim",
        "player": [{**SCRIPTED, "name": "good"}, *players],
        "pairing": [{"seats": ["good", name]} for name in IN_PEACE],
    }
    report = run(parse(table), tmp_path, InlineExecutor()).report
    assert {p.name: p.failures for p in report.players} == {
        "good": {}, **{name: {EXPECTED[name][0]: 1} for name in IN_PEACE}
    }  # fmt: skip
    assert run(parse(table), tmp_path, InlineExecutor()).report.played == len(IN_PEACE)


def test_ctrl_c_without_a_runner_is_no_fault_of_a_player() -> None:
    players = [SCRIPTED, {**SCRIPTED, "name": "B", "misdeed": "interrupt"}]
    with pytest.raises(KeyboardInterrupt):
        play({"game": "nim", "player": players})


@pytest.mark.full
@pytest.mark.alone
def test_a_game_ends_on_time_or_a_margin_later() -> None:
    table = {
        "game": "nim(pile=2)",
        "margin": 0.3,
        "limit": {"seconds": 0.1},
        "player": [
            {**SCRIPTED, "name": "prompt", "delay": 0.15},
            {**SCRIPTED, "name": "late", "delay": 0.6},
        ],
        "warmup": 2,
        "pairing": [{"seats": ["prompt", name]} for name in ("prompt", "late")],
    }
    prompt, late = play(table, workers=2)
    assert prompt.reason is Reason.TERMINAL
    assert (late.reason, late.failed) == (Reason.TIMEOUT, (1,))
    assert late.detail.endswith("seconds; 0.1 and a margin of 0.3 are allowed")


@pytest.mark.full
def test_a_player_that_does_not_come_back_is_ended() -> None:
    table = {
        "game": "nim(pile=2)",
        "margin": 1.0,
        "limit": {"seconds": 0.1},
        "warmup": 2,
        "player": [SCRIPTED, {**SCRIPTED, "name": "never", "delay": 60.0}],
        "pairing": [{"seats": ["scripted", "never"]}],
    }
    (never,) = play(table, workers=1)
    assert (never.reason, never.failed) == (Reason.TIMEOUT, (1,))
    assert "did not come back within" in never.detail


@pytest.mark.full
def test_a_stall_in_a_race_leaves_the_others_their_try() -> None:
    table = {
        "game": "stairs",
        "stall": 1,
        "warmup": 1,
        "player": [
            {**SCRIPTED, "name": "stuck", "misdeed": "stall"},
            {"search": "exhaustive"},
            {**SCRIPTED, "name": "dead", "misdeed": "die"},
        ],
    }
    (record,) = play(table, workers=1)
    assert record.points == (0.0, 1.0, 0.0)
    assert record.failed == (0, 2)
    assert "stuck: did not come back within 1 seconds" in record.detail
    assert "dead: the process ended with exit code 7" in record.detail


@pytest.mark.full
def test_a_player_that_cannot_even_get_ready_loses_its_games() -> None:
    table = {
        "game": "nim",
        "stall": 2,
        "warmup": 1,
        "player": [
            {**SCRIPTED, "name": "good"},
            {**SCRIPTED, "name": "bad", "misdeed": "stall", "at": 0},
        ],
    }
    for record in play(table, workers=1):
        bad = record.seats.index("bad")
        assert (record.reason, record.failed) == (Reason.TIMEOUT, (bad,))


def test_a_player_that_hangs_in_its_warm_up_is_not_waited_for_in_each_new_worker(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bad = {**SCRIPTED, "name": "bad", "misdeed": "raise", "at": 0}
    tournament = parse({"game": "nim", "player": [bad, {"search": "random"}]})
    tried = list[float]()
    monkeypatch.setattr(seat, "_rehearse", lambda *_: tried.append(seat.SOON))

    def workers(number: int) -> int:
        """The number of workers that warm it up, of so many."""
        tried.clear()
        for _ in range(number):
            monkeypatch.setattr(seat, "_ready", set())
            notes = InFlightLog(tmp_path, "game")
            warm_up(Seat(0, tournament.players[0], tournament, notes), tournament.game)
        return len(tried)

    monkeypatch.setattr(seat, "SOON", -1.0)  # nothing comes back so soon
    assert workers(5) == seat.TRIES
    (note,) = tmp_path.glob("*.note")
    note.unlink()
    monkeypatch.setattr(seat, "SOON", 60.0)
    assert workers(5) == 5


def without_times(records: list[Record]) -> list[dict[str, Any]]:
    """Give what must not depend on the machine."""
    tables = [json.loads(r.to_line()) for r in records]
    return [{k: v for k, v in table.items() if k != "seconds"} for table in tables]


LIMITED: list[dict[str, Any]] = [
    {"search": "alphabeta", "shuffle": True, "limit": {"nodes": 200}},
    {"search": "alphabeta", "depth": 2},
    {"search": "mcts", "limit": {"simulations": 60}},
    {"search": "mcts", "selection": "wins", "limit": {"nodes": 100}},
    {"search": "random"},
]


@pytest.mark.full
@pytest.mark.parametrize(
    ("given", "threads", "seconds", "workers", "said"),
    [
        (None, 1, 0.1, 8, ""),
        (None, 3, 0.1, 2, ""),
        (
            None,
            16,
            0.1,
            1,
            "1 worker of 16 threads has 8 cores, .* about 50% .*; give it 8 threads",
        ),
        (
            16,
            1,
            0.1,
            16,
            "16 workers share 8 cores, .* about 50% of .*; --workers 8 gives it a core",
        ),
        (16, 1, None, 16, ""),
        (
            4,
            4,
            0.1,
            4,
            "4 workers of 4 threads share 8 cores, .* about 50% of .*; --workers 2 gives",
        ),
    ],
)
def test_workers_have_the_cores_that_their_threads_need(
    monkeypatch: pytest.MonkeyPatch, given: int | None, threads: int, seconds: float | None,
    workers: int, said: str,
) -> None:  # fmt: skip
    found: list[int] = []

    class Counting:
        def __init__(self, tournament: Any, workers: int, folder: Path) -> None:
            found.append(workers)

        def begin(self) -> None: ...
        def records(self, pairings: Any) -> Any:
            return iter(())

        def close(self) -> None: ...

    monkeypatch.setattr("dragon_tournament.executors.supervisor.Supervisor", Counting)
    monkeypatch.setattr("dragon_tournament.executors.local.cores", lambda: 8)
    limit = {"simulations": 9} if seconds is None else {"seconds": seconds}
    players = [{"search": "mcts", "threads": threads}, {"search": "random"}]
    tournament = parse({"game": "nim", "limit": limit, "player": players})
    notes = list(ProcessExecutor(given).map(tournament, iter(())))
    assert found == [workers]
    assert len(notes) == bool(said)
    assert all(re.match(said, str(note)) for note in notes)


def test_records_do_not_depend_on_the_number_of_workers() -> None:
    table = {"game": "tictactoe", "seed": 7, "player": LIMITED, "openings": {"random": 1}}
    inline, two = (without_times(play(table, workers)) for workers in (0, 2))
    assert inline == two
    assert len({tuple(r["moves"]) for r in inline}) > 10


@pytest.mark.full
def test_closing_a_run_ends_its_processes(children: Callable[[], Any]) -> None:
    tournament = parse({"game": "nim", "games": 50, "player": [{"search": "random"}] * 2})
    running = ProcessExecutor(2).map(tournament, Schedule(tournament).games())
    assert next(running).reason is Reason.TERMINAL
    assert children()
    running.close()
    assert not children()
