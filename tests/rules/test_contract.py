"""The contract of rules is what every place that knows rules by name says too."""

from __future__ import annotations

import ast
import inspect
from pathlib import Path

import attrs
import pytest

import dragon
from dragon.core import State
from dragon.rules import template
from dragon.rules.contract import ARRAYS, OPTIONAL, REQUIRED, RULES
from dragon.rules.kernels import guards, rehearsal
from dragon.rules.rules import Rules

OF_RECORDS = ("rank", "unrank", "before")
"""Rules that tables ask, which are made of records alone."""
FIELDS = attrs.fields_dict(Rules)


def test_the_fields_of_rules_are_the_contract_in_its_order() -> None:
    assert [name for name in FIELDS if name in RULES] == list(RULES)
    assert all(FIELDS[name].default is attrs.NOTHING for name in REQUIRED)
    assert all(FIELDS[name].default is None for name in OPTIONAL)


@pytest.mark.parametrize("name", RULES)
def test_templates_may_name_a_rule(name: str) -> None:
    assert getattr(template, name) is RULES[name].null
    assert getattr(template, f"own_{name}") is RULES[name].null
    assert getattr(template, f"HAS_{name.upper()}") is False


def test_templates_may_name_nothing_else() -> None:
    for name in ("has_key", "HAS_key", "HAS_KEYS", "KEY", "own_", "own", "keys"):
        with pytest.raises(AttributeError, match=f"no '?{name}"):
            getattr(template, name)


@pytest.mark.parametrize("name", RULES)
def test_first_games_ask_every_rule(name: str) -> None:
    assert rehearsal.ASKED[getattr(rehearsal, name.upper())] == name
    assert f"asked[0] = {name.upper()}" in inspect.getsource(rehearsal).replace(
        "ODDS if HAS_ODDS and seat == CHANCE else SAMPLE", "ODDS\n asked[0] = SAMPLE"
    )


@pytest.mark.parametrize("name", [name for name in OPTIONAL if name not in OF_RECORDS])
def test_a_state_has_every_optional_rule(name: str) -> None:
    assert hasattr(State, {"reduce": "distinct", "skip": "skipped"}.get(name, name))


@pytest.mark.parametrize("name", RULES)
def test_a_guard_has_the_arguments_of_its_rule(name: str) -> None:
    if hasattr(guards, f"own_{name}"):
        guard = inspect.signature(getattr(guards, name))
        assert list(guard.parameters) == list(inspect.signature(RULES[name].null).parameters)


@pytest.mark.parametrize("name", RULES)
def test_a_rule_that_is_given_an_array_has_a_guard_in_all_code(name: str) -> None:
    """So that no kernel can give it another length."""
    rule = RULES[name]
    kinds = dict(zip(rule.parameters, rule.kinds, strict=True))
    assert list(rule.lengths) == [given for given, kind in kinds.items() if kind in ARRAYS]
    assert not rule.lengths or hasattr(guards, f"own_{name}")


@pytest.mark.parametrize("name", RULES)
def test_every_rule_says_what_it_is_given_and_what_it_means(name: str) -> None:
    rule = RULES[name]
    assert len(rule.kinds) == len(inspect.signature(rule.null).parameters)
    assert rule.kinds[0] == "record"
    assert rule.returns in ("integer", "word", "number", "pair", "anything")
    assert rule.meaning.endswith(".")
    assert bool(rule.used_by) == (name in OPTIONAL)


def test_no_kernel_has_the_name_of_a_rule() -> None:
    """In code that is specialised to a game that has the rule, the rule would take its place."""
    folder = Path(dragon.__file__).parent
    wrong = [
        f"{file.relative_to(folder)}: {node.name}"
        for file in [*(folder / "search").rglob("*.py"), *(folder / "rules/kernels").glob("*.py")]
        if file.name != "guards.py"  # which stand for rules
        for node in ast.parse(file.read_text(encoding="utf-8")).body
        if isinstance(node, ast.FunctionDef) and node.name in RULES
    ]
    assert wrong == []
