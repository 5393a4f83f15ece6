"""The screens, a file each: its addresses, and which template answers. `app` takes every router that is here."""
