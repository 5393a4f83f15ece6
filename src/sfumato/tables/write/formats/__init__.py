"""Writers, one format a file: each is found by looking in this folder. A new file is a new ending."""
