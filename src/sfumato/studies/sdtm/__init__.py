"""SDTM: the domain files of a study, one row per subject, joined into one table."""
