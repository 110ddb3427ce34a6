"""The reader of the human corpus: wherever it lies the same games come out, and damage stays where it is."""

import hashlib
import json
import os
import re
import stat
import tarfile
import tracemalloc
import zipfile
from pathlib import Path

import pytest
import small_corpus
from case_tables import cases_of
from paths import GOLDEN
from small_corpus import BELL, EARLY, EDGE, IDLE, ROW, WARM_UP

from bap_v2_dataset.human import corpus_files, game_store
from bap_v2_dataset.human.mdc import CorpusError, ReadingReport, read_corpus, read_log
from bap_v2_dataset.tasks.building import corpus_stats as stats
from bap_v2_metric.blocks import Structure
from bap_v2_metric.notation import format_action, format_structure
from bap_v2_simulators.game import Step, Utterance


def games_of(path, report=None):
    return {game.game_id: game for game in read_corpus(path, report)}


@pytest.fixture(scope="module")
def clean(tmp_path_factory):
    return games_of(small_corpus.write(tmp_path_factory.mktemp("clean") / "mdc"))


def everything_in(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*")}


# --- What a game is.
def test_a_game_is_what_was_said_and_built_in_order(clean):
    game = clean[BELL]
    assert (game.split, game.metadata) == ("train", {"source": "human", "target_id": "C1"})
    assert format_structure(game.target) == ["red 0 1 0", "blue 0 2 1"]
    utterances = [
        str(event) if isinstance(event, Utterance) else " + ".join(map(format_action, event.actions))
        for event in game.events
    ]
    script = [line.strip() for line in small_corpus.GAMES[BELL].strip().splitlines()]
    assert utterances == ["<Builder> Mission has started.", *(line for line in script if not line.startswith("at "))]


def test_the_targets_of_older_files_are_read_too(clean):
    assert format_structure(clean[EDGE].target) == ["red -5 1 -5", "orange 5 9 5"]


def steps_of(game) -> list[Step]:
    return [event for event in game.events if isinstance(event, Step)]


def test_the_pose_of_a_step_is_that_of_the_state_before_it_and_its_yaw_is_wrapped(clean):
    red, yellow, *_ = (step.pose for step in steps_of(clean[BELL]))
    assert (red.x, red.y, red.z, red.yaw, red.pitch) == (0.5, 1.0, -2.5, -10.0, 20.0)  # logged as 350
    assert (yellow.x, yellow.yaw) == (1.5, 10.0)
    assert steps_of(clean[ROW])[-1].pose.yaw == -180.0  # logged as 180


def test_a_state_without_a_pose_is_dropped_and_its_change_is_seen_in_the_next(clean):
    _, step, mixed, *_ = steps_of(clean[ROW])
    assert list(map(format_action, step.actions)) == ["place green 3 1 0", "place green 4 1 0"]
    assert (step.pose.y, step.metadata) == (1.0, {"state_index": 4})  # not the pose (0, 2, -3) that was lost
    assert list(map(format_action, mixed.actions)) == ["place red 1 1 0", "pick 1 1 0"]  # placements come first


def test_steps_of_several_blocks_are_sorted_by_cell_and_color():
    text = "place red 2 1 0 + place blue -1 1 3 + place green -1 1 0\n place red 0 1 0 + pick 2 1 0 + pick -1 1 3"
    data = json.dumps(small_corpus.log(text)).encode()
    steps = steps_of(read_log(data, BELL, "train", Structure()))
    assert [list(map(format_action, step.actions)) for step in steps] == [
        ["place green -1 1 0", "place blue -1 1 3", "place red 2 1 0"],
        ["place red 0 1 0", "pick -1 1 3", "pick 2 1 0"],
    ]


def test_of_state_0_only_the_pose_is_used_and_a_block_in_state_1_comes_before_all_chat(clean):
    first, second, *_ = clean[EARLY].events
    assert isinstance(first, Step) and first.metadata == {"state_index": 1}
    assert str(second) == "<Builder> Mission has started."


def test_white_space_in_chat_is_made_plain(clean):
    assert Utterance("Architect", "a yellow one") in clean[IDLE].events


def test_chat_and_blocks_need_not_repeat_byte_by_byte(clean):
    spaced = json.loads(small_corpus.files()[small_corpus.log_name(ROW)])
    for number, state in enumerate(spaced["WorldStates"]):
        if number % 2:
            state["BlocksInGrid"].reverse()
    data = json.dumps(spaced, indent=1).encode()
    assert read_log(data, ROW, "train", clean[ROW].target, "C3").events == clean[ROW].events


def test_the_report_counts_what_was_dropped(tmp_path):
    report = ReadingReport()
    games_of(small_corpus.write(tmp_path / "mdc"), report)
    assert report.to_dict() == {
        "logs": 6,
        "games": {"train": 2, "validation": 1, "test": 2},
        "warm_ups": [WARM_UP],
        "problems": [],
        "states_without_pose": 2,
        "steps": 6 + 4 + 7 + 2 + 3,
        "steps_of_several_blocks": 3,
        "games_with_early_blocks": [EARLY],
    }
    assert ReadingReport.from_dict(json.loads(json.dumps(report.to_dict()))) == report


# --- Wherever it lies.
@pytest.mark.parametrize("root", ["", "./", "mdc/", "minecraft-bap-models-master/data/"])
@pytest.mark.parametrize("form", ["folder", "mdc.tar", "mdc.tar.gz", "mdc.tar.xz", "mdc.zip"])
def test_the_same_games_come_out_of_every_form(form, root, tmp_path, clean):
    members = {root + name: data for name, data in small_corpus.files().items()}
    assert games_of(small_corpus.write(tmp_path / form, members)) == clean


@pytest.mark.parametrize("form", ["folder", "mdc.tar.gz", "mdc.zip"])
def test_the_public_repository_is_read_among_its_other_files(form, tmp_path, clean):
    path = small_corpus.write(tmp_path / form, small_corpus.public_files())
    for place in (path, path / "data") if path.is_dir() else (path,):
        report = ReadingReport()
        assert games_of(place, report) == clean
        assert report.logs == 6


def test_of_a_file_that_is_in_a_tar_twice_the_later_counts(tmp_path, clean):
    files = small_corpus.files()
    path = tmp_path / "mdc.tar"
    with tarfile.open(path, "w") as archive:
        for name in files:
            small_corpus.add_to_tar(archive, name, b"{}")
        for name, data in files.items():
            small_corpus.add_to_tar(archive, name, data)
    assert games_of(path) == clean


def test_kept_games_have_one_digest_wherever_the_corpus_lies(tmp_path, monkeypatch):
    monkeypatch.setattr("datasets.config.HF_CACHE_HOME", str(tmp_path / "home"))
    forms = [small_corpus.write(tmp_path / form) for form in ("folder", "mdc.tar.xz", "mdc.zip")]
    stores = [game_store.mdc_games(path) for path in forms]
    assert len({games.digest for games in stores}) == 1
    assert len({games.folder for games in stores}) == 3


# --- What no honest archive holds.
def poisoned_tar(path: Path, **fields) -> Path:
    with tarfile.open(path, "w") as archive:
        for name, data in small_corpus.files().items():
            small_corpus.add_to_tar(archive, name, data)
        small_corpus.add_to_tar(archive, **fields)
    return path


def poisoned_zip(path: Path, name: str, mode: int) -> Path:
    small_corpus.write(path)
    with zipfile.ZipFile(path, "a") as archive:
        info = zipfile.ZipInfo(name)
        info.external_attr = mode << 16
        archive.writestr(info, "../../target")
    return path


@pytest.mark.parametrize(
    "fields",
    [
        {"name": "../evil.json", "data": b"1"},
        {"name": "mdc/../../evil.json", "data": b"1"},
        {"name": "/tmp/evil.json", "data": b"1"},
        {"name": "..\\evil.json", "data": b"1"},
        {"name": "C:\\evil.json", "data": b"1"},
        {"name": "logs/evil-link", "type": tarfile.SYMTYPE, "linkname": "/etc/passwd"},
        {"name": "logs/evil-link", "type": tarfile.LNKTYPE, "linkname": "logs/splits.json"},
        {"name": "logs/evil-device", "type": tarfile.CHRTYPE},
        {"name": "logs/evil-device", "type": tarfile.BLKTYPE},
        {"name": "logs/evil-pipe", "type": tarfile.FIFOTYPE},
    ],
    ids=lambda fields: f"{fields['name']}, type {fields.get('type', b'0').decode()}",
)
def test_a_tar_with_a_member_that_escapes_or_links_is_refused_by_name(fields, tmp_path):
    path = poisoned_tar(tmp_path / "mdc.tar", **fields)
    assert_refused(path, fields["name"])


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        *((name, stat.S_IFREG) for name in ("../evil.json", "logs/../../evil.json", "/tmp/evil.json", "C:/evil.json")),
        *(("logs/evil", kind) for kind in (stat.S_IFLNK, stat.S_IFCHR, stat.S_IFBLK, stat.S_IFIFO)),
    ],
)
def test_a_zip_with_a_member_that_escapes_or_links_is_refused_by_name(name, kind, tmp_path):
    assert_refused(poisoned_zip(tmp_path / "mdc.zip", name, kind | 0o644), name)


