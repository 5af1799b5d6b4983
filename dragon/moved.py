"""The modules and names that moved: importing an old one raises an error with the new one."""

from __future__ import annotations

import sys
import warnings
from importlib import import_module
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

MOVED = {
    "dragon.boards.counts": "dragon.boards.squares",
    "dragon.boards.fen": "dragon.boards.algebraic",
    "dragon.boards.repetition": "dragon.boards.algebraic",
    "dragon.boards.steps": "dragon.boards.sight",
    "dragon.commands.check": "dragon.commands.prove",
    "dragon.commands.cover_jobs": "dragon.commands.cover",
    "dragon.commands.new_search": "dragon.commands.new",
    "dragon.commands.searches": "dragon.commands.games",
    "dragon.compiler.binding": "dragon.compiler.entries",
    "dragon.compiler.flow": "dragon.compiler.tree",
    "dragon.compiler.instructions": "dragon.compiler.writing",
    "dragon.compiler.lock": "dragon.compiler.library",
    "dragon.compiler.places": "dragon.compiler.expressions",
    "dragon.compiler.refusal": "dragon.compiler.location",
    "dragon.compiler.source": "dragon.compiler.fingerprint",
    "dragon.compiler.tiers": "dragon.compiler.kernel",
    "dragon.completion": "dragon.commands.completion",
    "dragon.core.result": "dragon.core.search",
    "dragon.cover.bitsets": "dragon.cover.arrays",
    "dragon.cover.diagram_stream": "dragon.cover.diagram_builder",
    "dragon.cover.dlx": "dragon.cover.exact",
    "dragon.cover.enumeration": "dragon.cover.stream",
    "dragon.cover.idle": "dragon.cover.exact",
    "dragon.cover.kernels.dancing_cells": "dragon.cover.dancing_cells",
    "dragon.cover.kernels.minimal": "dragon.cover.minimal",
    "dragon.cover.kernels.multiplicity": "dragon.cover.kernels.dlx",
    "dragon.cover.links": "dragon.cover.exact",
    "dragon.cover.mutable": "dragon.cover.problem",
    "dragon.cover.option": "dragon.cover.problem",
    "dragon.cover.search": "dragon.cover.searches",
    "dragon.cover.searches.algorithm_x": "dragon.cover.searches",
    "dragon.cover.searches.count": "dragon.cover.searches",
    "dragon.cover.searches.dancing_cells": "dragon.cover.searches",
    "dragon.cover.searches.dlx": "dragon.cover.searches",
    "dragon.cover.slices": "dragon.cover.stream",
    "dragon.cover.table": "dragon.cover.game",
    "dragon.cover.tree_estimate": "dragon.cover.subproblems",
    "dragon.folders": "dragon.files",
    "dragon.gtp.vertices": "dragon.gtp.protocol",
    "dragon.laws.texts": "dragon.laws.whole",
    "dragon.laws.trees": "dragon.laws.whole",
    "dragon.process.early": "dragon.process",
    "dragon.process.stderr": "dragon.process",
    "dragon.publish.arrays": "dragon.publish.wasm",
    "dragon.publish.bundle": "dragon.publish.page",
    "dragon.publish.code": "dragon.publish.wasm",
    "dragon.publish.moves": "dragon.publish.writing",
    "dragon.publish.players": "dragon.publish.publication",
    "dragon.publish.playground": "dragon.publish.page",
    "dragon.publish.spelling": "dragon.publish.writing",
    "dragon.rules.diagnosis": "dragon.rules.rule_errors",
    "dragon.rules.dice": "dragon.boards.track",
    "dragon.rules.kernels.calls": "dragon.rules.kernels.rehearsal",
    "dragon.rules.kernels.census": "dragon.rules.census",
    "dragon.rules.kernels.perft": "dragon.rules.perft",
    "dragon.rules.kernels.profile": "dragon.commands.profile",
    "dragon.rules.moves": "dragon.rules.record",
    "dragon.rules.patterns": "dragon.rules.rules",
    "dragon.rules.preparation": "dragon.rules.rehearsal",
    "dragon.search.alphabeta.batch": "dragon.search.alphabeta.search",
    "dragon.search.alphabeta.claims": "dragon.search.alphabeta.moves",
    "dragon.search.alphabeta.compiled": "dragon.search.alphabeta.driver",
    "dragon.search.alphabeta.leaves": "dragon.search.alphabeta.values",
    "dragon.search.alphabeta.listing": "dragon.search.alphabeta.moves",
    "dragon.search.alphabeta.memory": "dragon.search.alphabeta.driver",
    "dragon.search.alphabeta.plain": "dragon.search.alphabeta.kernel",
    "dragon.search.alphabeta.pruning": "dragon.search.alphabeta.kernel",
    "dragon.search.alphabeta.quiescence": "dragon.search.alphabeta.kernel",
    "dragon.search.alphabeta.recall": "dragon.search.alphabeta.moves",
    "dragon.search.alphabeta.settings": "dragon.search.alphabeta.search",
    "dragon.search.alphabeta.threads": "dragon.search.alphabeta.driver",
    "dragon.search.alphabeta.win_distance": "dragon.search.alphabeta.values",
    "dragon.search.alphabeta.zero_windows": "dragon.search.alphabeta.search",
    "dragon.search.certify": "dragon.search.dfpn.search",
    "dragon.search.dfpn.compiled": "dragon.search.dfpn.driver",
    "dragon.search.dfpn.plain": "dragon.search.dfpn.kernel",
    "dragon.search.dfpn.settings": "dragon.search.dfpn.search",
    "dragon.search.dfpn.table": "dragon.search.dfpn.kernel",
    "dragon.search.equilibrium.tree": "dragon.search.equilibrium.sequences",
    "dragon.search.exhaustive": "dragon.search.simple",
    "dragon.search.greedy": "dragon.search.simple",
    "dragon.search.lines": "dragon.search.driver",
    "dragon.search.mcts.amaf": "dragon.search.mcts.statistics.amaf",
    "dragon.search.mcts.compiled": "dragon.search.mcts.driver",
    "dragon.search.mcts.guesses": "dragon.search.mcts.statistics.priors",
    "dragon.search.mcts.history": "dragon.search.mcts.statistics.history",
    "dragon.search.mcts.memory": "dragon.search.mcts.tree",
    "dragon.search.mcts.node": "dragon.search.mcts.tree",
    "dragon.search.mcts.plain": "dragon.search.mcts.kernel",
    "dragon.search.mcts.plain_policies": "dragon.search.mcts.policies",
    "dragon.search.mcts.playing": "dragon.search.mcts.kernel",
    "dragon.search.mcts.priors": "dragon.search.mcts.statistics.priors",
    "dragon.search.mcts.reuse": "dragon.search.mcts.tree",
    "dragon.search.mcts.sharing": "dragon.search.mcts.kernel",
    "dragon.search.mcts.statistics.evaluations": "dragon.search.mcts.statistics.priors",
    "dragon.search.mcts.styles": "dragon.search.mcts.settings",
    "dragon.search.mcts.threads": "dragon.search.mcts.driver",
    "dragon.search.negamax": "dragon.search.simple",
    "dragon.search.nmcs": "dragon.search.montecarlo",
    "dragon.search.nrpa.compiled": "dragon.search.nrpa.kernel",
    "dragon.search.nrpa.driver": "dragon.search.nrpa.kernel",
    "dragon.search.nrpa.levels": "dragon.search.nrpa.kernel",
    "dragon.search.nrpa.plain": "dragon.search.nrpa.kernel",
    "dragon.search.nrpa.search": "dragon.search.nrpa",
    "dragon.search.path.nodes": "dragon.search.path.patterns",
    "dragon.search.path.promise": "dragon.search.path.patterns",
    "dragon.search.path.search": "dragon.search.path",
    "dragon.search.random": "dragon.search.simple",
    "dragon.search.retrograde.choice": "dragon.search.retrograde.making",
    "dragon.search.retrograde.driver": "dragon.search.retrograde.kernel",
    "dragon.search.retrograde.kept": "dragon.search.retrograde.table",
    "dragon.search.retrograde.rank_kernel": "dragon.search.retrograde.kernel",
    "dragon.search.retrograde.rank_making": "dragon.search.retrograde.making",
    "dragon.search.retrograde.rank_table": "dragon.search.retrograde.table",
    "dragon.search.slices": "dragon.search.budget",
    "dragon.search.tally": "dragon.search.montecarlo",
    "dragon.settings": "dragon.core.spec",
    "dragon.transcript": "dragon.transcripts",
    "dragon.transcripts.common": "dragon.transcripts",
    "dragon.transcripts.lists": "dragon.transcripts.replay",
    "dragon.web.builtin": "dragon.web.site",
    "dragon.web.connections": "dragon.web.guard",
    "dragon.web.scenes": "dragon.web.lists",
    "dragon.web.server": "dragon.web.app",
    "dragon.web.shell": "dragon.web.site",
}
"""The new place of each module by its old name."""
KEPT = frozenset({
    "dragon.boards.counts", "dragon.boards.fen", "dragon.boards.repetition",
    "dragon.boards.steps", "dragon.folders", "dragon.process.stderr", "dragon.rules.dice",
    "dragon.rules.patterns", "dragon.rules.preparation", "dragon.search.certify",
    "dragon.search.tally", "dragon.settings", "dragon.transcripts.lists",
})  # fmt: skip
"""The modules that plugins may import: the old name works for one more version, with a warning."""


