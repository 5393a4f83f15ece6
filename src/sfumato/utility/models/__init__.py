"""Utility models, one per file: what was lost between an original and its release."""
