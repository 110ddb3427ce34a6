"""How many tokens the prompts for chat models have, with the tokenizer of Llama 3.

    pip install llama-models tiktoken               # the tokenizer's files are in the package
    python benchmarks/chat_tokens.py                # the test sets of mdc_v2, dr, dsb and dss
    python benchmarks/chat_tokens.py --configs mdc_v2 --shots 0

Per test set: the mean over all items of each prompt, and of what the tool `try_actions` answers to the item's own
actions. Other tokenizers differ by some percent; what a model writes itself is not counted.
"""

import argparse
import json
import random
from collections.abc import Iterable
from statistics import mean

import datasets
from llama_models.llama3.tokenizer import Tokenizer

import bap_v2_dataset  # noqa: F401 (load_dataset knows the name)
from bap_v2_dataset.chat.messages import chat_messages
from bap_v2_dataset.chat.retrieval import Pool
from bap_v2_dataset.chat.tools import DEFINITIONS, Toolbox

PROMPTS = {
    "direct": {},
    "reasoning": {"prompt": "reasoning"},
    "reasoning, tools": {"prompt": "reasoning", "tools": True},
    "direct, ego": {"representation": "ego"},
    "reasoning, ego": {"prompt": "reasoning", "representation": "ego"},
}
SAMPLE = 200  # items of which the prompts with shots are measured: retrieval takes time
POOL = 2000  # train items that shots of a simulated config are taken from


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--configs", default="mdc_v2,dr,dsb,dss")
    parser.add_argument("--shots", type=int, default=5)
    options = parser.parse_args()
    tokenizer = Tokenizer.get_instance()

    def tokens(texts: Iterable[str]) -> int:
        return sum(len(tokenizer.encode(text, bos=False, eos=False)) for text in texts)

    print(f"definitions of the tools: {tokens([json.dumps(DEFINITIONS)])} tokens as JSON")
    for config in options.configs.split(","):
        rows = datasets.load_dataset("bap_v2", config, split="test").to_list()
        print(f"\n{config}: {len(rows):,} items; mean tokens of")
        for name, how in PROMPTS.items():
            asked = [chat_messages(row, **how) for row in rows]
            system = tokens([asked[0][0]["content"]])
            items = mean(tokens([messages[1]["content"]]) for messages in asked)
            print(f"  {name:20} {system + items:7,.0f} = {system:,} of the rules and {items:,.0f} of the item")
        if options.shots:
            train = datasets.load_dataset("bap_v2", config, split="train")
            pool = Pool((train if config == "mdc_v2" else train.select(range(POOL))).to_list())
            some = random.Random(1).sample(rows, min(SAMPLE, len(rows)))
            shown = [chat_messages(row, pool.with_similar_words(row, options.shots)) for row in some]
            total = mean(tokens(message["content"] for message in messages) for messages in shown)
            print(f"  {f'direct, {options.shots} shots':20} {total:7,.0f} in {len(some)} of the items")
        tried = [Toolbox(row).answer("try_actions", json.dumps({"actions": row["actions"]})) for row in rows]
        print(f"  {'what a try gives':20} {mean(tokens([text]) for text in tried):7,.0f}")


if __name__ == "__main__":
    main()
