"""Kernels: the functions of a template, and the bindings of the names that these leave open.

Tiers: a kernel that works in slices starts in code that was compiled hastily. Without LLVM's
optimisation, code takes a tenth of the time to compile and two or three times as long to run, with
equal results. So the first answer comes sooner; a kernel that has run for LONG is compiled again,
fully optimised, and the next slice runs that. Code that measures time, or plays by the clock, sets
the mode `OPTIMISED`, under which nothing is compiled hastily.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from importlib import import_module
from types import FunctionType, ModuleType
from typing import Any, Protocol, TypeVar

from dragon.compiler.fingerprint import named_in
from dragon.modes import optimised

F = TypeVar("F", bound=Callable[..., Any])


def kernel(function: F) -> F:
    """Mark a function of a template: the names that it leaves open are bound to a game's."""
    function.__dragon_kernel__ = True  # type: ignore[attr-defined]
    return function


def is_kernel(value: Any) -> bool:
    """Return True if an author marked a function with `@kernel`."""
    return hasattr(value, "__dragon_kernel__")


def functions_of(module: ModuleType) -> list[tuple[str, FunctionType]]:
    """A template's kernels, its own and imported, and the plain functions that its own name.

    The compiler does not read the rest of the file, such as a search and its driver.
    """
    functions = {k: v for k, v in vars(module).items() if isinstance(v, FunctionType)}
    found = {name: function for name, function in functions.items() if is_kernel(function)}
    for function in [each for each in found.values() if each.__module__ == module.__name__]:
        found |= {k: v for k, v in named_in(function).items() if k in functions}
    return sorted(found.items())  # `named_in` gives names in no order


def title_of(template: str) -> str:
    """The short name of a template: `mcts` of `dragon.search.mcts.kernel`."""
    return template.removesuffix(".kernel").rpartition(".")[2]


def templates(template: str, found: list[str] | None = None) -> list[str]:
    """Return `template` and the templates from which it imports kernels, directly or not."""
    found = [] if found is None else found
    if template not in found:
        found.append(template)
        for _, function in functions_of(import_module(template)):
            if is_kernel(function):
                templates(function.__module__, found)
    return found


class Bindings(Protocol):
    """The value that a template is specialised to: the rules of a game, or named numbers."""

    def __hash__(self) -> int: ...

    @property
    def label(self) -> str:
        """The name of the game or problem, for the line that announces compiling."""

    @property
    def layout(self) -> Any:
        """The dtype of the game's record; None where there is none."""

    def bindings(self, checked: bool = False) -> dict[str, Any]:
        """Return the values of the names that kernels leave open; `checked`: in checked code."""


SLICED = "resume", "playouts"
"""Kernels that are called again and again until their work is done: see `dragon.search.driver` and
`dragon.rules.playout`."""
LONG = 0.2
"""Seconds: about as long as optimising takes."""


class Tiered:
    """Hastily compiled code, which is called until it has run for LONG."""

    def __init__(
        self,
        code: Callable[..., Any],
        improve: Callable[[tuple[Any, ...]], Callable[..., Any]],
    ) -> None:
        """improve: returns optimised code for arguments like those of a call."""
        self._code, self._improve = code, improve
        self.spent = 0.0

    def __call__(self, *arguments: Any) -> Any:
        """Run the hasty code, or replace it and run the optimised code."""
        if self.spent > LONG or optimised():
            return self._improve(arguments)(*arguments)
        begun = time.perf_counter()
        try:
            return self._code(*arguments)
        finally:
            self.spent += time.perf_counter() - begun