BECAME = "has become {}, with a default; ask for the value in place of isinstance"
VIEWS = (
    "is gone; Problem.hide(items, options) and Problem.only return views and do not change the "
    "problem; to undo a step, keep the view before it"
)
NAMES = {
    "dragon.core.search.Lots": "is called LazyGenerator",
    "dragon.cover.MutableProblem": VIEWS,
    "dragon.cover.dancing_cells.stream_of": "is gone; dragon.cover.covers lists exact covers",
    "dragon.cover.kernel_stream.kernel_of": "is part of KernelStream, which has the kernel",
    "dragon.cover.mutable": VIEWS,
    "dragon.gtp.client.GtpRun": "is dragon.bridges.engine.EngineRun",
    "dragon.gtp.client.GtpSearch": "is dragon.bridges.engine.Engine",
    "dragon.gtp.client.close_idle": "is dragon.bridges.engine.close_idle",
    "dragon.protocols.Celled": BECAME.format("BaseNotation.cells"),
    "dragon.protocols.ClickGuide": BECAME.format("Game.next_clicks"),
    "dragon.protocols.Clickable": BECAME.format("Game.clicks and BaseNotation.clicks"),
    "dragon.protocols.Counted": BECAME.format("BaseNotation.drawing"),
    "dragon.protocols.Listed": BECAME.format("BaseNotation.texts"),
    "dragon.protocols.Pointed": BECAME.format("BaseNotation.pointed"),
    "dragon.protocols.Preparable": BECAME.format("Search.offer and Search.make"),
    "dragon.protocols.SeatLettering": BECAME.format("BaseNotation.seat_letters"),
    "dragon.protocols.SeatNaming": BECAME.format("Game.seat_names and BaseNotation.seat_names"),
    "dragon.protocols.Spelled": BECAME.format("BaseNotation.vocabulary and BaseNotation.spell"),
    "dragon.protocols.Transcribable": BECAME.format(
        "Game.write_transcript and Game.read_transcripts"
    ),
    "dragon.protocols.parts": "is gone; notation_of(game) gives the notation of its rules",
    "dragon.rules.kernels.playout.finish": "is called play_to_end, since games may have a rule "
    "`finish`",
    "dragon.rules.template.own_*": "is gone; name the rule itself, which stands for its guard",
    "dragon.search.retrograde.table.Asked": "is part of Table",
}
"""The names that moved or went from modules that stay, and their remedies; `*` is any letters."""


