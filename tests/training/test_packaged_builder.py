"""The Builder that comes with the package: its name, what it weighs and answers, and that its card has its scores."""

import hashlib
import shutil

import pack_builder
import pytest
from huggingface_hub import ModelCard
from in_process import use_home
from simulated_rows import published_rows
from small_builders import ROWS, save_builder

import bap_v2_dataset as bap
from bap_v2_dataset.evaluation import systems
from bap_v2_dataset.games import builders, talk
from bap_v2_dataset.predictions import model_records
from bap_v2_dataset.publishing import hub, spaces
from bap_v2_training.decoding.learned_builder import load_builder
from bap_v2_training.decoding.resolved_model import resolve_model
from bap_v2_training.pointer.settings import parse_arguments

COMPACT = model_records.PACKAGED / "compact"
packed = pytest.mark.skipif(not (COMPACT / "SHA256SUMS").is_file(), reason="tools/pack_builder.py has not made it yet")
ROW = {**next(row for row in ROWS if row["before"]), "id": "any/0"}


@pytest.fixture
def packaged(tmp_path, monkeypatch):
    """A small Builder in the place of the one of the package."""
    folder = save_builder(tmp_path / "builders" / "compact", "bap_pointer")
    (folder / "SHA256SUMS").write_text("0123456789abcdef  model.safetensors\n")
    monkeypatch.setattr(model_records, "PACKAGED", folder.parent)
    monkeypatch.setattr(builders, "_loaded_once", builders.answers_of)  # not kept for the next test
    monkeypatch.chdir(tmp_path)
    return folder


def test_its_name_is_known_wherever_a_model_is_named(packaged, monkeypatch):
    ((text, _),) = load_builder(str(packaged)).answers([ROW])
    assert text == load_builder("compact").answers([ROW])[0][0] == builders.builder_of("compact")(ROW)
    assert bap.builder()([ROW, ROW]) == [text, bap.builder("compact")(ROW)] == [text, text]
    assert bap.builder(samples=4)(ROW) == load_builder(str(packaged), samples=4).answers([ROW])[0][0]
    assert talk.talker_of("compact").name == "compact" == builders.usual_builder(pytest.fail)
    own, _ = parse_arguments(["--config", "pointer_human", "--init_from", "compact", "--output_dir", "o"])
    assert own.init_from == str(packaged)
    sent = {file.path for file in spaces.talk_of(hub.Repository("tester/talk", "space"), "compact").files_beside(None)}
    assert {f"bap_v2_training/builders/compact/{path.name}" for path in packaged.iterdir()} <= sent
    # A model in a folder of that name is the user's own, any other folder is none.
    (packaged.parents[1] / "compact").mkdir()
    assert resolve_model("compact") == (str(packaged), "0123456789ab")
    shutil.copytree(packaged, "compact", dirs_exist_ok=True)
    assert resolve_model("compact") == ("compact", None)
    builders.usual_builder((said := []).append)
    assert "a folder of your own" in said[0]
    shutil.rmtree("compact")
    # Where it cannot run, a rule builds, and a sentence says why.
    monkeypatch.setattr(model_records, "PACKAGED", packaged)  # there is no folder compact in it
    builders.usual_builder((said := []).append)
    monkeypatch.setattr(builders, "find_spec", lambda name: None)
    assert builders.usual_builder(said.append) == "symbolic"
    assert "does not have compact" in said[0] and 'pip install "bap-v2[training]"' in said[1]


@packed
def test_it_is_whole_small_and_right_about_an_item():
    for digest, name in map(str.split, (COMPACT / "SHA256SUMS").read_text().splitlines()):
        assert hashlib.sha256((COMPACT / name).read_bytes()).hexdigest() == digest, name
    assert sum(path.stat().st_size for path in COMPACT.iterdir()) <= 8_000_000
    result = bap.evaluate_model(bap.builder("compact"), data=ROWS[:8], batch_size=8, n_resamples=0)
    assert result.name == "compact" and any(not item["fairer"]["fn"] for item in result.items)


@packed
@pytest.mark.parametrize("system, options", [("compact", {}), ("compact_samples", {"samples": 16})])
def test_its_stored_answers_are_its_own(system, options):
    rows = list(published_rows("dss"))[:40]
    record = systems.catalog()[system]["test_sets"]["dss"]
    assert record["settings"]["model_commit"] == (COMPACT / "SHA256SUMS").read_text()[:12], "pack its answers again"
    answers = bap.builder("compact", **options)(rows)
    stored = systems.archived(system)["dss"]["predictions"]
    assert sum(map(str.__eq__, answers, stored)) >= 38  # sums may differ in their last bits from machine to machine


@packed
@pytest.mark.slow
@pytest.mark.parametrize("config", pack_builder.TEST_SETS)
def test_its_card_has_its_scores(config, monkeypatch, published_home, request):
    if config == "mdc_v2":
        request.getfixturevalue("corpus")
    use_home(monkeypatch, published_home)
    results = ModelCard.load(COMPACT / "README.md").data.eval_results
    (card,) = (result for result in results if (result.dataset_config, result.metric_type) == (config, "fairer_f1"))
    n_items = card.dataset_args["items"]
    scores = bap.evaluate_model(bap.builder("compact"), config, max_items=n_items, batch_size=64, n_resamples=0).scores
    assert (scores["n_items"], scores["fairer_f1"]) == (n_items, pytest.approx(card.metric_value, abs=0.002))
