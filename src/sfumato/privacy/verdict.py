"""The verdict on a policy: met, met with questions open, or not met."""

from __future__ import annotations

from dataclasses import dataclass, replace

from sfumato.show.sheet import State, but_open


@dataclass(frozen=True)
class Verdict:
    """Whether every requirement is met, and what is open all the same, in sentences without any cell value.

    Open is what a policy does not speak of and a person has to answer for: roles that are only proposed, people who are
    alone on columns that nothing was asked of, columns released against the evidence, exceptions, questions that nobody
    answered. A policy that is met while something is open is `met, but`: never simply met.

    >>> Verdict(True).state.value, Verdict(True, ("The role of 1 column is only proposed.",)).state.value
    ('met', 'met, but')
    >>> Verdict(False, ("The role of 1 column is only proposed.",)).state.value, Verdict(None).state
    ('not met', None)
    """

    met: bool | None  # None where nothing was required
    open: tuple[str, ...] = ()

    @property
    def state(self) -> State | None:
        """One of three; None where nothing was required."""
        if self.met is None:
            return None
        if not self.met:
            return State.NOT_MET
        return State.OPEN if self.open else State.MET

    @property
    def words(self) -> str:
        """The state, and how many questions are open: closing words.

        >>> Verdict(True, ("Who reads it?",)).words
        'met, but 1 question is open'
        """
        if self.state is None:
            return "nothing was required"
        return f"met{but_open(self.open)}" if self.met else self.state.value

    def with_open(self, *more: str) -> Verdict:
        """The same verdict with more that is open; nothing is said twice."""
        return replace(self, open=tuple(dict.fromkeys((*self.open, *more))))
