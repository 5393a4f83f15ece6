"""Reading in a process of its own: a library that stops dead on a file takes that process with it, and no other.

Workbooks, files of statistics packages and R files are read by libraries that a damaged file, or one made for it, may
crash or have take all memory. The process gets one request as a line of JSON, and answers in frames: what the source
says about its columns, the rows as an Arrow stream, and at the end that it is the end. Where no end comes, the process
died. It holds no more memory than its limit, where the system can say so, and ends with whoever started it.
"""

from __future__ import annotations

import io
import json
import os
import struct
import subprocess
import sys
import threading
from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from importlib import import_module
from importlib.util import find_spec
from typing import IO, TYPE_CHECKING, Any, ClassVar

from sfumato.errors import MissingExtra, SfumatoError, UnreadableFile
from sfumato.tables.engine import Engine, Kind
from sfumato.tables.read.limits import Limits
from sfumato.tables.read.staged_table import StagedTable, Variable, existing, stage
from sfumato.tables.source import Extract, Format, ReadOptions

if TYPE_CHECKING:
    import pyarrow as pa

# What the process is told to do; -P keeps the folder that somebody stands in off its path, and it takes over ours.
START = (
    "import json, sys; request = json.loads(sys.stdin.readline()); sys.path[:] = request['path']; "
    "from sfumato.tables.read.isolation import answer; answer(request)"
)
TOLD, ROWS, FAILED, END = b"T", b"R", b"F", b"E"
FRAME = struct.Struct(">cQ")  # the sort of a frame, and how many bytes follow
AT_ONCE = 1024 * 1024  # bytes of a frame of rows
OPTIONS = ("table", "encoding", "missing", "also_missing")  # those that readers in a process of their own look at
DIED = "the library that reads such files stopped dead on it: it is damaged, or was made for that"


@dataclass(frozen=True)
class StagedRows:
    """What a library reads of a source: its rows as they come, and what the source says about its columns."""

    name: str
    schema: pa.Schema
    batches: Iterable[pa.RecordBatch]
    variables: tuple[Variable, ...]
    missing: tuple[str, ...] = ()  # texts that mean "no value" in the format itself
    notes: tuple[str, ...] = ()

    def told(self) -> dict[str, Any]:
        """What is said of the source besides its rows, as plain values."""
        variables = [asdict(variable) for variable in self.variables]
        for variable in variables:
            variable["value_labels"] = list(variable["value_labels"].items())  # codes may be numbers
        return {"name": self.name, "variables": variables, "missing": self.missing, "notes": self.notes}


class IsolatedFormat(Format):
    """A format whose library reads in a process of its own.

    A subclass says what is read (`staged`), and perhaps what is refused before (`check`) and which tables there are
    (`held`).
    """

    library: ClassVar[str]  # the module that has to be installed
    needs: ClassVar[tuple[str, str]]  # what cannot be read without it, and the extra that brings it

    @abstractmethod
    def staged(self, source: str, options: ReadOptions) -> StagedRows:
        """The rows of the source; called in the process of its own."""

    def held(self, source: str) -> tuple[str, ...]:
        """The names of the tables in the source; called in the process of its own."""
        return ()

    def check(self, source: str, limits: Limits) -> None:
        """Refuse what can be known to be too large, or no such file, before a library sees it."""

    def tables(self, source: Any) -> tuple[str, ...]:
        self._ready(source, ReadOptions())
        if not _can_start():
            return self.held(source)
        with _Reader.started(self, "held", source, ReadOptions()) as reader:
            return tuple(reader.told())

    def read(self, source: Any, options: ReadOptions, engine: Engine) -> Extract:
        self._ready(source, options)
        if not _can_start():
            return _settled(self.staged(source, options), source, options, engine)
        with _Reader.started(self, "staged", source, options) as reader:
            return _settled(reader.rows(), source, options, engine)

    def _ready(self, source: str, options: ReadOptions) -> None:
        existing(source)
        if find_spec(self.library) is None:
            raise MissingExtra(*self.needs)
        self.check(source, options.bounds)


