"""The report: what is gathered of a table and its release, and how it is told."""
