"""The pages of Ulti and of opening hands in a real browser, at a real server."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from math import comb
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner

from dragon.cli import main

sync_api = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
pytest.importorskip("uvicorn", reason="the pages need the extra `web`")

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.full  # as all pages in a browser are

expect = sync_api.expect
CODE = "0070605040300173727021213323322232414341510112021303125263536"
"""A deal of the original program's page, which it did not solve for an ulti."""
SMALL = "HA+H7+/+HK+L8+/+LA+L7"
WAIT = 120_000


@pytest.fixture(scope="module")
def server(serve: Callable[..., Any]) -> Any:
    return serve("--workers", "1", jit=True)


@pytest.fixture
def forgiven() -> tuple[str, ...]:
    """Tests here ask what is refused."""
    return ("error: Failed to load resource: the server responded with a status of 400",)


# ---- Ulti ----------------------------------------------------------------------------------------


def test_a_link_of_the_original_program_is_solved(
    opened: Callable[..., Page], sound: Callable[..., None]
) -> None:
    page = opened(f"/ulti?deal={CODE}&contract=ulti", 390)
    expect(page.locator(".verdict").first).to_contain_text("Ulti, hearts is made", timeout=WAIT)
    expect(page.locator(".verdicts")).not_to_have_attribute("aria-busy", "true", timeout=WAIT)
    assert page.locator(".cell.good").count() == 8
    expect(page.locator(".tricks tbody tr")).to_have_count(10)
    expect(page.locator(".felt [data-card=H7]")).to_have_attribute(
        "aria-label", "seven of hearts: the contract fails"
    )
    sound(page, 1200, 390)
    page.get_by_role("button", name="Betli: fails").click()
    expect(page.locator(".verdict").first).to_contain_text("Betli fails")
    assert "contract=betli" in page.url
    page.get_by_role("button", name="Edit the deal").click()
    sound(page, 1200, 390)


def test_what_if_and_the_line_by_keyboard(opened: Callable[..., Page]) -> None:
    page = opened(f"/ulti?deal={SMALL}&contract=ulti")
    verdict = page.locator(".verdict").first
    expect(verdict).to_contain_text("is made", timeout=WAIT)
    expect(page.locator(".felt [data-card]")).to_have_count(6)  # the line follows the verdict
    page.locator("h1").click()
    page.keyboard.press("End")
    expect(page.locator(".felt .gone")).to_have_count(6)
    page.keyboard.press("Home")
    expect(page.locator(".felt .gone")).to_have_count(0)
    page.locator(".felt [data-card=H7]").press("Enter")
    expect(verdict).to_contain_text("fails")
    expect(page.locator(".felt [data-card=HK]")).to_be_focused()
    expect(page.locator(".step.own .wrong")).to_contain_text("right: HA")
    assert "played=H7" in page.url
    again = opened(page.url)
    expect(again.locator(".verdict").first).to_contain_text("fails")
    page.get_by_role("button", name="Back to best play").click()
    expect(verdict).to_contain_text("is made")


def test_a_deal_is_edited_by_keyboard_and_by_text(opened: Callable[..., Page]) -> None:
    page = opened(f"/ulti?deal={SMALL}&contract=ulti")
    expect(page.locator(".verdict").first).to_contain_text("is made", timeout=WAIT)
    page.get_by_role("button", name="Edit the deal").press("Enter")
    deck = page.get_by_role("grid").first
    deck.locator("[data-card=H7]").focus()
    page.keyboard.press("ArrowRight")  # to the eight
    page.keyboard.press("d")
    expect(page.locator("#editor")).to_contain_text("Defender 1 needs 1 more; Defender 2 needs 1")
    page.keyboard.press("Delete")
    expect(page.locator(".verdict").first).to_contain_text("is made")
    text = page.get_by_label("The deal as text")
    text.fill("HA H8 / H7 / L9")
    text.press("Enter")
    expect(page.locator("#editor")).to_contain_text("not of equal length")
    expect(deck.locator("[data-owner=s0]")).to_have_count(2)
    text.fill(f"https://example.org/?deal={CODE}")
    text.press("Enter")
    expect(page.locator(".tricks tbody tr")).to_have_count(10)


