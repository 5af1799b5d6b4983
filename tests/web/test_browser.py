"""The pages in a real browser: headless Chromium, driven with Playwright, against a real server."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import dragon
from dragon.boards.clicks import cells

pytestmark = pytest.mark.full  # as all pages in a browser are


sync_api = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
pytest.importorskip("uvicorn")

if TYPE_CHECKING:
    from playwright.sync_api import Page

expect = sync_api.expect


@pytest.fixture(scope="module")
def server(serve: Callable[..., Any]) -> Any:
    return serve("--workers", "1")


def cell(page: Page, name: str) -> Any:
    return page.locator(f".board [data-cell='{name}']").first


def moves(page: Page) -> list[str]:
    """The moves in the list, without their numbers."""
    return [re.sub(r"^\d+\.\s*", "", text) for text in page.locator(".moves li").all_inner_texts()]


def more(page: Page) -> None:
    """Opens what a page has beside the board and the moves."""
    page.locator(".more > summary").click()


def test_a_game_by_mouse_against_a_search(opened: Callable[..., Page]) -> None:
    page = opened("/play?seats=human,exhaustive")
    cell(page, "b2").click()
    expect(page.locator(".moves li")).to_have_count(2)
    expect(page.locator(".status")).to_contain_text("Black to move")
    assert page.url.endswith(f"moves={','.join(moves(page))}")
    state = dragon.game("tictactoe").start()
    for move in moves(page):
        state = state.after(move)
    while len(moves(page)) < 9:
        before = len(moves(page))
        best = dragon.search("exhaustive").best(state).move
        cell(page, str(best)).click()
        expect(page.locator(".moves li")).not_to_have_count(before)
        if before < 8:
            expect(page.locator(".moves li")).to_have_count(before + 2)
        for move in moves(page)[before:]:
            state = state.after(move)
    expect(page.locator(".status")).to_have_text("A draw.")


def test_a_game_by_keyboard_alone(opened: Callable[..., Page]) -> None:
    page = opened("/play?game=tictactoe&seats=human,human")
    expect(cell(page, "a1")).to_be_attached()
    for _ in range(30):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement?.dataset?.cell") == "a1":
            break
    else:
        pytest.fail("Tab does not lead to the board")
    for keys in (["Enter"], ["ArrowDown", " "], ["ArrowUp", "ArrowRight", "Enter"],
                 ["ArrowDown", "Enter"], ["ArrowUp", "ArrowRight", "Enter"]):  # fmt: skip
        count = len(moves(page))
        for key in keys:
            page.keyboard.press(key)
        expect(page.locator(".moves li")).to_have_count(count + 1)
    assert moves(page) == ["a1", "b1", "a2", "b2", "a3"]
    expect(page.locator(".status")).to_have_text("Black wins.")


def test_replay_by_keyboard_and_moves_taken_back(opened: Callable[..., Page]) -> None:
    page = opened("/play?seats=human,human&moves=a1,b1,a2")
    at = page.locator(".moves [aria-current]")
    expect(at).to_have_text("a2")
    page.keyboard.press("ArrowLeft")
    expect(at).to_have_text("b1")
    page.keyboard.press("Home")
    expect(at).to_have_count(0)
    page.keyboard.press("ArrowRight")
    expect(at).to_have_text("a1")
    page.keyboard.press("End")
    expect(at).to_have_text("a2")
    page.get_by_role("button", name="Take back").click()
    expect(at).to_have_text("b1")
    cell(page, "c3").click()
    expect(at).to_have_text("c3")
    assert moves(page) == ["a1", "b1", "c3"]
    more(page)
    page.get_by_role("button", name="Resign").click()
    expect(page.locator(".status")).to_have_text("White has resigned.")
    expect(page.locator(".outcome")).to_have_text("White resigned.")
    page.get_by_role("button", name="Rematch").click()
    expect(page.locator(".moves li")).to_have_count(0)
    page.go_back()
    expect(at).to_have_text("c3")


def test_take_back_goes_to_the_decision_before(opened: Callable[..., Page]) -> None:
    page = opened("/play?seats=human,exhaustive&moves=b2,a1")
    cell(page, "c1").click()
    expect(page.locator(".moves li")).to_have_count(4)
    at = page.locator(".moves [aria-current]")
    page.keyboard.press("u")
    expect(at).to_have_text("a1")
    page.keyboard.press("u")
    expect(at).to_have_count(0)
    expect(page.get_by_role("button", name="Take back")).to_be_hidden()  # nothing is disabled
    page.keyboard.press("End")
    more(page)
    page.get_by_role("button", name="Resign").click()
    expect(page.locator(".status")).to_have_text("Black has resigned.")
    expect(page.locator(".outcome")).to_have_text("You lost: Black resigned.")


def test_a_game_without_a_drawing_has_buttons_and_keeps_what_is_hidden(
    opened: Callable[..., Page],
) -> None:
    page = opened("/play?game=kuhn&seats=human,human&moves=KJ")
    drawn = page.locator(".board > *")
    expect(drawn).to_have_accessible_name(re.compile(r"K\?"))
    assert moves(page) == ["dealt"]
    page.get_by_role("button", name="bet", exact=True).first.click()
    expect(page.locator(".moves li")).to_have_count(2)
    expect(drawn).to_have_accessible_name(re.compile(r"\?J|J"))
    page.get_by_role("button", name="pass", exact=True).first.click()
    expect(page.locator(".status")).to_have_text("Player 1 wins.")
    assert moves(page)[0] == "KJ"  # the game is over


def test_a_server_that_is_away_is_told_of(opened: Callable[..., Page]) -> None:
    page = opened("/play?game=tictactoe&seats=human,human")
    page.get_by_role("button", name="New game").click()
    page.locator(".tile", has_text="Connect four").click()
    page.get_by_role("radio", name="Person").check()
    page.get_by_role("button", name="Start").click()
    expect(cell(page, "7")).to_be_attached()
    page.evaluate(
        "() => { window.kept = fetch; window.fetch = async () => { throw new TypeError(); }; }"
    )
    cell(page, "7").click()
    expect(page.get_by_role("alert")).to_contain_text("The server does not answer")
    page.evaluate("() => { window.fetch = window.kept; }")
    page.get_by_role("button", name="Try again").click()
    expect(page.get_by_role("alert")).to_have_count(0)
    expect(page.locator(".status")).to_contain_text("Yellow to move")


def test_what_is_installed_has_pictures(opened: Callable[..., Page]) -> None:
    page = opened("/games")
    hexed = page.locator("#hex")
    hexed.scroll_into_view_if_needed()  # pictures are drawn where they are seen
    expect(hexed.locator(".thumb img")).to_be_visible()
    page.locator("#nim").scroll_into_view_if_needed()
    expect(page.locator("#nim .thumb img")).to_be_visible()
    expect(page.locator("#ulti").get_by_role("link", name="Ulti page")).to_be_visible()
    hexed.get_by_role("link", name="Play").click()
    expect(cell(page, "k11")).to_be_attached()


def point(page: Page, names: Iterable[str]) -> None:
    """Points at the cells of a move, each when the one before has been taken up."""
    for count, name in enumerate(names):
        expect(page.locator(".board .mark.chosen")).to_have_count(count)
        cell(page, name).click()


def test_nex_by_pointing_at_cells(opened: Callable[..., Page]) -> None:
    page = opened("/play?game=nex(rows=3,cols=3)&seats=human,human")
    expect(page.locator(".status")).to_contain_text("an empty cell for a black stone")
    point(page, ("a1", "c3"))
    expect(page.locator(".moves li")).to_have_text(["1. Ba1?c3"])
    point(page, ("b2", "a3"))
    expect(page.locator(".moves li")).to_have_text(["1. Ba1?c3", "Wb2?a3"])
    cell(page, "c3").click()
    expect(page.locator(".status")).to_contain_text("a second neutral stone")
    cell(page, "a3").click()
    expect(page.locator(".status")).to_contain_text("the black stone that is given up")
    cell(page, "a1").click()
    expect(page.locator(".moves li").last).to_have_text("2. Ba3Bc3?a1")


def test_a_whole_game_of_nex_is_won_against_a_person(opened: Callable[..., Page]) -> None:
    """The table wins as quickly as it can; the person points at the first cells there are."""
    page = opened("/play?game=nex(rows=3,cols=3)&seats=nextable,human")
    game, count = dragon.game("nex(rows=3, cols=3)"), 1
    while True:
        expect(page.locator(".moves li")).to_have_count(count)
        expect(page.locator(".moves li").last.locator("[aria-current]")).to_be_visible()
        state = game.start()
        for move in moves(page):
            state = state.after(move)
        if state.turn < 0:
            break
        point(page, cells(game, str(state.moves()[0])))
        count += 2
    assert state.payoff() == (1, -1)
    assert count <= 7
    expect(page.locator(".status")).to_have_text("Black wins.")


def test_a_move_by_notation_and_what_is_wrong_with_it(opened: Callable[..., Page]) -> None:
    page = opened("/play?game=hex(size=3)&seats=human,human&moves=b2")
    more(page)
    entry = page.get_by_label("A move in the game's notation")
    entry.fill("a1")
    entry.press("Enter")
    expect(page.locator(".moves li")).to_have_text(["1. b2", "a1"])
    expect(entry).to_have_value("")


def test_save_and_load(opened: Callable[..., Page], tmp_path: Path) -> None:
    page = opened("/play?game=nex(rows=3,cols=3)&seats=human,human&moves=Ba1?c3,Wb2?a3")
    expect(page.locator(".moves li")).to_have_count(2)
    more(page)
    with page.expect_download() as download:
        page.get_by_role("button", name="Save").click()
    file = tmp_path / "game.txt"
    download.value.save_as(file)
    assert "Board:r3-c3" in file.read_text()
    other = opened("/play?game=nex(rows=5,cols=5)&seats=human,human")
    other.get_by_label("Load a game from a file").set_input_files(file)
    expect(other.locator(".moves li")).to_have_text(["1. Ba1?c3", "Wb2?a3"])
    assert "rows=3" in other.url


def test_an_analysis_with_values_on_the_board(opened: Callable[..., Page]) -> None:
    page = opened("/analyse?game=tictactoe&moves=a1,b2,c3&search=exhaustive&each=true")
    page.get_by_role("button", name="Analyse", exact=True).click()
    expect(page.locator(".facts")).to_contain_text("proven")
    expect(page.locator(".board .value")).to_have_count(6)
    best = page.locator(".worths tbody tr").first.locator("th")
    state = dragon.game("tictactoe").start()
    for move in ("a1", "b2", "c3"):
        state = state.after(move)
    values = {m: -dragon.search("exhaustive").best(state.after(m)).value for m in state.moves()}
    assert values[best.inner_text()] == max(values.values())
    shown = page.locator(".worths tbody td").all_inner_texts()
    assert sorted(float(text.replace("\N{MINUS SIGN}", "-")) for text in shown) == sorted(
        values.values()
    )


def test_an_analysis_is_stopped(opened: Callable[..., Page]) -> None:
    page = opened("/analyse?game=hex(size=5)&search=mcts&seconds=60")
    page.get_by_role("button", name="Analyse", exact=True).click()
    expect(page.locator(".facts")).to_contain_text("estimate")
    page.get_by_role("button", name="Stop").click()
    expect(page.get_by_role("button", name="Analyse", exact=True)).to_be_visible()
    status = "fetch('/api/status').then((a) => a.json()).then((s) => s.search.busy)"
    for _ in range(100):
        if page.evaluate(status) == 0:
            break
        page.wait_for_timeout(100)
    else:
        pytest.fail("the search goes on though nobody looks")


@pytest.mark.parametrize(
    ("path", "width", "scheme"),
    [("/games", 360, "dark"), ("/analyse?game=connect4", 1200, "light")],
)
def test_colours_follow_the_system_and_the_choice(
    opened: Callable[..., Page],
    sound: Callable[..., None],
    accessible: Callable[[Page], None],
    path: str,
    width: int,
    scheme: str,
) -> None:
    page = opened(path, width, scheme)
    expect(page.locator("#app > *").first).to_be_visible()
    page.wait_for_load_state("networkidle")
    accessible(page)
    paper = page.evaluate("getComputedStyle(document.body).backgroundColor")
    dark = sum(map(int, re.findall(r"\d+", paper)[:3])) < 200
    assert dark == (scheme == "dark")
    page.get_by_role("button", name="Colours").click()
    page.get_by_role("button", name="Colours: light").click()
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
    sound(page)


QUEUED = """async () => {
    const { stream } = await import("/static/dragon.js");
    const answers = ["the server is starting: 1 s", "the server is starting: 2 s", null];
    const queued = new TextEncoder().encode("event: queued\\ndata: {}\\n\\n");
    window.fetch = async (url) => new Response(String(url).includes("status")
        ? JSON.stringify({ search: { starting: answers.shift() } })
        : new ReadableStream({ start(sent) { sent.enqueue(queued); } }));
    const told = [];
    return new Promise((done) => {
        const onnote = (note) => { if (told.push(note) === 3) done(told); };
        stream("play/think", {}, { onnote }).next();
    });
}"""


def test_who_waits_is_told_how_far_the_start_is(opened: Callable[..., Page]) -> None:
    assert opened("/play").evaluate(QUEUED) == [
        "The server is starting: 1 s …",
        "The server is starting: 2 s …",
        "Waiting for a free process …",
    ]
