"""Searches for equilibria that go on in another run from a file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import dragon
from dragon import Limit, Position
from dragon.errors import Objection, SearchError
from dragon.modes import jit_enabled
from dragon.search.equilibrium.kept import kept_of

SPECS = ["cfr()", "cfr(variant='discounted')", "mccfr()", "mccfr(sampling='outcome')"]


def keeping(spec: str, path: Path) -> str:
    """The spec with a file."""
    return f"{spec[:-1]}{', ' * (spec[-2] != '(')}keep={str(path)!r})"


def learnt(spec: str, game: Any, iterations: int, seed: int = 1) -> dict[str, Any]:
    """The value and extra of a fresh run after a total of iterations."""
    with dragon.search(spec).open(game) as run:
        result = run.best(Position(game.start()), Limit(simulations=iterations), seed)
    return {"value": result.value, **result.extra}


@pytest.mark.samples("kuhn-mccfr()", "kuhn-cfr()")
@pytest.mark.parametrize("spec", SPECS)
@pytest.mark.parametrize("game_spec", ["kuhn", "leduc(suits=1, ranks=3, raises=1)"])
def test_a_run_that_is_resumed_is_one_that_was_never_interrupted(
    tmp_path: Path, spec: str, game_spec: str
) -> None:
    if spec.startswith("mccfr") and not jit_enabled():
        pytest.skip("interpreted, it keeps nothing in files")
    game = dragon.game(game_spec)
    once, twice = (keeping(spec, tmp_path / name) for name in ("once.npz", "twice.npz"))
    whole = learnt(once, game, 700)
    part = learnt(twice, game, 300)
    resumed = learnt(twice, game, 700, seed=2)
    assert part["iterations"] == 300
    assert part != whole
    assert resumed == whole == learnt(spec, game, 700)
    files = [np.load(tmp_path / name) for name in ("once.npz", "twice.npz")]
    for name in ("total", "regret"):
        assert np.array_equal(files[0][name], files[1][name])
        assert files[0][name].any()


def test_a_file_with_one_record_of_all_numbers_is_gone_on_with(tmp_path: Path) -> None:
    """Files of mccfr were such ones before its results became a record of their own."""
    if not jit_enabled():
        pytest.skip("interpreted, it keeps nothing in files")
    path, game = tmp_path / "a.npz", dragon.game("kuhn")
    spec = keeping("mccfr()", path)
    learnt(spec, game, 300)
    search: Any = dragon.search(spec)
    kept = kept_of(search)
    assert kept
    arrays = kept.read("kuhn")
    assert arrays
    records = arrays["runs"], arrays.pop("results")
    whole = np.zeros(1, [each for record in records for each in record.dtype.descr])
    for record in records:
        for name in record.dtype.names:
            whole[name] = record[name]
    kept.write(game.start(), {**arrays, "runs": whole})
    assert learnt(spec, game, 700) == learnt("mccfr()", game, 700)


def test_a_walk_that_time_ends_is_gone_on_with_before_it_is_kept(tmp_path: Path) -> None:
    if not jit_enabled():
        pytest.skip("interpreted, it keeps nothing in files")
    spec, game = keeping("mccfr()", tmp_path / "m.npz"), dragon.game("leduc")
    with dragon.search(spec).open(game) as run:
        run.best(Position(game.start()), Limit(nodes=5003), 1)
    with np.load(tmp_path / "m.npz") as file:
        assert file["runs"]["depth"] == -1
        walks = int(file["results"]["walks"][0])
    assert walks > 100
    assert learnt(spec, game, walks // 2 + 5)["iterations"] == walks // 2 + 5


@pytest.mark.parametrize("spec", ["cfr()", "mccfr()"])
def test_a_file_of_something_else_is_refused(tmp_path: Path, spec: str) -> None:
    if not jit_enabled():
        pytest.skip("interpreted, mccfr keeps nothing in files")
    path, game = tmp_path / "a.npz", dragon.game("kuhn")
    learnt(keeping(spec, path), game, 3)
    other = "cfr(variant='cfr+')" if spec == "cfr()" else "mccfr(sampling='outcome')"
    with pytest.raises(Objection, match=r"a\.npz is of m?c?cfr at kuhn; name another file"):
        learnt(keeping(other, path), game, 3)
    with pytest.raises(Objection, match=r"a\.npz is of m?c?cfr at kuhn"):
        learnt(keeping(spec, path), dragon.game("leduc"), 3)
    search: Any = dragon.search(keeping(spec, path))
    kept = kept_of(search)
    assert kept
    arrays = kept.read("kuhn")
    assert arrays
    mark = "tree" if spec == "cfr()" else "start"
    kept.write(game.start(), {**arrays, mark: arrays[mark][::-1]})
    with pytest.raises(SearchError, match="was made with other rules of kuhn"):
        learnt(str(search), game, 3)
    kept.write(game.start(), {name: each for name, each in arrays.items() if name != "regret"})
    with pytest.raises(SearchError, match="was made with other rules of kuhn"):
        learnt(str(search), game, 3)
    path.write_bytes(path.read_bytes()[:300])
    with pytest.raises(Objection, match=r"a\.npz is damaged"):
        learnt(str(search), game, 3)
