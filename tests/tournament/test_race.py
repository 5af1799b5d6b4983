"""Races and estimates: what is claimed is checked, every moment that counts is on record."""

from __future__ import annotations

import json
import re
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import dragon
from dragon import ConfigError, TournamentError
from dragon_tournament.config.reading import parse, read
from dragon_tournament.executors.local import InlineExecutor, ProcessExecutor
from dragon_tournament.records.attempt import (
    POINTS,
    Attempt,
    Claim,
    Sought,
    reached,
    since,
    thinned,
)
from dragon_tournament.records.record import Reason, Record
from dragon_tournament.runner import run
from dragon_tournament.schedule import Schedule

pytestmark = pytest.mark.usefixtures("scripted")


def teller(story: str, name: str = "teller", delay: float = 0.0) -> dict[str, Any]:
    return {"search": "teller", "name": name, "story": story, "delay": delay}


GUESS = {"search": "teller", "name": "guess", "story": "0 ~ 3"}
PROVER = {"search": "exhaustive", "name": "prover"}


def play(table: dict[str, Any]) -> list[Record]:
    """The records of a tournament, in the order of its schedule, each written and read again."""
    tournament = parse(table)
    records = list(InlineExecutor().map(tournament, Schedule(tournament).games()))
    again = [Record.from_line(record.to_line()) for record in records]
    assert again == records
    return records


def only(table: dict[str, Any]) -> Record:
    (record,) = play(table)
    return record


# Lines


def test_every_line_is_a_certificate_and_its_time_is_on_record() -> None:
    story = "0 ~ 3; 0 ~ 1 1 1 1 1 1 1; 1 ~ 3 3 3; 2 ~ 3 2 3; 2 = 3 2 3"
    record = only({"game": "stairs", "player": [teller(story, delay=0.02), PROVER]})
    slow, _ = record.attempts
    assert record.sought is Sought.LINE
    assert record.scores == (2.0, 2.0)
    assert record.moves[0] == ("1",) * 7
    assert [value for _, value in slow.curve] == [2.0]  # of seven single steps two find a coin
    assert slow.first == slow.best == slow.curve[0][0] >= 0.04
    assert slow.proof is not None
    assert slow.first < slow.proof == record.seconds[0]
    assert slow.solved == slow.best
    assert slow.claim is Claim.CHECKED  # no payoff is larger than 2


def test_a_better_line_makes_the_curve_go_up_and_a_worse_one_does_not() -> None:
    story = "0 ~ 3 3 3; 0 ~ 2 2 3; 0 ~ 3 2 2; 0 ~ 3 3 3"
    record = only({"game": "stairs", "player": [teller(story), PROVER]})
    first, *_ = record.attempts
    assert [value for _, value in first.curve] == [1.0, 2.0]
    assert first.first == first.curve[0][0]
    assert first.best == first.curve[1][0]
    assert first.proof is None
    assert record.moves[0] == ("3", "2", "2")


@pytest.mark.parametrize(
    ("story", "reason", "detail"),
    [
        ("2 = 3 3 3", Reason.FALSE_CLAIM, "claims to have proven 2, and its own line pays 1"),
        ("2 >= 3 3 3", Reason.FALSE_CLAIM, "claims at least 2, and its own line pays 1"),
        ("1 = 3 3 3", Reason.FALSE_CLAIM, "claims 1 to be the best, and 2 can be had"),
        ("3 = 3", Reason.ILLEGAL, "gave no move"),
        ("0 ~ 3 9", Reason.ILLEGAL, "gave 9 in 3/7 1"),
        ("0 ~ 3 3 3 1", Reason.ILLEGAL, "goes on with 1 after the end"),
    ],
)
def test_a_wrong_claim_is_shown_as_wrong_and_is_unsolved(
    story: str, reason: Reason, detail: str
) -> None:
    if story == "3 = 3":  # it stops short, is asked again, and has nothing to add at the end
        story = "3 = 3; 3 ="
    record = only({"game": "stairs", "player": [teller(story, "liar"), PROVER]})
    liar, prover = record.attempts
    assert (record.reason, record.failed) == (reason, (0,))
    assert detail in record.detail
    assert liar.solved is None
    assert (liar.claim is Claim.WRONG) == (reason is Reason.FALSE_CLAIM)
    assert prover.solved is not None
    assert record.points == (0.0, 1.0)


