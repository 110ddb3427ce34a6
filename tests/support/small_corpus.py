"""A small human corpus in the real layout, from games that can be read: most tests need no other.

A game is a text, one world state a line, in order:

    <Architect> text  or  <Builder> text        a chat line
    place COLOR X Y Z   or  pick X Y Z          a change of the board; several in one state are joined by " + "
    unseen: ...                                 the same, in a state whose BuilderPosition is null
    at X Y Z yaw YAW pitch PITCH                no state: the Builder's pose in the states that follow

State 0 is always there: the Builder at (0, 1, 0) and `<Builder> Mission has started.`
"""

import io
import json
import math
import subprocess
import tarfile
import zipfile
from collections.abc import Mapping
from pathlib import Path

from case_tables import cases_of

SPLITS = {"train": ["C1", "C3"], "val": ["C2"], "test": ["C4", "C5"]}

TARGETS = {  # the older files have the block types of C2
    "C1": ["red 0 1 0", "blue 0 2 1"],
    "C2": ["red -5 1 -5", "orange 5 9 5"],
    "C3": ["red 1 1 0", "green 2 1 0", "green 3 1 0"],
    "C4": ["purple 0 1 0", "orange 0 2 0"],
    "C5": ["yellow 2 1 2"],
}

BELL = "B1-A1-C1-1000000000001"  # train: a scaffold, a chat line that interrupts, a yaw to wrap
ROW = "B2-A2-C3-1000000000002"  # train: steps of several blocks, states without a pose, an infeasible order
EDGE = "B1-A2-C2-1000000000003"  # val: three runs touch a block outside the BuildRegion; then all is well again
EARLY = "B3-A1-C4-1000000000004"  # test: a block before the first chat line
IDLE = "B3-A2-C5-1000000000005"  # test: nothing remains of the first item; the game ends on chat
WARM_UP = "B3-A2-C9-1000000000006"  # its target belongs to no split

GAMES = cases_of(__file__, "games")  # by their ids

COUNTS = {  # worked by hand; see stats.corpus_counts
    "train": {
        "games": 2, "targets": 2, "items": 6, "empty_board_items": 2, "items_with_a_net_removal": 2,
        "items_with_an_empty_net_change": 0, "items_without_dialogue": 0, "items_with_an_infeasible_step": 1,
        "actions": 13, "net_actions": 9, "actions_mean": 13 / 6, "actions_sd": (41 / 6 - (13 / 6) ** 2) ** 0.5,
        "actions_max": 5, "skipped_runs": 0,
    },
    "validation": {
        "games": 1, "targets": 1, "items": 2, "empty_board_items": 1, "items_with_a_net_removal": 0,
        "items_with_an_empty_net_change": 0, "items_without_dialogue": 0, "items_with_an_infeasible_step": 0,
        "actions": 2, "net_actions": 2, "actions_mean": 1.0, "actions_sd": 0.0, "actions_max": 1, "skipped_runs": 3,
    },
    "test": {
        "games": 2, "targets": 2, "items": 4, "empty_board_items": 3, "items_with_a_net_removal": 0,
        "items_with_an_empty_net_change": 1, "items_without_dialogue": 1, "items_with_an_infeasible_step": 0,
        "actions": 5, "net_actions": 3, "actions_mean": 5 / 4, "actions_sd": (7 / 4 - (5 / 4) ** 2) ** 0.5,
        "actions_max": 2, "skipped_runs": 0,
    },
}  # fmt: skip


def log_name(game_id: str) -> str:
    """The file of a game below the corpus's root."""
    day = 1 + int(game_id[-1]) % 2
    return f"logs/data-1-{day}/logs/{game_id}/postprocessed-observations.json"


def files() -> dict[str, bytes]:
    """The corpus: from file names below its root to contents."""
    members = {"logs/splits.json": json.dumps(SPLITS).encode()}
    members |= {f"gold-configurations/{target}.xml": target_file(target) for target in TARGETS}
    members |= {log_name(game_id): json.dumps(log(text)).encode() for game_id, text in GAMES.items()}
    return members


def public_files() -> dict[str, bytes]:
    """The same in the layout of the public repository: below data/, beside files that nobody asked for."""
    members = {f"data/{name}": data for name, data in files().items()}
    for game_id in GAMES:
        folder = "data/" + log_name(game_id).rsplit("/", 1)[0]
        members[f"{folder}/raw-observations.json"] = b'{"WorldStates": "not these"}'
        members[f"{folder}/log.txt"] = b"connected"
    augmented = json.dumps({**SPLITS, "train": ["C100"]}).encode()
    members["data/augmented-no-spatial-rotation/logs/splits.json"] = augmented
    members["README.md"] = b"# minecraft-bap-models"
    members["data/lexicons/lexicon.json"] = b"{}"
    return members


def target_file(target: str) -> bytes:
    """One <DrawBlock> a line, x and z displaced by 100."""
    middle = "" if target == "C2" else "minecraft_"
    lines = []
    for block in TARGETS[target]:
        color, x, y, z = block.split()
        lines.append(f'<DrawBlock type="cwcmod:cwc_{middle}{color}_rn" x="{int(x) + 100}" y="{y}" z="{int(z) + 100}"/>')
    return "\n".join(lines).encode()


