"""Cards of models: what was learned and how, the scores with their signature, that their code runs."""

import ast
import json
import re
from dataclasses import replace
from pathlib import Path

import pytest
from case_tables import cases_of
from huggingface_hub import ModelCard
from small_cards import assert_well_formed, code_of, repository, simulated

import bap_v2_metric
from bap_v2_dataset.interface.table import TASKS
from bap_v2_dataset.items.prompts import REPRESENTATIONS
from bap_v2_dataset.publishing import model_facts
from bap_v2_dataset.publishing.base_licenses import base_license, left_to_do
from bap_v2_dataset.publishing.model_card import model_card
from bap_v2_dataset.publishing.model_facts import facts_of_run, split_result, training_task
from bap_v2_dataset.publishing.template import CardError

pytestmark = pytest.mark.usefixtures("few_are_enough")


@pytest.mark.parametrize(
    ("base", "identifier", "built_with", "holder"),
    [
        ("meta-llama/Meta-Llama-3-8B", "llama3", "Built with Meta Llama 3", "Meta Llama 3"),
        ("unsloth/llama-3-70b-Instruct-bnb-4bit", "llama3", "Built with Meta Llama 3", "Meta Llama 3"),
        ("meta-llama/Llama-3.1-8B-Instruct", "llama3.1", "Built with Llama", "Llama 3.1"),
        ("meta-llama/Llama-3.2-1B", "llama3.2", "Built with Llama", "Llama 3.2"),
        ("meta-llama/Llama-3.3-70B-Instruct", "llama3.3", "Built with Llama", "Llama 3.3"),
    ],
)
def test_a_card_of_a_llama_says_what_its_license_asks_for(facts, base, identifier, built_with, holder):
    card = model_card(replace(facts, base_model=base))
    assert card.data.license == identifier and card.data.get("license_name") is None
    assert f"**{built_with}.**" in card.text
    assert f"{holder} is licensed under the {holder} Community License, Copyright © Meta Platforms" in card.text
    chosen = model_card(replace(facts, base_model=base, license="mit"))
    assert chosen.data.license == "mit" and built_with in chosen.text


@pytest.mark.parametrize(
    "base",
    ["Qwen/Qwen3-8B", "openlm-research/open_llama_3b", "huggyllama/llama-30b", "TinyLlama/TinyLlama-1.1B",
     "meta-llama/Llama-2-7b", "llama-3-fans/Qwen3-8B", None],
)  # fmt: skip
def test_a_card_of_another_model_does_not(facts, base):
    assert "Built with" not in model_card(replace(facts, base_model=base)).text
    assert base_license(base) is None and left_to_do("USER/builder", base) == []


@pytest.mark.parametrize(
    ("base", "name", "right"),
    cases_of(__file__, "names"),
)
def test_the_name_of_what_was_made_from_a_llama_begins_as_its_license_asks(base, name, right):
    copy, *wrong = left_to_do(f"USER/{name}", f"meta-llama/{base}")
    assert "asks for a copy of it" in copy and "https://github.com/meta-llama/" in copy
    assert bool(wrong) != right
    for sentence in wrong:
        (better,) = re.findall(r"--repo-id (\S+)", sentence)
        assert len(left_to_do(better, f"meta-llama/{base}")) == 1 and better.endswith(name)


def test_results_survive_the_front_matter(learned):
    data = ModelCard(str(model_card(learned))).data
    assert data.model_name == "builder" and data.base_model == learned.base_model
    task = training_task(learned)
    for result in learned.results:
        entries = [entry for entry in data.eval_results if entry.dataset_config == result.config]
        assert entries[0].metric_type == task.headline
        assert all(entry.metric_value == result.scores[entry.metric_type] for entry in entries)
        for entry in entries:
            assert (entry.task_name, entry.dataset_type, entry.dataset_split) == (task.title, "USER/bap_v2", "test")
            assert entry.metric_args == {"signature": result.scores["signature"]}
            assert entry.dataset_args[f"{task.scores.item}s"] == result.split_items


