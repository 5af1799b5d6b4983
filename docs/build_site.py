"""Make the site of these pages, games included: `python docs/build_site.py [FOLDER]`.

Every game that can be published is put into a playground, once: pages that name a game by
`<!-- play SPEC -->` hold its page there. Meanwhile Sphinx makes the pages (`conf.py`), where a
broken link, a picture that is not there or an unknown name is an error. It is one, too, if no page
holds a game that can be published, if a link among the files made leads nowhere, or if a page would
load anything from another host. The folder is `build/site`; `index.html` leads to the front page.
Needs the extras `docs` and `web`.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from html import unescape
from os.path import normpath
from pathlib import Path
from runpy import run_path
from subprocess import Popen
from urllib.parse import unquote

try:
    from sphinx.cmd.build import main as sphinx
except ModuleNotFoundError:
    sys.exit("the site needs Sphinx; pip install -e '.[docs,web]'")

ROOT = Path(__file__).parents[1]
PLAY = run_path(str(ROOT / "docs" / "play.py"))
FRONT = """<!doctype html>
<html lang="en"><meta charset="utf-8"><title>dragon</title>
<meta http-equiv="refresh" content="0; url=docs/README.html">
<p><a href="docs/README.html">dragon</a></p></html>
"""
LOADS = re.compile(
    r"""<(?:script|img|iframe|source|audio|video|embed|object)\b[^>]*?\b(?:src|data)="""
    r"""["']?(?:https?:)?//[^\s"'>]+"""
    r"""|<link\b(?![^>]*rel=["']?canonical)[^>]*?\bhref=["']?(?:https?:)?//[^\s"'>]+"""
    r"""|@import\s+["']?(?:url\()?["']?(?:https?:)?//[^\s"')]+|url\(["']?(?:https?:)?//[^\s"')]+"""
)
"""A reference that a browser fetches from another host as it shows a page or a style."""


LINKS = re.compile(r"""<(?:a|link|script|img|iframe)\b[^>]*?\b(?:href|src)=["']([^"'#?]+)""")
"""A reference of a page, without what comes after `#` and `?`."""
HOME = "../docs/README.html"


def specs() -> list[str]:
    """The games that pages hold."""
    pages = (ROOT / "docs").rglob("*.md")
    return sorted(
        {spec for page in pages for spec in PLAY["MARK"].findall(page.read_text("utf-8"))}
    )


def publishing(place: Path) -> Popen[bytes]:
    """Make the playground, in a process of its own."""
    games = ["--all", *specs(), "--to", str(place), "--home", HOME]
    return Popen([sys.executable, "-m", "dragon", "publish", *games])


def apart(place: Path) -> Iterator[str]:
    """Games of the playground that no page holds, and those that a page would hold otherwise."""
    made = set(
        re.findall(r'href="([^"/]+)/index\.html"', (place / "index.html").read_text("utf-8"))
    )
    held = {PLAY["folder"](spec): spec for spec in specs()}
    yield from (f"no page holds the game in {name}: <!-- play ... -->" for name in made - {*held})
    yield from (f"<!-- play {held[name]} --> is in no folder {name}" for name in {*held} - made)


def dangling(site: Path) -> Iterator[str]:
    """Return the broken references: the file, and the reference."""
    there = {str(file) for file in site.rglob("*")}
    for file in sorted(site.rglob("*.html")):
        for link in set(LINKS.findall(file.read_text(encoding="utf-8"))):
            target = normpath(file.parent / unquote(unescape(link)))
            if ":" not in link and target not in there:
                yield f"{file.relative_to(site)}: {link}"


def remote(site: Path) -> Iterator[str]:
    """Return the references that would load from other hosts: the file, and the reference."""
    for file in sorted(site.rglob("*")):
        if file.suffix in (".html", ".css", ".svg"):
            text = file.read_text(encoding="utf-8")
            yield from (f"{file.relative_to(site)}: {found}" for found in LOADS.findall(text))


def build(site: Path) -> None:
    """Make the whole site; end the program with sentences where something is wrong."""
    place, trees = site / PLAY["PLAYGROUND"], f"{site}-trees"
    site.mkdir(parents=True, exist_ok=True)
    with publishing(place) as made:
        options = ["-W", "--keep-going", "-q", "-c", str(ROOT / "docs"), "-d", trees]
        code = sphinx([*options, str(ROOT), str(site)])
    if code or made.returncode:
        sys.exit(code or made.returncode)
    stop("Games and pages that do not agree:", apart(place))
    (site / "index.html").write_text(FRONT, encoding="utf-8")
    stop("Links that lead nowhere:", dangling(site))
    stop("The site would load from other hosts; keep a copy in docs/ instead:", remote(site))
    print(f"{site / 'index.html'}: {len(list(site.rglob('*.html')))} pages")


def stop(said: str, found: Iterator[str]) -> None:
    """End the program where something was found."""
    if lines := sorted(found):
        sys.exit("\n".join([said, *lines]))


if __name__ == "__main__":
    build(Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "build" / "site").resolve())
