"""Games on a `Board` in a browser: from cell to cell, a choice of promotions, a pass, a die."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

sync_api = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
pytest.importorskip("uvicorn")

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.full  # as all pages in a browser are

expect = sync_api.expect
HERE = Path(__file__).parents[1] / "boards"
PROMOTING = "start=...p/P.../.p../N... w ply=2"
BLOCKED = "start=XO....../O......./......../......../......../......../......../........ O"


@pytest.fixture(scope="module")
def server(serve: Callable[..., Any]) -> Any:
    """A server where the plugin of tests/boards is installed."""
    with pytest.MonkeyPatch.context() as patch:
        found = filter(None, [str(HERE / "installed"), str(HERE), os.environ.get("PYTHONPATH")])
        patch.setenv("PYTHONPATH", os.pathsep.join(found))
        return serve("--workers", "1")


def cell(page: Page, name: str) -> Any:
    return page.locator(f".board [data-cell='{name}']").first


def test_a_piece_is_moved_from_cell_to_cell(opened: Callable[..., Page]) -> None:
    page = opened("/play?game=breakthrough(rows=5,columns=4)&seats=human,human")
    expect(page.locator(".status")).to_contain_text("White to move")
    expect(cell(page, "a2")).to_have_attribute("aria-label", "a2, white")
    cell(page, "a2").click()
    expect(page.locator(".board .mark.chosen")).to_have_count(1)
    expect(page.locator(".board .aim")).to_have_count(2)
    cell(page, "b3").click()
    expect(page.locator(".moves li")).to_have_text(["1. a2b3"])
    expect(cell(page, "b3")).to_have_attribute("aria-label", "b3, white")
    expect(page.locator(".status")).to_contain_text("Black to move")
    expect(page.locator(".board .mark.last")).to_have_count(2)
    cell(page, "a4").click()
    cell(page, "b3").click()
    expect(page.locator(".moves li").last).to_have_text("a4b3")


@pytest.mark.parametrize("kind", ["n", "r"])
def test_a_promotion_is_chosen(opened: Callable[..., Page], kind: str) -> None:
    page = opened(f"/play?game=pawns&seats=human,human&{PROMOTING}")
    cell(page, "a3").click()
    cell(page, "a4").click()
    expect(page.locator(".status")).to_contain_text("which move")
    expect(page.locator(".board .mark.chosen")).to_have_count(2)
    choices = page.locator(".saying button")
    expect(choices).to_have_text(["a3a4n", "a3a4r", "Take back"])
    choices.filter(has_text="Take back").click()
    expect(page.locator(".board .mark.chosen")).to_have_count(0)
    cell(page, "a3").click()
    cell(page, "a4").click()
    choices.filter(has_text=f"a3a4{kind}").click()
    expect(page.locator(".moves li")).to_have_text([f"1. a3a4{kind}"])
    expect(cell(page, "a4")).to_have_attribute("aria-label", f"a4, white {kind.upper()}")
    expect(page.locator(".board .mark.chosen")).to_have_count(0)


def test_a_promotion_is_chosen_where_it_is_analysed(opened: Callable[..., Page]) -> None:
    page = opened(f"/analyse?game=pawns&{PROMOTING}")
    cell(page, "a3").click()
    cell(page, "a4").click()
    expect(page.locator(".saying button")).to_have_text(["a3a4n", "a3a4r", "Take back"])
    page.locator(".saying button").first.click()
    expect(page.locator(".moves li")).to_have_text(["1. a3a4n"])


def test_a_promotion_is_chosen_by_keyboard(opened: Callable[..., Page]) -> None:
    page = opened(f"/play?game=pawns&seats=human,human&{PROMOTING}")
    cell(page, "a3").focus()
    page.keyboard.press("Enter")
    expect(page.locator(".board .mark.chosen")).to_have_count(1)
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    page.get_by_role("button", name="a3a4r", exact=True).first.focus()
    page.keyboard.press("Enter")
    expect(page.locator(".moves li")).to_have_text(["1. a3a4r"])


def test_a_piece_may_wait_where_it_is(opened: Callable[..., Page]) -> None:
    page = opened(f"/play?game=pawns&seats=human,human&{PROMOTING}")
    cell(page, "a1").click()
    expect(page.locator(".board .mark.chosen")).to_have_count(1)
    expect(page.locator(".moves li")).to_have_count(0)
    expect(page.locator(".saying button")).to_have_text(["a1", "Take back"])
    page.locator(".saying button").first.click()
    expect(page.locator(".moves li")).to_have_text(["1. a1"])


def test_a_turn_is_passed(opened: Callable[..., Page]) -> None:
    page = opened(f"/play?game=reversi&seats=human,human&{BLOCKED}")
    expect(page.locator(".status")).to_contain_text("White to move")
    expect(page.locator(".board .can")).to_have_count(0)
    page.locator(".saying").get_by_role("button", name="pass").click()
    expect(page.locator(".moves li")).to_have_text(["1. pass"])
    expect(page.locator(".status")).to_contain_text("Black to move")
    cell(page, "c1").click()
    expect(page.locator(".moves li")).to_have_text(["1. pass", "2. c1"])
    expect(cell(page, "b1")).to_have_attribute("aria-label", "b1, black")


def test_the_die_rolls_and_a_piece_moves(opened: Callable[..., Page]) -> None:
    page = opened("/play?game=dice&seats=human,human&moves=rolls1")
    expect(cell(page, "c3")).to_have_attribute("aria-label", "c3, black 1")
    cell(page, "c3").click()
    cell(page, "b2").click()
    expect(page.locator(".moves li")).to_have_count(3)
    expect(page.locator(".moves li").nth(1)).to_have_text("c3b2")
    expect(page.locator(".moves li").nth(2)).to_have_text(re.compile(r"^\d:$"))


def test_a_pit_is_sown_and_the_same_side_moves_again(opened: Callable[..., Page]) -> None:
    page = opened("/play?game=kalah(pits=3,seeds=3)&seats=human,human")
    expect(page.locator(".board .can")).to_have_count(3)
    cell(page, "1").click()
    expect(page.locator(".moves li")).to_have_text(["1. 1"])
    expect(page.locator(".status")).to_contain_text("Player 1 to move")
    expect(page.locator(".board .can")).to_have_count(2)
    cell(page, "3").click()
    expect(page.locator(".status")).to_contain_text("Player 2 to move")
    expect(cell(page, "1")).to_have_attribute("aria-label", "1, 4 seeds")
