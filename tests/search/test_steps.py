"""Kernels name the steps of their algorithms, by numbers that docs and references follow."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

SEARCH = Path(__file__).parents[2] / "dragon" / "search"
STEPS = {"alphabeta": 9, "dfpn": 7, "mcts": 5, "nrpa": 4}


@pytest.mark.parametrize("name", STEPS)
def test_a_kernel_has_all_steps_of_its_algorithm(name: str) -> None:
    text = (SEARCH / name / "kernel.py").read_text(encoding="utf-8")
    found = sorted(re.findall(r"^ +# (\d)\. \w", text, re.M))
    assert found == [str(i + 1) for i in range(STEPS[name])]