def test_a_claim_is_held_against_the_value_that_the_file_gives() -> None:
    table = {"game": "stairs", "player": [teller("1 = 3 3 3", "liar")]}
    record = only({**table, "instance": [{"value": 2}]})
    assert (record.failed, record.truth) == ((0,), 2.0)
    assert "claims 1 to be the best, and 2 can be had" in record.detail
    record = only({**table, "instance": [{"value": 1}]})
    assert record.attempts[0].claim is Claim.CHECKED
    with pytest.raises(TournamentError, match=r"the value of .* is given as 1, and a line pays 2"):
        play({**table, "player": [PROVER], "instance": [{"value": 1}]})


def test_a_proof_that_there_is_no_solution_solves_and_a_dead_end_does_not() -> None:
    table = {"game": "dominoes(rows=4, cols=4, mutilated=true)"}
    record = only({**table, "player": [{"search": "dlx"}, {"search": "greedy"}]})
    dlx, greedy = record.attempts
    assert (dlx.solved, dlx.best) == (dlx.proof, None)
    assert dlx.solved is not None
    assert dlx.claim is Claim.UNCHECKED
    assert (greedy.first, greedy.solved, greedy.value) == (None, None, 0.0)
    assert record.points == (1.0, 0.0)


def test_no_solution_is_a_wrong_claim_where_there_is_one() -> None:
    table = {"game": "dominoes(rows=2, cols=2)"}
    liar = teller("0 = a1a2", "liar")
    record = only({**table, "player": [{"search": "dlx"}, liar]})
    assert record.failed == (1,)
    assert "claims that there is no solution, and 1 can be had" in record.detail


def test_the_first_solution_is_enough_where_that_is_the_goal() -> None:
    story = "0 ~ 3 3 3; 2 ~ 3 2 3; 2 = 3 2 3"
    table = {"game": "stairs", "player": [teller(story, delay=0.03)]}
    first = only({**table, "goal": "first"})
    best = only({**table, "goal": "best"})
    proof = only({**table, "goal": "proof"})
    assert (first.nodes, best.nodes, proof.nodes) == ((1,), (1,), (1,))
    assert first.seconds[0] < best.seconds[0]
    assert (first.scores, best.scores) == ((1.0,), (2.0,))
    assert first.attempts[0].solved == first.attempts[0].first
    assert best.attempts[0].solved == best.attempts[0].best
    assert proof.attempts[0].solved == proof.attempts[0].proof == proof.seconds[0]


def test_a_tolerance_is_what_may_be_lacking() -> None:
    table = {"game": "stairs", "player": [teller("0 ~ 3 3 3"), PROVER]}
    assert only(table).attempts[0].solved is None
    near = only({**table, "tolerance": 1}).attempts[0]
    assert near.solved == near.first is not None


def test_who_plays_step_by_step_is_asked_again_until_the_end() -> None:
    record = only({"game": "stairs", "player": [teller("0 ~ 3"), {"search": "scripted"}]})
    assert record.moves == (("3", "3", "3"), ("3", "3", "3"))
    assert record.scores == (1.0, 1.0)
    assert all(attempt.first is not None for attempt in record.attempts)


# Claims


NIM = {"game": "nim(pile=10)", "referee": "race"}  # the first seat wins: 10 is no multiple of 4


