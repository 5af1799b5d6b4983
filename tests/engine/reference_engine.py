"""A reference engine for tests: plain Python and nothing of dragon.

It speaks the Go Text Protocol, version 2, on stdin and stdout, and plays nim and tic-tac-toe
as dragon writes them: nim's moves are 1, 2 and 3 from a pile, those of tic-tac-toe a1 (top
left) to c3. It wins nim where that can be done; in tic-tac-toe it looks one ply ahead, then
takes the first cell that is free, or one at random with --random.

    python reference_engine.py GAME [--pile N] [--misdeed NAME] [--at N] [--log FILE]

GAME: nim, tictactoe, or none until `dragon-game` has told. A misdeed happens at the genmove
numbered --at, from 0, over the whole life of the process; more of them are in `bad_engine.py`.
"""

from __future__ import annotations

import argparse
import os
import random
import subprocess
import sys
import time

BASE = ["protocol_version", "name", "version", "list_commands", "known_command", "quit",
        "clear_board", "play", "genmove", "time_settings", "time_left", "set_random_seed",
        "boardsize"]  # fmt: skip
MORE = ["dragon-game", "dragon-position"]
COLOURS = {"black": 0, "b": 0, "white": 1, "w": 1}
LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


class Refusal(Exception):
    """A request that is answered with a question mark."""


class Nim:
    """One pile; the seat that takes the last wins."""

    def __init__(self, pile=10):
        self.pile = self.left = pile

    def clear(self):
        self.left = self.pile

    def set_up(self, words):
        self.left = int(words[0])

    def moves(self):
        return [str(n) for n in (1, 2, 3) if n <= self.left]

    def play(self, seat, move):
        self.left -= int(move)

    def best(self, seat, dice):
        wanted = self.left % 4 or 1
        return str(min(wanted, self.left))


class TicTacToe:
    """Nine cells; None where a cell is empty."""

    def __init__(self):
        self.clear()

    def clear(self):
        self.cells = [None] * 9

    def set_up(self, words):
        letters = words[0].replace("/", "")
        self.cells = [{"X": 0, "O": 1}.get(letter) for letter in letters]

    def moves(self):
        return ["abc"[i // 3] + str(i % 3 + 1) for i in range(9) if self.cells[i] is None]

    def play(self, seat, move):
        self.cells["abc".index(move[0]) * 3 + int(move[1]) - 1] = seat

    def wins(self, seat):
        return any(all(self.cells[i] == seat for i in line) for line in LINES)

    def best(self, seat, dice):
        for who in (seat, 1 - seat):
            for move in self.moves():
                kept = list(self.cells)
                self.play(who, move)
                won = self.wins(who)
                self.cells = kept
                if won:
                    return move
        return dice.choice(self.moves()) if dice else self.moves()[0]


class Engine:
    """The commands."""

    def __init__(self, options):
        self.options = options
        self.game = {"nim": Nim(options.pile), "tictactoe": TicTacToe(), None: None}[options.game]
        self.dice = random.Random(0) if options.random else None
        self.moved = 0
        self.number = ""  # of the command that it answers

    def known(self):
        return BASE + ([] if self.options.plain else MORE)

    def answer(self, name, words):
        method = getattr(self, "do_" + name.replace("-", "_"), None)
        if method is None or name not in self.known():
            raise Refusal("unknown command")
        return method(words)

    def do_protocol_version(self, words):
        return "2"

    def do_name(self, words):
        return "Reference"

    def do_version(self, words):
        return "1.0"

    def do_list_commands(self, words):
        return "\n".join(self.known())

    def do_known_command(self, words):
        return "true" if words[0] in self.known() else "false"

    def do_quit(self, words):
        return ""

    def do_boardsize(self, words):
        raise Refusal("unacceptable size")

    def do_clear_board(self, words):
        self.game.clear()
        return ""

    def do_time_settings(self, words):
        if self.options.integers:
            [int(word) for word in words]
        return ""

    def do_time_left(self, words):
        if self.options.integers:
            [int(word) for word in words[1:]]
        return ""

    def do_set_random_seed(self, words):
        if self.dice:
            self.dice.seed(int(words[0]))
        return ""

    def do_dragon_game(self, words):
        name, _, rest = " ".join(words).partition("(")
        if name == "nim":
            self.game = Nim(int(rest.rstrip(")").partition("=")[2] or 10))
        elif name == "tictactoe":
            self.game = TicTacToe()
        else:
            raise Refusal("nim and tictactoe are all I know")
        return ""

    def do_dragon_position(self, words):
        self.game.set_up(words)
        return ""

    def do_play(self, words):
        if words[1] not in self.game.moves():
            raise Refusal("illegal move")
        self.game.play(COLOURS[words[0].lower()], words[1])
        return ""

    def do_genmove(self, words):
        seat = COLOURS[words[0].lower()]
        if self.moved == self.options.at and self.options.misdeed:
            self.moved += 1
            text = MISDEEDS[self.options.misdeed](self)
            if text is not None:
                return text
        self.moved += 1
        time.sleep(self.options.delay)
        move = self.game.best(seat, self.dice)
        self.game.play(seat, move)
        return move


def crash(engine):
    print("the board caught fire", file=sys.stderr, flush=True)
    os._exit(9)


def hang(engine):
    while True:
        time.sleep(60)


def flood(engine):
    while True:
        sys.stdout.write("= so much to say\n" * 1000)


def chatter(engine):
    sys.stderr.write("thinking aloud\n" * 60_000)


def nonsense(engine):
    sys.stdout.write("I'd rather not\n\n")
    sys.stdout.flush()
    return ""


def family(engine):
    subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)", *sys.argv[1:]])
    hang(engine)


MISDEEDS = {
    "crash": crash,
    "hang": hang,
    "flood": flood,
    "chatter": chatter,
    "nonsense": nonsense,
    "family": family,
    "illegal": lambda engine: "zz",
    "resign": lambda engine: "resign",
    "close": lambda engine: os.close(1),
}


def options():
    parser = argparse.ArgumentParser()
    parser.add_argument("game", nargs="?", choices=["nim", "tictactoe"])
    parser.add_argument("--pile", type=int, default=10)
    parser.add_argument("--misdeed", choices=MISDEEDS)
    parser.add_argument("--at", type=int, default=0)
    parser.add_argument("--delay", type=float, default=0.0)
    parser.add_argument("--start", type=float, default=0.0)
    parser.add_argument("--log")
    parser.add_argument("--mark", help="changes nothing, but is seen in the list of processes")
    parser.add_argument("--random", action="store_true")
    parser.add_argument("--plain", action="store_true", help="none of dragon's own commands")
    parser.add_argument("--integers", action="store_true", help="whole seconds only")
    return parser.parse_args()


def main(made=Engine):
    chosen = options()
    time.sleep(chosen.start)
    engine = made(chosen)
    log = open(chosen.log, "a") if chosen.log else None  # noqa: SIM115 - until the end
    for line in sys.stdin:
        if log:
            log.write(f"{os.getpid()} {line}")
            log.flush()
        words = line.partition("#")[0].split()
        engine.number = words.pop(0) if words and words[0].isdigit() else ""
        if not words:
            continue
        try:
            mark, text = "=", engine.answer(words[0], words[1:])
        except Refusal as refused:
            mark, text = "?", str(refused)
        except Exception:
            mark, text = "?", "syntax error"
        sys.stdout.write(f"{mark}{engine.number} {text}\n\n")
        sys.stdout.flush()
        if words[0] == "quit":
            break


if __name__ == "__main__":
    main()
