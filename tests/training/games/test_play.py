"""Episodes of Plancraft that models play: the same in any batch, resumed after a kill, and at an endpoint."""

import json
import shutil
from collections import Counter
from pathlib import Path

import pytest
import vllm_stand_in
from case_tables import cases_of
from chat_stand_in import ChatStandIn, Fault
from fabricated_items import TINY
from in_process import use_home
from plancraft_package import needs_package

from bap_v2_dataset.loading import install
from bap_v2_dataset.predictions.entries import PredictionError
from bap_v2_dataset.tasks.plancraft.prompts import chat, examples
from bap_v2_dataset.tasks.plancraft.rows import oracle_row, task_row
from bap_v2_dataset.tasks.plancraft.task_files import records
from bap_v2_training import play
from bap_v2_training.errors import UsageError
from bap_v2_training.games.episode_arguments import parse_arguments
from bap_v2_training.games.episodes import PlayedEpisode, Rules, TurnAnswer
from bap_v2_training.games.episodes import play as play_games
from bap_v2_training.learning.chats import CHAT_TEMPLATE, plain_text
from bap_v2_training.models.new_llama import save_new_llama

needs_package()

LLAMA = {**TINY, "vocab_size": 700, "max_position_embeddings": 2048, "initializer_range": 0.2}
ACTING = ("move", "smelt")


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    """Caches with the tasks."""
    path = tmp_path_factory.mktemp("plancraft_home")
    with pytest.MonkeyPatch.context() as patch:
        use_home(patch, path)
        install.install_dataset("plancraft")
    return path


@pytest.fixture(autouse=True)
def tasks_set_up(home, monkeypatch):
    use_home(monkeypatch, home)


@pytest.fixture(scope="module")
def tasks():
    """Some tasks that can be solved, and two that cannot."""
    rows = [task_row(record) for record in records("validation_small")]
    return [row for row in rows if not row["impossible"]][::9] + [row for row in rows if row["impossible"]][:2]


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    """A model with random weights and a chat template, as a trained one lies in its folder."""
    from transformers import AutoTokenizer

    folder = tmp_path_factory.mktemp("models") / "random"
    solved = [record for record in records("validation_small")[:30] if record["optimal_path"]]
    chats = [oracle_row(task_row(record))["messages"] for record in solved]
    save_new_llama(folder, map(plain_text, chats), LLAMA, seed=3)
    tokenizer = AutoTokenizer.from_pretrained(folder)
    tokenizer.chat_template = CHAT_TEMPLATE
    tokenizer.save_pretrained(folder)
    return folder


def played(output: Path, *args: object) -> dict[tuple[str, int], dict]:
    """The lines that play.py writes, by task and run."""
    play.main(parse_arguments(["--out", str(output), "--split", "validation_small", *map(str, args)]))
    lines = [json.loads(line) for line in output.read_text().splitlines()]
    assert len({(line["id"], line["run"]) for line in lines}) == len(lines)
    return {(line["id"], line["run"]): line for line in lines}


class Scripted:
    """Plays gold plans, thinking first; notes how many it played at a time."""

    def __init__(self, tasks, size):
        self.size, self.sizes, self.seeds = size, [], Counter()
        self._plans = {row["observation"]: ["think: hm", *(row["plan"] or ["impossible: no"])] for row in tasks}
        self._left = {}

    def answers(self, chats, seeds):
        self.sizes.append(len(chats))
        self.seeds.update(seeds)
        texts = []
        for one in chats:
            first = next(message["content"] for message in one[1:] if message["role"] == "user")
            turn = sum(message["role"] == "assistant" for message in one)
            texts.append(self._plans[first][turn])
        return [TurnAnswer(text, 10, 5) for text in texts]


def games_of(tasks, **changes):
    rules = Rules((*ACTING, "think", "impossible"), **{"few_shot": False, **changes})
    return [PlayedEpisode.begun(task, rules) for task in tasks]


# --- Many at once


@pytest.mark.slow
@pytest.mark.parametrize("size", [1, 3, 100])
def test_episodes_are_the_same_however_many_are_played_at_once(tasks, size):
    lines = []
    player = Scripted(tasks, size)
    play_games(games_of(tasks), player, lambda game: lines.append(game.line))
    assert {line["id"] for line in lines} == {task["id"] for task in tasks}
    for task, line in zip(tasks, sorted(lines, key=lambda line: [task["id"] for task in tasks].index(line["id"]))):
        turns = ["think: hm", *(task["plan"] or ["impossible: no"])]
        assert line["prediction"] == {"turns": turns, "success": True, "tokens": 15 * len(turns)}
        assert line["ended"] == ("impossible" if task["impossible"] else "success")
    assert max(player.sizes) == min(size, len(tasks)) and max(player.seeds.values()) == 1


