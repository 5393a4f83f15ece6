"""Plans as files: YAML that people review, in the project file or on its own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

from sfumato.bounded_file import file_bytes
from sfumato.errors import OutsidePlace, PlanError, ProjectError, SfumatoError, did_you_mean
from sfumato.plans.catalogue import transformations
from sfumato.plans.plan import Plan, Step, numbered
from sfumato.plans.recipes import RECIPE, recipe
from sfumato.plans.step_interface import Transformation
from sfumato.project.file.yaml_file import YamlFile, read_yaml
from sfumato.project.places import located
from sfumato.schema import Role

KEYS = ("seed", "steps", "description", "data", "subject")
OF_STEPS = ("id", "because", "proposed_by")  # beside the transformation


def read_plan(path: str | Path) -> Plan:
    """The plan of a file, which is a plan itself or a project file with the key `plan`; or of `recipe:NAME`."""
    if str(path).startswith(RECIPE):
        return parse_plan(recipe(str(path).removeprefix(RECIPE)), str(path))
    path = Path(path)
    try:
        text = file_bytes(path).decode("utf-8-sig")
    except FileNotFoundError:
        raise PlanError(f"{path}: there is no such file.") from None
    except UnicodeDecodeError:
        raise PlanError(f"{path}: this file cannot be read as UTF-8 text.") from None
    except OSError as error:
        raise PlanError(f"{path}: this file cannot be read: {error.strerror}.") from None
    return parse_plan(text, path)


def parse_plan(text: str, path: str | Path = "plan.yaml") -> Plan:
    """The plan of a text. Files that it names are relative to the folder of `path`, and stay in it (`allowing`)."""
    try:
        file = read_yaml(text, path)
    except ProjectError as error:
        raise PlanError(str(error)) from None
    if file.problems:
        first = min(file.problems)
        raise PlanError(f"{path}, line {first.line}: {first.words}")
    top = file.value if isinstance(file.value, Mapping) else {}
    inside: tuple[str, ...] = ("plan",) if "plan" in top else ()
    return _PlanReader(file, str(path), inside).plan(top["plan"] if inside else file.value)


def plan_text(plan: Plan, description: str | None = None) -> str:
    """A plan as the text of a file, which reads as the same plan."""
    import yaml

    usual = numbered([(step.transformation, None) for step in plan.steps])
    steps = [_entry(step, named=step.id != own.id) for step, own in zip(plan.steps, usual, strict=True)]
    head = {"description": description, "seed": plan.seed, "subject": plan.subject}
    document = {**{key: value for key, value in head.items() if value is not None}, "steps": steps}
    return str(yaml.safe_dump(document, sort_keys=False, allow_unicode=True, width=120))


def _entry(step: Step, *, named: bool) -> dict[str, Any]:
    document = step.document()
    return document if named else {step.name: document[step.name]}


class _PlanReader:
    """A walk over a plan file, which knows the line of everything."""

    def __init__(self, file: YamlFile, path: str, inside: tuple[str, ...]) -> None:
        self.file, self.path, self.inside = file, path, inside

    def plan(self, content: Any) -> Plan:
        if not isinstance(content, Mapping):
            raise self.wrong((), "expected keys and values: a list of `steps`.")
        for key in content:
            if key not in KEYS and not self.inside:
                raise self.wrong((key,), f"there is no key {key!r}.{did_you_mean(str(key), KEYS)}")
        listed = content.get("steps")
        if not isinstance(listed, list) or not listed:
            raise self.wrong(("steps",), "expected a list of steps, at least one.")
        read = [self.step(entry, ("steps", place)) for place, entry in enumerate(listed)]
        lines = [self.file.line_of((*self.inside, "steps", place)) for place in range(len(listed))]
        steps = numbered([(transformation, said.get("id")) for transformation, said in read], lines)
        steps = tuple(
            replace(step, because=said.get("because"), proposed_by=said.get("proposed_by"))
            for step, (_, said) in zip(steps, read, strict=True)
        )
        seed = content.get("seed")
        if isinstance(seed, bool | list | dict) or ("seed" in content and seed is None):
            raise self.wrong(("seed",), "expected a number or a text.")
        return Plan(
            steps=steps, seed=None if seed is None else str(seed), path=self.path,
            folder=Path(self.path).parent, subject=self.subject(content), roles=self.roles(),
        )  # fmt: skip

    def subject(self, content: Mapping[str, Any]) -> str | None:
        """The column that says whom a record is about: named in the plan, or in the project file around it."""
        given = content.get("subject", self.around.get("subject"))
        if given is not None and not isinstance(given, str | int | float):
            raise self.wrong(("subject",), "expected the name of a column.")
        return None if given is None else str(given)

    def roles(self) -> dict[str, Role]:
        """The roles that the project file around the plan gives and that somebody confirmed."""
        columns = self.around.get("columns")
        entries = columns.items() if isinstance(columns, Mapping) else ()
        given = {str(name): keys for name, keys in entries if isinstance(keys, Mapping) and not keys.get("proposed")}
        return {name: Role(keys["role"]) for name, keys in given.items() if keys.get("role") in list(Role)}

    @property
    def around(self) -> Mapping[str, Any]:
        """The project file around the plan; empty where it is a file of its own."""
        return self.file.value if self.inside and isinstance(self.file.value, Mapping) else {}

    def step(self, entry: Any, place: tuple[str | int, ...]) -> tuple[Transformation, dict[str, str]]:
        """A transformation, and what is said of it besides: its name, why it is done, who proposed it."""
        if isinstance(entry, str):
            entry = {entry: {}}
        if not isinstance(entry, Mapping):
            raise self.wrong(place, "expected the name of a transformation and its parameters.")
        names = [key for key in entry if key not in OF_STEPS]
        if len(names) != 1:
            raise self.wrong(place, "expected one transformation per step, and perhaps `id`, `because`, `proposed_by`.")
        known = transformations()
        if names[0] not in known:
            raise self.wrong(place, f"there is no transformation {names[0]!r}.{did_you_mean(str(names[0]), known)}")
        said = {key: entry[key] for key in OF_STEPS if entry.get(key) not in (None, "")}
        for key, words in said.items():
            if isinstance(words, list | Mapping):
                raise self.wrong((*place, key), f"expected a text for `{key}`.")
        transformation = self.transformation(known[names[0]], entry[names[0]] or {}, (*place, names[0]))
        return transformation, {key: str(words) for key, words in said.items()}

    def transformation(self, cls: type[Transformation], given: Any, place: tuple[str | int, ...]) -> Transformation:
        if not isinstance(given, Mapping):
            raise self.wrong(place, f"{cls.name()}: expected parameters, such as {_shape(cls)}.")
        allowed = {f.name: f for f in fields(cls)}  # type: ignore[arg-type]
        for name in given:
            if name not in allowed:
                nearest = did_you_mean(str(name), allowed)
                raise self.wrong((*place, name), f"{cls.name()} has no parameter {name!r}.{nearest}")
        try:
            made = cls(**{name: _fixed(value) for name, value in given.items()})
            for file in made.places():
                located(file, Path(self.path).parent)
            return made
        except OutsidePlace as error:
            raise self.wrong(place, f"{cls.name()}: a file that it names {error}") from None
        except SfumatoError as error:
            raise self.wrong(place, str(error)) from None
        except (TypeError, ValueError, AttributeError):
            raise self.wrong(
                place, f"{cls.name()}: a parameter lacks or cannot be read. Write {_shape(cls)}."
            ) from None

    def wrong(self, place: Sequence[str | int], problem: str) -> PlanError:
        return PlanError(f"{self.path}, line {self.file.line_of((*self.inside, *place))}: {problem}")


def _fixed(value: Any) -> Any:
    """Lists are tuples: a step never changes."""
    if isinstance(value, list):
        return tuple(_fixed(part) for part in value)
    return {key: _fixed(part) for key, part in value.items()} if isinstance(value, Mapping) else value


def _shape(cls: type[Transformation]) -> str:
    return "{" + ", ".join(f"{f.name}: ..." for f in fields(cls)) + "}"  # type: ignore[arg-type]
