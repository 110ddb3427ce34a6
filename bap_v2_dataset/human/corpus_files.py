"""The files of the human corpus, read in place: a directory, or a .tar.* or .zip archive.

Nothing of an archive is unpacked to disk, and one with members that no honest archive holds is refused; of a directory
no link is followed out. Only files of the corpus are read, up to a size and a sum. The layout is that of the public
repository's `data/` folder (any folder above it will do):

    logs/splits.json                                          target structures of train, val and test
    logs/data-*/logs/<game id>/postprocessed-observations.json
    gold-configurations/C<number>.xml                         target structures
"""

import bz2
import gzip
import io
import lzma
import os
import re
import shutil
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import BinaryIO

from bap_v2_metric.errors import UserError

PUBLIC_SOURCE = "https://github.com/prashant-jayan21/minecraft-bap-models (data/)"
LOG_NAME = re.compile(r"logs/[^/]+/logs/(?P<game_id>[^/]+)/postprocessed-observations\.json")
TARGET_NAME = re.compile(r"gold-configurations/(?P<target>C[0-9]+)\.xml")
_GAME_FOLDER = re.compile(r"logs/[^/]+/logs/[^/]+/")
_IN_A_CORPUS = re.compile(r"(.*/)?(logs/splits\.json|logs/[^/]+/logs/[^/]+/.*|gold-configurations/C[0-9]+\.xml)")
# Bytes that are read, at most: several times those of the published corpus, whose largest log has 3 MB, others 5 kB.
_LARGEST_LOG, _LARGEST_OTHER = 2**25, 2**18
_MOST_OF_LOGS, _MOST_OF_OTHERS = 2**31, 2**24  # together; they have 188 MB and 0.3 MB
_MOST_HEADERS = 2**28  # of a .tar, with its small files
_LARGEST_TAR = 2**33  # without compression
_LONGEST_NAME = 4096  # characters
_MOST_FOLDERS = 100_000  # of a directory; the corpus has 549
_COMPRESSED = {b"\x1f\x8b": gzip.open, b"BZh": bz2.open, b"\xfd7zXZ": lzma.open, b"]\0\0": lzma.open}
_DAMAGED = (  # what reading a damaged or encrypted file of an archive, or an unreadable one of a directory, may raise
    OSError, EOFError, NotImplementedError, RuntimeError, tarfile.TarError, zipfile.BadZipFile, lzma.LZMAError,
    zlib.error,
)  # fmt: skip


class CorpusError(UserError):
    """The corpus cannot be read at all; the message names the file, the cause and the fix."""


@dataclass(frozen=True, slots=True)
class Problem:
    """A file of the corpus that cannot be read; the others may be intact."""

    cause: str


@dataclass(frozen=True)
class CorpusFiles:
    """The files of a corpus by their names below its root."""

    path: Path
    names: list[str]
    small_files: Mapping[str, bytes]
    stream: Callable[[list[str]], Iterator[tuple[str, bytes | Problem]]]  # names and contents, in any order
    folders_without_log: list[str]  # of games

    def read(self, name: str) -> bytes:
        """Return the contents of one file. Raises: CorpusError if it cannot be read."""
        data = self.small_files[name] if name in self.small_files else next(self.stream([name]))[1]
        if isinstance(data, Problem):
            raise CorpusError(data.cause)
        return data


def _is_corpus_file(name: str) -> bool:
    return name == "logs/splits.json" or bool(LOG_NAME.fullmatch(name) or TARGET_NAME.fullmatch(name))


def open_corpus(path: Path) -> CorpusFiles:
    """Open the corpus at `path`: a directory or an archive that holds it at any depth.

    Raises:
        CorpusError: nothing there, no corpus or several, an unsafe or broken archive.
    """
    if path.is_dir():
        return _open_directory(path)
    if not path.is_file():
        state = "is no file" if path.exists() else "does not exist"
        raise CorpusError(f"{path} {state}: pass the corpus's directory or archive (from {PUBLIC_SOURCE})")
    # An archive, by what it holds and not by its name.
    try:
        return _open_zip(path) if zipfile.is_zipfile(path) else _open_tar(path)
    except CorpusError:
        raise
    except (*_DAMAGED, ValueError) as error:
        kinds = "neither a directory nor a .tar.* or .zip archive, or a broken archive"
        raise CorpusError(f"{path} is {kinds}: {error or type(error).__name__}") from None


