"""WebAssembly: kernels for a game's rules as a module that browsers load.

`module_of` has them compiled, and `linked` makes a module of the object file that LLVM writes for
wasm32. Such a file is a module already, with indices that hold as they stand; only addresses of
memory have to be moved, for the stack comes first: where it overflows, an address is out of bounds,
and the engine says so. Memory, stack pointer and exports are added.

Sources: "WebAssembly Core Specification" (binary format), and "WebAssembly Object File Linking" in
the repository tool-conventions of the WebAssembly group.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise
from typing import Any

import numpy as np
from attrs import define, field, frozen

from dragon.compiler.assembly import Assembly
from dragon.compiler.emission import function_text
from dragon.compiler.kernel import Bindings
from dragon.compiler.location import Refused
from dragon.compiler.machine import Target, object_code
from dragon.compiler.specialise import as_rule_error, program_of
from dragon.compiler.types import of_value

BROWSER = Target(
    "wasm32-unknown-unknown", "mvp", "+bulk-memory,+sign-ext,+nontrapping-fptoint,+mutable-globals"
)
"""The features that every browser has which was published since 2021."""
PAGE = 1 << 16
"""Bytes by which memory grows."""
STACK = 1 << 18
"""Bytes of the stack."""
MAGIC = b"\0asm\1\0\0\0"
CUSTOM, TYPE, IMPORT, FUNCTION, MEMORY, GLOBAL, EXPORT, CODE, DATA, COUNT = (
    0, 1, 2, 3, 5, 6, 7, 10, 11, 12,
)  # fmt: skip
ORDER = (TYPE, IMPORT, FUNCTION, MEMORY, GLOBAL, EXPORT, COUNT, CODE, DATA)
"""The order of sections in a module, which is not that of their numbers."""
OF_FUNCTION, OF_DATA = 0, 1
UNDEFINED, NAMED = 0x10, 0x40
STANDS = {0, 6, 7}
"""Relocations of function, type and global indices, which stay as they are."""
ADDRESS_LEB, ADDRESS_SLEB, ADDRESS_I32 = 3, 4, 5


@frozen
class Module:
    """A WebAssembly module."""

    code: bytes
    end: int
    """The end of the memory that it uses itself; the rest is the caller's."""
    failures: tuple[str, ...]
    """The meaning of each status from 1 on, as a sentence."""


def module_of(rules: Bindings, kernels: Mapping[str, tuple[Any, tuple[Any, ...]]]) -> Module:
    """Compile kernels for the rules of a game, each exported under its name.

    rules: the rules, or these with further names that a kernel leaves open.
    kernels: functions of templates, and arguments like those of their calls. An export takes, for
    an array, its address and the length of each axis (64 bits); for a NamedTuple, these of each
    item; and last the address for its values. It returns a status, 0 if all went well.

    Raises RuleError for rules outside the subset.
    """
    program = program_of(rules, False)
    try:
        with program.lock:
            typed = {
                name: program.typed(function, tuple(map(of_value, arguments)))
                for name, (function, arguments) in kernels.items()
            }
            assembly = Assembly(deep=program.recursive)
            for name, instance in typed.items():
                assembly.entry(name, instance)
            text = assembly.text(function_text)
    except Refused as refused:
        raise as_rule_error(rules, refused) from refused
    code, end = linked(object_code(text, BROWSER), kernels)
    said = (f"{kind.rpartition(':')[2]}: {message}" for kind, message, *_ in assembly.failures)
    return Module(code, end, tuple(said))


# ---- the linker


class NotLinkable(Exception):
    """The object file has a part that cannot be linked, which is a mistake of dragon's compiler."""


@define
class Reader:
    """A reader of bytes, one after another."""

    data: bytes
    at: int = 0

    def byte(self) -> int:
        self.at += 1
        return self.data[self.at - 1]

    def number(self) -> int:
        """An unsigned number in LEB128."""
        value = shift = 0
        while True:
            byte = self.byte()
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return value

    def signed(self) -> int:
        """A signed number in LEB128."""
        start = self.at
        value = self.number()
        bits = 7 * (self.at - start)
        return value - (1 << bits) if value >> (bits - 1) else value

    def take(self, size: int) -> bytes:
        self.at += size
        return self.data[self.at - size : self.at]

    def name(self) -> bytes:
        return self.take(self.number())

    @property
    def more(self) -> bool:
        return self.at < len(self.data)


def number(value: int) -> bytes:
    """An unsigned number in LEB128."""
    out = bytearray()
    while value >= 0x80:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*out, value])


