"""How scripts end: a sentence for what the user can fix, a traceback for our bugs, 130 after Ctrl-C."""

import errno
import os

import pytest

from bap_v2_dataset.failures import sentence_of, sentences_for_the_user
from bap_v2_metric.errors import UserError


def test_an_error_of_the_user_ends_a_script_with_a_sentence():
    with pytest.raises(SystemExit) as stop, sentences_for_the_user("train_sft.py", "stopped"):
        raise UserError("seed is -1: expected at least 0")
    assert stop.value.code == "train_sft.py: seed is -1: expected at least 0"


def test_a_bug_shows_its_traceback():
    bug = ValueError("zip() argument 2 is shorter than argument 1")
    with pytest.raises(ValueError) as raised, sentences_for_the_user("train_sft.py", "stopped"):
        raise bug
    assert raised.value is bug


def test_a_bug_in_the_handling_of_an_error_of_the_user_shows_its_traceback():
    with pytest.raises(KeyError), sentences_for_the_user("train_sft.py", "stopped"):
        try:
            raise UserError("wrong")
        except UserError:
            {}["missing"]


def test_a_full_disk_is_a_sentence_that_names_the_file():
    with pytest.raises(SystemExit) as stop, sentences_for_the_user("train_sft.py", "stopped"):
        raise OSError(errno.ENOSPC, "No space left on device", "runs/model.safetensors")
    assert "the disk is full (writing runs/model.safetensors)" in stop.value.code


@pytest.mark.parametrize("code", [errno.EACCES, errno.EPERM, errno.EROFS, errno.ENOSPC])
def test_another_cache_is_proposed_only_for_files_of_the_cache(code, own_home, tmp_path):
    for folder, proposed in ((tmp_path / "figures", False), (own_home, True), (own_home / "datasets", True)):
        sentence = sentence_of(OSError(code, os.strerror(code), str(folder / ".an item.png.0123456789ab.unfinished")))
        assert ("HF_HOME" in sentence) == proposed
    assert code == errno.ENOSPC or f"{folder / 'an item.png'}': check its permissions (or" in sentence


def test_after_ctrl_c_a_script_says_how_to_resume(capsys):
    with pytest.raises(SystemExit) as stop, sentences_for_the_user("predict.py", "stopped; the same command resumes"):
        raise KeyboardInterrupt
    assert stop.value.code == 130 and "stopped; the same command resumes" in capsys.readouterr().out


def test_all_tracebacks_are_shown_on_request(monkeypatch):
    monkeypatch.setenv("BAP_V2_TRACEBACK", "1")
    with pytest.raises(UserError), sentences_for_the_user("train_sft.py", "stopped"):
        raise UserError("wrong")
