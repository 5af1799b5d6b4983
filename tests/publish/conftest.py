"""Fixtures for tests of published games: their scripts, run by node.js, and games played out."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from base64 import b64encode
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import pytest

from dragon.publish.page import OWN, engine, script
from dragon.publish.wasm import Module

if TYPE_CHECKING:
    from playwright.sync_api import Page

Answers: TypeAlias = Callable[[Module | None, dict[str, Any], Sequence[dict[str, Any]]], list[Any]]


@pytest.fixture
def node(tmp_path: Path) -> Answers:
    """Ask the scripts of a module and its `about` questions; see `ask.js`."""
    if (program := shutil.which("node")) is None:
        pytest.skip("node.js is not installed")
    scripts = engine() + script(OWN / f"{name}.js" for name in ("notation", "spelled"))
    asking = Path(__file__).with_name("ask.js").read_text(encoding="utf-8")
    (tmp_path / "ask.cjs").write_text(scripts + asking, encoding="utf-8")

    def ask(
        module: Module | None, about: dict[str, Any], questions: Sequence[dict[str, Any]]
    ) -> list[Any]:
        code = "" if module is None else b64encode(module.code).decode()
        given = json.dumps({"about": about, "code": code, "questions": questions})
        ended = subprocess.run(
            [program, str(tmp_path / "ask.cjs")], input=given, capture_output=True, text=True,
            timeout=300, check=False,
        )  # fmt: skip
        assert ended.returncode == 0, ended.stderr
        return [json.loads(line) for line in ended.stdout.splitlines()]

    return ask


@pytest.fixture
def played_out() -> Callable[[Page], str]:
    """Plays on the first cell that can be clicked until the end; what the page says of it."""

    def play(page: Page) -> str:
        end = page.locator(".status", has_text=re.compile(r"wins|A draw"))
        cell = page.locator(".board [data-cell].can").first
        while True:
            end.or_(cell).first.wait_for()
            if end.count():
                return end.inner_text()
            before = page.locator(".moves li").count()
            cell.click()
            page.locator(".moves li").nth(before).wait_for()

    return play
