"""The setting of a release: what its sliders say, as one word of an address, so that every state can be sent."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import isfinite
from typing import Any

from sfumato.service.release_choices import ChosenLevels

Shape = Mapping[str, Any]  # what a live process says can be asked for


@dataclass(frozen=True)
class ReleaseSetting:
    """A bound for each requirement, the share that may be left out in per cent, and a level for each column."""

    bounds: tuple[float, ...]
    share: float
    levels: tuple[int, ...]

    @classmethod
    def usual(cls, shape: Shape) -> ReleaseSetting:
        """What the project file says; columns without a level in it are as they are."""
        bounds = tuple(float(one["bound"]) for one in shape["requirements"])
        levels = shape["levels"] or [0] * len(shape["columns"])
        return cls(bounds, _share(100 * shape["suppress"]), tuple(levels))

    @classmethod
    def decoded(cls, code: str | None, shape: Shape) -> ReleaseSetting | None:
        """The setting that a word stands for; None where it is none of this project."""
        try:
            bounds, share, levels = (code or "").split("~")
            read = cls(_numbers(bounds, ",", float), float(share), _numbers(levels, ".", int))
        except ValueError:
            return None
        same = len(read.bounds) == len(shape["requirements"]) and len(read.levels) == len(shape["columns"])
        return read.within(shape) if same and all(map(isfinite, (*read.bounds, read.share))) else None

    @property
    def code(self) -> str:
        """The setting as one word.

        >>> ReleaseSetting((5.0, 0.3), 2.0, (0, 3, 1)).code
        '5,0.3~2~0.3.1'
        """
        return "~".join((",".join(map(_text, self.bounds)), _text(self.share), ".".join(map(str, self.levels))))

    def within(self, shape: Shape) -> ReleaseSetting:
        """The nearest setting that there is."""
        tops = [column["height"] for column in shape["columns"]]
        levels = tuple(min(max(level, 0), top) for level, top in zip(self.levels, tops, strict=True))
        bounds = tuple(max(bound, one["least"]) for bound, one in zip(self.bounds, shape["requirements"], strict=True))
        return replace(self, bounds=bounds, share=_share(min(max(self.share, 0.0), 100.0)), levels=levels)

    def moved(self, given: Mapping[str, str], shape: Shape) -> ReleaseSetting:
        """The setting after a hand was on a slider (`b0`, `share`, `l0`) or on the number beside it (`nb0`, ...).

        Both say what they say; the one counts that says something else than the setting.
        """
        bounds = tuple(_given(given, f"b{i}", bound) for i, bound in enumerate(self.bounds))
        levels = tuple(int(_given(given, f"l{j}", level)) for j, level in enumerate(self.levels))
        return replace(self, bounds=bounds, share=_given(given, "share", self.share), levels=levels).within(shape)

    def touched(self, given: Mapping[str, str]) -> set[str]:
        """The sliders and numbers that say something else than the setting: those that a hand was on."""
        now = {f"b{i}": bound for i, bound in enumerate(self.bounds)} | {"share": self.share}
        now |= {f"l{j}": level for j, level in enumerate(self.levels)}
        return {
            control for name, value in now.items() for control in (name, f"n{name}")
            if _given({name: given.get(control, "")}, name, value) != value
        }  # fmt: skip

    def question(self, what: str, shape: Shape) -> dict[str, Any]:
        """The setting as a live question."""
        return {
            "what": what, "levels": list(self.levels), "bounds": self.named_bounds(shape),
            "suppress": round(self.share / 100, 8),
        }  # fmt: skip

    def named_bounds(self, shape: Shape) -> dict[str, float]:
        """The bounds by the name of their requirement."""
        return {one["name"]: bound for one, bound in zip(shape["requirements"], self.bounds, strict=True)}

    def chosen(self, shape: Shape) -> ChosenLevels:
        """The setting as a choice that can be written."""
        names = [column["name"] for column in shape["columns"]]
        levels = dict(zip(names, self.levels, strict=True))
        return ChosenLevels(levels, self.named_bounds(shape), round(self.share / 100, 8))

    def at(self, answer: Mapping[str, Any]) -> ReleaseSetting:
        """The same bounds and share at the levels of an answer."""
        return replace(self, levels=tuple(answer["levels"]))


def setting_of_point(point: Mapping[str, Any], shape: Shape) -> ReleaseSetting:
    """The setting of a point of the curve."""
    bounds = tuple(float(point["bounds"].get(one["name"], one["bound"])) for one in shape["requirements"])
    return ReleaseSetting(bounds, _share(100 * point["suppress"]), tuple(point["levels"]))


def _given(given: Mapping[str, str], name: str, now: float) -> float:
    for value in (given.get(name), given.get(f"n{name}")):
        try:
            said = float(value) if value is not None else now
        except ValueError:
            continue
        if said != now and isfinite(said):
            return said
    return now


def _numbers(text: str, separator: str, kind: type) -> tuple[Any, ...]:
    return tuple(kind(part) for part in text.split(separator)) if text else ()


def _share(percent: float) -> float:
    return round(percent, 6)


def _text(number: float) -> str:
    return f"{number:.12g}"
