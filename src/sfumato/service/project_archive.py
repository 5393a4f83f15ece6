"""The files of a project as one file: a zip archive that is the same for the same files, and one that comes in."""

from __future__ import annotations

import io
import stat
import zipfile
import zlib
from collections.abc import Mapping

from sfumato.errors import TooLarge
from sfumato.service.project_files import MOST_FILES, WrongFile, require_file_name, require_names

EARLIEST = (1980, 1, 1, 0, 0, 0)  # that an archive can say; when a file was written tells nothing of what is in it
RATIO = 200  # unpacked to packed bytes: text reaches 5 to 50
SMALL = 1_000_000  # bytes up to which no ratio matters
ENCRYPTED = 1  # the flag of a member
DAMAGED = "This is no whole zip archive of the files of a project."


def packed(files: Mapping[str, bytes]) -> bytes:
    """An archive of files; the same for the same files."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name in sorted(files):
            member = zipfile.ZipInfo(name, EARLIEST)
            member.compress_type, member.create_system = zipfile.ZIP_DEFLATED, 3
            member.external_attr = (stat.S_IFREG | 0o600) << 16
            archive.writestr(member, files[name])
    return stream.getvalue()


def unpacked(content: bytes, most: int) -> dict[str, bytes]:
    """The files in an archive that may come from anybody; refused before more than `most` bytes are unpacked."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            members = archive.infolist()
            _check(members, most)
            return {member.filename: _content(archive, member) for member in members}
    except (zipfile.BadZipFile, zlib.error, NotImplementedError, EOFError, OSError, ValueError, RuntimeError):
        raise WrongFile(DAMAGED) from None


def _check(members: list[zipfile.ZipInfo], most: int) -> None:
    if len(members) > MOST_FILES:
        raise TooLarge(f"A project has {MOST_FILES} files at the most.")
    for member in members:
        kind = stat.S_IFMT(member.external_attr >> 16)
        if member.is_dir() or kind not in (0, stat.S_IFREG) or member.flag_bits & ENCRYPTED:
            raise WrongFile("An archive of a project holds plain files only: no folders, links or encrypted files.")
        require_file_name(member.filename)
        if member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise WrongFile(DAMAGED)
        if member.file_size > max(SMALL, RATIO * member.compress_size):
            raise TooLarge(f"A file of the archive holds more than {RATIO} times its own size.")
    require_names((member.filename for member in members), ())
    if sum(member.file_size for member in members) > most:
        raise TooLarge(f"The files of a project have {most:,} bytes at the most (project_files_bytes).")


def _content(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> bytes:
    """A member, no byte more than it says that it has."""
    with archive.open(member) as stream:
        content = stream.read(member.file_size + 1)
    if len(content) != member.file_size:
        raise WrongFile(DAMAGED)
    return content
