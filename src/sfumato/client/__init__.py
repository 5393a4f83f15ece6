"""A service elsewhere, from Python: `sf.connect(url, token)`.

Verbs have the names that they have here, and run there. May import: the root.
"""
