"""Results that present themselves: as JSON for machines, as a sheet on a terminal, a page in a notebook, a frame."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Iterable
from itertools import islice
from typing import TYPE_CHECKING, Any

from sfumato.errors import UnusableInput
from sfumato.show.document import Document
from sfumato.show.sheet import Sheet

if TYPE_CHECKING:
    from sfumato.show.charts.chart import Chart

IN_A_NOTEBOOK = 6  # charts below a result: more than that nobody scrolls through. Chosen, not measured


class Presented(ABC):
    """What was found, for machines and for people. Dataclasses that inherit from it have `repr=False`."""

    @abstractmethod
    def content(self) -> Document:
        """Everything, as plain values with names and types."""

    def document(self) -> dict[str, Any]:
        """The same as dictionaries and lists."""
        return self.content().plain()

    @abstractmethod
    def sheet(self) -> Sheet:
        """The same for people: titled tables."""

    def to_json(self) -> str:
        """The document as JSON."""
        return json.dumps(self.document(), indent=2, ensure_ascii=False, allow_nan=False) + "\n"

    def to_frame(self) -> Any:
        """The main table of the result as a pandas frame; an Arrow table where pandas is not installed."""
        from sfumato.show.result_tables import framed, main_table

        return framed(main_table(self.content()))

    @property
    def charts(self) -> Iterable[Chart]:
        """The pictures of the result, the most telling first; each is drawn when it is asked for."""
        from sfumato.show.result_charts import charts_of

        return charts_of(self.content())

    def plot(self, number: int = 1) -> Any:
        """A picture of the result as a chart of Altair: the first, or the one of this number.

        It shows itself without a network, and can be changed and saved as any chart of Altair. `MissingExtra` where
        the extra `plots` is not installed.
        """
        from sfumato.show.charts.altair_chart import altair_chart
        from sfumato.show.charts.chart import grammar

        grammar()  # says what to install, before anything is drawn
        drawn = list(islice(self.charts, max(number, 0)))
        if not 1 <= number <= len(drawn):
            raise UnusableInput(f"There are {len(drawn)} charts of this result, numbered from 1 on.")
        return altair_chart(drawn[number - 1])

    def __str__(self) -> str:
        return self.sheet().text()

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        from sfumato.show.charts.chart import can_draw
        from sfumato.show.fragment import fragment

        return fragment(self.sheet(), tuple(islice(self.charts, IN_A_NOTEBOOK)) if can_draw() else ())
