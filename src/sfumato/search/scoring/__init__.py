"""What objectives share: their interface, scores by column, entropies and volumes of labels."""
