"""`dragon serve`: pages to play, analyse and watch in the browser."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import Any

import click

from dragon.config import read_text
from dragon.errors import ConfigError


@click.command()
@click.option("--host", default="127.0.0.1", metavar="ADDRESS", help="Where to listen.")
@click.option("--port", default=8000, type=click.IntRange(0, 65535), metavar="N",
              help="The port; 0 takes a free one.")  # fmt: skip
@click.option("--token", metavar="TEXT", envvar="DRAGON_TOKEN",
              help="The token that requests must have; made if one is needed.")  # fmt: skip
@click.option("--token-file", metavar="FILE", help="A file that holds it; - is stdin.")
@click.option("--name", "names", multiple=True, metavar="HOST",
              help="A name by which the server is called; may be repeated.")  # fmt: skip
@click.option("--workers", type=click.IntRange(1, 256), metavar="N",
              help="Processes that search; one for each core if not given.")  # fmt: skip
@click.option("--queue", "waiting", default=64, type=click.IntRange(0, 10_000), metavar="N",
              help="Searches that may wait; more are refused.")  # fmt: skip
@click.option("--memory", "megabytes", default=1024, type=click.IntRange(64, 1_000_000),
              metavar="MB", help="The memory of each process, at most.")  # fmt: skip
@click.option("--results", type=click.Path(path_type=Path), default="results", show_default=True,
              metavar="DIR", help="The folder of the tournaments that are shown.")  # fmt: skip
@click.option("--open", "opened", is_flag=True, help="Open the browser.")
def serve(
    token: str | None, token_file: str | None, results: Path, opened: bool, **given: Any
) -> None:
    """Serve pages to play, analyse and watch in the browser.

    Only this machine reaches it, unless --host says otherwise; then a request needs a
    token, which is printed with the address. Other users of this machine can read the
    options of a program, but neither the variable DRAGON_TOKEN nor a --token-file.
    Ctrl-C ends it.

    \b
    Examples:
      dragon serve
      dragon serve --port 8080 --open
      dragon serve --results ~/tournaments
      dragon serve --host 0.0.0.0 --name games.example.org
    """
    if missing := [name for name in ("starlette", "uvicorn") if find_spec(name) is None]:
        needed = " and ".join(missing)
        raise ConfigError(f"serving pages needs {needed}; pip install 'dragon-search[web]'")
    from dragon.web import results as chosen
    from dragon.web.app import Settings, serve

    if token_file is not None:
        token = read_text(token_file, "the token").strip()
        if not token:
            raise ConfigError(f"{token_file} holds no token; write one into it")
    chosen.choose(results)

    def said(address: str) -> None:
        click.echo(f"dragon serves {address} (Ctrl-C ends it)", err=True)
        if opened:
            click.launch(address)

    serve(Settings(token=token, **given), said)
