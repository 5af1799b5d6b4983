"""The folder of tournaments that pages may read, chosen when the server starts.

The server's processes get it in their environment; a request cannot change it.
"""

from __future__ import annotations

import os
from pathlib import Path

VARIABLE = "DRAGON_RESULTS"
USUAL = "results"


def choose(path: Path) -> None:
    """Use this folder, which may not exist yet, in this process and those that it starts."""
    os.environ[VARIABLE] = str(path.absolute())


def folder() -> Path:
    """The folder that was chosen, else `results` in the current folder."""
    return Path(os.environ.get(VARIABLE, USUAL))
