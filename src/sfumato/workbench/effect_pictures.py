"""Pictures of effects: a column before, as spikes, and after, as plateaus, over the same line of values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from markupsafe import Markup, escape

from sfumato.workbench.catalogue import Catalogue

WIDE, HIGH, UNDER = 320, 104, 26
LETTER = 8  # units that a letter is wide
NAMED = 6  # labels up to which each is named below its plateau
TOP = "*"  # the label of everything


def multiple(t: Catalogue, counted: Mapping[str, Any]) -> Markup:
    """One column, as a small picture among those of the others."""
    segments = {kind: counted[kind] for kind in ("before", "after")}
    top = max((density for parts in segments.values() for _, _, density in parts), default=1) or 1
    scale = WIDE / max(counted["width"], 1)
    shapes = []
    for kind, drawn in (("after fill", "after"), ("before", "before"), ("after", "after")):
        for low, high, density in segments[drawn]:
            tall, gap = max(HIGH * density / top, 1), min(scale * 0.12, 2) if kind == "before" else 0
            wide = max((high - low) * scale - 2 * gap, 0.8)
            shapes.append(
                f'<rect class="{kind}" x="{low * scale + gap:.1f}" y="{HIGH + 4 - tall:.1f}" width="{wide:.1f}" '
                f'height="{tall:.1f}"/>'
            )
    words = t("effects.picture", column=counted["column"], values=counted["values"], labels=counted["labels"])
    return Markup(
        f'<svg class="multiple" viewBox="0 0 {WIDE} {HIGH + UNDER}" role="img" aria-label="{escape(words)}">'
        f'{"".join(shapes)}<line class="base" x1="0" x2="{WIDE}" y1="{HIGH + 4}" y2="{HIGH + 4}"/>'
        f"{''.join(_names(t, counted, scale))}</svg>"
    )


def _names(t: Catalogue, counted: Mapping[str, Any], scale: float) -> Iterator[str]:
    """The labels below their plateaus where these are few, or else the two ends of the line."""
    down = HIGH + 20
    if counted["labels"] > NAMED or not counted["listed"]:
        for text, at, anchor in zip(counted["ends"], (0, WIDE), ("start", "end"), strict=False):
            shown = _cut(str(text if text is not None else t("effects.missing")), WIDE / 2)
            yield f'<text x="{at}" y="{down}" text-anchor="{anchor}">{escape(shown)}</text>'
        return
    for one in counted["listed"]:
        room = one["leaves"] * scale
        name = t("effects.all_alike") if one["label"] == TOP else one["label"] or t("effects.missing")
        if room > LETTER * 4:
            middle = (one["first"] + one["leaves"] / 2) * scale
            yield f'<text x="{middle:.1f}" y="{down}" text-anchor="middle">{escape(_cut(str(name), room))}</text>'


def _cut(text: str, room: float) -> str:
    most = int(room / LETTER)
    return text if len(text) <= most else f"{text[: max(most - 1, 1)]}…"
