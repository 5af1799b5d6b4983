"""The study of a tuning: optuna's memory of the trials, in a file beside the records.

optuna decides which settings are tried (its samplers) and which trials end early (its pruners);
its decisions and the scores lie in an SQLite file, which outlives the process. It is imported
when a study is opened.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from attrs import frozen

from dragon.errors import ConfigError, DragonError, TournamentError, one_line
from dragon_tournament.pairing import TRIAL, seed_of
from dragon_tournament.tuning.tuning import Choices, Dimension, Tuning, Whole

if TYPE_CHECKING:
    import optuna

FILE = "study.db"
ABSENT = "optuna is not installed here: pip install 'dragon-search[tune]'"


def available() -> bool:
    """Return True if optuna is installed."""
    return find_spec("optuna") is not None


@frozen
class TuningTrial:
    """A try of some settings."""

    number: int
    """The number, from 0."""
    name: str
    """The spec of the search."""
    settings: Mapping[str, Any]
    """The values of the tuned settings."""
    first: int
    """The first of its openings: an earlier trial of the same settings had those before."""
    openings: int
    """The number of openings by which it was judged last."""
    over: bool
    pruned: bool


class Study:
    """The trials of a tuning, the oldest first; the last one may be in progress."""

    def __init__(self, tuning: Tuning, folder: Path, new: bool = False) -> None:
        """Open the study of a folder; `new`: begin another one, and keep the old beside it."""
        import optuna

        optuna.logging.set_verbosity(optuna.logging.WARNING)
        self.tuning, self.path = tuning, folder / FILE
        with self._saying():
            storage = optuna.storages.RDBStorage(f"sqlite:///{self.path}")
            names = sorted(map(int, optuna.get_all_study_names(storage)))
            number = (names[-1] if names else 1) + (new and bool(names))
            self._study = optuna.create_study(
                storage=storage, study_name=str(number), direction="maximize",
                pruner=_pruner(tuning), load_if_exists=True,
            )  # fmt: skip
            asked, known = self._about(), self._study.user_attrs.get("about")
            if known is None:
                self._study.set_user_attr("about", asked)
            trials = self._study.get_trials(deepcopy=False)
            if known not in (None, asked) or not all(map(self._is_own, trials)):
                raise ConfigError(
                    f"{self.path} holds trials of other settings or ranges; give another --out, or "
                    f"--restart, which keeps them beside"
                )

    def _about(self) -> dict[str, Any]:
        tuning = self.tuning
        return {
            "fixed": {key: str(value) for key, value in tuning.fixed.items()},
            "settings": [
                {key: list(v) if isinstance(v, tuple) else v for key, v in d.table().items()}
                for d in tuning.dimensions
            ],
        }

    def _is_own(self, trial: optuna.trial.FrozenTrial) -> bool:
        """Return whether a trial has the name that its values give it in this tuning.

        A trial's player is made of its name, and the file may come from a stranger: the search
        could be one that starts a program.
        """
        if "name" not in trial.user_attrs:  # it was cut off before it had one
            return True
        try:
            settings = self._settings(trial.params)
            name = str(self.tuning.search(settings))
        except (KeyError, ValueError, TypeError):  # ConfigError among them
            return False
        within = (0 <= d.values.place(settings[d.name]) <= 1 for d in self.tuning.dimensions)
        return all(within) and name == trial.user_attrs["name"]

    def _settings(self, drawn: Mapping[str, Any]) -> dict[str, Any]:
        """The values that are played for those that a sampler has drawn."""
        return {d.name: d.values.value(drawn[d.name]) for d in self.tuning.dimensions}

    @contextmanager
    def _saying(self) -> Iterator[None]:
        """Turn what the storage raises into one sentence; optuna reads values without a check."""
        from optuna.exceptions import StorageInternalError
        from sqlalchemy.exc import SQLAlchemyError

        try:
            yield
        except DragonError:
            raise
        except (LookupError, TypeError, ValueError) as wrong:
            raise TournamentError(
                f"{self.path} is damaged ({one_line(wrong):.200}); give another --out"
            ) from wrong
        except (StorageInternalError, SQLAlchemyError) as wrong:
            reason = str(wrong.__cause__ or wrong).splitlines()[0]
            raise TournamentError(
                f"cannot use {self.path}: {reason}; what was played is on record, and the same "
                f"command goes on from there"
            ) from None

    def trials(self) -> list[TuningTrial]:
        """Return all trials; one that was cut off before it had its settings gets them now."""
        with self._saying():
            found = self._study.get_trials(deepcopy=False)
            if found and "name" not in found[-1].user_attrs:
                self._settle(found[-1].number)
                found = self._study.get_trials(deepcopy=False)
        return [_trial(each) for each in found]

    def ask(self) -> TuningTrial:
        """Begin a new trial."""
        with self._saying():
            number = len(self._study.get_trials(deepcopy=False))
            self._study.sampler = self._sampler(number)
            self._settle(self._study.ask().number)
        return self.trials()[-1]

    def _settle(self, number: int) -> None:
        """Give a trial its settings; those that it has stay as they are."""
        import optuna

        self._study.sampler = self._sampler(number)
        found = self._study.get_trials(deepcopy=False)
        trial = optuna.trial.Trial(self._study, found[number]._trial_id)
        drawn = {d.name: _drawn(trial, d) for d in self.tuning.dimensions}
        settings = self._settings(drawn)
        name = str(self.tuning.search(settings))
        before = [_trial(each) for each in found[:number]]
        first = sum(each.openings for each in before if each.name == name)
        trial.set_user_attr("settings", settings)
        trial.set_user_attr("first", first)
        trial.set_user_attr("name", name)  # last: it says that all is there

    def judge(self, number: int, openings: int, score: float, last: bool) -> TuningTrial:
        """Note a trial's mean score after a number of openings; the pruner may end it.

        `last`: True if it has played all its games.
        """
        import optuna
        from optuna.trial import TrialState

        with self._saying():
            found = self._study.get_trials(deepcopy=False)[number]
            trial = optuna.trial.Trial(self._study, found._trial_id)
            if openings not in found.intermediate_values:  # else a run was cut off after this
                trial.report(score, openings)
            if last:
                self._study.tell(number, score)
            elif trial.should_prune():
                self._study.tell(number, state=TrialState.PRUNED)
        return self.trials()[number]

    def _sampler(self, number: int) -> optuna.samplers.BaseSampler:
        """The sampler of a trial, seeded by its number, so that a resumed run draws the same."""
        import optuna

        seed = seed_of(TRIAL, self.tuning.seed, number) % (1 << 32)
        if self.tuning.budget.sampler == "random":
            return optuna.samplers.RandomSampler(seed=seed)
        return optuna.samplers.TPESampler(seed=seed)


def _pruner(tuning: Tuning) -> optuna.pruners.BasePruner:
    import optuna

    budget, size = tuning.budget, len(tuning.seatings)
    least, most = budget.step // size, budget.trial // size
    match budget.pruner:
        case "median":
            return optuna.pruners.MedianPruner()
        case "halving":
            return optuna.pruners.SuccessiveHalvingPruner(min_resource=least, reduction_factor=2)
        case "hyperband":
            return optuna.pruners.HyperbandPruner(least, most, reduction_factor=2)
    return optuna.pruners.NopPruner()


def _drawn(trial: optuna.Trial, dimension: Dimension) -> Any:
    """The value that the sampler draws for a setting."""
    name, values = dimension.name, dimension.values
    if isinstance(values, Choices):
        return trial.suggest_categorical(name, values.choices)
    if isinstance(values, Whole):
        return trial.suggest_int(name, values.low, values.high, log=values.log)
    return trial.suggest_float(name, values.low, values.high, log=values.log)


def _trial(found: optuna.trial.FrozenTrial) -> TuningTrial:
    about = found.user_attrs
    return TuningTrial(
        number=found.number,
        name=about.get("name", ""),
        settings=about.get("settings", {}),
        first=about.get("first", 0),
        openings=max(found.intermediate_values, default=0),
        over=found.state.is_finished(),
        pruned=found.state.name == "PRUNED",
    )
