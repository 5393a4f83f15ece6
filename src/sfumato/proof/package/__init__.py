"""The package: a folder with its manifest, signature and claims, and what reads and follows them again."""
