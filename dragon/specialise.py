"""A kernel template and a game's rules become a compiled module, cached on disk.

The template's source is written, stamped, to the user's cache folder under a hash of
everything that the compiler sees; its names of rules and constants are bound to the
game's own; numba's file cache does the rest. Two games of one layout have two stamps, a
changed rule has a new one, and processes that start at once write the same bytes.

A template may import from another: kernels, which become those specialised to the same
game, and plain functions, which compiled code may then call.

All options of the compiler are here and in no other file.
"""

from __future__ import annotations

import atexit
import hashlib
import importlib.util
import logging
import os
import shutil
import sys
import tempfile
import types
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from dragon.rules import Rules

F = TypeVar("F", bound=Callable[..., Any])
log = logging.getLogger("dragon")
_FIXED_TIME = 1_000_000_000  # numba's index compares the source's modification time


def jit_enabled() -> bool:
    """False under DRAGON_JIT=0: rules then run in plain Python and no kernel is used."""
    return os.environ.get("DRAGON_JIT", "1") != "0"


def kernel(function: F) -> F:
    """Marks a function of a template: the specialised module holds it compiled.

    Kernels and rules work in the memory that they are given; see `Rules.allocates`.
    """
    function.__dragon_kernel__ = True  # type: ignore[attr-defined]
    return function


def _compiled(function: Any, rules: Rules) -> Any:
    """Without the reference counts of arrays, half the time of a search, where rules need none."""
    import numba

    options: Any = {"error_model": "numpy", "forceinline": True, "_nrt": rules.allocates}
    return numba.njit(cache=True, nogil=True, **options)(function)


def specialise(template: str, rules: Rules) -> types.ModuleType:
    """The module `template` (its import name) compiled for `rules`; the same one each time."""
    from dragon.diagnose import check_rules

    stamp = _stamp(template, rules)
    name = f"dragon_kernel_{stamp}"
    if name in sys.modules:
        return sys.modules[name]
    bindings = _bindings(rules)
    folder = _settled(stamp, template)
    path = folder / f"{template.rpartition('.')[2]}.py"
    if not any((folder / "__pycache__").glob("*.nbi")):
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


def cache_folder() -> Path:
    """Where compiled kernels live: DRAGON_CACHE, or the user's cache folder."""
    import platformdirs

    given = os.environ.get("DRAGON_CACHE")
    return Path(given) if given else platformdirs.user_cache_path("dragon-search")


def _bindings(rules: Rules) -> dict[str, Any]:
    from dragon.rules import OPTIONAL, REQUIRED

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


def prepare(rules: Rules) -> None:
    """Lets compiled code call the rules, the functions they call, and dragon.bits."""
    import dragon.native  # noqa: F401  registers the compiled meaning of dragon.bits

    for function in rules.functions():
        _prepare(function)


def _prepare(function: types.FunctionType) -> None:
    for called in _called(function, set()):
        _jitable(called)


def _called(function: types.FunctionType, seen: set[int]) -> Iterator[types.FunctionType]:
    """`function` and every plain function that it reaches, less what the compiler knows itself."""
    if id(function) in seen or _known(function):
        return
    seen.add(id(function))
    for value in _referenced(function).values():
        if isinstance(value, types.FunctionType):
            yield from _called(value, seen)
    yield function


def _known(function: types.FunctionType) -> bool:
    """Whether the compiler has its own meaning for a function: dragon.bits, numpy, numba."""
    module = function.__module__ or ""
    return module == "dragon.bits" or module.partition(".")[0] in ("numpy", "numba", "math")


def _referenced(function: types.FunctionType) -> dict[str, Any]:
    """The module-level names, module attributes and closure cells that a function uses."""
    names: dict[str, Any] = {}
    for code in _codes(function.__code__):
        for name in code.co_names:
            if name in function.__globals__:
                names[name] = function.__globals__[name]
        for name, module in list(names.items()):
            if isinstance(module, types.ModuleType):
                for attribute in set(code.co_names) & set(vars(module)):
                    names[f"{name}.{attribute}"] = vars(module)[attribute]
    cells = function.__closure__ or ()
    for name, cell in zip(function.__code__.co_freevars, cells, strict=True):
        names[name] = cell.cell_contents
    return names


