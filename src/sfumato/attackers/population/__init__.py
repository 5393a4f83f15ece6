"""How many people of a population share what is known of somebody in the table."""
