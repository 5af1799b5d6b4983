"""Results: the folder of tournaments that pages may read, chosen when the server starts.

It goes to the server's processes in their environment; no request has a say in it.
"""

from __future__ import annotations

import os
from pathlib import Path

VARIABLE = "DRAGON_RESULTS"
USUAL = "results"


def choose(path: Path) -> None:
    """Takes this folder, which need not be there yet, for this process and those it starts."""
    os.environ[VARIABLE] = str(path.absolute())


def folder() -> Path:
    """The folder that was chosen, else `results` where the server was started."""
    return Path(os.environ.get(VARIABLE, USUAL))
