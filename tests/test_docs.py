"""The documentation says what is there: nothing left out, no dead link, no snippet that fails."""

from __future__ import annotations

import ast
import doctest
import importlib.util
import inspect
import pkgutil
import re
from pathlib import Path

import attrs
import pytest

import dragon
from dragon import bits, errors, hookspecs, index
from dragon.cli import COMMANDS
from dragon.compiler import (
    emission,
    expressions,
    front,
    meaning,
    operations,
    program,
    values,
    writing,
)
from dragon.laws import LAWS, apart
from dragon.plugins import EXTRAS
from dragon.rules import (
    contract,
    evaluator,
    layout,
    notation,
    record,
    rule_errors,
    rules,
    watchdog,
)
from dragon.rules import rehearsal as games
from dragon.rules.kernels import guards, playout, rehearsal

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
PAGES = [*sorted(ROOT.glob("*.md")), *sorted(DOCS.rglob("*.md"))]
REFERENCE = (DOCS / "reference.md").read_text(encoding="utf-8")
TELLING = (
    guards, rehearsal, playout, emission, values, writing, watchdog, program, operations,
    expressions, front, meaning, evaluator, apart, layout, notation, record,
    games, rules, rule_errors,
)  # fmt: skip
"""Modules that say what is wrong with rules."""
GAMES = sorted(p.stem for p in (DOCS / "games").glob("*.md"))
FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)

pages = pytest.mark.parametrize("page", PAGES, ids=lambda p: str(p.relative_to(ROOT)))


def own(classes):
    """The classes of dragon and its own plugins, by name."""
    first = (
        "dragon.",
        "dragon_boards",
        "dragon_classics",
        "dragon_hands",
        "dragon_nex",
        "dragon_pokemon",
        "dragon_puzzles",
        "dragon_small_world",
        "dragon_ulti",
    )
    return {name: cls for name, cls in classes.items() if cls.__module__.startswith(first)}


# ---- everything is documented ----------------------------------------------------------------


def test_every_hook_with_its_exact_arguments():
    hooks = [f for n, f in vars(hookspecs).items() if n.startswith("dragon_")]
    assert len(hooks) == 9
    for hook in hooks:
        arguments = ", ".join(inspect.signature(hook).parameters)
        assert f"`{hook.__name__}({arguments})`" in REFERENCE


def test_every_error():
    tree = REFERENCE.partition("<!-- begin errors -->")[2].partition("<!-- end -->")[0]
    found = [c for c in vars(errors).values() if inspect.isclass(c) and issubclass(c, Exception)]
    assert len(found) > 10
    for error in found:
        assert re.search(rf"\b{error.__name__}\b", tree), error


def test_the_drawn_tree_of_errors_is_the_real_one():
    tree = REFERENCE.partition("<!-- begin errors -->")[2].partition("<!-- end -->")[0]
    above: dict[int, type] = {}
    for line in tree.splitlines():
        named = re.match(r"([│├└─ ]*)(\w+)(?: \((\w+)\))?", line)
        if not named or not hasattr(errors, named[2]):
            continue
        error, depth = getattr(errors, named[2]), len(named[1])
        parents = [e for d, e in above.items() if d < depth]
        assert not parents or issubclass(error, parents[-1]), line
        if named[3]:
            assert named[3] in {base.__name__ for base in error.__mro__}, line
        above = {d: e for d, e in above.items() if d < depth} | {depth: error}


def test_every_law():
    for law in LAWS:
        sentence = law.sentence.replace("|", "\\|")
        assert f"| `{law.name}` | {sentence} |" in REFERENCE


def test_every_search_and_its_settings():
    assert own(dragon.searches())
    for name, cls in own(dragon.searches()).items():
        section = REFERENCE.partition(f"\n### {name}\n")[2].partition("\n### ")[0]
        assert section, name
        for field in attrs.fields(cls):
            assert f"| `{field.name}` |" in section, (name, field.name)


def page_of(name, cls):
    """A game's page: its own, or that of its plugin where one page holds several games."""
    plugin = cls.__module__.partition(".")[0].removeprefix("dragon_")
    own, shared = (word.replace("_", "-") for word in (name, plugin))
    return own if own in GAMES else shared


