"""Everything this package raises on purpose.

    SfumatoError
    ├── UnusableInput        the source cannot be read as a table of records
    │   ├── UnreadableFile   ... because of the file: missing, ragged, wrongly encoded
    │   │   ├── TruncatedFile    ... or not whole
    │   │   └── BeyondLimit      ... or larger than anything that is read unless it is asked for
    │   ├── EmptyTable       ... because it has no records
    │   └── MissingExtra     ... because the reader for it is not installed
    ├── SchemaError          the columns are not what the caller said they are
    │   ├── UnknownColumn
    │   ├── MissingRole
    │   ├── WrongScale
    │   └── HierarchyError   a hierarchy cannot be built, or is none
    │       ├── UnknownKind      ... because nothing builds hierarchies of that kind
    │       └── UnplacedValues   ... because it has no place for some values
    ├── PolicyError          the requirements cannot be read
    │   ├── UnknownMeasure
    │   └── InfeasiblePolicy ... or cannot be met by these data; says what would help
    ├── PlanError            a step of a plan cannot be read, or cannot be done to these data
    ├── SecretError          a key or passphrase lacks, or is not kept secret
    ├── ProjectError         the project file (or a study's configuration) cannot be read
    ├── OutputError          the results could not be written; nothing was left half-written
    ├── ServiceRefusal       the service does not do what it was asked; each has its HTTP status
    └── EngineError          the engine could not do what it was asked

Messages name files, lines, columns, counts and limits. They never contain a cell value: the
rows are somebody's health record, and error messages end up in log files.
"""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


class SfumatoError(Exception):
    """Base class: catch this to catch every deliberate error.

    Python keeps the error that was being handled when another is raised, `from None` or not, and what walks such chains
    (a logger, a debugger, a notebook) would show what a driver said of a cell. So an error of ours forgets it: there is
    nothing before it.
    """

    def __init__(self, *arguments: object) -> None:
        super().__init__(*arguments)
        self.__suppress_context__ = True  # for what shows errors without asking for the two below

    @property
    def __context__(self) -> None:
        """Nothing: the error that was being handled is let go."""
        BaseException.__dict__["__context__"].__set__(self, None)

    @__context__.setter
    def __context__(self, error: BaseException | None) -> None:
        """Not kept."""

    @property
    def __cause__(self) -> None:
        """Nothing, as above."""
        BaseException.__dict__["__cause__"].__set__(self, None)

    @__cause__.setter
    def __cause__(self, error: BaseException | None) -> None:
        """Not kept."""


class UnusableInput(SfumatoError):
    """The source cannot be read as a table of records."""


class UnfitData(UnusableInput, ValueError):
    """Data that a step cannot be fitted on, or other than those it was fitted on; scikit-learn expects a ValueError."""


class UnreadableFile(UnusableInput):
    """A file cannot be read; says which, where (line), and what to do."""

    def __init__(self, path: object, problem: str, *, line: int | None = None, hint: str = "") -> None:
        self.path, self.line = str(path), line
        where = f"{path}, line {line}" if line is not None else f"{path}"
        super().__init__(f"{where}: {problem}{' ' + hint if hint else ''}")


class TruncatedFile(UnreadableFile):
    """A file is not whole, or not of the kind that its name says."""

    def __init__(self, path: object, kind: str) -> None:
        super().__init__(
            path, f"this is not a whole {kind} file; it may be truncated.", hint="Copy or export it again."
        )


class BeyondLimit(UnreadableFile):
    """A source is larger in some respect than what is read; `limit` is the name of the limit."""

    def __init__(self, path: object, problem: str, limit: str, most: int, needed: int) -> None:
        self.limit, self.larger = limit, f"{limit}={needed}"
        self.problem = f"{problem}; the limit `{limit}` is {most:,}."
        hint = f"If it is meant to be so, raise the limit: --limit {self.larger}, or SFUMATO_LIMITS={self.larger}."
        super().__init__(path, self.problem, hint=hint)


class EmptyTable(UnusableInput):
    """There are no records, so there is nothing to read a measure off."""

    def __init__(self, source: str = "The table") -> None:
        super().__init__(f"{source} has no records: there is nothing to assess. Check the extract that made it.")


