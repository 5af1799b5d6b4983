"""Fixtures that several test files share."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from http.client import HTTPConnection
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from dragon import plugins
from dragon.compiler import specialise

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

SCRIPTED = Path(__file__).parent / "scripted"


@pytest.fixture(autouse=True, scope="session")
def _no_numba() -> Iterator[None]:
    """Nothing of dragon's own may need numba; a test of what does says that it is there."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(specialise, "numba_installed", lambda: False)
        yield


@pytest.fixture
def scripted(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Installs the plugin of tests/scripted for this test, in worker and child processes too."""
    monkeypatch.syspath_prepend(str(SCRIPTED))
    others = os.environ.get("PYTHONPATH", "").split(os.pathsep)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(filter(None, [str(SCRIPTED), *others])))
    plugins.manager.cache_clear()
    yield SCRIPTED
    plugins.manager.cache_clear()


@pytest.fixture(scope="session")
def refused() -> Callable[[Any, str], None]:
    """Checks that a command, run in this process, says what is wrong and nothing else."""

    def check(result: Any, expected: str) -> None:
        assert result.exit_code == 2, result.output
        assert result.stdout == ""
        assert expected in result.stderr
        assert "Traceback" not in result.stderr
        assert len(result.stderr.splitlines()) <= 6

    return check


# ---- Ctrl-C ------------------------------------------------------------------------------------


WATCHED = """
import sys
from importlib import import_module
from dragon.cli import main
module, name, times = sys.argv[1], sys.argv[2], int(sys.argv[3])
*path, last = name.split(".")
place = import_module(module)
for each in path:
    place = getattr(place, each)
work, calls = getattr(place, last), 0
def counted(*arguments, **more):
    global calls
    calls += 1
    if calls == times:
        print("at work", file=sys.stderr, flush=True)
    return work(*arguments, **more)
setattr(place, last, counted)
main(sys.argv[4:], prog_name="dragon")
"""


@pytest.fixture
def ctrl_c() -> Callable[..., tuple[str, str, int]]:
    """Runs dragon in a process, with a Ctrl-C when it is at the work that a test means.

    That is when the function `name` of `module` is called the `times`-th time. Gives what it
    printed on stdout and on stderr, and its exit code.
    """

    def run(
        *arguments: str, of: tuple[str, str], times: int = 1, **env: str
    ) -> tuple[str, str, int]:
        with subprocess.Popen(
            [sys.executable, "-c", WATCHED, *of, str(times), *arguments],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=os.environ | env,
        ) as process:  # fmt: skip
            assert process.stderr is not None
            killer = threading.Timer(120, process.kill)
            killer.start()
            seen = ""
            while "at work" not in seen:
                line = process.stderr.readline()
                assert line, seen
                seen += line
            process.send_signal(signal.SIGINT)
            out, err = process.communicate()
            killer.cancel()
        return out, seen + err, process.returncode

    return run


# ---- the web server and a browser --------------------------------------------------------------


class Serving:
    """`dragon serve` in a process of its own, on a free port."""

    def __init__(self, log: Path, options: tuple[str, ...], env: dict[str, str]) -> None:
        self.log = log
        with log.open("w") as said:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "dragon", "serve", "--port", "0", *options],
                stderr=said, env=os.environ | env,
            )  # fmt: skip
        address = None
        while address is None:
            assert self.process.poll() is None, log.read_text()
            address = re.search(r"http://([\d.]+):(\d+)", log.read_text())
            time.sleep(0.02)
        self.host, self.port = address[1], int(address[2])
        self.url = f"http://{self.host}:{self.port}"

    def ask(self, path: str, method: str = "GET", body: bytes | None = None) -> tuple[int, bytes]:
        """The status and the body of an answer."""
        connection = HTTPConnection(self.host, self.port, timeout=90)
        try:
            connection.request(method, path, body, {"Content-Type": "application/json"})
            answer = connection.getresponse()
            return answer.status, answer.read()
        finally:
            connection.close()

    def family(self) -> list[int]:
        """The process and its children."""
        tasks = Path(f"/proc/{self.process.pid}/task").glob("*/children")  # threads start them
        return [
            self.process.pid,
            *(int(pid) for each in tasks for pid in each.read_text().split()),
        ]

    def megabytes(self) -> float:
        """Give the memory that they have together."""
        pages = sum(int(Path(f"/proc/{pid}/statm").read_text().split()[1]) for pid in self.family())
        return pages * os.sysconf("SC_PAGESIZE") / 2**20

    def status(self) -> dict[str, dict[str, int]]:
        """Give how busy it is."""
        counts: dict[str, dict[str, int]] = json.loads(self.ask("/api/status")[1])
        return counts

    def busy(self) -> int:
        """Give how many searches run or wait."""
        searches = self.status()["search"]
        return searches["busy"] + searches["waiting"]

    def idle(self) -> bool:
        """Tell if all searches end within some seconds."""
        for _ in range(200):
            if self.busy() == 0:
                return True
            time.sleep(0.1)
        return False

    def warm(self) -> None:
        """Wait until all processes are ready."""
        while any(counts["ready"] < counts["processes"] for counts in self.status().values()):
            assert self.process.poll() is None, self.log.read_text()
            time.sleep(0.1)

    def close(self) -> None:
        """End it; it ends in peace and has not complained."""
        self.process.terminate()
        assert self.process.wait(30) in (0, -15, 143, 130)
        assert "Traceback" not in self.log.read_text(), self.log.read_text()


@pytest.fixture(scope="module")
def serve(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[..., Serving]]:
    """Starts `dragon serve` with some options; it compiles nothing, unless `jit` is true."""
    started: list[Serving] = []

    def start(*options: str, jit: bool = False) -> Serving:
        log = tmp_path_factory.mktemp("server") / "log.txt"
        made = Serving(log, options, {} if jit else {"DRAGON_JIT": "0"})
        started.append(made)
        return made

    yield start
    for made in started:
        made.close()


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """A headless Chromium, driven with Playwright."""
    sync_api = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
    # What is made to have no window opens a page in a third of the time.
    names = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
    if (chromium := next(filter(None, map(shutil.which, names)), None)) is None:
        pytest.skip("no Chromium is installed")
    with sync_api.sync_playwright() as made:
        sync_api.expect.set_options(timeout=30_000)  # a busy machine may need them
        found = made.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        yield found
        found.close()


@pytest.fixture
def forgiven() -> tuple[str, ...]:
    """Beginnings of complaints that are expected; a file whose tests make mistakes has its own."""
    return ()


@pytest.fixture(scope="module")
def context(browser: Browser) -> Iterator[BrowserContext]:
    """Share a context between the first pages of a file's tests; a blank page keeps it awake.

    So a page costs a third of the time: neither a context nor what draws it is started again.
    """
    made = browser.new_context(accept_downloads=True)
    made.new_page()
    yield made
    made.close()


@pytest.fixture
def opened(
    server: Serving, browser: Browser, context: BrowserContext, forgiven: tuple[str, ...]
) -> Iterator[Callable[..., Page]]:
    """Opens a path of the file's `server`, or a whole address, in a browser that knows nothing.

    In the end the console has not complained, and nothing was asked of another host.
    """
    complaints: list[str] = []
    pages: list[Page] = []

    def asked(request: Any) -> None:
        if not request.url.startswith((server.url, "data:", "blob:")):
            complaints.append(request.url)

    def open_page(path: str, width: int = 1200, scheme: Any = "light") -> Page:
        own = browser.new_context(accept_downloads=True) if pages else context
        page = own.new_page()
        pages.append(page)
        page.set_viewport_size({"width": width, "height": 900})
        page.emulate_media(color_scheme=scheme)
        page.set_default_timeout(30_000)
        page.on("console", lambda message: complaints.append(f"{message.type}: {message.text}"))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("request", asked)
        page.goto(path if path.startswith("http") else server.url + path)
        return page

    yield open_page
    for page in pages[1:]:
        page.context.close()
    for page in pages[:1]:
        everything = {"origin": server.url, "storageTypes": "all"}
        context.new_cdp_session(page).send("Storage.clearDataForOrigin", everything)
    for page in context.pages[1:]:  # those that a page has opened, too
        page.close()
    assert [each for each in complaints if not each.startswith(forgiven)] == []


UNNAMED = """[...document.querySelectorAll('button, a, input, select, textarea')]
  .filter(e => e.checkVisibility())
  .filter(e => !(e.innerText || e.getAttribute('aria-label') || e.labels?.length))
  .map(e => e.outerHTML)"""
AT_REST = """() =>
  ![...document.querySelectorAll('[aria-busy=true]')].some(e => e.checkVisibility()) &&
  !document.getAnimations().some(e => e instanceof CSSTransition)"""
TOO_WIDE = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


@pytest.fixture
def sound() -> Callable[..., None]:
    """Checks that every control has a name, and that nothing is wider than windows so wide."""

    def check(page: Page, *widths: int) -> None:
        assert page.evaluate(UNNAMED) == []
        assert page.evaluate(TOO_WIDE) <= 0
        for width in widths:
            page.set_viewport_size({"width": width, "height": 900})
            assert page.evaluate(TOO_WIDE) <= 0

    return check


@pytest.fixture
def accessible() -> Callable[[Page], None]:
    """Checks a page against what axe-core knows of WCAG 2.1, levels A and AA.

    It waits until the page is at rest: what is old is pale while its successor is made.
    """

    def check(page: Page) -> None:
        from axe_playwright_python.sync_playwright import Axe

        page.wait_for_function(AT_REST, timeout=120_000)

        rules = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"]}
        asked = {**rules, "resultTypes": ["violations"]}  # not of every element what is right
        found = Axe().run(page, options=asked).response["violations"]
        assert [(each["id"], [node["html"] for node in each["nodes"]]) for each in found] == []

    return check
