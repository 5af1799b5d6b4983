"""The pages of a server: the built-in ones, those that plugins add, and the HTML that all share.

The script of a page fills it.
"""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from dragon.page import Endpoint, Page
from dragon.plugins import by_name, offers

NAME = "dragon"
OWN = "dragon.web:static"
"""The folder of the files of the built-in pages, and of those that all pages share."""
TEMPLATE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<meta name="description" content="{summary}">
<link rel="icon" href="/static/icon.svg" type="image/svg+xml">
<script src="/static/theme.js"></script>
<link rel="stylesheet" href="/static/font.css">
<link rel="stylesheet" href="/static/dragon.css">
<link rel="stylesheet" href="/static/material.css">
{links}
<script type="module" src="/static/shell.js"></script>
{scripts}
</head>
<body data-page="{name}">
<a class="skip" href="#main">Skip to the content</a>
<header class="top">
<a class="brand" href="/"><svg viewBox="0 0 24 24" width="22" height="22" aria-hidden="true">
<path d="M12 2.5 20.5 7.2v9.6L12 21.5 3.5 16.8V7.2z" fill="none" stroke="currentColor"
 stroke-width="2" stroke-linejoin="round"/><circle cx="12" cy="12" r="3.4" fill="currentColor"/>
</svg>dragon</a>
<nav aria-label="Pages"><ul>{nav}</ul></nav>
<button type="button" class="quiet" id="theme" aria-label="Colours: as the system">
<svg viewBox="0 0 24 24" width="20" height="20" aria-hidden="true"><circle cx="12" cy="12" r="8"
 fill="none" stroke="currentColor" stroke-width="2"/><path d="M12 4a8 8 0 0 1 0 16z"
 fill="currentColor"/></svg></button>
