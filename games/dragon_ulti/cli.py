"""The commands `dragon ulti solve`, `table`, `cards` and `deal`."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from dragon_ulti.cards import SUITS, SYMBOLS, card, pretty
from dragon_ulti.contracts import CONTRACTS
from dragon_ulti.deal import bare
from dragon_ulti.house import HOUSES

if TYPE_CHECKING:
    from dragon_ulti import Ulti
    from dragon_ulti.answers import Answer

SHOWN = {True: "made", False: "fails", None: "unknown"}
_as_json = click.option("--json", "as_json", is_flag=True, help="Print JSON on stdout.")
_rules = click.option(
    "--rules", type=click.Choice(tuple(HOUSES)), default="real", show_default=True,
    help="The real rules, or those of the original program.",
)  # fmt: skip
_contract = click.option("--contract", metavar="C", help="A contract, or several joined with +.")
_trump = click.option("--trump", type=click.Choice(tuple(SUITS)), help="That of DEAL, or hearts.")
_seconds = click.option(
    "--seconds", type=click.FloatRange(min=0, min_open=True), metavar="S", help="Stop after S."
)
_endgame = click.option(
    "--no-prerequisites", "free", is_flag=True, help="Whatever the declarer holds."
)


def _options(*options: Callable[[Any], Any]) -> Callable[[Any], Any]:
    def decorate(command: Any) -> Any:
        for option in reversed(options):
            command = option(command)
        return command

    return decorate


@click.group()
def ulti() -> None:
    """Solve Ulti deals: seat 0 has bid and leads, seats 1 and 2 defend, all cards are open.

    A DEAL is three hands and perhaps the talon, `HA HK .../H7 .../LX .../L7 B7`, or the
    61 digits of a `deal=` link, or the link, or a JSON object with `hands`. Fewer cards
    make an endgame. Suits are H L A B, ranks 7 8 9 X U O K A.

    \b
    Examples:
      dragon ulti deal --seed 3
      dragon ulti table "$(dragon ulti deal --seed 3 --code)"
      dragon ulti solve "HA H7 / HK H8 / LA L7" --contract ulti
    """


def _game(text: str, contract: str, trump: str | None, rules: str, free: bool = False) -> Ulti:
    """The game that the options and the deal's own words ask for."""
    from dragon.config import build
    from dragon_ulti import Ulti
    from dragon_ulti.deal import said_trump

    trumps = all(CONTRACTS[w].trump for w in contract.split("+") if w in CONTRACTS)
    asked = trump or (said_trump(text) if trumps else None)
    given = {"contract": contract, "trump": asked, "rules": rules, "prerequisites": not free}
    made: Ulti = build(Ulti, {k: v for k, v in given.items() if v is not None}, "ulti")
    return made


@ulti.command()
@click.argument("deal")
@_options(_contract, _trump, _rules, _endgame)
@click.option("--course", is_flag=True, help="Add who played what in which round.")
@_options(_seconds, _as_json)
def solve(
    deal: str,
    contract: str | None,
    trump: str | None,
    rules: str,
    free: bool,
    course: bool,
    seconds: float | None,
    as_json: bool,
) -> None:
    """Say whether a contract is made, how many units the declarer takes, and how to play.

    Units are of ten points: each ace and ten one, the last trick one. Without --contract
    every contract is tried. A limit in seconds leaves what it did not reach unknown.

    \b
    Examples:
      dragon ulti solve 0070605040300173727021213323322232414341510112021303125263536
      dragon ulti solve "HA H7 / HK H8 / LA L7" --contract ulti
      dragon ulti solve DEAL --contract forty_hundred+ulti --trump A --json
    """
    from dragon.commands.options import interruptible, print_json
    from dragon.core import Limit
    from dragon_ulti import answers

    limit = Limit(seconds=seconds)
    text = deal if trump is None else bare(deal)
    for i, name in enumerate([contract] if contract else CONTRACTS):
        asked = trump if contract or CONTRACTS[name].trump else None
        game = _game(text, name, asked, rules, free)
        answer = interruptible(answers.solve, game, text, limit, contract is not None)
        if as_json:
            print_json(_plain(answer, course))
        elif contract:
            click.echo(_report(answer, course))
        else:
            click.echo(("" if i else f"{_hands(answer)}\n\n") + _row(answer))