class MissingExtra(UnusableInput):
    """A reader or engine needs an optional part of the package."""

    def __init__(self, what: str, extra: str) -> None:
        super().__init__(f"{what} needs an optional part of Sfumato. Install it with: pip install 'sfumato[{extra}]'")


class SchemaError(SfumatoError):
    """The columns are not what the caller said they are; `column` is the one that is meant, where it is one."""

    def __init__(self, problem: str, *, column: str | None = None) -> None:
        super().__init__(problem)
        self.column = column


class UnknownColumn(SchemaError):
    """A named column is not in the table."""

    def __init__(self, column: str, available: Iterable[str]) -> None:
        super().__init__(f"There is no column {shown(column)}.{did_you_mean(column, available)}", column=column)


class MissingRole(SchemaError):
    """An operation needs a column with a role that no column has."""

    def __init__(self, role: str, needed_for: str) -> None:
        super().__init__(
            f"{needed_for} needs at least one column with the role {str(role)!r}, and there is none. "
            f"Name one with --{role} COLUMN, {role}=[...] in Python, or `role: {role}` in sfumato.yaml."
        )


class WrongScale(SchemaError):
    """A column is not of the kind that a measure or a setting needs."""


class HierarchyError(SchemaError):
    """A hierarchy cannot be built, or what was given is no hierarchy."""


class UnknownKind(HierarchyError):
    """No builder makes hierarchies of the kind that was asked for."""

    def __init__(self, kind: str, available: Iterable[str]) -> None:
        super().__init__(f"There is no kind of hierarchy {kind!r}.{did_you_mean(kind, available)}")


class UnplacedValues(HierarchyError):
    """Some values have no place in a hierarchy; says how many, and in which rows by number."""

    def __init__(
        self, problem: str, *, values: int, records: int, column: str | None = None, rows: Iterable[int] = ()
    ) -> None:
        self.problem, self.values, self.records, self.rows = problem, values, records, tuple(rows)
        listed = ", ".join(str(row) for row in self.rows) + (", ..." if records > len(self.rows) else "")
        where = f" ({'row' if records == 1 else 'rows'} {listed})" if self.rows else ""
        super().__init__(
            f"{'There are' if column is None else f'Column {column!r} has'} values that {problem}: {values} different, "
            f"in {records} record{'s' * (records != 1)}{where}. "
            f"Correct them, or send them to the top of the hierarchy: --unknown top, or unknown='top' in Python."
        )


class PolicyError(SfumatoError):
    """The requirements cannot be read."""


class NothingRequired(PolicyError):
    """Nobody has said what must hold of a release."""

    def __init__(self) -> None:
        super().__init__("Nothing is required of the release. Say what must hold: --k 5, or measures in the file.")


class UnknownMeasure(PolicyError):
    """A requirement names a measure that is not in the catalogue."""

    def __init__(self, name: str, available: Iterable[str]) -> None:
        super().__init__(f"There is no measure {name!r}.{did_you_mean(name, available)}")


class InfeasiblePolicy(PolicyError):
    """No release of these data keeps to the policy; `advice` are the changes that would help, each by itself."""

    def __init__(self, problem: str, advice: Iterable[str] = ()) -> None:
        self.advice = tuple(advice)
        super().__init__("\n- ".join((problem, *self.advice)))


class OutOfTime(PolicyError):
    """A method that has no release before it ends was not finished within the seconds that it was given."""

    def __init__(self) -> None:
        super().__init__(
            "The method was not finished within its limit of seconds, and has no release until it is. Give it more "
            "seconds, or take --method optimal, which ends with the best so far."
        )


class PlanError(SfumatoError):
    """A step of a plan cannot be read, or cannot be done to these data; nothing was written."""


class SecretError(SfumatoError):
    """A key or a passphrase lacks, or others could read it. Its message never holds the secret."""


class ProjectError(SfumatoError):
    """The project file, or the configuration of a study, cannot be read."""

    def __init__(self, path: object, problem: str, *, line: int | None = None) -> None:
        self.path, self.line = str(path), line
        where = f"{path}, line {line}" if line is not None else f"{path}"
        super().__init__(f"{where}: {problem}")


