"""Published pages: what is in them, and what is refused."""

from __future__ import annotations

import re
from math import prod
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import dragon
from dragon.cli import main
from dragon.publish.page import digest, files, module
from dragon.publish.publication import publication
from dragon.publish.wasm import NotLinkable, Reader, linked, number, parsed, signed


def run(*arguments: str) -> Any:
    return CliRunner().invoke(main, ["publish", *arguments])


@pytest.mark.full
def test_the_command_writes_a_folder_that_is_small_and_asks_for_nothing(tmp_path: Path) -> None:
    said = run("connect4", "--to", str(tmp_path / "four"))
    assert said.exit_code == 0, said.output
    held = {each.name: each.read_text(encoding="utf-8") for each in (tmp_path / "four").iterdir()}
    assert sorted(held) == ["index.html", "page.css", "page.js"]
    assert sum(map(len, held.values())) <= 129_000
    addresses = set(re.findall(r"https?://[\w./]+", "".join(held.values())))
    assert addresses == {"http://www.w3.org/2000/svg"}, "but for the name of SVG, no address"
    assert "connect4 against alphabeta, mcts" in said.output


def test_one_file_allows_its_own_script_and_style_and_no_other(tmp_path: Path) -> None:
    file = tmp_path / "tictactoe.html"
    said = run("tictactoe", "--single", "--to", str(file), "--search", "random")
    assert said.exit_code == 0, said.output
    text = file.read_text(encoding="utf-8")
    ((policy,), (script,), (style,)) = (
        re.findall(each, text, re.DOTALL)
        for each in (
            r'Policy" content="([^"]*)"',
            r"<script>(.*?)</script>",
            r"<style>(.*)</style>",
        )
    )
    policy = policy.replace("&#x27;", "'")
    assert f"script-src {digest(script)} 'wasm-unsafe-eval';" in policy
    assert f"style-src {digest(style)};" in policy
    assert policy.startswith("default-src 'none';")


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["nim"], "nim cannot be published: it is not a game by Rules"),
        (["leduc"], "leduc cannot be published: players do not see all of it"),
        (["tictactoe", "--search", "negamax"], "negamax cannot be published; take one of "),
        (["tictactoe", "--search", "mcts(threads=2)"], "a page has one thread for it"),
        (["tictactoe", "--search", "alphabeta(driver='mtdf')"], "a page has only its driver 'pvs'"),
        (
            ["tictactoe", "--search", "mcts", "--search", "mcts(style='grave')"],
            "several ways of mcts",
        ),
        (["ulti"], "its notation is a UltiNotation, and a page knows those of boards only"),
        (["tictactoe", "--search", "determinize(search='mcts')"], "determinize"),
    ],
)
def test_what_cannot_be_published_says_so_in_one_line(
    arguments: list[str], reason: str, tmp_path: Path
) -> None:
    said = run(*arguments, "--to", str(tmp_path / "out"))
    assert said.exit_code
    assert reason in said.output
    lines = [each for each in said.output.splitlines() if not each.startswith("compiling ")]
    assert len(lines) == 1
    assert not (tmp_path / "out").exists()


def test_a_file_in_the_place_of_the_folder_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "out").write_text("mine")
    for games in (["tictactoe"], ["--all"]):
        said = run(*games, "--to", str(tmp_path / "out"))
        assert (
            said.output
            == f"dragon: {tmp_path / 'out'} is a file, not a folder; give another --to\n"
        )
    assert (tmp_path / "out").read_text() == "mine"


