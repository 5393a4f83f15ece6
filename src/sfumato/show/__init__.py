"""Something to look at: sheets, charts, pages and the terminal.

Plain documents come in, and titled tables, pictures and pages go out. Nothing is computed here, and nothing is read
from a table. May import: the root.
"""
