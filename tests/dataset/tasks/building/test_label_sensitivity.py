"""Scores by the labels of the human test set."""

import json
from io import StringIO

import pytest
from rich.console import Console

from bap_v2_dataset.evaluation.answered_splits import read_files_for
from bap_v2_dataset.evaluation.results import Resampling
from bap_v2_dataset.evaluation.runs import SystemPredictions
from bap_v2_dataset.labels.label import AnnotationError
from bap_v2_dataset.predictions.entries import PredictionError
from bap_v2_dataset.tasks.building.label_sensitivity import LABEL_SETS, label_sensitivity, label_sets, sensitivity_table

NONE = Resampling(0)


@pytest.fixture(scope="module")
def answers(mdc_rows, tmp_path_factory):
    """Two systems: one is right where the recorded board counts, the other on the items of the clean test set alone."""
    folder = tmp_path_factory.mktemp("answers")

    def write(name: str, texts: dict[str, str]) -> str:
        lines = (json.dumps({"id": key, "prediction": text}) + "\n" for key, text in texts.items())
        (folder / f"{name}.jsonl").write_text("".join(lines))
        return f"{name}={folder / f'{name}.jsonl'}"

    return write, {row["id"]: row["completion"] for row in mdc_rows["test"]}


def read(*arguments: str) -> list[SystemPredictions]:
    return read_files_for(arguments, "mdc", "test")[2]


def test_the_sets_have_the_sizes_of_their_labels(mdc_items):
    sets = label_sets(mdc_items["test"])
    sizes = {name: len(kept) for name, kept in sets.items()}
    assert sizes == {
        **{"published": 1161, "a": 1297, "b": 1170, "intersection": 1157, "all": 1616},
        **{"published+3": 1294, "b+3": 1499},
    }
    names = {name: {item.item_id for item in kept} for name, kept in sets.items()}
    assert names["intersection"] <= names["a"] & names["b"]
    assert {item.interpretations for item in sets["all"]} == {"unique"}
    for name in ("a", "b"):
        after = {item.item_id: set(item.after) for item in sets[name]}
        assert all(after[item.item_id] == set(item.after) for item in sets["intersection"])


@pytest.mark.slow
def test_a_recorded_answer_is_right_on_all_and_wrong_where_labels_fix(answers, mdc_rows):
    write, recorded = answers
    found = label_sensitivity(read(write("recorded", recorded)), ["do-nothing"], LABEL_SETS, NONE)
    scores = {name: results[0].scores["fairer_f1"] for name, results in found.results.items()}
    assert scores["all"] > 0.99 > scores["published"] > 0.8
    assert [result.name for result in found.results["a"]] == ["recorded", "do-nothing"]
    assert found.swaps == []


def test_systems_that_change_places_are_named(answers, mdc_items):
    write, recorded = answers
    kept = {item.item_id for item in label_sets(mdc_items["test"], ["published"])["published"]}
    clean = {key: text if key in kept else "" for key, text in recorded.items()}
    other = {key: text if number % 5 else "" for number, (key, text) in enumerate(recorded.items())}
    files = read(write("clean", clean), write("other", other))
    found = label_sensitivity(files, [], ["published", "all"], Resampling(100))
    (swap,) = found.swaps
    assert swap["systems"] == ["clean", "other"]
    assert swap["difference"]["published"] > 0 > swap["difference"]["all"]
    assert set(swap["p"]) == {"published", "all"}
    console = Console(width=100, record=True, file=StringIO())
    console.print(sensitivity_table(found))
    text = console.export_text()
    assert "1 pair of systems change places" in text and "#2" in text


def test_files_that_lack_items_need_partial(answers, mdc_items):
    write, recorded = answers
    kept = {item.item_id for item in label_sets(mdc_items["test"], ["published"])["published"]}
    files = read(write("published", {key: recorded[key] for key in recorded if key in kept}))
    with pytest.raises(PredictionError, match="predict for mdc"):
        label_sensitivity(files, [], ["all"], NONE)
    found = label_sensitivity(files, [], ["published", "all"], NONE, partial=True)
    assert found.sizes == {"published": (1161, 1161), "all": (1616, 1161)}


def test_unknown_labels_are_named(mdc_items):
    with pytest.raises(AnnotationError, match="labels 'c': expected one of published, published"):
        label_sets(mdc_items["test"], ["c"])
