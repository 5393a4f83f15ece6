"""What was lost between an original and its release.

Both are put side by side and counted by different pairs of records (`paired/`); every utility model of `models/` is an
aggregate over what became of the values. May import: plans, privacy, hierarchies, columns, project, tables, show, the
root.
"""
