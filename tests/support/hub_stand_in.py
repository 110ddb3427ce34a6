"""A Hugging Face Hub in memory, for tests: what pushing, loading and streaming ask of the real one, over HTTP.

    with HubStandIn() as hub:                           # in this process, on a free port
        run([...], env={"HF_ENDPOINT": hub.url, "HF_TOKEN": TOKEN, "HF_HUB_DISABLE_XET": "1"})
        hub.files("dataset", "tester/bap_v2")           # {path: bytes}

Clients read HF_ENDPOINT when they are imported. Files that `_is_large` names travel by the "basic" transfer of Git LFS,
the others inside the commit; Xet does not exist here. Accounts and their tokens are in `TOKENS`.
"""

import base64
import hashlib
import json
import re
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import NamedTuple
from urllib.parse import parse_qsl, unquote, urlsplit

TOKEN = "hf_" + "StandInWriteToken" + "0" * 17
READ_TOKEN = "hf_" + "StandInReadToken" + "0" * 18
OTHER_TOKEN = "hf_" + "StandInOtherToken" + "0" * 17


class Account(NamedTuple):
    name: str
    may_write: bool


TOKENS = {TOKEN: Account("tester", True), READ_TOKEN: Account("tester", False), OTHER_TOKEN: Account("other", True)}


@dataclass
class Fault:
    """What goes wrong with the next `times` requests whose "METHOD /path" holds `pattern`.

    `delay` waits that many seconds first. Then `status` answers with that and nothing happens; without `is_answered`
    what was requested is done, and the connection closes in the middle of the answer.
    """

    pattern: str
    status: int | None = None
    times: int = 1
    delay: float = 0.0
    is_answered: bool = True
    message: str = "injected fault"


@dataclass
class Blob:
    data: bytes
    large: bool

    @property
    def sha256(self) -> str:
        return hashlib.sha256(self.data).hexdigest()

    @property
    def oid(self) -> str:
        """The id of the git blob: of the content, or of the pointer to a large file."""
        return _git_blob(_pointer(self) if self.large else self.data)

    @property
    def etag(self) -> str:
        return self.sha256 if self.large else self.oid


Tree = dict[str, Blob]


@dataclass
class Repo:
    private: bool = False
    sdk: str | None = None
    commits: dict[str, Tree] = field(default_factory=dict)  # by commit id, oldest first
    branches: dict[str, str] = field(default_factory=dict)

    def commit_at(self, revision: str) -> str | None:
        return revision if revision in self.commits else self.branches.get(revision)

    def commit(self, branch: str, tree: Tree) -> str:
        parent = self.branches.get(branch, "")
        listing = "".join(f"{path} {blob.oid}\n" for path, blob in sorted(tree.items()))
        commit_id = hashlib.sha1(f"{len(self.commits)} {parent}\n{listing}".encode()).hexdigest()
        self.commits[commit_id] = tree
        self.branches[branch] = commit_id
        return commit_id


class Refusal(Exception):
    """An answer other than success."""

    def __init__(self, status: int, message: str, code: str | None = None):
        super().__init__(message)
        self.status, self.message, self.code = status, message, code


