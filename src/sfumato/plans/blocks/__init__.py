"""What transformations share: values and moments as SQL, draws, counts of people, places in messages."""
