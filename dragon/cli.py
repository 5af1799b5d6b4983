"""The command line: the group `dragon`, its errors and exit codes, and what plugins add.

A command's own file is imported when the command is used. JSON goes to stdout and
everything else, of a command that prints JSON, to stderr. The exit code is 0; 1 if it
ran and something failed; 2 for a mistake in the input; 130 after Ctrl-C.
"""

from __future__ import annotations

import logging
import os
import signal
import sys
import threading
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from importlib.machinery import ExtensionFileLoader
from types import FrameType
from typing import Any

import click

from dragon.cli_tools import Group
from dragon.compiler.location import places
from dragon.errors import (
    FAILED,
    INTERRUPTED,
    MISTAKE,
    UNUSABLE,
    DragonError,
    Objection,
    PluginError,
    SearchError,
    TournamentError,
    one_line,
)
from dragon.files import remedy_for
from dragon.modes import read_modes
from dragon.plugins import (
    DOMAINS,
    Help,
    by_name,
    find,
    helps,
    manager,
    offers,
    own_plugins,
)
from dragon.process import end, say
from dragon.rules.watchdog import watch

PLAY, OTHERS = "Solve and play", "Other programs"
AUTHORS, MACHINE = "For authors", "The machine"
SECTIONS = (PLAY, "Tournaments", DOMAINS, OTHERS, AUTHORS, MACHINE)
"""The headings of `dragon --help`; headings of plugins come last."""
COMMANDS = {
    "games": Help(PLAY, "List the installed games and their parameters.", "dragon games"),
    "searches": Help(PLAY, "List the installed searches and their settings.", "dragon searches"),
    "play": Help(PLAY, "Play a game in the terminal.", "dragon play tictactoe"),
    "solve": Help(PLAY, "Search positions and print their values.", "dragon solve tictactoe"),
    "annotate": Help(
        PLAY,
        "Find the value of each move of a game.",
        "dragon annotate game.pgn",
    ),
    "draw": Help(
        PLAY, "Draw a position: as text, SVG or PNG.", 'dragon draw tictactoe --moves "b2 a1"'
    ),
    "prove": Help(
        PLAY,
        "Prove the value of a position, and keep the proof.",
        'dragon prove "nex(rows=3, cols=4)" --out nex-3x4.proof',
    ),
    "check": Help(
        PLAY, "Check proofs and results of tournaments again.", "dragon check nex-3x4.proof"
    ),
    "exploit": Help(
        PLAY,
        "Compute what a player loses to a best response.",
        "dragon exploit kuhn --search random",
    ),
    "table": Help(
        PLAY, "Find the value of every position (retrograde analysis).", "dragon table tictactoe"
    ),
    "cover": Help(
        PLAY,
        "List, count, rank or sample the covers of a problem.",
        "dragon cover queens.txt --count",
    ),
    "serve": Help(PLAY, "Serve pages to play, analyse and watch in the browser.", "dragon serve"),
    "publish": Help(
        PLAY,
        "Write a game as a page for the browser that needs no server.",
        "dragon publish connect4 --to four",
    ),
    "gtp": Help(
        OTHERS,
        "Play as an engine for another program, by the Go Text Protocol.",
        'dragon gtp "hex(size=11)" --search mcts --seconds 5',
    ),
    "new": Help(AUTHORS, "Write a game of your own into a new folder.", "dragon new brook"),
    "new-search": Help(
        AUTHORS, "Write a search of your own into a new folder.", "dragon new-search lucky"
    ),
    "laws": Help(
        AUTHORS, "Try the laws of the conformance kit on a game.", "dragon laws tictactoe"
    ),
    "perft": Help(AUTHORS, "Count the move paths of each length.", "dragon perft connect4 8"),
    "profile": Help(
        AUTHORS, "Show where a playout spends its time, rule by rule.", "dragon profile connect4"
    ),
    "bench": Help(
        MACHINE, "Measure how fast each game runs.", 'dragon bench connect4 "hex(size=11)"'
    ),
    "cache": Help(MACHINE, "Show the compiled code that is kept, or clear it.", "dragon cache"),
    "completion": Help(
        MACHINE,
        "Print a script by which a shell completes what is typed.",
        'eval "$(dragon completion bash)"',
    ),
}
"""The help of the core's own commands, each in the file of its name under `dragon.commands`,"""
FILES = {"searches": "games", "check": "prove", "new-search": "new"}
"""or in that of another one."""

