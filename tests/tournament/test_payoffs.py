"""Graded games, whose payoffs tell more than who has won: ranked by mean payoff, however told."""

from __future__ import annotations

import json
import math
import random
import shutil
from collections import defaultdict
from functools import cache
from itertools import permutations
from pathlib import Path
from statistics import fmean, stdev
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

import dragon
from dragon import CHANCE, TERMINAL, ConfigError
from dragon.cli import main
from dragon.laws import check_game
from dragon_tournament.cli import ProgressBar
from dragon_tournament.config.reading import parse
from dragon_tournament.executors.local import InlineExecutor
from dragon_tournament.records.record import Record, award
from dragon_tournament.report.html import to_html
from dragon_tournament.report.reader import open_results
from dragon_tournament.report.schema import to_json
from dragon_tournament.report.summary import report
from dragon_tournament.report.text import to_text
from dragon_tournament.runner import Observer, run
from dragon_tournament.statistics.standings import graded, payoffs
from dragon_tournament.statistics.tally import Tally

pytestmark = pytest.mark.usefixtures("scripted")

T975 = {1: 12.706, 2: 4.303, 4: 2.776, 9: 2.262, 39: 2.023}
"""Quantiles of Student's distribution, from a table."""


def record(seats: str, scores: tuple[float, ...], deal: int = 0, **more: Any) -> Record:
    """A game between players called by letters."""
    teams = more.pop("teams", tuple(range(len(seats))))
    n = len(seats)
    return Record(
        id=f"{seats}{deal}{more}", game="g", seats=tuple(seats), teams=teams, moves=(),
        scores=scores, points=award(scores, teams), reason="terminal", nodes=(1,) * n,
        seconds=(0.0,) * n, seed=1, deal=deal, **{"opening": (), **more},
    )  # fmt: skip


# ---- means and intervals -----------------------------------------------------------------------


def test_two_games_of_a_deal_are_one_observation() -> None:
    """A lucky deal pays 10 to its first seat; a gains 1 more than b with it, and with none."""
    games = []
    for deal, gain in enumerate((1.0, 2.0, 0.0, 1.0, 1.0)):
        luck = 10.0 if deal % 2 else -10.0
        games += [record("ab", (luck + gain, -luck - gain), deal)]
        games += [record("ba", (luck - gain, gain - luck), deal)]
    found = payoffs(Tally.of(games))
    assert found["a",].mean == 1.0 == -found["b",].mean
    assert found["a",].observations == 5
    expected = T975[4] * stdev([1.0, 2.0, 0.0, 1.0, 1.0]) / math.sqrt(5)
    assert found["a",].error == pytest.approx(expected, rel=0.01)
    alone = payoffs(Tally.of([g for g in games if g.seats[0] == "a"]))  # luck is not balanced
    assert alone["a",].error is not None
    assert alone["a",].error > 10 * expected


def test_games_of_one_deal_are_one_observation_whoever_plays() -> None:
    """All meet on each deal, which pays first seats; a's games against b and c share its luck."""
    rng = random.Random(1)
    games = []
    for deal in range(10):
        worth = rng.choice((-1.0, 3.0))  # what a takes from anybody on this deal
        for first, second in permutations("abc", 2):
            gain = worth if first == "a" else -worth if second == "a" else 0.0
            games.append(record(first + second, (gain, -gain), deal))
    found = payoffs(Tally.of(games))
    sums = [fmean(g.scores[g.seats.index("a")] for g in games if g.deal == d and "a" in g.seats)
            for d in range(10)]  # fmt: skip
    assert found["a",].observations == found["a", "b"].observations == 10
    assert found["a",].error == pytest.approx(T975[9] * stdev(sums) / math.sqrt(10), rel=0.01)
    assert found["b", "c"].error is None  # nothing varies: nothing is known of how sure it is