def _rooted(names: list[str], path: Path) -> dict[str, str]:
    """Map the names of the corpus's files below its root to their names in the archive or directory.

    The corpus nearest to the top is taken: the public repository holds an augmented copy deeper down.
    """
    splits = [name for name in names if name == "logs/splits.json" or name.endswith("/logs/splits.json")]
    depth = min((name.count("/") for name in splits), default=0)
    splits = [name for name in splits if name.count("/") == depth]
    if not splits:
        raise CorpusError(
            f"{path} holds no logs/splits.json: pass the corpus's directory or archive, "
            f"in the layout of {PUBLIC_SOURCE}"
        )
    if len(splits) > 1:
        raise CorpusError(f"{path} holds several corpora ({', '.join(sorted(splits)[:3])}): pass one of them")
    root = splits[0].removesuffix("logs/splits.json")
    return {
        n.removeprefix(root): n for n in sorted(names) if n.startswith(root) and _is_corpus_file(n.removeprefix(root))
    }


def _check_sizes(path: Path, sizes: Mapping[str, int]) -> None:
    """Raise a CorpusError if files, by their names below the root, have more bytes than those of a corpus."""
    logs = {name: size for name, size in sizes.items() if LOG_NAME.fullmatch(name)}
    others = {name: size for name, size in sizes.items() if name not in logs}
    for members, largest, most in ((logs, _LARGEST_LOG, _MOST_OF_LOGS), (others, _LARGEST_OTHER, _MOST_OF_OTHERS)):
        name = max(members, key=members.__getitem__, default="")
        if name and members[name] > largest:
            raise CorpusError(f"{path}: the member {name!r} claims {members[name]:,} bytes; nothing was read")
        if (total := sum(members.values())) > most:
            raise CorpusError(f"{path}: {len(members):,} files like {name} claim {total:,} bytes; nothing was read")


def _open_directory(path: Path) -> CorpusFiles:
    # All files and folders, through links inside but not in circles.
    names, all_folders = [], []
    root = Path(os.path.realpath(path))
    for folder, folders, files in os.walk(path, onerror=_unreadable, followlinks=True):
        real = Path(os.path.realpath(folder))
        relative = Path(folder).relative_to(path)
        if not real.is_relative_to(root) and {"logs", "gold-configurations"}.intersection(relative.parts):
            raise CorpusError(f"{folder} is a link out of the corpus; nothing was read: pass a copy (`cp -rL`)")
        if not real.is_relative_to(root) or str(real) in map(os.path.realpath, Path(folder).parents):  # out, or back
            folders.clear()
            continue
        if len(all_folders) > _MOST_FOLDERS:
            raise CorpusError(f"{path} holds more than {_MOST_FOLDERS:,} folders: pass the corpus's own directory")
        folders[:] = sorted(f for f in folders if not f.startswith("."))
        all_folders.append(f"{relative.as_posix()}/")
        names += [name for f in files if _IN_A_CORPUS.fullmatch(name := (relative / f).as_posix())]
    rooted = _rooted(names, path)
    # Only files inside it are read.
    there = {name: path / full for name, full in rooted.items() if (path / full).exists()}
    for file in there.values():
        if not (file.is_file() and Path(os.path.realpath(file)).is_relative_to(root)):
            raise CorpusError(
                f"{file} is a device, or a link out of the corpus; nothing was read: pass a copy (cp -rL)"
            )
    _check_sizes(path, {name: file.stat().st_size for name, file in there.items()})

    # A file that cannot be read costs only itself.
    def stream(requested: list[str]) -> Iterator[tuple[str, bytes | Problem]]:
        for name in requested:
            try:
                yield name, (path / rooted[name]).read_bytes()
            except OSError as error:
                yield name, Problem(f"it cannot be read: {error.strerror or error}")

    return CorpusFiles(path, list(rooted), {}, stream, _without_log(all_folders, rooted))


def _unreadable(error: OSError) -> None:
    raise CorpusError(f"{error.filename} cannot be read: {error.strerror}")


def _without_log(names: Iterable[str], rooted: Mapping[str, str]) -> list[str]:
    """Return the folders of games, below the corpus's root, that hold no log."""
    root = rooted["logs/splits.json"].removesuffix("logs/splits.json")
    folders = {match[0] for name in names if (match := _GAME_FOLDER.match(name.removeprefix(root)))}
    return sorted(folders - {name.rpartition("/")[0] + "/" for name in rooted})


def _check_member(path: Path, name: str, is_link: bool) -> None:
    """Refuse what no honest archive of the corpus holds: nothing is unpacked, but such a file is not trusted."""
    if len(name) > _LONGEST_NAME:
        raise CorpusError(f"{path}: the name of a member has {len(name):,} characters; nothing was read")
    pure = PurePosixPath(name.replace("\\", "/"))
    if pure.is_absolute() or ".." in pure.parts or re.match(r"[A-Za-z]:", name):
        raise CorpusError(f"{path}: the member {name!r} would escape from the archive; nothing was read")
    if is_link:
        raise CorpusError(f"{path}: the member {name!r} is a link or a device; nothing was read")


