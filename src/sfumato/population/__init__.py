"""Population models, one per file. What they share is in `sfumato.population_model`."""
