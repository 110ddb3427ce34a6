"""The files of the human corpus, read in place: a directory, or a .tar.* or .zip archive.

Nothing of an archive is unpacked to disk, and one with members that no honest archive holds is refused. The layout is
that of the public repository's `data/` folder (any folder above it will do):

    logs/splits.json                                          target structures of train, val and test
    logs/data-*/logs/<game id>/postprocessed-observations.json
    gold-configurations/C<number>.xml                         target structures
"""

import lzma
import os
import re
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from bap_v2_metric.errors import UserError

PUBLIC_SOURCE = "https://github.com/prashant-jayan21/minecraft-bap-models (data/)"
LOG_NAME = re.compile(r"logs/[^/]+/logs/(?P<game_id>[^/]+)/postprocessed-observations\.json")
TARGET_NAME = re.compile(r"gold-configurations/(?P<target>C[0-9]+)\.xml")
_GAME_FOLDER = re.compile(r"logs/[^/]+/logs/[^/]+/")
_LARGEST_FILE = 256 * 2**20  # a log has 0.4 MB, the largest 3 MB
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
    # An archive, by what it holds and not by its name.
    if path.is_file():
        try:
            if zipfile.is_zipfile(path):
                return _open_zip(path)
            if tarfile.is_tarfile(path):
                return _open_tar(path)
        except CorpusError:
            raise
        except (*_DAMAGED, ValueError) as error:
            raise CorpusError(f"{path} is a broken archive: {error or type(error).__name__}") from None
        # Something else; a .zip whose end is missing is not taken for one.
        with open(path, "rb") as file:
            if file.read(4) == b"PK\3\4":
                raise CorpusError(f"{path} is a broken archive: a .zip without its end")
        raise CorpusError(f"{path} is neither a directory nor a .tar.* or .zip archive")
    raise CorpusError(f"{path} does not exist: pass the corpus's directory or archive (from {PUBLIC_SOURCE})")


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


def _open_directory(path: Path) -> CorpusFiles:
    # All files and folders, through links but not in circles.
    names, all_folders, walked = [], [], set()
    for folder, folders, files in os.walk(path, onerror=_unreadable, followlinks=True):
        real = os.path.realpath(folder)
        if real in walked:  # a link back
            folders.clear()
            continue
        walked.add(real)
        folders[:] = sorted(f for f in folders if not f.startswith("."))
        relative = Path(folder).relative_to(path)
        all_folders.append(f"{relative.as_posix()}/")
        names += [(relative / f).as_posix() for f in files if f.endswith((".json", ".xml"))]
    rooted = _rooted(names, path)

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


def _check_member(path: Path, name: str, is_link: bool, size: int) -> None:
    """Refuse what no honest archive of the corpus holds: nothing is unpacked, but such a file is not trusted."""
    pure = PurePosixPath(name.replace("\\", "/"))
    if pure.is_absolute() or ".." in pure.parts or re.match(r"[A-Za-z]:", name):
        raise CorpusError(f"{path}: the member {name!r} would escape from the archive; nothing was read")
    if is_link:
        raise CorpusError(f"{path}: the member {name!r} is a link or a device; nothing was read")
    if size > _LARGEST_FILE and name.endswith((".json", ".xml")):
        raise CorpusError(f"{path}: the member {name!r} claims {size:,} bytes; nothing was read")


def _plain(name: str) -> str:
    return name.removeprefix("./")


def _open_zip(path: Path) -> CorpusFiles:
    # Its list of files is all that is read now.
    with zipfile.ZipFile(path) as archive:
        infos = [info for info in archive.infolist() if not info.is_dir()]
    for info in infos:
        mode = info.external_attr >> 16
        _check_member(path, info.filename, mode & 0o170000 not in (0, 0o100000), info.file_size)
    rooted = _rooted([info.filename for info in infos], path)

    # A damaged member costs only itself.
    def stream(requested: list[str]) -> Iterator[tuple[str, bytes | Problem]]:
        with zipfile.ZipFile(path) as archive:
            for name in requested:
                try:
                    yield name, archive.read(rooted[name])
                except _DAMAGED as error:
                    yield name, Problem(f"it cannot be read: {error}")

    return CorpusFiles(path, list(rooted), {}, stream, _without_log([info.filename for info in infos], rooted))


def _open_tar(path: Path) -> CorpusFiles:
    small: dict[str, bytes] = {}
    positions: dict[str, int] = {}  # of a file that occurs twice, the later one counts
    with tarfile.open(path) as archive:
        for position, member in enumerate(archive):
            if member.isdir():
                continue
            _check_member(path, member.name, not member.isfile(), member.size)
            name = _plain(member.name)
            positions[name] = position
            if name.endswith(("splits.json", ".xml")):
                small[name] = archive.extractfile(member).read()
        # tarfile takes a header that is cut off or damaged for the archive's end.
        archive.fileobj.seek(archive.offset)
        if archive.fileobj.read(tarfile.BLOCKSIZE) != bytes(tarfile.BLOCKSIZE):
            raise tarfile.ReadError(f"it breaks off, or is damaged, after {len(positions):,} files")
    rooted = _rooted(list(positions), path)

    def stream(requested: list[str]) -> Iterator[tuple[str, bytes | Problem]]:
        # An archive is read from its start to its end; going back would decompress it again for every log.
        remaining = {rooted[name]: name for name in requested}
        with tarfile.open(path) as archive:
            for position, member in enumerate(archive):
                full = _plain(member.name)
                if full in remaining and position == positions[full]:
                    yield remaining[full], archive.extractfile(member).read()

    in_order = sorted(rooted, key=lambda name: positions[rooted[name]])
    small_files = {name: small[full] for name, full in rooted.items() if full in small}
    return CorpusFiles(path, in_order, small_files, stream, _without_log(positions, rooted))