def test_openings_and_positions_are_observations_too() -> None:
    one = [record("ab", (g, -g), opening=(o,)) for o, g in (("x", 1.0), ("y", 3.0), ("y", 5.0))]
    found = payoffs(Tally.of(one))["a",]
    assert (found.observations, found.mean) == (2, 3.0)
    places = [record("ab", (g, -g), position=p) for p, g in (("p", 1.0), ("q", 3.0))]
    assert payoffs(Tally.of(places))["a",].observations == 2


def test_one_observation_has_no_interval() -> None:
    found = payoffs(Tally.of([record("ab", (3.0, -3.0))]))["a",]
    assert (found.mean, found.error, found.observations) == (3.0, None, 1)
    assert payoffs(Tally.of([])) == {}


def brute(records: list[Record], name: str, other: str | None) -> tuple[float, float, int] | None:
    """The ratio of payoffs to games, its standard error by the formula, and the observations."""
    cells: dict[Any, list[float]] = defaultdict(list)
    for r in records:
        for seat, holder in enumerate(r.seats):
            rivals = {n for n, t in zip(r.seats, r.teams, strict=True) if t != r.teams[seat]}
            if holder == name and (other is None or other in rivals - {name}):
                cells[r.deal, r.opening, r.position].append(r.scores[seat])
    games = sum(map(len, cells.values()))
    if not games:
        return None
    mean = sum(map(sum, cells.values())) / games
    k = len(cells)
    spread = sum((sum(own) - mean * len(own)) ** 2 for own in cells.values())
    return mean, math.sqrt(spread * k / max(k - 1, 1)) / games, k


@pytest.mark.full
@given(st.integers(0, 10**9))
def test_means_are_those_of_the_formula_for_any_games(seed: int) -> None:
    """Any seats, teams, deals that are not whole, players against themselves; tallied or not."""
    dice = random.Random(seed)
    records = []
    for number in range(dice.randrange(1, 25)):
        n = dice.choice((2, 3))
        teams = dice.choice(((0, 1), (0, 1))) if n == 2 else dice.choice(((0, 1, 2), (0, 1, 1)))
        scores = tuple(float(dice.randrange(-3, 4)) for _ in range(n))
        seats = "".join(dice.choices("abc", k=n))
        opening = dice.choice(((), ("x",)))
        records.append(
            record(seats, scores, dice.randrange(4), teams=teams, opening=opening, index=number)
        )
    found = payoffs(Tally.of(records))
    for key in [(a,) for a in "abc"] + [(a, b) for a in "abc" for b in "abc" if a != b]:
        expected = brute(records, key[0], key[1] if len(key) == 2 else None)
        if expected is None:
            assert key not in found
            continue
        mean, error, k = expected
        assert found[key].mean == pytest.approx(mean, abs=1e-12)
        assert found[key].observations == k
        assert (found[key].error is None) == (k < 2 or error < 1e-9)
        if k - 1 in T975 and found[key].error is not None and k > 2:
            assert found[key].error == pytest.approx(T975[k - 1] * error, rel=0.05)


# ---- what is graded ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("scores", "answer"),
    [
        ([(1.0, -1.0), (0.0, 0.0), (-1.0, 1.0)], False),
        ([(2.0, -2.0), (0.0, 0.0)], False),
        ([(2.0, -1.0, -1.0), (0.0, 0.0, 0.0)], False),
        ([(1.0, -1.0), (2.0, -2.0)], True),
        ([(1.0, 1.0), (0.0, 0.0)], True),
        ([], False),
    ],
)
def test_records_tell_whether_payoffs_say_more_than_points(scores: Any, answer: bool) -> None:
    assert graded([record("abc"[: len(s)], s) for s in scores]) is answer


@pytest.mark.samples("trust-*", "tictactoe-*")
@pytest.mark.parametrize(
    ("game", "answer"),
    [
        ("kuhn", True), ("two_rounds", True), ("trust", True), ("ulti(objective='points')", True),
        ("ulti", False), ("connect4", False), ("tictactoe", False), ("queens(n=4)", False),
    ],
)  # fmt: skip
def test_a_game_tells_it_by_its_payoffs(game: str, answer: bool) -> None:
    seats = len(dragon.game(game).teams)
    tournament = parse({"game": game, "player": [{"search": "random"}] * max(seats, 2)})
    assert tournament.graded is tournament.summary()["graded"] is answer


