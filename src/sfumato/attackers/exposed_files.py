"""Files of exposed records: their scores as special uniques, and those that remain linkable."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from sfumato.attackers.exposure import Exposure
from sfumato.errors import OutputError
from sfumato.outputs import write_text


def write_exposed(exposure: Exposure, folder: str | Path) -> tuple[Path, ...]:
    """Write who is exposed by record number, from 1 on: `special_uniques.csv`, and `linkable_<method>.csv`."""
    target = Path(folder)
    try:
        target.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutputError(f"{target}: this folder cannot be made ({error.strerror}).") from None
    written = []
    if exposure.uniques is not None:
        ranked = sorted(exposure.uniques.scores(), key=lambda pair: (-pair[1], pair[0]))
        likely = exposure.dis_suda.probability if exposure.dis_suda else lambda _: ""
        lines = (f"{record},{score},{likely(score)}" for record, score in ranked)
        written.append(_written(target / "special_uniques.csv", "record,score,dis_suda", lines))
    for linkage in exposure.tried.linkages:
        rows = linkage.rows.engine.fetch(f"SELECT row FROM {linkage.rows} ORDER BY row")
        written.append(_written(target / f"linkable_{linkage.method}.csv", "record", (str(row) for (row,) in rows)))
    return tuple(written)


def _written(path: Path, head: str, lines: Iterable[str]) -> Path:
    write_text(path, "\n".join([head, *lines]) + "\n", private=True)
    return path
