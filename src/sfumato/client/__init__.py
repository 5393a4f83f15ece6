"""A service elsewhere, from Python: `sf.connect(url, token)`. May import nothing but the root."""
