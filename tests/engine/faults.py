"""Faults that engines by any protocol have, for the scripted ones."""

from __future__ import annotations

import os
import sys
import time


def say(line: str) -> None:
    print(line, flush=True)


def fail(fault: str) -> None:
    """Hang, end, or close the pipe, if that is the fault."""
    if fault == "hang":
        time.sleep(60)
    elif fault == "end":
        sys.exit(3)
    elif fault == "closed":
        os.close(1)
        time.sleep(60)
    elif fault == "child":
        if os.fork() == 0:  # which keeps the pipe open
            time.sleep(60)
        os._exit(0)
