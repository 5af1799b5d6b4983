"""`dragon ulti` as it is used: reviews, interruptions, limits, colours, files, bad input."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

import dragon
from dragon import TERMINAL
from dragon.cli import main
from dragon_ulti.answers import verdict, weighing
from dragon_ulti.history import history
from dragon_ulti.review import reviewing

SMALL = "HA HX L8 / HK H8 LU / H9 LA L7"
HARD = (
    "HO HK HX LU LK A7 AA B7 B9 BO / HU L8 A8 AU AK B8 BU BK BX BA / "
    "H7 H8 H9 HA L7 L9 LO LX LA A9 / AO AX"
)


def run(*arguments: str, given: str | None = None, **more: Any) -> Result:
    return CliRunner().invoke(main, ["ulti", *arguments], input=given, **more)


def shown(*arguments: str, given: str | None = None) -> str:
    result = run(*arguments, given=given)
    assert result.exit_code == 0, result.output
    return result.stdout


def as_json(*arguments: str, given: str | None = None) -> dict[str, Any]:
    value: dict[str, Any] = json.loads(shown(*arguments, "--json", given=given))
    return value


def played(spec: str, seed: int, most: int = 30) -> tuple[Any, list[str]]:
    """A game of random cards: where it began and what was played."""
    start = state = dragon.game(spec).start(seed)
    dice, line = random.Random(seed), []
    while state.turn != TERMINAL and len(line) < most:
        line.append(str(dice.choice(list(state.moves()))))
        state = state.after(line[-1])
    return start, line


# ---- review --------------------------------------------------------------------------------------


@pytest.mark.full
@pytest.mark.parametrize("spec", ["", "contract='ulti'", "contract='betli', rules='original'"])
def test_a_review_says_of_each_card_what_a_search_says(spec: str) -> None:
    start, line = played(f"ulti({spec})", 7)
    game: Any = start.game
    *_, seen = reviewing(game, f"{start}, played {' '.join(line)}")
    assert [step.card for step in seen.steps] == line
    assert seen.known
    units, mistakes = bool(seen.need), [0, 0, 0]
    for i, step in enumerate(seen.steps):
        text = f"{start}, played {' '.join(line[:i])}" if i else str(start)
        *_, before = weighing(game, text)
        worths = dict(before.cards)
        best = max(worths.values()) if step.seat == 0 else min(worths.values())
        assert (step.before, step.after) == (best, worths[step.card]), i
        assert bool(step.lost) == (worths[step.card] != best)
        mistakes[step.seat] += bool(step.lost)
        if step.lost:
            assert set(step.right) == {card for card, worth in worths.items() if worth == best}
            assert not units or step.lost == abs(best - worths[step.card])
    assert list(seen.mistakes) == mistakes
    assert sum(mistakes) or spec, "random cards are not all right"


@pytest.mark.full
def test_a_review_tells_mistakes_what_they_cost_and_what_was_right() -> None:
    start, line = played("ulti(objective='points')", 5)
    text = f"{start}, played {' '.join(line)}"
    said, out = as_json("review", text), shown("review", text)
    wrong = [step for step in said["steps"] if step["lost"]]
    assert out.count("mistake: it loses") == len(wrong) == sum(said["mistakes"]) > 0
    assert all(step["right"] and step["card"] not in step["right"] for step in wrong)
    assert said["complete"] is True
    assert said["declarer_won"] is (said["steps"][-1]["value"] >= said["need"])
    for seat, who in enumerate(("declarer", "seat 1", "seat 2")):
        assert f"{who:10}{said['mistakes'][seat]} mistake" in out


def test_a_verdict_that_changes_is_told() -> None:
    text = "HA H7 / HK L8 / LA L7, played H7"
    out = shown("review", text, "--contract", "ulti")
    assert "at first              made" in out
    assert "fails     mistake, and the contract fails; right: ♥A" in out
    assert "not over; with best play from here: fails" in out
    said = as_json("review", text, "--contract", "ulti")
    assert said["steps"][0]["right"] == ["HA"]
    assert (said["counts"], said["mistakes"], said["declarer_won"]) == ("made", [1, 0, 0], None)


@pytest.mark.full
def test_a_review_reads_text_json_codes_files_and_stdin(tmp_path: Path) -> None:
    start, line = played("ulti(objective='points', trump='A')", 2, 9)
    dealt = as_json("deal", "--seed", "2", "--trump", "A")
    code = dealt.pop("code")
    value = {**dealt, "contract": "party", "played": line}
    file = tmp_path / "game.json"
    file.write_text(json.dumps(value, indent=1))
    text = f"{start}, played {' '.join(line)}"
    alike = [
        as_json("review", text, "--trump", "A"),
        as_json("review", json.dumps(value)),
        as_json("review", str(file)),
        as_json("review", "-", given=json.dumps(value)),
        as_json("review", "-", "--trump", "A", given=text.replace(",", ",\n")),
        as_json("review", f"{code}, played {' '.join(line)}"),
        as_json("review", f"https://example.org/x.html?deal={code}, played {' '.join(line)}"),
    ]
    for said in alike:
        said["seconds"] = 0
        assert said == alike[0]
    assert alike[0]["trump"] == "A"


@pytest.mark.full
def test_cards_after_the_decision_are_shown_and_not_judged() -> None:
    text = "HA HX / HK H8 / LA L7, played HX HK L7 LA HA H8"
    out = shown("review", text, "--contract", "durchmars_trump", "--trump", "L")
    assert out.count("after the decision, not judged") == 3
    assert "decided in round 1: failed" in out
    units = as_json("review", text, "--trump", "L")
    assert len(units["steps"]) == 6
    assert units["ignored"] == []


@pytest.mark.full
def test_a_limit_leaves_the_first_cards_of_a_review_unknown_and_guesses_nothing() -> None:
    start, line = played("ulti(objective='points')", 5)
    text = f"{start}, played {' '.join(line)}"
    game: Any = dragon.game("ulti")
    *_, whole = reviewing(game, text)
    *_, part = reviewing(game, text, dragon.Limit(nodes=400))
    assert not part.known
    assert part.steps[0].before is None
    assert part.steps[-1].lost is not None
    for ours, truth in zip(part.steps, whole.steps, strict=True):
        assert ours.before in (None, truth.before)
        assert ours.after in (None, truth.after)
        assert ours.right in ((), truth.right)
    out = shown("review", text, "--seconds", "0.000001")
    assert "cards not judged" in out


@pytest.mark.parametrize(
    ("text", "options", "wrong"),
    [
        (SMALL, [], "is not a game to review: it names no card that was played"),
        (f"{SMALL}, played HX LU", [], "card 2 of those played: LU is not legal"),
        (f"{SMALL}, played HX H7", [], "card 2 of those played: H7 cannot be played"),
        (f"{SMALL}, played HX HX", [], "seat 1 does not hold it"),
        (f"{SMALL}, made, played HX", ["--contract", "ulti"], "over before the first card played"),
        ("nowhere.txt", [], "'nowhere.txt' is not a game, and no file of this name is there"),
        (f"{SMALL}, played HX", ["--contract", "betli", "--trump", "H"], "betli has no trump"),
        ('{"hands": [["HA"], ["HK"], ["H8"]], "played": "HQ"}', [], "'HQ' is not a card"),
    ],
)
def test_bad_games_are_one_sentence(text: str, options: list[str], wrong: str) -> None:
    result = run("review", text, *options)
    assert result.exit_code == 2
    assert wrong in result.stderr
    assert len(result.stderr.splitlines()) == 1
    assert result.stdout == ""


# ---- the course of play --------------------------------------------------------------------------


def test_the_course_is_told_in_the_middle_of_a_trick_and_of_a_finished_game() -> None:
    said = as_json("cards", f"{SMALL}, played HX HK", "--course")["course"]
    assert said["actions"] == [
        {"round": 1, "position": 1, "player": 0, "card": "HX"},
        {"round": 1, "position": 2, "player": 1, "card": "HK"},
    ]
    assert said["rounds"] == []
    assert said["hands"][0][0] == {"card": "HX", "round": 1}
    lying = as_json("cards", "HA L8 / H8 LU / H9 LA L7, lead 0: HX HK", "--course")["course"]
    tables = ("actions", "rounds", "hands", "next")
    for each in tables:
        assert lying[each] == said[each], "the cards on the table tell who led"
    start, line = played("ulti(objective='points')", 4)
    text = f"{start}, played {' '.join(line)}"
    whole = as_json("review", text, "--course")["course"]
    assert [action["card"] for action in whole["actions"]] == line
    assert len(whole["rounds"]) == 10
    assert sum(each["units"] for each in whole["rounds"]) <= 9
    assert {card["round"] for hand in whole["hands"] for card in hand} == {*range(1, 11)}
    assert as_json("cards", text, "--course")["course"] == whole
    out = shown("review", text, "--course")
    assert "the hands, with the round of each card" in out
    assert "taken by  units  aces  tens  trump 7" in out


@pytest.mark.samples("four_aces")
@pytest.mark.parametrize("contract", ["ulti", "betli", "four_aces", "forty_hundred"])
def test_all_thirty_cards_of_a_deal_are_replayed_to_the_end(contract: str) -> None:
    game: Any = dragon.game(f"ulti(contract='{contract}')")
    start, line, dice = game.start(3), [], random.Random(5)
    while moves := history(start, line).moves:
        line.append(dice.choice(moves))
    assert len(line) == 30
    said = as_json("review", _text(start, line), "--contract", contract, "--course")
    course, judged = said["course"], len(said["steps"])
    assert [each["card"] for each in course["actions"]] == line
    assert course["next"] is None
    decided = 3 * course["decision"]["round"]
    assert course["decision"]["made"] == said["declarer_won"]
    assert game.parse(_text(start, line[:decided])).turn == TERMINAL
    assert game.parse(_text(start, line[: decided - 1])).turn != TERMINAL
    assert judged in (decided, 30)
    assert said["ignored"] == line[judged:]
    for each in course["rounds"]:
        trick = [a["card"] for a in course["actions"] if a["round"] == each["round"]]
        assert each["aces"] == sum(card[1] == "A" for card in trick)
        assert each["tens"] == sum(card[1] == "X" for card in trick)
        assert each["trump_seven"] == (contract != "betli" and "H7" in trick)
        assert each["units"] == each["aces"] + each["tens"] + (each["round"] == 10)
    assert as_json("solve", _text(start, line), "--contract", contract)["declarer_wins"] in (
        said["declarer_won"],
        None,
    )
    wrong = run("review", _text(start, [*line, "HA"]), "--contract", contract)
    assert (wrong.exit_code, "no card is left to play before HA" in wrong.stderr) == (2, True)


def _text(start: Any, line: list[str]) -> str:
    return f"{start}, played {' '.join(line)}" if line else str(start)


def test_the_course_of_a_solved_deal_begins_with_what_was_played() -> None:
    said = as_json("solve", f"{SMALL}, played HX HK", "--contract", "party", "--course")
    actions = said["course"]["actions"]
    assert [action["card"] for action in actions] == ["HX", "HK", *said["line"]]
    assert len(actions) == 9
    for past, twice in (("HX HK", False), ("HX HK H9", True)):
        out = shown("solve", f"{SMALL}, played {past}", "--contract", "party", "--course")
        assert ("all of play" in out) == twice, "told once if the line is all of it"
        assert "the hands, with the round of each card" in out


def test_some_of_the_best_lines_are_told_each_of_them_best() -> None:
    said = as_json("solve", SMALL, "--contract", "party", "--lines", "4")
    assert len({tuple(line) for line in said["lines"]}) == 4
    game: Any = dragon.game("ulti(objective='points')")
    for line in said["lines"]:
        state = game.parse(SMALL)
        for card in line:
            state = state.after(card)
        assert state.payoff()[0] == said["max_points"]
    out = shown("solve", f"{SMALL}, played HX HK", "--contract", "party", "--lines", "1")
    rows = out.partition("1 of the lines without a mistake\n")[2].splitlines()
    assert [row[:13] for row in rows] == ["  1  ♥X ♥K ♥9"]
    assert run("solve", SMALL, "--lines", "2").exit_code == 2


def test_a_contract_that_the_deal_names_is_the_one_that_is_solved() -> None:
    value = {"hands": [["HA", "H7"], ["HK", "L8"], ["LA", "L7"]], "contract": "ulti"}
    assert as_json("solve", json.dumps(value))["contract"] == "ulti"
    assert as_json("cards", json.dumps(value))["contract"] == "ulti"
    code = shown("deal", "--contract", "betli", "--code").strip()
    assert as_json("solve", f"5{code}")["contract"] == "betli"
    wrong = run("solve", json.dumps({**value, "contract": "beti"}))
    assert (wrong.exit_code, "did you mean 'betli'" in wrong.stderr) == (2, True)


# ---- what it looks like --------------------------------------------------------------------------


def test_seats_sit_around_a_table_with_the_trick_between_them() -> None:
    lines = shown("cards", "HA L8 / H8 LU / H9 LA L7 / A7 B8, lead 0: HX HK").splitlines()
    assert lines[0].split() == ["seat", "1", "seat", "2"]
    assert lines[1].split() == ["♥", "8", "on", "the", "table", "♥", "9"]
    assert "♥X declarer" in lines[2]
    assert "♥K seat 1" in lines[3]
    assert lines[5].split() == ["declarer", "talon"]
    assert lines[6].split() == ["♥", "A", "♣7", "♦8"]


@pytest.mark.full
def test_suits_have_the_colours_of_the_deck_on_a_terminal_only(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    plain = run("table", HARD)
    bright = run("table", HARD, color=True)
    assert "\x1b" not in plain.stdout
    for code, symbol in ((31, "♥"), (32, "♠"), (33, "♣"), (93, "♦")):
        assert f"\x1b[{code}m\x1b[1m{symbol}" in bright.stdout
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b" not in run("table", HARD, color=True).stdout


@pytest.mark.full
def test_no_line_is_wider_than_a_terminal() -> None:
    code = shown("deal", "--seed", "3", "--code").strip()
    for arguments in (["solve", "--contract", "party"], ["table"], ["cards"]):
        lines = shown(arguments[0], code, *arguments[1:]).splitlines()
        assert max(map(len, lines)) <= 80, arguments


# ---- limits and Ctrl-C ---------------------------------------------------------------------------


@pytest.mark.samples(1)
@pytest.mark.parametrize("command", ["solve", "cards", "table"])
def test_a_limit_gives_unknown(command: str) -> None:
    options = [] if command == "table" else ["--contract", "party"]
    out = shown(command, HARD, *options, "--seconds", "0.0000001")
    assert "unknown" in out
    value = json.loads(shown(command, HARD, *options, "--seconds", "0.0000001", "--json"))
    first = value[1] if command == "table" else value
    assert first["declarer_wins"] is None
    assert first["max_points"] is None
    assert set(first["cards"].values()) <= {None}


@pytest.mark.full
def test_a_limit_is_one_for_all_contracts(monkeypatch: pytest.MonkeyPatch) -> None:
    from dragon_ulti import answers

    limits: list[float] = []
    solving = answers.solving

    def noted(game: Any, text: str, limit: dragon.Limit, lines: bool) -> Iterator[Any]:
        assert limit.seconds is not None
        limits.append(limit.seconds)
        return solving(game, text, limit, lines)

    monkeypatch.setattr(answers, "solving", noted)
    shown("solve", SMALL, "--no-prerequisites", "--seconds", "50")
    assert len(limits) == 10
    assert limits[0] == 50
    assert limits == sorted(limits, reverse=True)
    assert len({*limits}) == 10


@pytest.mark.parametrize("seconds", ["nan", "inf", "0", "-1"])
def test_seconds_are_a_number_above_0(seconds: str) -> None:
    assert run("solve", SMALL, "--seconds", seconds).exit_code == 2


def test_a_ready_deal_has_no_seed() -> None:
    wrong = run("deal", "--ready", "betli", "--seed", "0")
    assert (wrong.exit_code, "--ready takes a deal that is known" in wrong.stderr) == (2, True)


def breaking(stream: Any, after: int) -> Any:
    """The stream, with a Ctrl-C once it has given so many."""

    def broken(*given: Any, **more: Any) -> Iterator[Any]:
        for i, each in enumerate(stream(*given, **more)):
            if i == after:
                raise KeyboardInterrupt
            yield each

    return broken


@pytest.mark.full
def test_what_is_known_is_printed_when_interrupted(monkeypatch: pytest.MonkeyPatch) -> None:
    from dragon_ulti import answers
    from dragon_ulti import review as module

    start, line = played("ulti(objective='points')", 5)
    text = f"{start}, played {' '.join(line)}"
    truth = as_json("cards", HARD)
    mistakes = as_json("review", text)
    monkeypatch.setattr(answers, "solving", breaking(answers.solving, 4))
    monkeypatch.setattr(answers, "weighing", breaking(answers.weighing, 4))
    monkeypatch.setattr(module, "reviewing", breaking(reviewing, 12))
    for command, of in (("solve", HARD), ("cards", HARD), ("review", text)):
        options = ["--contract", "party"]
        result = run(command, of, *options)
        assert result.exit_code == 130
        assert result.stderr == "interrupted\n"
        assert "interrupted: this is what is known so far" in result.stdout
        result = run(command, of, *options, "--json")
        said = json.loads(result.stdout)
        assert (result.exit_code, said["interrupted"]) == (130, True)
        if command == "review":
            assert not said["complete"]
            values = [step["value"] for step in said["steps"]]
            assert values[:19] == [None] * 19
            assert values[19:] == [step["value"] for step in mistakes["steps"][19:]]
            continue
        known = {card: value for card, value in said["cards"].items() if value is not None}
        assert 1 < len(known) < 10
        assert known.items() <= truth["cards"].items()
        assert (said["declarer_wins"] is None) == (command == "cards")


OTHERS = [("cards", True), ("solve", False), ("cards", False)]


@pytest.mark.full
@pytest.mark.parametrize(
    ("command", "cold"),
    [("solve", True), ("review", False), ("table", False)]  # the first compiles
    + [pytest.param(*of, marks=pytest.mark.full) for of in OTHERS],
)
def test_ctrl_c_while_a_hard_position_is_searched(
    command: str, cold: bool, tmp_path: Path, ctrl_c: Callable[..., tuple[str, str, int]]
) -> None:
    of = f"{HARD}, played B9 BA HA" if command == "review" else HARD
    options = ["--rules", "original"] + ["--contract", "party"] * (command != "table")
    if not cold:
        few = f"{SMALL}, played HA HK H9" if command == "review" else SMALL
        shown(command, few, *options)  # so that everything is compiled
    env = {"DRAGON_CACHE": str(tmp_path / "cache")} if cold else {}
    value = ("dragon_ulti.solver", "Solver.value")
    compiling = ("dragon.search.alphabeta.driver", "Driver._resume")
    out, err, code = ctrl_c("ulti", command, of, *options, of=compiling if cold else value, **env)
    assert code == 130, err
    assert err.endswith("interrupted\n")
    assert "Traceback" not in err
    if command != "table":
        assert "interrupted: this is what is known so far" in out
        assert "unknown" in out or "not judged" in out


# ---- batches and other doors ---------------------------------------------------------------------


def test_a_file_of_deals_is_solved_as_a_batch(tmp_path: Path) -> None:
    game: Any = dragon.game("ulti(contract='betli')")
    deals = [as_json("deal", "--seed", str(seed), "--contract", "betli") for seed in range(4)]
    states = [game.start(seed) for seed in range(4)]
    file = tmp_path / "deals.txt"
    lines = [
        deals[0]["code"],
        f"https://example.org/simulation.html?deal={deals[1]['code']}  # a link",
        str(states[2]),
        json.dumps({key: deals[3][key] for key in ("hands", "talon")}),
    ]
    file.write_text("\n".join(lines) + "\n")
    search = "alphabeta(deepening=false, killers=false)"
    done = CliRunner().invoke(
        main,
        ["solve", "ulti(contract='betli')", "--positions", str(file), "--search", search, "--json"],
    )
    assert done.exit_code == 0, done.output
    rows = [json.loads(row) for row in done.stdout.splitlines()]
    assert [row["position"] for row in rows] == [str(state) for state in states]
    for row, state in zip(rows, states, strict=True):
        assert row["bound"] == "="
        assert (row["value"] > 0) == verdict(game, str(state)).made
    file.write_text(f"{lines[0]}\nHA / HA / LA\n")
    done = CliRunner().invoke(main, ["solve", "ulti", "--positions", str(file)])
    assert done.exit_code == 2
    assert f"{file}:2: HA is held by seat 0 and seat 1" in done.stderr


@pytest.mark.parametrize("command", ["solve", "cards"])
@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        (f"{SMALL} HU", "has 4 cards|not of equal length"),
        ("HA HX / HK / LA L7", "not of equal length.*seat 1 1"),
        ("HA / HA / LA", "HA is held by seat 0 and seat 1"),
        ("HA / HQ / LA", "'HQ' is not a card.*seat 1 of"),
        (f"{SMALL}, lead 4", "names no seat"),
        (f"{SMALL}, played HX HX", "card 2 of those played"),
        (f"{SMALL}, units 99", "write a number from 0 to 20"),
        ("http://example.org/?deal=00", "has 2 digits"),
        ("{", "is not JSON"),
        ("[1]", 'has no "hands"'),
        ("HA HK / H7 H8 / L7 L8, units 9", "no more than 7 can have been taken"),
        ("HA / HK / L7 L8, lead 0: HX L9", "seat 1 held HK and might not play L9"),
        ("HA / HK / L7 L8, lead 0: H8 H7", "seat 1 held HK and might not play H7"),
        (f"{HARD}, lead 1", "the declarer leads to the first trick"),
        ('{"hands": [["HA"], ["HK"], ["LA"]], "lead": true}', "lead True in .* is not a seat"),
        (
            '{"hands": [["HA"], [], ["LA"]], "lead": 1.0, "trick": ["HK"]}',
            r"lead 1\.0 in .* is not a seat",
        ),
        ('{"hands": "HA"}', 'has no "hands"'),
    ],
)
def test_bad_input_is_one_sentence_with_place_and_remedy(
    command: str, text: str, wrong: str
) -> None:
    result = run(command, text)
    assert result.exit_code == 2
    assert re.search(wrong, result.stderr), result.stderr
    assert len(result.stderr.splitlines()) == 1
    assert result.stdout == ""


@pytest.mark.parametrize("command", ["solve", "table"])
@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("HA / HK / LA, units 3", "counts units, which four aces does not"),
        (f"{HARD}, played HO HU HA", "four aces need the trump ace, .* so not a card is played"),
        ("HA / HK / LA, made", "units are counted to the last card; leave 'made' out"),
    ],
)
def test_a_position_that_not_all_contracts_come_to_is_told_before_any_verdict(
    command: str, text: str, wrong: str
) -> None:
    result = run(command, text)
    assert result.exit_code == 2
    assert re.search(wrong, result.stderr), result.stderr
    assert "ask for one" in result.stderr
    assert result.stdout == ""
    assert "ask for one" not in run(command, "HA / HA / LA").stderr
