"""Hierarchy builders, one per file: what a value becomes at each level."""