def test_advice_for_a_closed_hand(opened: Callable[..., Page], sound: Callable[..., None]) -> None:
    page = opened("/ulti?view=closed&samples=50")
    verdict, advice = page.locator(".advice .verdict"), page.locator(".advice")
    sentence = "40-100 and Ulti, hearts: made in 100.0 % of deals if all cards lie open, worth +16"
    expect(verdict).to_contain_text(sentence, timeout=WAIT)
    expect(page.get_by_text("50 of 50 deals looked at")).to_be_visible(timeout=WAIT)
    expect(advice).to_contain_text("never made")
    sound(page)
    page.locator(".deck:visible [data-card=HA]").click()
    expect(page.get_by_text("9 of 10 cards")).to_be_visible()
    expect(advice).to_be_empty()
    text = page.get_by_label("The hand as text")
    text.fill("PA PX PK PO P7 ZA ZX MA M8 T9")
    text.press("Enter")
    expect(verdict).to_contain_text("40-100 and Ulti, hearts", timeout=WAIT)
    text.fill("PA PX PK PO P7 ZA ZX MA M8 Q9")
    text.press("Enter")
    expect(page.get_by_text("'Q9' is not a card; write suit and rank")).to_be_visible()
    expect(advice).to_be_empty()


def test_the_best_bid_is_played_with_closed_cards(
    opened: Callable[..., Page], sound: Callable[..., None], accessible: Callable[[Page], None]
) -> None:
    address = "/ulti?view=closed&samples=50&bids=betli&hand=A7+A8+A9+AX+H7+H8+LO+L7+B7+B8"
    page = opened(address, 390, "dark")
    expect(page.get_by_text("50 of 50 deals looked at")).to_be_visible(timeout=WAIT)
    assert page.locator(".at-table").count() == 0
    games = page.get_by_label("Play with closed cards")
    games.focus()
    page.keyboard.press("ArrowDown")  # 20 games
    expect(page.locator(".at-table")).to_contain_text("of 20 deals (95 %:", timeout=WAIT)
    expect(page.locator("#announce")).to_contain_text("With closed cards Betli is made in")
    assert "games=20" in page.url
    sound(page, 360)
    accessible(page)
    wide = opened(f"{address}&games=20", 1280, "light")
    expect(wide.locator(".at-table")).to_contain_text("of 20 deals (95 %:", timeout=WAIT)
    sound(wide)
    accessible(wide)


UNREACHED = """[...document.querySelectorAll('#app button, #app input, #app select, #app summary')]
  .filter(e => e.checkVisibility() && !e.disabled && e.tabIndex < 0)
  .filter(e => !e.closest('[role=grid], [role=tablist]')).map(e => e.outerHTML)"""
CUT = """[...document.querySelectorAll('.scroll')].filter(e => e.checkVisibility())
  .filter(e => e.scrollWidth > e.clientWidth).map(e => e.innerText)"""


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (390, 844)])
@pytest.mark.parametrize("view", ["open", "closed&samples=50"])
def test_the_page_fits(
    opened: Callable[..., Page],
    sound: Callable[..., None],
    accessible: Callable[[Page], None],
    view: str,
    width: int,
    height: int,
) -> None:
    page = opened(f"/ulti?view={view}", width, "light" if width > 500 else "dark")
    answer = page.locator(".verdict:visible")
    expect(answer).to_contain_text("hearts", timeout=WAIT)
    ready = ".verdicts:not([aria-busy])" if view == "open" else "text=50 of 50 deals"
    page.locator(ready).wait_for(timeout=WAIT)
    if view == "open":
        expect(page.get_by_text("✓ made", exact=False).first).to_be_visible()
    box = answer.bounding_box()
    assert box is not None
    assert box["y"] + box["height"] < height, "the first answer is above the fold"
    assert page.evaluate(CUT) == [], "no column is hidden"
    assert page.evaluate(UNREACHED) == [], "the keyboard reaches everything"
    sound(page, 360)
    accessible(page)


def test_what_is_shown_is_of_the_deal_that_is_typed(opened: Callable[..., Page]) -> None:
    page = opened(f"/ulti?deal={SMALL}&contract=ulti")
    verdict, table = page.locator(".verdict").first, page.locator(".felt")
    expect(verdict).to_contain_text("is made", timeout=WAIT)
    page.get_by_role("button", name="Edit the deal").click()
    text = page.get_by_label("The deal as text")
    for wrong in ("HA H8 / H7 / L9", "nonsense"):
        text.fill(wrong)
        text.press("Enter")
        expect(verdict).to_contain_text("No answer yet")
        for answer in (table, page.locator(".tricks"), page.locator(".verdicts")):
            expect(answer).to_be_hidden()
    text.fill("HA H7 / HK L8 / LA L7")
    text.press("Enter")
    expect(verdict).to_contain_text("is made")
    expect(table).to_be_visible()
    page.locator(".deck:visible [data-card=H8]").click()
    expect(verdict).to_contain_text("No answer yet: Defender 1 needs 1 more")
    expect(table).to_be_hidden()


