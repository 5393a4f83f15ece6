"""Searches: the least generalisation that keeps to a policy."""
