"""The Play page as a whole: the board and what belongs to it are in view, and stay in place."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

import dragon
from dragon.core import CHANCE, TERMINAL
from dragon.core.game import Game
from dragon.rules.notation import parse_move
from dragon.web.lists import NAMES, playing, scene_of, scenes
from dragon.web.site import pages

pytestmark = pytest.mark.full  # as all pages in a browser are


sync_api = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
pytest.importorskip("uvicorn")

if TYPE_CHECKING:
    from playwright.sync_api import Page

expect = sync_api.expect
SIZES = ((1280, 800), (1366, 768), (390, 844))
PHONE = 390
PAWN = "rnbqkbn1/P6p/8/8/8/8/8/RNBQKBNR w KQq - 0 1"
PLANS = {"hands", "small_world", "pokemon", "cover"}
"""Not games to play: they need a file, or have a page of their own."""
IN_VIEW = """where => { const found = document.querySelector(where);
    if (!found || !found.checkVisibility({ visibilityProperty: true })) return `${where} is away`;
    const { left, top, right, bottom } = found.getBoundingClientRect();
    const inside = left >= -.5 && top >= -.5 && right <= innerWidth + .5
        && bottom <= innerHeight + .5;
    return inside && right > left ? "" : `${where} at ${[left, top, right, bottom]}`; }"""
WIDER = """() => { const frame = document.querySelector(".board"), drawn = frame.firstElementChild,
        at = frame.getBoundingClientRect(), { width, height } = drawn.getBoundingClientRect();
    return drawn.localName === "svg" ? Math.max(width - at.width, height - at.height) : 0; }"""
NEAR_EDGE = """() => { const { left, top, right, bottom } =
        document.querySelector(".felt").getBoundingClientRect();
    return [...document.querySelectorAll(".board > svg :not(defs, defs *)")]
        .filter((each) => each.matches(":is(path, circle, rect, text):not([fill-opacity='0'])")
            && !/rotate/.test(each.getAttribute("transform"))) // whose box is too large
        .map((each) => each.getBoundingClientRect())
        .some((at) => Math.min(at.left - left, at.top - top, right - at.right,
            bottom - at.bottom) < 2); }"""
"""Whether anything that is drawn comes nearer than two pixels to the edge of the board's frame."""
ODD = re.compile(r"Two048|Seat \d|\b1 plies|roll\d|Computer: \w+|undefined|NaN|\[object|\bnull\b")
"""Words that no page should say."""
PLACES = """() => [".felt", ".board > *", ".tools", ".near", ".far"].map((where) => {
    const { x, y, width, height } = document.querySelector(where).getBoundingClientRect();
    return [x, y, width, height].map(Math.round).join(" "); })"""


@pytest.fixture(scope="module")
def server(serve: Callable[..., Any]) -> Any:
    return serve("--workers", "1")


def opening(game: Game[Any]) -> list[str]:
    """The first moves of a game up to one after which a person's own can be taken back."""
    state, moves, own = game.start(), list[str](), 0
    while state.turn == CHANCE or own < 2:
        if state.turn == TERMINAL:
            return moves[:1]
        own += state.turn != CHANCE
        move = state.moves()[0]
        moves.append(str(move))
        state = state.after(move)
    return moves if state.turn != TERMINAL else moves[:1]


def address(game: Game[Any], *moves: str) -> str:
    """The address of a game between people."""
    played = ",".join(move.replace("?", "%3F").replace(" ", "+") for move in moves)
    return f"/play?game={game.name}&seats={','.join('human' for _ in game.teams)}&moves={played}"