class OutsidePlace(SfumatoError):
    """A file names a place outside of its own folder, and nobody allowed that place."""

    def __init__(self, problem: str, allow: str | None = None) -> None:
        self.allow = allow
        consent = (
            f". Put what is needed beside this file, or allow the place: --allow {allow} "
            f"(or SFUMATO_ALLOW; in Python sfumato.allowing)"
        )
        super().__init__(f"{problem}{consent if allow else ''}.")


class OutputError(SfumatoError):
    """The results could not be written; nothing was left half-written."""


class DeliveryRefused(SfumatoError):
    """A package is not one that may be handed on."""


class ServiceRefusal(SfumatoError):
    """The service does not do what it was asked; `status` is the code of HTTP that says so, `kind` its short name."""

    status, kind = 422, "refused"


class NotSignedIn(ServiceRefusal):
    """It is not known who is asking, or no longer."""

    status, kind = 401, "not-signed-in"

    def __init__(self, problem: str = "Sign in first.") -> None:
        super().__init__(problem)


class NotAllowed(ServiceRefusal):
    """Who is asking may know of this, and may not do it."""

    status, kind = 403, "not-allowed"


class NotKnown(ServiceRefusal):
    """There is no such thing, or none that who is asking may know of: the two look the same."""

    status, kind = 404, "not-known"

    def __init__(self, what: str = "what was asked for") -> None:
        super().__init__(f"There is no such thing here: {what}.")


class Conflict(ServiceRefusal):
    """What is asked for does not go with the state that things are in."""

    status, kind = 409, "conflict"


class Stale(ServiceRefusal):
    """Somebody else has changed it meanwhile."""

    status, kind = 412, "stale"


class TooLarge(ServiceRefusal):
    """More than the service takes; names the limit."""

    status, kind = 413, "too-large"


class TooOften(ServiceRefusal):
    """Too many tries; `after` are the seconds to wait."""

    status, kind = 429, "too-often"

    def __init__(self, after: int) -> None:
        self.after = after
        super().__init__(f"Too many tries. Wait {after} seconds, then try again.")


class ServiceUnavailable(ServiceRefusal):
    """Something that the service needs does not answer, such as its database."""

    status, kind = 503, "unavailable"

    def __init__(self, what: str = "The database of the service") -> None:
        super().__init__(f"{what} does not answer. Try again in a moment; nothing was lost.")


class EngineError(SfumatoError):
    """The engine could not do what it was asked.

    Drivers quote the offending cell, or the whole line of a CSV file, so their own message
    is left behind: raise this `from None`.
    """

    def __init__(self, engine: str, cause: BaseException, hint: str = "") -> None:
        self.kind = type(cause).__name__
        super().__init__(
            f"{engine} stopped with {type(cause).__name__}. Its message may quote data and is withheld."
            f"{' ' + hint if hint else ''}"
        )


class OutOfMemory(EngineError):
    """The engine needs more memory than there is, or than it was given."""


SHOWN = 100  # letters of a name that a message shows: a name may be a page long


def shown(name: str) -> str:
    """A name in quotes for a message, cut where it is very long."""
    return repr(name if len(name) <= SHOWN else f"{name[:SHOWN]}...")


def did_you_mean(word: str, options: Iterable[str]) -> str:
    """The nearest valid name, as the end of an error message."""
    options = [str(option) for option in options]
    close = get_close_matches(word, options, n=1) or get_close_matches(
        word.lower(), [option.lower() for option in options], n=1
    )
    if close:
        nearest = next((option for option in options if option.lower() == close[0].lower()), close[0])
        return f" Did you mean {shown(nearest)}?"
    listed = ", ".join(map(shown, sorted(options)[:12]))
    return f" Choose from {listed}{', ...' if len(options) > 12 else ''}." if options else ""


def exit_code(error: BaseException | None) -> int:
    """The code with which a command ends: 1 where a requirement is not met, 2 for errors, 128 and more for signals."""
    if isinstance(error, KeyboardInterrupt):
        return 130  # 128 and the number of SIGINT
    if isinstance(error, SystemExit):
        return error.code if isinstance(error.code, int) else int(error.code is not None)
    return 0 if error is None else int(getattr(error, "exit_code", 1 if isinstance(error, InfeasiblePolicy) else 2))