def _codes(code: types.CodeType) -> Iterator[types.CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from _codes(constant)


# ---- the stamp -------------------------------------------------------------------------------


@cache
def _stamp(template: str, rules: Rules) -> str:
    """A hash of everything that the compiler sees."""
    import llvmlite
    import numba
    import numpy

    digest = hashlib.sha256()
    versions = (sys.version, numba.__version__, numpy.__version__, llvmlite.__version__)
    digest.update(repr((template, versions, rules.layout)).encode())
    here = Path(__file__).parent
    for path in (here / "specialise.py", here / "bits.py", here / "native.py"):
        digest.update(path.read_bytes())
    seen: dict[int, int] = {}
    for source in _templates(template, []):
        digest.update(_source(source).read_bytes())
        for name, function in _functions(importlib.import_module(source)):
            if function.__module__ != source and not is_kernel(function):
                digest.update(name.encode())
                _feed(digest, function, seen)
    for name, value in sorted(_bindings(rules).items()):
        digest.update(name.encode())
        _feed(digest, value, seen)
    return digest.hexdigest()[:24]


def _templates(template: str, found: list[str]) -> list[str]:
    """`template` and those from which it imports kernels, and so on."""
    if template not in found:
        found.append(template)
        for _, function in _functions(importlib.import_module(template)):
            if is_kernel(function):
                _templates(function.__module__, found)
    return found


def _feed(digest: Any, value: Any, seen: dict[int, int]) -> None:
    """Adds to the hash what the compiler would read of `value`; functions by their byte code."""
    import numpy as np

    if isinstance(value, types.FunctionType) and _known(value):
        digest.update(f"{value.__module__}.{value.__qualname__}".encode())
    elif isinstance(value, types.FunctionType):
        if id(value) in seen:
            digest.update(f"again {seen[id(value)]}".encode())
            return
        seen[id(value)] = len(seen)
        _feed(digest, value.__code__, seen)
        _feed(digest, value.__defaults__, seen)
        for name, used in sorted(_referenced(value).items()):
            digest.update(name.encode())
            _feed(digest, used, seen)
    elif isinstance(value, types.CodeType):
        digest.update(value.co_code)
        digest.update(repr((value.co_names, value.co_varnames, value.co_freevars)).encode())
        for constant in value.co_consts:
            _feed(digest, constant, seen)
    elif isinstance(value, np.ndarray):
        digest.update(repr((value.dtype.str, value.shape)).encode())
        digest.update(np.ascontiguousarray(value).tobytes())
    elif isinstance(value, tuple | list):
        digest.update(f"{type(value).__name__}{len(value)}".encode())
        for item in value:
            _feed(digest, item, seen)
    elif hasattr(value, "py_func"):  # an author's own numba function
        _feed(digest, value.py_func, seen)
    elif isinstance(value, types.ModuleType):
        digest.update(value.__name__.encode())
    elif isinstance(value, frozenset | set):
        digest.update(repr(sorted(map(repr, value))).encode())
    else:
        digest.update(f"{type(value).__name__}{value!r}".encode())


def _source(template: str) -> Path:
    spec = importlib.util.find_spec(template)
    if spec is None or spec.origin is None:
        raise ModuleNotFoundError(f"no kernel template {template!r}")
    return Path(spec.origin)


# ---- the folder ------------------------------------------------------------------------------


def _settled(stamp: str, template: str) -> Path:
    """The folder of a stamped template, written if need be; a temporary copy if it cannot be."""
    source = _source(template)
    folder = cache_folder() / stamp
    try:
        _write(folder, source)
        _probe(folder)
    except OSError:
        return _temporary(stamp, folder, source)
    return folder


def _write(folder: Path, source: Path) -> None:
    target = folder / source.name
    folder.mkdir(parents=True, exist_ok=True)
    if target.exists() and target.stat().st_mtime == _FIXED_TIME:
        return
    handle, draft = tempfile.mkstemp(dir=folder, suffix=".tmp")
    with os.fdopen(handle, "wb") as out:
        out.write(source.read_bytes())
    os.utime(draft, (_FIXED_TIME, _FIXED_TIME))
    os.replace(draft, target)


def _probe(folder: Path) -> None:
    """Raises OSError where numba could not write its files."""
    (folder / "__pycache__").mkdir(exist_ok=True)
    handle, draft = tempfile.mkstemp(dir=folder / "__pycache__", suffix=".tmp")
    os.close(handle)
    os.unlink(draft)


def _temporary(stamp: str, folder: Path, source: Path) -> Path:
    """A writable copy of `folder` for this process: numba cannot use a read-only cache."""
    copy = _temporary_root(folder.parent) / stamp
    _write(copy, source)
    for path in (folder / "__pycache__").glob("*.nb?"):
        (copy / "__pycache__").mkdir(exist_ok=True)
        shutil.copy2(path, copy / "__pycache__")
    _probe(copy)
    return copy


@cache
def _temporary_root(folder: Path) -> Path:
    root = Path(tempfile.mkdtemp(prefix="dragon-kernels-"))
    atexit.register(shutil.rmtree, root, ignore_errors=True)
    log.warning("cannot write the kernel cache %s; using a temporary copy this time", folder)
    return root
