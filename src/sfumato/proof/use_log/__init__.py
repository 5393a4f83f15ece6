"""The log of use: a chain in which every line carries the hash of the line before."""
