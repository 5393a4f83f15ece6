"""Sfumato: exact linkage of two Parquet files, from reading them to the rates."""

from timed import Task, timed

from sfumato.attackers.attacks.exact_linkage import ExactLinkage
from sfumato.attackers.matching.linked_records import LinkedRecords
from sfumato.tables.engines.duckdb import DuckDB
from sfumato.utility.paired.record_join import joined_values


def linked(task: Task) -> dict[str, float]:
    engine = DuckDB()
    original, released = (engine.read_parquet(task[name]) for name in ("path", "released"))
    pairs = joined_values(original, released, task["quasi"], key=None, marks=("*",))
    found = ExactLinkage().of(LinkedRecords.of(pairs, task["quasi"]))
    return {"match_rate": found.match_rate, "true_match_rate": found.true_match_rate}


if __name__ == "__main__":
    timed(linked)
