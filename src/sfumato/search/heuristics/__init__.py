"""Searches that find good levels early, and prove nothing."""
