"""Kernels: the functions of a template, and the bindings of the names that these leave open."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from types import FunctionType, ModuleType
from typing import Any, Protocol, TypeVar

from dragon.compiler.fingerprint import named_in

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
