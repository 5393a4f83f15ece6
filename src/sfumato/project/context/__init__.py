"""Why and how the data are handed on: five safes, impact, benefit, and risk against benefit."""
