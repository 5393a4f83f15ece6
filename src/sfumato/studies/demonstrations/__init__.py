"""Made-up tables of known layouts, for trying things out. Nobody in them ever lived."""

from sfumato.studies.demonstrations.tables import TABLES, demonstration, demonstration_files, write_demonstration

__all__ = ["TABLES", "demonstration", "demonstration_files", "write_demonstration"]
