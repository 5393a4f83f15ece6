"""The files that the pages speak of, as `sfumato demo --table pages` writes them: tests read pages beside them."""

from __future__ import annotations

from sfumato.studies.demonstrations.small_files import page_files

EXAMPLES: dict[str, str] = {name: content.decode() for name, content in page_files().items()}
