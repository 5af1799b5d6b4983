"""The exception tree: as its docstring draws it, each also the builtin it resembles, picklable."""

from __future__ import annotations

import inspect
import pickle
import re
from typing import Any

import pytest

from dragon import errors
from dragon.errors import (
    ConfigError,
    DragonError,
    IllegalMove,
    PluginError,
    RuleError,
    UnknownName,
)

CLASSES = {
    name: cls
    for name, cls in vars(errors).items()
    if inspect.isclass(cls) and issubclass(cls, DragonError)
}


def drawn() -> dict[str, tuple[str, str]]:
    """Name -> its parent and the builtin in brackets, as the docstring draws them."""
    tree: dict[str, tuple[str, str]] = {}
    above: list[str] = []
    for line in (errors.__doc__ or "").splitlines():
        match = re.match(r"    ((?:[│├└─ ]{4})*)(\w+)(?: \((\w+)\))?", line)
        if match and match[2] in CLASSES:
            depth = len(match[1]) // 4
            above[depth:] = [match[2]]
            tree[match[2]] = above[depth - 1] if depth else "Exception", match[3] or ""
    return tree


def test_the_docstring_draws_every_class_where_it_is() -> None:
    tree = drawn()
    assert set(tree) == set(CLASSES)
    for name, (parent, builtin) in tree.items():
        bases = [base.__name__ for base in CLASSES[name].__bases__]
        assert bases == ([parent, builtin] if builtin else [parent])


EXAMPLES: list[Any] = [
    UnknownName("game", "nexx", ["nex"]),
    UnknownName("game", "othello", ["reversi"], {"othello": "reversi"}),
    RuleError("moves", "game.py", 7, "must return an integer"),
    ConfigError(["one @ $.a", "two @ $.b"]),
    IllegalMove("a1 is taken"),
    PluginError("cannot be imported", "mine"),
]


@pytest.mark.parametrize("error", EXAMPLES, ids=lambda e: type(e).__name__)
def test_errors_survive_the_way_from_a_worker(error: Any) -> None:
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is type(error)
    assert str(again) == str(error)
    assert vars(again) == vars(error)


def test_an_unknown_name_is_told_without_the_quotes_of_a_key_error() -> None:
    message = str(UnknownName("search", "alphabta", ["mcts", "alphabeta"]))
    assert message == "no search called 'alphabta'; did you mean 'alphabeta'? (alphabeta, mcts)"
    assert str(UnknownName("game", "x", [])) == "no game called 'x' (none is installed)"