def missing(module: str, name: str) -> Exception:
    """Return the error for a name that a module does not have: by NAMES, or the usual one.

    A module with names that moved raises it in its `__getattr__`.
    """
    full = f"{module}.{name}"
    for old, became in NAMES.items():
        if full == old or (old.endswith("*") and full.startswith(old[:-1])):
            return ImportError(f"{full} {became}")
    return AttributeError(f"module {module!r} has no attribute {name!r}")


class Loader:
    """A loader of an old name, whose module has the names of the new place."""

    def create_module(self, spec: ModuleSpec) -> None:
        """Make the usual module."""

    def exec_module(self, module: ModuleType) -> None:
        """Give the module the names of the new place, and warn."""
        new = MOVED[module.__name__]
        warnings.warn(
            f"{module.__name__} has moved; import {new}", DeprecationWarning, stacklevel=2
        )
        names = vars(import_module(new))
        vars(module).update((k, v) for k, v in names.items() if not k.startswith("__"))


class Finder:
    """A finder of modules that Python tries last, for names that no other finds."""

    @staticmethod
    def find_spec(name: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        """Return the spec of a module that moved and is kept, for others raise
        ModuleNotFoundError with the new place."""
        if name in KEPT:
            return ModuleSpec(name, Loader())  # type: ignore[arg-type]
        if name in MOVED:
            raise ModuleNotFoundError(
                f"{name} has moved: see {MOVED[name]}, and the changelog for names that changed",
                name=name,
            )
        return None


def install() -> None:
    """Put the finder last, once; imports that succeed never reach it."""
    if Finder not in sys.meta_path:
        sys.meta_path.append(Finder)
