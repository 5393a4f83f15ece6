"""Study layouts, one per file: many files of one study, combined into one table."""
