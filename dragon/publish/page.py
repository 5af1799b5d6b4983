"""The page: a publication as a folder, or as one file, that a browser opens without a server.

The page is Play and Analyse of `dragon serve`, with the same scripts and styles; what they ask of
a server, `static/answers.js` answers. Its Content-Security-Policy lets it load nothing from
anywhere.
"""

from __future__ import annotations

import json
import re
import zlib
from base64 import b64encode
from hashlib import sha256
from html import escape
from pathlib import Path

import dragon.web
from dragon.publish.bundle import script
from dragon.publish.publication import Publication

OWN, SHARED = Path(__file__).with_name("static"), Path(dragon.web.__file__).with_name("static")
ENGINE = ("kernel", "driver", "alphabeta", "mcts", "rules", "search", "worker")
"""What searches, in a worker; each after those that it imports."""
PARTS = ("board", "chooser", "pictures", "transcripts", "chart", "course")
"""What the pages share, as `dragon serve` has it."""
PAGES = """if (new URLSearchParams(location.search).get("page") === "analyse") {
%s} else {
%s}
"""
"""One file shows two pages: Analyse where its address says so, and else Play."""
STYLES = ("dragon", "board")
NOTE = re.compile(r"/\*.*?\*/", re.DOTALL)
SPACE = re.compile(r"\s*([{};,])\s*|(?<=:)\s+")
"""What styles do not need; no text in them has such letters."""
POLICY = (
    "default-src 'none'; script-src {script} 'wasm-unsafe-eval'; style-src {style}; "
    "img-src data: blob:; worker-src blob:; base-uri 'none'; form-action 'none'"
)
TEMPLATE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>{title}</title>
<meta name="description" content="{summary}">
<link rel="icon" href="data:image/svg+xml,{icon}">
{style}
</head>
<body data-page="play" data-game="{game}">
<a class="skip" href="#main">Skip to the content</a>
<header class="top">{brand}
<button type="button" class="quiet" id="theme" aria-label="Colours: as the system">
<svg viewBox="0 0 24 24" width="20" height="20" aria-hidden="true"><circle cx="12" cy="12" r="8"
 fill="none" stroke="currentColor" stroke-width="2"/><path d="M12 4a8 8 0 0 1 0 16z"
 fill="currentColor"/></svg></button>
</header>
<main id="main" tabindex="-1">
<h1>{title}</h1>
<p class="lead">{summary}</p>
{main}
</main>
<footer>Made with dragon. Everything is in {here}; it asks nothing of any server.</footer>
<div id="announce" class="unseen" role="status" aria-live="polite"></div>
{script}
</body>
</html>
"""
APP = """<div id="app" aria-busy="true">
<noscript><p class="notice">This page needs JavaScript.</p></noscript></div>"""


def files(
    made: Publication, single: bool = False, home: str = "", above: str = "Home"
) -> dict[str, bytes]:
    """The files of a page by their names; `index.html` is all where it is to be `single`.

    home, above: the address and the name of a page that leads to this one.
    """
    texts = {"page.css": styles(), "page.js": scripts(made)}
    if single:
        parts = {
            "style": f"<style>{texts['page.css']}</style>",
            "script": f"<script>{texts['page.js']}</script>",
        }
        policy = POLICY.format(style=digest(texts["page.css"]), script=digest(texts["page.js"]))
        texts = {}
    else:
        parts = {
            "style": '<link rel="stylesheet" href="page.css">',
            "script": '<script src="page.js"></script>',
        }
        policy = POLICY.format(style="'self'", script="'self'")
    name = titled(made)
    parts["brand"] = brand(above if home else name, home)
    words = {"title": name, "summary": made.about["summary"], "game": made.about["game"]}
    page = document(parts | {"main": APP, "here": "this page"}, words | {"policy": policy})
    return {name: text.encode() for name, text in {"index.html": page, **texts}.items()}


def document(parts: dict[str, str], words: dict[str, str]) -> str:
    """A page: `parts` of it as HTML, and `words` as plain text."""
    words = words | {"icon": read(SHARED / "icon.svg").strip().replace("#", "%23")}
    return TEMPLATE.format(**{name: escape(text) for name, text in words.items()}, **parts)


def titled(made: Publication) -> str:
    """A game's name as a title."""
    return str(made.about["name"]).replace("_", " ").capitalize()


def brand(name: str, home: str = "") -> str:
    """The heading of a page: its name, or a link to the page that leads to it.

    The link leaves the frame where another page holds this one.
    """
    if not home:
        return f'<strong class="brand">{escape(name)}</strong>'
    return f'<a class="brand" href="{escape(home)}" target="_top">{escape(name)}</a>'


def scripts(made: Publication) -> str:
    """All scripts, and what is published, as one text in a scope of its own."""
    engine = script(OWN / f"{name}.js" for name in ENGINE)
    exported = ", ".join(f"$engine_{name}: ${name}" for name in ("kernel", "rules"))
    writing = writers(made)
    page = script([SHARED / "dragon.js", *(OWN / f"{name}.js" for name in writing)])
    text = (
        f"const $engine = () => {{\n{engine}return {{ work: $worker.work, {exported} }};\n}};\n"
        f"{script([OWN / 'thread.js', SHARED / 'theme.js', OWN / 'framed.js', OWN / 'packed.js'])}"
        f'const $unpacking = $packed.unpacked("{packed(made)}");\n'
        f"const {{ $engine_kernel: $kernel, $engine_rules: $rules }} = $engine();\n"
        f"{page}const $published = await $unpacking;\n"
        f"$published.Notation = ${writing[-1]}.{writing[-1].capitalize()};\n"
        f"{script([OWN / 'answers.js'])}"
        "Object.assign($dragon, $answers);\n"
        f"{script(SHARED / f'{name}.js' for name in PARTS)}"
        + PAGES % tuple(script([SHARED / f"{name}.js"]) for name in ("analyse", "play"))
        + script([SHARED / "shell.js"])
    )
    # In the text of a page this would end the script.
    return '(async () => {\n"use strict";\n' + text.replace("</script", "<\\/script") + "})();\n"


def writers(made: Publication) -> tuple[str, ...]:
    """The scripts that write moves; the last has the class of its name."""
    return ("notation", "spelled") if "vocabulary" in made.about["board"] else ("notation",)


def packed(made: Publication) -> str:
    """Pack what is published for `static/packed.js`: length of the JSON, JSON, code."""
    about = json.dumps(made.about, separators=(",", ":")).encode()
    data = len(about).to_bytes(4, "little") + about + made.module.code
    return b64encode(zlib.compress(data, 9, wbits=-15)).decode()


def styles() -> str:
    """The styles of `dragon serve`, and what a published page hides."""
    text = "".join(read(SHARED / f"{name}.css") for name in STYLES) + read(OWN / "published.css")
    return SPACE.sub(r"\1", NOTE.sub("", text))


def digest(text: str) -> str:
    """A text as a Content-Security-Policy allows it."""
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


def read(path: Path) -> str:
    """The text of a file."""
    return path.read_text(encoding="utf-8")