def test_every_game_and_its_parameters():
    games = {name: cls for name, cls in own(dragon.games()).items() if name not in EXTRAS}
    assert sorted({page_of(name, cls) for name, cls in games.items()}) == GAMES
    for name, cls in games.items():
        text = (DOCS / "games" / f"{page_of(name, cls)}.md").read_text(encoding="utf-8")
        part = text.partition(f"<!-- begin game {name} -->")[2].partition("<!-- end -->")[0]
        assert part, name
        for field in attrs.fields(cls):
            assert f"| `{field.alias}` |" in part, (name, field.alias)


@pytest.mark.parametrize("name", GAMES)
def test_the_pages_of_games_have_the_same_headings(name):
    text = (DOCS / "games" / f"{name}.md").read_text(encoding="utf-8")
    headings = re.findall(r"^## (.*)$", text, re.MULTILINE)
    assert headings == ["Usage", "Description", "Rules", "Notation", "Parameters"]


def test_every_command():
    for command in [*COMMANDS, "tournament", "tune"]:
        assert f"\n### dragon {command}\n" in REFERENCE


def test_every_environment_variable():
    sources = [
        p for folder in ("dragon", "games", "tournaments") for p in ROOT.glob(f"{folder}/**/*.py")
    ]
    found = set()
    for source in sources:
        found |= set(re.findall(r"""["'](DRAGON_[A-Z]+)["']""", source.read_text(encoding="utf-8")))
    assert found >= {"DRAGON_JIT", "DRAGON_CACHE", "DRAGON_PLUGINS"}
    for variable in found:
        assert f"| `{variable}` |" in REFERENCE


def test_every_rule_with_its_exact_arguments():
    for rule in contract.RULES.values():
        assert f"| `{rule.signature}` |" in REFERENCE, rule.signature


def test_every_field_of_rules_limit_and_result():
    for cls in (dragon.Rules, dragon.Limit, dragon.Result):
        for field in attrs.fields(cls):
            assert re.search(rf"`{field.name}[`(]", REFERENCE), (cls, field.name)


def test_every_member_of_state_game_and_search():
    for cls in (dragon.State, dragon.Game, dragon.Search):
        for name in vars(cls):
            if not name.startswith("_"):
                assert re.search(rf"`{name}[`(]", REFERENCE), (cls, name)


def test_every_function_for_bit_sets():
    names = [n for n, f in vars(bits).items() if inspect.isfunction(f) and not n.startswith("_")]
    assert len(names) > 10
    for name in names:
        arguments = ", ".join(inspect.signature(getattr(bits, name)).parameters)
        assert f"`{name}({arguments})`" in REFERENCE, name


def test_every_run_time_dependency_has_a_reason():
    import tomllib

    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    page = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    for needed in project["dependencies"]:
        name = re.match(r"[\w-]+", needed)
        assert name
        assert f"| {name[0]} |" in page, needed


def test_the_index_lists_every_page():
    index = (DOCS / "README.md").read_text(encoding="utf-8")
    for page in DOCS.rglob("*.md"):
        assert page.name == "README.md" or f"({page.relative_to(DOCS)})" in index, page


def messages(module):
    """Give the messages about rules in a module, `...` for what differs from case to case."""
    said = {"Breach", "check", "require", "take_turn", "refuse", "Refused", "_end", "PluginError"}
    path = Path(inspect.getsourcefile(module))
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        name = getattr(node, "func", None)
        if getattr(name, "attr", getattr(name, "id", "")) in said:
            yield from filter(lambda text: len(text) > 8, map(plain, node.args))
        targets = getattr(node, "targets", [getattr(node, "target", None)])
        if any(getattr(target, "id", "") == "reason" for target in targets):
            yield from filter(lambda text: len(text) > 8, [plain(node.value)])


def plain(node):
    """A text in the source; empty if it is none."""
    if isinstance(node, ast.JoinedStr):
        return "".join(part.value if isinstance(part, ast.Constant) else "..." for part in
                       node.values)  # fmt: skip
    if isinstance(node, ast.BinOp):
        return plain(node.left) + plain(node.right)
    value = getattr(node, "value", "")
    return value if isinstance(value, str) else ""


def test_every_range_of_a_rule_has_its_cure():
    page = (DOCS / "when-rules-go-wrong.md").read_text(encoding="utf-8")
    for name, rule in contract.RULES.items():
        assert not rule.breach or f"| `{name}` | `{rule.breach}` |" in page, name