@pytest.mark.parametrize("kind", ["adapter", "full"])
@pytest.mark.parametrize("base", ["meta-llama/Meta-Llama-3-8B", None])
def test_a_model_card_is_well_formed_and_has_the_scores_with_their_signature(learned, kind, base):
    facts = replace(learned, kind=kind, base_model=base)
    card = model_card(facts)
    for text in (card.text, model_card(replace(facts, results=[], hardware=None, limits=[])).text):
        assert_well_formed(text)
        ast.parse(code_of(text))
    assert "95% bootstrap interval" in card.text
    for result in facts.results:
        assert f"| `{result.config}`, test | " in card.text and f"signature `{result.scores['signature']}`" in card.text
    if training_task(facts).name != "bap":  # whose table has percent
        assert "Minecraft building" not in card.text
        for score in [score for result in facts.results for score in training_task(facts).model_card.scores(result)]:
            assert f"| `{score.key}` | {score} |" in card.text


@pytest.mark.parametrize("part", [5000, None])
def test_a_part_of_a_test_set_is_called_one(learned, part):
    text = model_card(replace(learned, results=[replace(learned.results[0], split_items=part)])).text
    assert ("a subset, " in text and "of 5,000" in text) == (part is not None)


def test_scores_of_another_task_are_refused(learned, facts, measured, parts):
    title = "Builder Action Prediction" if learned.task != "bap" else "Grid Spatial Understanding"
    config = "dss" if learned.task != "bap" else "gsu_structure"
    other = replace(measured, config=config)
    with pytest.raises(CardError, match=f"the scores on {config} are of another task, {title}: leave them out"):
        model_card(replace(learned, results=[other]))
    few = replace(learned.results[0], scores={training_task(learned).headline: 1.0})
    with pytest.raises(CardError, match=rf"the scores on {few.config} lack .*signature.*: pass those of bap-v2 score"):
        model_card(replace(learned, results=[few]))


def test_the_table_shows_the_scores_with_their_signature_and_labels(facts, measured):
    text = model_card(facts).text
    scores = measured.scores
    for prefix, title in (("eb_", "EB"), ("neb_", "NEB"), ("", "all items")):
        cells = [f"{100 * scores[f'{prefix}{name}_f1']:.1f}"
                 for name in ("type", "color", "location", "shape", "fairer", "strict")]  # fmt: skip
        assert f"| {scores[f'{prefix}n_items']} | {title} | {' | '.join(cells)} |" in text
    low, high = measured.intervals["fairer_f1"]
    assert f"Overall (fairer F1) {100 * low:.1f}–{100 * high:.1f} (95% bootstrap interval)" in text
    assert f"a subset, {scores['n_items']} of 1,000 items" in text
    over_targets = model_card(replace(facts, results=[replace(measured, unit="target")])).text
    assert "(95% bootstrap interval over targets)" in over_targets
    assert f"labels: {measured.labels}; signature `{bap_v2_metric.SIGNATURE}`" in text


@pytest.mark.parametrize("kind", ["adapter", "full"])
@pytest.mark.parametrize("base", ["meta-llama/Meta-Llama-3-8B", "Qwen/Qwen3-8B", None])
@pytest.mark.parametrize("representation", REPRESENTATIONS)
def test_a_card_fits_the_kind_of_model(facts, kind, base, representation):
    card = model_card(replace(facts, kind=kind, base_model=base, representation=representation))
    data = ModelCard(str(card)).data
    assert data.library_name == ("peft" if kind == "adapter" else "transformers")
    assert data.base_model == base
    relation = {"adapter": "adapter", "full": "finetune"}[kind]
    assert data.get("base_model_relation") == (relation if base else None)
    assert data.license == {None: "apache-2.0", "Qwen/Qwen3-8B": "other"}.get(base, "llama3")
    assert data.get("license_link") == (f"https://huggingface.co/{base}" if data.license == "other" else None)
    assert ("lora" in data.tags) == ("from peft import" in card.text) == (kind == "adapter")
    assert ("random weights" in card.text) == (base is None)
    ego = representation == "ego"
    assert ('render(row, "ego")' if ego else f'row["prompt_{representation}"]') in card.text
    assert ("to_world(answer, row" in card.text) == ("bap_v2_dataset.items.prompts" in card.text) == ego
    assert ("the blocks on the board" in card.text) == (representation in ("n_posb_s", "ego"))
    ast.parse(code_of(card.text))


