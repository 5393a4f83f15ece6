"""The use of a command, written to the log of its project."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import wraps
from inspect import Parameter, Signature, signature
from pathlib import Path
from typing import Any

from sfumato.cli.output import running

INPUTS = ("data", "original", "released", "plan")  # parameters that name what is read
ARGUMENTS = ("data", "original", "released")
NAMES = {"json_file": "json", "file_format": "format", "missing": "missing-token", "kinds": "type"}  # as they are typed
UNSAID: tuple[Any, ...] = (None, [], (), {})  # what an option is that nobody gave
UNTYPED = ("counted",)  # what a command itself says of how its source is read
PROJECT = "sfumato.yaml"


def recorded(command: Callable[..., None]) -> Callable[..., None]:
    """Write each run of a command to the log of its project, where there is one.

    The project is the one named, a source or plan that is one, or the one in this folder. The command gets the `use`,
    a parameter that the command line does not see, and tells it what was found.
    """
    taken = signature(command).parameters

    @wraps(command)
    def run(**given: Any) -> None:
        from sfumato.proof.use_log.entry import logged

        project = _project(given)
        inputs = [str(given[name]) for name in INPUTS if given.get(name) is not None]
        inputs = [name for name in inputs if name != project] or _named(project)
        with logged(command.__name__, project, options=_options(taken, given), inputs=inputs) as use:
            command(**given, use=use)

    run.__signature__ = Signature([p for p in taken.values() if p.name != "use"])  # type: ignore[attr-defined]
    run.__annotations__ = {name: hint for name, hint in command.__annotations__.items() if name != "use"}
    return run


def typed_options() -> list[str]:
    """The names of the options that the running command was given, never what was given for them."""
    context = running()
    named = (one for one in context.command.params if one.param_type_name == "option")
    typed = (one for one in named if context.get_parameter_source(one.name).name == "COMMANDLINE")
    return [max(one.opts, key=len) for one in typed]


def _project(given: Mapping[str, Any]) -> str | None:
    if given.get("project") is not None:
        return str(given["project"])
    named = [str(given[name]) for name in ("data", "plan") if given.get(name) is not None]
    written = [name for name in named if Path(name).suffix in (".yaml", ".yml") and _is_project(name)]
    return written[0] if written else PROJECT if Path(PROJECT).is_file() else None


def _is_project(name: str) -> bool:
    """Whether a YAML file describes a project, or is a plan by itself."""
    from sfumato.errors import SfumatoError
    from sfumato.project.file import Project

    try:
        Project.read(name)
    except SfumatoError:
        return False
    return True


def _named(project: str | None) -> list[str]:
    """The source that the project names, for a command that names none."""
    from sfumato.errors import SfumatoError
    from sfumato.project.file import Project

    try:
        source = Project.read(project).source if project is not None else None
    except SfumatoError:
        return []
    return [source] if source else []


def _options(taken: Mapping[str, Parameter], given: Mapping[str, Any]) -> list[str]:
    """The names of the options that were given, never what was given for them."""
    own = [name for name, p in taken.items() if p.default is not Parameter.empty and given[name] != p.default]
    options = [name for name in own if name not in ARGUMENTS]
    for group in ("columns", "bounds", "options"):
        values = vars(given[group]) if group in given else {}
        options += [name for name, value in values.items() if value not in UNSAID and name not in UNTYPED]
    options += ["engine"] if given.get("engine") is not None else []
    return [f"--{NAMES.get(name, name.replace('_', '-'))}" for name in options]
