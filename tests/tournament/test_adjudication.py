"""Adjudication: matches that end by proof, by resignation or as draws; and false claims."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from attrs import evolve
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

import dragon
from dragon import Bound, ConfigError, Result
from dragon.cli import main
from dragon_tournament.adjudication import (
    Claim,
    Draw,
    Resign,
    claim_of,
    drawn,
    possible,
    resigned,
    scores_of,
)
from dragon_tournament.config.reading import parse
from dragon_tournament.executors.local import InlineExecutor
from dragon_tournament.records.record import Reason, Record
from dragon_tournament.runner import run
from dragon_tournament.schedule import Schedule

pytestmark = pytest.mark.usefixtures("scripted")


def file(rules: Any, *players: Any, **more: Any) -> dict[str, Any]:
    """A tournament of nim with those rules."""
    found = [{"search": p} if isinstance(p, str) else p for p in players]
    found = found or [{"search": "exhaustive"}, {"search": "random"}]
    return {"game": "nim(pile=7)", "player": found, "adjudication": rules, **more}


def play(table: dict[str, Any]) -> list[Record]:
    """Its records."""
    tournament = parse(table)
    return list(InlineExecutor().map(tournament, Schedule(tournament).games()))


def test_a_proof_ends_the_match_with_its_value() -> None:
    table = file({"proven": True, "check": "negamax"}, games=20)
    for record in play(table):
        prover = record.seats.index("exhaustive")
        assert record.reason is Reason.PROVEN
        state: Any = dragon.game(record.game).start(record.deal)
        for text in record.moves:
            state = state.after(dragon.parse_move(state, text))
        truth = dragon.search("exhaustive").best(state).value
        assert record.scores[state.turn] == truth
        assert record.scores[0] == -record.scores[1]
        assert len(record.moves) == 1 + prover
        assert record.detail == f"exhaustive has proven {record.scores[prover]:g}"


def test_without_the_rule_matches_are_played_to_their_end() -> None:
    for record in play(file({}, games=5)):
        assert record.reason is Reason.TERMINAL
        assert sum(map(int, record.moves)) == 7


def test_a_judge_ends_matches_that_it_can_solve() -> None:
    """Each ends at the first position whose value a search of that limit proves, with that."""
    rules = {"judge": "alphabeta", "judge_nodes": 40}
    table = file(rules, "random", {"search": "random", "name": "b"}, game="tictactoe", games=6)
    judge, truth = dragon.search("alphabeta"), dragon.search("exhaustive")
    for record in play(table):
        assert record.reason is Reason.PROVEN
        assert record.detail.startswith("the judge alphabeta has proven ")
        state: Any = dragon.game(record.game).start(record.deal)
        for number, text in enumerate(record.moves, 1):
            state = state.after(dragon.parse_move(state, text))
            exact = judge.best(state, dragon.Limit(nodes=40)).bound is Bound.EXACT
            assert exact == (number == len(record.moves))
        assert record.scores[state.turn] == truth.best(state).value
        assert record.scores[0] == -record.scores[1]


@pytest.mark.full
def test_a_judge_is_a_table_or_a_solver(tmp_path: Path) -> None:
    """The table of dragon table; its verdicts and an edited one are found by dragon check."""
    out = tmp_path / "made.table"
    made = CliRunner().invoke(main, ["table", "tictactoe", "--out", str(out)])
    assert made.exit_code == 0, made.output
    players = ("random", {"search": "random", "name": "b"})
    rules = {"judge": f"table(path={str(out)!r})"}
    for number, each in enumerate((rules, {"judge": "alphabeta"})):
        tournament = parse(file(each, *players, game="tictactoe", games=4))
        run(tournament, tmp_path / str(number), InlineExecutor())
        path = tmp_path / str(number) / "records.jsonl"
        records = [Record.from_line(line) for line in path.open()]
        assert {record.reason for record in records} == {Reason.PROVEN}
        assert {len(record.moves) for record in records} == {1}  # all of it is known
        assert CliRunner().invoke(main, ["check", str(path.parent)]).exit_code == 0
    edited = evolve(records[0], scores=(1.0, -1.0), points=(1.0, 0.0))
    path.write_text("".join(r.to_line() + "\n" for r in (edited, *records[1:])))
    result = CliRunner().invoke(main, ["check", str(path.parent)])
    assert result.exit_code == 1
    assert f"game 1 ({edited.id}): it pays 0 to 0, not 1 to -1" in result.output
    with pytest.raises(ConfigError, match=r"random cannot prove .* @ adjudication\.judge"):
        parse(file({"judge": "random"}, *players))
    with pytest.raises(ConfigError, match=r"has chance.* @ adjudication\.judge"):
        parse(file({"judge": "alphabeta"}, *players, game="einstein"))


LIAR = {"search": "guess", "name": "liar", "exact": True}


def test_a_false_proof_loses_to_the_check() -> None:
    liar = {**LIAR, "value": 1.0}
    records = play(file({"proven": True, "check": "exhaustive"}, liar, "random", games=4))
    false = [r for r in records if r.reason is Reason.FALSE_CLAIM]
    assert false
    for record in false:
        seat = record.seats.index("liar")
        assert record.failed == (seat,)
        assert record.points[seat] == 0.0
        assert "exhaustive has proven -1" in record.detail
    for record in records:
        assert record.reason in (Reason.FALSE_CLAIM, Reason.PROVEN)


def test_without_a_check_a_player_is_believed() -> None:
    for record in play(file({"proven": True}, {**LIAR, "value": 1.0}, "random")):
        assert record.reason is Reason.PROVEN
        assert record.points[record.seats.index("liar")] == 1.0


@pytest.mark.parametrize("value", [2.0, 0.5])
def test_a_proof_of_what_the_game_cannot_pay_is_false(value: float) -> None:
    for record in play(file({"proven": True}, {**LIAR, "value": value}, "random")):
        assert record.reason is Reason.FALSE_CLAIM
        assert record.points[record.seats.index("liar")] == 0.0
        assert "cannot pay" in record.detail


def test_a_proof_that_cannot_be_checked_in_time_counts_for_nothing() -> None:
    table = file(
        {"proven": True, "check": "exhaustive", "check_seconds": 0.001},
        {**LIAR, "value": 1.0}, "random", game="connect4",
    )  # fmt: skip
    for record in play(table):
        assert record.reason is Reason.TERMINAL


def test_a_claim_that_is_not_exact_proves_nothing() -> None:
    for record in play(file({"proven": True}, {"search": "guess", "value": 1.0}, "random")):
        assert record.reason is Reason.TERMINAL


def test_who_gives_up_long_enough_has_lost() -> None:
    gloomy = {"search": "guess", "value": -0.9, "name": "gloomy"}
    table = file({"resign": {"value": 0.9, "moves": 2}}, gloomy, "random", game="tictactoe")
    for record in play(table):
        seat = record.seats.index("gloomy")
        assert (record.reason, record.failed) == (Reason.RESIGNED, ())
        assert record.points[seat] == 0.0
        assert len(record.moves) == 3 + seat


def test_a_resignation_may_need_the_opponent_to_agree() -> None:
    gloomy = {"search": "guess", "value": -0.9, "name": "gloomy"}
    rule = {"value": 0.9, "moves": 1, "both": True}
    for other, reason in ((0.95, Reason.RESIGNED), (0.0, Reason.TERMINAL)):
        friend = {"search": "guess", "value": other, "name": "friend"}
        for record in play(file({"resign": rule}, gloomy, friend, game="tictactoe")):
            assert record.reason is reason
            if reason is Reason.RESIGNED:
                assert record.points[record.seats.index("gloomy")] == 0.0
                assert record.detail.endswith(
                    "claims -0.9, as it did before, and its opponents agree"
                )


def test_opponents_agree_at_as_many_moves_as_the_one_that_gives_up() -> None:
    """Each of the last four claims by turns must be in agreement for two moves of both."""
    rule = Resign(0.9, moves=2, both=True)
    for wrong in (None, 0, 1, 2, 3):
        values = [0.95, -0.95, 0.95, -0.95]
        if wrong is not None:
            values[wrong] = 0.0
        claims = [Claim(k % 2, value) for k, value in enumerate(values)]
        assert resigned(rule, claims, (0, 1)) == (1 if wrong is None else None)
        assert resigned(rule, claims[1:], (0, 1)) is None  # the winner has claimed it but once


@pytest.mark.parametrize("search", ["random", "engine"])
@pytest.mark.parametrize(
    ("rules", "address"),
    [
        ({"draw": {"value": 0.1}}, "@ adjudication.draw"),
        ({"resign": {"value": 0.9, "both": True}}, "@ adjudication.resign"),
    ],
)
def test_a_player_without_values_agrees_to_nothing(search: str, rules: Any, address: str) -> None:
    silent = {"search": search, **({"command": ["cat"]} if search == "engine" else {})}
    with pytest.raises(ConfigError) as caught:
        parse(file(rules, "negamax", silent))
    (problem,) = caught.value.problems
    assert f"{search}" in problem
    assert "gives moves and no values" in problem
    assert problem.endswith(address)
    alone = {"resign": {"value": 0.9}}
    assert parse(file(alone, "negamax", silent)).adjudication is not None


def test_a_match_without_an_advantage_is_drawn() -> None:
    calm = {"search": "guess", "value": 0.01}
    for after in (0, 6):
        rule = {"value": 0.02, "moves": 2, "after": after}
        for record in play(file({"draw": rule}, calm, {**calm, "name": "b"}, game="tictactoe")):
            assert (record.reason, record.points) == (Reason.DRAWN, (0.5, 0.5))
            assert len(record.moves) == max(4, after)


def test_the_end_by_the_rules_comes_before_any_other() -> None:
    gloomy = {"search": "guess", "value": -0.9, "name": "gloomy"}
    table = file({"resign": {"value": 0.9, "moves": 1}}, gloomy, "random", game="nim(pile=1)")
    for record in play(table):
        assert record.reason is Reason.TERMINAL


claims = st.lists(
    st.builds(Claim, st.integers(0, 2), st.floats(-1, 1) | st.just(float("nan"))), max_size=12
)


@pytest.mark.full
@given(claims, st.floats(0.01, 1), st.integers(1, 4), st.booleans())
def test_only_the_last_to_move_gives_up_and_needs_more_claims_not_fewer(
    made: list[Claim], value: float, moves: int, both: bool
) -> None:
    teams = (0, 1, 1)
    rule = Resign(value, moves, both)
    loser = resigned(rule, made, teams)
    if loser is None:
        return
    assert loser == made[-1].seat
    assert resigned(evolve(rule, both=False), made, teams) == loser
    for fewer in range(1, moves):
        assert resigned(evolve(rule, moves=fewer), made, teams) == loser
    assert all(c.value <= -value for c in [c for c in made if c.seat == loser][-moves:])


@pytest.mark.full
@given(claims, st.floats(0, 1), st.integers(1, 3), st.integers(0, 20))
def test_a_draw_needs_every_seat(made: list[Claim], value: float, moves: int, plies: int) -> None:
    ends = drawn(Draw(value, moves, after=5), made, 3, plies)
    quiet = all(
        len(own := [c.value for c in made if c.seat == k]) >= moves
        and all(-value <= v <= value for v in own[-moves:])
        for k in range(3)
    )
    assert ends == (quiet and plies >= 5)


def test_claims_are_read_with_care() -> None:
    assert claim_of(1, Result(1, Bound.EXACT)) == Claim(1, 1.0, exact=True)
    assert not claim_of(0, Result(float("nan"), Bound.EXACT)).exact
    assert not claim_of(0, Result("much", Bound.EXACT)).exact  # type: ignore[arg-type]
    assert scores_of(Claim(2, -1.0), (0, 1, 1)) == (1.0, -1.0, -1.0)
    state: Any = dragon.game("nim").start()
    assert [possible(v, state) for v in (1.0, -1.0, 0.0, 0.5, 2.0)] == [True] * 3 + [False] * 2


def test_the_rules_are_part_of_what_is_played() -> None:
    def ids(rules: Any) -> set[str]:
        return {p.id for p in Schedule(parse(file(rules))).games()}

    assert ids({"proven": True}).isdisjoint(ids({"proven": True, "check": "negamax"}))
    assert ids({"proven": True}) == ids({"proven": True, "check_seconds": 60.0})


MISTAKES: list[tuple[Any, str, str]] = [
    ({"proven": 1}, "true or false, not 1", "@ adjudication.proven"),
    ({"provn": True}, "did you mean 'proven'?", "@ adjudication"),
    ({"check": "negmax", "proven": True}, "did you mean 'negamax'?", "@ adjudication.check"),
    ({"check": "random", "proven": True}, "cannot prove", "@ adjudication.check"),
    ({"check": "negamax"}, "nothing to check", "@ adjudication.check"),
    ({"proven": True, "check_seconds": 0}, "check_seconds", "@ adjudication.check_seconds"),
    ({"proven": True, "check_seconds": 1e9}, "at most", "@ adjudication.check_seconds"),
    ({"resign": {"value": 2}}, "pays 1 at most", "@ adjudication.resign.value"),
    ({"draw": {"value": 1}}, "every claim is within 1", "@ adjudication.draw.value"),
    ({"resign": {"value": -1}}, "value", "@ adjudication.resign.value"),
    ({"resign": {"value": 1, "move": 2}}, "did you mean 'moves'?", "@ adjudication.resign"),
    ({"resign": {}}, "value is missing", "@ adjudication.resign.value"),
    ({"resign": 0.9}, "must be a table such as", "@ adjudication.resign"),
    ({"draw": {"value": 0.1, "moves": 0}}, "moves", "@ adjudication.draw.moves"),
    (3, "must be a table such as", "@ adjudication"),
]


@pytest.mark.parametrize(("rules", "reason", "address"), MISTAKES)
def test_a_mistake_has_reason_and_address(rules: Any, reason: str, address: str) -> None:
    with pytest.raises(ConfigError) as caught:
        parse(file(rules, "exhaustive", "negamax"))
    (problem,) = caught.value.problems
    assert reason in problem
    assert problem.endswith(address)


@pytest.mark.parametrize(
    ("game", "rules", "reason"),
    [
        ("lucky", {"proven": True}, "has chance: a proven value there is not yet an outcome"),
        ("kuhn", {"proven": True}, "has"),
        ("three", {"resign": {"value": 1}}, "not played by two sides"),
        ("stairs", {"draw": {"value": 0}}, "played alone"),
    ],
)
def test_rules_that_do_not_suit_the_game_are_refused(
    game: str, rules: dict[str, Any], reason: str
) -> None:
    with pytest.raises(ConfigError, match=reason):
        parse(file(rules, *[{"search": "guess"}] * 3, game=game))
