"""Attacks on a release: record linkage and the three questions of the Article 29 Working Party, one per file."""
