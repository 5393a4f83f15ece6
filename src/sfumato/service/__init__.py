"""Who may do what: accounts, permissions, projects and their versions, runs, requests, reviews, events.

Several people on one careful path from a request to a release. Nothing is computed here: every number comes from the
verbs that the command line calls. May import: proof and what it may import, the root.
"""