def assert_refused(path: Path, member: str) -> None:
    around = everything_in(path.parent)
    with pytest.raises(CorpusError) as caught:
        list(read_corpus(path))
    assert repr(member) in str(caught.value) and "nothing was read" in str(caught.value)
    assert everything_in(path.parent) == around
    assert not Path("/tmp/evil.json").exists() and not (path.parent.parent / "evil.json").exists()


# --- Archives that are damaged, and folders that are no corpus.
@pytest.mark.parametrize("share", [0.05, 0.3, 0.6, 0.95])
@pytest.mark.parametrize("form", ["mdc.tar", "mdc.tar.gz", "mdc.tar.xz", "mdc.tar.bz2", "mdc.zip"])
def test_a_truncated_archive_is_an_error(form, share, tmp_path):
    path = small_corpus.write(tmp_path / form)
    data = path.read_bytes()
    path.write_bytes(data[: int(len(data) * share)])
    with pytest.raises(CorpusError, match=form):
        list(read_corpus(path))


def breaks_off(path: Path, data: bytes) -> bytes:
    """The archive up to a member."""
    with tarfile.open(path) as archive:
        return data[: archive.getmembers()[-2].offset]


def with_another_header(path: Path, data: bytes) -> bytes:
    start = len(breaks_off(path, data))
    return data[:start] + b"x" * 200 + data[start + 200 :]


