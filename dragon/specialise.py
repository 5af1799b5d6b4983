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
import dis
import enum
import hashlib
import importlib.util
import itertools
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

from dragon.errors import PluginError

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
    """What a function uses: module-level names, attributes of modules, and closure cells.

    `pack.consts.STEP` is followed through all its modules. Of a module that is used in
    another way, under a local name say, every attribute counts that the function names.
    """
    cells = dict(zip(function.__code__.co_freevars, function.__closure__ or (), strict=True))
    names: dict[str, Any] = {name: cell.cell_contents for name, cell in cells.items()}
    codes = tuple(_codes(function.__code__))
    attributes = {name for code in codes for name in code.co_names}
    for code in codes:
        steps = [step for step in dis.get_instructions(code) if step.opname != "EXTENDED_ARG"]
        for i, step in enumerate(steps):
            if step.opname in ("LOAD_GLOBAL", "LOAD_NAME"):
                known = function.__globals__
            elif step.opname in ("LOAD_DEREF", "LOAD_CLASSDEREF"):
                known = names
            else:
                continue
            if step.argval in known:
                following = itertools.takewhile(_is_attribute, steps[i + 1 :])
                path = (step.argval, *(each.argval for each in following))
                names.update(_followed(known[step.argval], path, attributes))
    return names


def _is_attribute(step: dis.Instruction) -> bool:
    return step.opname in ("LOAD_ATTR", "LOAD_METHOD")


def _followed(value: Any, path: tuple[str, ...], attributes: set[str]) -> Iterator[tuple[str, Any]]:
    """Each value on the way from the first name of `path`, as far as modules lead."""
    last = 0
    yield path[0], value
    while isinstance(value, types.ModuleType) and not _library(value.__name__):
        last += 1
        if last == len(path):
            yield from _spread(value, ".".join(path), attributes, set())
            return
        if not hasattr(value, path[last]):
            return
        value = getattr(value, path[last])
        yield ".".join(path[: last + 1]), value


def _spread(
    module: types.ModuleType, path: str, attributes: set[str], seen: set[int]
) -> Iterator[tuple[str, Any]]:
    """Everything named in `attributes` of a module, and of the modules found there."""
    seen.add(id(module))
    for name in sorted(attributes & set(vars(module))):
        value = vars(module)[name]
        yield f"{path}.{name}", value
        inner = isinstance(value, types.ModuleType) and not _library(value.__name__)
        if inner and id(value) not in seen:
            yield from _spread(value, f"{path}.{name}", attributes, seen)


@cache
def _library(module: str) -> bool:
    """Whether a module is Python's own, numpy's or numba's, whose versions are in the stamp."""
    root = module.partition(".")[0]
    if root in ("numpy", "numba", "llvmlite") or root in sys.builtin_module_names:
        return True
    # A game's own module may be called as one of Python's, so where it lies decides.
    file = getattr(sys.modules.get(root), "__file__", None) or ""
    own = file.startswith(os.path.dirname(os.__file__)) and "-packages" not in file
    return own and root in sys.stdlib_module_names


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
            _feed(digest, name, seen, source)
            _feed(digest, function, seen, source)
    for name, value in sorted(_bindings(rules).items()):
        _feed(digest, name, seen, rules.label)
        _feed(digest, value, seen, f"{rules.label}: {name}")
    return digest.hexdigest()[:24]


def _templates(template: str, found: list[str]) -> list[str]:
    """`template` and those from which it imports kernels, and so on."""
    if template not in found:
        found.append(template)
        for _, function in _functions(importlib.import_module(template)):
            if is_kernel(function):
                _templates(function.__module__, found)
    return found


_PLAIN = (int, float, complex, str, bytes, bytearray, range, slice)
_DESCRIPTORS = (
    types.MemberDescriptorType
    | types.GetSetDescriptorType
    | types.WrapperDescriptorType
    | types.MethodDescriptorType
)
# Not read by the compiler, or differently named from run to run.
_UNREAD = {"__dict__", "__weakref__", "__doc__", "__module__", "__annotations__"}


def _put(digest: Any, *parts: Any) -> None:
    """Adds text to the hash, so that where one part ends and the next begins counts."""
    digest.update(f"{parts!r}\0".encode())


