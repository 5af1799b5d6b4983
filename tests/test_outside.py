"""Specs that the user has not typed: no setting of theirs reads a file or starts a program.

Each attempt plants a secret in a file, and a program that would leave a mark, and looks for both in
all that is printed, written or answered.
"""

from __future__ import annotations

import json
import re
import sqlite3
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import attrs
import pytest
from attrs import field
from click.testing import CliRunner, Result

import dragon
from dragon import ConfigError, config, frozen, hookimpl, plugins
from dragon.bridges.engine import close_idle
from dragon.cli import main
from dragon.config import OUTSIDE, Elsewhere
from dragon.core import Game, Limit, Search
from dragon.core.spec import settings
from dragon.gtp.server import GtpServer
from dragon.plugins import offers
from dragon.web import limits, play, results
from dragon.web.worker import answers
from dragon_nex.cli.gtp import NexServer
from dragon_nex.game import Nex
from dragon_tournament import service
from dragon_tournament.config.reading import parse
from dragon_tournament.executors.local import InlineExecutor
from dragon_tournament.records.record import Reason, Record
from dragon_tournament.runner import run

SECRET = "hunter2-a9f3"
STRANGER = Elsewhere("a letter", "ask its writer")
TRIED: list[object] = []
"""The values that a validator of the plugin below was asked about."""


# ---- a plugin that reaches outside in every way --------------------------------------------------


def tried(instance: object, attribute: object, value: object) -> None:
    """A validator that would open a file, were there one."""
    TRIED.append(value)


@frozen
class Source:
    """A table of settings within a game's settings."""

    file: str = field(default="", metadata={OUTSIDE: True})
    """The path of a file."""


@frozen
class Peeks(Game[str]):
    """A game whose settings name files and searches."""

    name = "peeks"
    file: str = field(default="", validator=tried, metadata={OUTSIDE: True})
    """The path of a file."""
    _deck: str = field(default="", metadata={OUTSIDE: True})
    """A file with an alias."""
    source: Source = Source()
    """A table with a file."""
    search: Search | None = None
    """A search among the settings."""
    by: Search | None = field(default=None, converter=lambda given: given and dragon.search(given))
    """The same by a converter of its own."""

    def start(self, rng: Any = 0) -> Any:
        return dragon.game("tictactoe").start(rng)

    def parse(self, text: str) -> Any:
        return dragon.game("tictactoe").parse(text)


@pytest.fixture(autouse=True)
def _installed() -> Iterator[None]:
    """Install the plugin for each test."""
    plugin = SimpleNamespace(dragon_games=hookimpl(lambda: [Peeks]))
    plugins.manager().register(plugin, name="peeks")
    TRIED.clear()
    yield
    plugins.manager().unregister(plugin)


# ---- which settings are marked -------------------------------------------------------------------

REACHING = re.compile(
    r"\b(files?|paths?|folders?|director(y|ies)|programs?|commands?|address(es)?|urls?|links?|csv)\b",
    re.IGNORECASE,
)


def closed(a: attrs.Attribute[Any]) -> bool:
    """Return whether a setting takes a few words alone, so that no file can be named."""
    try:
        if a.validator is not None:
            a.validator(None, a, "/nowhere")
    except ValueError as refused:
        return "must be" in str(refused)
    return False


def unmarked(classes: Iterable[type]) -> list[str]:
    """The settings that by their name or description reach outside, and have no mark."""
    found = []
    for cls in classes:
        about = {setting.name: setting.description for setting in settings(cls)}
        for a in attrs.fields(cls):
            text = re.search(r"\b(str|Path)\b", str(a.type)) is not None
            said = f"{a.name.replace('_', ' ')} {about[str(a.alias)]}"
            marked = a.metadata.get(OUTSIDE)
            if text and REACHING.search(said) and not marked and not closed(a):
                found.append(f"{cls.__name__}.{a.name}")
    return found


@pytest.mark.full
def test_every_setting_that_reaches_outside_has_the_mark() -> None:
    named = [type(o.value) for o in offers("dragon_referees")]
    named += [o.value for o in offers("dragon_executors")]
    classes = [*plugins.games().values(), *plugins.searches().values(), *named]
    assert unmarked(classes) == []
    marked = {f"{cls.__name__}.{a.name}" for cls in classes for a in attrs.fields(cls)
              if a.metadata.get(OUTSIDE)}  # fmt: skip
    assert marked >= {"Cover.file", "Hands.file", "SmallWorld.deck", "SmallWorld.cards",
                      "Sokoban.file", "Engine.command", "Engine.setup",
                      "TableSearch.path", "DaskExecutor.scheduler"}  # fmt: skip