def log(text: str) -> dict:
    """The log of a game, with all fields of the real ones."""
    pose = {"X": 0.0, "Y": 1.0, "Z": 0.0, "Yaw": 0.0, "Pitch": 0.0}
    chat = ["<Builder> Mission has started."]
    board: dict[tuple[int, int, int], str] = {}
    states = [_state(0, pose, chat, board)]
    for line in filter(None, map(str.strip, text.splitlines())):
        if line.startswith("at "):
            _, x, y, z, _, yaw, _, pitch = line.split()
            pose = dict(zip(("X", "Y", "Z", "Yaw", "Pitch"), map(float, (x, y, z, yaw, pitch))))
            continue
        seen, change = not line.startswith("unseen: "), line.removeprefix("unseen: ")
        if change.startswith("<"):
            chat = [*chat, change]
        else:
            for action in sorted(change.split(" + ")):  # "pick" before "place": a cell may be recolored in one state
                *words, x, y, z = action.split()
                if words == ["pick"]:
                    del board[int(x), int(y), int(z)]
                else:
                    board[int(x), int(y), int(z)] = words[1]
        states.append(_state(len(states), pose if seen else None, chat, board))
    return {"WorldStates": states, "NumFixedViewers": 4, "TimeElapsed": 61.2}


def _state(number: int, pose: Mapping[str, float] | None, chat: list[str], board: Mapping) -> dict:
    colors = ("red", "orange", "yellow", "green", "blue", "purple")
    inventory = [
        {"Index": index, "Type": f"cwc_minecraft_{color}_rn", "Quantity": 20 - list(board.values()).count(color)}
        for index, color in enumerate(colors)
    ]
    blocks = [
        {
            "PerspectiveCoordinates": _perspective((x, y, z), pose),
            "AbsoluteCoordinates": {"X": x, "Y": y, "Z": z},
            "Type": f"cwc_minecraft_{color}_rn",
        }
        for (x, y, z), color in board.items()
    ]
    return {
        "BuilderPosition": dict(pose) if pose else None,
        "ChatHistory": list(chat),
        "Timestamp": f"2018-04-10 22:47:{number:02d}",
        "BlocksInGrid": blocks,
        "ScreenshotPath": f"{1000 * number}-Builder-chat.png",
        "BuilderInventory": inventory,
    }


def _perspective(cell: tuple[int, int, int], pose: Mapping[str, float] | None) -> dict[str, float]:
    if pose is None:
        return {"X": 0.0, "Y": 0.0, "Z": 0.0}
    yaw, pitch = math.radians(pose["Yaw"]), math.radians(pose["Pitch"])
    dx, dy, dz = (c - math.floor(pose[axis]) for c, axis in zip(cell, "XYZ"))
    ahead = -math.sin(yaw) * dx + math.cos(yaw) * dz
    return {
        "X": math.cos(yaw) * dx + math.sin(yaw) * dz,
        "Y": math.cos(pitch) * dy + math.sin(pitch) * ahead,
        "Z": -math.sin(pitch) * dy + math.cos(pitch) * ahead,
    }


def write(path: Path, members: Mapping[str, bytes] | None = None) -> Path:
    """Writes the files to `path`, a directory or an archive by its suffix, and returns it."""
    path = Path(path)
    members = files() if members is None else members
    if path.suffix == ".zip":
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, data in members.items():
                archive.writestr(name, data)
    elif ".tar" in path.name:
        suffix = path.suffix.removeprefix(".")
        with tarfile.open(path, "w" if suffix == "tar" else f"w:{suffix}") as archive:
            for name, data in members.items():
                add_to_tar(archive, name, data)
    else:
        for name, data in members.items():
            (path / name).parent.mkdir(parents=True, exist_ok=True)
            (path / name).write_bytes(data)
    return path


def repository(path: Path, members: Mapping[str, bytes] | None = None) -> str:
    """Makes a git repository of these files, served as the public one is; its address. By default like that one."""
    write(path, public_files() if members is None else members)
    own = ("-c", "user.name=x", "-c", "user.email=x@example.org", "-c", "commit.gpgsign=false")
    for command in (
        ("init", "--quiet"),
        ("config", "core.compression", "0"),
        ("add", "--all"),
        ("commit", "--quiet", "--message", "corpus"),
        ("config", "uploadpack.allowFilter", "true"),
        ("config", "uploadpack.allowAnySHA1InWant", "true"),
    ):
        subprocess.run(["git", *own, *command], cwd=path, check=True, capture_output=True)
    return path.as_uri()


def add_to_tar(archive: tarfile.TarFile, name: str, data: bytes = b"", **fields: object) -> None:
    """Adds a member with these bytes and tar fields (type, linkname, ...)."""
    member = tarfile.TarInfo(name)
    member.size = len(data)
    for field, value in fields.items():
        setattr(member, field, value)
    archive.addfile(member, io.BytesIO(data))


LABELS = [  # (game, item, context, structure)
    (EARLY, 0, "unique", "correct"),
    (EARLY, 1, "unclear", None),
    (IDLE, 0, "multiple", "incorrect"),  # nothing remains; put right by the next
    (IDLE, 1, "multiple", "correct"),
]


def write_labels(path: Path, labels=LABELS) -> Path:
    keys = ("game_id", "item_index", "context", "structure")
    path.write_text("".join(json.dumps(dict(zip(keys, label, strict=True))) + "\n" for label in labels))
    return path
