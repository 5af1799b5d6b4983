"""`dragon cache`: lists the compiled code that is kept, and clears it."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import click

from dragon.cli_tools import as_json, print_json, tell
from dragon.columns import table
from dragon.compiler.cache import LARGEST, clear, header_of, stored
from dragon.compiler.kernel import title_of
from dragon.files import cache_folder


@click.command()
@click.option("--clear", "clearing", is_flag=True, help="Remove all that is kept.")
@as_json
def cache(clearing: bool, as_json: bool) -> None:
    """Show the compiled code that is kept, or clear it.

    Rules and kernels are compiled once and kept in the user's cache folder, or where
    DRAGON_CACHE says. What was not used for longest goes when all takes more than 512 MB.
    Clearing costs no more than compiling again.

    \b
    Examples:
      dragon cache
      dragon cache --json
      dragon cache --clear
    """
    if clearing:
        removed = [str(folder) for folder in clear()]
        text = f"{len(removed)} folders removed from {cache_folder()}"
        tell(as_json, {"folder": str(cache_folder()), "removed": removed}, text)
        return
    found = list(rows())
    size = sum(row["bytes"] for row in found)
    if as_json:
        print_json({"folder": str(cache_folder()), "bytes": size, "most": LARGEST, "kept": found})
        return
    taken = f"{size / 1e6:,.1f} of {LARGEST / 1e6:,.0f} MB"
    click.echo(f"{cache_folder()}: {len(found)} kernels, {taken}")
    cells = [
        (f"{row['bytes'] / 1e3:,.1f}", f"{row['days']}", row["kernel"], row["label"])
        for row in found
    ]
    if cells:
        heads = "kB", "days ago", "kernel", "of"
        click.echo("\n".join(table(heads, cells, left=(2, 3))))


def rows() -> Iterator[dict[str, Any]]:
    """Yield each kernel that is kept, the least recently used first."""
    for each in stored():
        header = header_of(each)
        template = title_of(str(header.get("template", "")))
        yield {
            "kernel": f"{template}.{each.path.name.partition('-')[0]}".lstrip("."),
            "label": header.get("label", "of another version, or damaged"),
            "bytes": each.size,
            "days": int((time.time() - each.used) // 86_400),
            "fingerprint": each.path.parent.name,
        }