def _settled(rows: StagedRows, source: str, options: ReadOptions, engine: Engine) -> Extract:
    options.bounds.require_names(source, rows.schema.names)
    table = stage(engine, source, rows.schema, rows.batches, options.bounds)
    staged = StagedTable(
        name=rows.name, table=table, variables=rows.variables, missing=rows.missing, notes=rows.notes
    )  # fmt: skip
    return staged.settle(options)


def _can_start() -> bool:
    """Whether this is a Python that can be started anew; a program frozen into one file is not, and reads by itself."""
    return bool(sys.executable) and not getattr(sys, "frozen", False)


@dataclass(frozen=True)
class _Reader:
    """A process that reads, seen from the one that started it."""

    source: str
    limits: Limits
    process: subprocess.Popen[bytes]

    @classmethod
    @contextmanager
    def started(cls, format_: IsolatedFormat, call: str, source: str, options: ReadOptions) -> Iterator[_Reader]:
        """A process that reads a source; it has ended when this has."""
        request = {
            "path": sys.path, "module": type(format_).__module__, "format": type(format_).__qualname__, "call": call,
            "source": source, "options": {name: getattr(options, name) for name in OPTIONS},
            "limits": asdict(options.bounds),
        }  # fmt: skip
        command = [sys.executable, "-P", "-c", START]
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
        with subprocess.Popen(command, **pipes) as process:  # type: ignore[call-overload]
            try:
                with suppress(BrokenPipeError):
                    process.stdin.write(json.dumps(request).encode() + b"\n")
                    process.stdin.flush()  # and kept open: the process ends when it is closed
                yield cls(source, options.bounds, process)
            finally:
                process.kill()

    def told(self) -> Any:
        """What the process says first."""
        sort, content = self.frame()
        assert sort == TOLD
        return json.loads(content)

    def rows(self) -> StagedRows:
        """What the process reads, as it comes."""
        told = self.told()
        stream = io.BufferedReader(_RowStream(self), AT_ONCE)
        batches = _failing(self, lambda: _open_stream(stream))
        return StagedRows(
            name=told["name"], schema=batches.schema, batches=self._batches(batches, stream),
            variables=tuple(map(_variable, told["variables"])), missing=tuple(told["missing"]),
            notes=tuple(told["notes"]),
        )  # fmt: skip

    def _batches(self, batches: pa.RecordBatchReader, stream: IO[bytes]) -> Iterator[pa.RecordBatch]:
        while (batch := _failing(self, lambda: next(iter(batches), None))) is not None:
            yield batch
        stream.read()  # up to the end: what fails after the last row fails all the same

    def frame(self) -> tuple[bytes, bytes]:
        """The next frame; what the process refuses is refused here, and so is a file on which it died."""
        pipe: IO[bytes] = self.process.stdout  # type: ignore[assignment]
        head = pipe.read(FRAME.size)
        sort, size = FRAME.unpack(head) if len(head) == FRAME.size else (b"", 0)
        content = pipe.read(size) if sort else b""
        if not sort or len(content) < size:
            raise self.died()
        if sort == FAILED:
            problem = json.loads(content)
            if problem is None:
                what = "more memory is needed to read it"
                raise self.limits.exceeded(self.source, "reader_bytes", what)
            raise UnreadableFile(self.source, problem)
        return sort, content

    def died(self) -> UnreadableFile:
        """The error for a file on which the process died, of a fault of its library or of its limit of memory."""
        more = 2 * self.limits.reader_bytes
        hint = f"Export it again, as CSV if you can. If it is very large and sound: --limit reader_bytes={more}."
        return UnreadableFile(self.source, f"{DIED}, or needs more than {self.limits.reader_bytes:,} bytes.", hint=hint)


def _failing(reader: _Reader, read: Callable[[], Any]) -> Any:
    """What is read of the stream; where Arrow cannot read it, the process wrote what is none."""
    import pyarrow as pa

    try:
        return read()
    except (pa.ArrowException, OSError):
        raise reader.died() from None


