"""Specialisation: compiled functions of a kernel template and a game's rules, kept on disk.

A template is a module of kernels that name rules and constants of `dragon.rules.template`. To
specialise it is to bind these names to a game's own. Each kernel is compiled when it is first
called, with all that it calls, and kept under a fingerprint: a hash of everything that the
compiler sees. Games that differ only in their rules have different ones, and so has a changed rule.

A template may import from another: kernels, which see the same bindings, and plain functions.
A template that needs no game is specialised to `Constants`.
"""

from __future__ import annotations

import hashlib
import importlib.util
import logging
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache, partial
from types import FunctionType, ModuleType
from typing import TYPE_CHECKING, Any, ClassVar

from attrs import define, field, frozen

from dragon.compiler.fingerprint import fingerprint, identity, versions
from dragon.compiler.kernel import (
    SLICED,
    Bindings,
    Tiered,
    functions_of,
    is_kernel,
    templates,
    title_of,
)
from dragon.errors import ConfigError, PluginError, RuleError, did_you_mean
from dragon.modes import JIT, optimised
from dragon.modes import checked as checks

if TYPE_CHECKING:
    from dragon.compiler.entries import Entry, Machine
    from dragon.compiler.location import Refused
    from dragon.compiler.program import Program

log = logging.getLogger("dragon")
LONG = 1.0
"""Seconds of compiling after which a line announces it."""
UNKNOWN = 2.0
"""Seconds that are announced where no kernel of this name has been compiled here."""


def _pairs(
    given: Mapping[str, int | bool] | Iterable[tuple[str, int | bool]],
) -> tuple[tuple[str, int | bool], ...]:
    return tuple(dict(given).items())


@frozen
class Constants:
    """Named numbers, to which a template is specialised that works without a game's rules.

    The compiler keeps one side of a branch on a constant.
    """

    layout: ClassVar[None] = None
    label: str
    """The name of what the kernels work on, for the line that announces compiling."""
    values: tuple[tuple[str, int | bool], ...] = field(default=(), eq=repr, converter=_pairs)
    """Names of the template and their values, as pairs or a dict; to the compiler True is not 1."""

    def bindings(self, checked: bool = False) -> dict[str, Any]:
        """The numbers by name."""
        return dict(self.values)


