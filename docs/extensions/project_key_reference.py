"""The keys of the project file, from its JSON Schema."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from sfumato.project.file import Project

Schema = Mapping[str, Any]


def project_keys() -> str:
    """All keys: those of the file first, then those of each part of it."""
    schema = Project.json_schema()
    objects = {name: _object(part) for name, part in schema["$defs"].items()}
    parts = ["## The file\n\n" + _keys(schema)]
    parts += [f"## {_title(name)}\n\n{_text(part)}\n\n{_keys(part)}" for name, part in objects.items() if part]
    choices = {name: part for name, part in schema["$defs"].items() if "enum" in part}
    parts += [f"## {_title(name)}\n\n{_text(part)}\n\n{_choices(part)}" for name, part in choices.items()]
    return "\n\n".join(parts)


def _object(part: Schema) -> Schema | None:
    """The keys that a part of the schema may have, also where it may be something else instead."""
    if "properties" in part:
        return part
    return next((one for one in part.get("anyOf", ()) if "properties" in one), None)


def _keys(part: Schema) -> str:
    required = part.get("required", ())
    rows = []
    for name, key in part["properties"].items():
        must = " Required." if name in required else ""
        usual = f" If not given: {_code(key['default'])}." if key.get("default") is not None else ""
        example = f" Example: {_code(key['examples'][0])}." if key.get("examples") else ""
        rows.append(f"| `{name}` | {', '.join(dict.fromkeys(_types(key)))} | {_text(key)}{must}{usual}{example} |")
    return "\n".join(["| key | type | what it is |", "|---|---|---|", *rows])


def _types(key: Schema) -> Iterator[str]:
    """What a value may be, in words; a part of the file links to its keys."""
    if "$ref" in key:
        title = _title(key["$ref"].rsplit("/", 1)[-1])
        yield f"[{title.lower()}](#{title.lower().replace(' ', '-')})"
    elif "anyOf" in key:
        for one in key["anyOf"]:
            yield from _types(one)
    elif "enum" in key:
        yield " or ".join(_code(value) for value in key["enum"] if value is not None and not isinstance(value, bool))
    elif key.get("type") == "array":
        yield "list of " + " or ".join(_types(key.get("items", {})))
    elif key.get("type") == "object" and isinstance(key.get("additionalProperties"), Mapping):
        yield "by name: " + " or ".join(_types(key["additionalProperties"]))
    else:
        given = key.get("type", "any")
        names = [given] if isinstance(given, str) else given
        yield from ("text" if name == "string" else name for name in names if name != "null")


def _choices(part: Schema) -> str:
    return "One of " + ", ".join(_code(value) for value in part["enum"]) + "."


def _title(name: str) -> str:
    """SafePeopleKeys -> Safe people."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name.removesuffix("Keys")).capitalize()


def _code(value: object) -> str:
    text = value if isinstance(value, str) and value.strip() else json.dumps(value, ensure_ascii=False)
    return f"`{text}`".replace("|", r"\|")


def _text(part: Schema) -> str:
    return re.sub(r"([|<*])", r"\\\1", " ".join(str(part.get("description", "")).split()))
