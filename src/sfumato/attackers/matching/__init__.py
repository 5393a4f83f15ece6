"""How original and released records are matched without comparing every pair."""
