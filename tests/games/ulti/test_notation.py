"""Ulti as text: cards, deals, positions, codes, links, JSON, and what is refused."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from click.testing import CliRunner

import dragon
from dragon import TERMINAL
from dragon.cli import main
from dragon.errors import BadNotation, ConfigError, IllegalMove
from dragon_ulti import Ulti
from dragon_ulti.cards import (
    DECK,
    ORDERS,
    card,
    card_at,
    deal_of_json,
    name,
    place,
    read_code,
    read_text,
    write_code,
)
from dragon_ulti.cards import as_json as object_of
from dragon_ulti.contracts import CONTRACTS
from dragon_ulti.history import as_json, history, tricks
from dragon_ulti.notation import WORDS
from dragon_ulti.random_deal import deals
from dragon_ulti.record import table_of
from dragon_ulti.svg import shapes

STRONG = "0070605040302012737173112323313143435151620212322242526103011"
"""Seat 0 has seven hearts and the three other aces."""
HANDS = (
    "HA HK HO HU HX H9 H8 AA BA LA",
    "B8 L9 B9 BX LX LU BU BO LO LK",
    "A7 A8 AX A9 AU AO AK L7 B7 L8",
)


def game(spec: str = "") -> Ulti:
    made = dragon.game(f"ulti({spec})")
    assert isinstance(made, Ulti)
    return made


def test_cards_have_names_and_places() -> None:
    assert [card(name(each)) for each in DECK] == list(DECK)
    assert card("ha") == card("HA") == 7
    assert card("L10") == card("LX")
    for order in ORDERS:
        assert sorted(place(each, order) for each in DECK) == list(DECK)
        assert all(card_at(place(each, order), order) == each for each in DECK)


@pytest.mark.parametrize("seed", range(20))
def test_deals_read_back_in_every_form(seed: int) -> None:

    deal = next(deals(seed))
    assert read_text(str(deal)) == deal
    code = write_code(deal, seed % 4)
    assert len(code) == 61
    assert read_code(code) == (deal, seed % 4)
    assert deal_of_json(object_of(deal), "") == deal
    of = game(f"trump={'HLAB'[seed % 4]!r}")
    link = f"https://example.org/simulation.html?deal={code}&x=1"
    states = [of.parse(t) for t in (str(deal), code, "1" + code, link, json.dumps(object_of(deal)))]
    assert len(set(states)) == 1


def test_the_code_of_the_original_is_understood() -> None:
    state = game().parse(STRONG)
    assert state == game().parse(" / ".join(HANDS)) == game().parse(" / ".join([*HANDS, "H7 BK"]))
    assert str(state).endswith("/ H7 BK")
    assert write_code(table_of(state.record, game().setting).deal, 0) != STRONG, "hands are sorted"


SPECS = (
    "",
    "contract='ulti', trump='A', prerequisites=false",
    "contract='betli'",
    "contract='four_tens', prerequisites=false, rules='original'",
    "marriages=true, trump='L'",
    "marriages=true, trump='L', marriage_trick=false",
    "objective='points'",
    "contract='forty_hundred+ulti', prerequisites=false",
)


def written(state: Any) -> str:
    """The position as the JSON object that `parse` reads."""
    setting = state.game.setting
    table = table_of(state.record, setting)
    value = {**object_of(table.deal), "contract": setting.bid.name, "trump": state.game.trump}
    if state.turn != TERMINAL:
        value |= {"lead": table.lead, "trick": [name(each) for each in table.trick]}
    if not table.opening:
        value |= {"units": table.units, "need": table.need, "pending": [*table.pending]}
    return json.dumps(value | {"status": WORDS.get(table.status, "open")})


@pytest.mark.samples("*betli*")
@pytest.mark.parametrize("spec", SPECS)
def test_positions_of_whole_games_read_back_as_text_and_json(spec: str) -> None:
    of, dice = game(spec), random.Random(spec)
    for seed in range(6):
        state = start = of.start(seed)
        played: list[str] = []
        while True:
            assert of.parse(str(state)) == state
            assert of.parse(written(state)) == state
            if played:
                assert of.parse(f"{start}, played {' '.join(played)}") == state
            if state.turn == TERMINAL:
                break
            played.append(dice.choice(list(state.moves())))
            state = state.after(played[-1])


REFUSED = [
    ("HA HZ / HK H8 / LA L7", "'HZ' is not a card; .* (seat 0 of"),
    ("HA HK / HK H8 / LA L7", "HK is held by seat 0 and seat 1 in"),
    ("HA HA / HK H8 / LA L7", "HA is held twice by seat 0"),
    ("HA / HK H8 / LA L7", r"not of equal length.*seat 0 1, seat 1 2"),
    ("HA HK", "has 1 hand; three are needed"),
    ("HA / HK / LA / L7", "the talon of .* has 1 cards"),
    ("HA / HK / LA / L7 L8 / L9", "has 5 groups"),
    ("HA / HK / LA, lead 3", "'lead 3' in .* names no seat"),
    ("HA / HK / LA, leads 0", "'leads 0' in .* is not understood"),
    ("HA / HK / LA, units x", "'units x' in .*: write a number"),
    ("HA / HK / LA, units 2, units 3", "is said twice"),
    ("HA / HK / LA, made, failed", "says both made and failed"),
    ("HA / HK / LA, need 4", "speaks of marriages"),
    (f"{' / '.join(HANDS)}, played HA LA", "card 2 of those played: LA cannot be played"),
    (f"{' / '.join(HANDS)}, played BA B8 A7", "card 3 of those played: A7 .* must follow suit"),
    (f"{' / '.join(HANDS)}, played LA LU L8 BX", "card 4 of those played: BX .* not hold it"),
    ("HA / LK / LA, lead 0: HA LK H7", "with three it is over"),
    (STRONG[:-1], "61 digits|31 digits|has 60 digits"),
    (STRONG.replace("007", "087", 1), "digits 2 and 3, 87, are no card"),
    ("9" + STRONG[1:], "digit 1, the trump, is 9"),
    ("1" + STRONG[1:], "has L as its trump, but this game has hearts"),
    ("5" + STRONG, "digit 1 is contract 5, but this game is party"),
    (STRONG[:-2] + "07", "HA is held by seat 0 and seat 2"),
    ("https://example.org/?deal=12x", "has 'x' in it"),
    ("1" + STRONG.replace("007", "087", 1), "digits 3 and 4, 87, are no card"),
    ("\uff10" + STRONG[1:], "has '\uff10' in it"),
    ('{"hands": [["HA"], ["HK"]]}', "has 2 hands"),
    ('{"hands": [["HA"], ["HK"], ["LA"], ["L7"]]}', 'has 4 hands; .* and "talon" beside them'),
    ('{"hands": [["HA"], ["HK"], ["Q"]]}', "'Q' is not a card.*hand 2"),
    ('{"hands": [["HA"], ["HK"], ["LA"]], "colour": 1}', "'colour' in .* is not understood"),
    ('{"hands": ', "is not JSON"),
    ('{"deal": 1}', 'has no "hands"'),
]


@pytest.mark.parametrize(("position", "message"), REFUSED)
def test_bad_positions_are_refused_with_place_and_remedy(position: str, message: str) -> None:
    with pytest.raises(BadNotation, match=message.replace("(seat", r"\(seat")):
        game("prerequisites=false").parse(position)


def test_a_trump_beside_a_contract_without_one_is_refused_in_json() -> None:
    text = '{"hands": [["HA"], ["HK"], ["LA"]], "contract": "betli", "trump": "H"}'
    with pytest.raises(BadNotation, match="has a trump, and betli has none; leave it out"):
        game("contract='betli'").parse(text)
    assert game("contract='betli'").parse(text.replace('"H"}', "null}"))


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("contract='betli', trump='H'", "betli has no trump; leave trump='H' out"),
        ("contract='negyvenszas'", "did you mean 'negyvenszáz'?"),
        ("contract='beti', trump='H'", "there is no contract 'beti'; did you mean 'betli'?"),
        ("contract='betli+ulti'", "do not go together: one has a trump"),
        ("contract='ulti+ulti'", "names ulti twice"),
        ("contract='durchmars_no_trump+betli'", "no trick, and every trick"),
        ("contract='no_trump_party+betli'", "cards rank ace-ten in one, ace-king in the other"),
        ("trump='Q'", "'Q' is not a suit"),
        ("rules='mine'", "rules must be 'real' or 'original', not 'mine' @ ulti.rules"),
        ("objective='points', contract='ulti'", "ulti is not about points"),
        ("objective='points', marriages=true, cards='hidden'", "need cards='open'"),
        ("contract='piros ulti'", "names a suit, which is the trump; write trump='H'"),
        ("contract='terített ulti'", "'terített' does not go with the rest of 'terített ulti'"),
        ("contract='piros'", "'piros' does not go with the rest of 'piros'; it stands beside"),
        ("contract=''", "there is no contract ''"),
        ("contract='ulti++'", r"there is no contract '\+'"),
        ("contract='ulti', marriages=true", "marriages count in a party"),
        ("trump_duty=1", "must be true or false"),
    ],
)
def test_bad_settings_are_refused(spec: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message) as wrong:
        game(spec)
    assert len(wrong.value.problems) == 1, "a mistake is told once"


def test_illegal_cards_are_refused_with_the_rule_that_forbids_them() -> None:
    of = game("trump='A', objective='points'")
    for position, played, message in (
        ("H9 / HK LA / LO A7, lead 0: HU", "BA", "seat 1 does not hold it"),
        ("H9 / HK LA / LO A7, lead 0: HU", "LA", r"seat 1 must follow suit \(HK\)"),
        ("H9 / HK H8 / LO A7, lead 0: HU", "H8", r"seat 1 must overtake in H \(HK\)"),
        ("H9 / LK A8 / LO A7, lead 0: HU", "LK", r"seat 1 must trump, having no H \(A8\)"),
        ("H9 / LK / AK A7, lead 0: HU A8", "A7", r"seat 2 must overtrump \(AK\)"),
    ):
        with pytest.raises(IllegalMove, match=message):
            of.parse(position).after(played)


def test_unmet_prerequisites_lose_with_a_reason_and_can_be_set_aside() -> None:
    from dragon_ulti.record import unmet

    lost = game("contract='ulti'").parse(STRONG)
    assert (lost.turn, lost.payoff()) == (TERMINAL, (-1.0, 1.0, 1.0))
    assert unmet(lost) == "ulti needs the trump 7, and seat 0 does not hold H7"
    aside = game("contract='ulti', prerequisites=false").parse(STRONG)
    assert unmet(aside) == ""
    assert unmet(game("contract='forty_hundred'").parse(STRONG)) == ""
    bug = game("contract='twenty_hundred', rules='original', trump='L'").parse(
        STRONG.replace("0", "1", 1)
    )
    assert unmet(bug) == "", "under and over of hearts are a marriage to the original"
    with pytest.raises(BadNotation, match="cannot arise: ulti needs the trump 7"):
        game("contract='ulti'").parse(f"{' / '.join(HANDS)}, played HA")


def test_random_deals_meet_the_prerequisites() -> None:
    for contract in CONTRACTS:
        of = game(f"contract={contract!r}")
        assert all(of.start(seed).turn == 0 for seed in range(3)), contract


def test_the_course_of_a_game_has_the_three_tables() -> None:
    of = game("prerequisites=false, contract='durchmars_trump'")
    start = of.parse("HA HX / HK L8 / LA L7")
    found = history(start, ["HX", "HK", "L7"])
    assert [(a.round, a.position, a.player) for a in found.actions] == [
        (1, 1, 0),
        (1, 2, 1),
        (1, 3, 2),
    ]
    assert [(r.winner, r.units) for r in found.rounds] == [(0, 1)]
    value = as_json(found)
    assert value["hands"][1] == [{"card": "HK", "round": 1}, {"card": "L8", "round": None}]
    row = next(line for line in tricks(found).splitlines() if line.strip().startswith("1 "))
    assert row.split() == ["1", ">", "♥X*", "♥K", "♠7", "declarer", "1", "-", "1", "-"]


# ---- commands ------------------------------------------------------------------------------------


def run(*arguments: str) -> str:
    result = CliRunner().invoke(main, ["ulti", *arguments])
    assert result.exit_code == 0, result.output
    return result.stdout


def test_solve_says_verdict_units_cards_and_line() -> None:
    said = json.loads(run("solve", STRONG, "--contract", "party", "--json", "--course"))
    assert (said["declarer_wins"], said["max_points"], said["trump"]) == (True, 11, "H")
    assert said["cards"]["H8"] == 11, "the forty counts for half of what it makes the difference"
    assert len(said["line"]) == len(said["course"]["actions"]) == 30
    shown = run("solve", STRONG, "--contract", "party")
    assert "11 of 5 units  with marriages\nmarriages: declarer 40, seat 1 20, seat 2 20" in shown
    assert "9 of 5 units\n" in run("solve", STRONG, "--contract", "party", "--no-marriages")
    assert "best play" in shown
    assert "the refutation" in run(
        "solve", "HK H8 / HA H7 / LA L7", "--contract", "durchmars_trump"
    )


def test_solve_tries_every_contract() -> None:
    shown = run("solve", STRONG)
    assert "ulti needs the trump 7" in shown
    rows = [row for row in shown.split("\n\n")[1].splitlines() if row[0] != " "]
    assert len(rows) == 10


def test_the_table_has_31_cells() -> None:
    cells = json.loads(run("table", STRONG, "--json"))
    assert len(cells) == 31
    shown = run("table", STRONG)
    assert "no trump" in shown
    assert shown.count("made") + shown.count("fails") + shown.count(" -  ") >= 25


def test_a_table_that_is_interrupted_tells_what_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    from dragon_ulti import answers

    whole = answers.table

    def broken(*given: Any) -> Any:
        for i, answer in enumerate(whole(*given)):
            if i == 3:
                raise KeyboardInterrupt
            yield answer

    monkeypatch.setattr(answers, "table", broken)
    result = CliRunner().invoke(main, ["ulti", "table", STRONG])
    assert result.exit_code != 0
    assert "not reached: interrupted" in result.stdout
    assert result.stdout.count("?") == 31 - 3 + 1


def test_cards_tells_what_each_leads_to() -> None:
    shown = run("cards", "HA H7 / HK L8 / LA L7", "--contract", "ulti")
    assert "made      ♥A  best" in shown
    assert "fails     ♥7" in shown
    said = json.loads(run("cards", "HA / HK H8 / L7 LA, lead 0: HX", "--trump", "H", "--json"))
    assert said["cards"] == {"H8": 4, "HK": 4}, "two tens and aces, the last trick, and L7 or LA"


def test_deal_is_the_same_for_a_seed_and_solve_reads_it() -> None:
    code = run("deal", "--seed", "3", "--code").strip()
    assert run("deal", "--seed", "3", "--code").strip() == code
    assert json.loads(run("deal", "--seed", "3", "--json"))["code"] == code
    assert code in run("deal", "--seed", "3")


def test_mistakes_are_one_sentence() -> None:
    result = CliRunner().invoke(main, ["ulti", "solve", "HA / HA / LA"])
    assert result.exit_code != 0
    assert "HA is held" in result.output
    assert "Traceback" not in result.output


def test_the_drawing_shows_the_suits_of_the_hungarian_deck() -> None:
    """Shapes are those of the page, as are the words for a reader who cannot see a card."""
    drawn = Ulti(contract="betli").parse("HX LA / A7 B9 / LK LO").svg()
    assert not set("♥♠♣♦") & set(drawn)
    called = {"HX": "ten of hearts", "LA": "ace of leaves", "A7": "seven of acorns",
              "B9": "nine of bells"}  # fmt: skip
    for cell, said in called.items():
        shown = drawn.partition(f'data-cell="{cell}"')[2].partition("</g></g>")[0]
        assert shown.startswith(f' aria-label="{said}"')
        assert all(shape["d"] in shown for shape in shapes()[cell[0]])
    assert "Declarer to play" in drawn
