"""Files that are written as a whole."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from dragon.files import replacing


def test_whoever_reads_sees_the_old_file_or_the_new_one(tmp_path: Path) -> None:
    path = tmp_path / "kept"
    path.write_text("old")
    with replacing(path, sync=True) as file:
        file.write(b"new")
        file.flush()
        assert path.read_text() == "old"
    assert path.read_text() == "new"
    assert os.listdir(tmp_path) == ["kept"]


def test_after_an_exception_the_old_file_stays_alone(tmp_path: Path) -> None:
    path = tmp_path / "kept"
    path.write_text("old")
    with pytest.raises(TypeError), replacing(path) as file:
        file.writelines([b"new", "no bytes"])  # type: ignore[list-item]
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == ["kept"]


@pytest.mark.skipif(os.name != "posix", reason="modes are of POSIX")
@pytest.mark.parametrize(("given", "kept"), [((), 0o640), ((0o600,), 0o600)])
def test_a_file_has_the_mode_that_is_given_less_the_umask(
    tmp_path: Path, given: tuple[int, ...], kept: int
) -> None:
    before = os.umask(0o027)
    try:
        with replacing(tmp_path / "kept", *given):
            pass
    finally:
        os.umask(before)
    assert (tmp_path / "kept").stat().st_mode & 0o777 == kept