def _open_stream(stream: IO[bytes]) -> pa.RecordBatchReader:
    import pyarrow as pa

    return pa.ipc.open_stream(stream)


class _RowStream(io.RawIOBase):
    """The frames of rows as one stream of bytes."""

    def __init__(self, reader: _Reader) -> None:
        self._reader, self._left = reader, memoryview(b"")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        while not self._left:
            sort, content = self._reader.frame()
            if sort == END:
                return 0
            self._left = memoryview(content)
        size = min(len(buffer), len(self._left))
        buffer[:size], self._left = self._left[:size], self._left[size:]
        return size


def _variable(told: Mapping[str, Any]) -> Variable:
    becomes = Kind(told["becomes"]) if told["becomes"] else None
    return Variable(**{**told, "value_labels": dict(told["value_labels"]), "becomes": becomes})


# What follows runs in the process that reads.


def answer(request: Mapping[str, Any]) -> None:
    """Read what is asked for, and write it in frames to what was the standard output."""
    out = os.fdopen(os.dup(1), "wb")
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)  # a library that prints would write among the frames
    threading.Thread(target=_end_with_parent, daemon=True).start()
    limits = Limits(**request["limits"])
    _bound_memory(limits.reader_bytes)
    options = ReadOptions(**_plain(request["options"]), limits=limits)
    try:
        _tell(request, options, out)
        frame = (END, b"")
    except SfumatoError as error:
        frame = (FAILED, json.dumps(str(error).removeprefix(f"{request['source']}: ")).encode())
    except MemoryError:
        frame = (FAILED, b"null")
    except Exception:  # what a library says may quote a cell
        frame = (FAILED, json.dumps("this is not a whole file of its kind; it may be damaged.").encode())
    with suppress(BrokenPipeError):
        _write(out, *frame)
        out.flush()
    os._exit(0)  # at once: nothing is left to do, and a library may crash when it is taken down


def _tell(request: Mapping[str, Any], options: ReadOptions, out: IO[bytes]) -> None:
    format_ = getattr(import_module(request["module"]), request["format"])()
    if request["call"] == "held":
        return _write(out, TOLD, json.dumps(format_.held(request["source"])).encode())
    import pyarrow as pa

    rows = format_.staged(request["source"], options)
    _write(out, TOLD, json.dumps(rows.told()).encode())
    with io.BufferedWriter(_FrameWriter(out), AT_ONCE) as buffer, pa.ipc.new_stream(buffer, rows.schema) as stream:
        for batch in rows.batches:
            stream.write_batch(batch)
    return None


def _write(out: IO[bytes], sort: bytes, content: bytes) -> None:
    out.write(FRAME.pack(sort, len(content)) + content)
    out.flush()


class _FrameWriter(io.RawIOBase):
    """A stream of bytes, written as frames of rows."""

    def __init__(self, out: IO[bytes]) -> None:
        self._out = out

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        _write(self._out, ROWS, bytes(data))
        return len(data)


def _plain(options: Mapping[str, Any]) -> dict[str, Any]:
    """Options as they were before they were JSON."""
    missing = None if options["missing"] is None else tuple(options["missing"])
    also = {column: tuple(texts) for column, texts in options["also_missing"].items()}
    return {**options, "missing": missing, "also_missing": also}


def _bound_memory(size: int) -> None:
    """Let the process have no more memory than that, where the system can say so; not even if it may have more."""
    with suppress(ImportError, OSError, ValueError):  # Windows has no such limits, and macOS does not keep to them
        import resource

        _, hardest = resource.getrlimit(resource.RLIMIT_AS)
        most = size if hardest == resource.RLIM_INFINITY else min(size, hardest)
        resource.setrlimit(resource.RLIMIT_AS, (most, hardest))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))  # a core file would hold the rows


def _end_with_parent() -> None:
    """End when the process that started this one has: its end of the pipe is closed then."""
    with suppress(OSError):
        while os.read(0, 4096):
            pass
    os._exit(1)
