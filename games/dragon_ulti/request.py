"""The request of a question: contract and trump from its words and those of the deal, which may be
a ready-made one of `deals.toml`: one for each contract, and the famous ones."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, cast

from attrs import evolve, frozen

from dragon.errors import ConfigError
from dragon_ulti.cards import SUITS, bare, digits_of, read_json, suit
from dragon_ulti.contracts import CONTRACTS, bid, said
from dragon_ulti.language import SPOKEN, tr

if TYPE_CHECKING:
    from dragon_ulti.game import Ulti


def contract_of(text: str) -> str | None:
    """Return the contract that a deal's JSON or its 62 digits name; None where they name none."""
    digits = digits_of(text)
    if digits is not None and len(digits) == 62:
        return next((each.name for each in CONTRACTS.values() if str(each.code) == digits[0]), None)
    if not text.lstrip().startswith("{"):
        return None
    named = read_json(text).get("contract")
    return None if named is None else str(named)


def game_of(
    text: str,
    contract: str,
    trump: str | None,
    rules: str,
    free: bool = False,
    marriages: bool | None = None,
) -> Ulti:
    """Return the game that some words and a deal's own ask for; raise ConfigError.

    free: whatever the declarer holds. marriages: see `counted`.
    """
    from dragon import config
    from dragon_ulti.cards import said_trump

    call = said(contract, trump)
    if call.trump and trump and SUITS[suit(trump)] != call.trump:
        raise ConfigError(
            tr("{bid!r} names another suit than the trump {trump}; leave one of them out",
               bid=contract, trump=trump) + " @ ulti.contract"
        )  # fmt: skip
    contract = contract if call.unknown or not call.contracts else call.name
    trumps = all(CONTRACTS[w].trump for w in contract.split("+") if w in CONTRACTS)
    asked = trump or call.trump or (said_trump(text) if trumps else None)
    given = {"contract": contract, "trump": asked, "rules": rules, "prerequisites": not free}
    known = {key: value for key, value in given.items() if value is not None}
    game = cast("Ulti", config.game({"name": "ulti", **known}, "ulti"))
    return evolve(game, marriages=game.bid.weds and counted(marriages, rules))


def counted(marriages: bool | None, rules: str) -> bool:
    """Return True if marriages count in parties: as asked, else by the real rules."""
    return rules == "real" if marriages is None else marriages


def asked(
    text: str,
    contract: str | None,
    trump: str | None,
    rules: str,
    free: bool = False,
    marriages: bool | None = None,
) -> tuple[Ulti, str]:
    """Return the game, a party if no contract is named, and its position's text; see `game_of`."""
    named = contract or contract_of(text) or "party"
    game = game_of(text, named, trump, rules, free, marriages)
    return game, text if trump is None else bare(text)


def bids_of(contract: str | None, trump: str | None) -> list[tuple[str, str | None]]:
    """Return the contract with its trump, or every contract with one if it has a trump."""
    if contract is not None:
        return [(contract, trump)]
    return [(name, trump if each.trump else None) for name, each in CONTRACTS.items()]


@frozen
class Ready:
    """A deal that is kept, with what to play on it."""

    name: str
    kind: str
    """`contract` or `famous`."""
    contract: str
    code: str
    """The 61 digits."""
    made: bool
    """The verdict under the real rules."""
    about: str
    """The remarkable thing about it."""
    about_hu: str
    trump: str | None = None
    title_en: str = ""
    title_hu: str = ""

    @property
    def title(self) -> str:
        """The title: its name, or that of its contract."""
        own = self.title_hu if SPOKEN.get() == "hu" else self.title_en
        title = bid(self.contract).title
        return own or title[0].upper() + title[1:]

    @property
    def remark(self) -> str:
        """The remarkable thing, in the chosen language."""
        return self.about_hu if SPOKEN.get() == "hu" else self.about


@cache
def ready_deals() -> dict[str, Ready]:
    """Return all of them by name, in the order of the file."""
    text = files("dragon_ulti").joinpath("deals.toml").read_text("utf-8")
    return {each["name"]: Ready(**each) for each in tomllib.loads(text)["deal"]}
