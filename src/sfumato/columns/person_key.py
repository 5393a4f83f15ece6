"""Whose the records are: the column whose name says that it tells persons apart, where some have several records."""

from __future__ import annotations

from collections.abc import Mapping

from sfumato.columns.lexicon.key_names import Whose, key_name


def tells_persons_apart(name: str) -> bool:
    """Whether the name of a column says that it is the key of a person.

    >>> [name for name in ("patient_id", "hadm_id", "doctor_id", "Patient name") if tells_persons_apart(name)]
    ['patient_id']
    """
    known = key_name(name)
    return known is not None and known.whose is Whose.PERSON


def repeated_person_key(counts: Mapping[str, tuple[int, int]]) -> str | None:
    """Of columns that tell persons apart the one that does so for persons with several records; None without one.

    `counts` are the values and the different values of each. Where one of them has a value of its own in every record,
    each record is another person, whatever the others say: a mother has several children.

    >>> repeated_person_key({"patient_id": (7, 3)}), repeated_person_key({"patient_id": (7, 7), "mother_id": (7, 5)})
    ('patient_id', None)
    """
    known = {name: different for name, (values, different) in counts.items() if values}
    if any(known[name] == counts[name][0] for name in known):
        return None
    return max(known, key=lambda name: known[name], default=None)
