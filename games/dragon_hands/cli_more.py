"""The commands `dragon hands sample`, `import` and `plot`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from dragon.commands.options import as_json as json_option
from dragon.commands.options import with_seed
from dragon_hands.cli import asked, feasible, hands, spec_argument, with_hand, with_sharing

if TYPE_CHECKING:
    from dragon_hands.witness import Example


@hands.command("sample")
@spec_argument
@click.option("-n", "number", type=click.IntRange(1, 1000), default=5, show_default=True,
              metavar="N", help="How many hands.")  # fmt: skip
@click.option("--only", type=click.Choice(["pass", "brick"]), help="Only such hands.")
@with_hand
@with_sharing
@with_seed
@json_option
def sample(
    spec: str, number: int, only: str | None, hand: int, sharing: str, seed: int, as_json: bool
) -> None:
    """Deal opening hands to look at, and say why they pass.

    Free cards are not played.

    \b
    Examples:
      dragon hands sample deck.yaml
      dragon hands sample deck.yaml -n 3 --only brick --seed 7
    """
    from itertools import islice

    from dragon.commands.options import print_json
    from dragon_hands.witness import examples

    deck, question = asked(spec, hand, sharing, "never")
    dealt = islice(examples(deck, question.hand, sharing, seed), 200 * number)
    wanted = (each for each in dealt if only is None or bool(each.passes) == (only == "pass"))
    found = list(islice(wanted, number))
    if as_json:
        print_json(
            [
                {
                    "cards": each.cards,
                    "passes": [
                        {"text": text, "given": [{"clause": c, "cards": n} for c, n in given]}
                        for text, given in each.passes
                    ],
                }
                for each in found
            ]
        )
    for each in () if as_json else found:
        click.echo(_example(each))
    if len(found) < number:
        click.echo(
            f"note: {len(found)} such hands among {200 * number:,} dealt; they are rare", err=True
        )


def _example(each: Example) -> str:
    lines = [", ".join(each.cards)]
    for text, given in each.passes:
        why = "; ".join(f"{clause}: {', '.join(names)}" for clause, names in given if names)
        lines.append(f"  passes {text}" + (f" ({why})" if why else ""))
    return "\n".join(lines if each.passes else [*lines, "  brick"])


@hands.command("import")
@click.argument("deck", metavar="DECK.ydk")
@click.option("--cards", "table", required=True, metavar="FILE.csv",
              help="The facts of cards: id, name, attribute, type, level.")  # fmt: skip
@click.option("--condition", "conditions", multiple=True, metavar="TEXT",
              help="A condition to write into the file; repeatable.")  # fmt: skip
@click.option("--out", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE.yaml",
              help="Write there, and not to stdout.")  # fmt: skip
@click.option("--force", is_flag=True, help="Write over a file that exists.")
def import_deck(
    deck: str, table: str, conditions: tuple[str, ...], out: Path | None, force: bool
) -> None:
    """Make a deck file of a .ydk list, or of a ydke:// link in a file.

    Tags are the attribute, the type and the level of each card; known free cards get their
    effects. The main deck is read, and the extra deck for IN Extra; the side deck is not.

    \b
    Examples:
      dragon hands import deck.ydk --cards cards.csv --condition "Starter"
      dragon hands import deck.ydk --cards cards.csv --out deck.yaml
    """
    from dragon.commands.options import read_text
    from dragon.errors import ConfigError
    from dragon_hands.importing import facts, imported, listed

    if out is not None and out.exists() and not force:
        raise ConfigError(f"{out} exists; give another --out, or --force to write over it")
    known = facts(read_text(table, "the cards"), table)
    found = listed(deck if deck.startswith("ydke://") else read_text(deck, "the deck"), deck)
    text, unknown = imported(found, known, conditions, Path(deck).stem)
    if unknown:
        shown = ", ".join(map(str, unknown[:10])) + (", ..." if len(unknown) > 10 else "")
        click.echo(
            f"warning: {len(unknown)} ids are not in {table}: {shown}; "
            "they are listed by number, without tags",
            err=True,
        )
    if not conditions:
        click.echo("note: the file has no condition yet; list some under `conditions:`", err=True)
    if out is None:
        click.echo(text, nl=False)
    else:
        out.write_text(text, encoding="utf-8")


@hands.command("plot")
@spec_argument
@click.option("--kind", type=click.Choice(["histogram", "convergence"]), default="histogram",
              show_default=True, help="What is drawn.")  # fmt: skip
@click.option("--image", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE",
              help="Draw it there: .png, .svg or .pdf.")  # fmt: skip
@click.option("--sample", "number", type=click.IntRange(64, 1 << 26), default=1 << 17,
              show_default=True, metavar="N", help="Hands drawn for a convergence.")  # fmt: skip
@with_hand
@with_sharing
@with_seed
@json_option
def plot(
    spec: str, kind: str, image: Path | None, number: int, hand: int, sharing: str, seed: int,
    as_json: bool,
) -> None:  # fmt: skip
    """Draw how many copies of each name come, or how an estimate settles.

    The histogram is exact. Free cards are not played. Without --image the figures are
    printed; with it, matplotlib is needed: pip install 'dragon-search[plot]'.

    \b
    Examples:
      dragon hands plot deck.yaml
      dragon hands plot deck.yaml --image copies.svg
      dragon hands plot deck.yaml --kind convergence --image settling.png
    """
    from dragon.commands.options import print_json
    from dragon_hands import plots
    from dragon_hands.ratios import any_share

    deck, question = asked(spec, hand, sharing, "never")
    if kind == "histogram":
        bars = plots.histogram(deck, question.hand)
        if image is not None:
            plots.draw_histogram(bars, question.hand, image)
        if as_json:
            print_json({"hand": hand, "histogram": bars})
        elif image is None:
            click.echo("\n".join(plots.text_histogram(bars)))
        return
    with feasible():
        exact = any_share(deck, question)
    points = list(plots.convergence(deck, question, number, seed))
    if image is not None:
        plots.draw_convergence(points, exact.p, image)
    if as_json:
        rows = [dict(zip(("hands", "p", "low", "high"), each, strict=True)) for each in points]
        print_json({"exact": exact.plain(), "convergence": rows})
    elif image is None:
        click.echo(f"exact {exact.p:.5f}")
        for n, p, low, high in points:
            click.echo(f"{n:10,}  {p:.5f}  {low:.5f} to {high:.5f}")