def test_a_setting_without_the_mark_is_found() -> None:
    @frozen
    class Careless(Game[str]):
        name = "careless"
        weights: Path | None = None
        """The folder of the weights."""
        table_path: str = ""
        size: int = 3
        """The side of the board; a file has more."""

    assert unmarked([Careless]) == ["Careless.weights", "Careless.table_path"]


# ---- the mechanism -------------------------------------------------------------------------------

ENGINE = "engine(command=['sh', '-c', 'true'])"
REACHES = [
    "cover(file='x')",
    "hands(file='x')",
    "small_world(deck='x')",
    "small_world(cards='x')",
    "sokoban(file='x')",
    "peeks(file='x')",
    "peeks(deck='x')",
    "peeks(source={'file': 'x'})",
    f'peeks(search="{ENGINE}")',
    f'peeks(by="{ENGINE}")',
    {"name": "cover", "file": "x"},
    {"name": "peeks(file='x')"},
    {"name": "peeks", "search": {"search": "engine", "setup": ["x"]}},
]


@pytest.mark.parametrize("spec", REACHES, ids=str)
def test_a_game_from_elsewhere_does_not_reach_outside(spec: Any) -> None:
    with pytest.raises(ConfigError, match="outside dragon, which a letter may not; ask its writer"):
        config.game(spec, elsewhere=STRANGER)
    assert not [value for value in TRIED if value]  # refused before anything was opened


INNER = f'determinize(search="{ENGINE}")'


@pytest.mark.parametrize(
    "spec",
    [
        ENGINE,
        "engine(setup=['x'])",
        "table(path='x')",
        {"search": "engine", "command": ["x"]},
        INNER,
        f"determinize(search={INNER!r})",
    ],
    ids=str,
)
def test_a_search_from_elsewhere_starts_no_program(spec: Any) -> None:
    with pytest.raises(ConfigError, match="outside dragon, which a letter may not"):
        config.search(spec, elsewhere=STRANGER)


def test_all_settings_that_reach_outside_are_named_with_their_places() -> None:
    with pytest.raises(ConfigError) as caught:
        config.game("small_world(deck='x', cards='y')", elsewhere=STRANGER)
    assert [each.rpartition(" @ ")[2] for each in caught.value.problems] == [
        "small_world.deck", "small_world.cards",
    ]  # fmt: skip


def test_what_keeps_its_default_is_as_everywhere() -> None:
    for spec in ("cover", "hands(hand=4)", "hands(file='')", "sokoban(file=none)", "nim(pile=4)",
                 "small_world(deck='mathmech')", "peeks(search='mcts')"):  # fmt: skip
        if spec == "cover":
            with pytest.raises(ConfigError, match="file is missing"):
                config.game(spec, elsewhere=STRANGER)
        else:
            assert config.game(spec, elsewhere=STRANGER) == dragon.game(spec)
    assert config.search("engine(command=[])", elsewhere=STRANGER) == dragon.search("engine")


def test_what_the_user_types_reaches_where_it_should(tmp_path: Path) -> None:
    file = tmp_path / "p.txt"
    file.write_text("a b\na\nb\n")
    spec = f"cover(file='{file}')"
    with pytest.raises(ConfigError):
        config.game(spec, elsewhere=STRANGER)
    assert str(dragon.game(spec)) == spec  # and a refusal leaves nothing behind
    assert dragon.search(ENGINE).command == ("sh", "-c", "true")  # type: ignore[attr-defined]


# ---- attempts ------------------------------------------------------------------------------------


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of the user's, with a secret."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".env").write_text(f"TOKEN={SECRET} b\n{SECRET}\n")
    (tmp_path / "results").mkdir()
    monkeypatch.setenv(results.VARIABLE, str(tmp_path / "results"))
    return tmp_path


def program(place: Path) -> str:
    """The spec of a search that would leave a mark, were it started."""
    return f"engine(command=['touch', '{place / 'mark'}'])"