def signed(value: int) -> bytes:
    """A signed number in LEB128."""
    out = bytearray()
    while not -0x40 <= value < 0x40:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*out, value & 0x7F])


def sized(data: bytes) -> bytes:
    """Bytes after their number."""
    return number(len(data)) + data


def listed(items: Iterable[bytes]) -> bytes:
    """Items after their number."""
    held = list(items)
    return number(len(held)) + b"".join(held)


def constant(value: int) -> bytes:
    """The expression of a number of 32 bits."""
    return b"\x41" + signed(value) + b"\x0b"


@define
class Segment:
    """A stretch of memory that the module initialises."""

    data: bytearray
    start: int
    """The offset of its bytes in the section."""
    alignment: int = 1
    address: int = 0


@define
class Relocation:
    """A place that contains an address."""

    kind: int
    offset: int
    symbol: int
    addend: int


@define
class ObjectFile:
    """An object file, taken apart."""

    sections: dict[int, bytes] = field(factory=dict)
    segments: list[Segment] = field(factory=list)
    functions: dict[bytes, int] = field(factory=dict)
    """Index of each function that is defined, by its name."""
    places: dict[int, tuple[int, int]] = field(factory=dict)
    """The segment and the offset of each symbol of data."""
    relocations: dict[int, list[Relocation]] = field(factory=dict)
    """The relocations by the index of their section in ORDER."""


def parsed(data: bytes) -> ObjectFile:
    """The parts of an object file; raises NotLinkable."""
    if data[:8] != MAGIC:
        raise NotLinkable("this is not WebAssembly")
    found, reader, numbers = ObjectFile(), Reader(data, 8), []
    customs: list[tuple[bytes, Reader]] = []
    while reader.more:
        kind = reader.byte()
        body = reader.name()
        numbers.append(kind)
        if kind == CUSTOM:
            inner = Reader(body)
            customs.append((inner.name(), inner))
        elif kind in ORDER:
            found.sections[kind] = body
        else:
            raise NotLinkable(f"an object file with a section {kind}")
    found.segments = list(_segments(Reader(found.sections.get(DATA, b"\0"))))
    for name, inner in customs:
        if name == b"linking":
            _read_linking(inner, found)
        elif name.startswith(b"reloc."):
            section = numbers[inner.number()]
            if section in ORDER:  # others are about debugging
                found.relocations[section] = list(_relocations(inner))
    return found


def _segments(reader: Reader) -> Iterator[Segment]:
    for _ in range(reader.number()):
        if reader.number() != 0 or reader.byte() != 0x41:
            raise NotLinkable("a data segment without a place")
        reader.signed()
        reader.byte()
        size = reader.number()
        start = reader.at
        yield Segment(bytearray(reader.take(size)), start)


def _read_linking(reader: Reader, found: ObjectFile) -> None:
    """Read the alignments of segments, and the symbols."""
    if reader.number() != 2:
        raise NotLinkable("an object file of another version")
    while reader.more:
        kind, inner = reader.byte(), Reader(reader.name())
        if kind == 5:
            for segment in found.segments[: inner.number()]:
                inner.name()
                segment.alignment = 1 << inner.number()
                inner.number()
        elif kind == 8:
            for at in range(inner.number()):
                _read_symbol(inner, at, found)


def _read_symbol(reader: Reader, at: int, found: ObjectFile) -> None:
    kind, flags = reader.byte(), reader.number()
    defined = not flags & UNDEFINED
    if kind == OF_DATA:
        reader.name()
        if defined:
            found.places[at] = reader.number(), reader.number()
            reader.number()
    else:
        index = reader.number()
        name = reader.name() if kind != 3 and (defined or flags & NAMED) else b""
        if kind == OF_FUNCTION and defined:
            found.functions[name] = index


def _relocations(reader: Reader) -> Iterator[Relocation]:
    for _ in range(reader.number()):
        kind, offset, symbol = reader.byte(), reader.number(), reader.number()
        if kind not in {*STANDS, ADDRESS_LEB, ADDRESS_SLEB, ADDRESS_I32}:
            raise NotLinkable(f"a relocation of type {kind}")
        yield Relocation(kind, offset, symbol, 0 if kind in STANDS else reader.signed())