def test_the_examples_leave_the_window_before_the_dialogue(tasks):
    game = PlayedEpisode.begun(tasks[0], Rules(ACTING, few_shot=True, window=9))
    assert game.chat == chat(game.episode.dialogue(), ACTING, True, 9)
    shown = [message["content"] for message in game.chat]
    assert len(shown) == 1 + 9 and shown[1] == examples(ACTING)[0]["content"]
    for _ in range(8):
        game.take(TurnAnswer("think: hm"))
    shown = game.chat
    assert len(shown) == 1 + 9 and shown[1]["role"] == "user" and examples(ACTING)[0] not in shown


# --- A model on this machine


@pytest.mark.slow
@pytest.mark.parametrize("temperature", [0, 0.9])
def test_a_models_episodes_do_not_depend_on_the_batch(model, tmp_path, temperature):
    options = ["--model", model, "--max_items", 6, "--max_steps", 3, "--max_new_tokens", 12, "--few_shot", "false",
               "--temperature", temperature]  # fmt: skip
    alone = played(tmp_path / "alone.jsonl", *options, "--batch_size", 1)
    together = played(tmp_path / "together.jsonl", *options, "--batch_size", 4)
    assert alone == together and alone
    for line in alone.values():
        assert line["prediction"]["tokens"] == line["prompt_tokens"] + line["completion_tokens"] > 0
        assert all("\n" not in turn for turn in line["prediction"]["turns"])
    if temperature:
        greedy = played(tmp_path / "greedy.jsonl", *options[:-1], 0, "--batch_size", 4)
        assert greedy.keys() == alone.keys() and greedy != alone


def test_runs_of_a_task_differ_and_are_resumed_by_themselves(model, tmp_path):
    output = tmp_path / "runs.jsonl"
    options = ["--model", model, "--max_items", 3, "--max_steps", 2, "--max_new_tokens", 8, "--few_shot", "false",
               "--temperature", 1.0, "--runs", 3, "--batch_size", 4]  # fmt: skip
    whole = played(output, *options)
    lines = output.read_text().splitlines(keepends=True)
    first = [line["prediction"]["turns"] for (task, _), line in whole.items() if task == json.loads(lines[0])["id"]]
    assert len(first) == 3 and len({tuple(turns) for turns in first}) > 1
    output.write_text("".join(lines[:4]) + lines[4][:20])  # killed in the middle of a line
    assert played(output, *options) == whole
    with pytest.raises(PredictionError, match=r"made with other settings.*window"):
        played(output, *options, "--window", 7)
    assert len(output.read_text().splitlines()) == len(lines)


def test_a_dialogue_that_outgrows_the_context_loses_its_oldest_messages(model, tmp_path):
    short = tmp_path / "short"
    shutil.copytree(model, short)
    config = json.loads((short / "config.json").read_text())
    (short / "config.json").write_text(json.dumps(config | {"max_position_embeddings": 700}))
    options = ["--model", short, "--max_items", 2, "--max_steps", 4, "--max_new_tokens", 20, "--batch_size", 2]
    lines = played(tmp_path / "long.jsonl", *options)
    assert all(line["messages_dropped"] > 0 for line in lines.values())
    assert all(line["prompt_tokens"] <= 4 * 680 for line in lines.values())
    with pytest.raises(UsageError, match="the context of the model holds"):
        played(tmp_path / "x.jsonl", *options[:6], "--max_new_tokens", 650)


def test_vllm_plays_the_same_episodes(model, tmp_path, monkeypatch):
    loaded = vllm_stand_in.installed(monkeypatch)
    options = ["--model", model, "--max_items", 4, "--max_steps", 2, "--max_new_tokens", 12, "--few_shot", "false"]
    here = played(tmp_path / "here.jsonl", *options).values()
    there = played(tmp_path / "there.jsonl", *options, "--backend", "vllm").values()
    assert [line["prediction"]["turns"] for line in here] == [line["prediction"]["turns"] for line in there]
    assert len(loaded) == 1


# --- An endpoint


@pytest.fixture(scope="module")
def gold():
    """By what the player reads first the plan of a task."""
    rows = [task_row(record) for record in records("validation_small")]
    return {row["observation"]: row["plan"] or ["impossible: there is no way"] for row in rows}