def with_other_bytes(path: Path, data: bytes) -> bytes:
    middle = len(data) // 2
    return data[:middle] + bytes(byte ^ 0xFF for byte in data[middle : middle + 40]) + data[middle + 40 :]


@pytest.mark.parametrize(
    ("form", "damage", "cause"),
    [
        ("mdc.tar", breaks_off, "breaks off"),
        ("mdc.tar", with_another_header, "damaged"),
        ("mdc.tar.gz", with_other_bytes, "broken archive"),
        ("mdc.tar.xz", with_other_bytes, "broken archive"),
    ],
)
def test_a_damaged_archive_is_an_error_and_does_not_end_there(form, damage, cause, tmp_path):
    path = small_corpus.write(tmp_path / form)
    path.write_bytes(damage(path, path.read_bytes()))
    with pytest.raises(CorpusError, match=cause):
        list(read_corpus(path))


@pytest.mark.parametrize(
    "data", [b"", b"hello, this is not an archive\n" * 99, b"\x00" * 2000, b"PK\x03\x04 and then noise"]
)
def test_a_file_that_is_no_archive_is_an_error(data, tmp_path):
    path = tmp_path / "mdc.tar.xz"
    path.write_bytes(data)
    with pytest.raises(CorpusError, match=r"mdc\.tar\.xz"):
        list(read_corpus(path))


