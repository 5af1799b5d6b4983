"""The machine: from LLVM's text to object code for a target, and from that to functions.

No other module imports llvmlite. An object is loaded without the rest of the compiler.
"""

from __future__ import annotations

from functools import cache
from threading import Lock
from typing import Any

import llvmlite.binding as llvm
from attrs import frozen

SPEED, QUICK = 2, 0
"""LLVM's levels of optimisation: for code that runs quickly, and code that is made quickly."""
PASSES = 3
"""The level of the passes before machine code, which unroll loops over short tuples."""
SLOW_DEPOSIT = ("znver1", "znver2", "bdver4")
"""Processors whose instruction `pdep` takes tens of cycles, though they have it."""
DEPOSITED = """
declare i64 @llvm.x86.bmi.pdep.64(i64, i64)
define internal i64 @select(i64 %x, i64 %k) alwaysinline nounwind {
  %low = and i64 %k, 63
  %one = shl i64 1, %low
  %bit = call i64 @llvm.x86.bmi.pdep.64(i64 %one, i64 %x)
  %at = call i64 @llvm.cttz.i64(i64 %bit, i1 false)
  ret i64 %at
}
"""
"""The k-th lowest bit set by one instruction, which puts bit k where the k-th one of x is."""
DROPPED = """
define internal i64 @select(i64 %x, i64 %k) alwaysinline nounwind {
entry:
  br label %test
test:
  %rest = phi i64 [ %x, %entry ], [ %dropped, %drop ]
  %left = phi i64 [ %k, %entry ], [ %fewer, %drop ]
  %found = icmp sle i64 %left, 0
  br i1 %found, label %end, label %drop
drop:
  %below = add i64 %rest, -1
  %dropped = and i64 %rest, %below
  %fewer = add i64 %left, -1
  br label %test
end:
  %at = call i64 @llvm.cttz.i64(i64 %rest, i1 false)
  ret i64 %at
}
"""
"""This function where there is no such instruction: the k bits below are dropped one by one."""
_LOCK = Lock()
"""LLVM's own context is not for several threads at a time."""


@frozen
class Target:
    """A kind of machine."""

    triple: str
    cpu: str = ""
    features: str = ""


@cache
def host() -> Target:
    """Return the machine that this process runs on."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    try:
        features = llvm.get_host_cpu_features().flatten()
    except RuntimeError:  # LLVM does not know how to ask here
        features = ""
    return Target(llvm.get_process_triple(), llvm.get_host_cpu_name(), features)


def _machine(target: Target, jit: bool, level: int = SPEED) -> Any:
    found = llvm.Target.from_triple(target.triple)
    # Static code is quicker, but not every system loads it.
    relocation = "static" if target.triple.startswith(("x86_64", "i686")) else "default"
    return found.create_target_machine(
        cpu=target.cpu, features=target.features, opt=level, reloc=relocation,
        codemodel="jitdefault" if jit else "default", jit=jit,
    )  # fmt: skip


_compiling = cache(_machine)
"""The target machine that compiles, made once; each object that is loaded has one of its own."""


def defined(text: str, target: Target) -> str:
    """Return an assembly text with the definition of `select` for a target, if it is declared."""
    declaration = "declare i64 @select(i64, i64)\n"
    if declaration not in text:
        return text
    deposits = "+bmi2" in target.features.split(",") and target.cpu not in SLOW_DEPOSIT
    trailing = "declare i64 @llvm.cttz.i64(i64, i1)\n"
    lacking = "" if trailing in text else trailing
    return lacking + text.replace(declaration, DEPOSITED if deposits else DROPPED)


def optimised(text: str, target: Target, machine: Any, quick: bool = False) -> Any:
    """Return the module of an assembly text, verified and optimised; less where it must be
    quick."""
    module = llvm.parse_assembly(defined(text, target))
    module.triple = target.triple
    module.data_layout = str(machine.target_data)
    module.verify()
    options = llvm.create_pipeline_tuning_options(speed_level=PASSES)
    options.loop_vectorization = options.slp_vectorization = False  # lists of moves are short
    builder = llvm.create_pass_builder(machine, options)
    first = llvm.create_new_function_pass_manager()
    first.add_sroa_pass()
    if not quick:
        first.add_jump_threading_pass()
    for function in module.functions:
        if not function.is_declaration:
            first.run(function, builder)
    if not quick:
        builder.getModulePassManager().run(module, builder)
    return module


def object_code(text: str, target: Target | None = None, quick: bool = False) -> bytes:
    """Return object code for a target, by default the host."""
    with _LOCK:
        jit = target is None
        if target is None:
            target = host()
        else:
            llvm.initialize_all_targets()
            llvm.initialize_all_asmprinters()
        machine = _compiling(target, jit, QUICK if quick else SPEED)
        code: bytes = machine.emit_object(optimised(text, target, machine, quick))
        return code


class Loaded:
    """The loader of object code, whose functions live as long as this does."""

    def __init__(self, code: bytes) -> None:
        with _LOCK:
            machine = _machine(host(), jit=True)
            self._engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), machine)
            self._engine.add_object_file(llvm.ObjectFileRef.from_data(code))
            self._engine.finalize_object()

    def address(self, name: str) -> int:
        found: int = self._engine.get_function_address(name)
        return found

    def data(self, name: str) -> int:
        found: int = self._engine.get_global_value_address(name)
        return found
