"""Text files of people, read whole and with care: none too long, binary, or of unknown encoding."""

from __future__ import annotations

import sys
from pathlib import Path

from dragon.errors import ConfigError


def text_of(file: Path | str, most: int, what: str) -> str:
    """What is in a text file in UTF-8, or in stdin for `-`; never more than `most` bytes are read.

    Raises ConfigError, in a sentence about `what`.
    """
    name = "stdin" if str(file) == "-" else str(file)
    if name == "stdin" and sys.stdin is None:
        raise ConfigError(f"cannot read {what} from stdin: it is closed; give a file")
    try:
        if name == "stdin":
            data = sys.stdin.buffer.read(most + 1)
        else:
            with open(file, "rb") as stream:
                data = stream.read(most + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise ConfigError(f"cannot read {name}: {reason}; give a file with {what}") from error
    if len(data) > most:
        size = f"{most >> 20} MB" if most >> 20 else f"{most >> 10} kB"
        raise ConfigError(f"{name} is longer than {size}, too long for {what}; is it another file?")
    if b"\0" in data:
        raise ConfigError(
            f"{name} is not a text file in UTF-8, as {what} would be; save it as UTF-8, "
            "if it is not another file"
        )
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise ConfigError(
            f"{name}, line {line}: not a text file in UTF-8 ({error.reason}), as {what} would be; "
            "save it as UTF-8, if it is not another file"
        ) from error
