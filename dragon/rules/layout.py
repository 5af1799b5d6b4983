"""Layout: the fields of a game's record, and the record as plain Python reads it.

A layout is a structured numpy dtype. numpy's own records (`np.record`) find a field in Python, in
about 1.5 microseconds; the classes made here have a property for each and take a fifth of that.
"""

from __future__ import annotations

from functools import cache
from operator import itemgetter
from types import FunctionType
from typing import TYPE_CHECKING, Any

from dragon.bits import GOLDEN, add, mix, mul, u64
from dragon.errors import PluginError

if TYPE_CHECKING:
    import numpy as np


LIKE = 'write one like [("ply", "i8"), ("stones", "u8", (2,))]'
IN_ORDER = "the order is Rules(layout, moves, play, turn, payoff, width=..., plies=...)"
LARGEST = 1 << 20
"""The most bytes of a record."""
_LAYOUTS: dict[np.dtype[Any], np.dtype[Any]] = {}


def layout_of(fields: Any) -> np.dtype[Any]:
    """The record's dtype, filled up to whole 8-byte words, which the default key reads.

    Equal layouts are one object, so that compiled code recognises its layout by identity.

    Raises PluginError for anything but a list of fields of numbers, and for a field that plain
    Python could not reach by its name.
    """
    import numpy as np

    if isinstance(fields, FunctionType):
        raise PluginError(f"the layout is the function {fields.__name__!r}; {IN_ORDER}")
    try:
        given = np.dtype(fields)
    except (TypeError, ValueError) as wrong:
        raise PluginError(f"the layout cannot be read: {wrong}; {LIKE}") from wrong
    if not given.names or given.fields is None:
        raise PluginError(f"the layout {fields!r} has no fields; {LIKE}")
    if given.hasobject or not given.isnative:
        raise PluginError(f"the layout {fields!r} holds more than this machine's numbers; {LIKE}")
    if given.itemsize > LARGEST:
        raise PluginError(
            f"a record of {given.itemsize:,} bytes is too large, for searches keep thousands; "
            f"{LARGEST:,} are the most"
        )
    _check_names(given)
    whole: np.dtype[Any] = np.dtype(_described(given) | {"itemsize": -(-given.itemsize // 8) * 8})
    return _LAYOUTS.setdefault(whole, whole)


def _described(layout: np.dtype[Any]) -> Any:
    """Return the fields of a dtype as `numpy.dtype` takes them."""
    fields = {} if layout.fields is None else layout.fields
    names = list(layout.names or ())
    formats, offsets = ([fields[name][i] for name in names] for i in (0, 1))
    return {"names": names, "formats": formats, "offsets": offsets, "itemsize": layout.itemsize}


def _check_names(layout: np.dtype[Any]) -> None:
    """Raise PluginError for a field, of nested records too, that numpy hides from plain Python."""
    import numpy as np

    for name in layout.names or ():
        if hasattr(np.recarray, name) or hasattr(np.record, name):
            raise PluginError(
                f"the record's field {name!r} has a name that numpy's records use themselves, so "
                f"plain Python would not find it; call it something else, such as 'the_{name}'"
            )
        assert layout.fields is not None
        _check_names(layout.fields[name][0].base)


def readable(layout: np.dtype[Any], exact: bool = False) -> np.dtype[Any]:
    """Return the dtype whose items have the fields as attributes, those of nested records too.

    exact: integers of fewer than 64 bits, also in arrays, are read as Python's own, which do not
    wrap around as numpy's do. So a number that does not fit into its field raises OverflowError, as
    in checked code.

    >>> import numpy as np
    >>> cards = np.dtype([("hand", np.uint32, (3,)), ("turn", np.uint8)])
    >>> record = np.zeros(2, readable(cards))[1]
    >>> record.turn = 2
    >>> record.turn, record.hand.tolist()
    (np.uint8(2), [0, 0, 0])
    """
    import numpy as np

    if layout.subdtype is not None:
        base, shape = layout.subdtype
        return np.dtype((readable(base, exact), shape))
    if layout.names is None:
        return layout
    made = _described(layout)
    kinds = dict(zip(layout.names, made["formats"], strict=True))
    narrow = {name for name, kind in kinds.items() if _narrow(kind.base)}
    made["formats"] = [readable(kind, exact) for kind in kinds.values()]
    inner = np.dtype(made, align=layout.isalignedstruct)
    properties = {name: property(itemgetter(name), _setter(name)) for name in layout.names}
    own = _exact_items(narrow) if exact and narrow else {}
    return np.dtype((type("Record", (np.void,), {"__slots__": (), **own, **properties}), inner))


def _setter(name: str) -> Any:
    def put(record: Any, value: Any) -> None:
        record[name] = value

    return put


def _narrow(dtype: np.dtype[Any]) -> bool:
    return dtype.kind in "iu" and dtype.itemsize < 8


def _exact_items(names: set[str]) -> dict[str, Any]:
    """Return the methods by which a record reads and writes its narrow fields of these names."""
    import numpy as np

    read, write = np.void.__getitem__, np.void.__setitem__

    def get(record: Any, name: Any) -> Any:
        found = read(record, name)
        if name not in names:
            return found
        return found.view(_exact_array()) if isinstance(found, np.ndarray) else int(found)

    def put(record: Any, name: Any, value: Any) -> None:
        write(record, name, int(value) if isinstance(value, np.integer) else value)

    return {"__getitem__": get, "__setitem__": put}


@cache
def _exact_array() -> Any:
    """Return a class of arrays of narrow integers whose elements are read as Python's own."""
    import numpy as np

    read, write = np.ndarray.__getitem__, np.ndarray.__setitem__

    class Exact(np.ndarray[Any, Any]):
        def __getitem__(self, index: Any) -> Any:
            found = read(self, index)
            return found if found.__class__ is Exact else int(found)

        def __setitem__(self, index: Any, value: Any) -> None:
            write(self, index, int(value) if isinstance(value, np.integer) else value)

        def __iter__(self) -> Any:
            return iter(self.tolist()) if self.ndim == 1 else super().__iter__()

    return Exact


def hash_words(words: Any) -> Any:
    """The default key of a record: its uint64 words mixed one after another; not injective."""
    h = u64(GOLDEN)
    for i in range(len(words)):
        h = mix(add(mul(h, u64(GOLDEN)), words[i]))
    return h
