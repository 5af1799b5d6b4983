"""The conda recipe says what pyproject.toml says."""

from __future__ import annotations

import re
from pathlib import Path
from runpy import run_path
from typing import Any

import yaml

CHECK = run_path(str(Path(__file__).parents[1] / "conda" / "check.py"))


def rendered() -> dict[str, Any]:
    """The recipe with its variables filled in; KeyError for one that is not defined."""
    text = CHECK["RECIPE"].read_text(encoding="utf-8")
    known = {"PYTHON": "python"} | yaml.safe_load(text)["context"]
    found: dict[str, Any] = yaml.safe_load(
        re.sub(r"\$\{\{ *(\w+) *\}\}", lambda name: known[name[1]], text)
    )
    return found


def test_the_conda_recipe_is_of_this_project() -> None:
    assert list(CHECK["differences"](rendered())) == []


def test_what_a_recipe_says_otherwise_is_named() -> None:
    recipe = rendered()
    recipe["package"]["version"] = "9"
    recipe["requirements"]["run"].remove("numpy >=2.0")
    said = list(CHECK["differences"](recipe))
    assert [each.partition(":")[0] for each in said] == ["version", "requirements to run"]
