"""The addresses that a process may use: with too few, libraries in other languages end it without a word."""

from __future__ import annotations

from sfumato.errors import UnusableInput

# Bytes. On two processors an assessment of twelve records needs 0.6 GB of addresses and uses a fifth; with fewer,
# DuckDB and Arrow end with an error, an abort or a segmentation fault, as it happens.
LEAST = 1_000_000_000


def check_address_space() -> None:
    """`UnusableInput` where the limit on addresses (`ulimit -v`) is lower than any command could do with."""
    try:
        import resource
    except ImportError:
        return  # a system without such limits
    most, _ = resource.getrlimit(resource.RLIMIT_AS)
    if most != resource.RLIM_INFINITY and most < LEAST:
        raise UnusableInput(
            f"This process may use {most / 1e9:.1f} GB of addresses (ulimit -v). That is too little for the libraries "
            f"that it stands on, which reserve more than they use: allow {LEAST / 1e9:.0f} GB or more, and bound with "
            "--memory SIZE what is used."
        )
