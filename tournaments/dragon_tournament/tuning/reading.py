"""The reading of a TOML file into a Tuning, or all its mistakes, each with its address.

The file is a tournament's of one player, or of two, whose first has ranges among its settings; a
table `[tune]` says how much is played.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeVar

import attrs

from dragon.config import search as build_search
from dragon.core.spec import Setting
from dragon.core.spec import settings as settings_of
from dragon.errors import ConfigError
from dragon.plugins import searches
from dragon_tournament.config.reading import SPRT_GAMES, parse, read_by
from dragon_tournament.config.tables import PLAYER, Problems
from dragon_tournament.statistics.sprt import Sprt
from dragon_tournament.tournament import Tournament
from dragon_tournament.tuning.study import ABSENT, available
from dragon_tournament.tuning.tuning import (
    TEST,
    Choices,
    Dimension,
    Range,
    Tuning,
    TuningBudget,
    Whole,
)

V = TypeVar("V", bound=Range | Choices)

AT = "player[0]"
EXAMPLE = "{ low = 0.3, high = 2.0 }"
TUNED, DEFAULT, OPPONENT = "tuned", "default", "opponent"
USELESS = (
    "format", "rounds", "replays", "pairs", "pairing", "rating", "referee", "goal", "tolerance",
    "instance", "instances", "reference", "reference_seconds",
)  # fmt: skip
"""Keys of a tournament that a tuning does not use."""
ONLY_TUNE = ("trial", "step", "sampler", "pruner")
"""Keys of the table `[tune]` that mean nothing outside of it, as `games` does."""


def read(path: Path) -> Tuning:
    """The tuning of a TOML file; raises ConfigError with every problem, file and address."""
    return read_by(parse_tuning, path)


def parse_tuning(table: Mapping[str, Any], stem: str, folder: Path) -> Tuning:
    """The tuning of a table read from TOML; `stem` is its name where it has none."""
    problems, own = Problems(), dict(table)
    if not available():
        problems.add(f"{ABSENT} @ tune")
    amount = problems.table(TuningBudget, own.pop("tune", None), "tune", "{ games = 1000 }")
    budget = amount or TuningBudget()
    test = problems.table(Sprt, own.pop("sprt", None), "sprt", "{ elo0 = 0, elo1 = 20 }") or TEST
    for key in USELESS:
        if key in own:
            problems.add(f"dragon tune has no use for {key}; leave it out @ {key}")
            del own[key]
    for key in ONLY_TUNE:
        if key in own:
            problems.add(f"{key} is a key of the table [tune]; write it there @ {key}")
            del own[key]
    players = own.get("player")
    if not isinstance(players, list) or not players or not isinstance(players[0], dict):
        problems.add('no player; write [[player]] with search = "..." and a range @ player')
        raise ConfigError(problems.found)
    dimensions = dimensions_of(players[0], problems)
    fixed = {
        key: value
        for key, value in players[0].items()
        if key in ("search", *PLAYER) or not _ranged(key, value)
    }
    own["player"] = _both(fixed, dimensions, players, problems)
    own.setdefault("games", SPRT_GAMES)
    base = None
    try:
        base = parse(own, stem, folder)
    except ConfigError as wrong:
        for sentence in wrong.problems:
            if len(players) > 1 or "@ player[1]" not in sentence:  # said of the first already
                problems.add(sentence)
    for sentence in _mistakes(base, budget, test) if base is not None else ():
        problems.add(sentence)
    if base is None or problems.found:
        raise ConfigError(problems.found)
    search = {key: value for key, value in fixed.items() if key == "search" or key not in PLAYER}
    bare, default = Tuning(**_fields(base)), base.players[0].search
    given = (attrs.evolve(d, default=getattr(default, d.name)) for d in dimensions)
    return attrs.evolve(
        bare, fixed=search, dimensions=tuple(given), budget=budget, test=test,
        games=budget.trial // len(bare.seatings), test_games=base.games,
    )  # fmt: skip


def _fields(base: Tournament) -> dict[str, Any]:
    return {a.name: getattr(base, a.name) for a in attrs.fields(Tournament)}


def _ranged(key: str, value: Any) -> bool:
    """Return True if a setting is tuned; a table with a search is a search within a search."""
    return key not in PLAYER and isinstance(value, dict) and "search" not in value


def dimensions_of(table: Mapping[str, Any], problems: Problems) -> list[Dimension]:
    """The dimensions that are tuned of a player."""
    ranges = {key: value for key, value in table.items() if _ranged(key, value)}
    if not ranges:
        problems.add(f"no setting is a range; write one, such as c = {EXAMPLE} @ {AT}")
    if "name" in table:
        problems.add(f"trials are called by their settings; leave it out @ {AT}.name")
    known = _known(table)
    fixed = {k: v for k, v in table.items() if k == "search" or k not in (*ranges, *PLAYER)}
    found = []
    for key, given in ranges.items():
        values = _values(given, known.get(key), f"{AT}.{key}", problems)
        if values is None:
            continue
        for end in values.ends if key in known else ():
            problems.attempt(build_search, {**fixed, key: end}, AT, at=f"{AT}.{key}")
        found.append(Dimension(key, values))
    return found


def _known(table: Mapping[str, Any]) -> dict[str, Setting]:
    """The settings of a player's search; none if it is not installed."""
    cls = searches().get(str(table.get("search", "")).partition("(")[0].strip())
    return {setting.name: setting for setting in settings_of(cls)} if cls is not None else {}


