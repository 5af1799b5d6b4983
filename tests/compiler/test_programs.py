"""One meaning of three: programs in plain Python, by numba and by dragon's own compiler.

Programs are drawn from a grammar of what the compiler reads (`programs`), with inputs on
which every operation keeps to the meaning that all three have in common (`meanings`). Results
must be equal, floats to the last bit, and so must every byte of memory that was given.

That this test can fail is tested too: programs must use each construct often, and must tell
each of some planted mistakes from the right meaning.
"""

from __future__ import annotations

import ast
import importlib
import subprocess
import sys
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings

pytestmark = pytest.mark.samples(1)

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))
programs: Any = importlib.import_module("programs")
meanings: Any = importlib.import_module("meanings")
mistakes: Any = importlib.import_module("mistakes")

COUNT = 1_000
"""Programs tried; a default run tries a tenth of them."""
BATCHES = range(1, 4)
"""So many times as many others, each batch in a process that then frees its memory.

`python tests/compiler/meanings.py dragon 4000 96000` tries more.
"""
ALL = list(HealthCheck)


def compare(back: str, count: int, size: int, folder: Path) -> None:
    """Try programs; the smallest that shows a difference is reported with what differs."""

    phases = (Phase.reuse, Phase.generate, Phase.shrink)

    @settings(max_examples=count, suppress_health_check=ALL, phases=phases)
    @given(programs.programs(size))
    def agree(program: Any) -> None:
        if back == "dragon" or program.numba:
            found = meanings.disagreements(program, meanings.BACKS[back], folder)
            assert not found, found[0]

    agree()


