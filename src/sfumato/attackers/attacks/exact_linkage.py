"""Exact linkage: equal on every quasi-identifier."""

from __future__ import annotations

from dataclasses import dataclass

from sfumato.attackers.attack_interface import Linkage, LinkageResult
from sfumato.attackers.matching.linked_records import LinkedRecords
from sfumato.tables.engine import listed, total


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
        counts = linked.engine.query(_counts(linked))
        matched, own, expected, linkable = linked.engine.fetch(f"""
            SELECT coalesce(sum(CASE WHEN size > 0 THEN n END), 0), sum(own),
                   coalesce({total("CASE WHEN own > 0 THEN CAST(own AS DOUBLE) / size END")}, 0),
                   count(CASE WHEN own = 1 AND size = 1 THEN 1 END) FROM {counts}""")[0]
        return LinkageResult(
            method=self.name(),
            records=linked.records,
            released=linked.released,
            matched=int(matched),
            own_named=int(own),
            expected=float(expected),
            linkable=int(linkable),
            rows=linked.engine.view(f"SELECT row FROM {counts} WHERE own = 1 AND size = 1"),
            recoded=linked.recoded,
        )


def _counts(linked: LinkedRecords) -> str:
    """By original values: records n, those of them released with the same, and all released with these (size)."""
    originals, released = linked.columns("o"), linked.columns("r")
    equal = " AND ".join(f"{o} IS NOT DISTINCT FROM {r}" for o, r in zip(originals, released, strict=True))
    alike = " AND ".join(
        f"original.{o} IS NOT DISTINCT FROM released.{r}" for o, r in zip(originals, released, strict=True)
    )
    marked = f"SELECT {listed(originals)}, CASE WHEN kept AND {equal} THEN row END AS own FROM {linked.table}"
    return f"""
        SELECT original.n, original.own, original.row, coalesce(released.size, 0) AS size
        FROM (SELECT {listed(originals)}, count(*) AS n, count(own) AS own, min(own) AS row
              FROM ({marked}) AS marked GROUP BY {listed(originals)}) AS original
        LEFT JOIN (SELECT {listed(released)}, count(*) AS size
                   FROM {linked.table} WHERE kept GROUP BY {listed(released)}) AS released
        ON {alike}"""
