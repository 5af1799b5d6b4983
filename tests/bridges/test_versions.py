"""Packages of others that are too old: one sentence with the remedy, before any is used."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from importlib import metadata
from pathlib import Path

import pytest

from dragon.bridges import check_versions
from dragon.errors import ConfigError

ROOT = Path(__file__).parents[2]
EXTRAS = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
OLD = [
    ("openspiel", "open_spiel", "1.4.1"),
    ("gym", "gymnasium", "0.29.1"),
    ("gym", "pettingzoo", "1.3.5"),
    ("gym", "pillow", "9.5.0"),
]


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """Versions of packages, as if they were installed; of dragon the wishes of this checkout."""
    versions: dict[str, str] = {}

    def version(package: str) -> str:
        if package.replace("-", "_") not in versions:
            raise metadata.PackageNotFoundError(package)
        return versions[package.replace("-", "_")]

    wishes = [f"{wish}; extra == '{name}'" for name, held in EXTRAS.items() for wish in held]
    monkeypatch.setattr(metadata, "version", version)
    monkeypatch.setattr(metadata, "requires", lambda name: wishes)
    return versions


@pytest.mark.parametrize(("extra", "package", "old"), OLD)
def test_a_version_that_is_too_old_is_refused(
    extra: str, package: str, old: str, installed: dict[str, str]
) -> None:
    installed[package] = old
    with pytest.raises(
        ConfigError, match=f"{package} {old} is too old, .* pip install -U"
    ) as found:
        check_versions(extra)
    assert f'"dragon-search[{extra}]"' in str(found.value)
    assert "\n" not in str(found.value)


@pytest.mark.parametrize("extra", ["openspiel", "gym"])
def test_versions_that_are_new_enough_or_unknown_pass(
    extra: str, installed: dict[str, str]
) -> None:
    check_versions(extra)
    installed |= {"open_spiel": "10.0", "gymnasium": "1.0.0a1", "pettingzoo": "1.24"}
    check_versions(extra)


@pytest.mark.full
@pytest.mark.parametrize(
    ("package", "modules", "code"),
    [
        (
            "open_spiel-1.2",
            "pyspiel",
            "from dragon.cli import main; main(['solve', 'openspiel(name=\"go\")'])",
        ),
        ("open_spiel-1.2", "pyspiel", "import dragon.bridges.spiel_game"),
        ("pettingzoo-1.20.0", "pettingzoo gymnasium", "import dragon.bridges.zoo"),
    ],
)
def test_an_old_package_is_named_before_it_is_used(
    package: str, modules: str, code: str, tmp_path: Path
) -> None:
    for module in modules.split():
        (tmp_path / f"{module}.py").write_text("raise RuntimeError('used')")
    name, version = package.split("-")
    (tmp_path / f"{package}.dist-info").mkdir()
    about = f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n"
    (tmp_path / f"{package}.dist-info" / "METADATA").write_text(about)
    environment = {**os.environ, "PYTHONPATH": str(tmp_path), "DRAGON_CACHE": str(tmp_path)}
    ended = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False
    )
    assert ended.returncode != 0
    last = ended.stderr.splitlines()[-1].replace("-", "_", 1)
    assert f"{name} {version} is too old" in last
