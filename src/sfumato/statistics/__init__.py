"""Statistics instead of rows: counts, sums and means by chosen columns, of which no small group can be worked out.

A table has a cell for every combination of values and for every total. Cells that speak of few persons are hidden, and
as many others as keep anybody from computing these from the totals. The verb is `tabulate`.
May import: privacy and what it may import.
"""
