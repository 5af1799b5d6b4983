"""An engine of chess by CECP that makes one move, written without dragon, and its faults.

python cecp_engine.py [FAULT]
"""

from __future__ import annotations

import sys

from faults import fail, say

MOVES = {"illegal": "e2e5", "capitals": "E2E4", "nul": "e2\0e4", "none": "(none)"}
fault = sys.argv[1] if sys.argv[1:] else ""


def go() -> None:
    fail(fault)
    if fault == "flood":
        while True:
            sys.stdout.write("x" * 100_000)
    elif fault == "refuse":
        say("Illegal move: (no such board)")
    elif fault == "garbage":
        sys.stdout.buffer.write(b"\xff\xfe 1 2 3\n\0\0\n1 2\n")
    elif fault == "huge":
        say(f"1 {'9' * 30} 1 {'9' * 5000} e2e4")
        say(f"2 {10**17} 1 -7 e2e4")
        say(f"3 {10**17} 1 7 e2e4")
    say(f"move {MOVES.get(fault, 'e2e4')}")


for line in sys.stdin:
    match line.split():
        case ["protover", *_]:
            say('feature myname="Lopez" setboard=1 usermove=1 ping=1 done=1')
        case ["ping", number]:
            say(f"pong {number}")
        case ["go"]:
            go()
        case ["quit"]:
            break
