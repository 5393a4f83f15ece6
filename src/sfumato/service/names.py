"""Names that people give to things, as patterns: what else is typed is refused before it comes anywhere."""

from __future__ import annotations

ACCOUNT_NAME = r"[a-z0-9](?:[a-z0-9._-]{0,62}[a-z0-9])?"  # what is typed to sign in
PROJECT_NAME = r"[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?"
SHOWN_NAME = r"[^\x00-\x1f\x7f]{1,200}"  # for people's eyes, on one line
MAIL = r"[^@\s<>,;\"\x00-\x1f\x7f]{1,64}@[^@\s<>,;\"\x00-\x1f\x7f]{1,120}"  # nothing that ends a header of a mail
