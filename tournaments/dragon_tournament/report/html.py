"""A report as one HTML page that needs no network and no other file.

Everything that is shown comes from records and settings, which others may have written, and is
escaped. Drawings of games go in as images, apart from the page: their styles, names and scripts
cannot reach it. The page's own policy forbids all that it does not need.
"""

from __future__ import annotations

import json
import re
from base64 import b64encode
from collections.abc import Iterator, Sequence
from hashlib import sha256
from html import escape
from importlib.resources import files

from dragon_tournament.records.record import Record
from dragon_tournament.records.replay import Typed
from dragon_tournament.report import charts
from dragon_tournament.report.races import solved_text
from dragon_tournament.report.replays import Bounds, Replay, Replays, packed, replays_of
from dragon_tournament.report.summary import Report
from dragon_tournament.report.table import Table, html
from dragon_tournament.report.tables import page_tables, staged_outcome
from dragon_tournament.report.text import sentences
from dragon_tournament.statistics.contest import Contest, verdict
from dragon_tournament.statistics.tally import Tally

POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'sha256-{}'"

BUTTONS = (
    ("first", "To the start", "M7 5v14M18 5l-9 7 9 7z"),
    ("back", "One move back", "M16 5l-9 7 9 7z"),
    ("play", "Play", "M7 4l12 8-12 8z"),
    ("next", "One move on", "M8 5l9 7-9 7z"),
    ("last", "To the end", "M17 5v14M6 5l9 7-9 7z"),
)
"""The id, label and drawing of each button that steps through a game."""


def to_html(
    report: Report,
    records: Sequence[Record],
    tally: Tally,
    bounds: Bounds = Bounds(),  # noqa: B008 - frozen
    typed: Typed | None = None,
) -> str:
    """The page; `records` are those of the report, `bounds` limit the games that are drawn.

    typed: as for `game_of`.
    """
    made = replays_of(records, tally, bounds, typed)
    sections = list(_sections(report, records, made, tally))
    script = _file("page.js") if made.games else ""
    policy = POLICY.format(b64encode(sha256(script.encode()).digest()).decode())
    links = "".join(
        f'<li><a href="#{name}">{escape(title)}</a></li>' for name, title, _ in sections
    )
    body = "".join(
        f'<section id="{name}" class="long" aria-labelledby="{name}-title">'
        f'<h2 id="{name}-title">{escape(title)}</h2>{content}</section>\n'
        for name, title, content in sections
    )
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{escape(policy)}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n'
        f"<title>{escape(report.name)}</title>\n<style>{_file('page.css')}</style>\n</head>\n"
        f"<body>\n<header><h1>{escape(report.name)}</h1>{_facts(report)}"
        f'<nav aria-label="Contents"><ul>{links}</ul></nav></header>\n'
        f"<main>\n{body}</main>\n{_footer(report)}\n"
        + (f"<script>{script}</script>\n" if script else "")
        + "</body>\n</html>\n"
    )


def _file(name: str) -> str:
    """A file beside this module."""
    return (files("dragon_tournament.report") / name).read_text(encoding="utf-8")


def _sections(
    report: Report, records: Sequence[Record], made: Replays, tally: Tally
) -> Iterator[tuple[str, str, str]]:
    """The id, title and content of each section that is not empty."""
    if not report.rows:
        yield "standings", "Standings", "<p>No games yet.</p>"
        return
    tables = dict(page_tables(report))
    race, staged = report.contest, report.staged
    if race is not None:
        yield "which", "Which solver", _which(race, tables["which"])
        if soon := charts.cactus(race) + charts.progress(race):
            yield "soon", "How soon", soon
    shown = {name: html(table) for name, table in tables.items() if name != "which"}
    if staged is not None:
        outcome = f"<p>{escape(staged_outcome(staged))}</p>"
        shown["rounds"] = outcome + shown.pop("places") + shown["rounds"]
    if "seatings" in shown:
        more = f"<details><summary>Seat by seat</summary>{shown.pop('seatings')}</details>"
        shown["crosstable"] += more
    for name, content in shown.items():
        yield name, tables[name].title, content
        if name == "crosstable" and report.played > 1:
            yield "course", "Results over time", charts.course(report, tally)
    if failed := list(tally.failed()):
        yield "failures", "Failures", _failures(records, failed)
    if made.games or made.note or made.left:
        yield "games", "Games", _games(made, report)


def _which(race: Contest, table: Table) -> str:
    """The solver to use: in words, as a table, and as one picture."""
    first, *rest = verdict(race)
    words = f'<p class="verdict">{escape(first)}</p>'
    words += f"<p>{escape(' '.join(rest))}</p>" if rest else ""
    return words + html(table) + charts.profile(race)