@ulti.command()
@click.argument("deal")
@_options(_rules, _seconds, _as_json)
def table(deal: str, rules: str, seconds: float | None, as_json: bool) -> None:
    """Say for every contract and trump whether it is made: 31 cells.

    \b
    Examples:
      dragon ulti table 0070605040300173727021213323322232414341510112021303125263536
      dragon ulti table "$(dragon ulti deal --seed 3 --code)" --json
    """
    from dragon.commands.options import interruptible, print_json
    from dragon.core import Limit
    from dragon_ulti import answers

    game = _game("", "party", None, rules)
    limit = Limit(seconds=seconds)
    found: list[Answer] = []
    interrupted = False
    try:
        interruptible(lambda: found.extend(answers.table(game, deal, limit)))
    except KeyboardInterrupt:  # what is known so far is told, and marked
        interrupted = True
    if as_json:
        print_json([_plain(answer) for answer in found])
    elif found:
        click.echo(_grid(found, interrupted))
    if interrupted:
        raise KeyboardInterrupt


def _grid(found: list[Answer], interrupted: bool) -> str:
    """The table of verdicts: contracts by trumps; ? where the work was broken off before."""
    known = {(each.game.contract, each.game.trump): _word(each) for each in found}
    suits = "".join(f"{s} {y}      " for s, y in zip(SUITS, SYMBOLS, strict=True))
    lines = [_hands(found[0]), "", f"{'':22}{suits}no trump"]
    for name, contract in CONTRACTS.items():
        trumps = SUITS if contract.trump else ""
        row = "".join(f"{known.get((name, suit), '?'):9}" for suit in trumps)
        bare = "" if contract.trump else " " * 36 + known.get((name, None), "?")
        lines.append(f"{name:22}{row}{bare}".rstrip())
    lines += ["", "-  a prerequisite is unmet"]
    return "\n".join(lines + ["?  not reached: interrupted"] * interrupted)


@ulti.command()
@click.argument("position")
@_options(_contract, _trump, _rules, _endgame, _seconds, _as_json)
def cards(
    position: str,
    contract: str | None,
    trump: str | None,
    rules: str,
    free: bool,
    seconds: float | None,
    as_json: bool,
) -> None:
    """Say what each card that may be played now leads to, at any point of a game.

    A POSITION is a deal, or hands with what has come of play after commas: `lead 1: HA H7`
    for the cards on the table, `units 3` for what the declarer has taken, or `played HA H7
    LX ...` for all cards played so far.

    \b
    Examples:
      dragon ulti cards "HA HX / HK H8 / LA L7" --contract ulti --no-prerequisites
      dragon ulti cards "HA / HK H8 / LA L7, lead 0: HX" --trump H
    """
    from dragon.commands.options import interruptible, print_json
    from dragon.core import Limit
    from dragon_ulti import answers

    game = _game(position, contract or "party", trump, rules, free)
    text = position if trump is None else bare(position)
    answer = interruptible(answers.cards, game, text, Limit(seconds=seconds))
    if as_json:
        print_json(_plain(answer))
        return
    click.echo(_hands(answer))
    if answer.reason or not answer.cards:
        click.echo(_row(answer))
    for each, value in answer.cards:
        known = [v for _, v in answer.cards if v is not None]
        best = max(known) if answer.state.turn == 0 else min(known)
        shown = "unknown" if value is None else _worth(answer, value)
        click.echo(f"  {pretty(card(each))}  {shown}{'  best' if value == best else ''}")