AGAIN = 0.02
"""Seconds until a Ctrl-C that came at a bad moment comes again."""


class Dragon(Group):
    """A group that finds its commands in `dragon.commands` and in plugins, and words its errors."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of all commands; where plugins fail to load, say why, and name the
        core's."""
        return sorted(self.helps())

    def helps(self) -> dict[str, Help]:
        """The commands with a line on each; none is imported where the index has them."""
        try:
            added = helps(plugin_commands)
            if added.keys() & COMMANDS.keys():
                added = {k: v for k, v in added.items() if k in plugin_commands()}
        except PluginError as broken:
            say(f"dragon: {broken}")
            return COMMANDS
        return COMMANDS | added

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        """The command called `name`, imported now; None if there is none."""
        if name in COMMANDS:
            module = import_module(f"dragon.commands.{FILES.get(name, name)}")
            found: click.Command | None = getattr(module, name.replace("-", "_"))
        else:
            found = find("dragon_commands", name, plugin_commands)
        if found is not None and "_DRAGON_COMPLETE" in os.environ:
            from dragon.commands.completion import complete_names

            complete_names(found)
        return found

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """A line and an example for each command, under headings."""
        found = self.helps()
        width = max(map(len, found))
        named = [said.section for said in found.values()]
        for section in sorted(dict.fromkeys(named), key=[*SECTIONS, *named].index):
            with formatter.section(section):
                for name, said in found.items():
                    if said.section == section:
                        formatter.write_dl([(f"{name:<{width}}", said.line)])
                        if said.example:
                            formatter.write(f"{'':{width + 6}}{said.example}\n")

    def make_context(self, *given: Any, **more: Any) -> click.Context:
        """Read the command line; --help and --version are printed here."""
        try:
            return super().make_context(*given, **more)
        except BrokenPipeError:
            raise  # click keeps a closed pipe quiet
        except OSError as raised:
            raise click.exceptions.Exit(self.failed(raised)) from raised

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; what goes wrong becomes a sentence and an exit code."""
        try:
            try:
                read_modes()
                watch()
                with patient():
                    result = super().invoke(ctx)
                if sys.stdout is not None:
                    sys.stdout.flush()  # here, where a full disk can still be reported
                return result
            except DragonError as error:
                if os.environ.get("DRAGON_TRACEBACK") and error.__cause__ is not None:
                    say(traceback.format_exc().rstrip())
                say(f"dragon: {error}")
                code = exit_code(error)
            except (click.ClickException, click.exceptions.Exit, click.Abort, BrokenPipeError):
                raise  # click words these, and keeps a closed pipe quiet
            except Exception as raised:
                code = self.failed(raised)
        except KeyboardInterrupt:  # also one that comes while an error is worded
            say("interrupted")
            code = INTERRUPTED
        raise click.exceptions.Exit(code)

    def failed(self, raised: Exception) -> int:
        """Report an exception, a plugin's in one line with its place; return the exit code."""
        if (owner := whose(raised)) is not None:
            if os.environ.get("DRAGON_TRACEBACK"):
                say(traceback.format_exc().rstrip())
            say(f"dragon: {owner} raised {one_line(raised)}")
        elif isinstance(raised, OSError) and raised.filename and raised.errno in UNUSABLE:
            remedy = remedy_for(os.fsdecode(raised.filename))
            say(f"dragon: {raised.filename}: {raised.strerror}; {remedy}")
            return MISTAKE
        elif isinstance(raised, OSError):
            say(f"dragon: {raised.filename or 'the output'}: {raised.strerror or raised}")
            sys.stdout = open(os.devnull, "w")  # noqa: SIM115  nothing is left to flush at exit
        else:  # an internal error: show all of it
            say(traceback.format_exc().rstrip())
            say(f"dragon: internal error (please report it): {one_line(raised)}")
        return FAILED


