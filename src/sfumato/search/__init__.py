"""Searches, one per file: the least generalisation that keeps to a policy."""
