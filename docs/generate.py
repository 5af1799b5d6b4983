"""Write the parts of the documentation that the code itself knows best.

A part stands between `<!-- begin NAME -->` and `<!-- end -->`. `python docs/generate.py`
writes all of them again, and the list of what dragon's own plugins offer; the tests fail when one
is not as it would be written.
"""

from __future__ import annotations

import ast
import inspect
import json
import re
import textwrap
from collections.abc import Callable, Iterable
from pathlib import Path
from runpy import run_path
from typing import Any

import attrs
import click

import dragon
from dragon import core, errors, hookspecs, index, plugins, protocols
from dragon.cli import main
from dragon.compiler.location import CALLS, NAMES, OF_NOBODY
from dragon.core.spec import descriptions, how_to_play, literal, settings, summary
from dragon.laws import LAWS
from dragon.rules.contract import OPTIONAL, REQUIRED, RULES
from dragon.rules.notation import BaseNotation

ROOT = Path(__file__).parent.parent
PART = re.compile(r"(<!-- begin ([\w -]+) -->\n).*?(<!-- end -->)", re.DOTALL)


def pages() -> list[Path]:
    """Every page of the documentation."""
    return [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md"))]


def written(text: str) -> str:
    """A page's text with each generated part as it should be."""
    return PART.sub(lambda found: f"{found[1]}{part(found[2]).strip()}\n{found[3]}", text)


def part(name: str) -> str:
    """The text of one part; raises KeyError for an unknown one."""
    kind, _, argument = name.partition(" ")
    return PARTS[kind](argument) if argument else PARTS[kind]()


def table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """A Markdown table."""
    cells = [list(head), *map(list, rows)]
    cells.insert(1, ["---"] * len(cells[0]))
    return "\n".join("| " + " | ".join(c.replace("|", "\\|") for c in row) + " |" for row in cells)


def settings_of(cls: type) -> str:
    """The settings of a game or search class."""
    rows = [
        [f"`{s.name}`", s.type, "required" if s.required else f"`{literal(s.default)}`"]
        + [s.description]
        for s in settings(cls)
    ]
    return table(["setting", "type", "default", "meaning"], rows) if rows else "No settings."


def search_part(name: str) -> str:
    """Describe a search: what it is, what it does not support, and its settings."""
    cls = dragon.searches()[name]
    lines = [summary(cls)]
    if cls.needs:
        lines.append(f"Needs {_traits(cls.needs)}.")
    if cls.excludes:
        lines.append(f"Does not support {_traits(cls.excludes)}.")
    if not cls.proves:
        lines.append("Never proves its value, so it has a default budget.")
    known = ", ".join(f"`{a.name}`" for a in attrs.fields(dragon.Limit) if a.name in cls.limits)
    lines.append(f"Limits that count: {known or 'none; it ends at once'}.")
    return " ".join(lines) + "\n\n" + settings_of(cls)


def _traits(traits: Iterable[dragon.Trait]) -> str:
    return " or ".join(sorted(trait.name for trait in traits))


def game_part(name: str) -> str:
    """The parameters of a game."""
    return settings_of(dragon.games()[name])


def command_part(name: str) -> str:
    """Describe a command: examples, arguments and options; `a b` is b of the group a."""
    command: Any = main
    for word in name.split():
        command = command.get_command(click.Context(command), word)
    assert command is not None
    about, _, examples = inspect.cleandoc(command.help or "").partition("\b\nExamples:\n")
    given = " ".join(p.metavar or str(p.name).upper() for p in command.params if _argument(p))
    rows = [
        [
            f"`{p.opts[0]}{'' if p.is_flag else f' {p.metavar or str(p.name).upper()}'}`",
            p.help or "",
        ]
        for p in command.params
        if isinstance(p, click.Option)
    ]
    return "\n".join(
        [
            f"`dragon {name} {given}`".replace(" `", "`"),
            "",
            about.replace("\b\n", "").strip(),
            "",
            "```sh",
            *(line.strip() for line in examples.splitlines() if line.strip()),
            "```",
            "",
            table(["option", "meaning"], rows) if rows else "",
        ]
    )


def _argument(parameter: click.Parameter) -> bool:
    return isinstance(parameter, click.Argument)


def hooks_part() -> str:
    """Each hook with its arguments and docstring."""
    found = [
        (name, hook)
        for name, hook in vars(hookspecs).items()
        if name.startswith("dragon_") and inspect.isfunction(hook)
    ]
    return "\n\n".join(
        f"`{name}{_arguments(hook)}`: {inspect.getdoc(hook)}" for name, hook in found
    )


def _arguments(function: Callable[..., Any]) -> str:
    names = [name for name in inspect.signature(function).parameters if name != "self"]
    return f"({', '.join(names)})"


def members_part(name: str) -> str:
    """The members of State, Game, Search or BaseNotation with a default, and who asks for them."""
    cls = getattr(core, name, BaseNotation)
    texts = {key: _paragraphs(value) for key, value in vars(cls).items()} | {
        key: _about(text) for key, text in descriptions(cls).items() if key in vars(cls)
    }
    rows = [[_member(cls, key), about, asked] for key, (about, asked) in texts.items() if asked]
    return table(["member", "meaning", "used by"], rows)


def determinizable_part() -> str:
    """The members of a state of a game with hidden information."""
    cls = protocols.Determinizable
    rows = [
        [_member(cls, key), _paragraphs(value)[0]]
        for key, value in vars(cls).items()
        if not key.startswith("_") and callable(value)
    ]
    return table(["member", "meaning"], rows)


def _member(cls: type, name: str) -> str:
    member = vars(cls)[name]
    if isinstance(member, bool | float | tuple):
        return f"`{name}` = `{member}`"
    return f"`{name}{_arguments(member) if inspect.isfunction(member) else ''}`"


def _paragraphs(of: Any) -> tuple[str, str]:
    """The first paragraph of a docstring, and what uses it, if the docstring says so."""
    return _about(inspect.cleandoc(getattr(of, "__doc__", None) or ""))


def _about(text: str) -> tuple[str, str]:
    first, whole = (" ".join(part.split()) for part in (text.partition("\n\n")[0], text))
    used_by = re.split(r"\.(?=\s|$)", whole.partition("Used by ")[2], maxsplit=1)[0]
    return first.partition("Used by ")[0].strip(), used_by


def errors_part() -> str:
    """The tree of exceptions, as the module draws it."""
    tree = inspect.cleandoc(errors.__doc__ or "").partition("::")[2]
    return f"```\n{inspect.cleandoc(tree)}\n```"


def laws_part() -> str:
    """Each law and what it says."""
    return table(["law", "what holds"], ([f"`{law.name}`", law.sentence] for law in LAWS))


def constructs_part() -> str:
    """List what the compiler does not know, and what to write instead."""
    rows = {name: (remedy, node in OF_NOBODY) for node, (name, remedy) in NAMES.items()}
    calls = {f"{call.__name__}(...)": (remedy, False) for call, remedy in CALLS.items()}
    return table(
        ["construct", "what to do"],
        ([f"`{name}`{'' if alone else ' *'}", remedy or "leave it to the caller of dragon"]
         for name, (remedy, alone) in (rows | calls).items()),
    )  # fmt: skip


def rules_part(which: str) -> str:
    """The rules that a game must have (`required`) or may have (`optional`)."""
    head = ["rule", "meaning", "used by"]
    rules = [RULES[name] for name in (REQUIRED if which == "required" else OPTIONAL)]
    rows = [[f"`{rule.signature}`", rule.meaning, rule.used_by] for rule in rules]
    return table(head[:2], [row[:2] for row in rows]) if which == "required" else table(head, rows)


def template_part() -> str:
    """Return the optional rules as templates name them, with their null forms."""
    head = ["rule", "true if the game has it", "null form"]
    rows = [[f"`{RULES[name].signature}`", f"`HAS_{name.upper()}`", _null(name)]
            for name in OPTIONAL]  # fmt: skip
    return table(head, rows)


def _null(name: str) -> str:
    (function,) = ast.parse(inspect.getsource(RULES[name].null)).body
    *_, last = vars(function)["body"]
    return f"gives `{ast.unparse(last.value)}`" if isinstance(last, ast.Return) else "does nothing"


def how_part(name: str) -> str:
    """The rules of a game as its players read them."""
    return "\n\n".join(textwrap.fill(each, 110) for each in how_to_play(dragon.games()[name]))


def ladder_part() -> str:
    """The strength of each player of the ladder at each game, as `draw_ladder.py` keeps it."""
    script = run_path(str(ROOT / "docs" / "draw_ladder.py"))
    head = ["game", "games", "`strong` is", *(f"`{name}`" for name in script["names"]())]
    return table(head, script["rows"]())


def openings_part(size: str) -> str:
    """List what is proven of the openings of a Nex board, as `prove_openings.py` keeps it."""
    script = run_path(str(ROOT / "docs" / "prove_openings.py"))
    return "\n".join(script["table"](size, ROOT / "docs" / f"nex-openings-{size}.jsonl"))


def textbook_part(words: str) -> str:
    """Methods of a class of tests/reference. words: the file, the class and the methods."""
    file, cls, *methods = words.split()
    source = (ROOT / "tests" / "reference" / f"{file}.py").read_text(encoding="utf-8")
    (made,) = (each for each in ast.parse(source).body if getattr(each, "name", "") == cls)
    parts = {each.name: each for each in made.body if isinstance(each, ast.FunctionDef)}
    lines = source.splitlines()
    texts = ("\n".join(lines[parts[name].lineno - 1 : parts[name].end_lineno]) for name in methods)
    return "\n".join(["```python", textwrap.dedent("\n\n".join(texts)), "```"])


PARTS: dict[str, Callable[..., str]] = {
    "command": command_part,
    "constructs": constructs_part,
    "determinizable": determinizable_part,
    "errors": errors_part,
    "game": game_part,
    "hooks": hooks_part,
    "how": how_part,
    "ladder": ladder_part,
    "laws": laws_part,
    "members": members_part,
    "openings": openings_part,
    "rules": rules_part,
    "search": search_part,
    "template": template_part,
    "textbook": textbook_part,
}


def own_plugins() -> str:
    """The file of what dragon's own plugins offer, `dragon.index.OWN`."""
    own = plugins.own_plugins()
    entries = [e for e in plugins.entry_points(plugins.GROUP) if e.name in own]
    offered = plugins.survey(entries, index.HOOKS)
    for name in plugins.EXTRAS:  # which may be installed here, and not elsewhere
        offered["bridges"][2]["dragon_games"].pop(name, None)
    return json.dumps(offered, indent=1, sort_keys=True) + "\n"


if __name__ == "__main__":
    index.OWN.write_text(own_plugins(), encoding="utf-8")
    for page in pages():
        page.write_text(written(page.read_text(encoding="utf-8")), encoding="utf-8")
