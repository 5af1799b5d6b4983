"""`dragon small-world`: what its commands print, and what they say of mistakes."""

from __future__ import annotations

import csv
import io
import json
import re
import sys
import time
from itertools import combinations, pairwise
from math import comb, cos, radians, sin
from pathlib import Path
from types import SimpleNamespace
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner

from dragon.cli import main
from dragon_small_world.cli import small_world
from dragon_small_world.pool import starter_pool as starter

FACTS = Path(__file__).parents[4] / "shared" / "facts" / "smallworld" / "monsters.csv"
SVG = "{http://www.w3.org/2000/svg}"
KEYS = ["id", "name", "numerator", "score", "connections", "in_deck"]


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    """No downloaded cards."""
    monkeypatch.setenv("DRAGON_DATA", str(tmp_path / "dragon-search"))
    return tmp_path


def run(*arguments, **more):
    return CliRunner().invoke(
        main, ["small-world", *map(str, arguments)], prog_name="dragon", **more
    )


def as_json(*arguments):
    """The JSON on stdout."""
    result = run(*arguments, "--json")
    assert result.exit_code == 0, result.stderr
    return json.loads(result.stdout)


@pytest.mark.parametrize("command", [(), *((name,) for name in small_world.commands)])
def test_help_gives_examples(command):
    result = run(*command, "--help")
    assert result.exit_code == 0
    examples = result.stdout.partition("Examples:")[2]
    assert f"dragon small-world {' '.join(command)}".strip() in examples


def test_bridges_gives_the_documented_object():
    row = as_json("bridges", "mathmech", "--top", 2)
    assert list(row) == ["deck", "unknown", "denominator", "bridges"]
    assert len(row["deck"]) == 14
    assert (row["unknown"], row["denominator"]) == ([], 225)
    assert [list(bridge) for bridge in row["bridges"]] == [KEYS] * 2
    assert row["bridges"][0] == {
        "id": 39817919, "name": "Shinobird Crow", "numerator": 217, "score": 217 / 225,
        "connections": 12, "in_deck": False,
    }  # fmt: skip


def test_bridges_lists_all_as_json_and_twenty_for_people():
    assert len(as_json("bridges", "mathmech")["bridges"]) > 300
    lines = run("bridges", "mathmech").stdout.splitlines()
    assert lines[0] == "14 monsters, of whose pairs 59.18% can be searched"
    listed = [line for line in lines if re.match(r"\d+\.\d\d%  ", line)]
    assert len(listed) == 20
    assert listed[0].startswith("96.44%     12  Shinobird Crow")
    exact = run("bridges", "mathmech", "--exact", "--top", 1).stdout.splitlines()
    assert "pairs 116 of 196 can" in exact[0]
    assert exact[5].startswith("217/225  96.44%")


def test_squaring_is_a_check_of_the_theorem(monkeypatch):
    result = run("bridges", "mathmech", "--check", "--json")
    assert "350 squared matrices agree" in result.stderr
    assert len(json.loads(result.stdout)["bridges"]) > 300
    monkeypatch.setattr("dragon_small_world.bridges.squared_numerator", lambda *_: 0)
    broken = run("bridges", "mathmech", "--check")
    assert broken.exit_code == 1
    assert "disagree" in broken.stderr


def test_filters_requirements_and_the_deck_narrow_the_list():
    every = {b["name"]: b for b in as_json("bridges", "mathmech")["bridges"]}
    some = as_json(
        "bridges", "mathmech", "--require", "mathmech circular", "--require", "D.D. Crow"
    )
    assert 0 < len(some["bridges"]) < len(every)
    low = as_json("bridges", "mathmech", "--filter", "level<=2", "--filter", "attribute!=LIGHT")
    assert {b["name"] for b in low["bridges"]} < set(every)
    assert any(bridge["in_deck"] for bridge in every.values())
    rest = as_json("bridges", "mathmech", "--exclude-deck")["bridges"]
    assert rest == [bridge for bridge in every.values() if not bridge["in_deck"]]


