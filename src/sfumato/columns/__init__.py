"""What a column is: direct identifier, quasi-identifier, sensitive, or none of these.

Every kind of evidence looks at the profile of a table (names, values, how rare they are), and one role is proposed
for each column, with its reasons. A proposal decides nothing. May import: project, tables, show, the root.
"""