def _feed(digest: Any, value: Any, seen: dict[int, int], place: str) -> None:
    """Adds to the hash what the compiler would read of `value`; functions by their byte code.

    `seen` holds the functions and classes met before, which may reach themselves; `place`
    is the sentence's beginning where the value cannot be read, which raises PluginError.
    """
    import numpy as np

    if isinstance(value, types.FunctionType | type) and not _named(value):
        if id(value) in seen:
            _put(digest, "again", seen[id(value)])
            return
        seen[id(value)] = len(seen)
        if isinstance(value, type):
            _feed_class(digest, value, seen, place)
        else:
            _feed_function(digest, value, seen, place)
    elif _named(value):
        _put(digest, value.__module__, value.__qualname__)
    elif isinstance(value, types.ModuleType):
        _put(digest, value.__name__)
    elif isinstance(value, types.CodeType):
        _put(digest, value.co_code, value.co_exceptiontable)
        _put(digest, value.co_names, value.co_varnames, value.co_freevars)
        _feed(digest, value.co_consts, seen, place)
    elif isinstance(value, enum.Enum):
        _feed(digest, type(value), seen, place)
        _put(digest, value.name)
    elif isinstance(value, np.dtype):
        _put(digest, value)  # its repr is whole: names, formats, offsets, size
    elif isinstance(value, np.ndarray | np.generic) and not value.dtype.hasobject:
        _put(digest, type(value).__name__, value.dtype, value.shape, value.tobytes())
    else:
        _feed_values(digest, value, seen, place)


def _feed_values(digest: Any, value: Any, seen: dict[int, int], place: str) -> None:
    """The rest of `_feed`: plain values, and what is made of others."""
    import numba

    kind = type(value).__name__
    base = next((base for base in _PLAIN if isinstance(value, base)), None)
    if base is not None:
        _put(digest, kind, base.__repr__(value))
    elif isinstance(value, types.NoneType | types.EllipsisType | numba.types.Type | _DESCRIPTORS):
        _put(digest, kind, repr(value))
    elif isinstance(value, tuple | list):
        _put(digest, kind, len(value))
        for item in value:
            _feed(digest, item, seen, place)
    elif isinstance(value, dict | types.MappingProxyType):
        _put(digest, kind, len(value))
        for key, item in value.items():
            _feed(digest, key, seen, place)
            _feed(digest, item, seen, place)
    elif isinstance(value, frozenset | set):  # in an order that does not change from run to run
        parts = [hashlib.sha256() for _ in value]
        for part, item in zip(parts, value, strict=True):
            _feed(part, item, dict(seen), place)
        _put(digest, kind, sorted(part.hexdigest() for part in parts))
    elif hasattr(value, "py_func"):  # an author's own numba function
        _feed(digest, value.py_func, seen, place)
        _feed(digest, getattr(value, "targetoptions", None), seen, place)
    elif callable(getattr(value, "__wrapped__", None)):
        _feed(digest, value.__wrapped__, seen, place)
    elif isinstance(value, property):
        _feed(digest, value.fget, seen, place)
    else:
        raise PluginError(
            f"{place}: dragon compiles no value of type {kind}, since it could not tell when it "
            "changes; make it a number, text, a tuple, an array or a function"
        )


def _named(value: Any) -> bool:
    """Whether a function or class is known by its name alone: its source is no game's."""
    if isinstance(value, types.FunctionType) and _known(value):
        return True
    module, name = getattr(value, "__module__", None), getattr(value, "__qualname__", None)
    if not isinstance(name, str):
        return False
    builtin = isinstance(value, types.BuiltinFunctionType)  # a method of one has no module
    return builtin or (isinstance(module, str) and _library(module))


def _feed_function(
    digest: Any, value: types.FunctionType, seen: dict[int, int], place: str
) -> None:
    _feed(digest, value.__code__, seen, place)
    _feed(digest, value.__defaults__, seen, place)
    _feed(digest, value.__kwdefaults__, seen, place)
    where = f"{value.__code__.co_filename}:{value.__code__.co_firstlineno}: {value.__name__}"
    for name, used in sorted(_referenced(value).items()):
        _put(digest, name)
        _feed(digest, used, seen, f"{where} reads {name!r}")


def _feed_class(digest: Any, value: type, seen: dict[int, int], place: str) -> None:
    """A class member by member: an enum's values, a named tuple's fields, else what it defines."""
    _put(digest, value.__qualname__)
    for base in value.__bases__:
        _feed(digest, base, seen, place)
    if issubclass(value, enum.Enum):
        members = {name: member.value for name, member in value.__members__.items()}
    elif issubclass(value, tuple) and hasattr(value, "_fields"):
        members = {name: getattr(value, name) for name in ("_fields", "_field_defaults")}
    else:
        members = {name: vars(value)[name] for name in sorted(vars(value).keys() - _UNREAD)}
    for name, member in members.items():
        _put(digest, name)
        _feed(digest, member, seen, f"{place}, whose {name!r} dragon reads too")


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
