"""The parts of a report, one per file, each made from the dossier of a release."""