def test_the_settings_decide_where_they_are_known() -> None:
    wins = [record("ab", (1.0, -1.0), 1), record("ba", (1.0, -1.0), 1)]
    assert report(Tally.of(wins), {"graded": True}, Path()).graded
    more = [*wins, record("ab", (2.0, -2.0), 2)]
    assert not report(Tally.of(more), {"graded": False}, Path()).graded
    assert report(Tally.of(more), {}, Path()).graded


def test_the_test_of_who_wins_is_refused_where_wins_pay_differently() -> None:
    table = {"player": [{"search": "random"}] * 2, "sprt": {"elo0": 0, "elo1": 50}}
    assert parse({**table, "game": "tictactoe"}).sprt is not None
    with pytest.raises(ConfigError, match=r"counts who wins.*two_rounds.*mean payoffs @ sprt"):
        parse({**table, "game": "two_rounds"})


# ---- Leduc poker -------------------------------------------------------------------------------


@pytest.mark.full
@pytest.mark.parametrize("game", ["two_rounds", "trust", "shares"])
def test_the_games_keep_the_laws(game: str) -> None:
    assert [v for v in check_game(dragon.game(game)) if not v.passed] == []


def test_leduc_pays_as_its_rules_say() -> None:
    leduc = dragon.game("two_rounds")
    ends = {
        "JQ call call K call call": -1, "JQ call call J call call": 1, "QJ raise fold": 1,
        "JQ raise raise call K raise raise call": -13, "KK raise call J call call": 0,
        "QJ raise raise fold": -3,
        "KQ raise call Q raise fold": 3, "KQ raise call Q raise call": -7, "JK call raise fold": -1,
    }  # fmt: skip
    for text, gain in ends.items():
        assert leduc.parse(text).turn == TERMINAL, text
        assert leduc.parse(text).payoff() == (gain, -gain), text
        assert str(leduc.parse(text)) == text
    assert leduc.parse("JQ raise raise").moves() == ("fold", "call")


def best_play(rounds: int) -> float:
    """Give seat 0's value by counterfactual regret minimisation (CFR+; Tammelin 2014)."""
    regrets: dict[str, list[float]] = {}
    plays: dict[str, list[float]] = {}

    @cache
    def node(state: Any) -> Any:
        """An end's payoff, or the view of the seat to move, its odds, and what follows."""
        if state.turn == TERMINAL:
            return TERMINAL, state.payoff()[0], None, None
        after = [state.after(move) for move in state.moves()]
        view = str(state.seen(state.turn)) if state.turn >= 0 else ""
        return state.turn, view, state.odds() if state.turn == CHANCE else None, after

    def mix(weights: list[float]) -> list[float]:
        total = sum(weights)
        return [w / total for w in weights] if total else [1 / len(weights)] * len(weights)

    def walk(state: Any, reach: float, other: float, seat: int, turn: int) -> float:
        """Seat 0's value; `reach` of the seat that learns, `other` of chance and its opponent."""
        who, view, odds, after = node(state)
        if who == TERMINAL:
            return view if seat == 0 else -view
        if who == CHANCE:
            return sum(p * walk(s, reach, other * p, seat, turn)
                       for p, s in zip(odds, after, strict=True))  # fmt: skip
        own = regrets.setdefault(view, [0.0] * len(after))
        chances = mix(own)
        if who != seat:
            return sum(p * walk(s, reach, other * p, seat, turn)
                       for p, s in zip(chances, after, strict=True) if p)  # fmt: skip
        values = [walk(s, reach * p, other, seat, turn)
                  for p, s in zip(chances, after, strict=True)]  # fmt: skip
        mean = sum(p * v for p, v in zip(chances, values, strict=True))
        sums = plays.setdefault(view, [0.0] * len(after))
        for i, value in enumerate(values):
            own[i] = max(0.0, own[i] + other * (value - mean))
            sums[i] += turn * reach * chances[i]
        return mean

    def value(state: Any) -> float:
        who, view, odds, after = node(state)
        if who == TERMINAL:
            return float(view)
        chances = odds if who == CHANCE else mix(plays[view])
        return sum(p * value(s) for p, s in zip(chances, after, strict=True) if p)

    start = dragon.game("two_rounds").start()
    for turn in range(1, rounds + 1):
        for seat in (0, 1):
            walk(start, 1.0, 1.0, seat, turn)
    return value(start)


