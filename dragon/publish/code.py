"""Code: kernels for a game's rules as a WebAssembly module, and what calling them needs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from attrs import frozen

from dragon.compiler.assembly import Assembly
from dragon.compiler.emission import function_text
from dragon.compiler.kernel import Bindings
from dragon.compiler.machine import Target, object_code
from dragon.compiler.refusal import Refused
from dragon.compiler.specialise import as_rule_error, program_of
from dragon.compiler.types import of_value
from dragon.publish.wasm import linked

BROWSER = Target(
    "wasm32-unknown-unknown", "mvp", "+bulk-memory,+sign-ext,+nontrapping-fptoint,+mutable-globals"
)
"""What every browser has that was published since 2021."""


@frozen
class Module:
    """A WebAssembly module."""

    code: bytes
    end: int
    """Where its own memory ends; what lies behind is the caller's."""
    failures: tuple[str, ...]
    """What a status stands for, from 1 on, as a sentence."""


def module_of(rules: Bindings, kernels: Mapping[str, tuple[Any, tuple[Any, ...]]]) -> Module:
    """The kernels for the rules of a game, each exported under its name.

    rules: or these with what else a kernel is specialised to.
    kernels: functions of templates, and arguments like those that they will be given. An export
    takes for an array its address and a length (64 bits) for each axis, for a NamedTuple the same
    of each of its items, and last where it writes its values; it returns a status, 0 if all went
    well.

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
