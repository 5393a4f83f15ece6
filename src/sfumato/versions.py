"""The versions of what was used, for the record of a release."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version

PACKAGES = ("sfumato", "duckdb", "pyarrow", "pyspark")


def versions() -> dict[str, str]:
    """The versions of what was used, where it is installed."""
    installed = {}
    for package in PACKAGES:
        try:
            installed[package] = version(package)
        except PackageNotFoundError:
            continue
    return installed
