"""The site of the documentation in a browser, opened from the disk: its games are played in it.

The site is in the folder that the variable DRAGON_SITE names, as `.ci/run` sets it, or is made.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

ROOT = Path(__file__).parents[2]
QUICK = "seconds=0.05"
pytestmark = [pytest.mark.full, pytest.mark.budget(120)]  # some make the site


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if given := os.environ.get("DRAGON_SITE"):
        return Path(given)
    pytest.importorskip("sphinx", reason="Sphinx is not installed, and no DRAGON_SITE is given")
    made = tmp_path_factory.mktemp("site")
    subprocess.run([sys.executable, ROOT / "docs" / "build_site.py", made], check=True)
    return made


@pytest.fixture
def shown(browser: Browser, site: Path) -> Iterator[Callable[[str], Page]]:
    """Opens a page of the site; in the end all came from its files, without an error."""
    complaints: list[str] = []
    own = (site.as_uri(), "blob:", "data:")
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    context.set_default_timeout(30_000)
    page = context.new_page()
    page.on("console", lambda message: complaints.append(f"{message.type}: {message.text}"))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on(
        "request",
        lambda asked: None if asked.url.startswith(own) else complaints.append(asked.url),
    )

    def show(address: str) -> Page:
        page.goto(f"{site.as_uri()}/{address}")
        return page

    yield show
    context.close()
    assert complaints == []


def answered(page: Page) -> None:
    """Plays the first legal move of the list; waits for the search's, where it is to answer.

    It is not where there is one side, or where luck began, with dice for more than one move.
    """
    page.locator(".more > summary").click()
    page.locator("summary", has_text="Legal moves").click()
    first = page.locator(".legal button:enabled").first
    first.wait_for()
    before, seats = page.locator(".moves li").count(), page.locator(".seats select").count()
    first.click()
    page.locator(".moves li").nth(before or min(seats, 2) - 1).wait_for()


def test_a_page_holds_its_game_which_answers_and_is_analysed(shown: Any) -> None:
    page = shown("docs/games/connect4.html")
    page.locator("iframe").scroll_into_view_if_needed()
    game = page.frame_locator("iframe")
    game.locator('.board [data-cell="4"].can').first.click()
    game.locator(".moves li").nth(1).wait_for()
    game.get_by_role("link", name="Analyse").click()
    game.locator("summary", has_text="Size, search and position").click()
    game.get_by_label("Search every move by itself").check()
    game.get_by_role("button", name="Analyse").click()
    game.locator(".worths tbody tr").nth(6).wait_for()
    assert game.locator(".board text.value").count() == 7
    page.get_by_role("link", name="another game").click()
    page.get_by_role("heading", name="Games to play").wait_for()
    page.get_by_role("link", name="Home", exact=True).click()
    page.get_by_role("heading", name="dragon", exact=True).wait_for()


def test_every_game_of_the_playground_answers(shown: Any, site: Path) -> None:
    index = (site / "play" / "index.html").read_text(encoding="utf-8")
    games = re.findall(r'class="card" href="([^"]+)"', index)
    assert len(games) > 10
    for game in games:
        answered(shown(f"play/{game}?{QUICK}"))


@pytest.mark.parametrize("search", ["alphabeta", "mcts"])
@pytest.mark.parametrize("game", ["tictactoe", "connect4", "hex-size-7"])
def test_games_are_played_to_the_end(
    game: str, search: str, shown: Any, played_out: Callable[[Page], str]
) -> None:
    page = shown(f"play/{game}/index.html?seats=human,{search}&{QUICK}")
    said = played_out(page)
    if game != "hex-size-7":  # where 50 ms of alphabeta see no end
        assert re.search("(White|Yellow) wins|A draw", said), "the searches do not lose"


def test_a_search_of_the_site_on_a_disk_finds_pages_and_fetches_nothing(shown: Any) -> None:
    page = shown("search.html?q=backgammon")
    page.locator("#search-results li").first.wait_for()


@pytest.mark.parametrize("words", ["write a game", "your game"])
def test_who_wants_to_write_a_game_finds_the_tutorial_first(words: str, shown: Any) -> None:
    page = shown(f"search.html?q={words.replace(' ', '+')}")
    first = page.locator("#search-results li a").first
    first.wait_for()
    assert first.inner_text() == "Your game in ten minutes"


def test_the_front_page_shows_every_picture(shown: Any) -> None:
    page = shown("docs/README.html")
    pictures = page.locator("article img")
    assert pictures.count() >= 9
    empty = "all => all.filter(each => !each.naturalWidth).map(each => each.src)"
    assert pictures.evaluate_all(empty) == []
    page.get_by_role("link", name="Play all of them now").click()
    page.locator("a.card").first.wait_for()
