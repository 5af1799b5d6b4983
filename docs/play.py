"""Where the pages of the site hold a game that can be played: `<!-- play SPEC -->`."""

from __future__ import annotations

import re
from html import escape

MARK = re.compile(r"^<!-- play (.+) -->$", re.MULTILINE)
FRAME = """<iframe src="{file}" title="{spec}, to be played" loading="lazy"
 style="width: 100%; height: 46rem; border: 1px solid var(--color-background-border)"></iframe>
<p><a href="{file}">Play {spec} on a page of its own</a>, or make that page:
<code>dragon publish "{spec}" --to {name} --single</code></p>
"""


def file(spec: str) -> str:
    """Where the published game is in the site: `hex(size=7)` is `play/hex-size-7.html`."""
    return f"play/{re.sub(r'[^a-z0-9_]+', '-', spec.lower()).strip('-')}.html"


def framed(text: str, up: str) -> str:
    """A page's text with each mark followed by its game; `up` leads to the site's folder."""
    return MARK.sub(lambda found: f"{found[0]}\n\n{_frame(found[1], up)}", text)


def _frame(spec: str, up: str) -> str:
    path = file(spec)
    return FRAME.format(file=up + path, spec=escape(spec, quote=True), name=path.partition("/")[2])