def test_a_proof_is_when_it_comes_and_an_estimate_is_none() -> None:
    story = "0 ~ 1; 1 ~ 2; 0.5 ~ 2; 1 ~ 2; 1 = 2 1 3 1 3"
    record = only({**NIM, "player": [teller(story, delay=0.01), GUESS]})
    slow, guess = record.attempts
    assert record.sought is Sought.PROOF
    assert [value for _, value in slow.curve] == [0.0, 1.0, 0.5, 1.0]
    assert slow.best == slow.curve[3][0]
    assert slow.solved == slow.proof
    assert slow.proof is not None
    assert slow.first is not None
    assert slow.first < slow.curve[3][0] < slow.proof
    assert (guess.solved, guess.claim, guess.best) == (None, Claim.NONE, None)
    assert record.moves[0] == ("2", "1", "3", "1", "3")
    assert record.points == (1.0, 0.0)


@pytest.mark.parametrize("known", [{"instance": [{"value": 1}]}, {"reference": "exhaustive"}])
def test_a_refuted_proof_is_wrong(known: dict[str, Any]) -> None:
    record = only({**NIM, **known, "player": [teller("-1 = 1", "liar"), PROVER]})
    liar, prover = record.attempts
    assert record.truth == 1.0
    assert (liar.claim, prover.claim) == (Claim.WRONG, Claim.CHECKED)
    assert (record.reason, record.failed, liar.solved) == (Reason.FALSE_CLAIM, (0,), None)
    assert "liar: claims to have proven -1; the value is 1" in record.detail
    assert record.scores == (-1.0, 1.0)


@pytest.mark.parametrize(
    ("pile", "value", "story", "detail"),
    [
        (10, 1, "1 <= 2", None),
        (10, 1, "0 <= 2", "at most 0"),
        (8, -1, "-1 >= 2", None),
        (8, -1, "0 >= 2", "at least 0"),
    ],
)
def test_bounds_are_claims_too(pile: int, value: int, story: str, detail: str | None) -> None:
    instance = {"game": f"nim(pile={pile})", "value": value}
    record = only({"referee": "race", "player": [teller(story)], "instance": [instance]})
    assert record.failed == ((0,) if detail else ())
    assert record.attempts[0].claim is (Claim.WRONG if detail else Claim.NONE)
    assert detail is None or f"claims {detail}; the value is {value}" in record.detail


def test_claims_that_contradict_each_other_are_disputed_and_nobody_has_solved_it() -> None:
    record = only({**NIM, "player": [teller("-1 = 1", "liar"), PROVER, GUESS]})
    assert [a.claim for a in record.attempts] == [Claim.DISPUTED, Claim.DISPUTED, Claim.NONE]
    assert [a.solved for a in record.attempts] == [None] * 3
    assert record.failed == ()
    assert record.points == (1 / 3,) * 3
    assert "liar: claims to have proven -1, and another something else" in record.detail


@pytest.mark.parametrize(
    ("story", "reason", "detail"),
    [
        ("1 = 2 2 3 3", Reason.FALSE_CLAIM, "claims to have proven 1, and its own line pays -1"),
        ("1 = 2 9", Reason.ILLEGAL, "gave 9 in 8 B"),
        ("1 = 3 3 3 1 1", Reason.ILLEGAL, "goes on with 1 after the end"),
        ("nan = 2", Reason.CRASH, "claims nan, which is not a number"),
    ],
)
def test_a_line_that_belies_its_claim(story: str, reason: Reason, detail: str) -> None:
    record = only({**NIM, "player": [teller(story, "liar"), PROVER]})
    assert (record.reason, record.failed) == (reason, (0,))
    assert detail in record.detail
    assert record.attempts[0].solved is None
    assert record.attempts[1].solved is not None


