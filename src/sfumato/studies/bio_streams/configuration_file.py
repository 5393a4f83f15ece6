"""The configuration file of a study, YAML or JSON, which remembers the line of every key."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sfumato.bounded_file import file_bytes
from sfumato.errors import ProjectError
from sfumato.project.file.yaml_file import read_yaml

KeyPath = tuple[str, ...]


@dataclass(frozen=True)
class ConfigurationFile:
    """The content of a configuration, where it came from, and the line of each key."""

    values: Any
    path: str = "configuration"
    lines: Mapping[tuple[str | int, ...], int] = field(default_factory=dict)

    def wrong(self, problem: str, *place: str) -> ProjectError:
        """An error that names the file, the line, the key and what is wrong with it."""
        around = (place[:n] for n in range(len(place), 0, -1))
        line = next((self.lines[known] for known in around if known in self.lines), None)
        return ProjectError(self.path, f"{' / '.join(place)}: {problem}" if place else problem, line=line)


def read_configuration_file(path: str | Path) -> ConfigurationFile:
    """Read a configuration file; `ProjectError` when it is not YAML or JSON."""
    content = read_yaml(_text(path), path)
    if content.problems:
        first = min(content.problems)
        raise ProjectError(path, first.words, line=first.line)
    return ConfigurationFile(content.value, str(path), content.lines)


def _text(path: str | Path) -> str:
    try:
        return file_bytes(path).decode("utf-8-sig")
    except FileNotFoundError:
        raise ProjectError(path, "there is no such file. Check the path given with --config.") from None
    except UnicodeDecodeError:
        raise ProjectError(path, "this file is not UTF-8. Save it as UTF-8.") from None
    except OSError as error:
        raise ProjectError(path, f"this file cannot be opened ({type(error).__name__}).") from None
