"""Reports, one per file: an assessment for people, for machines, for the file."""