def test_a_path_that_does_not_exist_is_an_error_with_the_fix(tmp_path):
    with pytest.raises(CorpusError, match="does not exist: pass the corpus's directory or archive"):
        list(read_corpus(tmp_path / "nowhere"))


@pytest.mark.parametrize("form", ["folder", "mdc.tar.gz", "mdc.zip"])
def test_without_splits_the_error_names_the_file(form, tmp_path):
    files = small_corpus.files()
    del files["logs/splits.json"]
    with pytest.raises(CorpusError, match=r"holds no logs/splits\.json"):
        list(read_corpus(small_corpus.write(tmp_path / form, files)))


@pytest.mark.parametrize(
    "splits",
    cases_of(__file__, "malformed_splits"),
)
def test_malformed_splits_are_an_error_that_names_the_file(splits, tmp_path):
    files = small_corpus.files() | {"logs/splits.json": splits.encode()}
    with pytest.raises(CorpusError, match=r"logs/splits\.json is not the corpus's .*; expected a mapping"):
        list(read_corpus(small_corpus.write(tmp_path / "mdc", files)))


def test_two_corpora_in_one_folder_are_an_error_that_names_both(tmp_path):
    small_corpus.write(tmp_path / "both" / "old")
    small_corpus.write(tmp_path / "both" / "new")
    with pytest.raises(CorpusError, match=r"several corpora \(new/logs/splits\.json, old/logs/splits\.json\)"):
        list(read_corpus(tmp_path / "both"))


def test_a_corpus_without_logs_is_an_error(tmp_path):
    files = {name: data for name, data in small_corpus.files().items() if "postprocessed" not in name}
    with pytest.raises(CorpusError, match="no logs"):
        list(read_corpus(small_corpus.write(tmp_path / "mdc", files)))


@pytest.mark.parametrize(
    ("change", "cause"),
    [
        (lambda name, data: b"{}" if "postprocessed" in name else data, "the first problem: logs/.*not a log"),
        (lambda name, data: b'{"train": ["C100"], "val": [], "test": []}' if "splits" in name else data, "warm-up"),
    ],
)
def test_a_corpus_of_which_no_game_can_be_read_is_an_error_with_the_cause(change, cause, tmp_path, monkeypatch):
    monkeypatch.setattr("datasets.config.HF_CACHE_HOME", str(tmp_path / "home"))
    files = {name: change(name, data) for name, data in small_corpus.files().items()}
    with pytest.raises(CorpusError, match=rf"no game could be read of 6; .*{cause}"):
        game_store.mdc_games(small_corpus.write(tmp_path / "mdc", files))
    assert not list((tmp_path / "home" / "bap_v2_games").glob("*mdc*"))


# --- One damaged game; every other one is intact.
def changed(change):
    """A log after `change` was made to its list of states."""

    def damage(data: bytes) -> bytes:
        log = json.loads(data)
        change(log["WorldStates"])
        return json.dumps(log).encode()

    return damage


def put(path: str, value):
    """Puts a value at a path such as "3.BlocksInGrid.0.Type" below the list of states."""

    def change(states: list) -> None:
        *folders, last = [int(key) if key.lstrip("-").isdigit() else key for key in path.split(".")]
        place = states
        for key in folders:
            place = place[key]
        place[last] = value

    return changed(change)


def twin(states: list) -> None:
    block = states[3]["BlocksInGrid"][0]
    states[3]["BlocksInGrid"].append({**block, "Type": "cwc_minecraft_blue_rn"})


