"""The page of `dragon serve`: the tournaments of a folder, live, and their reports."""

from __future__ import annotations

from base64 import b64encode
from hashlib import sha256
from importlib.resources import files

from dragon.page import Endpoint, Page


def _policy() -> str:
    """The policy of a report: it may show itself, and run the one script of this package.

    The sandbox gives it an origin of its own: it does not have cookies, answers of the server,
    forms or windows. It loads only images that it contains, so its styles cannot load anything
    else.
    """
    script = (files("dragon_tournament.report") / "page.js").read_text(encoding="utf-8")
    digest = b64encode(sha256(script.encode()).digest()).decode()
    return (
        "sandbox allow-scripts; default-src 'none'; img-src data:; style-src 'unsafe-inline'; "
        f"script-src 'sha256-{digest}'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'"
    )


TOURNAMENTS = Page(
    name="tournaments",
    title="Tournaments",
    summary="What was played, and what is being played now.",
    folder="dragon_tournament:web",
    script="tournaments.js",
    style="tournaments.css",
    service="dragon_tournament.service",
    endpoints=(
        Endpoint(path="", function="tournaments", cost="quick"),
        Endpoint(path="progress", cost="quick"),
        Endpoint(path="standings", cost="search"),
        Endpoint(path="ladder", cost="cheap"),
        Endpoint(path="report", cost="search", policy=_policy()),
    ),
)
