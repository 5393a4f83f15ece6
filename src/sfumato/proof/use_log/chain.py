"""The chain of a log: which lines were changed, removed, inserted or moved since they were written."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from sfumato.canonical import canonical
from sfumato.errors import UnreadableFile
from sfumato.proof.use_log.log import BEGIN, END, USE, AuditLog, KeptHead, fits, own_hash, parsed_line
from sfumato.show.documents.use_log import START, Head, LogDocument
from sfumato.show.presented import Presented
from sfumato.show.sheet import Sheet
from sfumato.show.sheets.audit import audit_sheet

Line = dict[str, Any]
DELIVERY, REPORTED = "delivery", "reported"  # keys of the outcome of a use that handed something on, or heard of it


@dataclass(frozen=True, repr=False)
class Chain(Presented):
    """The uses in a log, and what is wrong with their lines; None where nobody asked."""

    name: str
    uses: tuple[Line, ...]
    problems: tuple[str, ...] | None = None
    head: Head = field(default_factory=Head)
    remarks: tuple[str, ...] = ()

    @classmethod
    def of(cls, log: AuditLog, *, verify: bool = False, known: str | Head | None = None) -> Chain:
        """The chain of a log, checked where that is asked for; `known` is a head that somebody kept, or its hash."""
        raw, kept = log.read()
        lines = [(place, line) for place, text in enumerate(raw, 1) if (line := parsed_line(text)) is not None]
        head = Head(lines[-1][1]["number"], lines[-1][1]["hash"]) if lines else Head()
        uses, remarks = _uses([line for _, line in lines])
        if not verify and known is None:
            if raw and not lines:
                raise UnreadableFile(log.path, "this is no log of use: not one of its lines can be read.")
            return cls(log.path.name, uses, None, head, remarks)
        written = [line for _, line in lines]
        problems = [*_unreadable(raw), *_broken(lines), *_beyond(written, kept), *_unknown(written, known)]
        return cls(log.path.name, uses, tuple(dict.fromkeys(problems)), head, remarks)

    def wrote(self, manifest: str) -> bool:
        """Whether a use that has ended names the package with this hash of its manifest."""
        outcomes = (use.get("outcome") for use in self.uses)
        written = (one for outcome in outcomes if isinstance(outcome, dict) for one in outcome.get("wrote", ()))
        return any(isinstance(one, dict) and one.get("manifest") == manifest for one in written)

    @property
    def deliveries(self) -> tuple[Line, ...]:
        """What was handed to whom, in the order of the log."""
        return self._said(DELIVERY)

    @property
    def reported(self) -> tuple[Line, ...]:
        """What recipients reported of the use."""
        return self._said(REPORTED)

    def _said(self, key: str) -> tuple[Line, ...]:
        """What the outcomes of uses hold under a key; a line that was changed may hold anything."""
        outcomes = (use.get("outcome") for use in self.uses)
        said = (outcome.get(key) for outcome in outcomes if isinstance(outcome, dict))
        return tuple(one for one in said if isinstance(one, dict))

    @property
    def older(self) -> bool:
        """Whether the log has uses of versions that did not say what they wrote."""
        return any(USE not in use for use in self.uses)

    def content(self) -> LogDocument:
        """The log as plain values."""
        return LogDocument(
            log=self.name, uses=self.uses, head=self.head, problems=self.problems, remarks=self.remarks,
            deliveries=self.deliveries, reported=self.reported,
        )  # fmt: skip

    def sheet(self) -> Sheet:
        """The log for people."""
        return audit_sheet(self.content())


def _uses(lines: Sequence[Line]) -> tuple[tuple[Line, ...], tuple[str, ...]]:
    """The uses, each with how it ended, and what to say of those that did not, or whose end nobody could miss."""
    ends = {(line.get("of"), line.get("begun")): line for line in reversed(lines) if line.get(USE) == END}
    uses, remarks = [], []
    for line in lines:
        if line.get(USE) == END:
            continue
        end = ends.get((line["number"], line["hash"]))
        uses.append({**line, "outcome": end.get("outcome", {}), "ended": end.get("time")} if end else line)
        if end is None and line.get(USE) == BEGIN:
            remarks.append(f"Number {line['number']} was begun and not completed: it was killed, or still goes on.")
    older = sum(USE not in line for line in lines)
    if older:
        remarks.append(
            f"Uses of older versions: {older}, written when they had ended. Of a killed one there is no line."
        )
    return tuple(uses), tuple(remarks)


def _unreadable(raw: Sequence[bytes]) -> Iterator[str]:
    for place, text in enumerate(raw, 1):
        line = parsed_line(text)
        if line is None and not text.endswith(b"\n"):
            yield f"Line {place} is torn: its writing was cut off after {len(text)} bytes. The next use repairs it."
        elif line is None:
            yield f"Line {place} cannot be read: it was changed."
        elif canonical(line) != text.removesuffix(b"\n"):
            yield f"Number {line['number']} (line {place}) was changed: it is not written as it was."


def _broken(lines: Sequence[tuple[int, Line]]) -> Iterator[str]:
    """Lines that are not what was written, or not where they were written."""
    for place, line in lines:
        if own_hash(line) != line["hash"]:
            yield f"Number {line['number']} (line {place}) was changed: its hash is not that of its content."
    numbers = [line["number"] for _, line in lines]
    yield from _missing(numbers)
    yield from _moved(lines)
    yield from _linked(lines, Counter(numbers))
    yield from _paired(lines)


def _paired(lines: Sequence[tuple[int, Line]]) -> Iterator[str]:
    """Ends without the beginning that they name, and what lines say of the head that they found."""
    begun = {line["number"]: line["hash"] for _, line in lines if line.get(USE) == BEGIN}
    ended: set[Any] = set()
    for place, line in lines:
        if "head" in line:
            yield f"When number {line['number']} (line {place}) was written, the head was missing or of another line."
        if line.get(USE) != END:
            continue
        if line.get("begun") is None or begun.get(line.get("of")) != line["begun"]:
            yield f"Number {line['number']} (line {place}) ends a use of which the log has no beginning."
        elif line["of"] in ended:
            yield f"Number {line['number']} (line {place}) ends a use that had ended."
        ended.add(line.get("of"))


def _missing(numbers: Sequence[int]) -> Iterator[str]:
    """Gaps between the numbers that there are, however far apart these are: a number may have been changed."""
    for before, after in pairwise(sorted({0, *(number for number in numbers if number > 0)})):
        if after > before + 1:
            yield f"{_numbers(before + 1, after - 1)} removed."


def _moved(lines: Sequence[tuple[int, Line]]) -> Iterator[str]:
    for (_, before), (place, line) in pairwise(lines):
        if line["number"] < before["number"]:
            yield f"Number {line['number']} (line {place}) is out of order: it stands after number {before['number']}."


def _linked(lines: Sequence[tuple[int, Line]], counts: Counter[int]) -> Iterator[str]:
    """Lines that were put in the place of another: what follows was written after a different one."""
    followed = {line["previous"] for _, line in lines}
    hashes = {line["hash"] for _, line in lines} | {START}
    own = _own_places(lines, followed)
    for place, line in lines:
        number = line["number"]
        if number < 1 or (number == 1) != (line["previous"] == START):
            yield f"Number {number} (line {place}) was inserted: it is not what stood at the beginning."
        elif place != own[number]:
            yield f"Number {number} (line {place}) was inserted: the number stands {counts[number]} times."
        elif counts[number - 1] and line["previous"] not in hashes:
            yield f"Number {number - 1} was replaced: number {number} (line {place}) was written after another line."


def _own_places(lines: Sequence[tuple[int, Line]], followed: Collection[str]) -> dict[int, int]:
    """Of every number the line that is its own: the first one that another was written after, or else the first."""
    after = {line["number"]: place for place, line in reversed(lines) if line["hash"] in followed}
    return {line["number"]: place for place, line in reversed(lines)} | after


def _beyond(lines: Sequence[Line], kept: KeptHead | None) -> Iterator[str]:
    """Lines at the end that the head knows of, and the log no longer has; and a head that does not know its log."""
    numbers = {line["number"]: line["hash"] for line in lines}
    last = max(numbers, default=0)
    if kept is None:
        if lines:
            yield "The head beside the log is missing: it was removed, and lines may have been removed from the end."
    elif kept.head.lines > last:
        yield f"{_numbers(last + 1, kept.head.lines)} removed from the end."
    elif kept.head.lines in numbers and numbers[kept.head.lines] != kept.head.hash:
        yield f"Number {kept.head.lines} was replaced: the head beside the log knows another line."
    elif lines and not fits(kept, Head(last, numbers[last]), lines[-1]):
        yield f"The head beside the log is older than the log: it knows {kept.head.lines} of {last} lines."


def _unknown(lines: Sequence[Line], known: str | Head | None) -> Iterator[str]:
    hashes = {line["hash"]: line["number"] for line in lines}
    if isinstance(known, Head) and hashes.get(known.hash) != known.lines and known.lines > 0:
        yield f"The head kept elsewhere ({known.lines} lines) is not of this log: lines were removed or replaced."
    elif isinstance(known, str) and known not in hashes:
        yield "The head that was written down is no line of this log: lines were removed from it, or replaced."


def _numbers(first: int, last: int) -> str:
    return f"Number {first} was" if first == last else f"Numbers {first} to {last} were"