def test_to_be_right_is_enough_where_that_is_the_goal() -> None:
    players = [teller("1 ~ 2; 0.9999 ~ 2", "near"), teller("1 ~ 2", "right"), PROVER]
    record = only({**NIM, "goal": "best", "player": players})
    assert [a.solved is not None for a in record.attempts] == [False, True, True]
    record = only({**NIM, "goal": "best", "tolerance": 0.01, "player": players})
    assert all(a.solved is not None for a in record.attempts)


def test_the_value_is_for_the_seat_to_move() -> None:
    table = {"game": "nim(pile=10)", "instance": [{"moves": "2"}], "player": [PROVER]}
    record = only(table)
    assert (record.attempts[0].value, record.opening) == (-1.0, ("2",))


@pytest.mark.full
def test_what_nobody_solves_is_shared() -> None:
    table = {
        "game": "nex(rows=3, cols=3)", "referee": "race", "limit": {"nodes": 10},
        "player": [{"search": "alphabeta"}, {"search": "negamax"}],
    }  # fmt: skip
    record = only(table)
    assert [a.solved for a in record.attempts] == [None, None]
    assert record.points == (0.5, 0.5)
    assert record.scores == (0.0, 0.0)
    slow = teller("0 ~ 3", delay=0.05)
    unproven = {"game": "stairs", "goal": "proof", "player": [slow, GUESS]}
    assert only(unproven).points == (0.5, 0.5)


def test_luck_on_the_way_is_no_contradiction() -> None:
    players = [PROVER, teller("0 ~ 1")]
    table = {"game": "lucky(least=3)", "referee": "race", "player": players, "games": 3}
    for record in play(table):
        assert record.attempts[0].claim is Claim.UNCHECKED
        assert record.attempts[0].solved is not None
        assert record.failed == ()


# Estimates


def test_an_estimate_is_solved_since_it_came_near_for_good() -> None:
    story = "4.25 ~; 9 ~; 4.3 ~; 4.26 ~"
    table = {"game": "dice", "tolerance": 0.1, "player": [teller(story, delay=0.01), PROVER]}
    record = only(table)
    slow, prover = record.attempts
    assert (record.sought, record.truth) == (Sought.ESTIMATE, 4.25)
    assert slow.solved == slow.best == slow.curve[2][0]
    assert slow.first == slow.curve[0][0]
    assert (slow.proof, slow.claim) == (None, Claim.NONE)
    assert record.scores == pytest.approx((-0.01, 0.0))
    assert (prover.claim, prover.proof) == (Claim.CHECKED, prover.solved)
    far = only({**table, "tolerance": 0.001})
    assert far.attempts[0].solved is None
    assert only({**table, "goal": "proof"}).attempts[0].solved is None


def test_a_wrong_proof_of_an_estimate_fails() -> None:
    record = only({"game": "dice", "player": [teller("4.2 =", "liar"), GUESS]})
    assert (record.failed, record.reason) == ((0,), Reason.FALSE_CLAIM)
    assert record.attempts[0].claim is Claim.WRONG
    assert "claims to have proven 4.2" in record.detail
    doubtful = {"reference": "montecarlo(simulations=100)"}
    record = only({"game": "dice", **doubtful, "player": [teller("4.2 =", "liar"), GUESS]})
    assert record.failed == ()


def test_any_value_can_be_estimated_where_the_file_asks_for_it() -> None:
    table = {"game": "nim(pile=10)", "referee": "estimate", "player": [teller("0.5 ~ 2"), PROVER]}
    record = only({**table, "instance": [{}]})
    assert (record.sought, record.truth) == (Sought.ESTIMATE, 1.0)
    assert record.scores == (-0.5, 0.0)
    assert record.points == (0.0, 1.0)


def test_values_that_the_file_gives_need_no_reference() -> None:
    table = {
        "player": [teller("3.5 ~", "guess"), PROVER],
        "reference_seconds": 1e-9,
        "instance": [{"game": "dice(rolls=1)", "value": 3.5}, {"game": "dice", "value": 4.25}],
    }
    one, two = play(table)
    assert (one.truth, two.truth) == (3.5, 4.25)
    assert one.scores[0] == 0.0
    assert two.scores[0] == pytest.approx(-0.75)