@define(eq=False, slots=False)
class Kernels:
    """The kernels of a template for a game, and its rules, compiled as they are called."""

    template: str
    bound: Bindings
    fingerprint: str
    checked: bool
    _before: Callable[[], object]
    _entries: dict[str, Entry] = field(init=False, factory=dict)
    _numba: ModuleType | None = field(init=False, default=None)

    def __attrs_post_init__(self) -> None:
        self._module = importlib.import_module(self.template)
        if isinstance(self.bound, Constants):
            known = {*vars(self._module)}.union(
                *(vars(importlib.import_module(name)) for name in templates(self.template))
            )
            for name, _ in self.bound.values:
                if name not in known:
                    raise PluginError(
                        f"{self.template} does not define the constant {name!r}"
                        f"{did_you_mean(name, known)}; give it a value for plain Python there"
                    )

    def __getattr__(self, name: str) -> Callable[..., Any]:
        from dragon.compiler.entries import Entry

        if name.startswith("_") or self._function(name) is None:
            own = [k for k, v in vars(self._module).items() if isinstance(v, FunctionType)]
            remedy = "; mark it with @kernel" if name in own else did_you_mean(name, own)
            raise AttributeError(f"{self.template} has no kernel {name!r}{remedy}")
        entry = self._entries.setdefault(name, Entry(name, self._find))
        call = entry.call
        if call is not entry and not isinstance(call, Tiered):
            setattr(self, name, call)  # so that it is found without coming here
        return call

    def _function(self, name: str) -> Any:
        """A kernel of the template, or the rule of this name; None if there is neither."""
        own = getattr(self._module, name, None)
        found = own if is_kernel(own) else self.bound.bindings(self.checked).get(name)
        return found if isinstance(found, FunctionType) else None

    def _find(self, name: str, arguments: tuple[Any, ...]) -> Any:
        """Return the code of a kernel for arguments like these: from the cache, or compiled now."""
        from dragon.compiler.cache import load
        from dragon.compiler.entries import signature

        if by_numba() and not self.checked:
            return self._by_numba(name, None)
        kinds = hashlib.sha256(repr(signature(arguments)).encode()).hexdigest()[:16]
        file = f"{name}-{kinds}{'-checked' * self.checked}"
        found = load(self.fingerprint, file)
        if found is None or (found[0].get("hasty") and optimised()):
            return self._compiled(name, file, optimised(), arguments)
        return self._machine(name, file, *found)

    def _machine(self, name: str, file: str, header: Any, code: bytes) -> Machine:
        from dragon.compiler.entries import Machine

        made = Machine(header, code)
        if header.get("hasty"):
            made.better = partial(self._compiled, name, file, True)
        return made

    def _compiled(self, name: str, file: str, well: bool, arguments: tuple[Any, ...]) -> Any:
        """Compile a kernel that is not in the cache, unless another process is compiling it.

        well: whether to optimise fully; else a kernel that works in slices is compiled hastily.
        """
        from dragon.compiler.cache import load, making, save, usual_seconds
        from dragon.compiler.entries import compile_entry
        from dragon.compiler.location import Refused

        function, begun = self._function(name), time.perf_counter()

        def sentence() -> str:
            seconds = max(1.0, usual_seconds(self.template, name, UNKNOWN))
            title = f"compiling {title_of(self.template)} for {self.bound.label}"
            return f"{title}, about {seconds:.0f} s"

        with announced(sentence), making(self.fingerprint, file):
            found = load(self.fingerprint, file)
            if found is not None and not (found[0].get("hasty") and well):
                return self._machine(name, file, *found)
            try:
                self._before()
                program = program_of(self.bound, self.checked)
                quick = is_kernel(function) and getattr(self._module, "QUICKLY_COMPILED", False)
                hasty = name in SLICED and not (quick or well)
                header, code = compile_entry(
                    program, function, arguments, self.checked, quick or hasty
                )
            except Refused as refused:
                return self._otherwise(name, refused)
            now = fingerprint_of(self.template, self.bound)
            if now == self.fingerprint:  # else a table was changed meanwhile
                spent = round(time.perf_counter() - begun, 2)
                origin = {"template": self.template, "label": self.bound.label, "seconds": spent}
                save(now, file, origin | header | {"hasty": hasty}, code)
        return self._machine(name, file, header | {"hasty": hasty}, code)

    def _otherwise(self, name: str, refused: Refused) -> Callable[..., Any]:
        """Compile a kernel with rules outside the subset by numba, if it is installed."""
        if not (refused.foreign and by_numba(foreign=True)):
            raise as_rule_error(self.bound, refused) from refused
        code = refused.function.__code__
        log.info("%s:%s: %s; numba compiles %s for %s, which takes longer%s", code.co_filename,
                 refused.line, refused.reason, title_of(self.template),
                 self.bound.label, ", and checks nothing" * self.checked)  # fmt: skip

        return self._by_numba(name, refused)

    def _by_numba(self, name: str, refused: Refused | None) -> Callable[..., Any]:
        """Return a kernel compiled by numba: one that is `refused`, or any under
        DRAGON_JIT=numba."""
        from dragon.compiler.fallback import compiled_module, complaint, entry

        def call(*arguments: Any) -> Any:
            try:
                if self._numba is None:
                    self._numba = compiled_module(self.template, self.bound, self.fingerprint)
                return entry(getattr(self._numba, name))(*arguments)
            except Exception as wrong:
                if (said := complaint(wrong)) is None:
                    raise
                if refused is None:
                    raise RuleError(name, *said) from wrong
                error = as_rule_error(self.bound, refused)
                reason = f"{error.reason} (numba does not compile it either)"
                raise RuleError(error.rule, error.file, error.line, reason) from wrong

        return call


_kernels: dict[tuple[str, bool], Kernels] = {}