def _values(
    given: dict[str, Any], setting: Setting | None, at: str, problems: Problems
) -> Range | Choices | None:
    """The values of a range, or None with its mistakes noted."""
    if "choices" in given:
        others = [key for key in given if key != "choices"]
        if others:
            keys = " and ".join(others)
            problems.add(f"choices and {keys} exclude each other; leave one out @ {at}")
            return None
        if not isinstance(given["choices"], list):
            problems.add(f"choices must be a list, not {given['choices']!r} @ {at}")
            return None
        return _sound(Choices(tuple(given["choices"])), at, problems)
    kinds = setting.type.split(" or ") if setting is not None else ["number"]
    whole = "whole number" in kinds
    if "number" not in kinds and not whole:
        sentence = f"{setting and setting.name} is {setting and setting.type}, and no number"
        problems.add(f"{sentence}; give choices = [...] instead of low and high @ {at}")
        return None
    values = problems.table(Whole if whole else Range, given, at, EXAMPLE)
    return None if values is None else _sound(values, at, problems)


def _sound(values: V, at: str, problems: Problems) -> V | None:
    """The values, or None with their mistakes noted."""
    wrong = list(values.mistakes())
    for sentence in wrong:
        problems.add(f"{sentence} @ {at}")
    return None if wrong else values


def _both(
    fixed: dict[str, Any], dimensions: list[Dimension], players: list[Any], problems: Problems
) -> list[Any]:
    """The tables of the player with its defaults, and of the opponent, by default that player.

    Settings that the search does not have stay, for the error when it is built.
    """
    start = {key: value for key, value in fixed.items() if key != "name"}
    known = _known(fixed)
    for dimension in dimensions:
        setting = known.get(dimension.name)
        if setting is None or setting.required:
            start[dimension.name] = dimension.values.ends[0]
        if setting is not None and setting.required:
            problems.add(
                f"{dimension.name} has no default that the best value could be held against; give "
                f"it a value @ {AT}.{dimension.name}"
            )
    tuned = {**start, "name": TUNED}
    if len(players) == 1:
        return [tuned, {**start, "name": DEFAULT}]
    if len(players) > 2:
        sentence = f"trials have one opponent, and here are {len(players) - 1}"
        problems.add(f"{sentence}; leave the others out @ player")
    other = players[1]
    if isinstance(other, dict):
        name = other.get("name")
        if isinstance(name, str) and name.partition("(")[0].strip() in {*searches(), TUNED}:
            problems.add(
                f"trials are called by specs such as {name!r}; give another name @ player[1].name"
            )
        other = {"name": OPPONENT, **other}
    return [tuned, other]


def _mistakes(base: Tournament, budget: TuningBudget, test: Sprt) -> list[str]:
    """The objections to the file as a whole."""
    if base.referee.seats(base.game) is None:
        return [f"{base.game} is played alone, and a trial needs an opponent @ game"]
    if base.graded:
        return [
            f"trials are held against each other by who wins, and {base.game} pays more for some "
            f"wins than for others; take another game @ game"
        ]
    size = len(Tuning(**_fields(base)).seatings)
    found = [f"{sentence} @ tune.{key}" for key, sentence in budget.mistakes(size)]
    return found + [f"{sentence} @ sprt.{key}" for key, sentence in test.objections(size)]
