"""Sfumato: a plan of ten steps from Parquet to Parquet."""

from pathlib import Path

from timed import Task, timed

from sfumato.plans.apply import apply_plan


def applied(task: Task) -> dict[str, float]:
    plan = Path(task["out"]).with_suffix(".yaml")
    plan.write_text(task["plan"], encoding="utf-8")
    found = apply_plan(plan, task["path"], task["out"])
    return {"records": found.provenance["output"]["records"]}


if __name__ == "__main__":
    timed(applied)
