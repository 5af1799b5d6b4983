"""The playground: a page with a card for each of several games, which leads to the game's own page.

Each game has a folder of its own, so that a reader loads the code of what is played and no other.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape
from urllib.parse import quote

from dragon.publish.bundle import script
from dragon.publish.page import POLICY, SHARED, brand, document, files, styles, titled
from dragon.publish.publication import Publication

TITLE = "Games to play"
SUMMARY = "Each page holds a game's rules and searches, which run in your browser."


def playground(made: Sequence[Publication], home: str = "") -> dict[str, bytes]:
    """The files of a playground by their paths, of which `index.html` is the page of all games.

    home: the address of a page that leads to the playground.
    """
    found: dict[str, bytes] = {}
    cards = []
    for each in made:
        folder = folder_of(each)
        own = files(each, home="../index.html", above="All games")
        found |= {f"{folder}/{name}": data for name, data in own.items()}
        cards.append(_card(each, folder, sum(map(len, own.values()))))
    parts = {
        "brand": brand("Home" if home else TITLE, home), "here": "this folder",
        "main": f'<ul class="cards">\n{"".join(cards)}</ul>',
        "style": '<link rel="stylesheet" href="page.css">',
        "script": '<script src="page.js"></script>',
    }  # fmt: skip
    policy = POLICY.format(style="'self'", script="'self'")
    words = {"policy": policy, "title": TITLE, "summary": SUMMARY, "game": ""}
    texts = {
        "index.html": document(parts, words), "page.css": styles(),
        "page.js": script(SHARED / f"{name}.js" for name in ("theme", "shell")),
    }  # fmt: skip
    return found | {name: text.encode() for name, text in texts.items()}


def folder_of(made: Publication) -> str:
    """The name of a game's folder: `nex-rows-4-cols-4` for `nex(rows=4, cols=4)`."""
    return re.sub(r"\W+", "-", str(made.about["game"])).strip("-")


def _card(made: Publication, folder: str, size: int) -> str:
    picture = quote(made.game.svg(made.game.start()) or "")
    against = ", ".join(made.about["players"]) or "no search"
    return (
        f'<li><a class="card" href="{folder}/index.html"><h2>{escape(titled(made))}</h2>'
        f'<img src="data:image/svg+xml,{picture}" alt="" width="120" height="120">'
        f'<p>{escape(made.about["summary"])}</p><p class="soft">{escape(str(made.game))}, against '
        f"{escape(against)}; {size / 1000:,.0f} kB</p></a></li>\n"
    )
