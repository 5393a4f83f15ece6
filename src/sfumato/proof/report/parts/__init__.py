"""The parts of a report, one per file, each made from the evidence of a release."""
