"""Population models, one per file. What they share is in `sfumato.attackers.population.model_interface`."""
