"""What somebody could find out who knows something.

Scenarios say what is known; attackers, populations and attacks say who can be found by it, in the table as it is and
in a release. May import: utility, plans, privacy, hierarchies, columns, project, tables, show, the root.
"""
