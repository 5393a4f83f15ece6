"""Formats, one per file: each reads one kind of source into a table. See docs/extend/format.md to add one."""
