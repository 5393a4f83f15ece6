"""Whether the values of a column are those of a key: of another table, or of another column of the same."""

from __future__ import annotations

from dataclasses import dataclass

from sfumato.columns.evidence_interface import Evidence, Finding
from sfumato.columns.lexicon import Hipaa
from sfumato.columns.profile import ColumnProfile
from sfumato.columns.surroundings import ALONE, Surroundings
from sfumato.columns.table_keys import shape_of
from sfumato.schema import Role

CONTAINED = 0.95


@dataclass(frozen=True)
class KeysOfOtherTables(Evidence):
    """All values of the column lie in a key, and not by accident: then it is that key, whatever its name says.

    Small whole numbers lie in every row number, so that they count only where the column is named as the key is.

    Examples
    --------
    >>> from sfumato.columns.table_keys import TableKey
    >>> from sfumato.tables.engine import Kind
    >>> cases = tuple(f"c{number:05d}" for number in range(7, 300, 7))
    >>> case_id = ColumnProfile("case_id", Kind.TEXT, 42, 0, 42, 42, 42.0, 0, cases)
    >>> infector = ColumnProfile("infector", Kind.TEXT, 42, 30, 13, 12, 12.0, 0, cases[:12])
    >>> KeysOfOtherTables().of(infector, Surroundings(columns=(case_id, infector))).sentence
    'All values are in the key `case_id`.'
    """

    method = "keys of other tables"

    def of(self, column: ColumnProfile, beside: Surroundings = ALONE) -> Finding | None:
        keys = [*beside.keys, *(key for key in beside.own_keys if key.column != column.name)]
        if not keys or shape_of(column) is None:
            return None
        key = next((key for key in keys if key.holds(column)), None)
        if key is None:
            return None
        where = "" if key.table == beside.table else f" of table {key.table}"
        sentence = f"All values are in the key `{key.column}`{where}."
        return Finding(self.method, key.role, None, sentence, CONTAINED, Hipaa.OTHER if _direct(key.role) else None)


def _direct(role: Role) -> bool:
    return role is Role.DIRECT
