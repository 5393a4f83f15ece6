"""Live searches: what takes longer than a glance, done in one thread beside the answers, the urgent first."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from threading import Condition, Thread
from typing import Any

from sfumato.errors import SfumatoError

MOST = 50  # searches whose result is remembered; the one that was asked for longest ago is forgotten
UNFORESEEN = "The search broke down, and did not say why in words that may be shown."


class LiveSearch(ABC):
    """Something that is searched in steps."""

    over: bool = False
    problem: str | None = None

    @abstractmethod
    def step(self, urged: Callable[[], bool]) -> bool:
        """Search on; whether that was the last step. A step may be broken off once somebody is `urged` to wait."""

    @abstractmethod
    def content(self) -> dict[str, Any]:
        """What is known so far."""

    def plain(self) -> dict[str, Any]:
        """What is known so far, and whether that is all."""
        if self.problem is not None:
            return {"state": "failed", "problem": self.problem}
        return {"state": "done" if self.over else "busy", **self.content()}


@dataclass
class LiveSearches:
    """Searches by name, each done once."""

    _known: OrderedDict[str, LiveSearch] = field(default_factory=OrderedDict)
    _urgent: list[LiveSearch] = field(default_factory=list)
    _others: list[LiveSearch] = field(default_factory=list)
    _change: Condition = field(default_factory=Condition)
    _thread: Thread | None = None

    def of(self, name: str, make: Callable[[], LiveSearch], *, urgent: bool) -> LiveSearch:
        """The search of a name, begun where it is not known yet."""
        with self._change:
            known = self._known.get(name)
            if known is None:
                known = self._known[name] = make()
                (self._urgent if urgent else self._others).append(known)
                self._change.notify()
            self._known.move_to_end(name)
            while len(self._known) > MOST:
                self._known.popitem(last=False)
            if self._thread is None:
                self._thread = Thread(target=self._work, daemon=True)
                self._thread.start()
            return known

    def _work(self) -> None:
        while True:
            with self._change:
                while not self._urgent and not self._others:
                    self._change.wait()
                waiting = self._urgent or self._others
                search, urgent = waiting[0], waiting is self._urgent
            try:
                over = search.step(lambda: not urgent and bool(self._urgent))  # noqa: B023
            except SfumatoError as error:
                search.problem, over = str(error), True
            except Exception:  # its words may quote data
                search.problem, over = UNFORESEEN, True
            with self._change:
                search.over = over
                if over:
                    waiting.remove(search)
