"""Which release keeps to a policy and loses least.

A table is grouped once; a method of `methods/` looks for levels, or for what every combination becomes, and an
objective of `objectives/` says what is made small. The solution is written as steps of a plan, followed, and read
anew. May import: utility, plans, privacy, hierarchies, columns, project, tables, show, the root.
"""
