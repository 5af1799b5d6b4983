"""Inspection: mistakes in a class that a plugin offers, found before the class is used.

Python accepts a class with a misspelt method, or with parameters that attrs does not see, until an
object of it is used. So a class is inspected when its plugin offers it, and a game that needs no
parameters is made, started, and played for a moment.

The module stays apart from `dragon.plugins`, which finds classes and does not judge them.
"""

from __future__ import annotations

import ast
import inspect
import linecache
import re
import sys
import time
from collections.abc import Iterable, Sequence
from contextlib import suppress
from contextvars import ContextVar
from typing import Any, ClassVar

import attrs

from dragon.compiler.location import Place, author_place
from dragon.core import TERMINAL, Game, Limit, Search, State, Trait
from dragon.core.game import check_teams, check_traits
from dragon.core.search import LazyGenerator
from dragon.core.spec import NAME
from dragon.errors import PluginError, closest, one_line
from dragon.modes import setting

FROZEN = "write @frozen of dragon above the class"
GIVEN = {"start": ("rng",), "parse": ("text",), "rules": (), "improve": ("state", "limit", "rng"),
         "moves": (), "payoff": (), "after": ("move",)}  # fmt: skip
"""The arguments with which dragon calls the methods of authors."""
SECONDS = 0.1
"""The seconds for which a game is played at most."""
MISTAKES = (PluginError, TypeError, NameError, AttributeError)
"""Exceptions by which the first move of a game shows a mistake of its author."""
_PLACED = re.compile(r"\S+:\d+: ")
"""The beginning of a sentence that names file and line already."""
_inspecting: ContextVar[bool] = ContextVar("inspecting", default=False)


class Fault(Exception):
    """A mistake of a class as a sentence with its remedy; `member` is the member at fault, if
    any."""

    def __init__(self, sentence: str, member: str = "", place: Place | None = None) -> None:
        super().__init__(sentence)
        self.member, self.place = member, place


def fault(cls: type, tries: bool = True) -> str | None:
    """Return a sentence on the first mistake of a Game or Search class, with file, line and remedy.

    None if none is found. tries: whether a game is also made and played for a moment.
    """
    try:
        _look(cls)
        if tries and not inspecting():
            with setting(_inspecting, True), suppress(_Untried):
                (_play if issubclass(cls, Game) else _search)(cls)
    except Fault as found:
        place = found.place or place_of(cls, found.member)
        placed = place is None or _PLACED.match(str(found))
        return str(found) if placed else f"{place}: {found}"
    return None


def inspecting() -> bool:
    """Return True if a game is being tried, whose own code may ask for other games."""
    return _inspecting.get()


# ---- the class


def _look(cls: type) -> None:
    """Raise Fault for what can be seen without an object of the class."""
    base = Game if issubclass(cls, Game) else Search
    _look_at_parameters(cls, base)
    name = vars(base).get("name", getattr(cls, "name", None))
    if name is None:
        raise Fault(f'{cls.__name__} has no name; write name = "..." in the class')
    if not isinstance(name, str) or not NAME.fullmatch(name):
        raise Fault(
            f"its name is {name!r}, which cannot be typed in a spec; begin with a letter, and go "
            "on with letters, digits, - and _", "name"
        )  # fmt: skip
    lacking = sorted(getattr(cls, "__abstractmethods__", ()))
    if issubclass(cls, Search) and cls.improve is Search.improve and cls.open is Search.open:
        lacking = ["improve"]
    for method in lacking:
        own = [n for n in vars(cls) if not n.startswith("__") and n not in dir(base)]
        near = closest(method, own)
        like = f"; is {near!r} misspelt?" if near else ""
        given = ", ".join(("self", *GIVEN.get(method, ())))
        raise Fault(
            f"{cls.__name__} does not define {method!r}{like or f'; write def {method}({given})'}",
            near or "",
        )
    for method in {m: None for each in cls.__mro__ for m, held in vars(each).items()
                   if getattr(held, "__isabstractmethod__", False)}:  # fmt: skip
        if method in GIVEN:
            _look_at_method(cls, method)
    if base is Search:
        _look_at_method(cls, "improve")
        _look_at_search(cls)


def _look_at_parameters(cls: type, base: type) -> None:
    """Raise Fault for parameters that attrs does not see, or that no value can have."""
    known = {a.name: a for a in attrs.fields(cls)}
    declared = {n for each in base.__mro__ for n in vars(each).get("__annotations__", ())}
    for each in cls.__mro__:
        if each in base.__mro__ or not issubclass(each, base):
            continue
        if "__attrs_attrs__" not in vars(each):
            loose = [n for n, kind in vars(each).get("__annotations__", {}).items()
                     if not _of_class(kind) and n not in declared]  # fmt: skip
            loose += [n for n, held in vars(each).items() if type(held) is type(attrs.field())]
            lost = [n for n in loose if n not in known and not n.startswith("_")]
            if lost:
                raise Fault(f"{each.__name__} has the parameter {lost[0]!r}, but nothing makes it "
                            f"one; {FROZEN}", lost[0])  # fmt: skip
    for name, a in known.items():
        if name in declared or hasattr(base, name):
            raise Fault(f"{name!r} has an annotation, which makes it a parameter; write it "
                        "without one", name)  # fmt: skip
        default = a.default
        if isinstance(default, attrs.Factory):  # type: ignore[arg-type]
            default = None if default.takes_self else default.factory()
        given = type(default).__name__ if type(default).__hash__ is None else _origin(a.type)
        if a.eq and a.converter is None and given in ("list", "dict", "set", "ndarray"):
            raise Fault(
                f"the parameter {name!r} is a {given}, which can change, so that the "
                f"{base.__name__.lower()} has no hash; write a tuple", name
            )  # fmt: skip
    if cls.__hash__ is None:
        raise Fault(f"{cls.__name__} has no hash, since it can change; {FROZEN}")


