"""Kernels and their plain twins: the same steps, under the same words and in one order."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

SEARCH = Path(__file__).parents[2] / "dragon" / "search"
STEPS = {"alphabeta": 9, "mcts": 5, "nrpa": 4}


def steps(file: Path) -> list[str]:
    """The comments that number the steps of an algorithm."""
    return re.findall(r"^ +# (\d\. .*)$", file.read_text(encoding="utf-8"), re.M)


@pytest.mark.parametrize("name", STEPS)
def test_a_kernel_has_the_steps_of_its_twin(name: str) -> None:
    plain = steps(SEARCH / name / "plain.py")
    assert [step.partition(".")[0] for step in plain] == [str(i + 1) for i in range(STEPS[name])]
    assert sorted(steps(SEARCH / name / "kernel.py")) == plain
