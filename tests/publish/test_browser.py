"""A published page in a browser, opened from the disk."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import reduce
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import dragon
from dragon import transcripts
from dragon.publish.page import files, playground
from dragon.publish.publication import publication

pytestmark = pytest.mark.full  # as all pages in a browser are


if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

Opening = Callable[..., "Page"]


@pytest.fixture
def shown(browser: Browser, tmp_path: Path) -> Iterator[Opening]:
    """Opens a publication; in the end it has asked for nothing from elsewhere, without an error."""
    complaints: list[str] = []
    contexts: list[Any] = []

    def show(made: Any, single: bool = False, address: str = "") -> Page:
        for name, data in files(made, single).items():
            (tmp_path / name).write_bytes(data)
        context = browser.new_context(viewport={"width": 1000, "height": 900})
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: complaints.append(f"{message.type}: {message.text}"))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        own = (tmp_path.as_uri(), "blob:", "data:")
        page.on(
            "request",
            lambda asked: None if asked.url.startswith(own) else complaints.append(asked.url),
        )
        page.goto((tmp_path / "index.html").as_uri() + address)
        page.locator(".board > svg, .board > img").first.wait_for()
        return page

    yield show
    for context in contexts:
        context.close()
    assert complaints == []


def more(page: Page) -> None:
    """Opens what a page has beside the board and the moves."""
    page.locator(".more > summary").click()


def play(page: Page, cell: str, moves: int) -> None:
    """Clicks a cell, and waits until there are so many moves."""
    page.locator(f'.board [data-cell="{cell}"]').first.click()
    page.locator(".moves li").nth(moves - 1).wait_for()


def test_plays_from_the_disk_undoes_and_opens_again_where_it_was(shown: Opening) -> None:
    by = [dragon.search("alphabeta"), dragon.search("mcts")]
    made = publication(dragon.game("tictactoe"), by, nodes=20_000)
    page = shown(made, True)
    play(page, "a1", 2)
    assert page.locator(".moves li").nth(1).inner_text().endswith("b2"), "all else loses"
    play(page, "a2", 4)
    assert "Black to move. alphabeta played a3" in page.locator(".status").inner_text()
    page.get_by_role("button", name="Take back").click()
    page.locator(".moves li.later").nth(1).wait_for()
    page.keyboard.press("End")
    address = "?" + page.url.partition("?")[2]
    again = shown(made, False, address)
    assert again.locator(".moves li").count() == 4
    more(again)
    again.get_by_label("White", exact=True).select_option("mcts")
    play(again, "c1", 6)
    assert "mcts" in again.locator(".status").inner_text()


def test_the_playground_is_played_to_the_end_against_both_searches(
    browser: Browser, tmp_path: Path, played_out: Callable[[Page], str]
) -> None:
    by = [dragon.search("alphabeta"), dragon.search("mcts")]
    games = [dragon.game(spec) for spec in ("hex(size=3)", "tictactoe")]
    for name, data in playground([publication(g, by, nodes=20_000) for g in games]).items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(data)
    context = browser.new_context()
    context.set_default_timeout(30_000)
    page, asked = context.new_page(), set[str]()
    page.on("request", lambda request: asked.add(request.url.partition(":")[0]))
    page.goto((tmp_path / "index.html").as_uri())
    said = []
    for at, search in enumerate(("alphabeta", "mcts")):
        page.locator("a.card").nth(at).click()
        more(page)
        page.get_by_label("White", exact=True).select_option(search)
        said.append(played_out(page))
        page.get_by_role("link", name="All games").click()
    context.close()
    assert all(re.search("White wins|A draw", each) for each in said), "the searches do not lose"
    assert asked <= {"file", "blob", "data"}


def played(page: Page) -> list[str]:
    """The moves of the list, those of chance too."""
    return [each.split()[-1] for each in page.locator(".moves li").all_inner_texts()]


def test_dice_are_rolled_by_the_deal_kept_with_the_game_and_undone(shown: Opening) -> None:
    game = dragon.game("einstein")
    page = shown(publication(game, [dragon.search("mcts")], nodes=500), False, "?deal=1234")
    page.locator(".board [data-cell].can").first.click()
    page.locator(".status", has_text="the next cell").wait_for()
    page.locator(".board [data-cell]:has(.aim)").first.click()
    page.locator(".moves li").nth(4).wait_for()
    moves = played(page)
    assert [each.endswith(":") for each in moves] == [True, False, True, False, True]
    said = page.locator(".status").inner_text()
    assert f"Black to move after a roll of {moves[-1][:-1]}. mcts played" in said
    page.get_by_role("button", name="Take back").click()
    rolled = f"Black to move after a roll of {moves[0][:-1]}"
    page.locator(".status", has_text=rolled).wait_for()
    more(page)
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save").click()
    (kept,) = transcripts.read(saved.value.path().read_text(encoding="utf-8"), game)
    assert [each.replace("roll", "") for each in kept.moves] == [e.rstrip(":") for e in moves]
    reduce(lambda at, move: at.after(move), kept.moves, game.start(kept.deal))
    page.keyboard.press("End")
    address = "?" + page.url.partition("?")[2]
    again = shown(publication(game, [dragon.search("random")]), True, address)
    assert played(again) == moves


LOADED = [
    ("tictactoe", "Game:tictactoe\ndeal: 12345\nMoves:\na1\nb2\n", "2 moves"),
    ("tictactoe", "game: tictactoe\n", "0 moves"),
    ("tictactoe", "game: hex\nmoves:\na1\n", "not a transcript of tictactoe"),
    ("tictactoe", "game: tictactoe\nstart: X../.../... O\nmoves:\n", "begins elsewhere"),
    ("tictactoe", "game: tictactoe\ndeal: abc\nmoves:\na1\n", "deal: write a whole number"),
    ("tictactoe", "game: tictactoe\ndeal: -1\nmoves:\na1\n", "deal: write a whole number"),
    ("einstein", "game: einstein\ndeal: 700\nmoves:\n", "deal: this page has 0 to 99"),
]


def test_games_that_are_saved_elsewhere_are_loaded(shown: Opening) -> None:
    for name in ("tictactoe", "einstein"):
        made = publication(dragon.game(name), [dragon.search("random")])
        page = shown(made, False, "?seats=human,human")
        more(page)
        page.get_by_text("Load a game from text").click()
        for game, text, said in LOADED:
            if game == name:
                page.get_by_label("A game as text").fill(text)
                page.get_by_role("button", name="Load this").click()
                if said.endswith("moves"):
                    count = int(said.split()[0])
                    page.wait_for_function(
                        f"document.querySelectorAll('.moves li').length === {count}"
                    )
                else:
                    page.get_by_text(said).wait_for()


def test_2048_is_played_by_the_keyboard_and_by_a_search(shown: Opening) -> None:
    page = shown(publication(dragon.game("two048(goal=16)"), [dragon.search("mcts")], nodes=2000))
    more(page)
    assert page.get_by_label("Player", exact=True).input_value() == "human"
    assert page.get_by_role("button", name="Swap seats").is_hidden()
    page.locator(".saying button").first.focus()
    page.keyboard.press("Enter")
    page.locator(".moves li").nth(3).wait_for()
    page.locator(".saying button:focus").wait_for()
    page.get_by_label("Player", exact=True).select_option("mcts")
    page.locator(".status", has_text="The end").wait_for()
    assert re.fullmatch(r"The end: \d+ points\.", page.locator(".status").inner_text())
    assert len(played(page)) > 10


def test_swap_has_a_button_and_moves_of_several_cells_are_pointed_at(shown: Opening) -> None:
    page = shown(publication(dragon.game("nex(rows=9, cols=9, swap=true)"), []))
    for cell in ("c3", "d4"):
        page.locator(f'.board [data-cell="{cell}"].can').click()
    page.get_by_role("button", name="swap", exact=True).click()
    page.locator(".moves li").nth(1).wait_for()
    more(page)
    page.get_by_label("A move in the game's notation").fill("wE5?A1")
    page.keyboard.press("Enter")
    page.locator(".moves li").nth(2).wait_for()
    assert [each.lower() for each in played(page)] == ["bc3?d4", "swap", "we5?a1"]


def test_puzzles_are_pointed_at_and_marks_are_where_cells_are(shown: Opening) -> None:
    page = shown(publication(dragon.game("sokoban"), []))
    page.locator(".board .can").first.click()
    page.locator(".board .mark.chosen").wait_for()
    at = (
        "e => { const { x, y } = e.getBoundingClientRect(); return [Math.round(x), Math.round(y)] }"
    )
    cell = page.locator(".board .mark.chosen").evaluate(at)
    places = page.locator(".board [data-cell] rect").evaluate_all(f"all => all.map({at})")
    assert cell in places
    page.locator(".board .can").first.click()
    page.locator(".moves li").first.wait_for()


def test_every_kind_of_board_can_be_played_by_pointing(shown: Opening) -> None:
    made = publication(dragon.game("breakthrough"), [dragon.search("alphabeta")], nodes=5_000)
    page = shown(made)
    page.locator('.board [data-cell="a2"]').click()
    page.locator('.board [data-cell="a3"].can').wait_for()
    play(page, "a3", 2)
    page.emulate_media(color_scheme="dark")
    dark = page.evaluate_handle("getComputedStyle(document.body)").get_property("backgroundColor")
    assert "22, 24, 29" in str(dark), "the page follows the system's colours"


def test_a_page_tells_the_score_and_how_a_game_was_won(shown: Opening) -> None:
    moves = "?seats=human,human&moves=a1,b1,a2,b2"
    page = shown(publication(dragon.game("tictactoe"), [dragon.search("random")]), False, moves)
    play(page, "a3", 5)
    assert page.locator(".outcome").inner_text() == "Black has three in a row."
    page = shown(publication(dragon.game("reversi"), [dragon.search("random")]), False,
                 "?seats=human,human&moves=d3")  # fmt: skip
    assert page.locator(".strip .score").all_inner_texts() == ["1", "4"]


def test_analysis_says_what_native_searches_do_of_each_move(shown: Opening) -> None:
    game = dragon.game("tictactoe")
    page = shown(publication(game, [dragon.search("alphabeta")]), True)
    more(page)
    page.get_by_label("White", exact=True).select_option("human")
    for moves, cell in enumerate(["a1", "b2", "c3", "a3", "c1"], 1):
        play(page, cell, moves)
    page.get_by_role("link", name="Analyse").click()
    more(page)
    page.get_by_label("Search every move by itself").check()
    page.get_by_role("button", name="Analyse").click()
    page.locator(".verdict", has_text="with best play: proven").wait_for()
    state = reduce(lambda at, cell: at.after(cell), ["a1", "b2", "c3", "a3", "c1"], game.start())
    worth = {str(m): -dragon.search("alphabeta").best(state.after(m)).value for m in state.moves()}
    rows = page.locator(".worths tbody tr")
    shown = dict(rows.nth(i).inner_text().split()[:2] for i in range(rows.count()))
    assert {m: float(v.replace("\N{MINUS SIGN}", "-")) for m, v in shown.items()} == worth
    assert page.locator(".board text.value").count() == len(worth)
    page.get_by_role("button", name="Search each position").click()
    page.get_by_role("button", name="Search each position").wait_for()
    curve = page.get_by_label("The value over the moves of the game, for the first seat")
    assert curve.locator("path").get_attribute("d").count("L") == 5
