"""Classes that count records where some persons have several: a class of five records may be one person."""

from __future__ import annotations

from sfumato.columns.person_key import repeated_person_key, tells_persons_apart
from sfumato.privacy.dataset import Dataset
from sfumato.schema import Role
from sfumato.tables.engine import quoted
from sfumato.tables.read.column_parts import counts, different_values

COUNTED_AS_THEY_ARE = (Role.QUASI, Role.SENSITIVE)  # columns that are read by their values, not as keys


def uncounted_persons(dataset: Dataset) -> tuple[str, ...]:
    """What is open where nobody said whose the records are, and a column says that some persons have several."""
    if dataset.subject is not None:
        return ()
    names = [
        attribute.name
        for attribute in dataset.schema
        if attribute.role not in COUNTED_AS_THEY_ARE and tells_persons_apart(attribute.name)
    ]
    if not names:
        return ()
    table = dataset.table
    values = counts(table, [f"count({quoted(name)})" for name in names])
    different = different_values(table, names)
    key = repeated_person_key({name: (known, different[name]) for name, known in zip(names, values, strict=True)})
    if key is None:
        return ()
    return (
        f"Classes count records, and {key} says that some persons have several: the records of one class may be of "
        f"fewer persons, even of one. Count persons with --subject {key!r} (`subject:` in sfumato.yaml).",
    )
