"""Chats in tokens: exactly the turns of the assistant are learned, whatever the template."""

import pytest

from bap_v2_training.decoding.prompt_format import PromptFormat
from bap_v2_training.errors import UsageError
from bap_v2_training.games.episode_players import fitted_chat
from bap_v2_training.learning.chats import CHAT_TEMPLATE, chat_tokenized, plain_text, rendered, template_facts
from bap_v2_training.learning.tokenization import LearnedText
from bap_v2_training.models.new_llama import new_tokenizer

CHAT = [
    {"role": "system", "content": "You craft.\nOne action a turn."},
    {"role": "user", "content": "inventory:\n - oak_log [I3] quantity 5"},
    {"role": "assistant", "content": "move: from [I3] to [A1] with quantity 1"},
    {"role": "user", "content": "inventory:\n - oak_log [A1] quantity 1"},
    {"role": "assistant", "content": "move: from [0] to [I1] with quantity 4"},
    {"role": "user", "content": "Ok"},
    {"role": "assistant", "content": "think: done"},
]
ANSWERS = [message["content"] for message in CHAT if message["role"] == "assistant"]
CHATML = (
    "{% for m in messages %}<|im_start|>{{ m['role'] }}\n{{ m['content'] }}<|end_of_text|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)
# As Llama 3 writes it: no line end after a turn.
LLAMA = (
    "{{ bos_token }}{% for m in messages %}<|start|>{{ m['role'] }}<|end|>\n\n{{ m['content'] | trim }}<|end_of_text|>"
    "{% endfor %}{% if add_generation_prompt %}<|start|>assistant<|end|>\n\n{% endif %}"
)
# As Qwen 3 writes it: only the last turn has (empty) thoughts.
CHANGES_THE_PAST = (
    "{% for m in messages %}<|im_start|>{{ m['role'] }}\n{% if m['role'] == 'assistant' and loop.last %}<think>\n\n"
    "</think>\n\n{% endif %}{{ m['content'] }}<|end_of_text|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)
ELSEWHERE = "{% for m in messages %}{{ m['content'] }}\n{% endfor %}{% if add_generation_prompt %}answer:{% endif %}"


@pytest.fixture
def tokenizer():
    return new_tokenizer([plain_text(CHAT), CHATML, LLAMA], 600, 512)


def learned_texts(tokenizer, example: LearnedText) -> list[str]:
    """The runs of tokens that are learned, as texts."""
    runs, before = [], -100
    for label in example.labels:
        if label != -100:
            runs = [*runs[:-1], [*runs[-1], label]] if before != -100 else [*runs, [label]]
        before = label
    return [tokenizer.decode(run) for run in runs]


@pytest.mark.parametrize("template", [CHAT_TEMPLATE, CHATML, LLAMA])
def test_exactly_the_turns_of_the_assistant_and_their_ends_are_learned(tokenizer, template):
    tokenizer.chat_template = template
    (example,) = chat_tokenized(CHAT, tokenizer)
    assert learned_texts(tokenizer, example) == [f"{answer}<|end_of_text|>" for answer in ANSWERS]
    assert tokenizer.decode(example.input_ids) == tokenizer.apply_chat_template(CHAT, tokenize=False)
    assert all(label in (-100, token) for label, token in zip(example.labels, example.input_ids, strict=True))


@pytest.mark.parametrize("template", [CHAT_TEMPLATE, CHATML, LLAMA])
def test_a_model_is_asked_with_the_tokens_that_it_learned(tokenizer, template):
    tokenizer.chat_template = template
    (example,) = chat_tokenized(CHAT, tokenizer)
    for number, message in enumerate(CHAT):
        if message["role"] == "assistant":
            asked = tokenizer.apply_chat_template(CHAT[:number], tokenize=False, add_generation_prompt=True)
            ids = tokenizer(asked, add_special_tokens=False)["input_ids"]
            assert example.input_ids[: len(ids)] == ids and example.labels[len(ids)] == example.input_ids[len(ids)]
            assert example.labels[len(ids) - 1] == -100


NO_SYSTEM = (
    "{% if messages[0]['role'] == 'system' %}{{ raise_exception('System role not supported') }}{% endif %}" + CHATML
)
SILENT = CHATML.replace("{% for m in messages %}", "{% for m in messages if m['role'] != 'system' %}")


@pytest.mark.parametrize(("template", "problem"), [(NO_SYSTEM, "refuses the chat .System role"), (SILENT, "leaves")])
def test_a_template_without_a_system_role_is_told_the_rules_by_the_user_or_is_a_sentence(tokenizer, template, problem):
    tokenizer.chat_template = template
    with pytest.raises(UsageError, match=f"{problem}.*pass --system-role user"):
        chat_tokenized(CHAT, tokenizer)
    (example,) = chat_tokenized(CHAT, tokenizer, system_role="user")
    told = f"<|im_start|>user\n{CHAT[0]['content']}\n\n{CHAT[1]['content']}<|end_of_text|>"
    assert tokenizer.decode(example.input_ids).startswith(told)
    assert learned_texts(tokenizer, example) == [f"{answer}<|end_of_text|>" for answer in ANSWERS]
    (shorter,) = chat_tokenized(CHAT, tokenizer, len(example.input_ids) - 1, system_role="user")
    assert tokenizer.decode(shorter.input_ids).startswith(f"<|im_start|>user\n{CHAT[0]['content']}\n\n")
    asked = fitted_chat(tokenizer, CHAT[:-1], 10_000, "user").ids
    assert example.input_ids[: len(asked)] == asked


@pytest.mark.parametrize(
    ("date", "told"),
    [
        ("strftime_now('%d %b %Y')", "26 Jul 2024"),  # Llama 3.2
        ("strftime_now('%Y-%m-%d')", "2024-07-26"),  # gpt-oss
        ("strftime_now(['%B %-d', ', %Y'] | join)", "July 26, 2024"),
        ("date_string if date_string is defined else strftime_now('%A, %H:%M')", "Friday, 00:00"),
    ],
)
def test_a_template_tells_the_same_date_every_day(tokenizer, date, told):
    # The template begins with blanks, which are left as they were
    tokenizer.chat_template = f"  {{% if strftime_now is defined %}}{{{{ {date} }}}}{{% endif %}}\n{CHATML}"
    assert rendered(CHAT[1:2], tokenizer).startswith(f"{told}<|im_start|>user")
    assert template_facts(tokenizer) == {"chat_template_date": "2024-07-26"}
    assert (
        PromptFormat("chat").input_ids(tokenizer, ["Hi"])[0]
        == tokenizer(rendered([{"role": "user", "content": "Hi"}], tokenizer, asked=True), add_special_tokens=False)[
            "input_ids"
        ]
    )
    tokenizer.chat_template = CHATML
    assert template_facts(tokenizer) == {}


def test_a_template_that_changes_what_stands_before_gives_an_example_for_each_turn(tokenizer):
    tokenizer.chat_template = CHANGES_THE_PAST
    examples = chat_tokenized(CHAT, tokenizer)
    assert [learned_texts(tokenizer, example) for example in examples] == [
        [f"<think>\n\n</think>\n\n{answer}<|end_of_text|>"] for answer in ANSWERS
    ]


def test_a_template_that_asks_elsewhere_cannot_be_learned(tokenizer):
    tokenizer.chat_template = ELSEWHERE
    with pytest.raises(UsageError, match="writes an answer elsewhere than it asks for one"):
        chat_tokenized(CHAT, tokenizer)


def test_the_oldest_exchanges_of_a_chat_that_is_too_long_are_dropped_whole(tokenizer):
    tokenizer.chat_template = CHAT_TEMPLATE
    (whole,) = chat_tokenized(CHAT, tokenizer)
    lengths = {}
    for longest in range(len(whole.input_ids), 0, -1):
        (example,) = chat_tokenized(CHAT, tokenizer, longest)
        assert len(example.input_ids) <= longest
        lengths.setdefault(example.dropped, example)
    assert list(lengths) == [0, 2, 4, -1]
    assert learned_texts(tokenizer, lengths[2]) == [f"{answer}<|end_of_text|>" for answer in ANSWERS[1:]]
    assert "You craft." in tokenizer.decode(lengths[4].input_ids) and not lengths[-1].input_ids


def test_everything_that_is_said_can_be_learned(tokenizer):
    tokenizer.chat_template = CHAT_TEMPLATE
    (whole,) = chat_tokenized(CHAT, tokenizer, everything=True)
    assert whole.labels == whole.input_ids == chat_tokenized(CHAT, tokenizer)[0].input_ids
    (cut,) = chat_tokenized(CHAT, tokenizer, len(whole.input_ids) - 1, everything=True)
    assert cut.labels == cut.input_ids and cut.dropped == 2