def _plain(name: str) -> str:
    return name.removeprefix("./")


def _open_zip(path: Path) -> CorpusFiles:
    # Its list of files is all that is read now.
    with zipfile.ZipFile(path) as archive:
        infos = {info.filename: info for info in archive.infolist() if not info.is_dir()}
    for name, info in infos.items():
        mode = info.external_attr >> 16
        _check_member(path, name, mode & 0o170000 not in (0, 0o100000))
    rooted = _rooted(list(infos), path)
    _check_sizes(path, {name: infos[full].file_size for name, full in rooted.items()})

    # A damaged member costs only itself.
    def stream(requested: list[str]) -> Iterator[tuple[str, bytes | Problem]]:
        with zipfile.ZipFile(path) as archive:
            for name in requested:
                data = io.BytesIO()
                try:
                    with archive.open(rooted[name]) as member:
                        shutil.copyfileobj(member, data, 4096)  # what more inflates to is not kept
                    yield name, data.getvalue()
                except _DAMAGED as error:
                    yield name, Problem(f"it cannot be read: {error}")

    return CorpusFiles(path, list(rooted), {}, stream, _without_log(infos, rooted))


class _Metered:
    """A .tar without its compression, of which only so much is read; what is skipped is not kept, and costs nothing.

    Args:
        at_once: bytes; a name, too, is read at once.
    """

    def __init__(self, stream: BinaryIO, at_once: int, in_all: int):
        self._at_once, self._left = at_once, in_all
        self._read, self.seek, self.tell = stream.read, stream.seek, stream.tell

    def read(self, size: int) -> bytes:
        self._left -= size
        if not 0 <= size <= self._at_once or self._left < 0:
            raise tarfile.ReadError("its list of files is larger than that of any corpus")
        return self._read(size)


def _members(
    path: Path, at_once: int = _LARGEST_LOG, in_all: int = 2**63
) -> Iterator[tuple[int, tarfile.TarFile, tarfile.TarInfo]]:
    """Yield position, archive and member of each file, and keep none of them."""
    with open(path, "rb") as file:
        start = file.read(6)
    opener = next((opener for magic, opener in _COMPRESSED.items() if start.startswith(magic)), open)
    with opener(path, "rb") as stream, tarfile.open(mode="r:", fileobj=_Metered(stream, at_once, in_all)) as archive:
        position = end = -1
        for position, member in enumerate(archive):
            archive.members.clear()
            if (
                member.size < 0 or not end < archive.offset <= _LARGEST_TAR
            ):  # else it would be read in circles, or for long
                raise tarfile.ReadError(f"the member {member.name[:99]!r} claims {member.size:,} bytes")
            end = archive.offset
            if not member.isdir():
                yield position, archive, member
        # tarfile takes a header that is cut off or damaged for the archive's end.
        archive.fileobj.seek(archive.offset)
        if archive.fileobj.read(tarfile.BLOCKSIZE) != bytes(tarfile.BLOCKSIZE):
            raise tarfile.ReadError(f"it breaks off, or is damaged, after {position + 1:,} files")


def _open_tar(path: Path) -> CorpusFiles:
    small: dict[str, bytes] = {}
    found: dict[str, tuple[int, int]] = {}  # position and size; of a file that occurs twice, the later one counts
    for position, archive, member in _members(path, 2**20, _MOST_HEADERS):
        _check_member(path, member.name, not member.isfile())
        if not _IN_A_CORPUS.fullmatch(name := _plain(member.name)):
            continue
        found[name] = position, member.size
        if name.endswith(("/splits.json", ".xml")) and member.size <= _LARGEST_OTHER:
            small[name] = archive.extractfile(member).read()
    rooted = _rooted(list(found), path)
    _check_sizes(path, {name: found[full][1] for name, full in rooted.items()})

    def stream(requested: list[str]) -> Iterator[tuple[str, bytes | Problem]]:
        # An archive is read from its start to its end; going back would decompress it again for every log.
        remaining = {rooted[name]: name for name in requested}
        for position, archive, member in _members(path):
            full = _plain(member.name)
            if full in remaining and position == found[full][0]:
                yield remaining[full], archive.extractfile(member).read()

    in_order = sorted(rooted, key=lambda name: found[rooted[name]])
    small_files = {name: small[full] for name, full in rooted.items() if full in small}
    return CorpusFiles(path, in_order, small_files, stream, _without_log(found, rooted))
