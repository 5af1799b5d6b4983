"""Arrays: a kernel's memory as JSON, from which a script makes it in the browser."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping
from typing import Any

import numpy as np


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
