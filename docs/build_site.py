"""Makes the site of these pages, games included: `python docs/build_site.py [FOLDER]`.

Every game that a page names by `<!-- play SPEC -->` is published first, then Sphinx makes the
pages (`conf.py`), where a broken link, a picture that is not there or an unknown name is an
error; at last it is an error, too, if a page would load anything from another host. The folder
is `build/site`; `index.html` leads to the front page. Needs the extras `docs` and `web`.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from runpy import run_path

try:
    from sphinx.cmd.build import main as sphinx
except ModuleNotFoundError:
    sys.exit("the site needs Sphinx; pip install -e '.[docs,web]'")

from dragon.cli import main as dragon

ROOT = Path(__file__).parents[1]
PLAY = run_path(str(ROOT / "docs" / "play.py"))
FRONT = """<!doctype html>
<html lang="en"><meta charset="utf-8"><title>dragon</title>
<meta http-equiv="refresh" content="0; url=docs/README.html">
<p><a href="docs/README.html">The documentation of dragon</a></p></html>
"""
LOADS = re.compile(
    r"""<(?:script|img|iframe|source|audio|video|embed|object)\b[^>]*?\b(?:src|data)="""
    r"""["']?(?:https?:)?//[^\s"'>]+"""
    r"""|<link\b(?![^>]*rel=["']?canonical)[^>]*?\bhref=["']?(?:https?:)?//[^\s"'>]+"""
    r"""|@import\s+["']?(?:url\()?["']?(?:https?:)?//[^\s"')]+|url\(["']?(?:https?:)?//[^\s"')]+"""
)
"""What a browser fetches from another host as it shows a page or a style."""


def published() -> set[str]:
    """The specs of the games that the pages hold."""
    pages = (ROOT / "docs").rglob("*.md")
    return {spec for page in pages for spec in PLAY["MARK"].findall(page.read_text("utf-8"))}


def remote(site: Path) -> Iterator[str]:
    """What files of the site would load from other hosts: the file, and the reference."""
    for file in sorted(site.rglob("*")):
        if file.suffix in (".html", ".css", ".svg"):
            text = file.read_text(encoding="utf-8")
            yield from (f"{file.relative_to(site)}: {found}" for found in LOADS.findall(text))


def build(site: Path) -> None:
    """Makes the whole site; ends the program with a sentence where something is wrong."""
    (site / "play").mkdir(parents=True, exist_ok=True)
    for spec in sorted(published()):
        arguments = ["publish", spec, "--to", str(site / PLAY["file"](spec)), "--single"]
        dragon(arguments, standalone_mode=False)
    trees = f"{site}-trees"
    options = ["-W", "--keep-going", "-q", "-c", str(ROOT / "docs"), "-d", trees]
    if code := sphinx([*options, str(ROOT), str(site)]):
        sys.exit(code)
    (site / "index.html").write_text(FRONT, encoding="utf-8")
    if found := list(remote(site)):
        said = "The site would load from other hosts; keep a copy in docs/ instead:"
        sys.exit("\n".join([said, *found]))
    print(f"{site / 'index.html'}: {len(list(site.rglob('*.html')))} pages")


if __name__ == "__main__":
    build(Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "build" / "site").resolve())
