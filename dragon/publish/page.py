"""The page: a publication as a folder or one file, which a browser opens without a server.

The page is Play and Analyse of `dragon serve`, with the same scripts and styles;
`static/answers.js` answers their requests in place of a server. Its Content-Security-Policy lets it
load nothing from anywhere. The scripts are a *bundle*, one script made of ES modules, since a file
that is opened from a disk cannot import modules. A *playground* leads to the pages of several
games.
"""

from __future__ import annotations

import json
import re
import zlib
from base64 import b64encode
from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from html import escape
from pathlib import Path
from urllib.parse import quote

import dragon.web
from dragon.boards import material
from dragon.publish.publication import Publication, constants

OWN, SHARED = Path(__file__).with_name("static"), Path(dragon.web.__file__).with_name("static")
ENGINE = ("kernel", "driver", "alphabeta", "mcts", "rules", "search", "worker")
"""The scripts of searches, which run in a worker; each after those that it imports."""
EXPORTED = ("constants", "kernel", "rules")
"""The scripts of ENGINE that the page uses too."""
PARTS = (
    "steering", "arrows", "turning", "pointing", "board", "promotion", "chooser", "pictures",
    "transcripts", "chart", "course", "words", "rail", "rival", "taken", "seats",
    "offers",
)  # fmt: skip
"""The scripts that both pages share, from `dragon serve`."""
SPARED = {
    "arrows": "arrows: () => 0, steers: () => null, shifts: () => []",
    "promotion": "promoted: () => 0",
    "taken": "takings: () => async () => null",
}  # fmt: skip
"""The substitute for a script that the game of a page does not need."""
PAGES = """if (new URLSearchParams(location.search).get("page") === "analyse") {
%s} else {
%s}
"""
"""One file shows two pages: Analyse where its address says so, and else Play."""
NOTE = re.compile(r"/\*.*?\*/", re.DOTALL)
SPACE = re.compile(r"\s*([{};,])\s*|(?<=:)\s+")
"""Spaces that styles do not need; no text in them has such letters."""
RULE, CLASS = re.compile(r"([^{}]+)(\{[^{}]*\})"), re.compile(r"\.(?![fs]-|[a-z]\d)([a-z][\w-]*)")
APART = re.compile(r",(?![^(]*\))")
TEXTS = re.compile(r'"[^"\n]*"|`[^`]*`')
WORDS = re.compile(r"[a-z][\w-]*")
LINKED = {
    "style": '<link rel="stylesheet" href="page.css">',
    "script": '<script src="page.js"></script>',
}
"""The parts of a page that has its style and its script beside it."""
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
<body data-page="{page}" data-game="{game}">
<a class="skip" href="#main">Skip to the content</a>
<header class="top">{brand}
<button type="button" class="quiet" id="theme" aria-label="Colours: as the system">
<svg viewBox="0 0 24 24" width="20" height="20" aria-hidden="true"><circle cx="12" cy="12" r="8"
 fill="none" stroke="currentColor" stroke-width="2"/><path d="M12 4a8 8 0 0 1 0 16z"
 fill="currentColor"/></svg></button>
