"""What convinces others: the report, the package, its verification, and the log of use.

A release is described from every side (`report/`), packed with its claims and a signature (`package/`), and recorded
(`use_log/`); verifying recomputes every claim. May import: every room but studies and cli.
"""
