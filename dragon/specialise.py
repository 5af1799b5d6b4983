"""A kernel template and a game's rules become compiled functions, kept on disk.

A template is a module of kernels that name rules and constants of `dragon.template`. To
specialise it is to bind these names to a game's own. Each kernel is compiled when it is first
called, with all that it calls, and kept under a stamp: a hash of everything that the compiler
sees. Two games of one layout have two stamps, and a changed rule has a new one.

A template may import from another: kernels, which see the same bindings, and plain functions.
A template that needs no game is specialised to `Constants`.
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
import logging
import sys
import threading
import types
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar
from weakref import WeakKeyDictionary

from attrs import frozen

from dragon.core import Trait
from dragon.errors import ConfigError, RuleError
from dragon.modes import JIT
from dragon.modes import checked as checks
from dragon.stamp import stamp

if TYPE_CHECKING:
    from dragon.compiler.entries import Entry
    from dragon.compiler.program import Program, Refused
    from dragon.rules import Rules

F = TypeVar("F", bound=Callable[..., Any])
log = logging.getLogger("dragon")
LONG = 1.0
"""Seconds of compiling after which it is said."""


def kernel(function: F) -> F:
    """Marks a function of a template: the names that it leaves open are bound to a game's."""
    function.__dragon_kernel__ = True  # type: ignore[attr-defined]
    return function


@frozen
class Constants:
    """What a template is specialised to where no game's rules are in play: named numbers.

    Of a branch on a constant the compiler keeps one side.
    """

    label: str
    """What the kernels work on, for the line that announces compiling."""
    values: tuple[tuple[str, int | bool], ...] = ()
    """Names of the template, and what they are bound to."""

    def functions(self) -> list[types.FunctionType]:
        """None: there are no rules."""
        return []


class Kernels:
    """The kernels of a template for a game, compiled as they are called; `checked` or not."""

    def __init__(
        self, template: str, rules: Rules | Constants, mark: str, checked: bool = False
    ) -> None:
        self.template, self.rules, self.stamp, self.checked = template, rules, mark, checked
        self._module = importlib.import_module(template)
        self._entries: dict[str, Entry] = {}
        self._numba: types.ModuleType | None = None

    def __getattr__(self, name: str) -> Callable[..., Any]:
        from dragon.compiler.entries import Entry

        function = getattr(self._module, name, None)
        if name.startswith("_") or not hasattr(function, "__dragon_kernel__"):
            raise AttributeError(f"{self.template} has no kernel {name!r}")
        entry = self._entries.setdefault(name, Entry(name, self._find))
        call = entry.call
        if call is not entry:
            setattr(self, name, call)  # so that it is found without coming here
        return call

    @property
    def ready(self) -> set[str]:
        """The kernels that have been called."""
        return {name for name, entry in self._entries.items() if entry.call is not entry}

    def _find(self, name: str, arguments: tuple[Any, ...]) -> Callable[..., Any]:
        """The code of a kernel for arguments like these: from the cache, or compiled now."""
        from dragon.cache import load, save
        from dragon.compiler.entries import Machine, Prepared, compile_entry, signature

        if JIT() == "numba" and not self.checked:
            return self._by_numba(name)
        kinds = hashlib.sha256(repr(signature(arguments)).encode()).hexdigest()[:16]
        file = f"{name}-{kinds}{'-checked' * self.checked}"
        found = load(self.stamp, file)
        if found is None:
            from dragon.compiler.program import Refused

            function = getattr(self._module, name)
            with announced(f"compiling {self.template.rpartition('.')[2]} for {self.rules.label}"):
                try:
                    self._check()
                    program = program_of(self.rules, self.checked)
                    quick = getattr(self._module, "QUICKLY_COMPILED", False)
                    prepared = compile_entry(program, function, arguments, self.checked, quick)
                except Refused as refused:
                    return self._otherwise(name, refused)
            told = {"template": self.template, "label": self.rules.label}
            header = json.dumps(told | json.loads(prepared.header())).encode()
            if _read_stamp(self.template, self.rules) == self.stamp:  # else a table was changed
                save(self.stamp, file, header, prepared.code)
        else:
            prepared = Prepared.read(*found)
        return Machine(prepared)

    def _check(self) -> None:
        """Has the rules checked before anything is made of them that does not check them itself."""
        from dragon.diagnose import check_rules, read_rules

        if isinstance(self.rules, Constants):
            return
        if self.checked:
            read_rules(self.rules, strict=True)
        else:
            check_rules(self.rules)

    def _otherwise(self, name: str, refused: Refused) -> Callable[..., Any]:
        """What numba, if it is installed, makes of a kernel with rules outside the subset."""
        if not (refused.foreign and numba_installed()):
            raise rule_error(self.rules, refused) from refused
        code = refused.function.__code__
        log.info("%s:%s: %s; numba compiles %s for %s, which takes longer%s", code.co_filename,
                 refused.line, refused.reason, self.template.rpartition(".")[2],
                 self.rules.label, ", and checks nothing" * self.checked)  # fmt: skip

        def call(*arguments: Any) -> Any:
            try:
                return self._by_numba(name)(*arguments)
            except Exception as wrong:
                if type(wrong).__module__.startswith("numba."):  # it cannot compile it either
                    raise rule_error(self.rules, refused) from wrong
                raise

        return call

    def _by_numba(self, name: str) -> Callable[..., Any]:
        from dragon.compiler.fallback import compiled_module

        if self._numba is None:
            self._numba = compiled_module(self.template, self.rules, self.stamp)
        found: Callable[..., Any] = getattr(self._numba, name)
        return found


