"""HTTP for people: pages over the same acts as `api`. A page computes nothing: it asks the service, and shows."""