# Time, and what fails


@pytest.mark.full
def test_a_race_is_lost_on_time_with_all_that_was_found() -> None:
    slow = teller("0 ~ 3 3 3; 0 ~ 3 2 3; 2 = 3 2 3", "slow", delay=0.2)
    table = {"game": "stairs", "margin": 0.1, "player": [slow, PROVER]}
    for timed in ({"limit": {"seconds": 0.25}}, {"clock": {"seconds": 0.25}}):
        record = only({**table, **timed})
        late, prover = record.attempts
        assert (record.reason, record.failed) == (Reason.TIMEOUT, (0,))
        assert "a margin of 0.1" in record.detail
        assert late.first is not None
        assert late.first >= 0.2  # and the first line came in time
        assert (late.solved, late.value) == (None, 1.0)
        assert prover.solved is not None
    assert only({**table, "limit": {"seconds": 60}}).failed == ()


def test_the_clock_stands_still_while_a_line_is_replayed(monkeypatch: pytest.MonkeyPatch) -> None:
    import scripted_players

    after = scripted_players.Climb.after

    def slow(state: Any, move: int) -> Any:
        time.sleep(0.05)
        return after(state, move)

    monkeypatch.setattr(scripted_players.Climb, "after", slow)
    record = only({"game": "stairs", "player": [teller("2 ~ 3 2 3; 2 = 3 2 3"), GUESS]})
    assert record.seconds[0] < 0.05
    assert record.attempts[0].solved is not None


def test_rules_that_fail_are_nobody_s_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    import scripted_players

    after = scripted_players.Climb.after

    def broken(state: Any, move: int) -> Any:
        if state.height > 2:
            raise ZeroDivisionError("the stairs are broken")
        return after(state, move)

    monkeypatch.setattr(scripted_players.Climb, "after", broken)
    slow = teller("1 = 3 3 3", "a", delay=0.05)
    record = only({"game": "stairs", "player": [slow, teller("0 ~ 1", "b")]})
    assert (record.reason, record.failed, record.points) == (Reason.ADJUDICATED, (), (0.5, 0.5))
    assert "the stairs are broken" in record.detail
    assert [a.solved for a in record.attempts] == [None, None]


# Sets of instances


def test_instances_are_positions_games_and_moves() -> None:
    table = {
        "game": "nim(pile=10)",
        "games": 2,
        "player": [PROVER, GUESS],
        "instance": [
            {"name": "start"},
            {"position": "7 A"},
            {"moves": "2; 1"},
            {"game": "nim(pile=5)"},
            {"game": {"name": "nim", "pile": 5}},
        ],
    }
    tournament = parse(table)
    names = ["start", "7 A", "2 1", "nim(pile=5)", "nim(pile=5) (2)"]
    assert [i.name for i in tournament.instances] == names
    records = play(table)
    assert [record.instance for record in records] == names * 2
    assert len({record.id for record in records}) == 10
    assert [r.attempts[0].value for r in records] == [1.0, 1.0, 1.0, 1.0, 1.0] * 2
    for record in records:
        game = dragon.game(record.game)
        state = game.parse(record.position) if record.position else game.start(record.deal)
        for move in record.opening:
            state = state.after(dragon.parse_move(state, move))
        assert dragon.search("exhaustive").best(state).value == record.attempts[0].value
    deals = {}
    for record in records:
        deals.setdefault(record.deal, []).append(record.instance)
    assert list(deals.values()) == [names, names]


def test_another_instance_only_adds_games() -> None:
    table = {"game": "nim", "player": [PROVER], "instance": [{"position": "7 A"}], "games": 2}
    few = {p.id for p in Schedule(parse(table)).games()}
    more = {**table, "instance": [*table["instance"], {"position": "9 B"}]}
    many = {p.id for p in Schedule(parse(more)).games()}
    assert few < many
    assert len(many) == 4


