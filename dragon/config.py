"""Values made from specs and tables of settings, every mistake with its address."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from contextvars import ContextVar
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, get_args

import attrs

from dragon.core import Game, Search, State
from dragon.core.spec import literal, parse_call
from dragon.core.spec import shown as shown
from dragon.errors import (
    BadNotation,
    ConfigError,
    DragonError,
    PluginError,
    did_you_mean,
    one_line,
    quoted,
)
from dragon.plugins import find_game, find_search

if TYPE_CHECKING:
    from cattrs import Converter

T = TypeVar("T")
LONGEST = 256_000_000
"""Bytes of a text file, unless less is allowed."""
OUTSIDE = "outside"
"""The key of a field's metadata that marks a setting which names a file, a program or an address:
`field(default="", metadata={"outside": True})`."""
EXAMPLE = "example"
"""The key of a field's metadata with what to write where the setting is missing:
`field(metadata={"example": "`qty: 3`"})`."""
_WORDS = {int: "a whole number", float: "a number", bool: "true or false", str: "text"}


@attrs.frozen
class Elsewhere:
    """The origin of a spec that the user has not typed: a record, a page, a line of a protocol.

    A setting that reaches outside (see OUTSIDE) keeps its default there, and so do those of the
    searches among the settings: else a file from a stranger could read other files, or start
    programs.
    """

    origin: str
    """A noun with its article, for messages: `a record`."""
    remedy: str
    inside: str = "dragon"
    """The thing outside of which a setting may not reach."""

    def refusal(self, setting: str) -> str:
        """The sentence that refuses a setting."""
        return (
            f"{setting} names a file, a program or an address outside {self.inside}, which "
            f"{self.origin} may not; {self.remedy}"
        )


_elsewhere: ContextVar[Elsewhere | None] = ContextVar("elsewhere", default=None)


@contextmanager
def from_elsewhere(elsewhere: Elsewhere | None) -> Iterator[None]:
    """Read every spec within as one that comes from there, those among settings too.

    None changes nothing.
    """
    before = _elsewhere.set(elsewhere or _elsewhere.get())
    try:
        yield
    finally:
        _elsewhere.reset(before)


def _check_outside(cls: type, settings: Mapping[str, Any], address: str) -> None:
    """Raise ConfigError for settings that reach outside in a spec that comes from elsewhere.

    It is tested before any validator or converter, since these may open the file.
    """
    if (origin := _elsewhere.get()) is None:
        return
    wrong = []
    for a in attrs.fields(cls):
        if a.metadata.get(OUTSIDE) and a.alias in settings:
            value = settings[str(a.alias)]
            if (tuple(value) if isinstance(value, list) else value) != _default(a):
                wrong.append(f"{origin.refusal(str(a.alias))}{_at(f'{address}.{a.alias}')}")
    if wrong:
        raise ConfigError(wrong)


def game(
    spec: str | Mapping[str, Any], address: str = "", elsewhere: Elsewhere | None = None
) -> Game[Any]:
    """The game of a spec in call form or of a table with `name` and its parameters.

    elsewhere: where the spec comes from, if the user has not typed it; ConfigError is raised then
    for a setting that reaches outside.
    """
    name, settings = _name_and_settings(spec, "name", address)
    with from_elsewhere(elsewhere):
        return build(find_game(name), settings, address)


def search(
    spec: str | Mapping[str, Any], address: str = "", elsewhere: Elsewhere | None = None
) -> Search:
    """The search of a spec in call form or of a table with `search` and its settings.

    elsewhere: as for `game`.
    """
    name, settings = _name_and_settings(spec, "search", address)
    with from_elsewhere(elsewhere):
        return build(find_search(name), settings, address)


def position(of: Game[Any], text: str | None, seed: int = 0) -> State[Any]:
    """The state that `text` writes, or the start dealt by `seed`."""
    return of.start(seed) if text is None else parsed(of, text)


def parsed(of: Game[Any], text: str) -> State[Any]:
    """The state that `text` writes; raises BadNotation, whatever the game's own `parse` raises."""
    try:
        state = of.parse(text)
    except (DragonError, RecursionError, MemoryError):
        raise
    except Exception as raised:  # a game's author may leave the refusal to int() or a dict
        raise BadNotation(f"{text!r} is not a position of {of}: {one_line(raised)}") from raised
    if not isinstance(state, State):
        raise PluginError(f"{of}: parse({text!r}) gave {state!r}, which is not a State")
    return state


