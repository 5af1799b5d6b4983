"""Renders the recipe by rattler-build, holds it against pyproject.toml: `python conda/check.py`.

Needs `py-rattler-build`, and asks nothing of any server: rendering reads the recipe, fills in its
variables for a platform, and parses versions, licences and requirements. It solves no environment
and builds nothing. For each platform one package must come of it, the same for all (`noarch`).
"""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
RECIPE = ROOT / "conda" / "recipe.yaml"
PLATFORMS = ("linux-64", "linux-aarch64", "osx-64", "osx-arm64", "win-64")


def differences(recipe: dict[str, Any]) -> Iterator[str]:
    """What a rendered recipe says that pyproject.toml does not, a sentence each."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    project, needs = settings["project"], recipe["requirements"]
    python = f"python{project['requires-python']}"
    licences = recipe["about"]["license_file"]
    pairs = {
        "name": (recipe["package"]["name"], project["name"]),
        "version": (recipe["package"]["version"], project["version"]),
        "summary": (recipe["about"]["summary"], project["description"]),
        "licence": (recipe["about"]["license"], project["license"]),
        "licence files": (
            [licences] if isinstance(licences, str) else licences, project["license-files"],
        ),
        "commands": (
            recipe["build"]["python"]["entry_points"],
            [f"{name} = {value}" for name, value in project["scripts"].items()],
        ),
        "requirements to run": (
            [each.replace(" ", "") for each in needs["run"]], [python, *project["dependencies"]],
        ),
        "requirements to build": (
            [each.replace(" ", "") for each in needs["host"]],
            [python, *settings["build-system"]["requires"], "pip"],
        ),
    }  # fmt: skip
    for what, (said, meant) in pairs.items():
        if said != meant:
            yield f"{what}: {said} in the recipe, {meant} in pyproject.toml"
    yield from (
        f"no file {each}" for each in project["license-files"] if not (ROOT / each).exists()
    )


def rendered(platform: str) -> list[Any]:
    """What the recipe becomes on a platform: a variant for each package."""
    from rattler_build import PlatformConfig, RenderConfig, Stage0Recipe, VariantConfig

    recipe = Stage0Recipe.from_file(str(RECIPE))
    where = RenderConfig(platform=PlatformConfig(target_platform=platform))
    return list(recipe.render(VariantConfig(), where))


def main() -> None:
    """Renders for each platform; ends with sentences where something is wrong."""
    found = [rendered(platform) for platform in PLATFORMS]
    builds = {each.recipe.to_dict()["build"]["string"] for made in found for each in made}
    if len(builds) != 1 or any(len(made) != 1 for made in found):
        sys.exit(f"not one package for all platforms: {found}")
    recipe = found[0][0].recipe.to_dict()
    if wrong := list(differences(recipe)):
        sys.exit("\n".join(wrong))
    package = recipe["package"]
    print(f"{package['name']}-{package['version']}-{builds.pop()} on {', '.join(PLATFORMS)}")


if __name__ == "__main__":
    main()
