"""Evidence for the role of a column: one kind per file."""
