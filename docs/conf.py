"""The settings by which Sphinx makes a site of the pages: `python docs/build_site.py`.

The source folder is the repository, so that every link among pages and files leads to the same
place in both. Three things are added to pages as they are read: what stands in the side bar, from
the headings and links of README.md; the docstrings of what plugins may import, to api.md; and
where it says `<!-- play SPEC -->`, the game that `build_site.py` published (`play.py`).
"""

from __future__ import annotations

import re
from importlib.metadata import version as installed
from pathlib import Path
from runpy import run_path
from typing import Any

from sphinx.util.nodes import make_refnode

import dragon

ROOT = Path(__file__).parents[1]
REFERENCE = ROOT / "docs" / "reference.md"
framed = run_path(str(ROOT / "docs" / "play.py"))["framed"]

project = "dragon"
version = release = installed("dragon-search")

extensions = ["myst_nb", "sphinx.ext.autodoc", "sphinx.ext.viewcode"]
root_doc = "docs/README"
include_patterns = ["docs/**.md", "docs/**.ipynb", "CHANGELOG.md", "CONTRIBUTING.md"]
highlight_language = "text"
default_role = "code"
nitpicky = True
nitpick_ignore_regex = [("py:.*", ".*")]
"""Annotations may name classes that no plugin may import, which are not documented."""

myst_heading_anchors = 6
myst_enable_extensions: list[str] = []
nb_execution_mode = "off"
autodoc_member_order = "bysource"
autodoc_mock_imports = [
    "gymnasium",
    "pettingzoo",
    "pyspiel",
]  # of bridges, whose names are documented
autodoc_default_options = {"show-inheritance": True}

html_theme = "furo"
html_title = f"dragon {release}"
html_show_copyright = False
FONT = ROOT / "dragon" / "web" / "static"
html_static_path = [
    str(FONT / name)
    for name in ("font.css", "figtree.woff2", "figtree-ext.woff2", "figtree-OFL.txt")
]
html_css_files = ["font.css"]
html_theme_options = {"light_css_variables": {"font-stack": "Figtree, system-ui, sans-serif"}}
html_search_scorer = str(ROOT / "docs" / "static" / "scorer.js")


def setup(app: Any) -> None:
    """Connects what is added to pages."""
    app.connect("source-read", added)
    app.connect("missing-reference", of_dragon)
    # A page that is opened from a disk may not fetch the pages that a search has found.
    options = "DOCUMENTATION_OPTIONS.SHOW_SEARCH_SUMMARY = location.protocol !== 'file:';"
    app.add_js_file(None, body=options)


def added(_app: Any, page: str, source: list[str]) -> None:
    """Adds to a page what only the site has."""
    source[0] = framed(source[0], "../" * page.count("/"))
    if page == root_doc:
        source[0] += side_bar(source[0])
    elif page == "docs/api":
        source[0] += "".join(map(docstrings, public()))


def side_bar(index: str) -> str:
    """A hidden table of contents for each heading of the index with the pages linked below it."""
    text = ""
    for section in index.split("\n## ")[1:]:
        pages = dict.fromkeys(re.findall(r"\]\(([\w./-]+\.(?:md|ipynb))\)", section))
        if pages:
            caption, *_ = section.splitlines()
            text += "\n".join(["\n```{toctree}", ":hidden:", f":caption: {caption}", "", *pages])
            text += "\n```\n"
    return text


def public() -> list[tuple[str, list[str]]]:
    """Return the modules that plugins may import, and the names of each; none: all its names."""
    listed = REFERENCE.read_text(encoding="utf-8").partition("\n## What plugins may import\n")[2]
    section = listed.partition("\n## ")[0]
    rows = re.findall(r"^\| `(dragon[\w.]+)` \| ([^|]*) \|", section, re.MULTILINE)
    return [("dragon", []), *((module, re.findall(r"`(\w+)`", names)) for module, names in rows)]


def docstrings(row: tuple[str, list[str]]) -> str:
    """Return a heading and the docstrings of a module, less those of names that `dragon` has."""
    module, names = row
    elsewhere = ["frozen"] if module == "dragon" else dragon.__all__
    options = [f"   :members: {', '.join(names)}", f"   :exclude-members: {', '.join(elsewhere)}"]
    if module.removeprefix("dragon.") in dragon.__all__:  # the function has the same name
        options.append("   :no-index:")
    lines = [f".. automodule:: {module}", *options]
    return "\n".join([f"\n## {module}\n", "```{eval-rst}", *lines, "```\n"])


def of_dragon(app: Any, env: Any, node: Any, content: Any) -> Any:
    """A link to a name in an annotation, where it is one that `dragon` itself has."""
    name = f"dragon.{str(node.get('reftarget')).rpartition('.')[2]}"
    if node.get("refdomain") != "py" or name not in env.domains["py"].objects:
        return None
    return make_refnode(app.builder, node["refdoc"], "docs/api", name, content)
