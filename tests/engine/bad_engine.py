"""The reference engine with more misdeeds: all that a program can do wrong on its pipes.

    python bad_engine.py GAME --misdeed NAME [--at N]

Those of START are done when it starts, or all the time; the others at a genmove.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

import reference_engine as good


def write(text, engine=None):
    """Bytes as they are; after the head of a response, where an engine is given."""
    head = f"={engine.number} ".encode() if engine else b""
    sys.stdout.buffer.write(head + text)
    sys.stdout.flush()


def early(engine):
    """Two answers at once: the second one before it is asked for."""
    write(b"1\n\n", engine)
    engine.number = int(engine.number) + 1
    return "1"


def twice(engine):
    write(b"1\n\n", engine)
    return "1"


def endless(engine):
    while True:
        write(b"x" * 100_000)


def dribble(engine):
    write(b"", engine)
    while True:
        write(b"1")
        time.sleep(0.3)


def blank(engine):
    for _ in range(1000):
        write(b"\n\n")


def silence(engine):
    while True:
        write(b"\n")
        time.sleep(0.3)


def half(engine):
    write(b"1", engine)
    os._exit(0)


def mute(engine):
    os.close(1)
    good.hang(engine)


def deaf(engine):
    os.close(0)
    write(b"1\n\n", engine)
    good.hang(engine)


def misnumbered(engine):
    engine.number = "0"
    return "1"


def daemon(engine):
    """A child that leaves group and session, and whose parent ends: two forks, as daemons do."""
    if os.fork() == 0:
        os.setsid()
        subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)", *sys.argv[1:]])
        os._exit(0)
    os.wait()


def by(number):
    return lambda engine: os.kill(os.getpid(), number)


def unruly(engine):
    """Hear neither signals nor `quit`."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    engine.do_quit = lambda words: good.hang(engine)


good.MISDEEDS.update({
    "early": early,
    "twice": twice,
    "endless": endless,
    "dribble": dribble,
    "blank": blank,
    "silence": silence,
    "half": half,
    "mute": mute,
    "deaf": deaf,
    "misnumbered": misnumbered,
    "daemon": daemon,
    "unruly": unruly,
    "segment": by(signal.SIGSEGV),
    "killed": by(signal.SIGKILL),
    "frozen": by(signal.SIGSTOP),
    "leaves": lambda engine: os._exit(0),
    "elsewhere": lambda engine: "b2",
    "empty": lambda engine: "",
    "nul": lambda engine: "1\0",
    "bytes": lambda engine: write(b"\xff\xfe\n\n", engine),
    "huge": lambda engine: "1" + "x" * 900_000,
    "lines": lambda engine: "1\n" * 50_000,
})  # fmt: skip


class Bad(good.Engine):
    """Misdeeds that need no genmove."""

    def answer(self, name, words):
        misdeed = self.options.misdeed
        if misdeed == "other version" and name == "protocol_version":
            return "1"
        if misdeed == "refuses" and name == "play":
            raise good.Refusal("I do not like it")
        if misdeed == "odd name" and name == "name":
            return "\x1b[2J\x07\u202ebad\x00"
        if misdeed == "forgets" and name == "list_commands":
            return "genmove\ngenmove\n\tplay  "
        if misdeed == "windows":
            return super().answer(name, words) + "\r"
        return super().answer(name, words)

    def do_genmove(self, words):
        if self.options.misdeed == "between games" and self.game.left <= 3:
            subprocess.Popen(["sh", "-c", f"sleep 0.02; kill -9 {os.getpid()}"])
        return super().do_genmove(words)


START = {
    "at once": lambda: sys.exit(0),
    "in words": lambda: sys.exit("there is no board"),
    "folder": lambda: open("needed/in/this/folder"),  # noqa: SIM115 - there is none
    "hello": lambda: write(b"Bad Engine 1.0, all rights reserved\n"),
}
ALWAYS = ("other version", "refuses", "odd name", "forgets", "windows", "between games")
good.MISDEEDS.update(dict.fromkeys(ALWAYS, lambda engine: None))
good.MISDEEDS.update(dict.fromkeys(START, lambda engine: None))

if __name__ == "__main__":
    chosen = good.options()
    START.get(chosen.misdeed, lambda: None)()
    good.main(Bad)