def specs(place: Path) -> list[str]:
    """The games that would read the secret or start the program."""
    (place / "link").symlink_to(place / ".env")
    secret = str(place / ".env")
    ways = (secret, "../" * 20 + secret.lstrip("/"), str(place / "link"))
    given = [f"cover(file={way!r})" for way in ways]
    keys = ("hands(file", "small_world(deck", "small_world(cards", "sokoban(file", "peeks(file")
    given += [f"{key}={secret!r})" for key in keys]
    return [*given, f'peeks(search="{program(place)}")', f'peeks(by="{program(place)}")']


def record(game: str, solo: bool, **more: Any) -> Record:
    """A record of a game, in a match or played alone."""
    seats = ("engine(command=['touch', 'mark'])", "cover(file='.env')")[: 1 if solo else 2]
    n = len(seats)
    alone: dict[str, Any] = {"attempts": ({"value": 1.0},), "sought": "line", "moves": (("x",),)}
    return Record(**{
        "id": "abcdef0123", "game": game, "seats": seats, "teams": tuple(range(n)), "opening": (),
        "moves": ("b2",), "scores": (1.0, -1.0)[:n], "points": (1.0, 0.0)[:n],
        "reason": Reason.TERMINAL, "nodes": (0,) * n, "seconds": (0.1,) * n, "seed": 0,
        **(alone if solo else {}), **more,
    })  # fmt: skip


def folder(place: Path, game: str, solo: bool) -> Path:
    """A folder of results from a stranger, in which all that can names the secret."""
    where = place / "results" / "theirs"
    where.mkdir(exist_ok=True)
    (where / "records.jsonl").write_text(record(game, solo).to_line() + "\n")
    player = {"name": "a", "search": program(place), "limit": {}}
    about = {
        "name": "theirs", "game": game, "players": [player], "reference": program(place),
        "instances": [{"name": game, "game": game, "file": ".env"}], "total": 2,
        "openings": {"file": ".env", "lines": [], "positions": []},
    }  # fmt: skip
    (where / "tournament.json").write_text(json.dumps(about))
    return where


def invoke(*arguments: object) -> Result:
    return CliRunner().invoke(main, [str(a) for a in arguments])


def quiet(place: Path, *said: str) -> None:
    """Check that no text and no file of the results tells the secret, and that nothing ran."""
    files = [p.read_text(errors="replace") for p in (place / "results").rglob("*") if p.is_file()]
    for text in (*said, *files):
        assert SECRET not in text
        assert "TOKEN" not in text
    assert not (place / "mark").exists()
    assert not [value for value in TRIED if value]


COMMANDS: dict[str, tuple[str, ...]] = {
    "report": ("report",),
    "report all": ("report", "--games", "9", "--out", "-"),
    "show": ("show",),
    "show json": ("show", "--json"),
    "show identical": ("show", "--identical"),
    "standings": ("standings",),
    "standings json": ("standings", "--json"),
    "export json": ("export", "--to", "json", "--out", "-"),
    "export pgn": ("export", "--to", "pgn", "--out", "-"),
    "export sgf": ("export", "--to", "sgf", "--out", "-"),
    "export csv": ("export", "--to", "csv", "--out", "-"),
}
REPLAY = ("show", "show json", "export json")


@pytest.mark.samples("report-match")
@pytest.mark.parametrize("solo", [True, False], ids=["race", "match"])
@pytest.mark.parametrize("command", COMMANDS)
def test_records_from_elsewhere_open_no_file(place: Path, command: str, solo: bool) -> None:
    name, *options = COMMANDS[command]
    for game in specs(place):
        result = invoke(name, folder(place, game, solo), *options)
        assert result.exception is None or isinstance(result.exception, SystemExit)
        quiet(place, result.output)
        if command in REPLAY:
            assert result.exit_code
            assert "names a file, a program or an address outside dragon" in result.stderr
            assert "--toml FILE" in result.stderr


def test_a_page_of_results_opens_no_file(place: Path) -> None:
    for game in specs(place):
        folder(place, game, solo=True)
        asked = service.Named("theirs")
        service._pages.clear()
        service._folders.clear()
        answers = (service.report(asked), service.standings(asked), service.progress(asked))
        quiet(place, json.dumps(answers))
        assert "outside dragon" in answers[0]["html"]


