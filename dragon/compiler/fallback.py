"""Kernels compiled by numba: for rules outside the subset, and as an independent second opinion.

The template's source is written to the cache folder under its fingerprint, and its names are bound
to the game's own. The code that numba makes is kept like all object code, each file with its
digest; numba's own files do not have one, and a changed bit there would be run.

The module stays apart from `specialise`, since it alone imports numba, where that is installed.
"""
# mypy: disable-error-code="no-untyped-def,untyped-decorator,no-untyped-call,call-arg"

from __future__ import annotations

import hashlib
import inspect
import os
import pickle
import re
import sys
import types
from functools import cache
from pathlib import Path
from typing import Any

import numba
import numpy as np
from attrs import frozen
from numba.core import types as kinds
from numba.core.serialize import dumps
from numba.extending import intrinsic, overload, register_jitable

from dragon import bits
from dragon.compiler.cache import load, save
from dragon.compiler.fingerprint import reached
from dragon.compiler.kernel import Bindings, functions_of, is_kernel
from dragon.compiler.library import FUNCTIONS, swap
from dragon.files import in_cache, replacing, temporary_folder

OPTIONS: dict[str, Any] = {"error_model": "numpy", "nogil": True, "forceinline": True}
_PLACES = re.compile(r'File "([^"]+)", line (\d+)')
FIXED_TIME = 1_000_000_000
"""The modification time of all sources, which numba's index compares."""


def compiled_module(template: str, bound: Bindings, fingerprint: str) -> types.ModuleType:
    """The module `template` with the names of a game, its kernels to be compiled by numba."""
    bindings = bound.bindings()
    functions = [each for each in bindings.values() if isinstance(each, types.FunctionType)]
    prepare([each for each in functions if not is_kernel(each)])
    source = Path(sys.modules[template].__file__ or "")
    name = f"dragon_kernel_{fingerprint}_{source.stem}"
    if name in sys.modules:
        return sys.modules[name]
    path = _written(fingerprint, source)
    module = types.ModuleType(name)
    module.__file__ = str(path)
    exec(compile(source.read_bytes(), path, "exec"), module.__dict__)  # never what lies there
    bound_here = {k: v for k, v in bindings.items() if getattr(v, "__module__", "") != template}
    module.__dict__.update(bound_here)  # a guard is not bound to itself
    sys.modules[name] = module
    for key, value in functions_of(module):
        if not is_kernel(value):
            prepare([value])
        elif value.__module__ == name:
            module.__dict__[key] = made = numba.njit(cache=True, **OPTIONS)(value)
            made._cache._cache_file = Overloads(fingerprint, f"{source.stem}-{key}")
        elif value.__closure__:  # a guard, which has all that it needs
            prepare([value])
        else:
            inner = compiled_module(value.__module__, bound, fingerprint)
            module.__dict__[key] = getattr(inner, key)
    return module


@frozen
class Overloads:
    """The code of one function for each kind of its arguments: numba's `IndexDataCacheFile`."""

    fingerprint: str
    name: str

    def load(self, key: Any) -> Any:
        """Return the code saved for a key; None if it is not there, or cannot be trusted."""
        found = load(self.fingerprint, self._file(key))
        return None if found is None else pickle.loads(found[1])

    def save(self, key: Any, data: Any) -> None:
        """Save the code that numba has made for a key."""
        save(self.fingerprint, self._file(key), {"label": "numba's"}, dumps(data))

    def flush(self) -> None:
        """Nothing to do: a source that has changed has another fingerprint."""

    def _file(self, key: Any) -> str:
        about = hashlib.sha256(repr((numba.__version__, key)).encode()).hexdigest()
        return f"{self.name}-{about[:16]}-numba"


def entry(function: Any) -> Any:
    """Return a kernel, or a rule, of such a module as Python calls it."""
    plain = isinstance(function, types.FunctionType)
    return numba.njit(**OPTIONS)(function) if plain else function


