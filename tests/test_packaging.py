"""The conda recipe says what pyproject.toml says."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def rendered() -> dict[str, Any]:
    """The recipe with its variables filled in; KeyError for one that is not defined."""
    text = (ROOT / "conda" / "recipe.yaml").read_text(encoding="utf-8")
    known = {"PYTHON": "python"} | yaml.safe_load(text)["context"]
    found: dict[str, Any] = yaml.safe_load(
        re.sub(r"\$\{\{ *(\w+) *\}\}", lambda name: known[name[1]], text)
    )
    return found


def test_the_conda_recipe_is_of_this_project() -> None:
    recipe = rendered()
    assert recipe["package"] == {"name": PROJECT["name"], "version": PROJECT["version"]}
    assert recipe["about"]["summary"] == PROJECT["description"]
    assert recipe["about"]["license"] == PROJECT["license"]


def test_the_conda_recipe_needs_and_installs_the_same() -> None:
    recipe = rendered()
    python, *needed = (each.replace(" ", "") for each in recipe["requirements"]["run"])
    assert python == f"python{PROJECT['requires-python']}"
    assert needed == PROJECT["dependencies"]
    scripts = [f"{name} = {value}" for name, value in PROJECT["scripts"].items()]
    assert recipe["build"]["python"]["entry_points"] == scripts
