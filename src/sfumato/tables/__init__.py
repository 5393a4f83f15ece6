"""Rows: where they live, how they come in and how they go out.

A reader of a format and an engine make an `Extract` of a source, and a writer makes a file of a table. Nothing here
knows what a column means. May import: the root.
"""
