"""How scripts end: a sentence for what the user can fix, a traceback for our bugs, 130 after Ctrl-C."""

import errno
import io
import os
from pathlib import Path

import pytest
from datasets import Dataset

from bap_v2_dataset.failures import sentence_of, sentences_for_the_user
from bap_v2_metric.errors import UserError
from bap_v2_simulators.atomic_files import atomic_write


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (UserError("seed is -1: expected at least 0"), "train_sft.py: seed is -1: expected at least 0"),
        (OSError(errno.ENOSPC, "No space left", "runs/model.safetensors"), "is full (writing runs/model.safetensors)"),
    ],
)
def test_what_a_user_can_fix_ends_a_script_with_a_sentence(error, sentence, monkeypatch):
    with pytest.raises(SystemExit) as stop, sentences_for_the_user("train_sft.py", "stopped"):
        raise error
    assert sentence in stop.value.code
    monkeypatch.setenv("BAP_V2_TRACEBACK", "1")  # asks for all tracebacks
    with pytest.raises(type(error)), sentences_for_the_user("train_sft.py", "stopped"):
        raise error


def test_a_bug_shows_its_traceback_also_in_the_handling_of_an_error_of_the_user():
    bug = ValueError("zip() argument 2 is shorter than argument 1")
    with pytest.raises(ValueError) as raised, sentences_for_the_user("train_sft.py", "stopped"):
        raise bug
    assert raised.value is bug
    with pytest.raises(KeyError), sentences_for_the_user("train_sft.py", "stopped"):
        try:
            raise UserError("wrong")
        except UserError:
            {}["missing"]


@pytest.mark.parametrize("code", [errno.EACCES, errno.EPERM, errno.EROFS, errno.ENOSPC])
def test_another_cache_is_proposed_only_for_files_of_the_cache(code, own_home, tmp_path):
    for folder, proposed in ((tmp_path / "figures", False), (own_home, True), (own_home / "datasets", True)):
        sentence = sentence_of(OSError(code, os.strerror(code), str(folder / ".an item.png.0123456789ab.unfinished")))
        assert ("HF_HOME" in sentence) == proposed
    assert code == errno.ENOSPC or f"{folder / 'an item.png'}': check its permissions (or" in sentence


def test_another_cache_is_proposed_where_the_home_cannot_be_written(monkeypatch):
    """As in a container that runs as a user without a home: HOME is /."""
    monkeypatch.setattr("datasets.config.HF_CACHE_HOME", "/.nowhere/huggingface")
    sentence = sentence_of(PermissionError(errno.EACCES, "Permission denied", "/.nowhere"))
    assert sentence.endswith("check its permissions (or set HF_HOME to a writable folder)")


def test_another_cache_is_not_proposed_where_something_else_is_full():
    with pytest.raises(OSError) as device:
        atomic_write(Path("/dev/full"), b"scores")
    with pytest.raises(OSError) as output, open("/dev/full", "wb", buffering=0) as file:
        file.write(b"scores")
    for raised in (device, output):
        sentence = sentence_of(raised.value)
        assert sentence.startswith("the disk is full") and sentence.endswith("free some space")
    with pytest.raises(OSError) as raised:
        Dataset.from_dict({"id": ["a"]}).to_json(Failing())
    assert "HF_HOME" in sentence_of(raised.value)


class Failing(io.BytesIO):
    def write(self, data):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def test_after_ctrl_c_a_script_says_how_to_resume(capsys):
    with pytest.raises(SystemExit) as stop, sentences_for_the_user("predict.py", "stopped; the same command resumes"):
        raise KeyboardInterrupt
    assert stop.value.code == 130 and "stopped; the same command resumes" in capsys.readouterr().out
