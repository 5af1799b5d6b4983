"""Fixtures that several test files share."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from dragon import plugins

SCRIPTED = Path(__file__).parent / "scripted"


@pytest.fixture(autouse=True, scope="session")
def _own_data_folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """What plugins download or compute and keep is not left in the user's folder."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DRAGON_DATA", str(tmp_path_factory.mktemp("data")))
        yield


@pytest.fixture
def scripted(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Installs the plugin of tests/scripted for this test, in worker and child processes too."""
    monkeypatch.syspath_prepend(str(SCRIPTED))
    monkeypatch.setenv("PYTHONPATH", str(SCRIPTED))
    plugins.manager.cache_clear()
    yield SCRIPTED
    plugins.manager.cache_clear()
