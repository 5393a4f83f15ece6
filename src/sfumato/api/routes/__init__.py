"""The paths of the API, a file for each thing that it is about: each has a `router`, and is found by looking here."""
