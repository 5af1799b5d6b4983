"""Modes: the way rules run in this process and its children, by variables of the environment.

DRAGON_JIT: 1, compiled; 0, in plain Python; numba, compiled by numba. DRAGON_CHECKED: with 1,
compiled rules stop at the first breach of their contract. DRAGON_OPTIMISED: with 1, every kernel is
fully optimised before it first runs.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeVar

from dragon.errors import ConfigError

T = TypeVar("T")


class Mode:
    """A variable of the environment that is read once; the first of its values is the default."""

    def __init__(self, variable: str, *values: str) -> None:
        self.variable, self.values = variable, values
        self.value: str | None = None
        """The value; None until it is read first."""

    def __call__(self) -> str:
        """Return its value; raise ConfigError if that is not a known one."""
        if self.value is None:
            self.value = self._known(os.environ.get(self.variable) or self.values[0])
        return self.value

    @contextmanager
    def under(self, value: str) -> Iterator[None]:
        """Set this value within, for this process and those that it starts."""
        before, inherited = self.value, os.environ.get(self.variable)
        self.set(value)
        try:
            yield
        finally:
            self.value = before
            if inherited is None:
                os.environ.pop(self.variable, None)  # another thread may have been here
            else:
                os.environ[self.variable] = inherited

    def set(self, value: str) -> None:
        """Set this value, for this process and those that it starts."""
        self.value = os.environ[self.variable] = self._known(value)

    def _known(self, value: str) -> str:
        if value not in self.values:
            *first, last = sorted(self.values)
            raise ConfigError(
                f"{self.variable} is {value!r}; set it to {', '.join(first)} or {last}, "
                f"or not at all"
            )
        return value


@contextmanager
def setting(variable: ContextVar[T], value: T) -> Iterator[None]:
    """Give a variable this value within, for this thread or task."""
    token = variable.set(value)
    try:
        yield
    finally:
        variable.reset(token)


JIT = Mode("DRAGON_JIT", "1", "0", "numba")
CHECKED = Mode("DRAGON_CHECKED", "0", "1")
OPTIMISED = Mode("DRAGON_OPTIMISED", "0", "1")


def read_modes() -> None:
    """Read all modes; raise ConfigError for a value that is not known."""
    for mode in (JIT, CHECKED, OPTIMISED):
        mode()


def jit_enabled() -> bool:
    """Return False under DRAGON_JIT=0: rules then run in plain Python and no kernel is compiled."""
    return (JIT.value or JIT()) != "0"


def checked() -> bool:
    """Return True if compiled rules are checked as they run."""
    return (CHECKED.value or CHECKED()) == "1"


def optimised() -> bool:
    """Return True if no kernel is compiled quickly first; see `dragon.compiler.kernel`."""
    return (OPTIMISED.value or OPTIMISED()) == "1"
