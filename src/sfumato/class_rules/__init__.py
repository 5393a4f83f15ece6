"""Measures as a search reads them off groupings, one per file, named as in `privacy/`."""