@pytest.mark.budget(120)  # each installed game at three sizes
def test_the_page_is_as_it_should_be_in_every_game(opened: Callable[..., Page]) -> None:
    page, wrong = opened("/games"), list[str]()
    base = page.url.removesuffix("/games")
    for name, cls in dragon.games().items():
        if name in PLANS:
            continue
        game = cls()
        page.goto(base + address(game, *opening(game)))
        page.locator(".strip").first.wait_for()
        expect(page.locator(".moves li").first).to_be_attached()
        asked = [".board > *", ".near .strip", '[aria-label="One move back"]']
        asked += ['[aria-label="New game"]', ".far .strip"][: 1 + (len(game.teams) > 1)]
        if page.locator('[aria-label="Take back"]').is_enabled():
            asked.append('[aria-label="Take back"]')
        if playing(cls)["levels"]:
            asked.append('[aria-label="Hint"]')
        for width, height in SIZES:
            page.set_viewport_size({"width": width, "height": height})
            wrong += [
                f"{name} {width}: {said}"
                for each in asked
                if (said := page.evaluate(IN_VIEW, each))
            ]
            if page.evaluate("document.documentElement.scrollHeight > innerHeight"):
                wrong.append(f"{name} {width}: the window scrolls")
            if page.evaluate(WIDER) > 0.5:
                wrong.append(f"{name} {width}: the board is larger than its frame")
            if page.evaluate(NEAR_EDGE):
                wrong.append(f"{name} {width}: the board touches its frame")
        words = " ".join(page.locator(".rail, .strips, .tools, .status").all_inner_texts())
        wrong += [f"{name} says {word}" for word in ODD.findall(words)]
    assert wrong == []


@pytest.mark.parametrize(("width", "height"), SIZES)
@pytest.mark.samples(1)
def test_nothing_moves_between_play_the_end_and_analysis(
    opened: Callable[..., Page], width: int, height: int
) -> None:
    page = opened("/play?game=hex(size=5)&seats=human,human&moves=c3,b2,b3,a2,a3,a1,d2,a4")
    page.set_viewport_size({"width": width, "height": height})
    page.locator(".strip").first.wait_for()
    before = page.evaluate(PLACES)
    page.locator(".board [data-cell='e2']").click()
    if page.locator(".board > svg.large").count():  # a small cell is enlarged at first
        page.locator(".board [data-cell='e2']").click()
    expect(page.locator(".outcome")).to_have_text("Black joined its edges.")
    assert page.evaluate(PLACES) == before
    page.locator(".end").get_by_role("link", name="Analyse").click()
    page.locator(".strip").first.wait_for()
    assert page.evaluate(PLACES) == before


def test_analysis_goes_back_and_on_through_the_moves(opened: Callable[..., Page]) -> None:
    page = opened("/analyse?game=hex(size=5)&moves=c3,b2,b3,a2")
    moves, later = page.locator(".moves li"), page.locator(".moves li.later")
    expect(moves).to_have_count(4)
    for key, count in (("ArrowLeft", 1), (",", 2), ("End", 0), ("Home", 4), ("ArrowRight", 3)):
        page.keyboard.press(key)
        expect(later).to_have_count(count)
    expect(moves).to_have_count(4)
    page.get_by_role("button", name="Last position").click()
    expect(later).to_have_count(0)
    page.get_by_role("button", name="One move back").click()
    page.locator(".board [data-cell='a1']").click()  # another move instead
    expect(moves).to_have_text(["1. c3", "b2", "2. b3", "a1"])
    cell = page.locator(".board [data-cell='a1']")
    before = cell.bounding_box()
    page.keyboard.press("t")
    assert cell.bounding_box() != before


@pytest.mark.parametrize("page", ["play", "analyse"])
@pytest.mark.samples("analyse")
def test_the_last_move_is_in_view_and_what_was_captured_is_shown(
    opened: Callable[..., Page], page: str
) -> None:
    moves = "10-15,22-17,9-13,24-19,13x22,25x18,15x24,27x20," + ",".join(
        ["6-9", "20-16", "12x19", "23x16", "11x20", "32-27", "1-6", "30-25", "9-13", "26-22"]
    )
    shown = opened(f"/{page}?game=checkers&seats=human,human&moves={moves}", PHONE)
    taken = shown.locator(".strip .taken")
    expect(taken).to_have_count(2)
    assert taken.evaluate_all("all => all.map((each) => each.childElementCount)") == [3, 4]
    names = "all => all.map((each) => each.getAttribute('aria-label'))"
    assert taken.evaluate_all(names) == ["captured 3", "captured 4"]
    for width in (PHONE, 1366):
        shown.set_viewport_size({"width": width, "height": 768})
        shown.wait_for_function("""() => {
            const list = document.querySelector(".moves"), all = list.getBoundingClientRect();
            const { top, bottom } = list.querySelector("[aria-current]").getBoundingClientRect();
            return top >= all.top - 1 && bottom <= all.bottom + 1; }""")
    assert shown.evaluate("scrollY") == 0


