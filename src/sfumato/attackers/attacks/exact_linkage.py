"""Exact linkage: equal on every quasi-identifier."""

from __future__ import annotations

from dataclasses import dataclass

from sfumato.attackers.attack_interface import Linkage, LinkageResult
from sfumato.attackers.matching.linked_records import LinkedRecords
from sfumato.tables.engine import Table, listed, total


@dataclass(frozen=True)
class ExactLinkage(Linkage):
    r"""Names the released records that equal the original one on every quasi-identifier.

    .. math:: C(x) = \{ y \in Y : y_k = x_k \text{ for every } k \}

    A missing value equals a missing one. Of a release with noise it finds the records that the noise has left as they
    were: with whole days from -3 to 3, one in seven.

    No pair of records is formed: originals and released records are counted by their values, and the counts are joined.

    References
    ----------
    Domingo-Ferrer, Torra (2001). A quantitative comparison of disclosure control methods for microdata.
    In Confidentiality, Disclosure and Data Access, 111-134.

    Examples
    --------
    Four patients, one of them suppressed; the release moved one age by a year. The first two look alike, so that either
    is found with probability 1/2; nobody is 52 in the release, and the suppressed patient is taken for the third.

    >>> from sfumato.tables.engines.duckdb import DuckDB
    >>> pairs = DuckDB().query('''
    ...     SELECT * FROM (VALUES (40, 'f', 40, 'f', TRUE), (40, 'f', 40, 'f', TRUE), (52, 'm', 53, 'm', TRUE),
    ...                           (53, 'm', NULL, NULL, FALSE)) AS pair(o1, o2, r1, r2, kept)''')
    >>> result = ExactLinkage().of(LinkedRecords.of(pairs, ["age", "sex"]))
    >>> result.match_rate, result.true_match_rate, result.false_match_rate, result.linkable
    (0.75, 0.25, 0.5, 0)
    """

    plainly = "looks for released records that are equal on every quasi-identifier"
    place = 1

    def of(self, linked: LinkedRecords) -> LinkageResult:
        counts = linked.engine.query(_counts(linked) if linked.persons is None else _counts_of_persons(linked))
        matched, own, expected, linkable = linked.engine.fetch(f"""
            SELECT coalesce(sum(matched), 0), coalesce(sum(own), 0),
                   coalesce({total("CASE WHEN own > 0 THEN chance END")}, 0), coalesce(sum(linkable), 0)
            FROM {counts if linked.persons is None else _best_of_persons(counts)}""")[0]
        rows = linked.engine.view(f"SELECT row FROM {counts} WHERE linkable = 1")
        return LinkageResult(
            method=self.name(),
            records=linked.records,
            released=linked.released,
            persons=linked.persons,
            matched=int(matched),
            own_named=int(own),
            expected=float(expected),
            linkable=int(linkable),
            rows=rows if linked.persons is None else linked.alike(rows),
            recoded=linked.recoded,
        )


def _counts(linked: LinkedRecords) -> str:
    """By original values: matched records, those of them released with the same, how many of these are picked."""
    originals, released = linked.columns("o"), linked.columns("r")
    equal = " AND ".join(f"{o} IS NOT DISTINCT FROM {r}" for o, r in zip(originals, released, strict=True))
    own = f"CASE WHEN kept AND {equal} THEN {{}} END"
    marked = f"SELECT {listed(originals)}, n, {own.format('n')} AS own, {own.format('row')} AS row FROM {linked.pairs}"
    return f"""
        SELECT original.own, original.row, CASE WHEN released.size > 0 THEN original.n ELSE 0 END AS matched,
               CAST(original.own AS DOUBLE) / released.size AS chance,
               CASE WHEN original.own = 1 AND released.size = 1 THEN 1 ELSE 0 END AS linkable
        FROM (SELECT {listed(originals)}, CAST(sum(n) AS BIGINT) AS n, CAST(coalesce(sum(own), 0) AS BIGINT) AS own,
                     min(row) AS row
              FROM ({marked}) AS marked GROUP BY {listed(originals)}) AS original
        LEFT JOIN (SELECT {listed(released)}, CAST(sum(n) AS BIGINT) AS size
                   FROM {linked.pairs} WHERE kept GROUP BY {listed(released)}) AS released
        ON {_alike(linked, "released")}"""


def _counts_of_persons(linked: LinkedRecords) -> str:
    """By original values and person: whether anybody is named, the person too, with which chance, and nobody else."""
    originals, released = listed(linked.columns("o")), listed(linked.columns("r"))
    persons = f"SELECT DISTINCT {released}, person FROM {linked.pairs} WHERE kept"
    return f"""
        SELECT original.person, original.row, CASE WHEN everybody.size > 0 THEN 1 ELSE 0 END AS matched,
               CASE WHEN own.person IS NULL THEN 0 ELSE 1 END AS own, CAST(1 AS DOUBLE) / everybody.size AS chance,
               CASE WHEN own.person IS NOT NULL AND everybody.size = 1 THEN 1 ELSE 0 END AS linkable
        FROM (SELECT {originals}, person, min(row) AS row FROM {linked.pairs}
              GROUP BY {originals}, person) AS original
        LEFT JOIN (SELECT {released}, count(*) AS size FROM ({persons}) AS person GROUP BY {released}) AS everybody
        ON {_alike(linked, "everybody")}
        LEFT JOIN ({persons}) AS own
        ON own.person = original.person AND {_alike(linked, "own")}"""


def _best_of_persons(counts: Table) -> str:
    """By person, the record that tells most."""
    return f"""(
        SELECT max(matched) AS matched, max(own) AS own, max(linkable) AS linkable,
               max(CASE WHEN own = 1 THEN chance END) AS chance
        FROM {counts} GROUP BY person) AS best"""


def _alike(linked: LinkedRecords, released: str) -> str:
    columns = zip(linked.columns("o"), linked.columns("r"), strict=True)
    return " AND ".join(f"original.{o} IS NOT DISTINCT FROM {released}.{r}" for o, r in columns)
