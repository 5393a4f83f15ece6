"""What a value may become, level by level, up to nothing at all.

A builder makes the levels from values, a rule or a file; a formula says what any value becomes, also one that was not
there when the hierarchy was made. May import: columns, project, tables, show, the root.
"""