BROKEN = """all => all.filter((each) => { // a single word takes one line
    return !/[\\s-]/.test(each.innerText) && each.offsetHeight > 1.9 * parseFloat(
        getComputedStyle(each).fontSize); }).map((each) => each.innerText)"""
ENDED = (
    ("chess", "e4,e5,Bc4,Nc6,Qh5,Nf6,Qxf7%23", "White gave checkmate."),
    ("sokoban", "f5f4,e4e3,f4f3,d4c4,e3e2,c4b4,f3f2", "No move is left."),
    ("kuhn", "KQ,bet,bet", "Player 1 wins 2."),
    ("dominoes(rows=2,cols=2)", "a1a2,b1b2", "You solved it."),
)  # fmt: skip
LISTED = """() => { const rail = document.querySelector(".rail").getBoundingClientRect(),
        at = document.querySelector(".moves [aria-current]").getBoundingClientRect();
    return at.top >= rail.top - 1 && at.bottom <= rail.bottom + 1; }"""
CUT = """[...document.querySelectorAll(".strip strong, .strip .does")]
    .filter((each) => each.scrollWidth > each.clientWidth + 1).map((each) => each.innerText)"""


@pytest.mark.parametrize(("game", "moves", "said"), ENDED)
@pytest.mark.samples(1)
def test_the_end_is_said_and_the_last_move_stays_in_view(
    opened: Callable[..., Page], game: str, moves: str, said: str
) -> None:
    page = opened(f"/play?game={game}&seats=human,human&moves={moves}", PHONE)
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        expect(page.locator(".outcome")).to_have_text(said)
        page.wait_for_function(LISTED)


def test_names_are_whole_and_scores_beside_them(opened: Callable[..., Page]) -> None:
    page = opened("/play?game=ulti&seats=human,human,human")
    base = page.url.partition("?")[0]
    page.locator(".strip").first.wait_for()
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate(CUT) == []
    page.goto(f"{base}?game=two048&seats=human&moves=2a1,2a2,right,2a1")
    expect(page.locator(".score")).to_have_text("4")
    expect(page.locator(".moves li")).to_have_text(["2a1", "2a2", "1. right", "2a1"])
    assert "score" not in page.locator(".board").inner_text()


def test_a_long_hint_does_not_move_the_board(opened: Callable[..., Page]) -> None:
    page = opened("/play?game=nex&seats=human,human&moves=Ba1%3Fa2", PHONE)
    page.locator(".strip").first.wait_for()
    before = page.evaluate(PLACES)
    address = page.url.replace("Ba1%3Fa2", "Ba1%3Fa2,Wa3%3Fa4,Bb1%3Fb2")
    page.goto(address)
    expect(page.locator(".far .does")).to_have_text("an empty cell or a neutral stone to convert")
    assert page.evaluate(PLACES) == before
    assert page.evaluate(CUT) == []


def test_what_is_hidden_is_not_in_the_list_of_moves(opened: Callable[..., Page]) -> None:
    page = opened("/play?game=phantom&seats=human,human&moves=c2,a1,a2,a3,c1")
    listed = ["1. hidden", "a1", "2. hidden", "a3", "3. hidden"]  # as White may know it
    expect(page.locator(".moves li")).to_have_text(listed)


def test_the_last_domino_is_tinted_whole_and_dots_lie_above_edges(
    opened: Callable[..., Page],
) -> None:
    page = opened("/play?game=domineering&seats=human,human&moves=e6,h6")
    mark = page.locator(".board .mark.last")
    expect(mark).to_have_attribute("width", "80")
    page.goto(page.url.partition("?")[0] + "?game=dots_and_boxes&seats=human,human&moves=d7")
    page.locator(".board [data-cell]").first.wait_for()
    names = "all => all.map((each) => each.dataset.cell)"
    drawn = page.locator(".board [data-cell]").evaluate_all(names)
    assert drawn[:2] == ["b2", "b4"]
    assert drawn[-1] == "g7"


def test_many_moves_without_cells_leave_room_for_the_rest(opened: Callable[..., Page]) -> None:
    page = opened("/play?game=pentominoes&seats=human", PHONE)
    page.locator(".saying button").first.wait_for()
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate(IN_VIEW, ".rail .head") == ""


