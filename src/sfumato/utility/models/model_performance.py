"""Model performance: how well a model that learnt from the release predicts in real life."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.errors import PolicyError
from sfumato.utility.model_interface import Better, Figure, NotApplicable, Outcome, TableModel
from sfumato.utility.paired.comparison import Comparison
from sfumato.utility.paired.model_features import FEWEST, RECORDS, Encoding, learning

if TYPE_CHECKING:
    from sfumato.privacy.coded.arrays import Flags, Real, Whole


MODELS = ("logistic", "forest")
FOLDS = 5  # a usual number; more would fit more models for little
MOST = 50  # different targets: a column of more is no category. Chosen, not measured


@dataclass(frozen=True)
class ModelPerformance(TableModel):
    r"""The share of original records whose target is predicted rightly by a model that learnt from the release.

    .. math:: \frac1N \sum_{f=1}^{5} \sum_{i \in f} \big[ \hat y_{R \setminus f}(x_i) = y_i \big]

    The records are cut into five folds. For each, a model learns the target from the released records of the other
    four (those that are suppressed are not there to learn from) and predicts that of the original records of the
    fold. Records are encoded as `sfumato.utility.paired.model_features` says. An untouched release reads what a model
    does that learnt from the original. With all information removed there is nothing to learn from, which reads the
    share of the most frequent target. Records without a target, and targets that occur in fewer than five records,
    are left out.

    `more` has, for the release, the original and nothing at all, the balanced accuracy (the mean share of records of
    each target that are predicted rightly) and the area under the ROC curve, each target against the rest, averaged.
    They tell more where one target is much more frequent than others.

    References
    ----------
    LeFevre, DeWitt & Ramakrishnan (2006). Workload-aware anonymization. KDD 2006, 277-286 (classifiers that learnt from
    anonymised data). Esteban, Hyland & Rätsch (2017). Real-valued (medical) time series generation with
    recurrent conditional GANs (train on released, test on real). Cox (1958) for the logistic regression
    (C = 1), Breiman (2001) for the random forest (of 100 trees).

    Examples
    --------
    Sixty people, of whom the old are ill. By tens of years a model still sees that:

    >>> import pyarrow as pa
    >>> from sfumato.tables.engines.duckdb import DuckDB
    >>> from sfumato.utility.paired.pairing import Pairing
    >>> engine, ages = DuckDB(), [*range(20, 50), *range(70, 100)]
    >>> before = engine.load(pa.table({"age": ages, "ill": [age >= 70 for age in ages]}))
    >>> after = engine.load(pa.table({"age": [f"{age // 10}0s" for age in ages]}))
    >>> figure = ModelPerformance().of(Comparison.of(Pairing.of(before, after, ["age"], target="ill"))).total
    >>> figure.value, figure.untouched, figure.removed
    (1.0, 1.0, 0.5)
    """

    better = Better.HIGHER
    bounds = "0 to 1"
    plainly = "the share of original records that are predicted rightly by a model that learnt from the release"
    thorough = True

    model: str = "logistic"
    records: int = RECORDS

    def __post_init__(self) -> None:
        if self.model not in MODELS:
            raise PolicyError(f"{self.name()}: model must be one of {', '.join(MODELS)}.")

    def of_table(self, compared: Comparison) -> Outcome:
        pairing = compared.pairing
        if pairing.target is None:
            return NotApplicable("needs a target column: --target")
        if not any(column.name != pairing.target for column in pairing.columns):
            return NotApplicable("needs a column beside the target")
        if compared.records < FEWEST:
            return NotApplicable(f"needs at least {FEWEST} records")
        with learning("Predicting the target"):
            encoding = Encoding.of(compared, without=pairing.target, records=self.records)
            return self._performance(encoding, compared.seed)

    def _performance(self, encoding: Encoding, seed: int) -> Outcome:
        rows, targets = _with_target(encoding.sample.target)
        if len(rows) < FEWEST:
            return NotApplicable(f"needs at least {FEWEST} records with a target that {FOLDS} records have")
        if not 2 <= targets.max() + 1 <= MOST:
            return NotApplicable(f"needs from 2 to {MOST} different targets, each in {FOLDS} records or more")
        trial = Trial(self.model, seed, encoding.before[rows], targets)
        release = trial.scores(encoding.after[rows], encoding.sample.kept[rows])
        original = trial.scores(trial.tested, np.ones(len(rows), dtype=bool))
        nothing = trial.scores(trial.tested, np.zeros(len(rows), dtype=bool))
        if original["accuracy"] <= nothing["accuracy"]:
            return NotApplicable("the original does not predict the target better than its most frequent value does")
        more = {
            name: {"release": release[name], "original": original[name], "nothing": nothing[name]}
            for name in ("balanced_accuracy", "area_under_curve")
        }
        more["targets"] = {"different": int(targets.max() + 1), "records": len(rows)}
        return Figure(release["accuracy"], original["accuracy"], nothing["accuracy"], more)


@dataclass(frozen=True)
class Trial:
    """A model that learns from some records, and is tested on others that it has not seen, in five folds."""

    model: str
    seed: int
    tested: Real  # the original records
    targets: Whole

    def scores(self, learnt: Real, usable: Flags) -> dict[str, float]:
        """How well it predicts when it learns from these records, of which some may not be usable."""
        from sklearn.metrics import roc_auc_score

        chances = self._chances(learnt, usable)
        right = chances.argmax(axis=1) == self.targets
        each = [self.targets == target for target in range(chances.shape[1])]
        return {
            "accuracy": float(right.mean()),
            "balanced_accuracy": float(np.mean([right[mine].mean() for mine in each])),
            "area_under_curve": float(np.mean([roc_auc_score(m, chances[:, t]) for t, m in enumerate(each)])),
        }

    def _chances(self, learnt: Real, usable: Flags) -> Real:
        """The probability of each target for each record, by a model that has not seen it."""
        from sklearn.model_selection import StratifiedKFold

        chances = np.zeros((len(self.targets), int(self.targets.max()) + 1))
        folds = StratifiedKFold(FOLDS, shuffle=True, random_state=self.seed)
        for others, mine in folds.split(learnt, self.targets):
            learnt_rows = others[usable[others]]
            known = np.unique(self.targets[learnt_rows])
            if len(known) < 2:
                shares = np.bincount(
                    self.targets[learnt_rows if len(learnt_rows) else others], minlength=chances.shape[1]
                )
                chances[mine] = shares / shares.sum()
            else:
                fitted = self._new().fit(learnt[learnt_rows], self.targets[learnt_rows])
                chances[np.ix_(mine, known)] = fitted.predict_proba(self.tested[mine])
        return chances

    def _new(self) -> Any:
        if self.model == "forest":
            from sklearn.ensemble import RandomForestClassifier

            return RandomForestClassifier(n_estimators=100, random_state=self.seed)
        from sklearn.linear_model import LogisticRegression

        return LogisticRegression(max_iter=1000)


def _with_target(target_of_row: tuple[str | None, ...]) -> tuple[Whole, Whole]:
    """The rows that have a target which is frequent enough, and the number of it."""
    counts: dict[str, int] = {}
    for target in target_of_row:
        if target is not None:
            counts[target] = counts.get(target, 0) + 1
    places = {target: place for place, target in enumerate(sorted(t for t, n in counts.items() if n >= FOLDS))}
    rows = [row for row, target in enumerate(target_of_row) if target in places]
    return np.array(rows, dtype=np.int64), np.array([places[target_of_row[row] or ""] for row in rows], dtype=np.int64)