def test_instances_from_files(tmp_path: Path) -> None:
    (tmp_path / "deals").mkdir()
    (tmp_path / "deals" / "b.txt").write_text("# two\n9 B\n\n  7 A  \n")
    (tmp_path / "deals" / "a.txt").write_text("5 A\n")
    file = tmp_path / "t.toml"
    file.write_text('instances = "deals/*.txt"\ngame = "nim"\n[[player]]\nsearch = "exhaustive"\n')
    tournament = read(file)
    assert [(i.name, i.position) for i in tournament.instances] == [
        ("a:1", "5 A"), ("b:2", "9 B"), ("b:4", "7 A"),
    ]  # fmt: skip
    assert tournament.referee.name == "race"
    file.write_text(file.read_text() + '[[instance]]\nfiles = "deals/a.txt"\n')
    assert [i.name for i in read(file).instances] == ["a:1", "a:1 (2)", "b:2", "b:4"]


def test_each_file_may_be_a_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, text in (("one", "a b\na b\n"), ("two", "a b c\na b\nb c\n")):
        (tmp_path / f"{name}.cover").write_text(text)
    file = tmp_path / "t.toml"
    file.write_text(
        '[[instance]]\nfiles = "*.cover"\nparameter = "file"\ngame = "cover"\n'
        '[[player]]\nsearch = "dlx"\n'
    )
    tournament = read(file)
    assert [i.name for i in tournament.instances] == ["one", "two"]
    one, two = InlineExecutor().map(tournament, Schedule(tournament).games())
    assert (one.scores, two.scores) == ((1.0,), (0.0,))
    assert two.attempts[0].solved is not None
    ids = [p.id for p in Schedule(tournament).games()]
    monkeypatch.chdir(tmp_path)
    assert [
        p.id for p in Schedule(read(Path("t.toml"))).games()
    ] == ids  # wherever it is called from
    (tmp_path / "two.cover").write_text("a b c\na b\na c\n")
    assert [p.id for p in Schedule(read(file)).games()][1] != ids[1]