def test_a_run_that_goes_on_opens_no_file_of_the_records(place: Path) -> None:
    players = [{"search": "random", "name": "a"}, {"search": "random", "name": "b"}]
    table = {"name": "mine", "game": "tictactoe", "player": players}
    out = place / "results" / "mine"
    run(parse(table), out, InlineExecutor())
    lines = (out / "records.jsonl").read_text().splitlines()
    for game in specs(place):
        theirs = attrs.evolve(Record.from_line(lines[0]), game=game)
        (out / "records.jsonl").write_text(theirs.to_line() + "\n")
        with pytest.raises(ConfigError, match="outside dragon") as caught:
            run(parse(table), out, InlineExecutor())
        quiet(place, str(caught.value))


def test_a_proof_opens_no_file(place: Path) -> None:
    for game in specs(place):
        head = {"proof": 1, "game": game, "position": ".../.../... X", "bound": ">=", "value": 1}
        (place / "theirs.proof").write_text(json.dumps(head) + "\n")
        result = invoke("check", place / "theirs.proof")
        assert result.exit_code == 2
        assert "outside dragon, which a proof may not; give the proof's game by --game" in (
            result.stderr
        )
        quiet(place, result.output)
        other = invoke("check", "theirs.proof", "--game", "nim")
        assert (other.exit_code, f"a proof of {game}, not of nim" in other.stderr) == (2, True)
        quiet(place, other.output)


def test_a_proof_of_a_game_that_the_user_has_typed_is_replayed(place: Path) -> None:
    head = {"proof": 1, "game": "peeks(file='x')", "position": "nonsense", "bound": "<=",
            "value": 1}  # fmt: skip
    (place / "own.proof").write_text(json.dumps(head) + "\n")
    result = invoke("check", "own.proof", "--game", "peeks(file='x')")
    assert "'nonsense' is not" in result.stderr  # its game has read it


def test_a_gtp_command_opens_no_file(place: Path) -> None:
    searched = dragon.search("random")
    servers = (
        GtpServer(dragon.game("tictactoe"), searched, Limit()),
        NexServer(Nex(2, 2), lambda game: searched, Limit()),
    )
    for game in specs(place):
        for server in servers:
            (response,) = server.answers([f"7 dragon-game {game}"])
            assert str(response).startswith("?7 ")
            assert "outside dragon, which a GTP command may not" in str(response)
            quiet(place, str(response))


def test_an_engine_is_sent_the_game_that_it_was_started_with(place: Path) -> None:
    own = dragon.game("peeks(file='x')")
    server = GtpServer(own, dragon.search("random"), Limit())
    (response,) = server.answers([f"dragon-game {own}"])
    assert response.ok


def test_a_page_of_the_server_opens_no_file(place: Path) -> None:
    for game in specs(place):
        text = f"game: {game}\nmoves:\nb2\n"
        for ask in (
            lambda game=game: play.position(play.Shown(game=game)),
            lambda game=game: play.write(play.Kept(game=game)),
            lambda text=text: play.read(play.Written(game="tictactoe", text=text)),
        ):
            with pytest.raises(ConfigError, match="outside the server, which a page may not") as no:
                ask()
            quiet(place, str(no.value))
    for spec in (program(place), f'determinize(search="{program(place)}")'):
        with pytest.raises(ConfigError, match="outside the server"):
            [*play.reply(play.Asked(game="tictactoe", search=spec))]
        quiet(place)
    with pytest.raises(ConfigError, match="outside the server"):
        limits.game(f"peeks(source={{'file': '{place / '.env'}'}})")


@frozen
class Asked:
    """A request of a page that forgets `limits`."""

    game: str = ""


def careless(asked: Asked) -> Iterator[dict[str, str]]:
    """Read a spec of the request as if the user had typed it."""
    yield {"game": str(dragon.game("tictactoe"))}
    yield {"game": str(dragon.game(asked.game))}


def test_a_page_that_forgets_the_limits_opens_no_file_either(place: Path) -> None:
    function = f"{__name__}:careless"
    assert [*answers(function, {"game": "nim"})] == [{"game": "tictactoe"}, {"game": "nim"}]
    for game in specs(place):
        with pytest.raises(ConfigError, match="outside the server") as caught:
            [*answers(function, {"game": game})]
        quiet(place, str(caught.value))
    assert dragon.search(ENGINE)  # it holds for the request alone


