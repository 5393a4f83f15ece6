"""What is done to a table: steps, written down before they are done.

A plan is a list of steps of `steps/` with their parameters; following it turns a `Draft` into a release, with the same
bytes each time. What lists values of the original stays with the steward. May import: privacy, hierarchies, columns,
project, tables, show, the root.
"""
