"""Column pictures: a column before and after as few shapes on one line of values, however many values it has."""

from __future__ import annotations

from typing import Any

from sfumato.search.node_counts import ColumnCounts, LabelCount
from sfumato.show.charts.boxes import DensityBox, joined, profile

SPIKES = 60  # shapes in which the values before are drawn: a picture has about that many places to tell apart
SMALLEST = 11  # records: fewer are drawn together with their neighbours, as the report draws them
LISTED = 15  # labels that are listed beside the picture, the commonest first


def column_picture(counts: ColumnCounts) -> dict[str, Any]:
    """A column as plain values: values are spikes, labels are plateaus over the values that they may stand for."""
    values = [DensityBox(i, i + 1, leaf.before) for i, leaf in enumerate(counts.leaves)]
    labels = [DensityBox(one.first, one.first + one.leaves, one.after) for one in counts.labels]
    present = [leaf for leaf in counts.leaves if leaf.before]
    left = [one for one in counts.labels if one.after]
    common = sorted((one for one in left if one.after >= SMALLEST), key=lambda one: -one.after)
    return {
        "column": counts.column,
        "level": counts.level,
        "width": len(counts.leaves),
        "before": [tuple(segment) for segment in profile(joined(_binned(values), SMALLEST))],
        "after": [tuple(segment) for segment in profile(joined(labels, SMALLEST))],
        "values": len(present),
        "labels": len(left),
        "rare": len(left) - len(common),
        "records_before": sum(leaf.before for leaf in counts.leaves),
        "records_after": sum(one.after for one in counts.labels),
        "listed": [_listed(one) for one in common[:LISTED]],
        "further": {"labels": len(common[LISTED:]), "records": sum(one.after for one in common[LISTED:])},
        "ends": [present[0].value, present[-1].value] if present else [],
    }


def _listed(one: LabelCount) -> dict[str, Any]:
    return {"label": one.label, "first": one.first, "leaves": one.leaves, "before": one.before, "after": one.after}


def _binned(boxes: list[DensityBox]) -> list[DensityBox]:
    """Neighbours as one, so that there are few enough."""
    step = -(-len(boxes) // SPIKES) or 1
    parts = [boxes[i : i + step] for i in range(0, len(boxes), step)]
    return [DensityBox(part[0].low, part[-1].high, sum(box.records for box in part)) for part in parts]
