"""The commands `dragon pokemon cover`, `types`, `locations` and `team`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from attrs import evolve

from dragon.cli_tools import (
    as_json,
    check_stdout,
    is_given,
    last,
    print_json,
    progress,
    save_picture,
    tell,
    with_picture,
    with_seconds,
)
from dragon.columns import filled
from dragon.files import STDOUT
from dragon_pokemon.game import (
    AMONG,
    ASKED,
    BEST,
    COMBOS,
    COUNTED,
    DATA,
    DIFFER,
    GENERATIONS,
    RANKS,
    SIDES,
    WITHOUT,
    Pokemon,
)

if TYPE_CHECKING:
    from dragon_pokemon.lists import Member

CHOICES = {
    "side": (SIDES, "Resist attacks, or hit defenders."),
    "data": (DATA, "The facts of the games, or the original program's tables, mistakes included."),
    "combos": (COMBOS, "Which combinations of types count."),
    "mode": (ASKED, "Which covers are asked for."),
    "among": (
        AMONG,
        "In mode best: among all covers, or those of whom all are needed, which leaves "
        "out teams with one to spare that may score better.",
    ),
    "rank": (RANKS, "Rank by score, or by the score and shared weaknesses together."),
}
TOP = 10
LONGEST_LIST = 1_000_000
"""Bytes of a list of Pokémon."""


def _choices(*names: str) -> Callable[[Any], Any]:
    """Make the options of these names, each with its first word as default."""

    def decorate(command: Any) -> Any:
        for name in reversed(names):
            words, said = CHOICES[name]
            command = click.option(
                f"--{name}", type=click.Choice(words), default=words[0], show_default=True,
                help=said,
            )(command)  # fmt: skip
        return command

    return decorate


_gen = click.option("--gen", type=int, default=9, show_default=True, help="Generation, 1 to 9.")
_any_gen = click.option("--gen", type=int, help="Generation, 1 to 9; all if not given.")
_location = click.option(
    "--location", "locations", multiple=True, metavar="NAME",
    help="Only the types met there; give it again for several.",
)  # fmt: skip


_abilities = click.option(
    "--abilities", is_flag=True, help="Count abilities that change what a type does: Levitate."
)


@click.group()
def pokemon() -> None:
    """Find teams that resist every type, or attacks that hit every type.

    \b
    Examples:
      dragon pokemon cover --gen 9 --mode exact
      dragon pokemon cover --only Garchomp --only Rotom-Wash --only Skarmory --only Blissey
      dragon pokemon team Garchomp Rotom-Wash Skarmory --abilities --out team.svg
    """


@pokemon.command()
@_gen
@_choices("side", "mode", "among", "rank")
@click.option(
    "--differ",
    type=click.IntRange(min=1),
    metavar="N",
    help=f"Any two that are listed differ in N members; {DIFFER} in mode best, else 1.",
)
@_abilities
@click.option(
    "--moves", is_flag=True, help="With --side attack: Freeze-Dry, Flying Press and so on."
)
@_location
@click.option("--limit", type=int, metavar="N", help="The most options; 6, or 24 for attacks.")
@click.option(
    "--top", type=click.IntRange(min=0), metavar="K", help=f"Show the best K; {TOP} by default."
)
@click.option("--count", "only_count", is_flag=True, help="Count, and rank nothing.")
@_choices("data", "combos")
@click.option(
    "--only",
    multiple=True,
    metavar="NAME",
    help="Choose among these Pokémon, or types, alone; repeatable.",
)
@click.option(
    "--list",
    "lists",
    multiple=True,
    metavar="FILE",
    help="The same, one to a line, or a team of Pokémon Showdown in any form; - reads stdin.",
)
@click.option(
    "--pin", multiple=True, metavar="NAME", help="A Pokémon or types that must be in; repeatable."
)
@click.option(
    "--pin-file",
    "pin_files",
    multiple=True,
    metavar="FILE",
    help="All of this list must be in: complete my four by the best two.",
)
@click.option("--ban", multiple=True, metavar="NAME", help="One that must not; repeatable.")
@click.option(
    "--without",
    multiple=True,
    metavar="TAG",
    type=click.Choice(WITHOUT),
    help="Leave out those that are legendary, mythical or paradox; repeatable.",
)
@click.option("--evolved", is_flag=True, help="Only those that are fully evolved.")
@click.option("--monotype", metavar="TYPE", help="Only those that have this type.")
@click.option(
    "--base-stats",
    type=click.IntRange(min=0),
    metavar="N",
    help="Only those whose base stats add up to N at least.",
)
@click.option("--dex", metavar="NAME", help="Only those of this regional dex or game: paldea.")
@with_seconds
@as_json
def cover(
    mode: str,
    among: str,
    rank: str,
    differ: int | None,
    lists: tuple[str, ...],
    pin_files: tuple[str, ...],
    top: int | None,
    only_count: bool,
    seconds: float | None,
    as_json: bool,
    **given: Any,
) -> None:
    """Find the covers: the teams, or the sets of attacks.

    Mode `best` ranks all covers without counting them; `exact` covers each type exactly once,
    `minimal` at least once without redundant members, `all` counts every cover of limited size,
    and `overlapping` is the original program's collection. A score is the sum over
    the types of the best that the team does there: low is good for defense, high for attack.
    A shared weakness is a type that more of the team are weak to than resist.

    \b
    Examples:
      dragon pokemon cover --gen 9 --mode exact
      dragon pokemon cover --list favourites.txt --abilities --rank stacked
      dragon pokemon cover --gen 9 --side attack --mode minimal --count --json
      dragon pokemon cover --gen 4 --location "Sunyshore City" --pin Water-Ground
      dragon pokemon cover --dex paldea --evolved --without legendary --without paradox
    """
    from dragon.config import build
    from dragon.core import Limit
    from dragon_pokemon.answers import answers
    from dragon_pokemon.choices import left_out
    from dragon_pokemon.lists import names_of
    from dragon_pokemon.objects import of_answer, report, why

    _refuse(mode, top, only_count)
    if lists:
        listed = _listed(lists, given["gen"], given["combos"])
        given["only"] += names_of(listed, given["abilities"])
    if pin_files:
        pins = names_of(_listed(pin_files, given["gen"], given["combos"]), given["abilities"])
        given["pin"] += pins
        given["only"] += pins if given["only"] else ()
    query = build(Pokemon, {k: v for k, v in given.items() if v is not None}, "pokemon")
    for lack in left_out(query):
        click.echo(f"note: {lack}; it is left out", err=True)
    shown = 0 if only_count else TOP if top is None else top
    with progress() as bar:

        def watch(label: str, part: float, found: int) -> None:
            bar(part, f"{label}, {found:,} found" if found else label)

        apart = differ or (DIFFER if mode == BEST else 1)
        stream = answers(query, mode, shown, among, Limit(seconds=seconds), watch, rank, apart)
        found, interrupted = last(stream, lambda step: None)
    if found is not None:
        tell(as_json, of_answer(found), "" if as_json else report(found))
        if as_json and found.impossible:
            click.echo(why(found), err=True)
    if interrupted:
        raise KeyboardInterrupt


def _refuse(mode: str, top: int | None, only_count: bool) -> None:
    """Raise UsageError for options that do not go together."""
    if mode != BEST and is_given("among"):
        raise click.UsageError(f"--among goes with --mode {BEST}; mode {mode} says which covers")
    if only_count and mode == BEST:
        known = f"{', '.join(COUNTED[:-1])} or {COUNTED[-1]}"
        raise click.UsageError(f"mode {BEST} counts nothing; with --count give --mode {known}")
    if only_count and top:
        raise click.UsageError("--top ranks, --count does not; leave one of them out")
    if top == 0 and mode == BEST:
        raise click.UsageError(f"--top 0 leaves mode {BEST} nothing to do; ask for one at least")


def _listed(files: tuple[str, ...], gen: int, combos: str) -> list[Member]:
    """Return the members in files, with notes on stderr; raise ConfigError if there is none."""
    from dragon.config import read_text
    from dragon.errors import ConfigError
    from dragon_pokemon.lists import read

    _generations(gen)
    members: list[Member] = []
    for file in files:
        found, notes = read(gen, combos, read_text(file, "a list of Pokémon", LONGEST_LIST))
        for note in notes:
            click.echo(f"note: {_source(file)}, {note}", err=True)
        members += found
    if not members:
        places = " and ".join(map(_source, files))
        raise ConfigError(
            f"{places}: no Pokémon of generation {gen} is listed there; write a name on each line"
        )
    return members


@pokemon.command("read")
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@_gen
@_choices("combos")
@click.option(
    "--to",
    type=click.Choice(["names", "export", "packed", "json"]),
    default="names",
    show_default=True,
    help="The form to write.",
)
def read_(files: tuple[str, ...], gen: int, combos: str, to: str) -> None:
    """Show how lists are read, and write them in another form.

    A list has names or types, or is a team as Pokémon Showdown exports it, packed or as JSON.
    Lines that are not understood are listed. `-` is stdin.

    \b
    Examples:
      dragon pokemon read team.txt
      dragon pokemon read team.txt --to packed
    """
    from dragon_pokemon.lists import write

    click.echo(write(_listed(files, gen, combos), to), nl=False)


def _source(file: str) -> str:
    return "stdin" if file == "-" else file


@pokemon.command()
@_any_gen
@_choices("data", "combos")
@as_json
def types(gen: int | None, data: str, combos: str, as_json: bool) -> None:
    """List the types of a generation, its chart, and the combinations that exist.

    \b
    Examples:
      dragon pokemon types
      dragon pokemon types --gen 1
      dragon pokemon types --gen 9 --combos obtainable --json
    """
    from dragon_pokemon.objects import of_generation
    from dragon_pokemon.tables import combinations, types_of

    known = _generations(gen)
    if as_json:
        print_json([of_generation(g, data, combos) for g in known])
    elif gen is None:
        for g in known:
            click.echo(
                f"generation {g}: {len(types_of(g))} types, "
                f"{len(combinations(g, data, combos))} combinations"
            )
    else:
        names = combinations(gen, data, combos)
        click.echo(_chart_text(gen, data))
        listed = filled([f"{len(names)} combinations: {', '.join(names)}"])
        click.echo("\n".join(["", *listed]))


def _generations(gen: int | None) -> tuple[int, ...]:
    if gen is not None and gen not in GENERATIONS:
        raise click.BadParameter(f"{gen} is not a generation; give 1 to 9", param_hint="--gen")
    return tuple(GENERATIONS) if gen is None else (gen,)


def _chart_text(gen: int, data: str) -> str:
    """Return the chart: a row for each attack, names cut to three letters, x1 as a dot."""
    from dragon_pokemon.tables import chart, types_of

    signs = {0.0: "0", 0.5: "1/2", 1.0: "·", 2.0: "2"}
    known, table = types_of(gen), chart(gen, data)
    rows = [["attack   ", *(f"{defender[:3]:3}" for defender in known)]]
    rows += [[f"{a:9}", *(f"{signs[table[a, d]]:3}" for d in known)] for a in known]
    return "\n".join(" ".join(row).rstrip() for row in rows)


@pokemon.command()
@_any_gen
@as_json
def locations(gen: int | None, as_json: bool) -> None:
    """List the gyms, trials and leagues, with the types that are met there.

    \b
    Examples:
      dragon pokemon locations
      dragon pokemon locations --gen 4 --json
    """
    from dragon_pokemon.objects import of_location
    from dragon_pokemon.tables import locations as places

    found = [place for g in _generations(gen) for place in places(g)]
    if as_json:
        print_json([of_location(place) for place in found])
        return
    for place in found:
        also = f" (also {place.also})" if place.also else ""
        click.echo(f"{place.generation} {place.region}: {place.name}{also}")
        kinds = ("attacks:", place.attacks), ("defenders:", place.defenders)
        texts = (f"    {kind:<10} {', '.join(met)}" for kind, met in kinds)
        click.echo("\n".join(filled(texts, 15)))


@pokemon.command()
@click.argument("picks", nargs=-1, metavar="[NAME...]")
@click.option(
    "--list",
    "lists",
    multiple=True,
    metavar="FILE",
    help="A team in a file, as Pokémon Showdown exports it: with its abilities, Tera types, moves.",
)
@_gen
@_choices("side", "data")
@_abilities
@_location
@with_picture("--svg", "svg", "Draw it there: an .svg or .png; - is SVG on stdout.")
@as_json
def team(
    picks: tuple[str, ...], lists: tuple[str, ...], svg: Path | None, as_json: bool, **given: Any
) -> None:
    """Show what a team, Pokémon or types, does against everything it meets.

    With --side attack the names are those of attacks: types, Freeze-Dry, Normal+Scrappy; of a
    file they are its moves. The picture has the team within and what it meets around; edges are
    coloured by multiplier.

    \b
    Examples:
      dragon pokemon team Fire-Steel Water-Ground Dark
      dragon pokemon team Garchomp Rotom-Wash Gengar --abilities
      dragon pokemon team --list team.txt
      dragon pokemon team --list team.txt --side attack
      dragon pokemon team Ice Ground --side attack --gen 4 --location "Pokémon League"
      dragon pokemon team Steel Ghost --out team.svg
    """
    from dragon.config import build
    from dragon_pokemon.choices import picks_of
    from dragon_pokemon.lists import attacks, names_of
    from dragon_pokemon.objects import of_team
    from dragon_pokemon.species import named
    from dragon_pokemon.team import arsenal, draw, table, terastallized, undecided

    check_stdout("--out", svg, as_json)
    _generations(given["gen"])
    members = _listed(lists, given["gen"], "all") if lists else []
    defends, true = given["side"] == "defense", given["data"] == "true"
    stated = any("+" in name for name in (*picks, *(each.name for each in members)))
    stated |= any(each.ability for each in members)
    which = undecided(given["gen"], members) if stated and not given["abilities"] else ""
    if which and defends:
        click.echo(f"note: abilities do not count, for that of {which} is not given", err=True)
        stated, picks = False, tuple(name.partition("+")[0] for name in picks)
    given["abilities"] |= true and (stated or not defends)
    query: Pokemon = build(Pokemon, given | {"moves": true and not defends}, "pokemon")
    known, notes = attacks(query.gen, members)
    for note in notes:
        click.echo(f"note: {note}", err=True)
    picks += names_of(members, query.abilities) if defends else tuple(known)
    if not picks:
        what = "no attack is in the list" if lists else "name the team"
        raise click.UsageError(f"{what}, as NAME... or by --list FILE")
    options = picks if lists and not defends else picks_of(query, picks)
    called = [each for pick in picks if (each := named(pick.partition("+")[0]))]
    names = [each.name for each in called] if defends else []
    tera = terastallized(query, [(each.name, each.tera) for each in members]) if defends else ()
    if svg is not None:
        save_picture(svg, draw(query, options))
        if svg == STDOUT:
            return
    said = f"{', '.join(names)}\n" * bool(names) + table(query, options)
    row = of_team(query, options, picks) | ({"tera": list(tera)} if tera else {})
    if tera:
        said += f"\n\nafter each takes its Tera type\n{table(query, tera)}"
    if known:
        hits = evolve(query, side="attack", abilities=true, moves=true)
        said += f"\n\n{arsenal(hits, known)}"
        row["moves"] = {attack: list(map(list, held)) for attack, held in known.items()}
        row["attack"] = of_team(hits, tuple(known)) if defends else None
    tell(as_json, row, said)
