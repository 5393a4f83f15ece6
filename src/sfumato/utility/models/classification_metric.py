"""Classification metric: for how many records the class does not tell the target."""

from __future__ import annotations

from dataclasses import dataclass

from sfumato.tables.engine import listed
from sfumato.utility.model_interface import Figure, NotApplicable, Outcome, TableModel
from sfumato.utility.paired.comparison import Comparison


@dataclass(frozen=True)
class ClassificationMetric(TableModel):
    r"""The share of records that are suppressed, or whose target is not the most frequent one of their class.

    .. math:: CM = \frac1N \Big( S + \sum_E \big( |E| - \max_t |E_t| \big) \Big)

    :math:`E_t` are the records of the class E with the target t, and S are the suppressed records. Records without a
    target have nothing to be told and are left out. The original reads what its own classes do: with many columns
    nearly every record is a class of its own, and then it reads 0. When everything is suppressed every record counts,
    so that reads 1, which is more than one class of all would (`one_class`). If the target is itself one of the
    columns, the classes are those of the others.

    References
    ----------
    Iyengar (2002). Transforming data to satisfy privacy constraints. KDD 2002, 279-288.

    Examples
    --------
    Six people in two classes; in the second, one of three has another target:

    >>> import pyarrow as pa
    >>> from sfumato.tables.engines.duckdb import DuckDB
    >>> from sfumato.utility.paired.pairing import Pairing
    >>> engine, ill = DuckDB(), ["yes", "yes", "yes", "no", "no", "yes"]
    >>> before = engine.load(pa.table({"age": [21, 22, 23, 41, 42, 43], "ill": ill}))
    >>> after = engine.load(pa.table({"age": ["20s"] * 3 + ["40s"] * 3}))
    >>> figure = ClassificationMetric().of(Comparison.of(Pairing.of(before, after, ["age"], target="ill"))).total
    >>> round(figure.value, 4), figure.untouched, figure.removed
    (0.1667, 0.0, 1.0)
    """

    bounds = "0 to 1"
    plainly = "the share of records whose class does not tell their target"

    def of_table(self, compared: Comparison) -> Outcome:
        pairing = compared.pairing
        if pairing.target is None:
            return NotApplicable("needs a target column: --target")
        columns = [column.number for column in pairing.columns if column.name != pairing.target]
        if not columns:
            return NotApplicable("needs a column beside the target")
        records = _records(compared)
        if not records:
            return NotApplicable("no record has a target")
        after, before, at_all = (
            (records - _told(compared, keys, which)) / records
            for keys, which in (
                ([f"{part}{i}" for part in "lg" for i in columns], "kept"),
                ([f"o{i}" for i in columns], "TRUE"),
                (["1"], "TRUE"),
            )
        )
        return Figure(after, before, 1.0, {"one_class": at_all})


def _records(compared: Comparison) -> int:
    """Records with a target."""
    pairing = compared.pairing
    return int(
        pairing.engine.fetch(f"SELECT sum(CASE WHEN target IS NULL THEN 0 ELSE n END) FROM {pairing.table}")[0][0]
    )


def _told(compared: Comparison, keys: list[str], which: str) -> int:
    """Records that have the most frequent target of their class."""
    pairing, named = compared.pairing, listed(f"{key} AS k{place}" for place, key in enumerate(keys))
    keyed = pairing.engine.view(f"SELECT {named}, target, n FROM {pairing.table} WHERE target IS NOT NULL AND {which}")
    names = listed(f"k{place}" for place in range(len(keys)))
    targets = f"SELECT {names}, target, sum(n) AS n FROM {keyed} GROUP BY {names}, target"
    most = f"SELECT {names}, max(n) AS n FROM ({targets}) AS counted GROUP BY {names}"
    return int(pairing.engine.fetch(f"SELECT coalesce(sum(n), 0) FROM ({most}) AS class")[0][0])