</header>
<main id="main" tabindex="-1">
{main}
</main>
<footer>Made with dragon. Everything is in {here}; it asks nothing of any server.</footer>
<div id="announce" class="unseen" role="status" aria-live="polite"></div>
{script}
</body>
</html>
"""
APP = """<h1 class="unseen">{title}</h1>
<div id="app" aria-busy="true">
<noscript><p class="notice">This page needs JavaScript.</p></noscript></div>"""


def files(
    made: Publication, single: bool = False, home: str = "", above: str = "Home"
) -> dict[str, bytes]:
    """Return the files of a page by their names; with `single`, `index.html` is the only one.

    home, above: the address and the name of a page that leads to this one.
    """
    texts = {"page.css": styles(rest=False), "page.js": scripts(made)}
    if single:
        parts = {
            "style": f"<style>{texts['page.css']}</style>",
            "script": f"<script>{texts['page.js']}</script>",
        }
        policy = POLICY.format(style=digest(texts["page.css"]), script=digest(texts["page.js"]))
        texts = {}
    else:
        parts, policy = dict(LINKED), POLICY.format(style="'self'", script="'self'")
    name = titled(made)
    parts["brand"] = brand(above if home else name, home)
    words = {
        "title": name,
        "summary": made.about["summary"],
        "game": made.about["game"],
        "page": "play",
    }
    page = document(
        parts | {"main": APP.format(title=escape(name)), "here": "this page"},
        words | {"policy": policy},
    )
    return {name: text.encode() for name, text in {"index.html": page, **texts}.items()}


def document(parts: dict[str, str], words: dict[str, str]) -> str:
    """A page: `parts` of it as HTML, and `words` as plain text."""
    words = words | {"icon": read(SHARED / "icon.svg").strip().replace("#", "%23")}
    return TEMPLATE.format(**{name: escape(text) for name, text in words.items()}, **parts)


def titled(made: Publication) -> str:
    return str(made.about["title"])


def brand(name: str, home: str = "") -> str:
    """The heading of a page: its name, or a link to the page that leads to it.

    The link leaves the frame where another page holds this one.
    """
    if not home:
        return f'<strong class="brand">{escape(name)}</strong>'
    return f'<a class="brand" href="{escape(home)}" target="_top">{escape(name)}</a>'


def scripts(made: Publication) -> str:
    """All scripts, and what is published, as one text in a scope of its own."""
    exported = ",".join(f"${name}" for name in EXPORTED)
    writing = writers(made)
    page = script([SHARED / "dragon.js", *(OWN / f"{name}.js" for name in writing)])
    text = (
        f"const $engine = () => {{\n{engine()}return {{work:$worker.work,{exported}}};\n}};\n"
        f"{script([OWN / 'thread.js', SHARED / 'theme.js', OWN / 'framed.js', OWN / 'packed.js'])}"
        f'const $unpacking = $packed.unpacked("{packed(made)}");\n'
        f"const {{{exported}}} = $engine();\n"
        f"{page}const $published = await $unpacking;\n"
        f"{script([OWN / 'styled.js'])}"
        f"$published.Notation = ${writing[-1]}.{writing[-1].capitalize()};\n"
        f"{script([OWN / 'answers.js'])}"
        "Object.assign($dragon, $answers);\n"
        f"{''.join(parts(made))}"
        + PAGES % tuple(script([SHARED / f"{name}.js"]) for name in ("analyse", "play"))
        + script([SHARED / "shell.js"])
    )
    # In the text of a page this would end the script.
    return '(async () => {\n"use strict";\n' + text.replace("</script", "<\\/script") + "})();\n"


def parts(made: Publication) -> Iterator[str]:
    """The scripts of both pages, except those that serve other games: of one, with moves that
    differ in what a piece becomes, or with pieces that are captured."""
    board = made.about["board"]
    spared = {"arrows"} if len(made.about["teams"]) > 1 else set()
    spared |= {"promotion"} if board["grid"] or board.get("promotions") == "" else set()
    spared |= {"taken"} if board["grid"] else set()
    for name in PARTS:
        yield f"const ${name}={{{SPARED[name]}}};\n" if name in spared else script([part(name)])


def part(name: str) -> Path:
    """A script of both pages: the substitute for that of `dragon serve`, or else that itself."""
    own = OWN / f"{name}.js"
    return own if own.exists() else SHARED / own.name


def engine() -> str:
    """The scripts that search, and the constants that these share with Python (`constants`)."""
    numbers = json.dumps(constants(), separators=(",", ":"))
    return f"const $constants = {numbers};\n" + script(OWN / f"{name}.js" for name in ENGINE)


def writers(made: Publication) -> tuple[str, ...]:
    """The scripts that write moves; the last has the class of its name."""
    return ("notation", "spelled") if "vocabulary" in made.about["board"] else ("notation",)


def packed(made: Publication) -> str:
    """Pack the published data for `static/packed.js`: length of the JSON, JSON, code."""
    styled = made.about | {"styles": styles(begin=False, board=json.dumps(made.about["board"]))}
    about = json.dumps(styled, separators=(",", ":")).encode()
    data = len(about).to_bytes(4, "little") + about + made.module.code
    return b64encode(zlib.compress(data, 9, wbits=-15)).decode()


FORMS = "/* ---- forms ---- */"
"""After the styles that a published page has before its scripts run."""


def styles(begin: bool = True, rest: bool = True, board: str = "") -> str:
    """The styles of `dragon serve`, with what a published page hides: their beginning, and the
    rest, which has those of a board and of its materials (`static/styled.js`), if one is given."""
    own = read(SHARED / "dragon.css")
    text = own if rest and begin else own.partition(FORMS)[0 if begin else 2]
    if begin:
        text += read(OWN / "published.css")
    if board:
        text += read(SHARED / "board.css") + material.css(f"{board} f-tint s-tint f-mark s-mark")
    return SPACE.sub(r"\1", used(NOTE.sub("", text))).replace(";}", "}")


def used(css: str) -> str:
    """Styles without the rules for classes that no script and no page here mentions.

    Names that are put together while a page runs are kept: `f-ebony`, `k0`.
    """
    names = ("dragon", "play", "analyse", "shell", *PARTS)
    text = "".join(read(SHARED / f"{name}.js") for name in names) + TEMPLATE + APP
    words = set(WORDS.findall(" ".join(TEXTS.findall(text)))) | {
        "brand",
        "cards",
        "card",
        "lead",
        "soft",
    }

    def kept(rule: re.Match[str]) -> str:
        return (
            rule[0] if any(words.issuperset(CLASS.findall(p)) for p in APART.split(rule[1])) else ""
        )

    return RULE.sub(kept, css)


def digest(text: str) -> str:
    """A text as a Content-Security-Policy allows it."""
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


def read(path: Path) -> str:
    return path.read_text(encoding="utf-8")


# ---- the bundle

IMPORT = re.compile(r'^import (\{[^}]*\}) from "\./([\w-]+)\.js";$', re.MULTILINE)
EXPORT = re.compile(r"^export (?=(?:async )?(?:function\*?|const|class) (\w+))", re.MULTILINE)
COMMENT = re.compile(r"^ *//.*\n|^ */\*\*(?:[^*]|\*(?!/))*\*/\n| +// [^\"'`\n]*$", re.MULTILINE)
"""Comments on lines of their own, or behind code and without quotation marks."""
SERVED = re.compile(
    r"^// From here to .latest. a published page.*?(?=^/\*\* Calls `work)", re.M | re.S
)
"""The script that sends requests to a server; `static/answers.js` replaces it."""
INDENT = re.compile(r"^\s+", re.MULTILINE)
"""Empty lines and indentation; no text in the scripts has more than one line."""

CONSTANTS = re.compile(
    r"""(const(?: [\w$]+|\{[\w,:$]*\}|\[[\w,$]*\])=[^;{}"'`\n]*);const(?: |(?=[{[]))"""
)
"""A declaration that another one follows, which can go on with it after a comma."""
ARROW = re.compile(r"(?<![\w$])\(([\w$]+)\)=>")
"""A function of one parameter, which needs no brackets."""


def script(files: Iterable[Path]) -> str:
    """The modules of these files as statements, each after those that it imports."""
    return "".join(map(module, files))


def module(file: Path) -> str:
    """A module as the object `$name` of what it exports, or as a block if that is nothing.

    Modules are written in one style, which is all that this reads: imports and exports of names at
    the beginning of a line. Raises ValueError for any other.
    """
    text = SERVED.sub("", file.read_text(encoding="utf-8"))
    text = INDENT.sub("", COMMENT.sub("", text))
    exported = EXPORT.findall(text)
    text = EXPORT.sub("", text)
    text = IMPORT.sub(lambda i: f"const {i[1].replace(' ', '')} = ${named(i[2])};", text)
    if stray := re.search(r"^(import|export)\b.*", text, re.MULTILINE):
        raise ValueError(f"{file.name}: a bundle cannot hold {stray[0]!r}")
    body = ARROW.sub(r"\1=>", tight(text).strip())
    while body != (body := CONSTANTS.sub(r"\1,", body)):
        pass  # each pass joins every other one
    if not exported:
        return f"{{\n{body}\n}}\n"
    return (
        f"const ${named(file.stem)} = (() => {{\n{body}\nreturn {{{','.join(exported)}}};\n}})();\n"
    )


BACKQUOTED = re.compile(r"[`}](?:[^`\\$]|\\.|\$(?!\{))*(?:`|\$\{)", re.DOTALL)
"""A text between backquotes, or a part of one."""
QUOTED = re.compile(
    r"""(?:"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|/(?![/*])(?:[^/\\\n\[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+/\w*)"""
)
"""A text between quotation marks, or a regular expression."""
SIGN = re.compile(r" *([-+*/%=<>!&|?:,;(){}\[\]]) *")
WORD = re.compile(r"//[^\n]*|[\w$]+|.", re.DOTALL)


def tight(text: str) -> str:
    """Return a script without the spaces around its signs, its ends of lines, and `;` before `}`.

    Texts keep theirs, and lines that end without a sign.

    >>> tight('const a = (b, c) => `${b ? ", " : `= ${c}`} = ` + +b;')
    'const a=(b,c)=>`${b?", ":`= ${c}`} = `+ +b;'
    """
    parts: list[str] = []
    at, open_braces = 0, list[int]()  # of each `${`, the innermost last
    while at < len(text):
        before = parts[-1][-1] if parts else ";"
        if text[at] == "`" or (text[at] == "}" and open_braces and not open_braces[-1]):
            found = BACKQUOTED.match(text, at)
            assert found is not None, "a template ends"
            said = found[0]
            if said[0] == "}":
                open_braces.pop()
            if said.endswith("${"):
                open_braces.append(0)
        elif (found := QUOTED.match(text, at)) and (
            "/" not in found[0][:1] or before in "(=,:!&|?{};>[\n"
        ):
            said = found[0]
        elif not text.startswith("//", at) and (found := SIGN.match(text, at)):
            apart = found[1] in "+-" and before == found[1] and " " in text[at - 1 : at + 1]
            said = f" {found[1]}" if apart else found[1]
            if said == "}" and parts and parts[-1] == ";":
                parts.pop()  # after an empty statement, of which there are none, that is a mistake
            if open_braces:
                open_braces[-1] += (said == "{") - (said == "}")
        else:
            found = WORD.match(text, at)
            assert found is not None, "there is a letter"
            said = found[0]
        at = found.end()
        if said != "\n" or before not in ";,{}" or parts[-1].startswith("//"):
            parts.append(said)
    return "".join(parts)


def named(stem: str) -> str:
    """A file's name as part of an identifier."""
    return stem.replace("-", "_")


# ---- a playground

TITLE = "Games to play"
SUMMARY = "Each page holds a game's rules and searches, which run in your browser."
HEAD = f'<h1>{TITLE}</h1>\n<p class="lead">{SUMMARY}</p>\n'


def playground(made: Sequence[Publication], home: str = "") -> dict[str, bytes]:
    """The files of a playground by their paths, of which `index.html` is the page of all games.

    Each game has a folder of its own, so that a reader loads the code of one game alone.
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
        "main": f"{HEAD}<ul class=\"cards\">\n{''.join(cards)}</ul>", **LINKED,
    }  # fmt: skip
    policy = POLICY.format(style="'self'", script="'self'")
    words = {"policy": policy, "title": TITLE, "summary": SUMMARY, "game": "", "page": "games"}
    texts = {
        "index.html": document(parts, words), "page.css": styles(),
        "page.js": script(SHARED / f"{name}.js" for name in ("theme", "shell")),
    }  # fmt: skip
    return found | {name: text.encode() for name, text in texts.items()}


def folder_of(made: Publication) -> str:
    """The name of a game's folder: `nex-rows-4-cols-4` for `nex(rows=4, cols=4)`."""
    return re.sub(r"\W+", "-", str(made.about["game"])).strip("-")


def _card(made: Publication, folder: str, size: int) -> str:
    picture = quote(material.themed(made.game.svg(made.game.start()) or ""))
    against = ", ".join(made.about["players"]) or "no search"
    return (
        f'<li><a class="card" href="{folder}/index.html"><h2>{escape(titled(made))}</h2>'
        f'<img src="data:image/svg+xml,{picture}" alt="" width="120" height="120">'
        f'<p>{escape(made.about["summary"])}</p><p class="soft">{escape(str(made.game))}, against '
        f"{escape(against)}; {size / 1000:,.0f} kB</p></a></li>\n"
    )
