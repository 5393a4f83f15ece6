"""What a search can make as small as possible, one objective per file."""
