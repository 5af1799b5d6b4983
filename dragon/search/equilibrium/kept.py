"""Arrays in files: .npz archives of numpy with a description and without pickled objects.

`about` is JSON: the format, the game, the search, the version of dragon.
"""

from __future__ import annotations

import json
from importlib.metadata import version
from io import BytesIO
from pathlib import Path
from typing import Any

from attrs import evolve, frozen

from dragon.core import Game, State
from dragon.errors import ConfigError, SearchError
from dragon.files import remedy_for, replacing


def write_arrays(path: Path, about: dict[str, Any], arrays: dict[str, Any]) -> None:
    """Write a file; raises OSError."""
    import numpy as np

    said = json.dumps({**about, "version": version("dragon-search")})
    with replacing(path) as file:
        np.savez_compressed(file, about=np.array(said), **arrays)


def read_arrays(path: Path, form: str, remedy: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the head of a file, and its arrays; raise ConfigError.

    form: the format that it must have. remedy: the command that makes such a file.
    """
    import numpy as np

    try:
        data = path.read_bytes()
    except OSError as wrong:
        raise ConfigError(f"cannot read {path}: {wrong.strerror or wrong}; {remedy}") from wrong
    try:
        with np.load(BytesIO(data), allow_pickle=False) as file:
            arrays = {name: file[name] for name in file.files}
        about = json.loads(str(arrays.pop("about")))
        if about["format"] != form:
            raise ValueError(f"its format is {str(about['format'])[:40]!r}")
    except Exception as wrong:  # zipfile may raise anything for a damaged file
        raise ConfigError(f"{path} is damaged, or no {form.split()[1]} file; {remedy}") from wrong
    return about, arrays


@frozen
class Kept:
    """The file in which a search keeps what it has learnt of a game, to go on from there."""

    search: Any
    path: Path
    form: str

    def objection(self, game: Game[Any]) -> str | None:
        """Return the sentence on a file that is damaged, or is of another game or search."""
        try:
            self.read(str(game))
        except ConfigError as wrong:
            return f"{self.search}: {wrong}"
        return None

    def read(self, game: str) -> dict[str, Any] | None:
        """Return the arrays, None where there is no file yet; raise ConfigError."""
        if not self.path.exists():
            return None
        remedy = "name another file, or remove this one"
        about, arrays = read_arrays(self.path, self.form, remedy)
        said = about.get("game"), about.get("search")
        if said != (game, self._spec):
            raise ConfigError(f"{self.path} is of {said[1]} at {said[0]}; {remedy}")
        return arrays

    def resume(self, root: State[Any], restore: Any) -> None:
        """Give the arrays to `restore`, which returns whether they fit; raise SearchError."""
        try:
            arrays = self.read(_game_of(root))
            fits = arrays is None or restore(arrays)
        except ConfigError as wrong:
            raise SearchError(str(wrong)) from wrong
        except (KeyError, ValueError, IndexError, TypeError):
            fits = False
        if not fits:
            raise SearchError(
                f"{self.path} was made with other rules of {_game_of(root)}; name another file, "
                "or remove this one"
            )

    def write(self, root: State[Any], arrays: dict[str, Any]) -> None:
        """Write the file; raise SearchError."""
        about = {"format": self.form, "game": _game_of(root), "search": self._spec}
        try:
            write_arrays(self.path, about, arrays)
        except OSError as wrong:
            raise SearchError(
                f"cannot write {self.path}: {wrong.strerror or wrong}; {remedy_for(self.path)}"
            ) from wrong

    @property
    def _spec(self) -> str:
        """The search without the name of the file, which may be moved."""
        return str(evolve(self.search, keep=""))


def kept_of(search: Any) -> Kept | None:
    """Return the file of a search's setting `keep`, None if it has none."""
    if not search.keep:
        return None
    return Kept(search, Path(search.keep), f"dragon {search.name} 1")


def _game_of(root: State[Any]) -> str:
    return str(root.game or root)