DAMAGES = {
    "empty": (lambda data: b"", "not a log of the corpus"),
    "truncated": (lambda data: data[: len(data) // 2], "truncated"),
    "not text": (lambda data: bytes(range(256)) * 9, "not a log of the corpus"),
    "one state": (changed(lambda states: states.__delitem__(slice(1, None))), "1 states with a BuilderPosition"),
    "no BuilderPosition": (changed(lambda states: states[2].pop("BuilderPosition")), "BuilderPosition"),
    "chat that is not a list": (put("2.ChatHistory", {"a": 1}), "world state 2: .*array"),
    "blocks that are no list": (put("2.BlocksInGrid", 7), "world state 2: .*array"),
    "NaN perspective": (put("-1.BlocksInGrid.0.PerspectiveCoordinates.X", float("nan")), "NaN or Infinity"),
    "Infinity pose": (put("1.BuilderPosition.Yaw", float("inf")), "NaN or Infinity"),
    "a pose beyond floats": (lambda data: data.replace(b'"Y": 1.0', b'"Y": 1e999', 1), "range"),
    "a pose in words": (put("1.BuilderPosition.Yaw", "north"), "Yaw"),
    "half a cell": (put("-1.BlocksInGrid.0.AbsoluteCoordinates.X", 0.5), "world state .*int"),
    "a cell far away": (put("-1.BlocksInGrid.0.AbsoluteCoordinates.X", 10**12), "more than 1,000,000 cells away"),
    "a cell beyond integers": (put("-1.BlocksInGrid.0.AbsoluteCoordinates.Z", 10**40), "world state"),
    "unknown block type": (put("-1.BlocksInGrid.0.Type", "minecraft_cow"), "unknown block type 'minecraft_cow'"),
    "two blocks in a cell": (changed(twin), "world state 3: two blocks in one cell"),
    "chat that does not continue": (put("3.ChatHistory", ["<Builder> other"]), "world state 3: .*does not continue"),
    "chat without a speaker": (
        changed(lambda states: [state["ChatHistory"].append("hello") for state in states[3:]]),
        "world state 3: 'hello' is not a chat line",
    ),
    "chat that is not text": (changed(lambda states: states[3]["ChatHistory"].append(5)), "world state 3"),
    "half a character": (
        lambda data: data.replace(b"Mission has", rb"\ud800 has"),
        "not a log of the corpus|world state",
    ),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_log_is_named_with_its_cause_and_every_other_game_is_intact(damage, tmp_path, clean):
    files = small_corpus.files()
    name = small_corpus.log_name(BELL)
    spoil, cause = DAMAGES[damage]
    files[name] = spoil(files[name])
    assert files[name] != small_corpus.files()[name]
    assert_only_missing([BELL], cause, small_corpus.write(tmp_path / "mdc", files), clean)


def test_files_with_a_bom_are_read(tmp_path, clean):
    files = small_corpus.files()
    files |= {name: b"\xef\xbb\xbf" + data for name, data in files.items() if name.endswith(".json")}
    assert games_of(small_corpus.write(tmp_path / "mdc", files)) == clean


@pytest.mark.parametrize(
    ("target", "cause"),
    [
        (None, r"there is no gold-configurations/C5\.xml"),
        (b"", "0 blocks"),
        (b"\xff\xfe\x00", "0 blocks"),
        (b"<Cow/>", "0 blocks"),
        (b'<DrawBlock type="cwcmod:cwc_minecraft_pink_rn" x="100" y="1" z="100"/>', "unknown block type .*pink"),
        (b'<DrawBlock type="cwcmod:cwc_minecraft_red_rn" x="a" y="1" z="100"/>', "invalid literal"),
        (b'<DrawBlock type="cwcmod:cwc_minecraft_red_rn" x="100" y="1"/>', "1 blocks, of which 0 can be read"),
        (2 * b'<DrawBlock type="cwcmod:cwc_minecraft_red_rn" x="100" y="1" z="100"/>', "two blocks in cell"),
        (b'<DrawBlock type="cwcmod:cwc_minecraft_red_rn" x="99999999999" y="1" z="100"/>', "a block at x=99999999999"),
    ],
)
def test_a_target_that_is_missing_or_malformed_costs_only_its_own_games(target, cause, tmp_path, clean):
    files = small_corpus.files()
    name = "gold-configurations/C5.xml"
    files[name] = target
    if target is None:
        del files[name]
    assert_only_missing(
        [IDLE], f"its target C5 cannot be read: .*{cause}", small_corpus.write(tmp_path / "m", files), clean
    )


def test_a_damaged_member_of_a_zip_costs_only_its_own_game(tmp_path, clean):
    path = small_corpus.write(tmp_path / "mdc.zip")
    with zipfile.ZipFile(path) as archive:
        start = archive.getinfo(small_corpus.log_name(ROW)).header_offset + 30 + len(small_corpus.log_name(ROW))
    data = bytearray(path.read_bytes())
    data[start + 100 : start + 140] = bytes(40)
    path.write_bytes(data)
    assert_only_missing([ROW], "it cannot be read", path, clean)


def test_a_log_that_cannot_be_opened_costs_only_its_own_game(tmp_path, clean):
    path = small_corpus.write(tmp_path / "mdc")
    log = path / small_corpus.log_name(ROW)
    log.unlink()
    os.symlink(tmp_path / "nowhere", log)
    assert_only_missing([ROW], "it cannot be read: No such file", path, clean)


def test_a_folder_that_is_not_named_like_a_game_is_a_problem(tmp_path, clean):
    files = small_corpus.files()
    name = small_corpus.log_name(ROW)
    files[name.replace(ROW, "copy of a game")] = files.pop(name)
    assert_only_missing([ROW], "not named like a game", small_corpus.write(tmp_path / "mdc", files), clean)


def test_a_damaged_game_adds_nothing_to_the_other_counts(tmp_path):
    """Not even what was read of it before the damage."""
    files = small_corpus.files()
    name = small_corpus.log_name(ROW)
    files[name] = put("-2.BlocksInGrid.0.Type", "cow")(files[name])
    report = ReadingReport()
    games_of(small_corpus.write(tmp_path / "mdc", files), report)
    assert (report.steps, report.steps_of_several_blocks, report.states_without_pose) == (6 + 7 + 2 + 3, 0, 0)


def assert_only_missing(games: list[str], cause: str, path: Path, clean: dict) -> None:
    report = ReadingReport()
    games_read = games_of(path, report)
    assert games_read == {game_id: game for game_id, game in clean.items() if game_id not in games}
    assert len(report.problems) == len(games)
    for file, cause_given in report.problems:
        assert file.endswith("postprocessed-observations.json")
        assert re.search(cause, cause_given), cause_given
        assert len(cause_given) < 400 and "\n" not in cause_given
    assert report.logs == 6 and sum(report.games.values()) == 5 - len(games)


@pytest.mark.parametrize("name", ["mdc", "mdc.zip", "mdc.tar"])
def test_a_game_folder_without_its_log_is_reported(name, tmp_path, clean):
    files = small_corpus.files()
    log = small_corpus.log_name(ROW)
    files[log.replace("postprocessed-observations.json", "log.txt")] = files.pop(log)
    report = ReadingReport()
    games_read = games_of(small_corpus.write(tmp_path / name, files), report)
    assert games_read == {game_id: game for game_id, game in clean.items() if game_id != ROW}
    assert report.problems == [
        (log.removesuffix("postprocessed-observations.json"), "there is no postprocessed-observations.json")
    ]


def test_a_game_that_is_there_twice_is_read_once_and_reported(tmp_path, clean):
    files = small_corpus.files()
    log = small_corpus.log_name(ROW)
    again = re.sub("logs/[^/]+/logs", "logs/data-9-9/logs", log)
    report = ReadingReport()
    assert games_of(small_corpus.write(tmp_path / "mdc", {**files, again: files[log]}), report) == clean
    assert [(file, cause.split(" in ")[0]) for file, cause in report.problems] == [(again, "a second log of the game")]


def test_links_inside_a_corpus_are_followed_but_not_in_circles_and_not_out(tmp_path, clean):
    corpus = small_corpus.write(tmp_path / "mdc")
    data = corpus / "logs" / "data-1-1"
    data.rename(corpus / "elsewhere")
    data.symlink_to(corpus / "elsewhere")
    (corpus / "elsewhere" / "back").symlink_to(corpus)
    (corpus / "results").symlink_to("/")  # of no corpus
    (tmp_path / "link").symlink_to(corpus)
    assert games_of(corpus) == games_of(tmp_path / "link") == clean
    (corpus / "elsewhere").rename(tmp_path / "outside")
    data.unlink()
    data.symlink_to(tmp_path / "outside")
    with pytest.raises(CorpusError, match=rf"{data} is a link out of the corpus; nothing was read: pass a copy"):
        list(read_corpus(corpus))


@pytest.mark.parametrize(
    ("put", "cause"),
    [
        (lambda log: log.symlink_to("/dev/zero"), "is a device, or a link out of the corpus"),
        (lambda log: log.symlink_to(__file__), "is a device, or a link out of the corpus"),
        (lambda log: os.mkfifo(log), "is a device, or a link out of the corpus"),
        (lambda log: (log.touch(), os.truncate(log, 2**36)), "claims 68,719,476,736 bytes"),  # without a block on disk
    ],
)
def test_a_directory_with_what_is_no_file_of_a_corpus_is_refused_by_name(put, cause, tmp_path):
    log = small_corpus.write(tmp_path / "mdc") / small_corpus.log_name(ROW)
    log.unlink()
    put(log)
    with pytest.raises(CorpusError, match=rf"{log.name}.*{cause}.*nothing was read"):
        list(read_corpus(tmp_path / "mdc"))


# --- Bombs: small files from which much comes.
@pytest.mark.parametrize("form", ["mdc.tar.gz", "mdc.tar.xz", "mdc.zip"])
def test_what_is_not_of_the_corpus_in_an_archive_is_not_kept(form, tmp_path, clean):
    names = [f"old/{n}/{name}" for n in range(4) for name in ("C1.xml", "gold-configurations/C1.xml", "logs/a.json")]
    path = small_corpus.write(tmp_path / form, small_corpus.files() | dict.fromkeys(names, bytes(2**22)))
    tracemalloc.start()
    assert games_of(path) == clean
    assert tracemalloc.get_traced_memory()[1] < 2**24
    tracemalloc.stop()


@pytest.mark.parametrize("form", ["folder", "mdc.tar", "mdc.zip"])
@pytest.mark.parametrize(
    ("limit", "value", "sentence"),
    [
        ("_LARGEST_OTHER", 100, r"C3\.xml' claims 213 bytes; nothing was read"),
        ("_LARGEST_LOG", 1000, r"observations\.json' claims [\d,]+ bytes; nothing was read"),
        ("_MOST_OF_OTHERS", 500, r"files like .* claim [\d,]+ bytes; nothing was read"),
        ("_MOST_OF_LOGS", 9000, r"files like .* claim [\d,]+ bytes; nothing was read"),
    ],
)
def test_a_corpus_with_more_than_such_files_have_is_refused(form, limit, value, sentence, tmp_path, monkeypatch):
    monkeypatch.setattr(corpus_files, limit, value)
    path = small_corpus.write(tmp_path / form)
    with pytest.raises(CorpusError, match=sentence):
        list(read_corpus(path))


@pytest.mark.parametrize("form", ["w:gz", "w:xz", "w:bz2", "w"])
@pytest.mark.parametrize(
    "fields",
    [
        {"name": "a" * 2**22},
        {"name": "a" * 5000},
        {"pax_headers": {"comment": "a" * 2**22}},
        {"size": -(2**20)},
        {"size": 2**40},
    ],
    ids=["name", "long name", "header", "negative size", "size"],
)
def test_a_tar_whose_headers_are_a_bomb_is_refused(fields, form, tmp_path):
    path = tmp_path / "mdc.tar"
    evil = tarfile.TarInfo("evil.json")
    for field, value in fields.items():
        setattr(evil, field, value)
    with tarfile.open(path, form, format=tarfile.PAX_FORMAT if "pax_headers" in fields else tarfile.GNU_FORMAT) as tar:
        for name, data in small_corpus.files().items():
            small_corpus.add_to_tar(tar, name, data)
        tar.addfile(evil)
    with pytest.raises(
        CorpusError,
        match=r"larger than that of any corpus|has 5,000 characters|claims (-1,048,576|1,099,511,627,776) bytes",
    ):
        list(read_corpus(path))


@pytest.mark.parametrize("method", [zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_a_member_of_a_zip_that_holds_more_than_it_claims_costs_only_its_own_game(method, tmp_path, clean):
    path, log = tmp_path / "mdc.zip", small_corpus.log_name(ROW)
    with zipfile.ZipFile(path, "w", method) as archive:
        for name, data in (small_corpus.files() | {log: bytes(2**22)}).items():
            archive.writestr(name, data)
    path.write_bytes(path.read_bytes().replace((2**22).to_bytes(4, "little"), (5000).to_bytes(4, "little")))
    report = ReadingReport()
    assert len(games_of(path, report)) == 4
    assert [file for file, _ in report.problems] == [log]


# --- Counts.
@pytest.fixture(scope="module")
def mdc_counts(mdc_games):
    return stats.corpus_counts(mdc_games)


def test_the_counts_of_the_small_corpus_are_those_worked_by_hand(tmp_path, monkeypatch):
    monkeypatch.setattr("datasets.config.HF_CACHE_HOME", str(tmp_path / "home"))
    counts = stats.corpus_counts(game_store.mdc_games(small_corpus.write(tmp_path / "mdc")))
    assert counts == {split: pytest.approx(expected) for split, expected in small_corpus.COUNTS.items()}


@pytest.mark.parametrize("split", ["train", "validation", "test"])
def test_the_published_corpus_has_the_golden_counts(split, mdc_counts):
    golden = json.loads((GOLDEN / "mdc_counts.json").read_text())["splits"][split]
    assert {name: round(mdc_counts[split][name], 2) for name in golden} == golden


def test_each_split_has_targets_of_its_own(mdc_counts):
    assert {split: count["targets"] for split, count in mdc_counts.items()} == {
        "train": 85,
        "validation": 29,
        "test": 39,
    }


def test_the_published_corpus_loses_what_the_golden_file_says(mdc_games, mdc_counts):
    golden = json.loads((GOLDEN / "mdc_counts.json").read_text())["corpus"]
    report = mdc_games.report
    assert golden == {
        "logs": report.logs,
        "warm_ups": len(report.warm_ups),
        "states_without_pose": report.states_without_pose,
        "steps_of_several_blocks": report.steps_of_several_blocks,
        "games_with_early_blocks": len(report.games_with_early_blocks),
        "items_without_dialogue": sum(counts["items_without_dialogue"] for counts in mdc_counts.values()),
    }
    assert report.problems == []


def test_the_items_of_the_published_test_split_are_those_that_were_annotated(mdc_items):
    """The digest is of the sorted lines `<game_id> <item_index> <state_index>`, joined by line breaks."""
    lines = sorted(f"{item.game_id} {item.index} {item.metadata['state_index']}" for item in mdc_items["test"])
    golden = (GOLDEN / "mdc_test_items.sha256").read_text().split()[0]
    assert hashlib.sha256("\n".join(lines).encode()).hexdigest() == golden