def test_links_in_a_folder_show_no_other_file(place: Path) -> None:
    theirs = folder(place, "tictactoe", solo=False)
    (place / "secret.json").write_text(json.dumps({"name": SECRET, "version": SECRET,
                                                   "players": [{"name": SECRET}]}))  # fmt: skip
    (place / "secret.jsonl").write_text(json.dumps({"what": "failed", "detail": SECRET, "at": "x"}))
    for name, secret in (("tournament.json", "secret.json"), ("diary.jsonl", "secret.jsonl"),
                         ("report.json", "secret.json")):  # fmt: skip
        (theirs / name).unlink(missing_ok=True)
        (theirs / name).symlink_to(place / secret)
    said = [invoke("standings", theirs, "--json").output, invoke("report", theirs).output,
            (theirs / "report.html").read_text()]  # fmt: skip
    (theirs / "records.jsonl").unlink()
    (theirs / "records.jsonl").symlink_to(place / ".env")
    said.append(invoke("show", theirs).output)
    assert "holds no record" in said[-1]
    assert SECRET not in "".join(said)


@pytest.mark.full
def test_the_trials_of_a_study_from_elsewhere_start_no_program(place: Path) -> None:
    pytest.importorskip("optuna", reason="needs the extra `tune`")
    from dragon_tournament.tuning import reading as running
    from dragon_tournament.tuning.reading import parse_tuning
    from dragon_tournament.tuning.study import Study

    tuning = parse_tuning(
        {"game": "tictactoe", "seed": 5, "limit": {"simulations": 4},
         "player": [{"search": "mcts", "c": {"low": 0.1, "high": 4.0}}], "openings": {"random": 2},
         "tune": {"games": 8, "trial": 4, "step": 4}},
        "small", Path(),
    )  # fmt: skip
    out = place / "results" / "tune"
    out.mkdir()
    own = Study(tuning, out).ask()
    assert Study(tuning, out).trials() == [own]  # what it has made itself it reads again
    with sqlite3.connect(out / "study.db") as database:
        changed = database.execute(
            "update trial_user_attributes set value_json = ? where key = 'name'",
            (json.dumps(program(place)),),
        )
        assert changed.rowcount
    with pytest.raises(ConfigError, match="holds trials of other settings"):
        running.run(tuning, out, InlineExecutor)
    assert not (place / "mark").exists()


# ---- the user's own tournaments ------------------------------------------------------------------

PUZZLES = {"one": "a b c\na b\nc\na\nb c\n", "two": "p q\np\nq\np q\n"}
OWN = """
name = "own"
[[player]]
search = "dlx"
[[player]]
search = "algorithm_x"
[[instance]]
game = "cover"
files = "puzzles/*.txt"
parameter = "file"
"""


@pytest.fixture
def own(place: Path) -> Path:
    """A tournament of puzzles in files, and its TOML file."""
    (place / "puzzles").mkdir()
    for name, text in PUZZLES.items():
        (place / "puzzles" / f"{name}.txt").write_text(text)
    (place / "own.toml").write_text(OWN)
    return place / "own.toml"


def drawn(page: str) -> int:
    """The number of games that a page can replay."""
    found = re.search(r'id="games-data">(.*?)</script>', page)
    return 0 if found is None else len(json.loads(found[1])["games"])


def test_the_users_own_tournament_is_shown_by_its_toml_file(own: Path, place: Path) -> None:
    out = place / "results" / "own"
    assert invoke("tournament", "own.toml", "--workers", "0").exit_code == 0
    assert drawn((out / "report.html").read_text()) == 4
    assert invoke("tournament", "own.toml", "--workers", "0").exit_code == 0  # nothing is left
    assert drawn((out / "report.html").read_text()) == 4

    assert invoke("standings", out).exit_code == 0
    result = invoke("report", out)
    assert result.exit_code == 0
    assert result.stderr.startswith("note: the records are of cover(file='puzzles/one.txt'), which")
    page = (out / "report.html").read_text()
    assert drawn(page) == 0
    assert "outside dragon, which a record may not" in page

    for named in ((out, "--toml", "own.toml"), ("own.toml",)):
        result = invoke("report", *named)
        assert (result.exit_code, result.stderr) == (0, "")
        assert drawn((out / "report.html").read_text()) == 4
        result = invoke("show", *named)
        assert result.exit_code == 0
        assert "---- seat 0: dlx" in result.output
        assert json.loads(invoke("show", *named, "--json").output)["lines"]
        exported = json.loads(invoke("export", *named, "--to", "json", "--out", "-").output)
        assert [len(game["lines"]) for game in exported["games"]] == [2, 2]