def test_a_ready_made_deal_in_hungarian(opened: Callable[..., Page]) -> None:
    page = opened("/ulti")
    page.get_by_label("Ready-made deals").select_option(label="The duty to trump")
    verdict, about = page.locator(".verdict").first, page.locator(".about")
    expect(verdict).to_contain_text("Ulti, leaves fails", timeout=WAIT)
    expect(about).to_contain_text("who cannot follow must trump")
    page.get_by_role("button", name="Magyarul").click()
    expect(verdict).to_contain_text("Ulti, zöld elbukik", timeout=WAIT)
    expect(about).to_contain_text("adut kell tennie")
    assert "language=hu" in page.url
    page.get_by_role("button", name="Az osztás szerkesztése").click()
    text = page.get_by_label("Az osztás szövege")
    text.fill("HA HZ / H7 L9 / L8 B9")
    text.press("Enter")
    expect(page.locator("#editor")).to_contain_text("'HZ' nem lap; szín és rang kell")
    shown = page.locator("main").inner_text()
    assert not re.findall(r"\b(?:the|of|and|cards|deal)\b", shown)


def test_a_game_goes_on_to_its_last_card(opened: Callable[..., Page]) -> None:
    page = opened(f"/ulti?deal={SMALL}&contract=ulti&played=H7+HK+L7&at=3")
    expect(page.locator(".line .note")).to_have_text("Decided in trick 1: fails", timeout=WAIT)
    for count in (3, 4, 5):
        expect(page.locator(".step.own")).to_have_count(count, timeout=WAIT)
        expect(page.locator(".whose")).to_contain_text("may play on")
        page.locator(".felt button:not(:disabled)").first.click()
    expect(page.locator(".whose")).to_have_text("All cards are played.", timeout=WAIT)
    expect(page.locator(".tricks tbody tr").nth(1)).to_contain_text("aces: 2, units: 3")


# ---- hands ---------------------------------------------------------------------------------------


def test_a_probability_is_that_of_the_command(opened: Callable[..., Page], tmp_path: Path) -> None:
    page = opened("/hands", 390)
    expect(page.locator(".big output")).to_have_text("24.61 %", timeout=WAIT)
    page.get_by_role("button", name="One Beta more").click()
    page.get_by_label("Add a condition").fill("2+ Extender AND Dragon")
    page.get_by_role("button", name="Add the condition").click()
    page.get_by_label("Cards of the hand").fill("6")
    expect(page.locator(".odds")).to_contain_text("2+ Extender AND Dragon")
    expect(page.locator(".big")).to_contain_text("of 6-card hands")
    file = tmp_path / "deck.yaml"
    file.write_text(page.get_by_label("Cards and conditions").input_value())
    ran = CliRunner().invoke(main, ["hands", "odds", str(file), "--hand", "6", "--json"])
    said = json.loads(ran.stdout)
    page.get_by_label("As exact fractions").check()
    exact = f"{said['any']['numerator']:,} / {said['any']['denominator']:,}"
    expect(page.locator(".odds")).to_contain_text(exact)
    expect(page.locator(".charts figure")).to_have_count(3)
    expect(page.locator(".cardlist .delta")).to_have_count(8)
    assert "#deck=" in page.url
    again = opened(page.url, 390)
    expect(again.locator(".odds")).to_contain_text(exact)