def read_text(file: str | Path, what: str, most: int | None = None) -> str:
    """Read a text file in UTF-8, or stdin for `-`, without a byte order mark.

    what: what it is read for, in a sentence. most: bytes, LONGEST if not given; no more is read,
    for a device may be endless. Raises ConfigError.
    """
    most = LONGEST if most is None else most
    name = "stdin" if str(file) == "-" else str(file)
    if name == "stdin" and sys.stdin is None:
        raise ConfigError(f"there is no input to read {what} from; standard input is closed")
    try:
        with nullcontext(sys.stdin.buffer) if name == "stdin" else open(file, "rb") as stream:
            data = stream.read(most + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise ConfigError(f"cannot read {name}: {reason}; give a file with {what}") from error
    if len(data) > most:
        raise ConfigError(f"{name} has more than {most:,} bytes, too many for {what}")
    try:
        if (at := data.find(b"\0")) >= 0:  # which UTF-8 allows
            raise UnicodeDecodeError("utf-8", data, at, at + 1, "a zero byte")
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise ConfigError(
            f"{name}:{line}: not a text file in UTF-8 ({error.reason}); save it as UTF-8"
        ) from error
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _name_and_settings(
    spec: str | Mapping[str, Any], key: str, address: str
) -> tuple[str, dict[str, Any]]:
    if isinstance(spec, str):
        return parse_call(spec)
    settings = dict(spec)
    name = settings.pop(key, None)
    if not isinstance(name, str):
        raise ConfigError(f"needs a {key}{_at(address)}")
    inner, more = parse_call(name)
    return inner, {**more, **settings}


@cache
def converter() -> Converter:
    """The converter of all settings: strict about types, unknown keys refused, JSON-like input."""
    import cattrs

    conv = cattrs.Converter(forbid_extra_keys=True, detailed_validation=True)
    conv.register_structure_hook_func(attrs.has, _inner_table)
    conv.register_structure_hook_func(lambda cls: cls is Search, _inner_search)
    for kind, words in _WORDS.items():
        conv.register_structure_hook(kind, _strict(kind, words))
    several = conv.get_structure_hook(tuple[int, ...])

    def listed(value: Any, kind: Any) -> Any:  # text would be taken apart into its letters
        if not isinstance(value, list | tuple):
            example = f"; write {literal(value.split())}" if isinstance(value, str) else ""
            raise TypeError(f"must be a list, not {literal(value)}{example}")
        return several(value, kind)

    conv.register_structure_hook_func(lambda t: getattr(t, "__origin__", None) is tuple, listed)
    return conv


def _inner_table(value: Any, cls: type) -> Any:
    """Return the value of a table in another."""
    if not isinstance(value, Mapping):
        raise TypeError(f"must be a table of keys, not {shown(value)}")
    _check_outside(cls, value, _named(cls))
    return _built(cls, value)


def _inner_search(value: Any, _: Any) -> Search:
    """A search among the settings of another, by its spec."""
    if isinstance(value, Search):
        return value
    if not isinstance(value, str | Mapping):
        raise TypeError(f"must be a search such as 'alphabeta(depth=6)', not {literal(value)}")
    return search(value)


def _strict(kind: type, words: str) -> Any:
    def structure(value: Any, _: Any) -> Any:
        if kind is float and isinstance(value, int) and not isinstance(value, bool):
            return float(value)
        if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
            raise TypeError(f"must be {words}, not {shown(value)}")
        return value

    return structure


class LinedTable(dict[str, Any]):
    """A table of settings that knows the line of its file of each key.

    Where `build` is given one, each problem begins with its place, such as `deck.yaml:3`.
    """

    def __init__(self, file: str, line: int) -> None:
        super().__init__()
        self.file, self.line = file, line
        self.lines: dict[str, int] = {}

    def place(self, *path: str | int) -> str:
        """Return the file and the line of the value at the end of a path of keys."""
        table, line = self, self.line
        for step in path:
            line = table.lines.get(str(step), line)
            inner = table.get(str(step))
            if not isinstance(inner, LinedTable):
                break
            table = inner
        return f"{self.file}:{line}"


@attrs.frozen
class _Problem:
    sentence: str
    path: tuple[str | int, ...] | None
    """The keys and indices that lead to it; None if the sentence has its address already."""
    key: str = ""
    """An unknown key, which is not a part of the address."""


class _Mistakes(Exception):
    """All problems of a table; never shown to a user."""

    def __init__(self, found: list[_Problem]) -> None:
        super().__init__(found)
        self.found = found


def build(cls: type[T], settings: Mapping[str, Any], address: str = "") -> T:
    """Return an attrs value from a table; raise ConfigError with every problem and its address."""
    at = address or ("" if isinstance(settings, LinedTable) else _named(cls))
    _check_outside(cls, settings, at)
    try:
        return _built(cls, settings)
    except _Mistakes as wrong:
        raise ConfigError(
            [_sentence(settings, at, each) for each in wrong.found]
        ) from wrong.__cause__


def _built(cls: type[T], settings: Mapping[str, Any]) -> T:
    """Return an attrs value from a table; raise _Mistakes with every problem.

    Validators are called one by one if there is a problem, since a constructor stops at the first
    that complains, and is not called for a table that has unknown keys or wrong types elsewhere.
    """
    if (plain := _plainly(cls, settings)) is not None:
        return plain
    fields = {str(a.alias): a for a in attrs.fields(attrs.resolve_types(cls)) if a.init}  # type: ignore[arg-type, type-var]
    found = [_Problem(unknown_setting(cls, k), (), k) for k in sorted({*settings} - {*fields})]
    sound: dict[str, Any] = {}
    cause: Exception | None = None
    for key, a in fields.items():
        if key in settings:
            try:
                sound[key] = converter().structure(settings[key], a.type or Any)
            except Exception as wrong:  # whatever a hook raises is its complaint
                found += _problems(wrong, (key,))
                cause = wrong
        elif a.default is attrs.NOTHING:
            example = a.metadata.get(EXAMPLE)
            found.append(
                _Problem(f"{key} is missing{f'; write {example}' * bool(example)}", (key,))
            )
    if not found:
        try:
            return cls(**sound)
        except Exception as wrong:  # of a validator or a converter
            cause = wrong
    said = list(_invalid(_unchecked(cls, sound), sound))
    if not found and not said and cause is not None:
        found += _problems(cause, ())
    raise _Mistakes([*found, *said]) from cause


def _sentence(settings: Mapping[str, Any], address: str, problem: _Problem) -> str:
    """Return a problem as a sentence with its address, and its line if that is known."""
    if problem.path is None:
        return problem.sentence
    steps = (f"[{step}]" if isinstance(step, int) else f".{step}" for step in problem.path)
    said = f"{problem.sentence}{_at(''.join((address, *steps)).lstrip('.'))}"
    if not isinstance(settings, LinedTable):
        return said
    return f"{settings.place(*problem.path, *filter(None, [problem.key]))}: {said}"


def _named(cls: type) -> str:
    """The address of a value that does not have another: its name, or that of its class."""
    return str(getattr(cls, "name", cls.__name__.lower()))


def _plainly(cls: type[T], settings: Mapping[str, Any]) -> T | None:
    """Return the value if each setting has the type of its field; cattrs takes long to import.

    Return None for all else, mistakes too, which the converter reports.
    """
    given = dict(settings)
    try:
        for a in attrs.fields(cls):  # type: ignore[arg-type]
            value = given.get(a.alias)
            inner = next(filter(attrs.has, (a.type, *get_args(a.type))), None)
            if inner is not None and isinstance(value, Mapping):
                _check_outside(inner, value, _named(inner))
                given[a.alias] = _plainly(inner, value)
                if given[a.alias] is None:
                    return None
                continue
            if str(a.type) == "tuple[str, ...]" and type(value) is list:
                if {*map(type, value)} - {str}:
                    return None
                given[a.alias] = tuple(value)
                continue
            kind = str(getattr(a.type, "__name__", a.type)).removesuffix(" | None")
            if kind == "float" and type(value) is int:
                given[a.alias] = value = float(value)
            plain = kind == "Any" or (type(value) in _WORDS and type(value).__name__ == kind)
            if a.alias in given and not plain and not (inner and value is None):
                return None
        made = cls(**given)
    except Exception:  # raised again, and worded
        return None
    return None if list(_invalid(made, settings)) else made


def _unchecked(cls: type[T], settings: Mapping[str, Any]) -> T:
    """Return a value whose validators have not been called, without the settings that are missing.

    (To switch validators off in attrs would do so for all threads.)
    """
    value = cls.__new__(cls)
    for a in attrs.fields(cls):  # type: ignore[arg-type]
        held = settings.get(a.alias, _default(a))
        if held is not attrs.NOTHING:
            object.__setattr__(value, a.name, held)
    return value


def _default(a: attrs.Attribute[Any]) -> Any:
    """The default of a field, made where it has a factory; NOTHING where that needs the value."""
    usual: Any = a.default
    if isinstance(usual, attrs.Factory):  # type: ignore[arg-type]
        return attrs.NOTHING if usual.takes_self else usual.factory()
    return usual


def _invalid(value: Any, settings: Iterable[str]) -> Iterable[_Problem]:
    """Yield the complaints of the validators of the settings given."""
    whole = all(hasattr(value, a.name) for a in attrs.fields(type(value)))
    for a in attrs.fields(type(value)):
        if a.alias in settings and a.validator is not None:
            try:
                a.validator(value, a, getattr(value, a.name))
            except Exception as wrong:  # whatever a validator raises is its complaint
                if not whole and isinstance(wrong, AttributeError):
                    continue  # it asks for a setting that is missing, which is reported
                yield _Problem(_complaint(wrong), (a.alias,))


_BOUNDED = re.compile(r"'(\w+)' must be (>=|>|<=|<) (\S+): (.*)")
_BOUNDS = {">=": "at least", ">": "more than", "<=": "at most", "<": "less than"}


def _complaint(wrong: Exception) -> str:
    """The complaint of a validator as a sentence; those of attrs show tuples and signs."""
    match wrong.args:
        case (_, attrs.Attribute() as a, tuple() as known, value):
            also = a.metadata.get("also", {})  # other names of values, by which they are found
            hint = did_you_mean(str(value), map(str, known), also)
            return (
                f"{a.alias} must be {' or '.join(map(literal, known))}, not {literal(value)}{hint}"
            )
        case (str() as first,) if bounded := _BOUNDED.fullmatch(first):
            name, sign, bound, value = bounded.groups()
            return f"{name} must be {_BOUNDS[sign]} {float(bound):,.12g}, not {value}"
        case (first, *_):
            return str(first)
    return str(wrong) or type(wrong).__name__


def _problems(error: BaseException, path: tuple[str | int, ...]) -> Iterable[_Problem]:
    """Yield each mistake in the value at the end of a path; a list may have several."""
    if isinstance(error, BaseExceptionGroup):
        from cattrs import IterableValidationNote

        for inner in error.exceptions:
            notes = getattr(inner, "__notes__", ())
            places = [note.index for note in notes if isinstance(note, IterableValidationNote)]
            yield from _problems(inner, (*path, *places))
    elif isinstance(error, _Mistakes):
        for each in error.found:
            yield each if each.path is None else attrs.evolve(each, path=(*path, *each.path))
    elif isinstance(error, ConfigError):
        yield from (_Problem(each, None) for each in error.problems)
    else:
        yield _Problem(str(error), path)


def unknown_setting(cls: type, key: str) -> str:
    """Return the sentence on a key that a class does not have."""
    known = [a.alias for a in attrs.fields(cls)]
    shown = quoted(key)
    listed = ", ".join(known) or "none"
    return f"no setting {shown} here{did_you_mean(key, known)} (settings: {listed})"


def _at(address: str) -> str:
    return f" @ {address}" if address else ""