@ulti.command()
@click.option("--seed", type=click.IntRange(min=0), default=0, metavar="N", help="Seed.")
@_options(_contract, _trump, _rules)
@click.option("--code", is_flag=True, help="Print the 61 digits alone.")
@_as_json
def deal(
    seed: int, contract: str | None, trump: str | None, rules: str, code: bool, as_json: bool
) -> None:
    """Deal at random; with --contract a deal on which it can be bid.

    \b
    Examples:
      dragon ulti deal --seed 3
      dragon ulti deal --contract ulti --trump A --json
    """
    from dragon.commands.options import print_json
    from dragon_ulti.deal import as_json as object_of
    from dragon_ulti.deal import trump_letter, write_code
    from dragon_ulti.record import table_of

    game = _game("", contract or "party", trump, rules)
    state = game.start(seed)
    dealt = table_of(state.record, game.setting).deal
    digits = write_code(dealt, game.setting.trump)
    if as_json:
        letter = trump_letter(game.setting.trump)
        print_json({**object_of(dealt), "trump": letter, "code": digits})
    elif code:
        click.echo(digits)
    else:
        shown = "\n".join(state.picture().splitlines()[:-1])
        click.echo(f"{shown}\n\n{state}\n{digits}")


# ---- what is printed -----------------------------------------------------------------------


def _word(answer: Answer) -> str:
    return "-" if answer.reason else SHOWN[answer.made]


def _worth(answer: Answer, value: int) -> str:
    if answer.units is None and not _units(answer):
        return "made" if value else "fails"
    return f"{value} unit{'' if value == 1 else 's'}"


def _units(answer: Answer) -> bool:
    from dragon_ulti.answers import counted

    return counted(answer.game)


def _hands(answer: Answer) -> str:
    return "\n".join(answer.state.picture().splitlines()[:-1])


def _row(answer: Answer) -> str:
    """One line: contract, verdict, units or what is lacking."""
    more = f"  {answer.reason}" if answer.reason else ""
    if answer.units is not None:
        more = f"  {answer.units} of {int(answer.state.record.need)} units"
    return (
        f"{answer.game.bid.title:22}{SHOWN[answer.made] if not answer.reason else 'lost':8}{more}"
    )


def _report(answer: Answer, course: bool) -> str:
    from dragon_ulti.contracts import trump_name
    from dragon_ulti.course import course as course_of
    from dragon_ulti.course import text as course_text

    lines = [_hands(answer), "", f"{_row(answer)}  ({trump_name(answer.game.setting.trump)})"]
    if answer.cards:
        told = (f"{pretty(card(c))} {'?' if v is None else v}" for c, v in answer.cards)
        lines += ["", f"cards   {'  '.join(told)}"]
    if answer.line:
        lines += ["", "best play" if answer.made else "the refutation"]
        tables = course_text(course_of(_start(answer), answer.line)).splitlines()
        lines += tables if course else tables[:-3]
    lines += ["", f"{answer.nodes} nodes in {answer.seconds:.3f} s"]
    return "\n".join(lines)


def _start(answer: Answer) -> Any:
    """The state from which the line was searched: of the game that counts units, if they do."""
    from attrs import evolve

    if not _units(answer):
        return answer.state
    return evolve(answer.game, objective="points").parse(str(answer.state))


def _plain(answer: Answer, course: bool = False) -> dict[str, Any]:
    """An answer for JSON."""
    from dragon_ulti.course import as_json as course_json
    from dragon_ulti.course import course as course_of
    from dragon_ulti.deal import trump_letter

    game = answer.game
    value: dict[str, Any] = {
        "contract": game.contract,
        "trump": trump_letter(game.setting.trump),
        "rules": game._rules,
        "position": str(answer.state),
        "prerequisite_met": not answer.reason,
        "reason": answer.reason or None,
        "declarer_wins": answer.made,
        "max_points": answer.units,
        "cards": dict(answer.cards),
        "line": list(answer.line),
        "nodes": answer.nodes,
        "seconds": answer.seconds,
    }
    if course and answer.line:
        value["course"] = course_json(course_of(_start(answer), answer.line))
    return value
