"""Charts, one per file: plain numbers and labels as a picture, and the same in words."""
