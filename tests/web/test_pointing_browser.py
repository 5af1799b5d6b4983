"""Pointing and motion on the Play page: choices on the board, turning, keys, touch, what slides."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

pytestmark = pytest.mark.full  # as all pages in a browser are


sync_api = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
pytest.importorskip("uvicorn")

if TYPE_CHECKING:
    from playwright.sync_api import Page

expect = sync_api.expect
PHONE = 390
SLIDING = "document.getAnimations().filter(each => !(each instanceof CSSTransition)).length"
HOME = "men=" + "0," * 21 + "2,2,0,0," + "0," * 24 + "3 dice=0,0,0,1,0,1 seat=0 ply=20"
"""Black has men on 4 and 3, and may bear either off by its 6, one by its 4."""
PAWN = "rnbqkbn1/P6p/8/8/8/8/8/RNBQKBNR w KQq - 0 1"


@pytest.fixture(scope="module")
def server(serve: Callable[..., Any]) -> Any:
    return serve("--workers", "1")


def cell(page: Page, name: str) -> Any:
    return page.locator(f".board [data-cell='{name}']").first


def played(page: Page, count: int) -> None:
    expect(page.locator(".moves li")).to_have_count(count)


def middle(page: Page, name: str) -> tuple[float, float]:
    box = cell(page, name).bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def places(page: Page) -> list[list[int]]:
    """The middles of all cells and texts of the board, from its corner."""
    found: list[list[int]] = page.evaluate("""() => {
        const { x, y } = document.querySelector(".board > svg").getBoundingClientRect();
        return [...document.querySelectorAll(".board > svg :is([data-cell], text)")].map((each) => {
            const box = each.getBoundingClientRect();
            return [Math.round(box.x + box.width / 2 - x), Math.round(box.y + box.height / 2 - y)];
        }); }""")
    return found


def test_a_promotion_is_chosen_on_the_board(opened: Callable[..., Page]) -> None:
    page = opened(f"/play?game=chess&seats=human,human&start={PAWN}")
    cell(page, "a7").click()
    cell(page, "b8").click()
    options = page.locator(".board .option")
    expect(options).to_have_count(4)
    page.keyboard.press("Escape")
    expect(options).to_have_count(0)
    cell(page, "a7").click()
    cell(page, "b8").click()
    page.locator(".board").get_by_role("button", name="axb8=N").click()
    expect(cell(page, "b8")).to_have_attribute("aria-label", "b8, white N")


@pytest.mark.parametrize("width", [1280, PHONE])
@pytest.mark.samples(PHONE)
def test_the_die_that_bears_a_man_off_is_chosen_on_the_tray(
    opened: Callable[..., Page], width: int
) -> None:
    page = opened(f"/play?game=backgammon&seats=human,human&start={HOME}", width)
    for die in ("4/off", "4/off:6"):  # the second man can be borne off by the 6 alone
        cell(page, "4").click()
        cell(page, "off").click()
        if die == "4/off":
            options = page.locator(".board .option")
            expect(options).to_have_count(2)
            pips = [each.count("h0") for each in options.locator("path").evaluate_all(
                "all => all.map((each) => each.getAttribute('d'))")]  # fmt: skip
            assert sorted(pips) == [4, 6]
            page.locator(".board").get_by_role("button", name=die, exact=True).click()
            expect(page.locator(".moves li").nth(0)).to_have_text("1. 4/off")
    expect(page.locator(".moves li").nth(1)).to_have_text("4/off:6")


def test_a_board_with_a_front_is_turned_for_the_second_seat(opened: Callable[..., Page]) -> None:
    page = opened("/play?game=breakthrough&seats=random,human&seconds=0.05")
    played(page, 1)
    assert middle(page, "a8")[1] > middle(page, "a1")[1]
    cell(page, "h7").click()  # and is pointed at where it is shown
    page.locator(".board .aim").first.click(force=True)
    played(page, 3)
    page.get_by_role("button", name="Turn").click()
    assert middle(page, "a8")[1] < middle(page, "a1")[1]
    page.goto(page.url.partition("?")[0] + "?game=hex(size=5)&seats=random,human&seconds=0.05")
    played(page, 1)
    assert middle(page, "a1")[1] < middle(page, "e1")[1]


def test_hexagons_turn_by_sixty_degrees(opened: Callable[..., Page]) -> None:
    page = opened("/play?game=hex(size=5)&seats=human,human&moves=c3")
    expect(page.locator(".board > svg")).to_be_visible()
    start, seen = places(page), set()
    for _ in range(6):
        page.get_by_role("button", name="Turn").click()
        seen.add(str(places(page)))
        cell(page, "b2").hover()
        expect(cell(page, "b2").locator(".ghost")).to_have_count(1)
        page.mouse.move(0, 0)
    assert len(seen) == 6
    assert places(page) == start


@pytest.mark.parametrize("game", ["chess", "backgammon", "dots_and_boxes", "kalah", "domineering"])
@pytest.mark.samples("kalah")
def test_what_is_turned_twice_looks_as_before(opened: Callable[..., Page], game: str) -> None:
    page = opened(f"/play?game={game}&seats=human,human")
    expect(page.locator(".board > svg")).to_be_visible()
    before = places(page)
    page.get_by_role("button", name="Turn").click()
    once = places(page)
    assert once != before
    page.get_by_role("button", name="Turn").click()
    assert places(page) == before


def test_arrow_keys_slide_tiles_and_nothing_scrolls(opened: Callable[..., Page]) -> None:
    page = opened("/play?game=sliding(rows=2,columns=3)&seats=human&start=1 2 3/4 0 5")
    expect(page.locator(".status")).to_contain_text("to move")
    page.keyboard.press("ArrowRight")  # the tile on the left goes right
    expect(page.locator(".moves li")).to_have_text(["1. 4"])
    page.keyboard.press("ArrowRight")  # none is on the left
    page.keyboard.press("ArrowDown")
    expect(page.locator(".moves li")).to_have_text(["1. 4", "2. 1"])
    assert page.evaluate("scrollY") == 0


def test_the_keeper_walks_and_pushes_by_arrow_keys(opened: Callable[..., Page]) -> None:
    page = opened("/play?game=sokoban&seats=human")
    keeper = page.locator(".board [data-cell]:has(.keeper)")
    expect(keeper).to_have_attribute("aria-label", "c5, floor, keeper")
    for way in ("Left", "Up", "Up", "Right"):  # a wall is above
        page.keyboard.press(f"Arrow{way}")
    expect(keeper).to_have_attribute("aria-label", "b5, floor, keeper")
    played(page, 0)
    for way in ("Down", "Down", "Down", "Left"):
        page.keyboard.press(f"Arrow{way}")
    expect(page.locator(".moves li")).to_have_text(["1. e4e3"])
    assert page.evaluate("scrollY") == 0


def test_tiles_slide_also_when_luck_replies_at_once(opened: Callable[..., Page]) -> None:
    page = opened("/play?game=two048&seats=human&moves=2a1,2a3")
    expect(page.locator(".status")).to_have_text(re.compile("^Player to move"))
    page.evaluate("""() => { window.slid = [];
        const own = Element.prototype.animate;
        Element.prototype.animate = function (...all) {
            window.slid.push(all[1].duration);
            return own.apply(this, all);
        }; }""")
    page.keyboard.press("ArrowRight")
    played(page, 4)
    assert set(page.evaluate("slid")) == {180}
    page.emulate_media(reduced_motion="reduce")
    page.evaluate("slid.length = 0")
    page.keyboard.press("ArrowDown")
    played(page, 6)
    assert page.evaluate("slid") == []


def test_a_stone_is_shown_where_it_will_be_without_asking(opened: Callable[..., Page]) -> None:
    page = opened("/play?game=nex(rows=4,cols=4)&seats=human,human")
    page.wait_for_load_state("networkidle")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    cell(page, "b2").hover()
    expect(cell(page, "b2").locator(".ghost.f-ebony")).to_have_count(1)
    assert asked == []
    cell(page, "b2").click()
    expect(page.locator(".status")).to_contain_text("another empty cell for a neutral stone")
    cell(page, "c3").hover()
    expect(cell(page, "c3").locator(".ghost.f-amber")).to_have_count(1)
    expect(cell(page, "b2").locator(".ghost")).to_have_count(1)
    cell(page, "c3").click()
    expect(page.locator(".moves li")).to_have_text(["1. Bb2?c3"])


def test_a_finger_drags_a_piece(opened: Callable[..., Page]) -> None:
    page = opened("/play?game=chess&seats=human,human", PHONE)
    cell(page, "e4").scroll_into_view_if_needed()
    (x, y), (u, v) = middle(page, "e2"), middle(page, "e4")
    touch = page.context.new_cdp_session(page)
    touch.send("Emulation.setTouchEmulationEnabled", {"enabled": True})
    for kind, points in (
        ("touchStart", [(x, y)]), ("touchMove", [(x, y - 10)]), ("touchMove", [(u, v)]),
        ("touchEnd", []),
    ):  # fmt: skip
        where = [{"x": a, "y": b} for a, b in points]
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": where})
    expect(page.locator(".moves li")).to_have_text(["1. e4"])


def test_clicks_before_the_answer_play_nothing_for_the_other_side(
    opened: Callable[..., Page],
) -> None:
    page = opened("/play?game=hex(size=5)&seats=human,human")
    expect(cell(page, "c3")).to_be_visible()
    page.evaluate("""() => { for (const name of ["c3", "b2", "d4"])
        document.querySelector(`.board [data-cell="${name}"]`).dispatchEvent(
            new MouseEvent("click", { bubbles: true, detail: 1 })); }""")
    expect(page.locator(".moves li")).to_have_text(["1. c3"])
    page.locator(".board [data-cell='b2'].can").click()
    expect(page.locator(".moves li")).to_have_text(["1. c3", "b2"])


def test_a_large_board_is_pointed_at_too(opened: Callable[..., Page]) -> None:
    page = opened("/play?game=nex&seats=human,human")  # 14,520 moves: the server is asked
    for count, (own, neutral) in enumerate([("c3", "d4"), ("e5", "f6")], 1):
        for name in (own, neutral):
            page.locator(f".board [data-cell='{name}'].can").click()
        played(page, count)
    expect(page.locator(".moves li")).to_have_text(["1. Bc3?d4", "We5?f6"])


def point(page: Page, place: Any) -> None:
    """Clicks, and again where the first click on a small cell has enlarged the board."""
    place.click(force=True)
    if page.locator(".board > svg.large").count():
        place.click(force=True)


AIMED = """() => {
    const svg = document.querySelector(".board > svg");
    if (document.querySelector(".end:not([hidden])")) return "over";
    const now = String(svg?.classList.contains("large")); // a first tap on small cells enlarges
    if (!svg || svg.dataset.seen === now) return null;
    const all = (which) => [...document.querySelectorAll(which)];
    const far = (cell) => (cell.dataset.cell === "bar" ? 99 : Number(cell.dataset.cell) || 0);
    const own = all(".board .can:not(:has(.chosen, .stays))");
    const button = all(".board .chosen")[0] ? null : all(".saying button:not(.quiet)")[0];
    const found = all(".board .option")[0] || all(".board .can:has(.aim)")[0] || button
        || own.sort((a, b) => far(b) - far(a))[0];
    const name = found?.dataset.cell, again = name && window.aimed?.name === name;
    if (!found || (again && performance.now() - window.aimed.at < 600)) return null; // no accident
    window.aimed = { name, at: performance.now() };
    svg.dataset.seen = now; // until the board is drawn again
    const { x, y, width, height } = found.getBoundingClientRect();
    return [x + width / 2, y + height / 2]; }"""
"""The middle of what is pointed at next, or `over`: a choice on the board, where a piece may go, a
button for a pass, or the cell that is farthest from home."""


def pointing(page: Page, width: int) -> Callable[[float, float], None]:
    """Give a function that points at a place: by a mouse, or on a phone by a finger."""
    if width != PHONE:
        return page.mouse.click
    touch = page.context.new_cdp_session(page)
    touch.send("Emulation.setTouchEmulationEnabled", {"enabled": True})

    def tap(x: float, y: float) -> None:
        for kind, points in (("touchStart", [{"x": x, "y": y}]), ("touchEnd", [])):
            touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    return tap


@pytest.mark.parametrize("width", [1280, PHONE])
@pytest.mark.parametrize(
    "game", ["dots_and_boxes(rows=2,columns=2)", "nex(rows=3,cols=3)", "backgammon&deal=3"]
)
def test_a_whole_game_by_pointing(opened: Callable[..., Page], game: str, width: int) -> None:
    page = opened(f"/play?game={game}&seats=human,human", width)
    point, top = pointing(page, width), page.evaluate("scrollY")
    for _ in range(400):
        if (place := page.wait_for_function(AIMED).json_value()) == "over":
            break
        point(*place)
    expect(page.locator(".end .outcome")).to_have_text(re.compile(r"\w"))
    assert page.evaluate("scrollY") == top


@pytest.mark.parametrize("width", [1280, PHONE])
def test_a_whole_game_of_chess_by_pointing(opened: Callable[..., Page], width: int) -> None:
    page = opened("/play?game=chess&seats=human,human", width)
    for ply, (at, to) in enumerate([("f2", "f3"), ("e7", "e5"), ("g2", "g4"), ("d8", "h4")]):
        point(page, cell(page, at))
        point(page, cell(page, to))
        played(page, ply + 1)
    expect(page.locator(".end .outcome")).to_contain_text("Black")


@pytest.mark.parametrize("width", [1280, PHONE])
def test_a_whole_game_of_2048_by_swipes(opened: Callable[..., Page], width: int) -> None:
    page = opened("/play?game=two048(goal=32)&seats=human&moves=2a1,2b3", width)
    box = page.locator(".board > svg").bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    over = page.locator(".end .outcome")
    for turn in range(120):
        page.wait_for_function("""() => document.querySelector(".end:not([hidden])") ||
            /move/.test(document.querySelector(".status").textContent)""")
        if over.is_visible():
            break
        across, down = [(-90, 0), (0, 90), (90, 0), (0, -90)][turn % 4]
        page.mouse.move(x, y)
        page.mouse.down()
        page.mouse.move(x + across, y + down)
        page.mouse.up()
    expect(over).to_be_visible()
    assert page.evaluate("scrollY") == 0
