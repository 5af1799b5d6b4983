"""An engine of chess by UCI that plays one opening, written without dragon, and its faults.

    python uci_engine.py [--fault NAME]

It knows no rules: legal moves are taken from a list of one opening, `LINE`.
"""

from __future__ import annotations

import sys
import time

from faults import fail, say

LINE = ["e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6", "b5a4", "g8f6", "e1g1", "f8e7"]
BAD = {"illegal": "e2e5", "capitals": "E2E4", "nul": "e2\0e4", "none": "(none)", "nothing": ""}
fault = sys.argv[sys.argv.index("--fault") + 1] if "--fault" in sys.argv else ""
made = 0
if fault == "silent":
    time.sleep(60)
for line in sys.stdin:
    words = line.split()
    match words:
        case ["uci" | "ugi" as dialect]:
            say("id name Ruy")
            say("option name Hash type spin default 1 min 1 max 64")
            say("option name Own Book type check default true")
            say(f"{dialect}ok")
        case ["setoption", "name", *rest]:
            print("option", " ".join(rest), file=sys.stderr, flush=True)
        case ["isready"]:
            say("readyok")
        case ["position", *rest]:
            made = len(rest) - rest.index("moves") - 1 if "moves" in rest else 0
        case ["go", *rest]:
            print("go", " ".join(rest), file=sys.stderr, flush=True)
            fail(fault)
            if fault == "flood":
                while True:
                    say("info string " + "x" * 10_000)
            elif fault == "garbage":
                sys.stdout.buffer.write(b"\xff\xfe info score cp\ninfo depth x nodes score mate\n")
            elif fault == "huge":
                say(f"info depth {10**30} score cp {10**18 - 1} nodes -5 pv {LINE[made]}")
                say(f"bestmove {LINE[made]}")
                continue
            elif fault in BAD:
                say(f"bestmove {BAD[fault]}")
                continue
            say(f"info depth 1 score cp 90 nodes 7 pv {' '.join(LINE[made:])}")
            say("info depth 2 score cp 34 upperbound nodes 9 pv a2a3")
            say(f"info depth 2 multipv 2 score cp -10 nodes 9 pv {LINE[made]}")
            if fault == "mate":
                say(f"info depth 3 score mate -2 nodes 9 pv {LINE[made]} zzz")
            say(f"bestmove {LINE[made]} ponder {LINE[made + 1]}")
        case ["quit"]:
            break
