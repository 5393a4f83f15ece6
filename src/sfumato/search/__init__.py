"""Searches for the levels of a release, one per file."""