def test_a_toml_file_lends_its_name_to_no_other_file(own: Path, place: Path) -> None:
    theirs = folder(place, f"cover(file='{place / '.env'}')", solo=True)
    for command in ("show", "report"):
        result = invoke(command, theirs, "--toml", "own.toml")
        quiet(place, result.output)
    assert "the TOML file has no game of this spec" in invoke(
        "show", theirs, "--toml", "own.toml"
    ).stderr  # fmt: skip


def test_a_toml_file_with_mistakes_is_told_if_it_is_asked_for(own: Path, place: Path) -> None:
    assert invoke("tournament", "own.toml", "--workers", "0").exit_code == 0
    own.write_text(OWN.replace("puzzles/*", "nothing/*"))
    out = place / "results" / "own"
    result = invoke("show", out, "--toml", "own.toml")
    assert (result.exit_code, "no file matches" in result.stderr) == (2, True)
    assert invoke("standings", "own.toml").exit_code == 0
    assert "outside dragon" in invoke("show", "own.toml").stderr


@pytest.mark.full  # tests/tournament/test_cluster.py has the same of a cluster
def test_workers_play_the_users_own_files(own: Path, place: Path) -> None:
    assert invoke("tournament", "own.toml", "--workers", "2").exit_code == 0
    assert drawn((place / "results" / "own" / "report.html").read_text()) == 4


@pytest.mark.full
def test_an_engine_of_a_toml_file_plays_and_its_records_are_shown(place: Path) -> None:
    command = [sys.executable, "-m", "dragon", "gtp", "tictactoe", "--search", "random"]
    (place / "engines.toml").write_text(
        'game = "tictactoe"\n[[player]]\nsearch = "random"\nname = "a"\n[[player]]\n'
        f'name = "b"\nsearch = "engine"\ncommand = {json.dumps(command)}\n'
    )
    try:
        assert invoke("tournament", "engines.toml", "--workers", "0").exit_code == 0
    finally:
        close_idle()
    out = place / "results" / "engines"
    for shown in (("show",), ("report",), ("standings",), ("export", "--to", "pgn", "--out", "-")):
        assert invoke(shown[0], out, *shown[1:]).exit_code == 0


# ---- what a message shows of a file --------------------------------------------------------------

LONG = "TOKEN=" + "s3cret" * 60


@pytest.mark.samples("text0-*")
@pytest.mark.parametrize(
    "command",
    [
        ("cover", "solve", "{}"),
        ("perft", "cover(file='{}')", "1"),
        ("solve", "hands(file='{}')"),
        ("solve", "small_world(deck='{}')"),
        ("solve", "small_world(cards='{}')"),
        ("solve", "sokoban(file='{}')"),
        ("hands", "odds", "{}"),
        ("nex", "records", "{}"),
        ("check", "{}"),
        ("tournament", "{}"),
        ("table", "tictactoe", "--from", "{}"),
    ],
    ids=lambda c: " ".join(c),
)
@pytest.mark.parametrize(
    "text", [f"{LONG} b\n{LONG}x\n", f"a: 1\na: {LONG}\n{LONG}: 2\n{LONG}: 3\n"]
)
def test_a_message_about_a_file_shows_a_word_of_it_at_most(
    tmp_path: Path, command: tuple[str, ...], text: str
) -> None:
    file = tmp_path / ".env"
    file.write_text(text)
    result = invoke(*(word.format(file) for word in command))
    assert result.exit_code
    assert "s3cret" * 11 not in result.output


def test_a_deck_file_runs_nothing(place: Path) -> None:
    (place / "deck.yaml").write_text(
        "deck: !!python/object/apply:os.system ['touch mark']\nconditions: [1 A]\n"
    )
    result = invoke("hands", "odds", "deck.yaml")
    assert result.exit_code == 2
    quiet(place, result.output)
