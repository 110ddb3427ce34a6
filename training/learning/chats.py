"""Chats as a language model learns them: in the template of its tokenizer, and learned where the assistant speaks.

A chat is one example, if the template only ever adds text when messages are added. Some templates change what stands
before (they drop thoughts of earlier turns, for instance): there each turn of the assistant is an example of its own.
"""

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

from jinja2 import TemplateError
from transformers import PreTrainedTokenizerBase

from bap_v2_dataset.chat.system_role import FIX, in_role
from bap_v2_training.errors import UsageError
from bap_v2_training.learning.tokenization import LearnedText

# For tokenizers without a template, such as those of new models.
CHAT_TEMPLATE = (
    "{{ bos_token }}{% for message in messages %}### {{ message['role'] }}:\n{{ message['content'] }}"
    "{% if message['role'] == 'assistant' %}{{ eos_token }}{% endif %}\n{% endfor %}"
    "{% if add_generation_prompt %}### assistant:\n{% endif %}"
)

# What a template is told that asks for today's date: a prompt is the same every day. The day is the one that Llama 3's
# own template falls back to.
TEMPLATE_DATE = datetime(2024, 7, 26)
_DIRECTIVES = [f"%{letter}" for letter in "aAbBcdDeFGhHIjklmMpRsSTuUVwWxXyYzZ"] + [
    "%-d",
    "%-m",
    "%-H",
    "%-I",
    "%-j",
    "%-y",
]
_REPLACED = "".join(f"|replace({each!r}, {TEMPLATE_DATE.strftime(each)!r})" for each in _DIRECTIVES)
# In front of a template it takes the place of the function that knows today's: a template is given no other functions.
_FIXED_DATE = f"{{% macro strftime_now(format) %}}{{{{ format{_REPLACED} }}}}{{% endmacro %}}\n"

Message = Mapping[str, str]


class _Text(NamedTuple):
    text: str
    learned: list[tuple[int, int]]  # from and to which character


def chat_tokenized(
    chat: Sequence[Message],
    tokenizer: PreTrainedTokenizerBase,
    max_length: int | None = None,
    everything: bool = False,
    system_role: str | None = None,
) -> list[LearnedText]:
    """Return the examples of a chat: one, or one for each turn of the assistant.

    What is learned is the content of each of its turns and the token that ends it. Of a chat that is too long, the
    oldest exchanges are dropped; the system text stays.

    Args:
        chat: a system text, if any, then messages of the user and the assistant in turn.
        tokenizer: with a chat template.
        max_length: in tokens.
        everything: learn what the others say, too: all but the first token.
        system_role: of the system text, see `in_role`.
    Raises:
        UsageError: the template does not go with such chats, or the tokenizer cannot tell where a turn begins.
    """
    system = list(chat[: 1 if chat and chat[0]["role"] == "system" else 0])
    others = list(chat[len(system) :])
    for dropped in range(0, max(len(others) - 1, 1), 2):
        texts = _texts(in_role([*system, *others[dropped:]], system_role), tokenizer)
        examples = [_in_tokens(text, tokenizer) for text in texts]
        if max_length is None or all(len(ids) <= max_length for ids, _ in examples):
            return [_learned(ids, ids if everything else labels, dropped) for ids, labels in examples]
    return [_learned([], [], -1)]


def _learned(ids: list[int], labels: list[int], dropped: int) -> LearnedText:
    return LearnedText(ids, labels, dropped, json.dumps([ids, labels]))


def plain_text(chat: Sequence[Message]) -> str:
    """Return a chat as text, as CHAT_TEMPLATE writes it without special tokens: what a new tokenizer is trained on."""
    return "".join(f"### {message['role']}:\n{message['content']}\n" for message in chat)


def _texts(chat: Sequence[Message], tokenizer: PreTrainedTokenizerBase) -> list[_Text]:
    whole = rendered(chat, tokenizer)
    turns = [number for number, message in enumerate(chat) if message["role"] == "assistant"]
    learned = []
    for number in turns:
        before, after = rendered(chat[:number], tokenizer, asked=True), rendered(chat[: number + 1], tokenizer)
        if not (whole.startswith(before) and whole.startswith(after.rstrip())):
            return [_turn(chat[: number + 1], tokenizer) for number in turns]
        learned.append((len(before), len(after.rstrip())))
    return [_Text(whole, learned)]


def _turn(chat: Sequence[Message], tokenizer: PreTrainedTokenizerBase) -> _Text:
    """Return a chat of which the last turn is learned."""
    before, whole = rendered(chat[:-1], tokenizer, asked=True), rendered(chat, tokenizer).rstrip()
    if not whole.startswith(before):
        raise UsageError(
            f"the chat template of {tokenizer.name_or_path} writes an answer elsewhere than it asks for one: it cannot "
            "be learned"
        )
    return _Text(whole, [(len(before), len(whole))])


def rendered(chat: Sequence[Message], tokenizer: PreTrainedTokenizerBase, asked: bool = False) -> str:
    """Return a chat in the template of the tokenizer, which has BOS; if it tells the date, it tells TEMPLATE_DATE.

    Args:
        asked: up to where the next answer begins.
    Raises:
        UsageError: the template refuses such a chat, or leaves its system text out.
    """
    system = chat[0]["content"] if chat and chat[0]["role"] == "system" else ""
    fix = f"; if it has no system role, {FIX}" if system else ""
    try:
        text = tokenizer.apply_chat_template(
            list(chat),
            chat_template=(_FIXED_DATE if template_facts(tokenizer) else "") + tokenizer.get_chat_template(),
            tokenize=False,
            add_generation_prompt=asked,
        )
    except TemplateError as error:
        raise UsageError(f"the chat template of {tokenizer.name_or_path} refuses the chat ({error}){fix}") from error
    if system.strip() not in text:
        raise UsageError(f"the chat template of {tokenizer.name_or_path} leaves the system text out{fix}")
    return text


def template_facts(tokenizer: PreTrainedTokenizerBase) -> dict[str, str]:
    """Return what to record of a chat template besides its name: the date that it tells, if it tells one."""
    dated = "strftime_now" in str(tokenizer.chat_template)
    return {"chat_template_date": f"{TEMPLATE_DATE:%Y-%m-%d}"} if dated else {}


def _in_tokens(text: _Text, tokenizer: PreTrainedTokenizerBase) -> tuple[list[int], list[int]]:
    """Tokens and labels."""
    if not tokenizer.is_fast:
        raise UsageError(
            f"{type(tokenizer).__name__} does not know which characters a token stands for: take a fast tokenizer"
        )
    # Which characters each token stands for
    encoded = tokenizer(text.text, add_special_tokens=False, return_offsets_mapping=True, verbose=False)
    ids, labels = encoded["input_ids"], [-100] * len(encoded["input_ids"])

    # A token is learned if it lies in one of the spans, which are in order
    spans = iter(text.learned)
    start, end = next(spans)
    for number, (first, last) in enumerate(encoded["offset_mapping"]):
        while first >= end:
            if (span := next(spans, None)) is None:
                return ids, labels
            start, end = span
        if first < start < last:
            raise UsageError(
                f"{tokenizer.name_or_path or type(tokenizer).__name__} does not split a text where a turn begins: it "
                "cannot learn from chats"
            )
        if first >= start and last > first:
            labels[number] = ids[number]
    return ids, labels
