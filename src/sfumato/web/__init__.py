"""What both doors of HTTP stand on, the one for machines (`api`) and the one for people (`workbench`).

Who asks, the guard before every path, refusals as documents, and what is counted. May import: service, the root.
"""