@pytest.mark.full
def test_leduc_has_the_value_that_is_known_of_it() -> None:
    """-0.0856 chips for the first seat, as the literature has it."""
    assert best_play(60) == pytest.approx(-0.0856, abs=0.008)


def exact(first: str, second: str) -> float:
    """Give the mean gain of `first` as the first seat of Leduc, over all deals and moves."""
    players = [None if s == "random" else dragon.search(s) for s in (first, second)]

    def value(state: Any) -> float:
        if state.turn == TERMINAL:
            return float(state.payoff()[0])
        moves = state.moves()
        if state.turn == CHANCE:
            chances = state.odds()
        elif (player := players[state.turn]) is None:
            chances = [1 / len(moves)] * len(moves)
        else:
            chances = [float(move == player.best(state).move) for move in moves]
        return sum(p * value(state.after(m)) for p, m in zip(chances, moves, strict=True) if p)

    return value(dragon.game("two_rounds").start())


@pytest.fixture(scope="module")
def leduc(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Leduc poker between a player that folds bad cards and one that knows nothing."""
    out = tmp_path_factory.mktemp("results") / "two_rounds"
    table = {"name": "two_rounds", "game": "two_rounds", "games": 300,
             "player": [{"search": "random"}, {"search": "tight"}]}  # fmt: skip
    run(parse(table), out, InlineExecutor())
    return out


@pytest.fixture(scope="module", autouse=True)
def _plugin_for_the_module() -> Any:
    """The games are there for fixtures of the module as for its tests."""
    from dragon import plugins

    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(Path(__file__).parents[1] / "scripted"))
        plugins.manager.cache_clear()
        yield
    plugins.manager.cache_clear()


@pytest.mark.full
def test_who_wins_most_games_of_leduc_is_not_first_when_it_loses_chips(leduc: Path) -> None:
    found = open_results(leduc)
    found.read()
    summary = found.report()
    first, second = summary.players
    assert (first.name, second.name) == ("tight", "random")
    assert second.points > first.points  # it wins more games ...
    assert summary.ratings["random"].elo > summary.ratings["tight"].elo
    chips = (exact("tight", "random") - exact("random", "tight")) / 2
    paid = summary.payoffs["tight",]
    assert chips > 0.3  # ... and loses chips
    assert paid.error is not None
    assert abs(paid.mean - chips) < paid.error < 0.5
    assert summary.payoffs["random",].mean == -paid.mean
    assert paid.observations == 300


@pytest.mark.full
def test_text_json_and_page_have_the_order_and_the_figures(leduc: Path) -> None:
    found = open_results(leduc)
    found.read()
    summary = found.report()
    paid = summary.payoffs["tight",]
    text = to_text(summary)
    rows = [line.split() for line in text.splitlines()]
    table = rows.index(next(row for row in rows if row[:3] == ["player", "payoff", "95%"]))
    assert rows[table][3] == "points"
    assert [row[0] for row in rows[table + 2 : table + 4]] == ["tight", "random"]
    assert rows[table + 2][1:3] == [f"{paid.mean:+.2f}", f"±{paid.error:.2f}"]
    assert "payoff 1" in text
    assert "payoff 2" in text
    data = to_json(summary)
    assert data["graded"] is True
    assert [p["name"] for p in data["players"]] == ["tight", "random"]
    assert data["players"][0]["payoff"] == pytest.approx(paid.mean, abs=1e-6)
    assert data["players"][0]["payoff_error"] == pytest.approx(paid.error, abs=1e-6)
    (met,) = data["meetings"]
    assert [each["payoff"] for each in met["payoffs"]] == pytest.approx([-paid.mean, paid.mean])
    seats = {tuple(row["seats"]): row["payoffs"] for row in data["pairings"]}
    own = [r.scores for r in found.records if r.seats == ("tight", "random")]
    assert seats["tight", "random"] == pytest.approx(
        [fmean(scores[0] for scores in own), fmean(scores[1] for scores in own)], abs=1e-6
    )
    page = to_html(summary, found.records, found.tally)
    assert page.index('>1.&nbsp;<span title="tight">') < page.index(">2.&nbsp;")
    assert 'id="payoffs"' in page
    assert f"{paid.mean:+.2f} ± {paid.error:.2f}" in page
    assert f">{paid.mean:+.2f}<small>" in page
    assert "The mean payoff of the player in the row" in page
    assert "Payoff a game so far" in page
    kept = json.loads((leduc / "report.json").read_text())
    assert {**data, "records": ""} == {**kept, "records": ""}
    assert "| player | payoff | 95% | points |" in (leduc / "report.md").read_text()


def test_a_game_of_wins_is_told_without_payoffs(tmp_path: Path) -> None:
    table = {"game": "tictactoe", "player": [{"search": "random"}] * 2, "games": 3}
    summary = run(parse(table), tmp_path, InlineExecutor()).report
    assert "payoff" not in to_text(summary)
    assert to_json(summary)["graded"] is False
    assert to_json(summary)["players"][0]["payoff"] is None
    assert "ayoff" not in (tmp_path / "report.html").read_text().partition("<script")[0]


@pytest.mark.full
def test_many_records_and_records_alone_tell_the_same(
    leduc: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("dragon_tournament.report.reader.LARGE", 1)
    counted = open_results(leduc).streamed()
    found = open_results(leduc)
    found.read()
    assert counted is not None
    assert to_text(counted) == to_text(found.report())
    shutil.copy(leduc / "records.jsonl", tmp_path)
    result = CliRunner().invoke(main, ["standings", str(tmp_path), "--json"])
    assert [p["name"] for p in json.loads(result.stdout)["players"]] == ["tight", "random"]


@pytest.mark.full
def test_the_line_of_progress_tells_who_leads_by_payoff(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = {
        "game": "two_rounds",
        "games": 100,
        "player": [{"search": "random"}, {"search": "tight"}],
    }
    summary = run(parse(table), tmp_path, InlineExecutor(), observer=ProgressBar()).report
    last = capsys.readouterr().err.splitlines()[-1]
    means = {name: summary.payoffs[name,].mean for name in ("tight", "random")}
    assert last.endswith(f", tight {means['tight']:+.4g}, random {means['random']:+.4g}")


def test_standings_are_ordered_at_every_moment(tmp_path: Path) -> None:
    """A player without a game comes last, whatever it is called."""

    class Look(Observer):
        def record(self, record: object) -> None:
            found = open_results(tmp_path)
            found.read()
            summary = found.report()
            order = [summary.payoffs[p.name,].mean if p.played else -99 for p in summary.players]
            assert order == sorted(order, reverse=True)

    players = [{"search": "random"}, {"search": "tight"}, {"search": "random", "name": "a"}]
    run(parse({"game": "two_rounds", "games": 2, "player": players}), tmp_path, InlineExecutor(),
        observer=Look())  # fmt: skip


# ---- three seats -------------------------------------------------------------------------------


@pytest.mark.full
def test_three_seats_are_ranked_by_payoff_and_a_deal_is_one_observation(tmp_path: Path) -> None:
    table = {
        "game": "ulti(objective='points')",
        "games": 4,
        "player": [{"search": "random"}, {"search": "montecarlo(simulations=30)"},
                   {"search": "scripted"}],
    }  # fmt: skip
    summary = run(parse(table), tmp_path, InlineExecutor()).report
    found = open_results(tmp_path)
    found.read()
    means = {
        p.name: fmean(r.scores[r.seats.index(p.name)] for r in found.records)
        for p in summary.players
    }
    assert summary.graded
    assert [p.name for p in summary.players] == sorted(means, key=means.__getitem__, reverse=True)
    for name, mean in means.items():
        assert summary.payoffs[name,].mean == pytest.approx(mean)
        assert summary.payoffs[name,].observations == 4
    assert "payoff 3" in to_text(summary)


# ---- two seats that can gain together ----------------------------------------------------------


@pytest.mark.parametrize("search", ["alphabeta", "negamax", "dfpn"])
def test_searches_of_opposed_sides_are_refused_where_sides_can_gain_together(search: str) -> None:
    for game in ("trust", "shares"):
        with pytest.raises(ConfigError, match=rf"{search} needs .* @ player\[0\]"):
            parse({"game": game, "player": [{"search": search}, {"search": "random"}]})


def test_a_search_of_worlds_is_asked_whether_it_can_search_them() -> None:
    whispers = dragon.game("whispers")
    for vote in ("true", "false"):
        objection = dragon.search(f"determinize(search='alphabeta', vote={vote})").objection(
            whispers
        )
        assert "alphabeta needs one side, or two whose payoffs sum to zero" in str(objection)
    objection = dragon.search("determinize(search='mcts')").objection(whispers)
    assert "with vote=true it needs neither" in str(objection)
    assert dragon.search("determinize(search='mcts', vote=true)").objection(whispers) is None


@pytest.mark.samples("random")
@pytest.mark.parametrize(
    "search",
    ["exhaustive", "mcts(simulations=200)", "montecarlo(simulations=400)", "greedy", "random"],
)
def test_two_seats_that_can_gain_together_play_a_tournament(search: str, tmp_path: Path) -> None:
    """A player that looks ahead keeps the coin as seat 0 and takes all as seat 1, as reason says.

    Against random moves that is worth 1, and 4 or nothing. The means are those of all games,
    and of the two seats together not zero.
    """
    games = 200 if search == "exhaustive" else 20  # the mean of which is compared with the truth
    table = {"game": "trust", "games": games, "player": [{"search": search, "name": "own"},
                                                        {"search": "random"}]}  # fmt: skip
    summary = run(parse(table), tmp_path, InlineExecutor()).report
    found = open_results(tmp_path)
    found.read()
    assert summary.graded
    for name in ("own", "random"):
        paid = summary.payoffs[name,]
        assert paid.mean == pytest.approx(
            fmean(r.scores[r.seats.index(name)] for r in found.records)
        )
        assert paid.mean > 0
    if search == "exhaustive":
        paid = summary.payoffs["own",]
        assert [p.name for p in summary.players] == ["own", "random"]
        assert paid.error is not None
        assert abs(paid.mean - (1 + 4 / 2) / 2) < 2 * paid.error < 0.3
        firsts = {r.moves[0] for r in found.records if r.seats[0] == "own"}
        replies = {m for r in found.records if r.seats[1] == "own" for m in r.moves[1:]}
        assert (firsts, replies) == ({"keep"}, {"take"})


@pytest.mark.full
def test_compiled_trees_play_for_each_seat_s_own_payoff() -> None:
    """Agreeing pays both, so the last to choose agrees; the best is to agree on three."""
    state: Any = dragon.game("shares").start()
    for move in "12":
        state = state.after(dragon.parse_move(state, move))
    result = dragon.search("mcts(simulations=3000)").best(state)
    assert str(result.move) == "3"
    assert result.value == pytest.approx(3.0, abs=0.2)
    assert dragon.search("exhaustive").best(state).value == 3.0