</header>
<main id="main" tabindex="-1">
{main}
</main>
<footer><a href="/api">The same as JSON</a></footer>
<div id="announce" class="unseen" role="status" aria-live="polite"></div>
</body>
</html>
"""

PLAY = Page(
    name="play",
    title="Play",
    summary="Any game, between people and searches.",
    folder=OWN,
    script="play.js",
    style="board.css",
    service="dragon.web.play",
    warm="warm_up",
    endpoints=(
        Endpoint(path="position", cost="quick"),
        Endpoint(path="reply", cost="search"),
        Endpoint(
            path="think",
            function="reply",
            cost="search",
            stream=True,
            seconds=75.0,
            summary="The same while it thinks: the last object has the move.",
        ),
        Endpoint(path="chance", cost="quick"),
        Endpoint(path="picture", cost="quick"),
        Endpoint(path="write", method="POST", cost="quick"),
        Endpoint(path="read", method="POST", cost="quick"),
        Endpoint(path="judged", method="POST", cost="search"),
    ),
)

ANALYSE = Page(
    name="analyse",
    title="Analyse",
    summary="A position, and what a search finds in it as it goes on.",
    folder=OWN,
    script="analyse.js",
    style="board.css",
    service="dragon.web.analyse",
    warm="warm_up",
    endpoints=(
        Endpoint(path="run", cost="search", stream=True, seconds=75.0),
        Endpoint(path="prepare", method="POST", cost="search", stream=True, seconds=3600.0),
    ),
)

LISTS = Page(
    name="games",
    title="Games",
    summary="What is installed: games with their parameters, searches with their settings.",
    folder=OWN,
    script="games.js",
    service="dragon.web.lists",
    endpoints=(
        Endpoint(path="", function="games", cost="quick"),
        Endpoint(path="searches", cost="quick"),
        Endpoint(path="scene", cost="quick"),
    ),
)

BUILT_IN = (PLAY, ANALYSE, LISTS)
RESERVED = frozenset({"api", "static", "openapi-json", "status"} | {page.name for page in BUILT_IN})
"""The addresses that belong to the server."""


def pages() -> tuple[Page, ...]:
    """The built-in pages, then the plugins' by their titles.

    A value that is not a Page, or whose name is taken, is skipped with a warning.
    """
    wanted, offered = "a Page of dragon.page", offers("dragon_pages")
    found = by_name("page", wanted, lambda value: isinstance(value, Page), offered, RESERVED)
    return (*BUILT_IN, *sorted(found.values(), key=lambda page: page.title))


def document(page: Page, pages: Iterable[Page], url: dict[str, str]) -> str:
    """The HTML of a page; `url` has the addresses of its `script` and `style`."""
    style = f'<link rel="stylesheet" href="{escape(url["style"])}">' if "style" in url else ""
    head = f'<h1>{escape(page.title)}</h1>\n<p class="lead">{escape(page.summary)}</p>\n'
    if page == PLAY:
        style += '<link rel="stylesheet" href="/static/gallery.css">'
    if page in (PLAY, ANALYSE):  # there the board is the page
        head = f'<h1 class="unseen">{escape(page.title)}</h1>\n'
    main = (
        f"{head}"
        '<div id="app" aria-busy="true"><noscript><p class="notice">This page needs JavaScript. '
        'What it shows can also be had <a href="/api">as JSON</a>.</p></noscript></div>'
    )
    script = f'<script type="module" src="{escape(url["script"])}"></script>'
    return filled(page.name, page.title, page.summary, main, pages, style, script)


SENTENCE = "dragon plays and solves any game whose rules you can write in a page of Python."


def home(pages: Iterable[Page]) -> str:
    """The first page: a live board, what dragon is, the games, then the domains with pictures."""
    pages = tuple(pages)
    domains = "".join(map(domain, (page for page in pages if page.picture)))
    others = "".join(
        f'<a class="button quiet" href="/{escape(page.name)}">{escape(page.title)}</a>'
        for page in pages
        if page.script and not page.picture and page not in (PLAY, ANALYSE)
    )
    main = (
        '<div class="home"><section class="live" id="live" aria-label="A game to play"></section>'
        f'<div class="intro"><h1>{SENTENCE}</h1>\n'
        '<div class="row"><a class="button main" href="/play">Play</a>'
        f'<a class="button" href="/analyse">Analyse</a>{others}</div>\n'
        '<ul class="tiles" id="tiles" aria-label="Games"></ul>\n'
        f'<ul class="cards domains">{domains}</ul></div></div>'
    )
    styles = "".join(
        f'<link rel="stylesheet" href="/static/{name}.css">' for name in ("board", "gallery")
    )
    script = '<script type="module" src="/static/home.js"></script>'
    return filled("", "", SENTENCE, main, pages, styles, script)


def domain(page: Page) -> str:
    """A card of the first page: a picture, a summary, and an example to begin with."""
    home = f"/{page.name}" if page.script else page.link
    return (
        f'<li><section class="card entry" aria-label="{escape(page.title)}">'
        f'<img class="scene" src="{escape(address(page, page.picture))}" alt="">'
        f'<h2><a href="{escape(home)}">{escape(page.title)}</a></h2>'
        f"<p>{escape(page.summary)}</p>"
        f'<p><a href="{escape(page.link)}">{escape(page.example)}</a></p></section></li>'
    )


def address(page: Page, name: str) -> str:
    """Return the address of a page's file."""
    return f"/static/{name}" if page.folder == OWN else f"/static/{page.name}/{name}"


def message(title: str, sentence: str, pages: Iterable[Page]) -> str:
    """A page with a message only."""
    main = f"<h1>{escape(title)}</h1>\n<p class='lead'>{escape(sentence)}</p>"
    return filled("", title, sentence, main, pages)


def filled(
    name: str,
    title: str,
    summary: str,
    main: str,
    pages: Iterable[Page],
    links: str = "",
    scripts: str = "",
) -> str:
    """The template with its parts, which are HTML; names, titles and summaries are plain text."""
    current = ' aria-current="page"'
    nav = "".join(
        f'<li><a href="/{escape(page.name)}"{current if page.name == name else ""}>'
        f"{escape(page.title)}</a></li>"
        for page in pages
        if page.script
    )
    plain = {"name": name, "title": f"{title} · {NAME}" if title else NAME, "summary": summary}
    html = {"links": links, "scripts": scripts, "nav": nav, "main": main}
    return TEMPLATE.format(**{key: escape(text) for key, text in plain.items()}, **html)
