"""Deals and endgames whose values independent programs have found; outside data, if it is there."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import dragon
from dragon import TERMINAL, Bound
from dragon_ulti.answers import solve, table, verdict, weighing

FOLDER = Path(__file__).parents[4] / "shared" / "oracles" / "ulti"
pytestmark = pytest.mark.skipif(not FOLDER.is_dir(), reason="the outside data are not there")
POINTS = ("no_trump_party", "party", "forty_hundred", "twenty_hundred")
RULES = ("real", "original")


def deals(name: str) -> list[dict[str, Any]]:
    if not FOLDER.is_dir():
        return []
    found: list[dict[str, Any]] = json.loads((FOLDER / f"{name}.json").read_text())["deals"]
    return found


def game_of(deal: dict[str, Any], **more: Any) -> Any:
    given = {"contract": deal["contract"], "trump": deal["trump"], **more}
    return dragon.game({"name": "ulti", **given})


@pytest.mark.full
@pytest.mark.parametrize("rules", RULES)
def test_the_verdict_of_every_deal(rules: str) -> None:
    tried = 0
    for deal in deals("deals") + deals("samples"):
        expected = deal[f"rules_{rules}"]
        answer = verdict(game_of(deal, rules=rules), deal["url_deal"])
        assert (not answer.reason) == expected["prerequisite_met"], deal["id"]
        assert answer.made == expected["declarer_wins"], deal["id"]
        tried += 1
    assert tried == 127


@pytest.mark.full
@pytest.mark.parametrize("rules", RULES)
def test_the_most_units_of_every_deal_about_points(rules: str) -> None:
    tried = 0
    for deal in deals("deals") + deals("samples"):
        most = deal[f"rules_{rules}"].get("max_points")
        if deal["contract"] not in POINTS or most is None:
            continue
        answer = solve(game_of(deal, rules=rules), deal["url_deal"], lines=False)
        assert (answer.units, answer.made) == (most, most >= deal["need_points"]), deal["id"]
        tried += 1
    assert tried > 30


@pytest.mark.full
def test_what_every_first_card_of_every_deal_leads_to() -> None:
    tried = 0
    for deal in deals("deals") + deals("samples"):
        expected = deal["rules_real"].get("lead_values")
        if expected is not None:
            *_, answer = weighing(game_of(deal), deal["url_deal"])
            assert dict(answer.cards) == expected, deal["id"]
            tried += 1
    assert tried > 80


@pytest.mark.full
@pytest.mark.parametrize(
    ("key", "more"),
    [
        ("value_real", {}),
        ("value_original_no_simplification", {"rules": "original"}),
        ("value_no_trump_duty", {"trump_duty": False, "overtrump": False}),
    ],
)
def test_the_500_endgames(key: str, more: dict[str, Any]) -> None:
    search = dragon.search("alphabeta(deepening=false, megabytes=1, reduce=false)")
    tried = 0
    for deal in deals("endgames"):
        points = deal["kind"] == "points"
        objective = "points" if points else "make"
        game = game_of(deal, prerequisites=False, objective=objective, **more)
        state = game.parse(" / ".join(" ".join(hand) for hand in deal["hands"]))
        value = state.payoff()[0] if state.turn == TERMINAL else search.best(state).value
        assert value == (deal[key] if points else 2 * deal[key] - 1), str(state)
        tried += 1
    assert tried == 500


def test_lines_end_as_the_verdict_says_and_the_table_agrees() -> None:
    for deal in deals("samples")[::3]:
        game = game_of(deal)
        answer = solve(game, deal["url_deal"])
        if not answer.reason:
            state = game.parse(deal["url_deal"])
            for move in answer.line:
                if state.turn != TERMINAL:  # a contract may be decided before the units are
                    state = state.after(move)
            assert (state.payoff()[0] > 0) == answer.made
    strong = [deal for deal in deals("samples") if deal["source"] == "Strong hand"]
    cells = {
        (answer.game.contract, answer.game.setting.trump): answer
        for answer in table(dragon.game("ulti"), strong[0]["url_deal"])  # type: ignore[arg-type]
    }
    assert len(cells) == 31
    for deal in strong:
        answer = cells[deal["contract"], 0 if deal["trump"] else 4]
        assert answer.made == deal["rules_real"]["declarer_wins"], deal["id"]


def test_a_limit_leaves_the_verdict_open() -> None:
    deal = next(d for d in deals("deals") if d["id"] == "ulti-0-027")
    answer = verdict(game_of(deal), deal["url_deal"], dragon.Limit(nodes=100))
    assert answer.made is None
    result = dragon.search("alphabeta(deepening=false)").best(
        game_of(deal).parse(deal["url_deal"]), dragon.Limit(nodes=100)
    )
    assert result.bound is Bound.ESTIMATE