def complaint(raised: Exception) -> tuple[str, int, str] | None:
    """Return file, line and reason of what numba cannot compile; None for other exceptions."""
    last = raised.__traceback__
    while last is not None and last.tb_next is not None:
        last = last.tb_next
    within = "" if last is None else str(last.tb_frame.f_globals.get("__name__", ""))
    if not (type(raised).__module__.startswith("numba.") or within.startswith("numba.")):
        return None
    text = str(raised)
    file, line = next(reversed(_PLACES.findall(text)), ("numba", "0"))
    first = next((each for each in text.splitlines() if each.strip()), "")
    return file, int(line), f"numba does not compile it: {type(raised).__name__}: {first.strip()}"


def prepare(functions: list[types.FunctionType]) -> None:
    """Let numba call these functions, and those that they call."""
    for function in reached(functions):
        _jitable(function)


@cache
def _jitable(function: Any) -> None:
    register_jitable(error_model="numpy")(function)


def _written(fingerprint: str, source: Path) -> Path:
    """Write a copy of a source into the cache folder, or a temporary one; return its path."""
    try:
        return _copied(source, in_cache(fingerprint))
    except OSError:
        return _copied(source, temporary_folder())


def _copied(source: Path, folder: Path) -> Path:
    with replacing(folder / source.name, 0o600) as out:
        out.write(source.read_bytes())
        out.flush()
        os.utime(out.name, (FIXED_TIME, FIXED_TIME))
    return folder / source.name


# ---- dragon.bits: the meaning of each function, in numba's terms


def _of_llvm(name: str, *flags: int) -> Any:
    """A function of one uint64 that LLVM knows by this name."""

    @intrinsic
    def call(typing, x):
        def code(context, builder, sig, args):
            more = [context.get_constant(kinds.boolean, flag) for flag in flags]
            return getattr(builder, name)(args[0], *more)

        return kinds.uint64(kinds.uint64), code

    return call


@intrinsic
def _swap(typing, words, value):
    """The atomic step of a lock."""

    def code(context, builder, sig, args):
        array = context.make_array(sig.args[0])(context, builder, args[0])
        return builder.atomic_rmw("xchg", array.data, args[1], "seq_cst")

    return kinds.int64(words, kinds.int64), code


_ctpop, _cttz, _ctlz = _of_llvm("ctpop"), _of_llvm("cttz", 0), _of_llvm("ctlz", 0)


def _members(x):
    """The bits that are set, lowest first."""
    rest = np.uint64(x)
    while rest:
        yield np.int64(_cttz(rest))
        rest &= rest - np.uint64(1)


MEANINGS: dict[Any, Any] = {
    bits.u64: lambda x: np.uint64(x),
    bits.i64: lambda x: np.int64(x),
    bits.bit: lambda i: np.uint64(1) << np.uint64(i),
    bits.has: lambda x, i: (np.uint64(x) >> np.uint64(i)) & np.uint64(1) != np.uint64(0),
    bits.popcount: lambda x: np.int64(_ctpop(np.uint64(x))),
    bits.ctz: lambda x: np.int64(_cttz(np.uint64(x))),
    bits.msb: lambda x: np.int64(63) - np.int64(_ctlz(np.uint64(x))),
    bits.drop: lambda x: np.uint64(x) & (np.uint64(x) - np.uint64(1)),
    bits.members: _members,
    bits.lanes: lambda n: range(np.int64(n)),
    bits.shl: lambda x, n: np.uint64(x) << np.uint64(n),
    bits.shr: lambda x, n: np.uint64(x) >> np.uint64(n),
    bits.add: lambda x, y: np.uint64(x) + np.uint64(y),
    bits.mul: lambda x, y: np.uint64(x) * np.uint64(y),
    swap: lambda words, value: _swap(words, np.int64(value)),
    **FUNCTIONS,
}


for _function, _meaning in MEANINGS.items():
    _given = inspect.signature(_function).parameters.values()  # which numba compares
    _names = ", ".join(str(p.replace(annotation=p.empty)) for p in _given)
    overload(_function)(eval(f"lambda {_names}: meaning", {"meaning": _meaning}))
