"""The request of a question: contract and trump from its words and those of the deal."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from dragon_ulti.cards import bare, digits_of, read_json
from dragon_ulti.contracts import CONTRACTS, canonical

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
    return None if named is None else canonical(str(named))


def game_of(
    text: str,
    contract: str,
    trump: str | None,
    rules: str,
    free: bool = False,
) -> Ulti:
    """Return the game that some words and a deal's own ask for; raise ConfigError.

    free: whatever the declarer holds.
    """
    from dragon import config
    from dragon_ulti.cards import said_trump

    contract = canonical(contract, trump)
    trumps = all(CONTRACTS[w].trump for w in contract.split("+") if w in CONTRACTS)
    asked = trump or (said_trump(text) if trumps else None)
    given = {"contract": contract, "trump": asked, "rules": rules, "prerequisites": not free}
    known = {key: value for key, value in given.items() if value is not None}
    return cast("Ulti", config.game({"name": "ulti", **known}, "ulti"))


def asked(
    text: str, contract: str | None, trump: str | None, rules: str, free: bool = False
) -> tuple[Ulti, str]:
    """Return the game, a party if no contract is named, and its position's text; see `game_of`."""
    game = game_of(text, contract or contract_of(text) or "party", trump, rules, free)
    return game, text if trump is None else bare(text)


def bids_of(contract: str | None, trump: str | None) -> list[tuple[str, str | None]]:
    """Return the contract with its trump, or every contract with one if it has a trump."""
    if contract is not None:
        return [(contract, trump)]
    return [(name, trump if each.trump else None) for name, each in CONTRACTS.items()]