def _failures(records: Sequence[Record], found: Sequence[int]) -> str:
    """The games that a player lost by a failure of its own, and a description of each failure."""
    shown = ((number + 1, records[number]) for number in found[:50])
    items = "".join(
        f"<details><summary>Game {i}: {escape(', '.join(record.seats[s] for s in record.failed))} "
        f'by {record.reason}</summary><pre tabindex="0">{escape(record.detail)}</pre></details>'
        for i, record in shown
    )
    rest = f'<p class="soft">{len(found) - 50:,} more are in the records.</p>'
    return items + (rest if len(found) > 50 else "")


def _facts(report: Report) -> str:
    """The game and the progress, under the title."""
    about = report.about
    games = dict.fromkeys(i.get("game") for i in about.get("instances", ()) if isinstance(i, dict))
    game = about.get("game") if len(games) < 2 else None
    facts = [f"<li><code>{escape(str(game))}</code></li>"] if game else []
    facts += [f"<li>instances of {len(games)} games</li>"] if len(games) > 1 else []
    keys = ("referee", "goal") if report.solo else ("referee", "format")
    words = [f"goal: {about[k]}" if k == "goal" else str(about[k]) for k in keys if about.get(k)]
    facts += [f"<li>{escape(word)}</li>" for word in words]
    said = f"<p>{escape(' '.join(sentences(report)))}</p>" if report.rows else ""
    return f'<ul class="facts soft">{"".join(facts)}</ul>{said}'


def _footer(report: Report) -> str:
    version = report.about.get("version")
    by = f"Played by dragon {escape(str(version))}. " if version else ""
    unit = "an instance" if report.solo else "a game"
    note = (
        "Times are those of the players' own searching, on the machine that played."
        if report.solo
        else (
            "Players are ranked by mean payoff. " if report.graded and report.staged is None else ""
        )
        + "Elo is relative to the mean of the players; intervals hold 95%. An opening or a deal "
        "with all its games is one observation; where all games begin alike, a pair is."
    )
    return (
        f"<footer><p>{by}Every figure follows from <code>{escape(report.records)}</code>, one line "
        f"{unit}. {note}</p></footer>"
    )


def _games(made: Replays, report: Report) -> str:
    """The games that can be replayed, and a note on those that cannot."""
    notes = [made.note] if made.note else []
    if made.left:
        notes.append(
            f"{made.left:,} more games are on record and not drawn here: `dragon show` replays "
            f"each, `dragon report --games N` draws more."
        )
    coded = (re.sub(r"`([^`]*)`", r"<code>\1</code>", escape(note)) for note in notes)
    words = "".join(f'<p class="soft">{note}</p>' for note in coded)
    if not made.games:
        return words
    options = "".join(
        f'<option value="{i}">{escape(_title(game))}</option>' for i, game in enumerate(made.games)
    )
    buttons = "".join(
        f'<button type="button" id="{name}" aria-label="{label}"><svg viewBox="0 0 24 24" '
        f'width="20" height="20" aria-hidden="true"><path d="{path}"/></svg></button>'
        for name, label, path in BUTTONS
    )
    data = json.dumps(packed(made), ensure_ascii=False, separators=(",", ":"))
    data = data.replace("&", "\\u0026").replace("<", "\\u003c")
    return (
        words
        + "<noscript><p>The replay needs scripts; the moves are in the records.</p></noscript>"
        '<div id="replay" class="card replay" role="group" tabindex="0" '
        'aria-label="Replay. Arrow keys step, Home and End go to the ends.">'
        f'<div class="wide"><label for="game">Game</label><select id="game">{options}</select>'
        "</div>"
        '<div><div class="board"><img id="board-image" alt="" hidden>'
        '<pre id="board-text" tabindex="0" hidden></pre></div>'
        f'<div class="controls">{buttons}'
        '<input type="range" id="ply" min="0" value="0" aria-label="Ply"></div>'
        '<output id="caption" class="caption" aria-live="polite"></output></div>'
        '<ol id="moves" class="moves" aria-label="Moves"></ol></div>'
        f'<script type="application/json" id="games-data">{data}</script>'
    )


def _title(game: Replay) -> str:
    """The title of a game in a list: its number, players and result."""
    record = game.record
    if game.seat is not None:
        what = record.instance or f"{record.scores[game.seat]:g}"
        return f"{game.number}. {what}: {record.seats[game.seat]}, {solved_text(record, game.seat)}"
    points = " : ".join(f"{p:g}" for p in record.points)
    title = f"{game.number}. {' - '.join(record.seats)}   {points}"
    return f"{title} ({record.reason})" if record.failed else title