def test_a_mulligan_and_the_turns_are_those_of_the_command(
    opened: Callable[..., Page], accessible: Callable[[Page], None], tmp_path: Path
) -> None:
    page = opened("/hands?free=never", 390)
    expect(page.locator(".big output")).to_have_text("22.59 %", timeout=WAIT)
    page.get_by_text("Mulligan, turn, and what is known").click()
    page.get_by_label("Mulligan", exact=True).select_option("london")
    page.get_by_label("Keep").fill("Starter AND")
    expect(page.locator(".field", has=page.get_by_label("Keep"))).to_contain_text("column")
    page.get_by_label("Keep").fill("Starter OR Extender")
    page.get_by_label("Given").fill("Dragon")
    page.get_by_role("button", name="The odds by turn").click()
    file = tmp_path / "deck.yaml"
    file.write_text(page.get_by_label("Cards and conditions").input_value())
    way = ("--free", "never", "--mulligan", "london", "--keep", "Starter OR Extender", "--given",
           "Dragon", "--by-turn", "0,10", "--json")  # fmt: skip
    said = json.loads(CliRunner().invoke(main, ["hands", "odds", str(file), *way]).stdout)["turns"]
    expect(page.locator(".big output")).to_have_text(f"{100 * said['0']['any']['p']:.2f} %")
    expect(page.locator(".odds")).to_contain_text("Kept: 7 cards")
    expect(page.locator(".odds")).to_contain_text("Given: Dragon")
    last = page.locator(".turned tbody tr").nth(10)
    expect(last).to_contain_text(f"{100 * said['10']['any']['p']:.2f}", timeout=WAIT)
    accessible(page)
    again = opened(page.url, 390)
    expect(again.locator(".turned tbody tr")).to_have_count(11, timeout=WAIT)
    expect(again.get_by_label("Keep")).to_have_value("Starter OR Extender")


def test_a_mistake_in_a_deck_is_told_at_its_line(
    opened: Callable[..., Page], accessible: Callable[[Page], None]
) -> None:
    page = opened("/hands")
    expect(page.locator(".big output")).to_have_text("24.61 %", timeout=WAIT)
    text = page.get_by_label("Cards and conditions")
    text.fill("deck:\n  A: {qty: 3}\nconditions: [B]\n")
    expect(page.locator(".mistakes")).to_contain_text("no card and no tag is called 'B'")
    expect(page.locator(".big")).to_contain_text("cannot be read yet")
    text.fill("deck:\n  A: {qty: 3}\nconditions: [Trap]\n")
    expect(page.locator(".warned")).to_contain_text("no card of the deck is or has 'Trap'")
    expect(page.locator(".big output")).to_have_text("0.00 %")
    text.fill("deck:\n  A: {qty: 3}\nconditions: [A AND]\n")
    expect(page.locator(".mistakes")).to_contain_text("the condition ends")
    page.get_by_role("button", name="Line 3").click()
    accessible(page)
    assert page.evaluate("getSelection().toString()") == "conditions: [A AND]"
    text.fill("deck:\n  A: {qty: 3}\nconditions: [A]\n")
    expect(page.locator(".big output")).to_have_text("33.76 %")
    expect(page.get_by_role("alert")).to_have_count(0)
    text.fill("deck:\n  A: {qty: 3}\nhand: 7\nconditions: [A]\n")
    expect(page.get_by_label("Cards of the hand")).to_have_value("7")
    expect(page.locator(".big output")).to_have_text("44.78 %")
    page.get_by_label("Cards of the hand").fill("5")
    expect(page.locator(".big output")).to_have_text("33.76 %")


UPSTART = """deck:
  Alpha: {qty: 3, tags: [Starter]}
  Gamma: {qty: 2, tags: [Extender]}
  Upstart Goblin: {qty: 3, free: {count: 1, oncePerTurn: false}}
conditions:
  - Starter AND Extender
"""
CLAIMS = """[...document.querySelectorAll(".big output, .delta, .charts svg, .dealt li")]
  .filter(each => !each.closest(".old") && /\\d/.test(each.textContent)).length"""


def test_what_is_shown_belongs_to_what_is_typed(opened: Callable[..., Page]) -> None:
    page = opened("/hands")
    expect(page.locator(".cardlist .delta")).to_have_count(8, timeout=WAIT)
    held: list[Any] = []
    page.route("**/api/hands/sensitivity", lambda route: held.append(route), times=1)
    text = page.get_by_label("Cards and conditions")
    text.fill(UPSTART)
    assert page.evaluate(CLAIMS) == 0  # at once, before anything is asked
    expect(page.locator(".big output")).not_to_have_text("24.61 %")
    expect(page.locator(".dealtbox:not(.old) li").first).to_be_visible()
    assert page.locator(".cardlist:not(.old) .delta").count() == 0
    held.pop().continue_()
    expect(page.locator(".cardlist .delta")).to_have_count(6)
    for bad in ("", "deck:\n  A: {qty: 3}\nconditions: [A AND]\n"):
        text.fill(bad)
        expect(page.get_by_role("alert")).to_be_visible()
        expect(page.locator(".big output")).to_have_text("\u2013")
        assert page.evaluate(CLAIMS) == 0
        text.fill(UPSTART)
        expect(page.locator(".cardlist .delta")).to_have_count(6)
    page.get_by_label("Cards of the hand").fill("0")
    expect(page.locator(".big output")).to_have_text("\u2013")
    assert page.evaluate(CLAIMS) == 0


