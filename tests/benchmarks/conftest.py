"""Speed is that of code that is compiled as well as can be, from the first call on."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from dragon.modes import OPTIMISED


@pytest.fixture(autouse=True, scope="session")
def _optimised() -> Iterator[None]:
    with OPTIMISED.under("1"):
        yield