def test_prompts_with_less_history_are_rendered(facts):
    card = model_card(replace(facts, representation="n", hyperparameters={**facts.hyperparameters, "history_lines": 8}))
    assert 'tokenizer(render(row, "n", newest=8), ' in card.text and "to_world" not in card.text
    ast.parse(code_of(card.text))


def test_a_card_says_what_was_learned_and_how(facts):
    text = model_card(facts).text
    for line in ("| `dr` | 300 |", "| `dss` | 11,868 |", "| hardware | one GPU |", "| time | 1.5 minutes |",
                 "| libraries | torch 2.13.0, peft 0.21.2 |", "lora_r: 16", "learning_rate: 0.0002", "seed: 20",
                 "- It was stopped early.", "Prompts of more than 2,048 tokens lost"):  # fmt: skip
        assert line in text, line
    assert "```yaml\nmodel_name_or_path: meta-llama/Meta-Llama-3-8B\n" in text


def test_a_run_that_shortened_no_prompts_has_a_card(facts):
    text = model_card(replace(facts, hyperparameters={"use_peft": True, "max_length": 4096})).text
    assert "max_length: 4096" in text and "lost" not in text


def test_human_data_are_only_claimed_where_there_are_any(facts, measured):
    assert "simulated dialogues only" in model_card(facts).text
    learned = model_card(replace(facts, data={"all": 52_419})).text
    tested = model_card(replace(facts, results=[replace(measured, config="mdc_v2", labels="theirs")])).text
    for text in (learned, tested):
        assert "simulated dialogues only" not in text and "narayan-chen2019mdc" in text


def test_a_model_without_scores_says_so(facts):
    card = model_card(replace(facts, results=[]))
    assert "It was not scored." in card.text
    assert "model-index" not in str(card) and "model_name:" not in str(card)


@pytest.mark.parametrize(
    ("change", "message"),
    cases_of(__file__, "refused"),
)
def test_what_makes_no_model_card_is_refused(facts, change, message):
    with pytest.raises(CardError, match=message):
        model_card(replace(facts, **change))


def test_records_that_are_missing_or_others_are_refused(tmp_path):
    with pytest.raises(CardError, match=r"training_run.json: No such file .*written by a script of training"):
        facts_of_run("USER/builder", tmp_path)
    (tmp_path / "training_run.json").write_text("{")
    with pytest.raises(CardError, match="is not JSON"):
        facts_of_run("USER/builder", tmp_path)
    (tmp_path / "training_run.json").write_text('{"arguments": {}}')
    with pytest.raises(CardError, match="is not a record of training"):
        facts_of_run("USER/builder", tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["adapter", "full", "adapter of a model"])