BEYOND_KEYS = """[...document.querySelectorAll("main :is(a, button, input, select, textarea)")]
  .filter(each => each.checkVisibility() && (each.tabIndex < 0 || each.disabled))
  .map(each => each.outerHTML)"""
PASTED = """text => {
  const box = document.querySelector("textarea");
  box.value = text;
  box.dispatchEvent(new InputEvent("input", {inputType: "insertFromPaste", bubbles: true}));
}"""
DROPPED = """text => {
  const dataTransfer = new DataTransfer();
  dataTransfer.items.add(new File([text], "my.ydk"));
  document.querySelector("textarea").dispatchEvent(
    new DragEvent("drop", {dataTransfer, bubbles: true, cancelable: true}));
}"""


def test_a_deck_list_is_pasted_opened_and_typed(opened: Callable[..., Page]) -> None:
    page = opened("/hands")
    expect(page.locator(".big output")).to_have_text("24.61 %", timeout=WAIT)
    page.evaluate(PASTED, "3 Ash Blossom\n2 Nibiru\n1 Foo the Bar\n")
    expect(page.locator(".noted")).to_contain_text("A deck list of 6 cards")
    expect(page.locator(".noted")).to_contain_text("Foo the Bar")
    assert page.evaluate(CLAIMS) == 0
    page.get_by_role("button", name="Hand Trap").click()
    sure = 1 - comb(35, 5) / comb(40, 5)
    expect(page.locator(".big output")).to_have_text(f"{100 * sure:.2f} %")
    file = {"name": "my.ydk", "mimeType": "text/plain", "buffer": b"#main\n14558127\n97268402\n"}
    page.get_by_label("Open a deck file").set_input_files(files=[file])
    expect(page.locator(".noted")).to_contain_text("A deck list of 2 cards")
    page.evaluate(DROPPED, "#main\n14558127\n14558127\n97268402\n")
    expect(page.locator(".noted")).to_contain_text("A deck list of 3 cards")
    text = page.get_by_label("Cards and conditions")
    text.fill("2 Nibiru")
    expect(page.locator(".odds")).to_contain_text("Make a deck file")
    assert text.input_value() == "2 Nibiru"
    page.get_by_role("button", name="Make a deck file").click()
    expect(text).to_have_value(re.compile("Nibiru, the Primal Being"))


def test_a_deck_is_copied_as_a_link_and_saved(opened: Callable[..., Page], tmp_path: Path) -> None:
    page = opened("/hands")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.evaluate(PASTED, "3 Ash Blossom\n1 Nibiru\n\nSide Deck\n2 D.D. Crow\n")
    expect(page.locator(".noted")).to_contain_text("A deck list of 4 cards")
    page.get_by_role("button", name="Copy as ydke").click()
    expect(page.locator(".noted")).to_contain_text("has been copied")
    link = page.evaluate("navigator.clipboard.readText()")
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save as .ydk").click()
    file = tmp_path / saved.value.suggested_filename
    saved.value.save_as(file)
    for deck in (str(file), link):
        ran = CliRunner().invoke(main, ["hands", "export", deck])
        lines = {"3 Ash Blossom & Joyous Spring", "1 Nibiru, the Primal Being", "2 D.D. Crow"}
        assert lines <= set(ran.stdout.split("\n"))
    page.get_by_label("Cards and conditions").fill("deck: {Foo: {qty: 3}}\nconditions: [Foo]")
    page.get_by_role("button", name="Copy as ydke").click()
    expect(page.locator(".noted")).to_contain_text("no passcode is known of 'Foo'")


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (390, 844)])
def test_the_page_of_hands_fits(
    opened: Callable[..., Page],
    sound: Callable[..., None],
    accessible: Callable[[Page], None],
    width: int,
    height: int,
) -> None:
    page = opened("/hands?exact=true", width, "light" if width > 500 else "dark")
    expect(page.locator(".cardlist .delta")).to_have_count(8, timeout=WAIT)
    sound(page)
    accessible(page)
    box = page.locator(".big output").bounding_box()
    assert box is not None
    assert box["y"] + box["height"] < height
    wide = "[...document.querySelectorAll('.scroll')].map(e => e.scrollWidth - e.clientWidth)"
    assert page.evaluate(wide) == [0, 0]
    assert page.evaluate(BEYOND_KEYS) == []