def test_what_is_not_understood_is_told_on_stderr_and_in_the_object(home):
    file = home / "deck.ydk"
    file.write_text("#main\n14558127\n97268402\n12345678\nEffekt Veiler\n!side\n24508238\n")
    result = run("bridges", file, "--json")
    row = json.loads(result.stdout)
    assert row["unknown"] == [12345678]
    assert f"note: {file}, line 4: not known: 12345678 (cards: the starter pool" in result.stderr
    assert f"note: {file}, line 5: 'Effekt Veiler' is read as 'Effect Veiler'" in result.stderr
    assert len(row["deck"]) == 3
    assert len(as_json("bridges", file, "--no-side")["deck"]) == 2


def test_a_deck_comes_from_stdin():
    result = run("bridges", "-", "--json", "--top", 1, input="Effect Veiler\nD.D. Crow\n")
    assert json.loads(result.stdout)["deck"] == ["D.D. Crow", "Effect Veiler"]


def test_question_marks_are_marked(home):
    cards = home / "cards.csv"
    cards.write_text(
        "id,name,attribute,type,level,atk,def\n1,Asked,DARK,Fiend,4,?,100\n"
        "2,Also,FIRE,Pyro,5,?,200\n3,Naught,WIND,Aqua,6,0,300\n4,Plain,EARTH,Beast,4,50,50\n"
    )

    def listed(question):
        asked = ("bridges", "-", "--cards", cards, "--question", question)
        names = [
            b["name"] for b in json.loads(run(*asked, "--json", input="Asked").stdout)["bridges"]
        ]
        return names, run(*asked, input="Asked").stdout

    assert listed("text")[0] == ["Also", "Plain"]
    assert listed("zero")[0] == ["Also", "Naught", "Plain"]
    assert listed("never")[0] == ["Plain"]
    assert "Also (?)" in listed("text")[1]
    assert "Naught (?)" in listed("zero")[1]
    assert "(?)" not in listed("never")[1]


def test_pairs_gives_the_documented_object():
    row = as_json("pairs", "mathmech", "--top", 3)
    assert list(row) == ["denominator", "pairs"]
    assert row["denominator"] == 256
    assert [list(pair) for pair in row["pairs"]] == [["names", "numerator"]] * 3
    assert [pair["numerator"] for pair in row["pairs"]] == [254] * 3
    listed = [pair["names"] for pair in row["pairs"]]
    assert listed == sorted(listed)
    assert "254/256  99.22%" in run("pairs", "mathmech", "--top", 1, "--exact").stdout


@pytest.mark.samples("1")
@pytest.mark.parametrize("k", [1, 2, 3, 4])
def test_sets_gives_the_documented_object(k):
    row = as_json("sets", "mathmech", "-k", k)
    assert list(row) == ["k", "denominator", "names", "numerator", "bound", "upper"]
    assert (row["k"], row["denominator"], len(row["names"])) == (k, (14 + k) ** 2, k)
    assert row["bound"] == "="
    assert row["numerator"] == row["upper"] == {1: 217, 2: 254, 3: 289, 4: 324}[k]
    assert f" ({row['numerator']}/" in run("sets", "mathmech", "-k", k, "--exact").stdout


def test_what_is_not_proven_is_told():
    result = run("sets", "mathmech", "-k", 4, "--filter", "level=2", "--exclude-deck")
    assert result.exit_code == 0
    assert result.stdout.startswith(">= ")
    assert "not proven; no set has more than" in result.stderr


def test_too_few_bridges_are_told():
    result = run("sets", "mathmech", "-k", 3, "--filter", "name=Sangan", "--json")
    assert result.exit_code == 0
    assert json.loads(result.stdout)["names"] == []
    assert "fewer bridges than are asked for" in result.stderr


def test_ctrl_c_tells_what_is_known(monkeypatch):
    from dragon_small_world import bridges

    true = bridges.best_sets

    def pressed(*arguments):
        yield next(iter(true(*arguments)))
        raise KeyboardInterrupt

    monkeypatch.setattr(bridges, "best_sets", pressed)
    result = run("pairs", "mathmech", "--json")
    assert result.exit_code == 130
    assert json.loads(result.stdout)["pairs"]
    assert "not proven" in result.stderr or "not all was searched" in result.stderr
    assert "interrupted" in result.stderr


