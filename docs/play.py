"""The games in the pages of the site: `<!-- play SPEC -->` is one of them, `<!-- playground -->` a
link to the page of all that can be published.
"""

from __future__ import annotations

import re
from html import escape

MARK = re.compile(r"^<!-- play (.+) -->$", re.MULTILINE)
ALL = re.compile(r"^<!-- playground -->$", re.MULTILINE)
FRAME = """<iframe src="{page}" title="{spec}, to be played" loading="lazy"
 style="width: 100%; height: 46rem; border: 1px solid var(--color-background-border)"></iframe>
<p>Play <a href="{page}">{spec} on a page of its own</a> or <a href="{all}">another game</a>. The
same page for a site of yours: <code>dragon publish "{spec}" --to {folder}</code></p>
"""
LINK = '<p><a href="{all}">Play all of them now</a>: the playground of this site.</p>\n'
PLAYGROUND = "play"
"""The folder in the site."""


def folder(spec: str) -> str:
    """The folder of a game in a playground: `hex(size=7)` is in `hex-size-7`."""
    return re.sub(r"\W+", "-", spec).strip("-")


def framed(text: str, up: str) -> str:
    """A page's text with what its marks stand for; `up` leads to the site's folder."""
    top = f"{up}{PLAYGROUND}"
    text = ALL.sub(f"<!-- playground -->\n\n{LINK.format(all=f'{top}/index.html')}", text)
    return MARK.sub(lambda found: f"{found[0]}\n\n{_frame(found[1], top)}", text)


def _frame(spec: str, top: str) -> str:
    name = folder(spec)
    return FRAME.format(
        page=f"{top}/{name}/index.html", all=f"{top}/index.html", folder=name,
        spec=escape(spec, quote=True),
    )  # fmt: skip