@contextmanager
def patient() -> Iterator[None]:
    """Delay, within, a Ctrl-C that comes while C code of other packages runs.

    The compiler calls back into Python, where an exception cannot propagate: Python would print a
    traceback and go on. And a module in C, such as numpy's random numbers, may drop an exception
    while it is loaded, so that the Ctrl-C would be lost.
    """
    usual = signal.default_int_handler
    ours = (usual, end)
    if threading.current_thread() is not threading.main_thread() or (
        signal.getsignal(signal.SIGINT) not in ours
    ):
        yield
        return

    def pressed(number: int, frame: FrameType | None) -> None:
        if any(_in_c(each) for each, _ in traceback.walk_stack(frame)):
            again = threading.Timer(AGAIN, signal.raise_signal, [number])
            again.daemon = True
            again.start()
        else:
            usual(number, frame)

    signal.signal(signal.SIGINT, pressed)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, usual)


LOADING = ExtensionFileLoader.create_module.__code__, ExtensionFileLoader.exec_module.__code__
"""The code objects of Python that load a module in C."""


def _in_c(frame: FrameType) -> bool:
    """Return True for a frame of the compiler, or one that loads a module in C."""
    package = str(frame.f_globals.get("__name__", "")).partition(".")[0]
    return package == "llvmlite" or frame.f_code in LOADING


def exit_code(error: DragonError) -> int:
    """Return 2 where the input is to blame, 1 where a search or tournament failed on good input."""
    failed = isinstance(error, SearchError | TournamentError) and not isinstance(error, Objection)
    return FAILED if failed else MISTAKE


def plugin_commands() -> dict[str, click.Command]:
    """Return the commands that plugins add, by name."""
    offered = offers("dragon_commands")
    return by_name(
        "command", "a click command", lambda v: isinstance(v, click.Command), offered, COMMANDS
    )


def whose(error: BaseException) -> str | None:
    """The plugin in whose code an error arose, innermost first, with file, line and function.

    None where it is dragon's own, its first-party plugins included.
    """
    others = list(_others())
    for place in reversed(places(error)):
        for module, file, plugin in others:
            inside = place.module == module or place.module.startswith(f"{module}.")
            if inside or (file and place.file.startswith(file)):  # compiled code has no module
                return f"plugin {plugin!r} ({place}, in {place.function})"
    return None


def _others() -> Iterator[tuple[str, str, str]]:
    """Yield module, file or folder, and name of each plugin that did not come with dragon."""
    own = own_plugins()
    for name, plugin in manager().list_name_plugin():
        module = getattr(plugin, "__name__", type(plugin).__module__)
        if name not in own and module.split(".")[0] not in ("dragon", "builtins", "types"):
            file = str(getattr(plugin, "__file__", None) or "")
            yield module, file.removesuffix("__init__.py"), name


class _Messages(logging.Handler):
    """The handler that writes dragon's log as plain lines to stderr."""

    def emit(self, record: logging.LogRecord) -> None:
        try:
            say(record.getMessage())
        except ValueError:  # stderr is closed, at exit
            self.handleError(record)


def listen() -> None:
    """Send dragon's log to stderr; a second call does nothing."""
    log = logging.getLogger("dragon")
    if not any(isinstance(handler, _Messages) for handler in log.handlers):
        log.addHandler(_Messages())
        log.setLevel(logging.INFO)
        log.propagate = False


def _show_version(context: click.Context, option: click.Parameter, wanted: bool) -> None:
    """Print the version of the installed package; raises UsageError where it is not installed."""
    if wanted:
        from importlib.metadata import PackageNotFoundError, version  # 30 ms

        try:
            click.echo(f"dragon, version {version('dragon-search')}")
        except PackageNotFoundError:
            raise click.UsageError(
                "this dragon is not installed, so that it has no version; run pip install -e . in "
                "its folder"
            ) from None
        context.exit()


@click.group(cls=Dragon, context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--version", is_flag=True, expose_value=False, is_eager=True, callback=_show_version,
              help="Show the version and exit.")  # fmt: skip
def main() -> None:
    """Game search: every installed search on every installed game.

    GAME and SPEC are a name, or a name with settings: nex, "nex(rows=3, cols=3)",
    "mcts(c=0.7)". `dragon games` and `dragon searches` list them.

    `dragon COMMAND --help` has more examples.
    """
    listen()


if __name__ == "__main__":
    sys.exit(main())
