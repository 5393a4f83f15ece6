"""The table of a population: how many members each class of a sample has in it."""

from __future__ import annotations

from sfumato.errors import PolicyError, SchemaError
from sfumato.privacy.classes import EquivalenceClasses
from sfumato.privacy.partition import ALONE
from sfumato.tables.engine import Table, listed, same


def in_population(classes: EquivalenceClasses) -> Table:
    """How many members each class has in the population: columns class_id, size, records, population.

    Classes are the same where all keys are, and a missing key is the same as a missing key. Every class of the sample
    must be in the population, with as many members at least. Without a population the table is taken for all of it.
    """
    if classes.population is None:
        alone = f"SELECT class_id, size, records, size AS population FROM {classes.table}"
        return classes.held("in population", lambda: alone)
    if classes.overlap is not None or ALONE in classes.keys:
        raise PolicyError(
            "A sample is matched with its population only where a missing value is a value of its own: leave out the "
            "other reading of missing values, or the measures of the population."
        )
    counted = classes.held("in population", lambda: f"""
        SELECT class.class_id, class.size, class.records, whole.size AS population
        FROM {classes.with_keys()} AS class
        LEFT JOIN {_everybody(classes)} AS whole ON {same("whole", "class", classes.keys)}""")  # fmt: skip
    classes.once("in population", lambda: _check(counted))
    return counted


def absent(classes: EquivalenceClasses) -> bool:
    """Whether the population has classes of which nobody is in the sample."""
    return classes.population is not None and _everybody(classes).count() > classes.table.count()


def _everybody(classes: EquivalenceClasses) -> Table:
    assert classes.population is not None
    return classes.held("population", classes.population)


def _check(counted: Table) -> None:
    sums = listed(
        f"coalesce(sum(CASE WHEN {wrong} THEN {rows} END), 0)"
        for wrong in ("population IS NULL", "population < size")
        for rows in ("1", "records")
    )
    lacking, unmatched, larger, crowded = map(int, counted.engine.fetch(f"SELECT {sums} FROM {counted}")[0])
    if lacking:
        raise SchemaError(
            f"The population lacks {_number(lacking, 'class', 'es')} of the sample ({_number(unmatched, 'record')}). "
            f"Whoever is in the sample is in its population too: check that both tables write the "
            f"quasi-identifiers in the same way."
        )
    if larger:
        raise SchemaError(
            f"The sample has {_number(larger, 'class', 'es')} ({_number(crowded, 'record')}) with more members than "
            f"the population has of them, so it is no sample of it. Check that the population is complete."
        )


def _number(number: int, noun: str, plural: str = "s") -> str:
    return f"{number} {noun}{plural * (number != 1)}"
