"""How much was left out of a release, as its recipient may know it."""

from __future__ import annotations

from sfumato.proof.report.small_numbers import SmallNumberMask

# Shares of records that may be said to be left out at the most, once they are more than a few: each is twice the last
# or more, so that the shares of several releases together do not close in on a number. Chosen, not measured.
SHARES = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0)


def left_out(records: int, gone: int, mask: SmallNumberMask | None = None) -> str:
    """How much was left out, as a recipient may know it: few, nobody among them, or a share of a coarse scale.

    >>> left_out(1000, 0), left_out(1000, 10), left_out(1000, 11), left_out(1000, 180), left_out(1000, 201)
    ('fewer than 11 records', 'fewer than 11 records', 'up to 2 %', 'up to 20 %', 'up to 50 %')
    """
    least = (mask or SmallNumberMask()).least
    if gone < least:
        return f"fewer than {least} records"
    return f"up to {next(share for share in SHARES if gone <= share * records):.0%}".replace("%", " %")