@pytest.mark.parametrize("module", TELLING, ids=lambda m: m.__name__)
def test_every_message_about_rules_has_its_cure(module):
    page = (DOCS / "when-rules-go-wrong.md").read_text(encoding="utf-8")
    found = list(messages(module))
    assert found
    for message in found:
        rule, _, reason = message.partition(": ")
        if module in (guards, rehearsal, playout) and rule != "asked":
            rows = [line for line in page.splitlines() if line.startswith(f"| `{rule}` |")]
            assert any(f"| `{reason}` |" in line for line in rows), message
        else:
            text = reason if rule == "asked" else re.sub(r"(\.\.\.)+", "...", message)
            text = re.sub(r"^(dragon: |\.\.\. in \.\.\.|; )", "", text)
            assert text.removesuffix("...").strip("; ") in page, message


# ---- what is written is true -----------------------------------------------------------------


def script(name):
    """A script of the documentation as a module."""
    spec = importlib.util.spec_from_file_location(f"docs_{name}", DOCS / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pages
def test_generated_parts_are_up_to_date(page):
    text = page.read_text(encoding="utf-8")
    assert text == script("generate").written(text), "run `python docs/generate.py`"


def test_the_list_of_own_plugins_is_up_to_date():
    assert index.OWN.read_text(encoding="utf-8") == script("generate").own_plugins(), (
        "run `python docs/generate.py`"
    )


@pytest.mark.parametrize("drawing", ["draw", "draw_hands", "draw_ladder", "draw_nex", "draw_ulti"])
def test_drawings_are_up_to_date(drawing):
    pictures = script(drawing).PICTURES
    assert pictures
    for name, draw in pictures.items():
        drawn = (DOCS / "images" / name).read_text(encoding="utf-8")
        assert drawn == draw(), f"run `python docs/{drawing}.py` ({name})"


def test_the_tatami_game_is_complete_and_counts_as_it_says():
    text = (DOCS / "write-your-puzzle-as-a-cover.md").read_text(encoding="utf-8")
    game, said = (
        re.search(rf"<!-- {name} -->\n```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)[1]
        for name in ("dragon_tatami.py", "tatami counts")
    )
    names = {"__name__": "dragon_tatami"}
    exec(game, names)
    exec(said, names)
    (tatami,) = names["dragon_games"]()
    assert tatami().parse("s0.0 s1.0 p1.1").payoff


def test_the_files_of_mats_have_the_covers_that_are_told():
    from dragon.cover import covers, parse

    text = (DOCS / "write-your-puzzle-as-a-cover.md").read_text(encoding="utf-8")
    plain, output, bounded = (body for kind, body in FENCE.findall(text) if not kind)
    mats = parse(plain)
    lines = [" | ".join(mats.names[o] for o in chosen) for chosen in covers(mats)]
    assert output.splitlines()[:-1] == lines
    upright = plain.replace("\n", " | upright\n", 1)
    for option in plain.splitlines()[-4:]:
        upright = upright.replace(f"\n{option}\n", f"\n{option} upright\n")
    assert covers(parse(upright)).count() == 1
    head, *options = plain.splitlines()
    painted = [f"{option} row:{colour}" for option in options for colour in ("red", "blue")]
    assert covers(parse("\n".join([f"{head} | row", *painted]))).count() == 10
    assert covers(parse(bounded)).count() == 4


def anchors(page):
    """The anchors of a page's headings."""
    text = FENCE.sub("", page.read_text(encoding="utf-8"))
    headings = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", h).strip().lower().replace(" ", "-") for h in headings}


@pages
def test_links_lead_somewhere(page):
    text = FENCE.sub("", page.read_text(encoding="utf-8"))
    for link in re.findall(r"\]\(([^)\s]+)\)", text):
        if link.startswith("http"):
            continue
        target, _, anchor = link.partition("#")
        file = (page.parent / target).resolve() if target else page
        assert file.exists(), link
        assert not anchor or anchor in anchors(file), link


@pages
def test_files_that_a_page_names_are_there(page):
    if page.name != "CHANGELOG.md":  # which tells of files that were there
        named = re.findall(
            r"`((?:dragon|games|tournaments|tests|docs)/[\w./-]+)`",
            page.read_text(encoding="utf-8"),
        )
        assert [path for path in named if not (ROOT / path).exists()] == []


@pages
def test_examples_run(page, monkeypatch):
    monkeypatch.setattr("linecache.checkcache", lambda *_: None)  # a look at each file ever read
    blocks = [
        body for kind, body in FENCE.findall(page.read_text(encoding="utf-8")) if kind == "pycon"
    ]
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.IGNORE_EXCEPTION_DETAIL)
    text = "\n".join(blocks)
    test = doctest.DocTestParser().get_doctest(text, {}, page.name, str(page), 0)
    said: list[str] = []
    runner.run(test, out=said.append)
    assert runner.failures == 0, "".join(said)
    assert bool(blocks) == bool(runner.tries)


@pages
def test_blocks_are_fenced_whole(page):
    assert page.read_text(encoding="utf-8").count("\n```") % 2 == 0


@pages
def test_tournaments_in_the_documentation_are_valid(page):
    if page.name == "tutorial.md":
        import tomllib

        from dragon_tournament.config.reading import parse

        blocks = [
            body for kind, body in FENCE.findall(page.read_text(encoding="utf-8")) if kind == "toml"
        ]
        tables = [table for table in map(tomllib.loads, blocks) if "player" in table]
        assert len(tables) == 1
        assert [p.name for p in parse(tables[0]).players][1] == "random"


def test_the_game_on_a_board_is_one_that_is_tested():
    text = (DOCS / "boards.md").read_text(encoding="utf-8")
    found = re.search(
        r"<!-- breakthrough -->\n```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL
    )
    assert found is not None
    names: dict[str, object] = {}
    exec(found[1], names)
    tested = code_lines((ROOT / "tests" / "boards" / "board_games.py").read_text(encoding="utf-8"))
    lines = code_lines(found[1])
    shown = lines[lines.index("@frozen") :]
    at = tested.index(shown[1]) - 1
    assert tested[at : at + len(shown)] == shown
    for field in attrs.fields(dragon.Board):
        assert f"`{field.name}`" in text, field.name


@pytest.mark.full
def test_the_newcomers_game_is_what_brute_force_says(tmp_path, monkeypatch):
    text = (DOCS / "newcomers-hour.md").read_text(encoding="utf-8")
    marked = r"<!-- clobber.*? -->\n```python\n(.*?)^```$"
    game, test = re.findall(marked, text, re.MULTILINE | re.DOTALL)
    (tmp_path / "newcomers_clobber.py").write_text(game, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    names = {"dragon": dragon, "Clobber": importlib.import_module("newcomers_clobber").Clobber}
    exec(test, names)
    names["test_small_boards_are_as_brute_force_says"]()


@pytest.mark.parametrize(
    ("page", "file"), [("tutorial.md", "tictactoe.py"), ("your-card-game.md", "leduc.py")]
)
def test_the_tutorials_code_is_the_games_file(page, file):
    text = (DOCS / page).read_text(encoding="utf-8")
    parts = re.findall(
        rf"<!-- {re.escape(file)} -->\n```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL
    )
    game = (ROOT / "games" / "dragon_classics" / file).read_text(encoding="utf-8")
    assert code_lines("".join(parts)) == code_lines(game)


def code_lines(text):
    """The lines that are not blank."""
    return [line for line in text.splitlines() if line.strip()]


def test_the_readme_shows_the_commands_and_the_warning():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert "pip install . && dragon tournament tournaments/nex-3x3.toml" in text
    assert "pip install -e '.[test]' && pytest" in text
    assert "dragonhpc" in text
    assert "first seat" in text


def test_the_changelog_knows_this_version():
    from importlib.metadata import version

    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert f"\n## {version('dragon-search')}" in text


WALK = re.findall(r"`(dragon\w*\.[\w.]+)`", (DOCS / "walks.md").read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", sorted(set(WALK)))
def test_the_walks_go_through_what_there_is(name: str) -> None:
    assert pkgutil.resolve_name(name) is not None


def test_the_walks_have_no_more_hops_than_it_takes() -> None:
    parts = (DOCS / "walks.md").read_text(encoding="utf-8").split("\n## ")[1:]
    assert [len(re.findall(r"^\d+\. ", part, re.M)) for part in parts] == [7, 4, 6]
