"""Text files: which encoding they are in, and a copy in UTF-8 where they are in another."""

from __future__ import annotations

import codecs
import gzip
import io
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO

from sfumato.errors import UnreadableFile
from sfumato.tables.engine import full_disk
from sfumato.tables.read.language_letters import LikelyEncoding, likely_encoding
from sfumato.tables.read.limits import Limits
from sfumato.temporary import private_file

CHUNK = 8 * 1024 * 1024
EVIDENCE = 256 * 1024  # bytes of lines that are not ASCII, from which an encoding is guessed; chosen, not measured
BEGINNING = 4096  # bytes of a file that are looked at for control characters
CONTROLS = bytes(set(range(32)) - set(b"\t\n\v\f\r\x1a\x1b"))  # but blanks, the end of a file in DOS, and colours
FEW_CONTROLS = 10  # up to which a small text may have them by accident
MANY_CONTROLS = 50  # one of fifty: text has none but by accident, and bytes at random have one of nine
SAY_WHICH = "Say which with --encoding, for example --encoding cp1252."
MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),  # before UTF-16, whose mark is the beginning of this one
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


@dataclass(frozen=True)
class TextFile:
    """A file of UTF-8 text: the source itself, or a copy of it; and what was noticed about its encoding."""

    source: Path
    path: Path
    note: str | None = None
    longest: int = 0  # bytes of its longest line, where that is longer than a cell may be
    counted: int | None = None  # its lines, where they were counted on the way

    def lines(self) -> Iterator[str]:
        """The lines, with the line ends that they have."""
        with _opened(self.path) as raw, io.TextIOWrapper(raw, encoding="utf-8-sig", newline="") as text:
            yield from text

    def line_count(self) -> int:
        """How many lines there are, a last one without a line end included."""
        if self.counted is not None:
            return self.counted
        count, last = 0, b"\n"
        for chunk in _chunks(self.path):
            count, last = count + chunk.count(b"\n"), chunk[-1:]
        return count + (last != b"\n")


def as_utf8(source: Path, encoding: str | None, folder: Path, limits: Limits | None = None) -> TextFile:
    """The file as UTF-8 text. A copy, when one is needed, goes into the folder."""
    with _readable(source):
        scan = _Scan.of(source, limits or Limits.usual())
        file = replace(_as_utf8(source, scan, encoding, folder), longest=scan.longest)
        return replace(file, counted=scan.lines) if file.path == source else file


@dataclass(frozen=True)
class _Scan:
    """What the bytes of a file say, read once: that takes as long as all else that is done with them."""

    source: Path
    longest: int  # bytes of its longest line; 0 where none is longer than a cell may be
    lines: int  # a last one without a line end included
    text: bool  # whether it is UTF-8
    binary: bool  # whether there is a NUL before anything that is not

    @classmethod
    def of(cls, source: Path, limits: Limits) -> _Scan:
        """Read all of a file; what is beyond a limit is refused.

        Nothing else is done with a file before: a line without an end, or a compressed file that never ends, would fill
        the memory of whoever reads it.
        """
        size, packed = min(CHUNK, limits.line_bytes, limits.cell_length), source.stat().st_size
        unpacked, begun, longest = 0, 0, 0  # begun: bytes of the line that the last chunk ended in
        lines, last, letters = 0, b"\n", _Letters()
        with _opened(source) as raw:
            while chunk := raw.read(size):
                unpacked += len(chunk)
                if source.suffix.lower() == ".gz":
                    limits.require_unpacked(source, unpacked, packed)
                ends = [place for end in (b"\n", b"\r") for place in (chunk.find(end), chunk.rfind(end)) if place >= 0]
                line = begun + (min(ends) if ends else len(chunk))
                limits.require(source, "line_bytes", line, f"a line has {line:,} bytes or more")
                longest = max(longest, line)
                begun = len(chunk) - max(ends) - 1 if ends else line
                lines, last = lines + chunk.count(b"\n"), chunk[-1:]
                letters.read(chunk)
        letters.read(b"", final=True)
        beyond = longest if longest > limits.cell_length else 0
        return cls(source, beyond, lines + (last != b"\n"), letters.whole, letters.binary)

    @property
    def utf8(self) -> bool:
        """Whether it is text in UTF-8; what holds a NUL is no text at all."""
        if self.binary:
            raise _no_text(self.source)
        return self.text


class _Letters:
    """Whether the bytes that were read are letters in UTF-8, and whether a NUL stands among them."""

    def __init__(self) -> None:
        self.whole, self.binary = True, False
        self._decoder = codecs.getincrementaldecoder("utf-8")()

    def read(self, chunk: bytes, *, final: bool = False) -> None:
        if not self.whole:
            return
        self.binary = self.binary or b"\0" in chunk
        if chunk.isascii() and not self._decoder.getstate()[0] and not final:
            return  # nothing to decode
        try:
            self._decoder.decode(chunk, final)
        except UnicodeDecodeError:
            self.whole = False


def _as_utf8(source: Path, scan: _Scan, encoding: str | None, folder: Path) -> TextFile:
    if encoding is not None:
        return _decoded(scan, _known(source, encoding), folder, note=False)
    marked = _marked(source)
    if marked and marked != "utf-8-sig":
        return _decoded(scan, marked, folder, note=True)
    if scan.utf8:
        return TextFile(source, source)
    _refuse_controls(source)
    likely = _guess(source)
    file = _decoded(scan, likely.name, folder, note=True)
    return replace(file, note=f"{file.note} {_doubt(likely.rival)}") if likely.rival else file


