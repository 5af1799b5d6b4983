"""Ready-made deals: one for each contract, and the famous ones; `deals.toml` has them."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files

from attrs import frozen

from dragon_ulti.contracts import bid
from dragon_ulti.language import SPOKEN


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