_kernels: dict[tuple[str, bool], Kernels] = {}
_found: WeakKeyDictionary[Any, dict[tuple[str, bool], Kernels]] = WeakKeyDictionary()
_programs: WeakKeyDictionary[Any, dict[bool, Program]] = WeakKeyDictionary()


def specialise(template: str, rules: Rules | Constants, checked: bool | None = None) -> Kernels:
    """The kernels of `template` (its import name) for `rules`; the same object each time.

    checked: whether they are checked as they run, by dragon's compiler; None: as DRAGON_CHECKED
    and DRAGON_JIT say.
    """
    if checked is None:
        checked = checks()
        if checked and JIT() == "numba":
            raise ConfigError("numba's code cannot be checked; unset DRAGON_JIT")
    found, key = _found.setdefault(rules, {}), (template, checked)
    if key not in found:
        mark = _stamp(template, rules)
        if (mark, key[1]) not in _kernels:
            _kernels[mark, key[1]] = Kernels(template, rules, mark, key[1])
        found[key] = _kernels[mark, key[1]]
    return found[key]


def program_of(rules: Rules | Constants, checked: bool = False) -> Program:
    """What the compiler has read of a game's rules and of the kernels for them."""
    from dragon.compiler.program import Program

    found = _programs.setdefault(rules, {})
    if checked not in found:
        bound = bindings_of(rules)
        if checked:
            found[checked] = Program(_guarded(bound), program_of(rules))
        else:
            found[checked] = Program(bound)
    return found[checked]


def _guarded(bound: dict[str, Any]) -> dict[str, Any]:
    """Bindings with guards for rules, which call these by names of their own."""
    from dragon.kernels import guards

    own = {f"own_{name}": bound[name] for name in bound if hasattr(guards, f"own_{name}")}
    return {
        **bound,
        **own,
        **{name[4:]: getattr(guards, name[4:]) for name in own},
        "CHECKED": True,
    }


def rule_error(rules: Rules | Constants, refused: Refused, name: str = "") -> RuleError:
    """A refusal as a user reads it; `name`: of the rule, if not of the function itself."""
    code = refused.function.__code__
    named = {} if isinstance(rules, Constants) else rules.named()
    own = next((rule for rule, f in named.items() if f is refused.function), code.co_name)
    return RuleError(name or own, code.co_filename, refused.line, refused.reason)


@contextmanager
def announced(sentence: str) -> Iterator[None]:
    """Says a sentence if what is done within takes LONG; at once to whoever debugs, or waits."""
    log.debug("%s", sentence)
    timer = threading.Timer(LONG, log.info, [sentence])
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


@cache
def numba_installed() -> bool:
    """Whether there is a compiler for rules outside the subset."""
    return importlib.util.find_spec("numba") is not None


def is_kernel(value: Any) -> bool:
    """Whether a template's author marked this function with `@kernel`."""
    return hasattr(value, "__dragon_kernel__")


def functions_of(module: types.ModuleType) -> list[tuple[str, types.FunctionType]]:
    """What a template defines or imports and calls: its plain functions by name."""
    found = [(k, v) for k, v in vars(module).items() if isinstance(v, types.FunctionType)]
    return [(k, v) for k, v in found if v is not kernel]


def bindings_of(rules: Rules | Constants) -> dict[str, Any]:
    """The names that kernels leave open, and what stands for them."""
    from dragon.rules import OPTIONAL, REQUIRED

    if isinstance(rules, Constants):
        return dict(rules.values)
    bound: dict[str, Any] = {name: getattr(rules, name) for name in REQUIRED}
    for name in OPTIONAL:
        own = getattr(rules, name)
        bound[f"HAS_{name.upper()}"] = own is not None
        if own is not None:
            bound[name] = own
    bound |= {
        "PLIES": rules.plies,
        "WIDTH": rules.width,
        "SEATS": len(rules.teams),
        "TEAM": rules.teams,
        "LARGEST": rules.largest,
        "HAS_CHANCE": Trait.CHANCE in rules.traits,
        "DUEL": Trait.DUEL in rules.traits,
    }
    return bound


# ---- the stamp

_stamps: dict[tuple[Any, ...], str] = {}


def _stamp(template: str, rules: Rules | Constants) -> str:
    """A hash of everything that the compiler sees; games that share their rules share it."""
    shared = (template, repr(getattr(rules, "layout", None)), *sorted(bindings_of(rules).items()))
    if shared not in _stamps:
        _stamps[shared] = _read_stamp(template, rules)
    return _stamps[shared]


def _read_stamp(template: str, rules: Rules | Constants) -> str:
    values: list[tuple[str, Any]] = []
    for source in _templates(template, []):
        values += functions_of(importlib.import_module(source))
    values += sorted(bindings_of(rules).items())
    about = (template, *_versions(), getattr(rules, "layout", None))
    return stamp(about, values)


@cache
def _versions() -> tuple[Any, ...]:
    """What else decides about the code: the machine, and everybody who has a hand in it."""
    import llvmlite
    import numpy

    from dragon.compiler.machine import host

    here = Path(__file__).parent
    files = [*sorted((here / "compiler").glob("*.py")), here / "bits.py",
             here / "kernels" / "guards.py"]  # fmt: skip
    own = hashlib.sha256(b"".join(path.read_bytes() for path in files)).hexdigest()
    return (own, host(), sys.version, numpy.__version__, llvmlite.__version__)


def _templates(template: str, found: list[str]) -> list[str]:
    """`template` and those from which it imports kernels, and so on."""
    if template not in found:
        found.append(template)
        for _, function in functions_of(importlib.import_module(template)):
            if is_kernel(function):
                _templates(function.__module__, found)
    return found
