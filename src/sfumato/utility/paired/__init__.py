"""Original and release side by side: which record became which, and what became of each value."""