class HubStandIn:
    """The state of the Hub and the server that shows it."""

    def __init__(self) -> None:
        self.repos: dict[tuple[str, str], Repo] = {}  # by type and id
        self.large: dict[str, bytes] = {}  # by SHA-256: uploaded, whether committed or not
        self.requests: list[tuple[str, str, int]] = []  # method, path with query, status (0: dropped); never a header
        self.faults: list[Fault] = []
        self.lock = threading.RLock()
        handler = type("Handler", (_Handler,), {"hub": self})
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_port}"

    def __enter__(self) -> "HubStandIn":
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()
        return self

    def __exit__(self, *exception: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    def fail(self, pattern: str, status: int | None = None, times: int = 1, **more: object) -> None:
        """Makes the next `times` requests go wrong: see `Fault`."""
        with self.lock:
            self.faults.append(Fault(pattern, status, times, **more))

    def count_requests(self, pattern: str) -> int:
        """How many requests, as "METHOD /path", hold `pattern`."""
        with self.lock:
            return sum(bool(re.search(pattern, f"{method} {path}")) for method, path, _ in self.requests)

    def files(self, repo_type: str, repo_id: str, branch: str = "main") -> dict[str, bytes]:
        """The content of a branch."""
        with self.lock:
            repo = self.repos[repo_type, repo_id]
            return {path: blob.data for path, blob in repo.commits[repo.branches[branch]].items()}

    def state(self) -> dict:
        """All that a push may change: commits, and the files of each branch."""
        with self.lock:
            return {
                key: (len(repo.commits), {branch: self.files(*key, branch) for branch in repo.branches})
                for key, repo in self.repos.items()
            }

    def fault_for(self, request: str) -> Fault | None:
        with self.lock:
            for fault in self.faults:
                if re.search(fault.pattern, request):
                    fault.times -= 1
                    if fault.times <= 0:
                        self.faults.remove(fault)
                    return fault
        return None

    def create(self, repo_type: str, repo_id: str, private: bool = False, sdk: str | None = None) -> Repo:
        """A new repository with its first commit, as the Hub makes it."""
        with self.lock:
            repo = self.repos[repo_type, repo_id] = Repo(private, sdk)
            attributes = b"*.parquet filter=lfs diff=lfs merge=lfs -text\n"
            repo.commit("main", {".gitattributes": Blob(attributes, large=False)})
            return repo

    def publish(self, repo_type: str, repo_id: str, folder: Path, **more: bytes) -> str:
        """What a repository of anybody holds: the files of a folder, and `more` by path; returns the commit."""
        with self.lock:
            repo = self.repos.get((repo_type, repo_id)) or self.create(repo_type, repo_id)
            paths = [path for path in sorted(folder.rglob("*")) if path.is_file()]
            files = {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths} | more
            return repo.commit("main", {path: Blob(data, _is_large(path, len(data))) for path, data in files.items()})


def _git_blob(data: bytes) -> str:
    return hashlib.sha1(b"blob %d\0" % len(data) + data).hexdigest()


def _pointer(blob: Blob) -> bytes:
    return f"version https://git-lfs.github.com/spec/v1\noid sha256:{blob.sha256}\nsize {len(blob.data)}\n".encode()


def _is_large(path: str, size: int) -> bool:
    return size > 10_000_000 or path.endswith((".parquet", ".arrow", ".safetensors", ".bin", ".png", ".zip"))


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    wbufsize = -1  # an answer in one piece: head and body apart wait for each other
    hub: HubStandIn
    query: dict[str, str]
    body: bytes

    def log_message(self, *args: object) -> None:
        pass

    # --- One request.
    def _serve(self) -> None:
        url = urlsplit(self.path)
        self.query = dict(parse_qsl(url.query))
        hub = self.hub
        fault = hub.fault_for(f"{self.command} {url.path}")
        if fault and fault.delay:
            time.sleep(fault.delay)
        body = self._read_body()
        if body is None:  # the client has gone
            self.close_connection = True
            return
        self.body = body
        try:
            if fault and fault.status:
                raise Refusal(fault.status, fault.message)
            status, content, headers = self._answer(url.path)
        except Refusal as refusal:
            status, content = refusal.status, {"error": refusal.message}
            headers = {"X-Error-Message": refusal.message, **({"X-Error-Code": refusal.code} if refusal.code else {})}
        self._send(status, content, headers, cut=fault is not None and not fault.is_answered)

    do_GET = do_HEAD = do_POST = do_PUT = do_DELETE = _serve

    def _read_body(self) -> bytes | None:
        """The whole body; None if the client hung up before its end."""
        size = int(self.headers.get("Content-Length") or 0)
        body = self.rfile.read(size)
        return body if len(body) == size else None

    def _send(self, status: int, content: object, headers: "dict[str, str] | None" = None, cut: bool = False) -> None:
        data = content if isinstance(content, bytes) else json.dumps(content).encode()
        with self.hub.lock:
            self.hub.requests.append((self.command, self.path, 0 if cut else status))
        headers = {"Content-Type": "application/json", "Content-Length": str(len(data)), **(headers or {})}
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        if cut:
            data = data[: len(data) // 2]
            self.close_connection = True
        if self.command != "HEAD":
            self.wfile.write(data)

    def _answer(self, path: str) -> tuple[int, object, dict[str, str]]:
        for pattern, method in _ROUTES:
            if match := pattern.fullmatch(path):
                with self.hub.lock:
                    answer = method(self, **{name: unquote(text or "") for name, text in match.groupdict().items()})
                return answer if isinstance(answer, tuple) else (200, answer, {})
        raise Refusal(404, f"the stand-in does not know {path}", "EntryNotFound" if "/resolve/" in path else None)

    # --- Who may do what.
    def _account(self) -> Account | None:
        header = self.headers.get("Authorization")
        if not header:
            return None
        account = TOKENS.get(header.removeprefix("Bearer "))
        if account is None:
            raise Refusal(401, "Invalid credentials in Authorization header")
        return account

    def _repo(self, repo_type: str, repo_id: str) -> Repo:
        """A repository that may be read. For strangers, those of others that are private do not exist."""
        account = self._account()
        repo = self.hub.repos.get((repo_type, repo_id))
        if repo is None or (repo.private and (account is None or account.name != repo_id.split("/")[0])):
            if account is None:
                raise Refusal(401, "Invalid username or password.", "RepoNotFound")
            raise Refusal(404, "Repository not found", "RepoNotFound")
        return repo

    def _writable(self, repo_type: str, repo_id: str) -> Repo:
        repo = self._repo(repo_type, repo_id)
        self._may_write(repo_id.split("/")[0])
        return repo

    def _may_write(self, namespace: str) -> None:
        account = self._account()
        if account is None:
            raise Refusal(401, "Invalid username or password.")
        if not account.may_write or account.name != namespace:
            raise Refusal(403, f"You don't have the rights to write to the namespace {namespace!r}")

    def _commit_at(self, repo: Repo, revision: str) -> str:
        commit_id = repo.commit_at(revision or "main")
        if commit_id is None:
            raise Refusal(404, f"Invalid rev id: {revision}", "RevisionNotFound")
        return commit_id

    # --- The calls.
    def whoami(self) -> object:
        account = self._account()
        if account is None:
            raise Refusal(401, "Invalid username or password.")
        token = {"displayName": "t", "role": "write" if account.may_write else "read", "createdAt": _NOW}
        return {
            "type": "user", "id": account.name, "name": account.name, "fullname": account.name, "orgs": [],
            "auth": {"type": "access_token", "accessToken": token},
        }  # fmt: skip

    def validate_yaml(self) -> object:
        lines = json.loads(self.body)["content"].splitlines()
        closed = lines[:1] == ["---"] and "---" in lines[1:]
        return {"errors": [] if closed else [{"message": "no front matter"}], "warnings": []}

    def create_repo(self) -> object:
        request = json.loads(self.body)
        account = self._account()
        namespace = request.get("organization") or (account.name if account else "")
        self._may_write(namespace)
        key = (request.get("type") or "model", f"{namespace}/{request['name']}")
        url = f"{self.hub.url}/{_prefix(key[0])}{key[1]}"
        if key in self.hub.repos:
            return 409, {"error": "You already created this repo", "url": url}, {}
        private = request.get("visibility") == "private" or bool(request.get("private"))
        self.hub.create(*key, private=private, sdk=request.get("sdk"))
        return {"url": url, "name": key[1], "id": key[1]}

    def info(self, types: str, repo_id: str, revision: str = "") -> object:
        repo = self._repo(types[:-1], repo_id)
        commit_id = self._commit_at(repo, revision)
        files = [{"rfilename": path} for path in sorted(repo.commits[commit_id])]
        return {
            "_id": repo_id, "id": repo_id, "modelId": repo_id, "author": repo_id.split("/")[0], "sha": commit_id,
            "private": repo.private, "gated": False, "disabled": False, "tags": [], "downloads": 0, "likes": 0,
            "lastModified": _NOW, "createdAt": _NOW, "cardData": {}, "siblings": files, "sdk": repo.sdk,
        }  # fmt: skip

    def branch(self, types: str, repo_id: str, name: str) -> object:
        repo = self._writable(types[:-1], repo_id)
        if name in repo.branches:
            raise Refusal(409, f"Reference already exists: {name}")
        start = json.loads(self.body or b"{}").get("startingPoint") or "main"
        repo.branches[name] = self._commit_at(repo, start)
        return {}

    def tree(self, types: str, repo_id: str, revision: str, folder: str = "") -> object:
        repo = self._repo(types[:-1], repo_id)
        tree = repo.commits[self._commit_at(repo, revision)]
        start = f"{folder.strip('/')}/" if folder.strip("/") else ""
        if start and not any(path.startswith(start) for path in tree):
            raise Refusal(404, f"{folder} does not exist on {revision}", "EntryNotFound")
        recursive = self.query.get("recursive", "").lower() in ("1", "true")
        entries: dict[str, dict] = {}
        for path in sorted(tree):
            if path.startswith(start):
                parts = path[len(start) :].split("/")
                for depth in range(1, len(parts) if recursive else min(len(parts), 2)):
                    above = start + "/".join(parts[:depth])
                    entries.setdefault(above, _directory(above))
                if recursive or len(parts) == 1:
                    entries[path] = _entry(path, tree[path])
        return list(entries.values())

    def preupload(self, types: str, repo_id: str, revision: str) -> object:
        repo = self._writable(types[:-1], repo_id)
        tree = repo.commits[self._commit_at(repo, revision)]
        files = []
        for file in json.loads(self.body)["files"]:
            path = file["path"]
            mode = "lfs" if _is_large(path, file["size"]) else "regular"
            oid = tree[path].etag if path in tree else None
            files.append({"path": path, "uploadMode": mode, "shouldIgnore": False, "oid": oid})
        return {"files": files}

    def commit(self, types: str, repo_id: str, revision: str) -> object:
        repo = self._writable(types[:-1], repo_id)
        if revision not in repo.branches:
            raise Refusal(404, f"Invalid rev id: {revision}", "RevisionNotFound")
        head = repo.branches[revision]
        tree = dict(repo.commits[head])
        for line in self.body.splitlines():
            operation = json.loads(line)
            kind, value = operation["key"], operation["value"]
            if kind == "header":
                if value.get("parentCommit") not in (None, head):
                    raise Refusal(412, "A commit has happened since. Please refresh and try again.")
            elif kind == "file":
                tree[value["path"]] = Blob(base64.b64decode(value["content"]), large=False)
            elif kind == "lfsFile":
                if value["oid"] not in self.hub.large:
                    raise Refusal(400, f"the file of {value['path']} was not uploaded")
                tree[value["path"]] = Blob(self.hub.large[value["oid"]], large=True)
            elif kind == "deletedFile":
                if value["path"] not in tree:
                    raise Refusal(404, "A file with this name doesn't exist", "EntryNotFound")
                del tree[value["path"]]
            else:
                raise Refusal(400, f"unknown operation {kind}")
        commit_id = repo.commit(revision, tree)
        url = f"{self.hub.url}/{_prefix(types[:-1])}{repo_id}/commit/{commit_id}"
        return {"success": True, "commitOid": commit_id, "commitUrl": url, "hookOutput": ""}

    def lfs_batch(self, prefix: str, repo_id: str) -> object:
        self._writable(_type_of(prefix), repo_id)
        objects = []
        for upload in json.loads(self.body)["objects"]:
            answer = {"oid": upload["oid"], "size": upload["size"]}
            if upload["oid"] not in self.hub.large:
                answer["actions"] = {"upload": {"href": f"{self.hub.url}/lfs-store/{upload['oid']}"}}
            objects.append(answer)
        return {"transfer": "basic", "objects": objects}

    def lfs_put(self, oid: str) -> object:
        if hashlib.sha256(self.body).hexdigest() != oid:
            raise Refusal(400, "the content does not have this SHA-256")
        self.hub.large[oid] = self.body
        return {}

    def resolve(self, prefix: str, repo_id: str, revision: str, path: str) -> object:
        repo = self._repo(_type_of(prefix), repo_id)
        commit_id = self._commit_at(repo, revision)
        blob = repo.commits[commit_id].get(path)
        if blob is None:
            raise Refusal(404, "Entry not found", "EntryNotFound")
        data = blob.data
        headers = {
            "Content-Type": "application/octet-stream",
            "ETag": f'"{blob.etag}"',
            "X-Repo-Commit": commit_id,
            "Accept-Ranges": "bytes",
        }
        byte_range = re.fullmatch(r"bytes=(\d*)-(\d*)", self.headers.get("Range") or "")
        if not byte_range:
            return 200, data, headers
        first, last = byte_range.groups()
        start = int(first) if first else max(len(data) - int(last), 0)
        stop = min(int(last) + 1, len(data)) if first and last else len(data)
        if start >= stop:
            return 416, b"", {**headers, "Content-Range": f"bytes */{len(data)}"}
        return 206, data[start:stop], {**headers, "Content-Range": f"bytes {start}-{stop - 1}/{len(data)}"}


_NOW = "2026-01-01T00:00:00.000Z"


def _entry(path: str, blob: Blob) -> dict:
    entry = {"type": "file", "path": path, "oid": blob.oid, "size": len(blob.data)}
    if blob.large:
        entry["lfs"] = {"oid": blob.sha256, "size": len(blob.data), "pointerSize": len(_pointer(blob))}
    return entry


def _directory(path: str) -> dict:
    return {"type": "directory", "path": path, "oid": hashlib.sha1(path.encode()).hexdigest(), "size": 0}


def _prefix(repo_type: str) -> str:
    return "" if repo_type == "model" else f"{repo_type}s/"


def _type_of(prefix: str) -> str:
    return prefix.rstrip("s/") or "model"


_REPO = r"/api/(?P<types>models|datasets|spaces)/(?P<repo_id>[^/]+/[^/]+)"
_ROUTES: list[tuple[re.Pattern, Callable]] = [
    (re.compile(pattern), method)
    for pattern, method in (
        ("/api/whoami-v2", _Handler.whoami),
        ("/api/validate-yaml", _Handler.validate_yaml),
        ("/api/repos/create", _Handler.create_repo),
        (_REPO, _Handler.info),
        (_REPO + "/revision/(?P<revision>[^/]+)", _Handler.info),
        (_REPO + "/branch/(?P<name>[^/]+)", _Handler.branch),
        (_REPO + "/tree/(?P<revision>[^/]+)(?:/(?P<folder>.*))?", _Handler.tree),
        (_REPO + "/preupload/(?P<revision>[^/]+)", _Handler.preupload),
        (_REPO + "/commit/(?P<revision>[^/]+)", _Handler.commit),
        ("/(?P<prefix>datasets/|spaces/)?(?P<repo_id>[^/]+/[^/]+)\\.git/info/lfs/objects/batch", _Handler.lfs_batch),
        ("/lfs-store/(?P<oid>[0-9a-f]{64})", _Handler.lfs_put),
        (
            "/(?P<prefix>datasets/|spaces/)?(?P<repo_id>[^/]+/[^/]+)/(?:resolve|raw)/(?P<revision>[^/]+)/(?P<path>.+)",
            _Handler.resolve,
        ),
    )
]
