"""Variants in the explorer: beside their parents, with what was changed marked; families as a filter."""

import json
import re

import pytest
from in_process import use_home

import bap_v2_dataset  # noqa: F401 (registers the name)
from bap_v2_dataset.explorer import sources
from bap_v2_dataset.explorer.sources import InstalledSource, SourceError
from bap_v2_dataset.explorer.split import open_split, read_models
from bap_v2_dataset.explorer.view import CONTROLS, FACET_CONTROLS, view_of
from bap_v2_dataset.loading import install
from bap_v2_dataset.tasks.robustness.families import variants_of
from bap_v2_dataset.tasks.robustness.pictures.explorer import changes_html, pair_html
from bap_v2_simulators.corpus_table import SIZES

pytest.importorskip("gradio", reason="the extra `explore` is not installed")
from bap_v2_dataset.explorer import handlers, item_panels


@pytest.fixture(scope="module")
def small_home(tmp_path_factory):
    """An HF_HOME with the variants of a few items of dss."""
    home = tmp_path_factory.mktemp("variants")
    with pytest.MonkeyPatch.context() as patch:
        use_home(patch, home)
        patch.setitem(SIZES, "dss", {"train": 12, "validation": 6, "test": 12})
        install.install_dataset("robust_dss")
    return home


@pytest.fixture
def robust(small_home, monkeypatch):
    use_home(monkeypatch, small_home)
    return InstalledSource()


def view(source, split: str, **changed):
    values = dict.fromkeys(CONTROLS) | {control: [] for control in FACET_CONTROLS}
    values |= {"models": [], "config": "robust_dss", "split": split, "order": "as in the split"}
    return view_of(source, values | {"chart_by": "net_actions", "charts_open": False} | changed)


def test_the_configs_of_variants_are_shown_with_their_splits(robust):
    assert robust.configs == ["dss", "robust_dss"]
    assert robust.start("robust_dss", "") == ("robust_dss", "original")
    assert {"original", "spl", "sa_turn", "probe"} <= set(robust.splits("robust_dss"))


def test_one_that_is_not_set_up_is_named_with_the_command_that_makes_it(robust):
    with pytest.raises(SourceError, match=r"robust_dr is not set up.*`bap-v2 setup --robust`"):
        robust.splits("robust_dr")


@pytest.mark.parametrize("name", ["sa_turn", "probe"])
def test_every_variant_has_its_parent(robust, name):
    split = open_split(robust, "robust_dss", name)
    rows = [split.row(position) for position in range(len(split.rows))]
    variants = [row for row in rows if "perturbation" in row["metadata"]]
    assert (variants and len(variants) < len(rows)) or name != "probe"
    for row in variants:
        parent, key = split.parent_of(row)
        assert parent["id"] == row["metadata"]["perturbation"]["parent"]
        assert key == ("robust_dss", "probe" if name == "probe" else "original")
    assert all(split.parent_of(row) is None for row in rows if row not in variants)


def test_a_variant_is_shown_beside_its_parent_seen_from_one_side(robust):
    changes = item_panels.item_panel(view(robust, "sa_turn"), 0)
    assert changes["panel-parent"]["visible"] and changes["panel-reference"]["visible"]
    assert changes["parent"]["label"] == "Parent: reference" and changes["reference"]["label"] == "Variant: reference"
    figures = [json.loads(changes[name]["value"].plot) for name in ("parent", "reference")]
    eyes = [figure["layout"]["scene"]["camera"]["eye"] for figure in figures]
    assert eyes[0] == eyes[1] and figures[0]["data"] != figures[1]["data"]
    assert "turned by 90°: +x becomes +z" in changes["about"]
    assert "<h4>Parent</h4>" in changes["dialogue"] and "<h4>Variant</h4>" in changes["dialogue"]
    (link,) = re.findall(r"<a href='([^']*)'", changes["about"])
    assert "config=robust_dss&amp;split=original&amp;item=dss-test-" in link
    original = item_panels.item_panel(view(robust, "original"), 0)
    assert not original["panel-parent"]["visible"] and original["reference"]["label"] == "Reference"
    assert "<h4>Parent</h4>" not in original["dialogue"]


def test_families_are_a_filter_where_there_are_several(robust):
    everything = view(robust, "probe")
    choices = handlers.show_split(everything)["facet-perturbation"]
    labels = [label for _, label in choices["choices"]]
    assert choices["visible"] and {"none (original)", "spl", "sa_turn"} <= set(labels)
    chosen = view(robust, "probe", **{"facet-perturbation": ["sa_turn"]})
    rows = [chosen.split.row(int(position)) for position in chosen.results.positions]
    assert {row["metadata"]["perturbation"]["family"] for row in rows} == {"sa_turn"}
    assert len(rows) == everything.split.index.sizes("perturbation", everything.results.positions)["sa_turn"]
    assert not handlers.show_split(view(robust, "sa_turn"))["facet-perturbation"]["visible"]


def test_words_that_differ_are_marked_and_what_people_typed_is_escaped(robust):
    parent = {**robust.rows("robust_dss", "original")[1], "dialogue": ["<Architect> a <i>red</i> block here"]}
    variant = {**variants_of({**parent}, "sa_turn", 1)[0], "dialogue": ["<Architect> a <i>red</i> brick here"]}
    text = pair_html(parent, variant)
    assert "<mark>block</mark>" in text and "<mark>brick</mark>" in text and text.count("<mark>") == 2
    assert "<i>red" not in text and "&lt;i&gt;red" in text
    assert "words: block → brick" in changes_html(parent, ("robust_dss", "original"), variant)


def test_a_variant_whose_parent_is_not_here_is_shown_alone(robust, monkeypatch):
    monkeypatch.setattr(sources, "ORIGINAL", "nowhere")
    split = open_split(robust, "robust_dss", "sa_turn")
    monkeypatch.setattr(split, "_originals", None)
    shown = item_panels.item_panel(view(robust, "sa_turn"), 0)
    assert not shown["panel-parent"]["visible"] and shown["reference"]["label"] == "Reference"


def test_predictions_for_several_splits_together_are_shown_in_each(robust, tmp_path):
    ids = [row["id"] for name in ("original", "sa_turn") for row in robust.rows("robust_dss", name)]
    file = tmp_path / "answers.jsonl"
    file.write_text("".join(json.dumps({"id": each, "prediction": ""}) + "\n" for each in ids))
    settings = {"dataset_config": "robust_dss", "split": "original+sa_turn"}
    (tmp_path / "answers.jsonl.settings.json").write_text(json.dumps(settings))
    (model,) = read_models([str(file)], robust)
    assert set(model.predictions) == {("robust_dss", "original"), ("robust_dss", "sa_turn")}
    assert open_split(robust, "robust_dss", "sa_turn").scores(model).answered.all()
