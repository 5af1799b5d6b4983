"""Speed in node.js, beside that of native code."""

from __future__ import annotations

import time
from base64 import b64encode
from typing import Any

import numpy as np
import pytest

import dragon
from dragon.core import Limit
from dragon.publish.publication import publication


@pytest.mark.slow
@pytest.mark.parametrize(
    ("spec", "search", "limit"),
    [
        ("connect4", "alphabeta", {"nodes": 3_000_000}),
        ("connect4", "mcts", {"simulations": 300_000}),
        ("reversi", "alphabeta", {"nodes": 2_000_000}),
    ],
)
def test_takes_at_most_half_as_long_again(
    spec: str, search: str, limit: dict[str, int], node: Any
) -> None:
    state, by = dragon.game(spec).start(), dragon.search(f"{search}(megabytes=8.0)")
    made = publication(dragon.game(spec), [by])
    seed = str(int(np.random.default_rng(0).integers(1 << 63)))
    asked = {"ask": "searched", "search": str(by), "limit": limit, "seed": seed,
             "record": b64encode(state.data).decode()}  # fmt: skip
    native, nodes = [], 0
    for _ in range(4):
        began = time.process_time()
        nodes = by.best(state, Limit(**limit)).nodes
        native.append(time.process_time() - began)
    found = node(made.module, made.about, [asked] * 4)
    assert {each["nodes"] for each in found} == {nodes}
    assert min(each["seconds"] for each in found) <= 1.5 * min(native)