def specialise(
    template: str,
    bound: Bindings,
    checked: bool | None = None,
    before: Callable[[], object] = lambda: None,
) -> Kernels:
    """The kernels of `template` (its import name) for these bindings; the same object each time.

    For the rules of a game use `dragon.rules.rehearsal.kernels_of`, which finds mistakes first.
    checked: whether kernels are checked as they run, by dragon's compiler; None: as DRAGON_CHECKED
    and DRAGON_JIT say. before: called before something is compiled that is not in the cache.
    Raises RuleError.
    """
    if checked is None:
        checked = checks()
        if checked and by_numba():
            raise ConfigError("numba's code cannot be checked; unset DRAGON_JIT")
    key = _fingerprint(template, bound), checked
    if key not in _kernels:
        _kernels[key] = Kernels(template, bound, *key, before)
    return _kernels[key]


@cache
def program_of(bound: Bindings, checked: bool) -> Program:
    """The programs that the compiler has read for a game's rules and their kernels."""
    from dragon.compiler.program import Program

    return Program(bound.bindings(checked), program_of(bound, False) if checked else None)


def as_rule_error(bound: Bindings, refused: Refused, name: str = "") -> RuleError:
    """A refusal as a user reads it; `name`: of the rule that called the function."""
    code, named = refused.function.__code__, bound.bindings().items()
    own = next((rule for rule, function in named if function is refused.function), code.co_name)
    own = own.removeprefix("own_")
    inside = f"in {own}: " if name not in ("", own) else ""
    return RuleError(name or own, code.co_filename, refused.line, inside + refused.reason)


@contextmanager
def announced(sentence: Callable[[], str]) -> Iterator[None]:
    """Log a sentence if the body takes LONG; at once at the level DEBUG.

    The sentence is made only if it is logged, since the expected time takes a look through the
    cache.
    """
    if log.isEnabledFor(logging.DEBUG):
        log.debug("%s", sentence())
    timer = threading.Timer(LONG, lambda: log.info("%s", sentence()))
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def by_numba(foreign: bool = False) -> bool:
    """Choose between dragon's compiler and numba, for all of dragon: return True for numba.

    It compiles everything under DRAGON_JIT=numba, and constructs outside the subset (`foreign`)
    wherever it is installed. `dragon.compiler.fallback` is the one module that imports it.
    """
    return numba_installed() if foreign else JIT() == "numba"


@cache
def numba_installed() -> bool:
    """Return True if numba, which is an extra, can be imported."""
    return importlib.util.find_spec("numba") is not None


# ---- the fingerprint

_fingerprints: dict[tuple[Any, ...], str] = {}


@cache
def _fingerprint(template: str, bound: Bindings) -> str:
    """A hash of everything that the compiler sees; games that share their rules share it."""
    bindings = (  # as texts, except functions: 1, 1.0 and True are equal, and mean different code
        (name, value if isinstance(value, FunctionType) else repr(value))
        for name, value in sorted(bound.bindings().items())
    )
    shared = (template, repr(bound.layout), *bindings)
    if shared not in _fingerprints:
        _fingerprints[shared] = fingerprint_of(template, bound)
    return _fingerprints[shared]


def fingerprint_of(template: str, bound: Bindings) -> str:
    """Return the fingerprint, read again: a table may have been changed meanwhile."""
    return fingerprint((template, *versions(), bound.layout), _values_of(template, bound))


def _values_of(template: str, bound: Bindings) -> list[tuple[str, Any]]:
    """Return the functions of a template, then what is bound to the names that it leaves open."""
    values: list[tuple[str, Any]] = []
    for source in templates(template):
        values += functions_of(importlib.import_module(source))
    return [*values, *sorted(bound.bindings().items())]


def identity_of(
    template: str, bound: Bindings, more: Mapping[str, Any], former: str | None = None
) -> str:
    """Return a hash of what kernels mean, the same on every machine, for what they have made.

    more: functions, numbers and arrays that also decide about that, by name. former: the name that
    the template had before it moved, so that what was made then stays valid.
    """
    values = [*_values_of(template, bound), *sorted(more.items())]
    return identity((former or template, bound.layout), values)
