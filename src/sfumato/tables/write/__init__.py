"""Writing: a released table as one file, in the format that the ending of its name says."""