def _origin(annotation: Any) -> str:
    """The name of a type without its arguments."""
    text = annotation if isinstance(annotation, str) else getattr(annotation, "__name__", "")
    return text.partition("[")[0].lower()


def _of_class(annotation: Any) -> bool:
    """Return True if an annotation, or its text, is that of a class variable."""
    text = annotation if isinstance(annotation, str) else str(annotation)
    return annotation is ClassVar or "ClassVar" in text.partition("[")[0]


def _look_at_method(cls: type, method: str) -> None:
    """Raise Fault for a method that does not take the arguments with which dragon calls it."""
    given = GIVEN[method]
    written = f"write def {method}({', '.join(('self', *given))})"
    held = inspect.getattr_static(cls, method)
    if isinstance(held, property) or not callable(getattr(cls, method)):
        what = "a property" if isinstance(held, property) else repr(held)
        raise Fault(f"{method!r} is {what}, not a method; {written}",
                    place=place_of(cls, method))  # fmt: skip
    function = getattr(cls, method)
    bound = isinstance(held, classmethod | staticmethod)
    try:
        inspect.signature(function).bind(*given if bound else ("self", *given))
    except TypeError as wrong:
        raise Fault(f"{method!r} cannot be called: {wrong}; {written}",
                    place=place_of(cls, method)) from None  # fmt: skip
    except ValueError:  # of what is written in C
        return


def _look_at_search(cls: type) -> None:
    """Raise Fault for a trait or limit of a search that dragon does not know."""
    limits = [a.name for a in attrs.fields(Limit)]
    for member, known, example in (
        ("needs", [*Trait], "frozenset({Trait.DUEL})"),
        ("excludes", [*Trait], "frozenset({Trait.CHANCE})"),
        ("limits", limits, 'frozenset({"seconds", "nodes"})'),
    ):
        held = getattr(cls, member)
        if isinstance(held, property) or inspect.isdatadescriptor(held):
            continue
        if not (isinstance(held, set | frozenset) and held <= set(known)):
            listed = f", of {', '.join(limits)}" if member == "limits" else ""
            raise Fault(f"{member} is {held!r}; write a frozenset such as {example}{listed}",
                        member)  # fmt: skip


# ---- a search, asked for its results


class _Only(State[str]):
    """A state with one move, after which the game is over."""

    def __init__(self, over: bool = False) -> None:
        self.over = over

    @property
    def turn(self) -> int:
        return TERMINAL if self.over else 0

    def moves(self) -> Sequence[str]:
        return () if self.over else ("a",)

    def after(self, move: str) -> _Only:
        return _Only(True)

    def payoff(self) -> tuple[float, ...]:
        return 0.0, 0.0

    def __str__(self) -> str:
        return "over" if self.over else "a"


def _search(cls: type[Search]) -> None:
    """Raise Fault for an `improve` that returns where it should yield.

    A generator function is not run, nor a search that needs a setting; an exception here is
    ignored, as it may not come in a real search.
    """
    required = any(a.init and a.default is attrs.NOTHING for a in attrs.fields(cls))
    if required or cls.improve is Search.improve or inspect.isgeneratorfunction(cls.improve):
        return
    given: Any = None
    with suppress(Exception):
        stream = cls().improve(_Only(), Limit(nodes=1, seconds=SECONDS), LazyGenerator(0))  # type: ignore[arg-type]
        given = () if isinstance(stream, Iterable) else _shown(stream).partition(" (")[0]
    if isinstance(given, str):
        raise Fault(f"'improve' returned {given}; `yield` each dragon.Result", "improve")


# ---- a game, and its first moves


def _play(cls: type[Game[Any]]) -> None:
    """Raise Fault for a game that cannot be made, started, or played.

    Those that have a parameter without a default are not tried.
    """
    if any(a.init and a.default is attrs.NOTHING for a in attrs.fields(cls)):
        return
    game = _tried(cls, "", cls)
    _tried(cls, "teams", check_teams, game)
    _tried(cls, "traits", check_traits, game)
    state = _tried(cls, "start", game.start, 0)
    if not isinstance(state, State):
        raise Fault(f"'start' returned {_shown(state)}; return a State", "start")
    if type(state).__module__.partition(".")[0] == "dragon":
        return  # dragon derives it from rules, which are tried before they are compiled
    until = time.perf_counter() + SECONDS
    while _turn(state) != TERMINAL:
        if time.perf_counter() > until:
            return
        state = _moved(state)
    _ended(state)


