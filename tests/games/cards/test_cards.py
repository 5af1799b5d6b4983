"""Cards: tables and dumps that are read, with their mistakes; names as people write them."""

from __future__ import annotations

import json

import pytest

from dragon.errors import ConfigError
from dragon_cards.card import Card
from dragon_cards.names import Names, folded
from dragon_cards.store import read, starter

# ---- cards -----------------------------------------------------------------------------------

HEAD = "id,name,attribute,type,level,atk,def"


def test_a_table_is_read_whatever_the_order_of_its_columns():
    pool = from_csv('name,id,def,atk,level,type,attribute\n"A, B",7,?,-1,3,Fiend,dark\n', "t", {})
    assert pool.monsters == (Card(7, "A, B", "DARK", "Fiend", 3, -1, -1),)


def test_a_dump_is_read_with_its_other_cards_and_arts():
    cards = [
        {"id": 7, "name": "A", "frameType": "effect", "race": "Fiend", "attribute": "DARK",
         "level": 4, "atk": -1, "def": 200, "card_images": [{"id": 7}, {"id": 8}]},
        {"id": 9, "name": "Trick", "frameType": "spell", "card_images": [{"id": 9}]},
        {"id": 10, "name": "Big", "frameType": "xyz", "race": "Fiend", "attribute": "DARK",
         "level": 4, "atk": 100, "def": 200},
    ]  # fmt: skip
    for text in (json.dumps({"data": cards}), json.dumps(cards)):
        pool = from_json(text, "dump", {})
        assert pool.monsters == (Card(7, "A", "DARK", "Fiend", 4, -1, 200),)
        assert dict(pool.aliases) == {8: 7}
        assert dict(pool.others) == {9: "Trick", 10: "Big"}
        deck = deck_in(pool, "8\n9\nbig\n11\n")
        assert deck.names == ("A",)
        assert deck.unknown == ("11",)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "no column id"),
        ("id,name\n1,A\n", "line 1: no column attribute, type, level, atk, def"),
        (f"{HEAD}\n", "no main-deck monster in it"),
        (f"{HEAD}\n1,A,DARK\n", "line 2: 3 fields where the first line has 7"),
        (f"{HEAD}\nx,A,DARK,Fiend,1,2,3\n", "line 2: id is 'x'; write a whole number"),
        (f"{HEAD}\n1,A,DARK,Fiend,1,two,3\n", "line 2: atk is 'two'; write a whole number or ?"),
        (f"{HEAD}\n1,A,DARK,Fiend,-4,2,3\n", "level is '-4'"),
        (f"{HEAD}\n1,,DARK,Fiend,4,2,3\n", "line 2: a card without a name"),
        (f"{HEAD}\n1,A,DARK,Fiend,4,2,3\n1,B,DARK,Fiend,4,2,3\n", "line 3: B .1. stands"),
        (f'{HEAD}\n1,"A"B,DARK,Fiend,4,2,3\n', "not a CSV table"),
    ],
)  # fmt: skip
def test_a_table_with_a_mistake_is_refused_with_its_line(text, reason):
    with pytest.raises(ConfigError, match=reason):
        from_csv(text, "cards.csv", {})


def test_an_art_with_a_row_of_its_own_is_the_monster():
    row = "A,DARK,Fiend,4,?,3"
    pool = from_csv(f"{HEAD}\n1,{row}\n2,{row}\n", "t", {})
    assert [m.id for m in pool.monsters] == [1]
    assert deck_in(pool, "2\n").names == ("A",)
    with pytest.raises(ConfigError, match=r"line 3: A .2. stands there twice"):
        from_csv(f"{HEAD}\n1,{row}\n2,A,DARK,Fiend,4,?,4\n", "t", {})


def test_an_old_dump_without_frames_is_read():
    card = {"race": "Fiend", "attribute": "DARK", "level": 4, "atk": 1, "def": 2}
    kinds = ["Effect Card", "Pendulum Effect Fusion Card", "Spell Card", "XYZ Card",
             "Ritual Card", "Link Card", "Token", "Synchro Tuner Card"]  # fmt: skip
    cards = [{"id": i, "name": kind, "type": kind, **card} for i, kind in enumerate(kinds, 1)]
    pool = from_json(json.dumps(cards), "dump", {})
    assert [m.name for m in pool.monsters] == ["Effect Card", "Ritual Card"]


BANNED = {"race": "Fiend", "attribute": "DARK", "level": 4, "atk": 1, "def": 2,
          "frameType": "effect"}  # fmt: skip


@pytest.mark.parametrize("said", ["Forbidden", {"ban_tcg": "Perhaps"}, {"ban_tcg": 9}])
def test_a_banlist_with_a_mistake_is_refused(said):
    with pytest.raises(ConfigError, match=r"card 1: (banlist_info is an object|tcg is)"):
        from_json(json.dumps([{"id": 1, "name": "A", **BANNED, "banlist_info": said}]), "d", {})


def test_a_table_without_end_is_refused():
    rows = "".join(f"{i},Card {i},DARK,Fiend,4,100,100\n" for i in range(50_001))
    with pytest.raises(ConfigError, match=r"line 50002: more than 50,000 cards"):
        from_csv(f"{HEAD}\n{rows}", "t", {})


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("{", "not JSON"),
        ("[" * 100_000, "not JSON"),
        ("{}", "no list of cards"),
        ("[3]", "card 1: a card is an object"),
        ('[{"id": 1, "name": "A", "frameType": "effect", "race": "Fiend", "attribute": "DARK"}]',
         "card 1: level is ''"),
        ('[{"id": 1, "name": "A", "card_images": [3]}]', "card_images is a list of objects"),
        ('[{"id": 1e99, "name": "A"}]', "card 1: id is"),
    ],
)  # fmt: skip
def test_a_dump_with_a_mistake_is_refused_with_its_card(text, reason):
    with pytest.raises(ConfigError, match=reason):
        from_json(text, "cards.json", {})


def test_files_that_are_no_text_or_too_long_are_refused(tmp_path):
    file = tmp_path / "cards.csv"
    file.write_bytes(b"\x7fELF\0\0")
    with pytest.raises(ConfigError, match="not a text file"):
        read(file)
    file.write_bytes(b"id\n\xff\n")
    with pytest.raises(ConfigError, match=":2: not a text file in UTF-8"):
        read(file)
    with open(file, "wb") as stream:
        stream.truncate(100 << 20)
    with pytest.raises(ConfigError, match="more than 67,108,864 bytes"):
        read(file)
    with pytest.raises(ConfigError, match=r"cannot read .*: No such file"):
        read(tmp_path / "none.csv")


# ---- names and filters -----------------------------------------------------------------------


def test_names_are_found_as_people_write_them():
    pool = starter()
    for text in ('maxx "c"', "Maxx C", "MAXXC", "23434538"):
        assert pool.monsters[pool.find(text)].name == 'Maxx "C"'
    assert folded("Évil★Twin") == "eviltwin"
    assert Names(["A"]).find("") is None


def test_an_unknown_name_says_what_was_meant_and_where_was_looked():
    with pytest.raises(ConfigError) as told:
        starter().find("Effekt Veiler")
    assert "did you mean 'Effect Veiler'?" in str(told.value)
    assert "the starter pool" in str(told.value)
