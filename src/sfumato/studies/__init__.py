"""Several files of one study, combined into one table, and made-up tables to try things on.

`sdtm/` knows the domains of CDISC, `bio_streams/` the layout of one study, `demonstrations/` draws tables that nobody
is in, and `printed_tables` holds tables of papers. May import: utility and what it may import.
"""