@pytest.mark.parametrize(
    ("table", "pattern"),
    [
        ({"instance": [{"position": "x"}]}, r"@ instance\[0\]$"),
        ({"instance": [{"position": "0 A"}]}, r"in '0 A' the game is over; .* @ instance\[0\]$"),
        ({"instance": [{"moves": "7"}]}, r"no legal move '7' .* @ instance\[0\]$"),
        ({"instance": [{"colour": 1}]}, r"no setting 'colour' here .* @ instance\[0\]$"),
        ({"instance": [{"positon": "7"}]}, r"did you mean 'position'\?"),
        ({"instance": [{"game": "nimm"}]}, r"did you mean 'nim'\?.* @ instance\[0\].game$"),
        ({"instance": [{"game": 3}]}, r"must be a game such as .* @ instance\[0\].game$"),
        ({"instance": [7]}, r"must be a table under \[\[instance\]\], not 7 @ instance\[0\]$"),
        ({"instance": {"position": "7 A"}}, r"must be a list; .* @ instance$"),
        ({"instance": [{"parameter": "file"}]}, r"parameter is for files; .*parameter$"),
        ({"instance": [{"files": "*.none"}]}, r"no file matches .* @ instance\[0\]$"),
        ({"instance": [{"files": "x", "value": 1}]}, r"files and value exclude each other"),
        ({"instances": 3}, r"must be the pattern of file names, or a list, not 3 @ instances$"),
        ({"instances": "*.none"}, r"no file matches .*; .* @ instances$"),
        ({"instances": "x", "openings": {"random": 2}}, r"exclude each other; .* @ openings$"),
        ({"referee": "rase"}, r"no referee called 'rase'; did you mean 'race'\? .* @ referee$"),
        ({"referee": "race", "goal": "first"}, r"has the goal 'proof' or 'best', not 'first'"),
        ({"goal": "fast"}, r"goal must be 'first' or 'best' or 'proof', not 'fast'.* @ goal$"),
        ({"goal": "best"}, r"goal is for a race or an estimate; leave it out @ goal$"),
        ({"tolerance": 1}, r"tolerance is for a race or an estimate; leave it out"),
        ({"referee": "race", "tolerance": -1}, r"tolerance must be at least 0.* @ tolerance$"),
        ({"referee": "race", "tolerance": float("inf")}, r"finite.* @ tolerance$"),
        ({"game": "kuhn", "referee": "race"}, r"race cannot judge kuhn; .* @ referee$"),
        ({"referee": "match", "instance": [{}]}, r"match has no instances; .* @ referee$"),
        ({"game": "hands", "referee": "match"}, r"match cannot judge hands; .* @ referee$"),
        ({"referee": "race", "reference": "dlx"}, r"dlx needs cover .* @ reference$"),
        (
            {"instance": [{"game": "queens"}, {"game": "nim"}], "player": [{"search": "dlx"}]},
            r"dlx needs cover \(nim has none\) @ player\[0\]$",
        ),
        ({"instance": [{"value": 7}]}, r"value must be from -1 to 1, .* not 7 @ instance\[0\]$"),
        (
            {"instance": [{"value": float("nan")}]},
            r"what nim can pay, not nan @ instance\[0\]$",
        ),
    ],
)
def test_mistakes_are_told_with_their_address(table: dict[str, Any], pattern: str) -> None:
    players = [{"search": "exhaustive"}, {"search": "exhaustive"}]
    with pytest.raises(ConfigError) as wrong:
        parse({"game": "nim", "player": players, **table})
    assert any(re.search(pattern, sentence) for sentence in wrong.value.problems), (
        wrong.value.problems
    )


def test_a_game_may_come_from_the_instances_alone() -> None:
    with pytest.raises(ConfigError, match="has no game that could be used, and neither"):
        parse({"player": [PROVER], "instance": [{"position": "7 A"}]})
    assert str(parse({"player": [PROVER], "instance": [{"game": "nim"}]}).game) == "nim"


def test_random_openings_are_a_set_too() -> None:
    table = {**NIM, "openings": {"random": 2, "count": 3}, "player": [PROVER, GUESS]}
    records = play(table)
    assert len({record.opening for record in records}) >= 2
    assert all(record.attempts[0].claim is Claim.UNCHECKED for record in records)


# Runs


BOTH = [
    {"search": "exhaustive"},
    {"search": "alphabeta"},
    {"search": "mcts", "limit": {"simulations": 50}},
]
SET = {
    "name": "set", "game": "nim", "referee": "race", "player": BOTH, "games": 2,
    "instance": [{"position": f"{n} A"} for n in range(5, 9)],
}  # fmt: skip


def essence(record: Record) -> tuple[Any, ...]:
    """Give what does not depend on the machine's batches."""
    attempts = [
        (a.value, a.claim, a.solved is None, [v for _, v in a.curve]) for a in record.attempts
    ]
    return record.id, record.instance, record.scores, record.moves, record.nodes, attempts


@pytest.mark.full
def test_a_race_goes_on_where_it_stopped(tmp_path: Path) -> None:
    whole = run(parse(SET), tmp_path / "whole", InlineExecutor())
    assert whole.missing == 0
    lines = (tmp_path / "whole" / "records.jsonl").read_bytes().splitlines(keepends=True)
    assert len(lines) == 8
    cut = tmp_path / "cut"
    cut.mkdir()
    (cut / "records.jsonl").write_bytes(b"".join(lines[:3]) + lines[3][:40])
    assert run(parse(SET), cut, InlineExecutor()).missing == 0
    again = (cut / "records.jsonl").read_bytes().splitlines(keepends=True)
    assert again[:3] == lines[:3]
    first, second = (
        [essence(Record.from_line(line.decode())) for line in found] for found in (lines, again)
    )
    assert first == second
    more = {**SET, "instance": [*SET["instance"], {"position": "10 A"}]}
    outcome = run(parse(more), cut, InlineExecutor())
    assert (outcome.missing, outcome.report.played) == (0, 10)


