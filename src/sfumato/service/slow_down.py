"""Slow-down: whoever fails to sign in waits before the next try, by name and by address, longer each time.

A try is counted before it is looked at, and taken back when it was right: ten tries at once are ten tries. Nobody is
shut out for good, since then anybody could shut out anybody: the longest wait is five minutes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256
from ipaddress import IPv6Address, ip_address, ip_network
from math import ceil

from sqlalchemy import delete
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from sfumato.errors import TooOften
from sfumato.service.caller import Caller
from sfumato.service.entities import SignInFailure
from sfumato.service.permissions import Act
from sfumato.service.service import Service

LONGEST = 300  # seconds
FORGOTTEN = timedelta(hours=12)  # after which failures no longer count
NETWORK = 64  # bits of an IPv6 address that are one customer's, who has all the addresses in it


@dataclass(frozen=True)
class Brake:
    """What tries are counted by, and how many are free."""

    key: str
    free: int

    def wait(self, count: int) -> int:
        """Seconds from the last try to the next one, after a number of failures.

        >>> [Brake("x", 3).wait(count) for count in (0, 3, 4, 5, 8, 40)]
        [0, 0, 2, 4, 32, 300]
        """
        return 0 if count <= self.free else min(LONGEST, 2 ** min(count - self.free, 10))


def by_name(name: str) -> Brake:
    """Tries under a name. The name is hashed: people type passwords where names belong."""
    return Brake(f"name:{sha256(name.encode()).hexdigest()}", 3)


def by_code(account: str) -> Brake:
    """Tries at the second factor of an account."""
    return Brake(f"code:{account}", 3)


def by_address(address: str) -> Brake:
    """Tries from an address; more are free, since a whole house may come from one.

    >>> by_address("2001:db8::1:2").key, by_address("192.0.2.7").key
    ('address:2001:db8::/64', 'address:192.0.2.7')

    A server that listens by IPv6 sees those of IPv4 in a network of IPv6 that would be one customer's:

    >>> by_address("::ffff:192.0.2.7").key
    'address:192.0.2.7'
    """
    try:
        known = ip_address(address)
    except ValueError:
        return Brake(f"address:{address[:100]}", 20)
    if isinstance(known, IPv6Address) and known.ipv4_mapped is not None:
        known = known.ipv4_mapped
    if isinstance(known, IPv6Address):
        return Brake(f"address:{ip_network((known, NETWORK), strict=False)}", 20)
    return Brake(f"address:{known}", 20)


def begin_try(service: Service, caller: Caller, brakes: Sequence[Brake], act: Act = Act.SIGN_IN, **about: str) -> None:
    """Count a try; `TooOften` where it comes too early, which is logged and makes the wait no longer."""
    now = service.clock()
    try:
        with service.database.writing() as session:
            session.execute(delete(SignInFailure).where(SignInFailure.last < now - FORGOTTEN))
            # Always in one order, so that two who try at once do not wait for each other for ever.
            rows = [(brake, _row(session, brake.key, now)) for brake in sorted(brakes, key=lambda one: one.key)]
            left = max(_left(brake, row, now) for brake, row in rows)
            if left == 0:
                for _, row in rows:
                    row.count, row.last = row.count + 1, now
    except IntegrityError:  # two first tries in one moment
        left = 1
    if left > 0:
        error = TooOften(left)
        service.events.refused(caller, act, about, error)
        raise error


def end_try(session: Session, *right: Brake, shared: Sequence[Brake] = ()) -> None:
    """A try was right: begin anew by name, and take it back by address, from where others may be guessing."""
    for brake in right:
        session.execute(delete(SignInFailure).where(SignInFailure.key == brake.key))
    for brake in shared:
        row = session.get(SignInFailure, brake.key, with_for_update=True)
        if row is not None and row.count > 0:
            row.count -= 1


def _row(session: Session, key: str, now: datetime) -> SignInFailure:
    row = session.get(SignInFailure, key, with_for_update=True)
    if row is None:
        row = SignInFailure(key=key, count=0, last=now)
        session.add(row)
        session.flush()
    return row


def _left(brake: Brake, row: SignInFailure, now: datetime) -> int:
    """Seconds that are left to wait; where the clock was moved back, as many as from the start and no more."""
    wait = brake.wait(row.count)
    return max(0, ceil(wait - max((now - row.last).total_seconds(), 0)))
