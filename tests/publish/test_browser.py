"""A published page in a browser, opened from the disk."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import dragon
from dragon.publish.page import files
from dragon.publish.publication import publication

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

Opening = Callable[..., "Page"]


@pytest.fixture
def shown(browser: Browser, tmp_path: Path) -> Iterator[Opening]:
    """Opens a publication; in the end nothing has been asked of anybody, and nobody complained."""
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
        page.locator(".board [data-cell]").first.wait_for()
        return page

    yield show
    for context in contexts:
        context.close()
    assert complaints == []


def play(page: Page, cell: str, moves: int) -> None:
    """Clicks a cell, and waits until there are so many moves."""
    page.locator(f'.board [data-cell="{cell}"]').first.click()
    page.locator(".moves li").nth(moves - 1).wait_for()


@pytest.mark.slow
def test_plays_from_the_disk_undoes_and_opens_again_where_it_was(shown: Opening) -> None:
    by = [dragon.search("alphabeta"), dragon.search("mcts")]
    made = publication(dragon.game("tictactoe"), by, nodes=20_000)
    page = shown(made, True)
    play(page, "a1", 2)
    assert page.locator(".moves li").nth(1).inner_text().endswith("b2"), "all else loses"
    play(page, "a2", 4)
    assert "Black to move. alphabeta played a3" in page.locator(".status").inner_text()
    page.get_by_role("button", name="Undo").click()
    page.locator(".moves li.later").nth(1).wait_for()
    page.keyboard.press("End")
    address = "?" + page.url.partition("?")[2]
    again = shown(made, False, address)
    assert again.locator(".moves li").count() == 4
    again.get_by_label("White", exact=True).select_option("mcts")
    play(again, "c1", 6)
    assert "mcts" in again.locator(".status").inner_text()


@pytest.mark.slow
def test_every_kind_of_board_can_be_played_by_pointing(shown: Opening) -> None:
    made = publication(dragon.game("breakthrough"), [dragon.search("alphabeta")], nodes=5_000)
    page = shown(made)
    page.locator('.board [data-cell="a2"]').click()
    page.locator('.board [data-cell="a3"].can').wait_for()
    play(page, "a3", 2)
    page.emulate_media(color_scheme="dark")
    dark = page.evaluate_handle("getComputedStyle(document.body)").get_property("backgroundColor")
    assert "22, 24, 29" in str(dark), "the page follows the system's colours"
