"""A kernel template and a game's rules become a compiled module, cached on disk.

The template's source is written, stamped, to the user's cache folder under a hash of
everything that the compiler sees; its names of rules and constants are bound to the
game's own; numba's file cache does the rest. Two games of one layout have two stamps, a
changed rule has a new one, and processes that start at once write the same bytes.

A template may import from another: kernels, which become those specialised to the same
game, and plain functions, which compiled code may then call. A template that needs no game
is specialised to `Constants`.

All options of the compiler are here and in no other file.
"""

from __future__ import annotations

import importlib.util
import logging
import os
import sys
import types
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from attrs import frozen

from dragon.cache import settled
from dragon.errors import ConfigError
from dragon.stamp import known, referenced, stamp

if TYPE_CHECKING:
    from dragon.rules import Rules

F = TypeVar("F", bound=Callable[..., Any])
log = logging.getLogger("dragon")


def jit_enabled() -> bool:
    """False under DRAGON_JIT=0: rules then run in plain Python and no kernel is used."""
    setting = os.environ.get("DRAGON_JIT") or "1"
    if setting not in ("0", "1"):
        raise ConfigError(f"DRAGON_JIT is {setting!r}; set it to 0 or 1, or not at all")
    return setting == "1"


def kernel(function: F) -> F:
    """Marks a function of a template: the specialised module holds it compiled.

    Kernels and rules work in the memory that they are given; see `Rules.allocates`.
    """
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
    allocates: bool = False
    """Whether the kernels make arrays of their own."""

    def functions(self) -> list[types.FunctionType]:
        """None: there are no rules."""
        return []


def _compiled(function: Any, rules: Rules | Constants) -> Any:
    """Without the reference counts of arrays, half the time of a search, where rules need none."""
    import numba

    options: Any = {"error_model": "numpy", "forceinline": True, "_nrt": rules.allocates}
    return numba.njit(cache=True, nogil=True, **options)(function)


def specialise(template: str, rules: Rules | Constants) -> types.ModuleType:
    """The module `template` (its import name) compiled for `rules`; the same one each time."""
    from dragon.diagnose import check_rules

    mark = _stamp(template, rules)
    name = f"dragon_kernel_{mark}"
    if name in sys.modules:
        return sys.modules[name]
    bindings = _bindings(rules)
    folder = settled(mark, _source(template))
    path = folder / f"{template.rpartition('.')[2]}.py"
    if not any((folder / "__pycache__").glob("*.nbi")):
        if not isinstance(rules, Constants):
            check_rules(rules)
        log.info("compiling %s for %s; later runs find it in the cache", path.stem, rules.label)
    module = types.ModuleType(name, f"{template} for {rules.label}")
    module.__file__ = str(path)
    prepare(rules)
    exec(compile(path.read_text(), path, "exec"), module.__dict__)
    module.__dict__.update(bindings)
    for key, value in _functions(module):
        if not is_kernel(value):
            _prepare(value)
        elif value.__module__ == name:
            module.__dict__[key] = _compiled(value, rules)
        else:
            module.__dict__[key] = getattr(specialise(value.__module__, rules), key)
    sys.modules[name] = module
    return module


def is_kernel(value: Any) -> bool:
    """Whether a template's author marked this function with `@kernel`."""
    return hasattr(value, "__dragon_kernel__")


def _functions(module: types.ModuleType) -> list[tuple[str, types.FunctionType]]:
    """What a template defines or imports and calls: its plain functions by name."""
    found = [(k, v) for k, v in vars(module).items() if isinstance(v, types.FunctionType)]
    return [(k, v) for k, v in found if v is not kernel]


def _bindings(rules: Rules | Constants) -> dict[str, Any]:
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
        "ALLOCATES": rules.allocates,
    }
    return bound


@cache
def _jitable(function: Any) -> None:
    from numba.extending import register_jitable

    register_jitable(error_model="numpy")(function)


def prepare(rules: Rules | Constants) -> None:
    """Lets compiled code call the rules, the functions they call, and dragon.bits."""
    import dragon.native  # noqa: F401  registers the compiled meaning of dragon.bits

    for function in rules.functions():
        _prepare(function)


def _prepare(function: types.FunctionType) -> None:
    for called in _called(function, set()):
        _jitable(called)


def _called(function: types.FunctionType, seen: set[int]) -> Iterator[types.FunctionType]:
    """`function` and every plain function that it reaches, less what the compiler knows itself."""
    if id(function) in seen or known(function):
        return
    seen.add(id(function))
    for value in referenced(function).values():
        if isinstance(value, types.FunctionType):
            yield from _called(value, seen)
    yield function


_stamps: dict[tuple[Any, ...], str] = {}


def _stamp(template: str, rules: Rules | Constants) -> str:
    """A hash of everything that the compiler sees; games that share their rules share it."""
    shared = (template, repr(getattr(rules, "layout", None)), *sorted(_bindings(rules).items()))
    if shared not in _stamps:
        _stamps[shared] = _read_stamp(template, rules)
    return _stamps[shared]


def _read_stamp(template: str, rules: Rules | Constants) -> str:
    import llvmlite
    import numba
    import numpy

    here = Path(__file__).parent
    files = [here / name for name in ("specialise.py", "bits.py", "native.py")]
    versions = (sys.version, numba.__version__, numpy.__version__, llvmlite.__version__)
    values: list[tuple[str, str, Any]] = []
    for source in _templates(template, []):
        files.append(_source(source))
        values += [(source, *item) for item in _functions(importlib.import_module(source))]
    values += [(rules.label, *item) for item in sorted(_bindings(rules).items())]
    return stamp((template, versions, getattr(rules, "layout", None)), files, values)


def _templates(template: str, found: list[str]) -> list[str]:
    """`template` and those from which it imports kernels, and so on."""
    if template not in found:
        found.append(template)
        for _, function in _functions(importlib.import_module(template)):
            if is_kernel(function):
                _templates(function.__module__, found)
    return found


def _source(template: str) -> Path:
    spec = importlib.util.find_spec(template)
    if spec is None or spec.origin is None:
        raise ModuleNotFoundError(f"no kernel template {template!r}")
    return Path(spec.origin)
