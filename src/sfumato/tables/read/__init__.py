"""Reading: what the formats share, from the bytes of a text file to the kind of each column."""
