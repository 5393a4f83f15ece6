"""Ways to a release, one per file."""
