"""Assembly: a module of LLVM's assembly language in the making, with its functions and tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from attrs import define, field

from dragon.compiler.tree import Instance

MOST_TURNS = 10_000_000
"""Turns of loops and recursive calls within one call of a rule in checked code; kernels do not have
such a bound."""
HEX = [f"\\{byte:02X}" for byte in range(256)]


class Failure(NamedTuple):
    """The meaning of a status other than 0: the exception, and the line that raised it."""

    kind: str
    """Module and name of its class."""
    message: str
    file: str
    line: int
    function: str


@define
class Assembly:
    """A module of LLVM in the making."""

    checked: bool = False
    deep: bool = False
    """True if every function is given how many calls deep it is, and where on the stack the first
    of them was, since one calls itself."""
    failures: list[Failure] = field(factory=list)
    """The meanings of the statuses from 1 on."""
    _texts: list[str] = field(factory=list)
    _named: dict[int, str] = field(factory=dict)
    _declared: dict[str, None] = field(factory=dict)
    _waiting: list[Instance] = field(factory=list)
    _functions: dict[str, Instance] = field(factory=dict)
    _calls: Counter[str] = field(factory=Counter)
    """The number of places where each function is called."""
    _held: list[Any] = field(factory=list)
    _loops: int = 0

    def text(self, emitted: Callable[[Assembly, Instance], str]) -> str:
        """The whole module; `emitted` gives the text of a function, which may need others."""
        while self._waiting:
            self._texts.append(emitted(self, self._waiting.pop()))
        groups = [
            f"attributes #{i} = {{ nounwind{' alwaysinline' * self._is_part(instance)} }}"
            for i, instance in enumerate(self._functions.values())
        ]
        return "\n".join([*self._declared, *self._texts, *groups]) + "\n"

    def function(self, instance: Instance) -> str:
        """Count one more place that calls a function, which is emitted once; return its name."""
        if instance.name not in self._functions:
            self._functions[instance.name] = instance
            self._waiting.append(instance)
        self._calls[instance.name] += 1
        return f'@"{instance.name}"'

    def attributes(self, instance: Instance) -> str:
        """The group of a function's attributes, which are known when all calls are."""
        return f"#{list(self._functions).index(instance.name)}"

    def _is_part(self, instance: Instance) -> bool:
        """Return True if a function is a part of its caller: a kernel that is called in one place.

        LLVM would inline it too, but only after it has optimised both by themselves. For rules the
        choice is left to LLVM: some are quicker when they have been optimised first.
        """
        once = self._calls[instance.name] == 1
        return once and instance.kernel and not instance.recursive

    def raises(self, instance: Instance) -> bool:
        """Return True if a function returns a status before its value."""
        return instance.raises or self.checked or self.deep

    def passed(self, depth: str) -> list[str]:
        """Return the arguments that every function gets after its own, the depth included.

        %turns: i64[2], how many turns were taken, and how many may be.
        """
        own = [f"i64 {depth}", "i64 %base"] if self.deep else []
        return [*own, "ptr noalias %turns"] if self.checked else own

    def frame(self) -> str:
        """The address of the stack's innermost frame."""
        self.declare("declare ptr @llvm.frameaddress.p0(i32)")
        return "call ptr @llvm.frameaddress.p0(i32 0)"

    def declare(self, line: str) -> None:
        """Add a declaration, once."""
        self._declared[line] = None

    def at_once(self, lanes: int) -> str:
        """The mark of a loop that LLVM is to vectorise with this width; other loops have none."""
        kinds = {"vectorize.enable": "i1 true", "vectorize.width": f"i32 {lanes}",
                 "interleave.count": "i32 1", "unroll.disable": ""}  # fmt: skip
        said = []
        for number, (name, value) in enumerate(kinds.items()):
            said.append(f"!{100 * lanes + number}")
            more = f", {value}" if value else ""
            self.declare(f'{said[-1]} = !{{!"llvm.loop.{name}"{more}}}')
        self._loops += 1  # each loop has a mark of its own
        mark = f"!{10_000 + self._loops}"
        self.declare(f"{mark} = distinct !{{{', '.join([mark, *said])}}}")
        return mark

    def table(self, value: Any) -> str:
        """The name of an array or record that is part of the program."""
        found = self._named.get(id(value))
        if found is None:
            found = self._named[id(value)] = f"@table.{len(self._named)}"
            self._held.append(value)  # so that the id stays its own
            data = np.asarray(value).tobytes()
            text = "".join(map(HEX.__getitem__, data))
            self.declare(f'{found} = private constant [{len(data)} x i8] c"{text}", align 16')
        return found

    def failure(self, instance: Instance, kind: type[BaseException], text: str, line: int) -> int:
        """The status of an exception raised at a line."""
        code = instance.function.__code__
        name = f"{kind.__module__}:{kind.__qualname__}"
        made = Failure(name, text, code.co_filename, line, code.co_name)
        if made not in self.failures:
            self.failures.append(made)
        return self.failures.index(made) + 1

    def entry(self, name: str, instance: Instance, words: bool = False) -> None:
        """A function to be called from outside, each part of an argument an argument in C.

        It gives its status, and writes its values to `out`, 8 bytes for each part; words: whether
        it finds the parts of its arguments in memory in the same way.
        """
        parts = [part for kind in instance.arguments for part in kind.parts()]
        outside = ["i64" if part == "i1" else part for part in parts]
        given = [f"{part} %a{i}" for i, part in enumerate(outside)]
        lines, passed = [], []
        if words:
            for i, part in enumerate(outside):
                lines.append(f"  %g{i} = getelementptr i8, ptr %words, i64 {8 * i}")
                lines.append(f"  %a{i} = load {part}, ptr %g{i}, align 8")
            given = ["ptr %words"]
        for i, part in enumerate(parts):
            if part == "i1":
                lines.append(f"  %b{i} = trunc i64 %a{i} to i1")
            passed.append(f"{part} %{'b' if part == 'i1' else 'a'}{i}")
        if self.deep:
            lines += [f"  %frame = {self.frame()}", "  %base = ptrtoint ptr %frame to i64"]
        if self.checked:
            lines += ["  %turns = alloca [2 x i64]", "  store i64 0, ptr %turns",
                      "  %last = getelementptr i64, ptr %turns, i64 1",
                      f"  store i64 {MOST_TURNS}, ptr %last"]  # fmt: skip
        passed += self.passed("0")
        returned, raises, status = self.returned(instance), self.raises(instance), "0"
        call = f"call fastcc {returned} {self.function(instance)}({', '.join(passed)})"
        lines.append(f"  {call}" if returned == "void" else f"  %r = {call}")
        for i, part in enumerate(self.parts(instance), -raises):
            value = "%r"
            if returned.startswith("{"):
                value = f"%v{i + raises}"
                lines.append(f"  {value} = extractvalue {returned} %r, {i + raises}")
            if i < 0:
                status = value
                continue
            if part == "i1":
                lines.append(f"  %w{i} = zext i1 {value} to i64")
                part, value = "i64", f"%w{i}"
            lines.append(f"  %p{i} = getelementptr i8, ptr %out, i64 {8 * i}")
            lines.append(f"  store {part} {value}, ptr %p{i}, align 8")
        lines.append(f"  ret i64 {status}")
        head = f'define i64 @"{name}"({", ".join([*given, "ptr %out"])}) nounwind {{'
        self._texts.append("\n".join([head, *lines, "}"]))

    def parts(self, instance: Instance) -> list[str]:
        """LLVM's types of what a function returns: a status first, if it has one."""
        values = instance.returns.parts() if instance.returns is not None else ()
        return ["i64"] * self.raises(instance) + [*values]

    def returned(self, instance: Instance) -> str:
        """The fields as one type."""
        parts = self.parts(instance)
        return "{ " + ", ".join(parts) + " }" if len(parts) > 1 else "".join(parts) or "void"
