"""Cards: tables and dumps that are read, with their mistakes; names; what the commands print."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from dragon.cli import main
from dragon.errors import ConfigError
from dragon_cards.card import EXTRA, MONSTER, OTHER, SPELL, TRAP, Card
from dragon_cards.names import Names, folded
from dragon_cards.store import read, starter
from dragon_cards.tables import PRINTED, store_in, table

HEAD = ",".join(PRINTED)
DUMP = [
    {"id": 7, "name": "A", "type": "Pendulum Tuner Effect Monster", "frameType": "effect_pendulum",
     "race": "Fiend", "attribute": "DARK", "level": 4, "atk": -1, "def": 200, "archetype": "Alpha",
     "card_images": [{"id": 7}, {"id": 8}], "banlist_info": {"ban_tcg": "Limited"}},
    {"id": 9, "name": "Trick", "type": "Spell Card", "frameType": "spell", "race": "Quick-Play",
     "card_images": [{"id": 9}], "banlist_info": {"ban_ocg": "Forbidden"}},
    {"id": 10, "name": "Big", "type": "XYZ Monster", "frameType": "xyz", "race": "Fiend",
     "attribute": "DARK", "level": 4, "atk": 100, "def": 200},
    {"id": 11, "name": "Net", "type": "Link Monster", "frameType": "link", "race": "Cyberse",
     "attribute": "DARK", "linkval": 2, "atk": 1500, "def": None, "level": None},
    {"id": 12, "name": "Infinite Impermanence", "type": "Trap Card", "frameType": "trap",
     "race": "Normal"},
    {"id": 13, "name": "Lamb", "type": "Token", "frameType": "token", "race": "Beast"},
]  # fmt: skip


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    """No fetched cards."""
    monkeypatch.setenv("DRAGON_DATA", str(tmp_path))


# ---- tables and dumps --------------------------------------------------------------------------


def test_a_table_is_read_whatever_the_order_of_its_columns():
    text = 'name,id,def,atk,level,type,attribute\n"A, B",7,?,-1,3,Fiend,dark\nTrick,9\n'
    with pytest.raises(ConfigError, match="line 3: 2 fields where the first line has 7"):
        store_in(text, "t", {}, PRINTED)
    store = store_in(text, "t", {})
    assert store.cards == (Card(7, "A, B", "DARK", "Fiend", 3), Card(9, "Trick", kind=OTHER))
    assert store_in("id,name\n7,A\n", "t", {}).cards == (Card(7, "A", kind=OTHER),)


def test_a_dump_is_read_with_all_that_it_tells():
    for text in (json.dumps({"data": DUMP}), json.dumps(DUMP)):
        store = store_in(text, "dump", {})
        assert store.cards == (
            Card(7, "A", "DARK", "Fiend", 4, -1, 200, MONSTER, "Alpha", ("Tuner", "Pendulum"),
                 (8,), (("tcg", 1),)),
            Card(9, "Trick", "", "Quick-Play", kind=SPELL, limits=(("ocg", 0),)),
            Card(10, "Big", "DARK", "Fiend", 4, 100, 200, EXTRA),
            Card(11, "Net", "DARK", "Cyberse", 2, 1500, -1, EXTRA),
            Card(12, "Infinite Impermanence", "", "Normal", kind=TRAP, roles=("Hand Trap",)),
            Card(13, "Lamb", "", "Beast", kind=OTHER),
        )  # fmt: skip
        assert store.formats == ("tcg", "ocg")
        assert store.by_id[8] is store.cards[0]
    again = store_in(table(store), "table", {})
    assert (again.cards, again.formats) == (store.cards, store.formats)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "no column id"),
        ("id,name\n1,A\n", "line 1: no column attribute, type, level, atk, def"),
        (f"{HEAD}\n", "no card in it"),
        (f"{HEAD},kind\n1,A,DARK,Fiend,4,2,3,stone\n", "kind is 'stone'; write monster, extra,"),
        (f"{HEAD}\n1,A,DARK\n", "line 2: 3 fields where the first line has 7"),
        (f"{HEAD}\nx,A,DARK,Fiend,1,2,3\n", "line 2: id is 'x'; write a whole number"),
        (f"{HEAD}\n1,A,DARK,Fiend,1,two,3\n", "line 2: atk is 'two'; write a whole number or ?"),
        (f"{HEAD}\n1,A,DARK,Fiend,-4,2,3\n", "level is '-4'"),
        (f"{HEAD}\n1,,DARK,Fiend,4,2,3\n", "line 2: a card without a name"),
        (f"{HEAD}\n1,A,DARK,Fiend,4,2,3\n1,B,DARK,Fiend,4,2,3\n", "line 3: B .1. is there"),
        (f'{HEAD}\n1,"A"B,DARK,Fiend,4,2,3\n', "not a CSV table"),
    ],
)  # fmt: skip
def test_a_table_with_a_mistake_is_refused_with_its_line(text, reason):
    with pytest.raises(ConfigError, match=reason):
        store_in(text, "cards.csv", {}, PRINTED)


def test_an_art_with_a_row_of_its_own_is_the_monster():
    row = "A,DARK,Fiend,4,?,3"
    store = store_in(f"{HEAD}\n1,{row}\n2,{row}\n", "t", {})
    assert [(card.id, card.aliases) for card in store.cards] == [(1, (2,))]
    with pytest.raises(ConfigError, match=r"line 3: A .2. is there twice"):
        store_in(f"{HEAD}\n1,{row}\n2,A,DARK,Fiend,4,?,4\n", "t", {})


def test_an_old_dump_without_frames_is_read():
    card = {"race": "Fiend", "attribute": "DARK", "level": 4, "atk": 1, "def": 2}
    kinds = ["Effect Monster", "Pendulum Effect Fusion Monster", "Spell Card", "XYZ Monster",
             "Ritual Monster", "Link Monster", "Token", "Synchro Tuner Monster"]  # fmt: skip
    cards = [{"id": i, "name": kind, "type": kind, **card} for i, kind in enumerate(kinds, 1)]
    store = store_in(json.dumps(cards), "dump", {})
    assert [card.kind for card in store.cards] == [
        MONSTER, EXTRA, SPELL, EXTRA, MONSTER, EXTRA, OTHER, EXTRA,
    ]  # fmt: skip


BANNED = {"race": "Fiend", "attribute": "DARK", "level": 4, "atk": 1, "def": 2,
          "frameType": "effect"}  # fmt: skip


@pytest.mark.parametrize("said", ["Forbidden", {"ban_tcg": "Perhaps"}, {"ban_tcg": 9}])
def test_a_banlist_with_a_mistake_is_refused(said):
    with pytest.raises(ConfigError, match=r"card 1: (banlist_info is an object|tcg is)"):
        store_in(json.dumps([{"id": 1, "name": "A", **BANNED, "banlist_info": said}]), "d", {})


@pytest.mark.full
def test_a_table_without_end_is_refused():
    rows = "".join(f"{i},Card {i},DARK,Fiend,4,100,100\n" for i in range(50_001))
    with pytest.raises(ConfigError, match=r"line 50002: more than 50,000 cards"):
        store_in(f"{HEAD}\n{rows}", "t", {})


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
        store_in(text, "cards.json", {})


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


# ---- names -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ('maxx "c"', 'Maxx "C"'), ("MAXXC", 'Maxx "C"'), ("23434538", 'Maxx "C"'),
        ("14558128", "Ash Blossom & Joyous Spring"), ("Ash Blossom", "Ash Blossom & Joyous Spring"),
        ("Nibiru", "Nibiru, the Primal Being"), ("Nibriu", "Nibiru, the Primal Being"),
        ("veiler", "Effect Veiler"), ("Efect Veiller", "Effect Veiler"),
        ("sky striker raye", None), ("Sky Striker Ace - Kagari", None), ("foot", None),
        ("Blue-Eyes", None), ("Blue-Eyez", None), ("ab", None), ("", None), ("999", None),
    ],
)  # fmt: skip
def test_names_are_found_as_people_write_them(text, name):
    if name is None:
        with pytest.raises(ConfigError):
            starter().find(text)
    else:
        assert starter().find(text).name == name


def test_words_count_before_letters_and_signs_do_not():
    known = Names(["Ashoka Pillar", "Ash Blossom", "Red Ash", "Évil★Twin", "Twin Évil"])
    assert known.match("ash").names == ("Ash Blossom",)
    assert known.match("asho").names == ("Ashoka Pillar",)
    assert known.match("evil twin").place == 3
    assert known.match("twin").names == ("Twin Évil",)
    assert Names(["Red Ash", "Grey Ash"]).match("ash").complaint("card") == (
        "'ash' may be 'Red Ash' or 'Grey Ash'; write more of the name"
    )
    assert folded("Évil★Twin") == "eviltwin"
    assert known.find("") is None


def test_an_unknown_name_says_what_was_meant_and_where_was_looked():
    with pytest.raises(ConfigError) as raised:
        starter().find("Effekd Weiler")
    assert str(raised.value) == (
        "no card called 'Effekd Weiler'; did you mean 'Effect Veiler'? "
        "(cards: the starter pool, 367 cards; `dragon cards update` fetches all)"
    )


# ---- commands ----------------------------------------------------------------------------------


def run(*arguments):
    return CliRunner().invoke(main, ["cards", *arguments], prog_name="dragon")


def test_cards_are_found_and_shown():
    shown = run("show", "ash blossom").stdout
    assert shown.startswith("Ash Blossom & Joyous Spring\n")
    assert "  roles      Hand Trap\n" in shown
    card = json.loads(run("show", "pot of desires", "--json").stdout)
    assert (card["id"], card["kind"], card["type"]) == (35261759, "spell", "Normal")
    assert "level" not in card
    found = json.loads(run("find", "--role", "hand trap", "--top", "2", "--json").stdout)
    assert [card["name"] for card in found["cards"]] == [
        "Artifact Lancea", "Ash Blossom & Joyous Spring",
    ]  # fmt: skip
    assert found["count"] > 20
    listed = run("find", "--kind", "trap")
    (_, row) = listed.stdout.splitlines()
    assert row == "10045474  Infinite Impermanence  Normal trap"
    assert "1 of the starter pool, 367 cards" in listed.stderr
    assert run("find", "--archetype", "mathmech", "sigma").stdout.count("\n") == 2
    meant = run("find", "--role", "hand trp", "--top", "1")
    assert meant.stderr.startswith("note: 'hand trp' is read as 'Hand Trap'\n29 of the starter")
    assert run("find", "!?").stderr.startswith("none of the starter pool")


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("--kind", "stone"), "write monster, extra"),
        (("--archetype", "Mathsmek"), "no archetype called 'Mathsmek'; did you mean 'Mathmech'?"),
        (("--role", "nothing"), "no role called 'nothing' (cards: the starter pool"),
    ],
)
def test_what_no_card_has_is_refused(arguments, reason):
    wrong = run("find", *arguments)
    assert (wrong.exit_code, wrong.stdout, reason in wrong.stderr) == (2, "", True), wrong.stderr


# ---- anything ----------------------------------------------------------------------------------


def outcome(*arguments):
    """The store, or else the sentence."""
    try:
        return store_in(*arguments), ""
    except ConfigError as error:
        return None, str(error)


WORD = st.text(max_size=8)
CARD = st.fixed_dictionaries(
    {"id": st.one_of(st.integers(), WORD, st.none()), "name": st.one_of(WORD, st.integers())},
    optional={
        "frameType": st.sampled_from(["effect", "spell", 3]),
        "race": st.one_of(WORD, st.none()),
        "attribute": st.one_of(WORD, st.none()),
        "level": st.one_of(st.integers(-2, 12), st.none(), WORD),
        "atk": st.one_of(st.integers(-2, 5000), st.floats(), WORD),
        "def": st.one_of(st.integers(-2, 5000), st.booleans()),
        "card_images": st.one_of(st.none(), st.lists(st.dictionaries(WORD, st.integers()))),
    },
)


@pytest.mark.full
@given(st.lists(CARD, max_size=3))
@settings(max_examples=80)
def test_any_dump_is_a_store_or_a_sentence(cards):
    store, sentence = outcome(json.dumps(cards), "dump", {})
    assert store.cards if store else sentence.startswith("dump")


@pytest.mark.full
@given(st.lists(st.lists(st.one_of(WORD, st.sampled_from(["1", "?", "-1", '"'])), max_size=8)))
@settings(max_examples=80)
def test_any_table_is_a_store_or_a_sentence(rows):
    text = "\n".join([HEAD, *(",".join(row) for row in rows)])
    store, sentence = outcome(text, "table", {})
    assert store.cards if store else sentence.startswith("table")
