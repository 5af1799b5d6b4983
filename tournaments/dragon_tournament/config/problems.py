"""Problems: the mistakes of a tournament file, noted with their addresses while tables are read."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

from dragon.config import build
from dragon.errors import ConfigError, DragonError, UnknownName

ABOVE = frozenset({
    "adjudication", "format", "game", "games", "margin", "memory", "moves", "openings", "plies",
    "referee", "rounds", "sprt", "stall", "warmup",
})  # fmt: skip
"""Keys of a tournament that are written below a [[player]] by mistake."""
FOREIGN = {
    key: remedy
    for remedy, keys in {
        'write [[player]] with search = "..." for each':
            "players engines engine dev_engine base_engine dev_branch base_branch",
        "write settings below each [[player]]": "dev_options base_options",
        "limit and clock of the top level are those of every player": "each",
        "write clock = { seconds = 8, increment = 0.08 }":
            "tc timecontrol time_control time base inc dev_time_control base_time_control "
            "player.tc player.timecontrol player.time_control",
        "write seconds = 8, increment = 0.08": "clock.tc clock.time clock.base",
        "write increment": "clock.inc",
        "write limit = { seconds = 1 }":
            "st seconds movetime player.st player.seconds player.movetime",
        "write limit = { nodes = 1000 }": "nodes player.nodes",
        "write limit = { depth = 6 }": "depth player.depth",
        "write limit = { simulations = 1000 }": "simulations",
        "write seconds = 0.1": "limit.time limit.movetime limit.st",
        "write margin, which is in seconds": "timemargin",
        "its keys belong to the top level, and format says who meets whom": "tournament",
        "write name": "event", "write seed": "srand", "write game": "variant",
        "write games": "max_games", "write plies": "maxmoves",
        "every pair plays each opening from both seats; games is their number for a seating":
            "repeat",
        "players are seeded in the order of the file": "seeds",
        "give the command --workers N": "concurrency workers",
        "leave it out; a game begins when a worker is free": "wait",
        "a program that ends is always started again": "recover",
        "write [openings] with file": "book opening book_name",
        'kind = "moves", "positions" or "pgn" says what the file holds': "openings.format",
        "leave out the lines before": "openings.start",
        "every pair of games has the next opening": "openings.policy",
        "write [sprt] with elo0, elo1, alpha and beta":
            "bounds confidence sprt.bounds sprt.confidence",
        "write [adjudication] with resign": "resign win_adj",
        "write [adjudication] with draw": "draw draw_adj",
        'write [adjudication] with judge = "table", or a solver':
            "tb syzygy_adj syzygy_wdl adjudication.tb",
        "write moves": "adjudication.resign.movecount adjudication.draw.movecount",
        "write value, as the players' values are":
            "adjudication.resign.score adjudication.draw.score",
        "write both": "adjudication.resign.twosided",
        "write after, which is in plies": "adjudication.draw.movenumber",
        "export the results: dragon export DIR": "pgnout",
        "leave it out; records and reports are always written": "epdout ratinginterval upload_pgns",
        "put them into command, which is a list": "player.args",
        "give command the whole path": "player.dir",
        "write options = { Hash = 16 }": "player.option",
        'write setup = ["..."]': "player.initstr",
    }.items()
    for key in keys.split()
}  # fmt: skip
"""The keys of cutechess, fastchess, OpenBench and others, by their replacement here: addresses
without the number of a player."""
PROTOCOLS = {"cecp": "cecp", "gtp": "gtp", "ugi": "ugi", "uci": "uci", "xboard": "cecp"}
"""Protocols of programs, by names that users give as a search by mistake."""
T = TypeVar("T")


class Problems:
    """A collection of the mistakes of a file; an attempt that fails gives None."""

    def __init__(self) -> None:
        self.found: list[str] = []

    def add(self, sentence: str, at: str = "") -> None:
        """Note a mistake, once; `at` is its address if the sentence does not have one."""
        if at and " @ " not in sentence:
            sentence = f"{sentence} @ {at}"
        listed = re.search(r" \(settings: .*\)(?= @ )", sentence)
        if listed and any(listed[0] in each for each in self.found):
            sentence = sentence.replace(listed[0], "")
        sentence = re.sub(r"@ \$(\.|$)", lambda m: "@ " if m[1] else "@ top level", sentence)
        if sentence not in self.found:
            self.found.append(sentence)

    def attempt(self, make: Callable[..., T], *args: Any, at: str = "") -> T | None:
        """Return make(*args), or None with its complaints noted."""
        try:
            return make(*args)
        except DragonError as wrong:
            for sentence in wrong.problems if isinstance(wrong, ConfigError) else (str(wrong),):
                self.add(sentence, at)
        return None

    def table(self, make: Callable[..., T], table: Any, at: str, example: str) -> T | None:
        """The attrs value of a table; None where there is none, or it has mistakes."""
        if table is None:
            return None
        if not isinstance(table, dict):
            self.add(f"must be a table such as {example}, not {table!r} @ {at}")
            return None
        own = self.without_foreign(table, inspect.signature(make).parameters, f"{at}.")
        return self.attempt(build, make, own, at)

    def names(self, given: Any, known: Iterable[str], at: str) -> tuple[str, ...] | None:
        """Return players' names; None unless it is a list of texts. Unknown ones are noted."""
        if not isinstance(given, list) or not all(isinstance(name, str) for name in given):
            self.add(f"must be a list of players' names, not {given!r} @ {at}")
            return None
        for name in given:
            if known and name not in known:
                self.add(str(UnknownName("player", name, known)), at)
        return tuple(given)

    def without_foreign(
        self, table: Mapping[str, Any], known: Iterable[str], at: str = ""
    ) -> dict[str, Any]:
        """Return a table without keys of other programs that are not known here; note each."""
        settings, place = set(known), re.sub(r"^player\[\d+\]\.(?=limit|clock)|\[\d+\]", "", at)
        taken = [key for key in table if f"{place}{key}" in FOREIGN and key not in settings]
        for key in taken:
            self.add(f"no setting {key!r} here; {FOREIGN[place + key]} @ {at}{key}")
        return {key: value for key, value in table.items() if key not in taken}