def test_a_board_of_hexagons_stands_on_its_tip_on_a_phone(opened: Callable[..., Page]) -> None:
    page = opened("/play?game=hex(size=11)&seats=human,human", 390)
    page.locator(".board [data-cell='f6']").wait_for()
    across = """name => { const found = document.querySelector(`.board [data-cell="${name}"]`);
        const { x, width } = found.getBoundingClientRect(); return [x, width]; }"""
    assert page.evaluate(across, "f6")[1] > 28
    first, last = (page.evaluate(across, name)[0] for name in ("a1", "k11"))
    assert abs(first - last) < 8, "the tips are one above the other"


def test_a_game_that_has_not_ended_is_there_again(opened: Callable[..., Page]) -> None:
    page = opened("/play?game=tictactoe&seats=human,human&moves=a1,b1,a2")
    page.locator(".board [data-cell='b2']").click()
    expect(page.locator(".moves li")).to_have_count(4)
    base = page.url.partition("?")[0]
    page.goto(base)
    expect(page.locator(".moves li")).to_have_count(4)
    page.locator(".board [data-cell='a3']").click()
    expect(page.locator(".outcome")).to_have_text("Black has three in a row.")
    page.goto(base)  # nothing is left to go on with: another game is chosen
    expect(page.get_by_role("dialog", name="New game")).to_be_visible()
    expect(page.locator(".moves li")).to_have_count(0)


def test_a_new_game_is_chosen_with_its_side_level_and_size(opened: Callable[..., Page]) -> None:
    page = opened("/play?game=tictactoe&seats=human,human")
    page.keyboard.press("n")
    dialog = page.get_by_role("dialog", name="New game")
    levels = dialog.get_by_role("group", name="Against").get_by_role("radio")
    expect(levels).to_have_count(3)  # so small a game has no level between
    expect(dialog.get_by_role("radio", name="Medium")).to_have_count(0)
    dialog.locator(".tile", has_text="Hex").click()
    expect(levels).to_have_count(4)
    expect(dialog.locator(".tile", has_text="Hex")).to_have_attribute("aria-pressed", "true")
    dialog.get_by_role("radio", name="Easy").check()
    dialog.get_by_role("radio", name="White, second").check()
    expect(dialog.locator(".tile[data-game=hex] img")).to_be_visible()
    dialog.get_by_text("As text, for experts").click()
    dialog.get_by_label("Game as text").fill("hex(size=4)")
    dialog.get_by_label("Game as text").press("Tab")
    dialog.get_by_role("button", name="Start").click()
    expect(page.locator(".moves li")).to_have_count(1)
    expect(page.locator(".near .strip")).to_contain_text("White · your move")
    expect(page.locator(".far .strip")).to_contain_text("Computer, easy")
    assert "seats=easy,human" in page.url
    page.keyboard.press("h")
    expect(page.locator(".board .hint")).to_have_count(1)


