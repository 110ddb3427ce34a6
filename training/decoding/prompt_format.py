"""The form in which a model is given its prompts: others may have trained with other blanks and more BOS tokens."""

from collections.abc import Sequence
from typing import NamedTuple

from transformers import PreTrainedTokenizerBase

from bap_v2_training.errors import UsageError
from bap_v2_training.learning.chats import rendered

PROMPT_FORMATS = ("bap_v2", "same_line", "nebula", "chat")  # nebula: as in scripts that look like those of its authors
_ENDING = "### AS:\n"


class PromptFormat(NamedTuple):
    """The way in which a prompt of `bap_v2_dataset.items.prompts` becomes what a model reads.

    bap_v2      as it is: the answer begins on a line of its own
    same_line   without the last line break: the answer follows on the line of `### AS:`, after a space
    nebula      the same, with a space before the excerpt and before `### AS:`
    chat        as it is, as a message of the user in the template of the tokenizer, which also says where BOS stands
    """

    name: str = "bap_v2"
    bos_tokens: int | None = None  # at the start; None: as the tokenizer does it

    def text(self, prompt: str) -> str:
        """Return the text of a prompt.

        Raises:
            UsageError: a prompt of another form.

        >>> PromptFormat("nebula").text("Predict:\\n<Architect> hi\\n### AS:\\n")
        'Predict:\\n <Architect> hi\\n ### AS:'
        """
        if self.name in ("bap_v2", "chat"):
            return prompt
        instruction, _, excerpt = prompt.partition("\n")
        if not excerpt.endswith(_ENDING):
            raise UsageError(f"prompt_format {self.name} is for prompts that end with ### AS: and a line break")
        if self.name == "same_line":
            return prompt.removesuffix("\n")
        return f"{instruction}\n {excerpt.removesuffix(_ENDING)} {_ENDING.strip()}"

    def input_ids(self, tokenizer: PreTrainedTokenizerBase, prompts: Sequence[str]) -> list[list[int]]:
        """Return the tokens of prompts, BOS included.

        Raises:
            UsageError: prompts of another form, or a tokenizer that has no BOS or no template.
        """
        texts = [self.text(prompt) for prompt in prompts]
        if self.name == "chat":
            return [_message(tokenizer, text) for text in texts]
        # Quiet, because a text that is too long is measured in order to be shortened.
        if self.bos_tokens is None:
            ids = tokenizer(texts, verbose=False)["input_ids"]
            # A tokenizer may have been saved with add_eos_token, for training: an answer cannot follow the end.
            return [one[:-1] if one[-1:] == [tokenizer.eos_token_id] else one for one in ids]
        if self.bos_tokens and tokenizer.bos_token_id is None:
            raise UsageError(f"bos_tokens is {self.bos_tokens}: the tokenizer of this model has no BOS token")
        bos = [tokenizer.bos_token_id] * self.bos_tokens
        return [bos + ids for ids in tokenizer(texts, add_special_tokens=False, verbose=False)["input_ids"]]


def _message(tokenizer: PreTrainedTokenizerBase, text: str) -> list[int]:
    """Return a message of the user, up to where the answer begins."""
    if tokenizer.chat_template is None:
        raise UsageError("prompt_format is chat: the tokenizer of this model has no chat template")
    form = rendered([{"role": "user", "content": text}], tokenizer, asked=True)
    return tokenizer(form, add_special_tokens=False, verbose=False)["input_ids"]