@pytest.mark.full
def test_a_playground_leads_to_a_page_for_each_game(tmp_path: Path) -> None:
    to = tmp_path / "games"
    games = ("tictactoe", "hex(size=3)")
    said = run(*games, "--search", "random", "--to", str(to), "--home", "../a.html")
    assert said.exit_code == 0, said.output
    index = (to / "index.html").read_text(encoding="utf-8")
    assert re.findall(r'href="([\w-]+)/index.html"', index) == ["hex-size-3", "tictactoe"]
    assert '<a class="brand" href="../a.html" target="_top">Home<' in index
    for folder in ("hex-size-3", "tictactoe"):
        page = (to / folder / "index.html").read_text(encoding="utf-8")
        assert '<a class="brand" href="../index.html" target="_top">All games<' in page
    for wrong in ([], ["tictactoe", "hex", "--single"]):
        said = run(*wrong, "--to", str(tmp_path / "none"))
        assert said.exit_code == 2
    for address in ("", " ", "javascript:alert(1)", "http://[", "my games.html"):
        said = run("tictactoe", "--to", str(tmp_path / "none"), "--home", address)
        assert said.exit_code == 2
        assert "is not an address of a page; write one such as https://" in said.output
    assert not (tmp_path / "none").exists()


@pytest.mark.full
def test_memory_is_bounded_and_the_limit_of_nodes_is_kept() -> None:
    by = [dragon.search("alphabeta(megabytes=500)"), dragon.search("mcts(megabytes=2)")]
    about = publication(dragon.game("tictactoe"), by, 1.0, nodes=77).about
    (one, other) = about["players"].values()
    (table,) = (each for each in one["memory"] if each["name"] == "table")
    assert table["shape"][0] * table["size"] <= 1e6
    assert other["longest"] <= 1e6 / 64
    assert about["nodes"] == 77


@pytest.mark.full
def test_memory_is_bounded_where_games_may_be_long() -> None:
    (player,) = (
        publication(dragon.game("checkers"), [dragon.search("alphabeta")]).about["players"].values()
    )
    assert sum(prod(each["shape"]) * each["size"] for each in player["memory"]) < 50e6


def test_numbers_of_a_module_are_read_as_they_are_written() -> None:
    for value in (0, 1, 63, 64, 127, 128, 300, 1 << 20, (1 << 32) - 1):
        assert Reader(number(value)).number() == value
        assert Reader(signed(value)).signed() == value
        assert Reader(signed(-value)).signed() == -value
    assert signed(-624485) == bytes([0x9B, 0xF1, 0x59]), "the example of the DWARF standard"


def test_what_is_no_object_file_of_wasm_is_refused() -> None:
    with pytest.raises(NotLinkable):
        linked(b"\x7fELF" + bytes(60), ["f"])
    with pytest.raises(NotLinkable, match="section 4"):
        parsed(b"\0asm\1\0\0\0" + bytes([4, 1, 0]))


def test_a_bundle_refuses_what_it_cannot_read(tmp_path: Path) -> None:
    file = tmp_path / "odd-name.js"
    file.write_text(
        'import { a } from "./one.js";\n/** Doc. */\nexport const b = a; // Why.\n\n', "utf-8"
    )
    assert module(file) == ("const $odd_name = (() => {\nconst{a}=$one,b=a;\nreturn {b};\n})();\n")
    written = (
        "const f = (x) => {\n  g(x);\n};\nconst a = 1;\nconst b = a;\nif (b) {\n  f(b);\n}\nf(a);\n"
    )
    file.write_text(written, "utf-8")
    assert module(file) == "{\nconst f=x=>{g(x)};const a=1,b=a;if(b){f(b)}f(a);\n}\n"
    file.write_text("const b = 1;\nb(); // 'Why?'\nb();\n", "utf-8")
    assert module(file) == "{\nconst b=1;b();// 'Why?'\nb();\n}\n"
    file.write_text('import b from "./one.js";\n', "utf-8")
    with pytest.raises(ValueError, match=r"odd-name\.js"):
        module(file)


def test_pages_hold_no_end_of_a_script_from_elsewhere() -> None:
    made = publication(dragon.game("tictactoe"), [])
    made.about["summary"] = "</script><b>"
    page = files(made, single=True)["index.html"].decode()
    assert page.count("</script") == 1
    assert "<b>" not in page