def _turn(state: State[Any]) -> Any:
    return _tried(type(state), "turn", lambda: state.turn)


def _moved(state: State[Any]) -> State[Any]:
    """Play the first move of a state; raise Fault for one that does not answer as a State does."""
    kind = type(state)

    def wrong(sentence: str, member: str = "") -> Fault:
        return Fault(sentence, place=place_of(kind, member))

    if inspect.isroutine(inspect.getattr_static(kind, "turn")):
        raise wrong("'turn' is a method; write @property above it", "turn")
    for method in ("moves", "after", "payoff"):
        _look_at_method(kind, method)
    if not isinstance(turn := _turn(state), int):
        raise wrong(f"'turn' is {_shown(turn)}; return a seat, CHANCE or TERMINAL", "turn")
    try:
        hash(state)
    except TypeError as raised:
        raise wrong(f"{kind.__name__} has no hash ({raised}); write @frozen above the class, and "
                    "tuples instead of lists") from raised  # fmt: skip
    moves = _tried(kind, "moves", state.moves)
    if not isinstance(moves, Sequence):
        raise wrong(f"'moves' returned {_shown(moves)}; return a tuple of moves, in a fixed order",
                    "moves")  # fmt: skip
    if not moves:
        raise _Untried  # for the laws to tell
    if type(moves[0]).__hash__ is None:
        raise wrong(f"'moves' gives {moves[0]!r}, which has no hash; write texts, numbers or "
                    "tuples", "moves")  # fmt: skip
    before = _tried(kind, "__str__", _asked, state)
    after = _tried(kind, "after", state.after, moves[0])
    if not isinstance(after, State):
        raise wrong(f"'after' returned {_shown(after)}; return the State after the move", "after")
    if before != _tried(kind, "after", _asked, state):
        raise wrong("'after' changes the state itself; return a new one and leave `self` as it "
                    "is", "after")  # fmt: skip
    return after


def _ended(state: State[Any]) -> None:
    """Raise Fault for a terminal state without a payoff for each seat."""
    paid = _tried(type(state), "payoff", state.payoff)
    numbers = isinstance(paid, tuple | list) and all(isinstance(each, int | float) for each in paid)
    if not numbers or len(paid) != len(state.teams):
        example = tuple(1.0 if team == state.teams[0] else -1.0 for team in state.teams)
        raise Fault(f"'payoff' returned {_shown(paid)}; return a number for each seat, such as "
                    f"{example}", place=place_of(type(state), "payoff"))  # fmt: skip


def _asked(state: State[Any]) -> tuple[Any, ...]:
    """The answers that a state gives about itself."""
    return str(state), repr(state), hash(state), state.turn, tuple(state.moves())


def _shown(value: object) -> str:
    """Return a wrong value in a few words."""
    if value is None:
        return "None (is a `return` missing?)"
    kind = f"a value of type {type(value).__name__}"
    return repr(value) if isinstance(value, int | float | str | type) else kind


def _tried(cls: type, member: str, call: Any, *given: Any) -> Any:
    """Make a call; raise Fault for a mistake of the author that it shows."""
    try:
        return call(*given)
    except MISTAKES as raised:
        said = str(raised) if isinstance(raised, PluginError) else one_line(raised)
        raise Fault(said, member, author_place(raised)) from raised
    except Exception as raised:  # of a file or a program that is not there now, perhaps
        raise _Untried from raised


class _Untried(Exception):
    """A game that cannot be tried now; the reason is reported when it is played."""


# ---- where it is written


def place_of(cls: type, member: str = "") -> Place | None:
    """The line of a member of a class, or of the class; None where there is no source."""
    for each in cls.__mro__ if member else (cls,):
        if each.__module__.partition(".")[0] in ("dragon", "builtins", "abc", "typing"):
            continue
        if member and member not in vars(each) | vars(each).get("__annotations__", {}):
            continue
        file = getattr(sys.modules.get(each.__module__), "__file__", None)
        found = file and _line(file, each.__qualname__.split("."), member)
        if found:
            return Place(str(file), found, each.__name__, each.__module__)
    return None if not member else place_of(cls, "")


def _line(file: str, path: list[str], member: str) -> int | None:
    """Return the line of a class, by its qualified name, or of a member of it."""
    try:
        within: Sequence[ast.stmt] = ast.parse("".join(linecache.getlines(file))).body
    except SyntaxError:
        return None
    found: int | None = None
    for name in filter(lambda part: part != "<locals>", path):
        node = next((n for n in within if getattr(n, "name", None) == name), None)
        if node is None:
            return None
        within, found = getattr(node, "body", ()), node.lineno
    for node in within if member else ():
        targets = getattr(node, "targets", [getattr(node, "target", None)])
        names = [getattr(node, "name", None), *(getattr(t, "id", None) for t in targets)]
        if member in names:
            return node.lineno
    return found