def test_the_time_limit_ends_the_search(monkeypatch):
    clock = iter(range(0, 1_000_000, 100))
    monkeypatch.setattr(time, "perf_counter", lambda: next(clock))
    result = run("pairs", "mathmech", "--seconds", 5)
    assert result.exit_code == 0
    assert "not proven" in result.stderr or "not all was searched" in result.stderr


def test_paths_explain_weak_and_reach():
    rows = as_json("paths", "mathmech", "--from", "D.D. Crow", "--to", "Mathmech Circular")["paths"]
    assert list(rows[0]) == ["reveal", "first", "bridge", "second", "target", "in_deck"]
    assert rows[0]["bridge"] == "Effect Veiler"
    assert rows[0]["first"] == "level"
    assert rows[0]["second"] == "attribute"
    assert as_json("explain", "Mathmech Sigma", "14558127") == {
        "names": ["Mathmech Sigma", "Ash Blossom & Joyous Spring"], "shared": [], "linked": False,
    }  # fmt: skip
    assert "linked by attribute" in run("explain", "mathmech sigma", "effect veiler").stdout
    found = as_json("weak", "mathmech")
    assert found["dead"] == []
    assert found["monsters"][0]["name"] == "Mathmech Multiplication"
    row = as_json("reach", "mathmech", "--target", "Mathmech Circular")
    assert row["denominator"] == 658008
    assert row["total"] == {"numerator": 377541, "p": 377541 / 658008}
    assert run("reach", "mathmech", "--target", "circular").stdout.splitlines()[1:] == [
        "share",
        "57.38%  have or search it",
        "33.76%  have it",
        "23.62%  search it: 98.60% of those with Small World and no target",
    ]


def test_paths_need_no_deck_where_there_is_a_target():
    ends = ("--from", "D.D. Crow", "--to", "Mathmech Circular")
    alone, beside = as_json("paths", *ends)["paths"], as_json("paths", "mathmech", *ends)["paths"]
    assert not any(path["in_deck"] for path in alone)
    assert {path["bridge"] for path in alone} == {path["bridge"] for path in beside}


def test_what_is_nearly_certain_is_not_said_to_be():
    asked = ("reach", "mathmech", "--target", "Mathmech Circular", "--hand", 10)
    odds = as_json(*asked)
    assert "100.00%" not in (said := run(*asked).stdout)
    assert "search it: >99.99% of those" in said
    assert odds["searched"]["p"] < odds["asked"]["p"]


def test_no_way_is_told():
    result = run("paths", "mathmech", "--from", "Mathmech Multiplication", "--to",
                 "Mathmech Multiplication", "--no-side")  # fmt: skip
    assert "Ghost Belle" in result.stdout
    with_one = run("paths", "-", "--from", "Effect Veiler", input="Sangan\n")
    assert with_one.stdout == "there is no way\n"


def test_copies_of_small_world_can_be_added(home):
    file = home / "deck.txt"
    file.write_text("3 Mathmech Circular\nEffect Veiler\nD.D. Crow\n2 other\n")
    row = as_json("reach", file, "--target", "Mathmech Circular", "--hand", 3, "--copies", 2)
    assert row["deck_size"] == 9
    assert row["searched"]["numerator"] > 0
    refused = run("reach", file, "--target", "Mathmech Circular")
    assert refused.exit_code == 2
    assert "--copies" in refused.stderr


def test_matrix_and_graph_are_printed_and_drawn(home):
    row = as_json("matrix", "mathmech", "--squared")
    assert row["squared"]
    assert sum(count > 0 for line in row["matrix"] for count in line) == 116
    links = as_json("graph", "mathmech")["links"]
    assert len(links) * 2 == sum(map(sum, as_json("matrix", "mathmech")["matrix"]))
    for command, file in (("graph", home / "g.svg"), ("matrix", home / "m.svg")):
        result = run(command, "mathmech", "--image", file)
        assert result.exit_code == 0, result.stderr
        root = ElementTree.parse(file).getroot()
        assert root.tag == f"{SVG}svg"
        texts = [text.text for text in root.iter(f"{SVG}text")]
        assert set(row["names"]) <= set(texts)
        assert "http" not in file.read_text().replace("http://www.w3.org/2000/svg", "")
    edges = list(of_class(home / "g.svg", "edge"))
    assert len(edges) == len(links)
    assert {"LIGHT", "ATK 1000", "level 1"} <= {edge.text for edge in edges}
    assert run("graph", "mathmech", "--image", "-").stdout.startswith("<svg")