def _doubt(rival: str) -> str:
    return f"{rival} is nearly as likely, and gives other letters: look at a name that you know."


@contextmanager
def _readable(source: Path) -> Iterator[None]:
    try:
        yield
    except FileNotFoundError:
        raise UnreadableFile(source, "there is no such file.") from None
    except (gzip.BadGzipFile, EOFError, zlib.error):
        raise UnreadableFile(source, "this is not a whole gzip file.", hint="Copy it again.") from None
    except OSError as error:
        # A copy that does not fit is no fault of the file.
        raise (
            full_disk(error) or UnreadableFile(source, f"the file cannot be read ({type(error).__name__}).")
        ) from None


@contextmanager
def _opened(path: Path) -> Iterator[IO[bytes]]:
    with path.open("rb") if path.suffix.lower() != ".gz" else gzip.open(path) as raw:
        yield raw  # type: ignore[misc]


def _chunks(path: Path) -> Iterator[bytes]:
    with _opened(path) as raw:
        yield from iter(lambda: raw.read(CHUNK), b"")


def _marked(path: Path) -> str | None:
    with _opened(path) as raw:
        start = raw.read(4)
    return next((encoding for mark, encoding in MARKS if start.startswith(mark)), None)


def _refuse_binary(source: Path, text: str) -> None:
    if "\0" in text:
        raise _no_text(source)


def _no_text(source: Path) -> UnreadableFile:
    hint = "If it is UTF-16 without a byte order mark, say so with --encoding utf-16-le."
    return UnreadableFile(source, "this is not a text file: it contains NUL characters.", hint=hint)


def _refuse_controls(source: Path) -> None:
    """Refuse what is no UTF-8 and begins as no text does: pictures and programs are full of control characters."""
    with _opened(source) as raw:
        start = raw.read(BEGINNING)
    controls = len(start) - len(start.translate(None, CONTROLS))
    if controls > FEW_CONTROLS and controls * MANY_CONTROLS > len(start):
        problem = "this is not a text file: it is full of control characters."
        raise UnreadableFile(source, problem, hint="Export the table itself as CSV from where it is kept.")


def _guess(source: Path) -> LikelyEncoding:
    """The most likely encoding of a file that is not UTF-8; an error when only some of its lines are not."""
    first_bad, good, evidence = None, False, bytearray()
    for number, line in _lines_beyond_ascii(source):
        if _decodes(line, "utf-8"):
            good = True
        else:
            first_bad = first_bad or number
        evidence += line if len(evidence) < EVIDENCE else b""
    if good:
        problem = "the file mixes encodings: this line is not UTF-8, while others are."
        raise UnreadableFile(source, problem, line=first_bad, hint=SAY_WHICH)
    return _likely(bytes(evidence))


def _lines_beyond_ascii(source: Path) -> Iterator[tuple[int, bytes]]:
    # Latin-1 maps every byte to one character and back, and the text layer knows all three line ends.
    with _opened(source) as raw, io.TextIOWrapper(raw, encoding="latin-1") as text:
        for number, line in enumerate(text, 1):
            _refuse_binary(source, line)
            if not line.isascii():
                yield number, line.encode("latin-1")


def _decodes(line: bytes, encoding: str) -> bool:
    try:
        line.decode(encoding)
    except UnicodeDecodeError:
        return False
    return True


def _likely(evidence: bytes) -> LikelyEncoding:
    """By what the words look like in each code page; else by their bytes, which tells East Asian encodings apart."""
    likely = likely_encoding(evidence)
    if likely is not None:
        return likely
    from charset_normalizer import from_bytes

    best = from_bytes(evidence).best()
    # cp1252 leaves five bytes without a meaning; Latin-1 none.
    usual = "cp1252" if _decodes(evidence, "cp1252") else "latin-1"
    return LikelyEncoding(usual if best is None or not best.coherence else best.encoding)


def _known(source: Path, encoding: str) -> str:
    try:
        return codecs.lookup(encoding).name
    except LookupError:
        raise UnreadableFile(source, f"there is no encoding {encoding!r}.", hint=SAY_WHICH) from None


def _decoded(scan: _Scan, encoding: str, folder: Path, *, note: bool) -> TextFile:
    source = scan.source
    if encoding in ("utf-8", "utf-8-sig") and scan.utf8:
        return TextFile(source, source)
    path = folder / "utf-8.csv"
    _transcode(source, encoding, path)
    said = f"The file is read in the encoding {encoding}. If accents look wrong, say which with --encoding."
    return TextFile(source, path, said if note else None)


def _transcode(source: Path, encoding: str, path: Path) -> None:
    decoder = codecs.getincrementaldecoder(encoding)()
    line = 1
    with open(path, "w", encoding="utf-8", newline="", opener=private_file) as copy:
        try:
            for chunk in _chunks(source):
                text = decoder.decode(chunk)
                _refuse_binary(source, text)
                copy.write(text)
                line += text.count("\n")
            copy.write(decoder.decode(b"", final=True))
        except UnicodeDecodeError as error:
            line += error.object[: error.start].decode(encoding, "replace").count("\n")
            problem = f"this line is not {encoding}."
            raise UnreadableFile(source, problem, line=line, hint="Leave out --encoding, or name another.") from None
        except UnicodeEncodeError:
            raise UnreadableFile(source, f"the file does not hold text in {encoding}.", hint=SAY_WHICH) from None