@pytest.mark.full
@pytest.mark.parametrize("first", range(0, COUNT, COUNT // 10))
def test_dragon_compiles_what_plain_python_means(first: int, tmp_path: Path) -> None:
    for seed in range(first, first + COUNT // 10):
        given = programs.seeded(seed, 0)
        if meanings.disagreements(given, meanings.BACKS["dragon"], tmp_path):
            pytest.fail(meanings.smallest(seed, 0, "dragon", tmp_path))


@pytest.mark.full
@pytest.mark.parametrize(("back", "count"), [("dragon", 50), ("numba", 8)])
def test_new_programs_mean_the_same(back: str, count: int, tmp_path: Path) -> None:
    """Other programs in every run."""
    compare(back, count, 0, tmp_path)


@pytest.mark.full
@pytest.mark.parametrize("batch", BATCHES)
@pytest.mark.parametrize("back", ["dragon", "numba"])
def test_many_compiled_programs_are_plain_python(back: str, batch: int) -> None:
    """Numba, which is some twenty times slower, tries one program in fifty."""
    count = COUNT if back == "dragon" else COUNT // 50
    command = [sys.executable, str(HERE / "meanings.py"), back, str(batch * COUNT), str(count)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


# ---- that it can fail ----


@cache
def program(seed: int) -> Any:
    """The program of a seed, small or larger."""
    return programs.seeded(seed, seed % 2)


@cache
def trial(seed: int) -> Any:
    """Run the program of a seed in plain Python, once."""
    return meanings.Trial(program(seed))


def constructs(tree: ast.AST) -> set[str]:
    """Name the constructs of a program."""
    found = {type(node).__name__ for node in ast.walk(tree)}
    for node in ast.walk(tree):
        match node:
            case ast.BinOp(op=op) | ast.UnaryOp(op=op) | ast.BoolOp(op=op):
                found.add(f"{type(node).__name__} {type(op).__name__}")
            case ast.Compare(ops=ops):
                found |= {f"Compare {type(op).__name__}" for op in ops}
                if len(ops) > 1:
                    found.add("Compare chained")
            case ast.Call(func=ast.Name(id=name), args=given):
                found.add("helper()" if name.startswith("helper") else f"{name}()")
                if name == "range":
                    found.add(f"range() of {len(given)}")
                    if len(given) == 3 and isinstance(given[2], ast.UnaryOp):
                        found.add("range() downward")
                if any(isinstance(x, ast.Subscript) and _slices(x) for x in given):
                    found.add("slice as an argument")
            case ast.Call(func=ast.Attribute(attr=name)):
                found.add(f".{name}()")
            case ast.AugAssign(target=target, op=op):
                found |= {f"AugAssign {type(op).__name__}", f"AugAssign to {_what(target)}"}
            case ast.Assign(targets=[ast.Tuple(elts=some)], value=value):
                several = "Tuple" if isinstance(value, ast.Tuple) else _what(value)
                found |= {f"unpack {several}", *(f"unpack to {_what(x)}" for x in some)}
            case ast.Assign(targets=[target], value=value):
                found.add(f"Assign {_what(value)} to {_what(target)}")
            case ast.For(iter=ast.Tuple()):
                found.add("for over a tuple")
            case ast.For(iter=ast.Name()):
                found.add("for over a constant tuple")
            case ast.Subscript(slice=ast.UnaryOp()):
                found.add("negative index")
            case ast.Subscript(slice=ast.Tuple(elts=some)):
                found.add(f"{len(some)} indices")
            case ast.Return(value=value):
                found.add(f"return {_what(value)}")
            case ast.FunctionDef(name="make"):
                found.add("closure")
    return found


def _slices(node: ast.Subscript) -> bool:
    return isinstance(node.slice, ast.Slice)


def _what(node: ast.AST | None) -> str:
    if isinstance(node, ast.Subscript):
        return "slice" if _slices(node) else "element"
    return {"Name": "name", "Attribute": "field"}.get(type(node).__name__, type(node).__name__)


EXPECTED = (
    *(f"BinOp {op}" for op in meanings.OPERATORS),
    *(f"AugAssign {op}" for op in meanings.OPERATORS),
    *(f"Compare {op}" for op in meanings.ORDERS),
    *("UnaryOp USub", "UnaryOp Not", "UnaryOp Invert", "BoolOp And", "BoolOp Or", "IfExp"),
    *("Compare In", "Compare NotIn", "Compare Is", "Compare IsNot", "NamedExpr"),
    *("Compare chained", "If", "While", "For", "Break", "Continue", "Raise", "closure"),
    *("range() of 1", "range() of 2", "range() of 3", "range() downward"),
    *("for over a tuple", "for over a constant tuple", "negative index", "2 indices", "3 indices"),
    *("AugAssign to name", "AugAssign to field", "AugAssign to element"),
    *("unpack Tuple", "unpack Call", "unpack name", "unpack to name", "unpack to element"),
    *("slice as an argument", "Assign slice to name", "Assign element to element"),
    *("Assign Constant to slice", "Assign Call to field", "Assign Call to name"),
    *("return Tuple", "return Call", "return NoneType", "return Compare", "helper()"),
    *(f"{name}()" for name in ("min", "max", "abs", "len", "int", "bool", "float")),
    *(f".{name}()" for name in ("int64", "uint64", "int32", "uint32", "int8", "uint8", "int16")),
    *(".sqrt()", ".log()"),
    *(f"{name}()" for name in programs.BITS.split(", ")),
)


@pytest.mark.full
def test_programs_use_every_construct() -> None:
    counts: Counter[str] = Counter()
    tried = COUNT // 2
    for seed in range(tried):
        body = ast.parse(program(seed).source).body
        functions = [node for node in body if isinstance(node, ast.FunctionDef)]
        counts.update(set[str]().union(*map(constructs, functions)))
    assert {name: counts[name] for name in EXPECTED if counts[name] < tried // 100} == {}


@pytest.mark.full
def test_most_inputs_keep_to_the_common_meaning() -> None:
    some = [trial(seed) for seed in range(COUNT // 5)]
    assert sum(len(each.expected) for each in some) > 0.85 * sum(
        len(each.program.inputs) for each in some
    )


RARE = ("loop variables past the end",)
"""Mistakes that it takes hundreds of programs to notice."""


@pytest.mark.parametrize(
    "mistake",
    [pytest.param(m, marks=[pytest.mark.full] * (m in RARE)) for m in mistakes.MISTAKES],
)
def test_programs_notice_a_mistake(mistake: str) -> None:
    assert any(mistakes.notices(trial(seed), mistake) for seed in range(COUNT))


@pytest.mark.full
def test_what_fails_is_shown_small_with_its_inputs_and_results() -> None:
    """Hypothesis shrinks a program that shows `min` as `max` to a few lines."""

    @settings(
        max_examples=COUNT,
        suppress_health_check=ALL,
        database=None,
        derandomize=True,
        phases=(Phase.generate, Phase.shrink),
        report_multiple_bugs=False,
    )
    @given(programs.programs(0))
    def agree(program: Any) -> None:
        found = meanings.Trial(program)
        if found.expected:
            differences = found.differences(mistakes.by_mistake(program, ">> logical"))
            assert not differences, differences[0]

    with pytest.raises(AssertionError) as caught:
        agree()
    message = str(caught.value)
    assert " >> " in message or ">>=" in message
    assert "called with" in message
    assert "plain Python: " in message
    assert "compiled: " in message
    body = message[message.index("def entry") : message.index("called with")]
    assert len(body.splitlines()) <= 12, body