def of_class(file, kind):
    """The texts of a drawing that are of a class."""
    texts = ElementTree.parse(file).iter(f"{SVG}text")
    return (text for text in texts if kind in text.get("class", "").split())


@pytest.mark.full
def test_pictures_are_png_by_their_ending(home):
    pytest.importorskip("matplotlib", reason="the extra `plot`")
    for command in (["graph"], ["matrix", "--squared"]):
        file = home / f"{command[0]}.PNG"
        result = run(*command, "mathmech", "--image", file)
        assert result.exit_code == 0, result.stderr
        data = file.read_bytes()
        assert data.startswith(b"\x89PNG")
        width, height = (int.from_bytes(data[at : at + 4], "big") for at in (16, 20))
        assert min(width, height) > 900


def test_png_without_matplotlib_says_what_to_do(home, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    monkeypatch.setitem(sys.modules, "matplotlib.backends.backend_agg", None)
    result = run("graph", "mathmech", "--image", home / "g.png")
    assert result.exit_code == 2
    assert "dragon-search[plot]" in result.stderr
    assert "draw an .svg" in result.stderr
    assert not (home / "g.png").exists()


def test_a_monster_that_is_pointed_at_shows_its_links_alone(home):
    run("graph", "mathmech", "--image", home / "g.svg")
    text = (home / "g.svg").read_text()
    names = as_json("graph", "mathmech")["monsters"]
    for link in as_json("graph", "mathmech")["links"]:
        ends = sorted(names.index(link[word]) for word in ("first", "second"))
        assert text.count(f'class="link l{ends[0]} l{ends[1]}"') == 1
    assert all(f".m{i}:hover" in text for i in range(len(names)))


@pytest.mark.full
def test_a_graph_of_forty_has_labels_that_do_not_cover_one_another(home):
    file = home / "deck.txt"
    file.write_text("\n".join(m.name for m in starter().monsters[::8][:40]))
    assert run("graph", file, "--image", home / "g.svg").exit_code == 0
    labels = [
        box(float(t.get("x")), float(t.get("y")), 6 * len(t.text), turned(t))
        for t in of_class(home / "g.svg", "edge")
    ]
    assert len(labels) > 100
    covered = sum(crossed(one, other) for one, other in combinations(labels, 2))
    assert covered <= len(labels) // 20
    assert len(list(of_class(home / "g.svg", "name"))) == 40


def turned(text):
    """Radians by which a text of a drawing is turned."""
    found = re.fullmatch(r"rotate\((\S+) \S+ \S+\)", text.get("transform", "rotate(0 0 0)"))
    return radians(float(found[1]))


def box(x, y, wide, turn):
    """The corners of a line of small type."""
    c, s = cos(turn), sin(turn)
    corners = ((u * wide / 2, v * 4.5) for u, v in ((-1, -1), (1, -1), (1, 1), (-1, 1)))
    return [(x + u * c - v * s, y + u * s + v * c) for u, v in corners]


def crossed(one, other):
    """Tell whether two turned boxes meet: no side of either has them apart."""
    for corners in (one, other):
        for (x1, y1), (x2, y2) in pairwise(corners):
            across = [
                [(x - x1) * (y2 - y1) - (y - y1) * (x2 - x1) for x, y in each]
                for each in (one, other)
            ]
            if max(across[0]) < min(across[1]) or max(across[1]) < min(across[0]):
                return False
    return True


@pytest.mark.parametrize(
    ("arguments", "head"),
    [
        (["bridges", "mathmech"], "bridge_score,number_of_connections,name,type,attribute,level,"),
        (["pairs", "mathmech"], "numerator,denominator,first,second"),
        (["paths", "mathmech", "--from", "D.D. Crow"], "reveal,first,bridge,second,target,in_deck"),
        (["weak", "mathmech"], "name,links,reaches"),
        (["matrix", "mathmech"], ",Ash Blossom & Joyous Spring,"),
        (["graph", "mathmech"], "first,second,property"),
    ],
)
def test_tables_are_csv_on_request(arguments, head):
    result = run(*arguments, "--csv")
    assert result.exit_code == 0, result.stderr
    assert result.stdout.startswith(head)
    rows = list(csv.reader(io.StringIO(result.stdout)))
    assert len(rows) > 5
    assert len({len(row) for row in rows}) == 1


MISTAKES = {
    "no deck": (["bridges"], "DECK"),
    "no file": (["bridges", "nothing.ydk"], "no deck file 'nothing.ydk'"),
    "misspelt sample": (["bridges", "mathmec"], "did you mean 'mathmech'?"),
    "unknown command": (["bridge", "mathmech"], "did you mean 'bridges'"),
    "unknown name": (["bridges", "mathmech", "--require", "Effekd Weiler"], "did you mean 'Effect"),
    "unknown start": (["paths", "mathmech", "--from", "Zangam"], "did you mean 'Sangan'?"),
    "unknown target": (["reach", "mathmech", "--target", "Circle"], "no target called"),
    "unknown pair": (["explain", "Sangan", "Witch of a Blck Forst"], "did you mean 'Witch of"),
    "question": (["bridges", "mathmech", "--question", "maybe"], "--question"),
    "filter": (["bridges", "mathmech", "--filter", "levl<3"], "did you mean 'level'"),
    "nobody": (["bridges", "mathmech", "--filter", "level>12"], "loosen the filters"),
    "json and csv": (["bridges", "mathmech", "--json", "--csv"], "do not go together"),
    "top": (["bridges", "mathmech", "--top", "0"], "--top"),
    "k": (["sets", "mathmech", "-k", "0"], "-k"),
    "pdf": (["graph", "mathmech", "--image", "g.pdf"], "call it g.svg or g.png"),
    "picture nowhere": (["graph", "mathmech", "--image", "no/such/g.svg"], "give another path"),
    "two on stdout": (["graph", "mathmech", "--out", "-", "--json"], "go to stdout both"),
    "no name of cards": (["bridges", "mathmech", "--cards", ""], "the name is empty"),
    "no name of a deck": (["bridges", ""], "no deck file ''"),
    "no banlist": (["bridges", "mathmech", "--filter", "tcg>=1"], "tell no TCG banlist"),
    "several": (["explain", "Sangan", "Blue-Eyes"], "or 'Blue-Eyes Alternative White"),
    "a spell": (["explain", "Sangan", "Raigeki"], "Raigeki is not a main-deck monster"),
    "misspelt type": (["bridges", "mathmech", "--filter", "type=Fiendd"], "did you mean 'Fiend'?"),
    "misspelt not": (["pairs", "mathmech", "--filter", "type!=Cybrse"], "did you mean 'Cyberse'?"),
    "not in the deck": (["reach", "mathmech", "--target", "mathmech circular", "--target",
                         "Sangan"], "no copy of Sangan"),
    "nobody outside": (["bridges", "mathmech", "--exclude-deck", "--filter", "name=Effect Veiler"],
                       "under name=Effect Veiler, --exclude-deck"),
    "no cards": (["bridges", "mathmech", "--cards", "nothing.csv"], "cannot read nothing.csv"),
    "nowhere": (["paths", "--from", "Sangan"], "give a DECK, or a target"),
    "both stdin": (["bridges", "-", "--cards", "-"], "cannot both come from stdin"),
    "a link": (["bridges", "ydke://AAA"], "main, extra and side"),
}  # fmt: skip


@pytest.mark.parametrize("case", MISTAKES)
def test_a_mistake_is_a_sentence_and_exit_code_2(case, refused):
    arguments, expected = MISTAKES[case]
    refused(run(*arguments), expected)


JUNK = {
    "binary": (bytes(range(256)) * 9, "not a text file"),
    "latin": ("Évil".encode("latin-1"), ":1: not a text file in UTF-8"),
    "empty": (b"", "no card in it"),
    "blank": (b"\n\n  \n", "no card in it"),
    "prose": (b"It was a dark\nand stormy night.\n", "line 1: not known: 'It was a dark'"),
    "numbers": (b"1\n2\n3\n", "line 1: not known: 1, 2, 3 (cards"),
    "many": (b"14558127\n" * 10_000, "line 151: more than 150 cards"),
    "a long number": (b"9" * 9000, "not known: 999"),
    "long": (b"a" * (100 << 20), "more than 262,144 bytes"),
    "json": (b'{"main": [1]}', "no main-deck monster in it"),
}


@pytest.mark.samples("bridges-prose", "bridges-json", "bridges-empty")
@pytest.mark.parametrize("case", JUNK)
@pytest.mark.parametrize("command", ["bridges", "matrix"])
def test_junk_as_a_deck_is_a_sentence(home, case, command):
    data, expected = JUNK[case]
    file = home / "deck.ydk"
    file.write_bytes(data)
    result = run(command, file)
    assert result.exit_code == 2, result.output
    assert result.stdout == ""
    assert expected in result.stderr
    assert str(file) in result.stderr
    assert len(result.stderr) < 2000


@pytest.mark.samples("prose", "empty", "json")
@pytest.mark.parametrize("case", ["binary", "empty", "prose", "json", "long"])
def test_junk_as_cards_is_a_sentence(home, case):
    file = home / "cards"
    file.write_bytes(JUNK[case][0])
    result = run("bridges", "mathmech", "--cards", file)
    assert result.exit_code == 2, result.output
    assert str(file) in result.stderr
    assert len(result.stderr) < 1000


def test_a_deck_from_a_closed_stdin_is_a_sentence():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("dragon.config.sys", SimpleNamespace(stdin=None))
        result = run("bridges", "-")
    assert result.exit_code == 2
    assert "there is no input to read a deck from; standard input is closed" in result.stderr


def test_a_folder_is_no_deck(home):
    result = run("bridges", home)
    assert result.exit_code == 2
    assert "Is a directory" in result.stderr


@pytest.mark.full
@pytest.mark.skipif(not FACTS.exists(), reason="the table of all monsters is outside data")
def test_every_command_takes_other_cards():
    assert (
        as_json("bridges", "mathmech", "--cards", FACTS, "--top", 1)["bridges"][0]["id"] == 39817919
    )
    assert as_json("pairs", "mathmech", "--cards", FACTS)["pairs"][0] == {
        "names": ["Amazement Attendant Comica", "Phantom Gryphon"], "numerator": 256,
    }  # fmt: skip


def test_the_beginning_of_a_name_is_noted_with_the_name_that_was_taken():
    for words in (
        ("explain", "Ash Blossom", "Effect Veiler"),
        ("paths", "mathmech", "--from", "Ash Blossom", "--to", "Effect Veiler"),
        ("bridges", "mathmech", "--require", "Ash Blossom", "--top", "1"),
        ("reach", "mathmech", "--target", "Ash Blossom"),
    ):
        result = CliRunner().invoke(main, ["small-world", *words], prog_name="dragon")
        assert result.exit_code == 0, result.output
        noted = "note: 'Ash Blossom' is read as 'Ash Blossom & Joyous Spring'\n"
        assert result.stderr == noted, words


def test_short_lists_are_filled_for_the_odds_of_hands(tmp_path):
    file = tmp_path / "deck.txt"
    file.write_text("3 Mathmech Circular\n1 Small World\n", encoding="utf-8")
    words = ["small-world", "reach", str(file), "--target", "Mathmech Circular", "--json"]
    for more, size, notes in (([], 40, 1), (["--size", "20"], 20, 0)):
        result = CliRunner().invoke(main, [*words, *more], prog_name="dragon")
        row = json.loads(result.stdout)
        assert (row["deck_size"], len(result.stderr.splitlines())) == (size, notes)
        assert row["opened"]["p"] == pytest.approx(1 - comb(size - 3, 5) / comb(size, 5))
