"""How many quasi-identifiers have to change."""
