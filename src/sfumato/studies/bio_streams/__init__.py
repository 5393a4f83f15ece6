"""BIO-STREAMS: k, l and t over the CDISC domains of a pilot (deliverable D4.2, 2025)."""