def linked(data: bytes, exports: Iterable[str], stack: int = STACK) -> tuple[bytes, int]:
    """Return the module of an object file, and the end of its own memory; raise NotLinkable.

    exports: names of functions; `memory` is exported too. Functions that the object file does not
    define are imported, as `env.log`.
    """
    found = parsed(data)
    end = stack
    for segment in found.segments:
        end = segment.address = -(-end // segment.alignment) * segment.alignment
        end += len(segment.data)
    code = bytearray(found.sections.get(CODE, b"\0"))
    for section, relocations in found.relocations.items():
        for each in relocations:
            if each.kind not in STANDS:
                _move(found, each, code if section == CODE else None)
    end = -(-end // 16) * 16
    own = found.sections
    own[IMPORT] = listed(_imports(Reader(own.get(IMPORT, b"\0"))))
    own[MEMORY] = listed([b"\0" + number(-(-end // PAGE))])
    own[GLOBAL] = listed([b"\x7f\x01" + constant(stack)])  # the stack pointer, which may change
    functions = (
        sized(name.encode()) + b"\0" + number(found.functions[name.encode()]) for name in exports
    )
    own[EXPORT] = listed([*functions, sized(b"memory") + b"\x02\0"])
    own[CODE] = bytes(code)
    own[DATA] = listed(b"\0" + constant(s.address) + sized(bytes(s.data)) for s in found.segments)
    sections = (bytes([kind]) + sized(own[kind]) for kind in ORDER if kind in own)
    return MAGIC + b"".join(sections), end


def _move(found: ObjectFile, place: Relocation, code: bytearray | None) -> None:
    """Write an address at its place: in `code`, or in a segment."""
    if place.symbol not in found.places:
        raise NotLinkable("an address of something that is not defined")
    segment, offset = found.places[place.symbol]
    address = found.segments[segment].address + offset + place.addend
    target, at = code, place.offset
    if target is None:
        starts = [*(each.start for each in found.segments), 1 << 62]
        within = next(i for i, (a, b) in enumerate(pairwise(starts)) if a <= at < b)
        target, at = found.segments[within].data, at - starts[within]
    if place.kind == ADDRESS_I32:
        target[at : at + 4] = address.to_bytes(4, "little")
    else:  # five bytes; as a signed number it reads the same, being far below 2**31
        target[at : at + 5] = bytes(
            address >> 7 * i & 0x7F | (0x80 if i < 4 else 0) for i in range(5)
        )


def _imports(reader: Reader) -> Iterator[bytes]:
    """The imports that stay: functions."""
    for _ in range(reader.number()):
        start = reader.at
        reader.name()
        name = reader.name()
        kind = reader.byte()
        if kind == 0:
            reader.number()
            yield reader.data[start : reader.at]
        elif kind == 2:
            if reader.number() & 1:
                reader.number()
            reader.number()
        elif kind == 3 and name == b"__stack_pointer":
            reader.take(2)
        else:
            raise NotLinkable(f"an import of kind {kind}, {name.decode()}")


def described(memory: Mapping[str, np.ndarray[Any, Any]]) -> list[dict[str, Any]]:
    """Describe each array: name, shape, bytes of an item, fields of a record, and its content.

    An array at the address of an earlier one is a view of that (`of`). The content is zero, or
    `fill`, the value of every byte, or `data`, the first bytes in base64, after which all are zero.
    """
    found: list[dict[str, Any]] = []
    places: dict[int, str] = {}
    for name, array in memory.items():
        one: dict[str, Any] = {
            "name": name, "shape": list(array.shape), "size": array.dtype.itemsize,
            "kind": kind(array.dtype),
        }  # fmt: skip
        if array.dtype.names:
            one["fields"] = fields(array.dtype)
        address = array.ctypes.data
        if array.size and address in places:
            one["of"] = places[address]
        else:
            places[address] = name
            one |= contents(array)
        found.append(one)
    return found


def fields(dtype: np.dtype[Any]) -> dict[str, Any]:
    """Return offset and kind of each field of a record."""
    held: Mapping[str, Any] = dtype.fields or {}
    return {name: [held[name][1], kind(held[name][0])] for name in dtype.names or ()}


def kind(dtype: np.dtype[Any]) -> str:
    """A letter and a number of bytes: i8, u1, f8; V for a record."""
    base = dtype.base
    return "V" if base.names else f"{base.kind}{base.itemsize}"


def contents(array: np.ndarray[Any, Any]) -> dict[str, Any]:
    """The content of an array, as `fill` or `data`; nothing for zeros."""
    data = np.ascontiguousarray(array).reshape(-1).view(np.uint8)
    used = np.flatnonzero(data)
    if not used.size:
        return {}
    first = int(data[0])
    if (data == first).all():
        return {"fill": first}
    return {"data": b64encode(data[: used[-1] + 1].tobytes()).decode()}
