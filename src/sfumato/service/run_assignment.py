"""The assignment of a worker: the folder of a run, the words of its command, its environment and its limits."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy.orm import Session

from sfumato.errors import Conflict, NotKnown, SfumatoError
from sfumato.project.user import VARIABLE as USER
from sfumato.proof.package.manifest import PUBLIC
from sfumato.proof.use_log.log import LOG_VARIABLE
from sfumato.service.database_address import bare_address
from sfumato.service.entities import RegisteredSource, Run, ServiceProject
from sfumato.service.run_commands import (
    BY_VERB,
    EARLIER,
    EARLIER_EVIDENCE,
    PROJECT_FILE,
    PUBLIC_KEY,
    SIGNING_KEY,
    RunCommand,
)
from sfumato.service.run_process import RunLimits
from sfumato.service.run_queue import RunState
from sfumato.service.run_results import USE_LOG, place_earlier
from sfumato.service.service import Service
from sfumato.service.work_folder import CONNECTION, Prepared, work_folder
from sfumato.temporary import VARIABLE as TEMPORARY

OF_RUN = "run"  # the option that names an earlier run by its handle: never typed
# What a run gets of the environment of the service: where programs are, and how this machine is set. Nothing else, so
# that no secret of the server and no setting of it is passed on.
PASSED = (
    "PATH", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "LD_LIBRARY_PATH", "SSL_CERT_FILE", "SSL_CERT_DIR", "SYSTEMROOT",
    "VIRTUAL_ENV", "PYTHONPATH", "PYTHONDONTWRITEBYTECODE", "SFUMATO_FAST", "OMP_NUM_THREADS",
)  # fmt: skip
PASSED_TO_SPARK = ("JAVA_HOME", "SPARK_HOME", "SPARK_CONF_DIR", "SFUMATO_SPARK_MASTER", "HADOOP_CONF_DIR")
TMP, HOME = "tmp", "home"  # folders in that of the run
# The part of the memory of a run that DuckDB takes before it spills to the disk: the rest is for Python and NumPy.
SHARE = 0.6


@dataclass(frozen=True)
class Assignment:
    """What a worker starts."""

    command: RunCommand
    arguments: list[str]
    environment: dict[str, str]
    limits: RunLimits
    prepared: Prepared
    project_file: bytes | None  # as it was when the run began


def assigned(service: Service, run: Run, folder: Path, user: str) -> Assignment:
    """Lay out the folder of a run; `SfumatoError` where its version or its source is no longer what it was."""
    command = BY_VERB[run.verb]
    with service.database.reading() as session:
        project = session.get_one(ServiceProject, run.project)
        prepared = work_folder(service, session, project, run.version, run.source, folder)
        source = session.get(RegisteredSource, run.source) if run.source else None
        released = _with_earlier(service, session, run, command, folder)
    if command.signs:
        _private(folder / SIGNING_KEY, service.keys.signing().read_bytes())
    if command.earlier == "package":
        _private(folder / PUBLIC_KEY, verifying_key(service, folder / EARLIER))
    spark = on_spark(run.options.get("engine"), folder / PROJECT_FILE)
    file = folder / PROJECT_FILE
    options = {name: value for name, value in run.options.items() if name != OF_RUN}
    table, more = named_table(command, source, prepared, before=released is not None and command.earlier == "table")
    return Assignment(
        command=command,
        arguments=command.arguments(options, table=table, more=more, released=released),
        environment=environment_of(service, prepared, folder, user, spark=spark),
        limits=limits_of(service, folder, network=spark or (source is not None and source.kind == CONNECTION)),
        prepared=prepared,
        project_file=file.read_bytes() if file.exists() else None,
    )


def verifying_key(service: Service, package: Path) -> bytes:
    """The public key of this server that a package is signed with; the newest where it is signed with none of them."""
    beside, known = package / PUBLIC, service.keys.public()
    said = beside.read_bytes() if beside.is_file() else b""
    return said if said in known else known[0]


def named_table(
    command: RunCommand, source: RegisteredSource | None, prepared: Prepared | None, *, before: bool
) -> tuple[str | None, tuple[str, ...]]:
    """What is typed as the table of a run, and the options that go with it; nothing where the project names it.

    `before` says that a release is typed after it, so that the table before has to be typed as well.
    """
    if not command.data and not before:
        return (prepared.source, prepared.options) if prepared is not None else (None, ())
    if source is None:
        return None, ()
    if source.kind == CONNECTION:
        return bare_address(source.name), (f"--table={source.table}",)
    return source.name, ()


def _with_earlier(service: Service, session: Session, run: Run, command: RunCommand, folder: Path) -> str | None:
    """Lay out what an earlier run has released, where this one is about it; the name of its table."""
    handle = run.options.get(OF_RUN)
    if not command.earlier or handle is None:
        return None
    earlier = session.get(Run, handle)
    if earlier is None or earlier.project != run.project or earlier.state != RunState.DONE:
        raise NotKnown("the earlier run")
    table = place_earlier(earlier, folder, service.storage, package=EARLIER, evidence=EARLIER_EVIDENCE)
    if command.earlier == "table" and table is None:
        raise Conflict("The earlier run has released no table.")
    return table


def on_spark(engine: str | None, file: Path) -> bool:
    """Whether the rows are held by Spark: an engine that was said is it, or else that of the project file."""
    if engine is not None or not file.exists():
        return engine == "spark"
    from sfumato.project.file import Project

    try:
        return Project.read(file).engine == "spark"
    except SfumatoError:  # what is wrong with it is said by the command itself, in full
        return False


def limits_of(service: Service, folder: Path, *, network: bool) -> RunLimits:
    """What a process may use that works in a folder, which then belongs to the user that it runs as."""
    settings = service.settings
    return RunLimits(
        memory=settings.run_memory,
        seconds=settings.run_seconds,
        disk=settings.run_disk,
        network=network,
        user=_user(service, folder),
    )


def environment_of(service: Service, prepared: Prepared, folder: Path, user: str, *, spark: bool) -> dict[str, str]:
    """The environment of a process that works in a folder, with folders in it for what it writes meanwhile."""
    for name in (TMP, HOME):
        (folder / name).mkdir(mode=0o700)
    names = (*PASSED, *(PASSED_TO_SPARK if spark else ()))
    passed = {name: os.environ[name] for name in names if name in os.environ}
    usual = {
        "HOME": str(folder / HOME),
        "TMPDIR": str(folder / TMP),
        TEMPORARY: str(folder / TMP),
        LOG_VARIABLE: str(folder / USE_LOG),
        USER: user,
    }
    # Naming the memory names DuckDB as the engine, which a project on Spark did not ask for.
    memory = {} if spark else {"SFUMATO_MEMORY": f"{int(SHARE * service.settings.run_memory / 10**6)}MB"}
    return {**passed, **usual, **memory, **prepared.environment}


def _user(service: Service, folder: Path) -> tuple[int, int] | None:
    """The user that the run belongs to, who then owns its folder; None where that is whoever the service runs as."""
    name = service.settings.run_user
    if name is None or os.name != "posix" or os.geteuid() != 0:
        return None
    import pwd

    try:
        known = pwd.getpwnam(name)
    except KeyError:
        raise Conflict("The user whom runs belong to (run_user) is not known on this system.") from None
    for place, folders, files in os.walk(folder):
        for entry in (".", *folders, *files):
            os.chown(os.path.join(place, entry), known.pw_uid, known.pw_gid, follow_symlinks=False)
    return known.pw_uid, known.pw_gid


def _private(path: Path, content: bytes) -> None:
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as stream:
        stream.write(content)