def test_the_card_of_a_run_repeats_its_training_and_its_code_runs(tmp_path, parts, kind, monkeypatch, capsys):
    from small_runs import LORA, TINY, trained

    from bap_v2_training import train_sft

    monkeypatch.chdir(tmp_path)
    own = tmp_path / "items.jsonl"
    simulated("dss", "train").to_json(own)
    folder, base = Path("USER/builder"), None
    if kind == "adapter of a model":
        base = str(trained(Path("USER/model"), own, new_model=TINY))
        trained(folder, own, model_name_or_path=base, **LORA)
    else:
        trained(folder, own, new_model=TINY, **(LORA if kind == "adapter" else {}))
    facts = facts_of_run("USER/builder", folder, dataset_repo="USER/bap_v2", limits=["It is tiny."])
    record = json.loads((folder / "training_run.json").read_text())
    assert facts.kind == kind.split()[0] and facts.base_model == base and facts.seed == record["seed"]
    assert facts.data == {"items.jsonl": record["train"]["items"]}
    text = model_card(facts).text
    assert "It is tiny." in text and str(tmp_path) not in text

    # The settings in the card are those of the run.
    Path("settings.yaml").write_text(re.search(r"```yaml\n(.*?)```", text, re.DOTALL)[1])
    again = train_sft.parse_arguments(["--config", "settings.yaml", "--output_dir", str(folder)])
    bap, training, model = (vars(part) for part in again)
    not_recorded = {"overwrite": False}  # of the folder
    assert bap == record["arguments"]["bap"] | not_recorded | {"dataset_path": "items.jsonl", "dataset_config": None}
    assert {name: model[name] for name in facts.hyperparameters if name in model} == {
        name: value for name, value in record["arguments"]["model"].items() if name in facts.hyperparameters
    }
    recorded = record["arguments"]["training"]
    assert all(
        training[name] == recorded[name] for name in (*model_facts._TRAINING, "max_steps", "seed") if name in recorded
    )

    # And the model answers.
    repository(tmp_path / "USER" / "bap_v2", parts, "dss")
    capsys.readouterr()
    code = code_of(text).replace("max_new_tokens=512", "max_new_tokens=8")
    exec(code.replace('snapshot_download("USER/builder")', '"USER/builder"'), {})  # it is here already
    assert capsys.readouterr().out


def test_scores_of_the_command_line_become_results(tmp_path, measured):
    settings = {"config": "dss", "split": "test", "items": 26, "split_items": 1000, "labels": "none needed",
                "confidence": 0.95}  # fmt: skip
    system = {"name": "stack", "scores": measured.scores, "confidence_intervals": measured.intervals}
    (tmp_path / "scores.json").write_text(json.dumps({"settings": settings, "systems": [system]}))
    assert split_result(tmp_path / "scores.json") == replace(
        measured, labels="none needed", items=26, intervals=json.loads(json.dumps(measured.intervals))
    )
    (tmp_path / "scores.json").write_text("{}")
    with pytest.raises(CardError, match="was not written by bap-v2 score --out"):
        split_result(tmp_path / "scores.json")


def test_what_training_learns_has_a_card_or_a_sentence(facts):
    assert {"bap", "gsu", "chat"} == {task.learned_as or task.name for task in TASKS.values() if task.model_card} - {
        "robust"
    }
    with pytest.raises(CardError, match="there is no card yet for a model that learned Architect generation"):
        model_card(replace(facts, task="architect"))
    with pytest.raises(CardError, match="task='recipes': expected one of bap, robust, gsu, chat, architect"):
        model_card(replace(facts, task="recipes"))


@pytest.mark.parametrize(
    ("curriculum", "learned"),
    [
        (None, {"dh": 10, "dr": 20, "mdc": 50}),
        ([("synthetic", 60), ("human", 100)], {"dh": 20, "dr": 40, "mdc": 20}),
        ([("human+dh", 120), ("dr", 40)], {"dh": 13, "dr": 0, "mdc": 67}),
    ],
)
def test_a_curriculum_that_ended_early_has_not_learned_its_last_items(curriculum, learned):
    stages = [{"stage": name, "items": items} for name, items in curriculum or ()]
    batches = {"per_device_train_batch_size": 8, "gradient_accumulation_steps": 1}
    run = {
        "dataset": {"mix": "mdc=all,dh=20,dr=40"}, "steps": 10, "arguments": {"training": batches},
        "train": {"items": 160, "sources": {"dh": 20, "dr": 40, "human": 100}}, "curriculum": stages,
    }  # fmt: skip
    assert model_facts._learned(run) == learned
