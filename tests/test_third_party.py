"""A distribution that dragon has never heard of: found, lawful, and played in a tournament."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

PLUGIN = Path(__file__).parent / "plugin"


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the plugin as an installer would leave it."""
    folder = tmp_path_factory.mktemp("site")
    (folder / "dragon_chomp.py").write_text((PLUGIN / "dragon_chomp.py").read_text())
    info = folder / "dragon_chomp-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: dragon-chomp\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[dragon]\nchomp = dragon_chomp\n")
    return folder


def run(installed: Path, *words: str) -> subprocess.CompletedProcess[str]:
    environment = {k: v for k, v in os.environ.items() if k != "DRAGON_PLUGINS"}
    return subprocess.run(
        [sys.executable, "-m", "dragon", *words],
        cwd=installed,
        env={**environment, "PYTHONPATH": str(installed)},
        capture_output=True,
        text=True,
        timeout=300,
    )


@pytest.mark.full
def test_it_is_found(installed: Path) -> None:
    assert "chomp" in run(installed, "games").stdout


@pytest.mark.full  # .ci/run asks the same of the plugin as it is installed
def test_it_keeps_the_laws(installed: Path) -> None:
    ran = run(installed, "laws", "chomp(rows=2, cols=3)")
    assert ran.returncode == 0, ran.stdout + ran.stderr


@pytest.mark.full
def test_the_first_to_bite_wins(installed: Path) -> None:
    ran = run(installed, "solve", "chomp", "--search", "alphabeta", "--json")
    assert ran.returncode == 0, ran.stderr
    answer = json.loads(ran.stdout)
    assert (answer["value"], answer["bound"]) == (1.0, "=")


@pytest.mark.full
def test_it_plays_a_tournament(installed: Path) -> None:
    (installed / "chomp.toml").write_text((PLUGIN / "chomp.toml").read_text())
    ran = run(installed, "tournament", "chomp.toml", "--workers", "0", "--out", "out", "--json")
    assert ran.returncode == 0, ran.stderr
    table = json.loads(ran.stdout)
    assert [player["played"] for player in table["players"]] == [8, 8, 8]
    scores = {player["name"]: player["points"] for player in table["players"]}
    assert min(scores, key=lambda name: scores[name]) == "random"
