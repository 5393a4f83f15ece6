"""What the screen Release shows of one setting: asked of the live process in one go, put into words by templates."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode

from markupsafe import Markup

from sfumato.service.caller import Caller
from sfumato.service.live_questions import LiveReply, ask_by_shape
from sfumato.service.service import Service
from sfumato.workbench.catalogue import Catalogue
from sfumato.workbench.release_pictures import CurveMark, CurvePoint, bar, curve, dot, level_steps
from sfumato.workbench.release_setting import ReleaseSetting, Shape, setting_of_point

PINS = ("a", "b")
Answer = Mapping[str, Any]


@dataclass(frozen=True)
class ReleaseView:
    """A setting with its reading, each column one level away, what is pinned beside it, and the curve so far."""

    project: str
    shape: Shape
    hash: str  # of the version that was asked about
    setting: ReleaseSetting
    reading: Answer
    growing: Answer  # the curve
    around: Answer = field(default_factory=dict)  # each column one level away, where that was asked for
    version: int = 0
    pins: Mapping[str, tuple[ReleaseSetting, Answer]] = field(default_factory=dict)

    def address(self, setting: ReleaseSetting | None = None, screen: str = "release", **changed: str | None) -> str:
        """Where a state of the screen is found: this setting or another, these pins or others."""
        held = {letter: pin[0].code for letter, pin in self.pins.items()} | changed
        query = {"s": (setting or self.setting).code} | {key: value for key, value in held.items() if value}
        return f"/projects/{self.project}/{screen}?{urlencode(query, safe='~,')}"

    @property
    def columns(self) -> list[dict[str, Any]]:
        """The columns with their level, what their commonest value becomes there, and what is lost."""
        losses = self.reading["losses"] or [None] * len(self.shape["columns"])
        return [
            {**column, "level": level, "example": column["examples"][level], "loss": loss}
            for column, level, loss in zip(self.shape["columns"], self.setting.levels, losses, strict=True)
        ]

    @property
    def requirements(self) -> list[dict[str, Any]]:
        """The requirements with the bound of the setting and the reading; of several attackers the worst one."""
        rows = []
        for one, bound in zip(self.shape["requirements"], self.setting.bounds, strict=True):
            readings = [reading for reading in self.reading["readings"] if reading["name"] == one["name"]]
            worst = next((reading for reading in readings if reading["met"] is False), None)
            rows.append({**one, "bound": bound, "reading": worst or (readings[0] if readings else None)})
        return rows

    @property
    def steps(self) -> list[dict[str, Any]]:
        """Each column one level away, what helps most first, and where that setting is found."""
        places = {column["name"]: j for j, column in enumerate(self.shape["columns"])}
        listed = []
        for one in self.around["neighbours"]:
            j, levels = places[one["column"]], self.setting.levels
            moved = (*levels[:j], one["level"], *levels[j + 1 :])
            listed.append({**one, "address": self.address(self.setting.at({"levels": moved}))})
        if self.reading["met"]:
            return sorted(listed, key=lambda one: one["loss"])
        return sorted(listed, key=lambda one: (not one["met"], one["left_out"]))

    @property
    def better(self) -> dict[str, Any] | None:
        """The step that one would take: less loss where the policy is met, and else what helps most."""
        if not self.reading["met"]:
            return next(iter(self.steps), None)
        possible = [one for one in self.steps if one["met"] and one["loss"] < self.reading["loss"] - 1e-12]
        return next(iter(possible), None)

    @property
    def sides(self) -> list[tuple[str, ReleaseSetting, Answer, bool]]:
        """What stands side by side: the pins, or where one is in the place of one that is not set."""
        here = (self.setting, self.reading)
        return [(letter, *self.pins.get(letter, here), letter in self.pins) for letter in PINS]

    @property
    def is_kept(self) -> bool:
        """Whether the project file says this already."""
        return self.shape["levels"] is not None and self.setting == ReleaseSetting.usual(self.shape)

    bar = staticmethod(bar)
    dot = staticmethod(dot)
    steps_of = staticmethod(level_steps)

    def picture(self, t: Catalogue) -> Markup | None:
        """The curve with where one is and what is pinned; None while it has no point yet."""
        known = self.growing.get("points") or []
        if not known:
            return None
        firsts = _first_places(known)
        points = [
            CurvePoint(
                series=point["suppress"],
                risk=point["risk"],
                loss=point["loss"],
                address=self.address(setting_of_point(point, self.shape)),
                words=str(
                    t(
                        "release.curve.point", size=t.number(round(1 / point["risk"]) if point["risk"] else None),
                        left_out=t.number(point["left_out"]), loss=t.share(point["loss"]),
                    )
                ),
                front=point["front"],
                knee=place == self.growing["knee"],
                first=place in firsts,
            )
            for place, point in enumerate(known)
            if point["front"] or point["risk"]
        ]  # fmt: skip
        pins = {letter: mark for letter, pin in self.pins.items() if (mark := _mark(pin[1])) is not None}
        return curve(t, points, _mark(self.reading), pins)


def _first_places(points: list[Answer]) -> set[int]:
    """Where each different release stands first; one that is best for its risk goes before the same that is not."""
    places: dict[tuple[Any, ...], int] = {}
    for place in sorted(range(len(points)), key=lambda place: not points[place]["front"]):
        places.setdefault((*points[place]["levels"], points[place]["left_out"]), place)
    return set(places.values())


def _mark(reading: Answer) -> CurveMark | None:
    smallest = reading["after"]["smallest"]
    return CurveMark(1 / smallest, reading["loss"], "good" if reading["met"] else "bad") if smallest else None


def release_view(
    service: Service,
    caller: Caller,
    project: str,
    query: Mapping[str, str],
    settled: Callable[[Shape], ReleaseSetting] | None = None,
    *,
    neighbours: bool = False,
) -> ReleaseView | LiveReply:
    """Everything that the screen shows of the setting in an address; the reply itself where nothing is answered."""
    setting_in = settled or (lambda shape: setting_of(query, shape))

    def questions(shape: Shape) -> list[dict[str, Any]]:
        setting = setting_in(shape)
        near = [setting.question("neighbours", shape)] if neighbours else []
        pins = [pin.question("at", shape) for pin in pins_of(query, shape).values()]
        return [setting.question("at", shape), {"what": "curve"}, *near, *pins]

    reply = ask_by_shape(service, caller, project, questions)
    if reply.shape is None:
        return reply
    reading, growing, *others = reply.answers
    around, of_pins = (others[0], others[1:]) if neighbours else ({}, others)
    held = pins_of(query, reply.shape)
    return ReleaseView(
        project=project,
        shape=reply.shape,
        hash=reply.hash,
        version=reply.version,
        setting=setting_in(reply.shape),
        reading=reading,
        around=around,
        growing=growing,
        pins={letter: (pin, answer) for (letter, pin), answer in zip(held.items(), of_pins, strict=True)},
    )


def setting_of(query: Mapping[str, str], shape: Shape) -> ReleaseSetting:
    """The setting of an address, or else that of the project file, after whatever sliders say beside it."""
    now = ReleaseSetting.decoded(query.get("s"), shape) or ReleaseSetting.usual(shape)
    return now.moved(query, shape)


def pins_of(query: Mapping[str, str], shape: Shape) -> dict[str, ReleaseSetting]:
    """What is pinned, by its letter."""
    pinned = {letter: ReleaseSetting.decoded(query.get(letter), shape) for letter in PINS}
    return {letter: pin for letter, pin in pinned.items() if pin is not None}