@pytest.mark.full
def test_a_race_is_the_same_in_any_number_of_processes() -> None:
    tournament = parse(SET)
    alone = {
        r.id: essence(r) for r in InlineExecutor().map(tournament, Schedule(tournament).games())
    }
    many = {
        r.id: essence(r) for r in ProcessExecutor(2).map(tournament, Schedule(tournament).games())
    }
    assert alone == many


def test_the_report_tells_the_wrong_and_the_unsolved(tmp_path: Path) -> None:
    liar = {"search": "teller", "name": "liar", "story": "1 = 1"}
    lost = {"search": "teller", "name": "lost", "story": "0 ~ 1"}
    table = {
        **SET, "games": 1, "player": [*BOTH[:2], liar, lost],
        "instance": [{"position": "5 A", "value": 1}, {"position": "8 A", "value": -1}],
    }  # fmt: skip
    run(parse(table), tmp_path, InlineExecutor())
    race = json.loads((tmp_path / "report.json").read_text())["race"]
    by = {solver["name"]: solver for solver in race["solvers"]}
    assert (by["liar"]["solved"], by["liar"]["wrong"]) == (1, 1)
    assert (by["lost"]["solved"], by["lost"]["profile"], by["lost"]["typical"]) == (0, [], None)
    assert (by["exhaustive"]["solved"], by["exhaustive"]["wrong"]) == (2, 0)
    assert race["solvers"][-1]["name"] == "liar"  # who lies is not recommended
    assert race["verdict"][-1] == "Beware of liar: 1 of its claims was wrong."
    assert race["instances"][1]["solved"]["liar"] is None
    text = (tmp_path / "report.md").read_text()
    assert "| 8 A |" in text
    assert "false claim" in text


# Attempts


values = st.floats(-1, 1, width=16)
curves = st.lists(values, min_size=1, max_size=30).map(lambda v: list(enumerate(v, 1)))


@given(curves, values)
def test_since_is_the_last_time_it_came_near(curve: list[tuple[float, float]], at: float) -> None:
    near = [abs(value - at) <= 0.25 for _, value in curve]
    found = since(curve, at, 0.25)
    if found is None:
        assert not near[-1]
    else:
        first = int(found) - 1
        assert all(near[first:])
        assert first == 0 or not near[first - 1]


@given(curves, values)
def test_reached_is_the_first_time_it_was_as_good(
    curve: list[tuple[float, float]], at: float
) -> None:
    found = reached(curve, at, 0.0)
    good = [time for time, value in curve if value >= at - 1e-12]
    assert found == (good[0] if good else None)


@given(st.integers(1, 3 * POINTS))
def test_a_thin_curve_keeps_both_its_ends(n: int) -> None:
    curve = [(float(k), -float(k)) for k in range(n)]
    thin = thinned(curve)
    assert len(thin) == min(n, POINTS)
    assert (thin[0], thin[-1]) == (curve[0], curve[-1])
    assert set(thin) <= set(curve)


def test_an_attempt_is_its_table() -> None:
    attempt = Attempt(value=1.0, claim=Claim.CHECKED, first=0.5, curve=((0.5, 1.0),))
    assert attempt.table() == {
        "value": 1.0, "claim": "checked", "first": 0.5, "curve": ((0.5, 1.0),),
    }  # fmt: skip
    assert Attempt(**json.loads(json.dumps(attempt.table()))) == attempt
    assert Attempt().table() == {}
    assert Attempt(**{}) == Attempt()