def answer(gold):
    """Plays the gold plan of the task that a chat is about; the examples before it are whole."""

    def gives(messages):
        dialogue = messages[1 + len(examples((*ACTING, "impossible"))) :]
        plan = gold[dialogue[0]["content"]]
        return plan[sum(message["role"] == "assistant" for message in dialogue)]

    return gives


def at_endpoint(endpoint, tmp_path, *args):
    return ["--backend", "openai", "--base_url", endpoint.url, "--model", "m", "--cache", tmp_path / "cache",
            "--retry_delay", 0.01, "--tools", "M S I", "--window", 100, *args]  # fmt: skip


@pytest.mark.slow
def test_an_endpoint_that_knows_the_plans_succeeds_in_every_task(gold, tmp_path):
    with ChatStandIn(answer=answer(gold)) as endpoint:
        endpoint.faults += [Fault(status=429), Fault(cut=True), Fault(half=True)]
        lines = played(tmp_path / "chat.jsonl", *at_endpoint(endpoint, tmp_path))
        assert len(lines) == 110 and all(line["prediction"]["success"] for line in lines.values())
        request = endpoint.requests[0].body
        assert request["stop"] == ["\n"] and request["temperature"] == 0 and "seed" not in request
        assert endpoint.most_at_once > 1
        asked = len(endpoint.requests)
        again = played(tmp_path / "again.jsonl", *at_endpoint(endpoint, tmp_path))
        assert again == lines and len(endpoint.requests) == asked  # all of the cache


@pytest.mark.slow
def test_samples_of_an_endpoint_have_seeds_of_their_own_and_one_that_fails_is_no_episode(gold, tmp_path):
    output = tmp_path / "chat.jsonl"
    with ChatStandIn(answer=answer(gold)) as endpoint:
        options = at_endpoint(
            endpoint, tmp_path, "--temperature", 0.6, "--runs", 2, "--max_items", 5, "--max_retries", 0
        )
        endpoint.faults += [Fault(status=500)]
        with pytest.raises(UsageError, match="1 episodes got no answer, the same command plays them"):
            played(output, *options)
        assert len(output.read_text().splitlines()) == 9
        lines = played(output, *options)
        seeds = [request.body["seed"] for request in endpoint.requests]
    assert len(lines) == 10 and all(line["prediction"]["success"] for line in lines.values())
    assert len(set(seeds)) == len(seeds) - 1  # of the request that was repeated


# --- Policies and settings


def test_policies_play_without_a_model(tmp_path):
    lines = played(tmp_path / "oracle.jsonl", "--policy", "oracle")
    assert len(lines) == 110 and all(line["prediction"]["success"] for line in lines.values())
    lines = played(tmp_path / "random.jsonl", "--policy", "random", "--runs", 2)
    first, second = ([line for (_, run), line in lines.items() if run == n] for n in (1, 2))
    assert len(first) == len(second) == 90 and first[0]["prediction"] != second[0]["prediction"]


@pytest.mark.parametrize(
    "args, message",
    cases_of(__file__, "refused_settings"),
)
def test_settings_that_do_not_go_together_are_refused(args, message, tmp_path):
    with pytest.raises((UsageError, SystemExit)) as error:
        parse_arguments(["--out", str(tmp_path / "x.jsonl"), *args])
    if isinstance(error.value, UsageError):
        assert message in str(error.value)
    assert not (tmp_path / "x.jsonl").exists()


def test_a_model_without_a_chat_template_is_refused(model, tmp_path):
    from transformers import AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(model)
    tokenizer.chat_template = None
    bare = tmp_path / "bare"
    shutil.copytree(model, bare, ignore=shutil.ignore_patterns("*.jinja"))
    tokenizer.save_pretrained(bare)
    with pytest.raises(UsageError, match="has no chat template"):
        played(tmp_path / "x.jsonl", "--model", bare, "--max_items", 1)


def test_a_checkpoint_of_a_training_that_has_not_ended_has_to_be_explained(model, tmp_path):
    checkpoint = tmp_path / "checkpoint-300"
    shutil.copytree(model, checkpoint)
    with pytest.raises(UsageError, match="a training that has not ended"):
        parse_arguments(["--model", str(checkpoint), "--out", str(tmp_path / "x.jsonl")])
    (tmp_path / "training_run.json").write_text('{"representation": "chat"}')
    assert parse_arguments(["--model", str(checkpoint), "--out", str(tmp_path / "x.jsonl")]).few_shot is False