def test_a_new_game_is_chosen_and_played_by_keyboard_alone(opened: Callable[..., Page]) -> None:
    page = opened("/play?game=tictactoe&seats=human,human")
    page.locator(".board [data-cell]").first.wait_for()

    def tab(to: str) -> None:
        for _ in range(80):
            page.keyboard.press("Tab")
            if page.evaluate(f"document.activeElement.matches('{to}')"):
                return
        pytest.fail(f"Tab does not lead to {to}")

    page.keyboard.press("n")
    page.locator(".tile").last.wait_for(state="attached")
    tab("[data-game=hex]")
    page.keyboard.press("Enter")
    tab("dialog [type=radio]")
    page.keyboard.press("ArrowLeft")  # Strong, and a person again
    page.keyboard.press("ArrowRight")
    tab("dialog [type=range]")
    for _ in range(8):
        page.keyboard.press("ArrowLeft")
    tab("dialog button.main")
    page.keyboard.press("Enter")
    expect(page.locator(".board [data-cell=c3]")).to_be_attached()
    tab("[data-cell=a1]")
    for key, name in (("Right", "a2"), ("Right", "a3"), ("Left", "a2"), ("Down", "b2"),
                      ("Right", "b3"), ("Left", "b2"), ("Down", "c2")):  # fmt: skip
        page.keyboard.press(f"Arrow{key}")
        at = page.locator(f".board [data-cell={name}]")
        expect(at).to_be_focused()
        if "empty" in (at.get_attribute("aria-label") or ""):
            page.keyboard.press("Enter")
            expect(at).not_to_have_attribute("aria-label", f"{name}, empty")
    expect(page.locator(".outcome")).to_have_text("Black joined its edges.")


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (390, "dark")])
def test_the_first_page_has_a_game_that_is_played_at_once(
    opened: Callable[..., Page], accessible: Callable[[Page], None], width: int, scheme: str
) -> None:
    page = opened("/", width, scheme)
    page.locator(".live [data-cell='c3']").click()
    stones = page.locator(".live [data-cell]:not([aria-label$=empty])")
    expect(stones).to_have_count(2)
    page.get_by_role("button", name="Take back").click()
    expect(stones).to_have_count(0)
    expect(page.locator("#tiles img").first).to_be_visible()
    assert page.locator(".intro .row .button").all_inner_texts()[:2] == ["Play", "Analyse"]
    narrow = """all => all.filter((each) => each.offsetWidth < .8 * each.parentNode.offsetWidth)
        .map((each) => each.innerText)"""
    assert page.locator(".domains .card > *").evaluate_all(narrow) == []
    assert page.locator(".tile strong").evaluate_all(BROKEN) == []
    image = "each => decodeURIComponent(each.src)"
    assert "light-dark(" in page.locator("#tiles img").first.evaluate(image)
    accessible(page)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_state_of_the_page_bars_anybody(
    opened: Callable[..., Page], accessible: Callable[[Page], None], scheme: str
) -> None:
    page = opened("/play?game=chess&seats=human,human&moves=e4,e5", 1280, scheme)
    page.locator(".strip").first.wait_for()
    accessible(page)
    page.locator(".more > summary").click()
    accessible(page)
    page.keyboard.press("n")
    page.locator(".tile").last.wait_for(state="attached")
    accessible(page)
    base = page.url.partition("?")[0]
    for width in (1280, 390):
        page.set_viewport_size({"width": width, "height": 844})
        page.goto(f"{base}?seats=human,human&moves=a1,b1,a2,b2,a3")
        page.locator(".outcome").wait_for()
        accessible(page)
    for game in ("backgammon&moves=roll5-3", "two048&moves=2a1,2b3", "kalah", "sokoban"):
        page.goto(f"{base}?seats=human,human&game={game}")  # what is drawn beside its cells, too
        page.locator(".board > svg").wait_for()
        accessible(page)


@pytest.mark.parametrize(("scheme", "width"), [("light", 1280), ("dark", PHONE)])
def test_no_page_of_a_plugin_and_no_choice_bars_anybody(
    opened: Callable[..., Page], accessible: Callable[[Page], None], scheme: str, width: int
) -> None:
    page = opened("/", width, scheme)
    base = page.url.removesuffix("/")
    usual = ("play", "analyse", "games", "tournaments")  # test_pages_browser.py has these
    for path in (each.name for each in pages() if each.script and each.name not in usual):
        page.goto(f"{base}/{path}")
        expect(page.locator("main :is(h1, h2)").first).to_be_attached()
        accessible(page)
    for path, steps in (
        (f"play?game=chess&seats=human,human&start={PAWN}", ("a7", "b8")),  # with a choice on it
        ("play?game=gomoku&seats=human,human", ("a1",)),  # on a phone a part of it, enlarged
        ("analyse?game=chess&moves=e4,d5,exd5", ("e8",)),
    ):
        page.goto(f"{base}/{path}")
        page.locator(".strip").first.wait_for()
        for name in steps:
            page.locator(f".board [data-cell={name}]").click()
        accessible(page)


def test_scenes_are_of_games_and_can_be_played() -> None:
    games, tried = dragon.games(), 0
    for package in {cls.__module__.partition(".")[0] for cls in games.values()}:
        assert scenes(package).keys() <= games.keys()
        for name, scene in scenes(package).items():
            assert scene_of(games[name]) is scene
            game = dragon.game(scene.game or name)
            assert game.name == name
            state = game.start()
            for move in scene.moves:
                state = state.after(parse_move(state, move))
            assert state.turn != TERMINAL
            tried += 1
    assert tried >= 18


def test_levels_are_for_two_sides_that_hide_nothing() -> None:
    for name, few in (("kuhn", True), ("two048", True), ("ulti", True), ("chess", False)):
        levels = playing(dragon.games()[name])["levels"]
        assert (levels is None) == few
    assert tuple(levels) == NAMES
    assert tuple(playing(dragon.games()["tictactoe"])["levels"]) == ("easy", "strong")
