"""Reads random texts made of pieces of answers: does the reader of predictions ever raise, or need long?

    python benchmarks/answers.py                    # a million texts
    python benchmarks/answers.py --texts 10000 --seed 7

Most texts are pieces of answers in random order, some are random characters of all alphabets, some are a JSON answer
with a few characters replaced. Every fiftieth is also scored. Prints how many texts and actions were read, and the
slowest text. Ends with the text and the traceback if one raises.
"""

import argparse
import random
import time

from bap_v2_metric import score_item
from bap_v2_metric.answers import read_prediction

PIECES = [
    "place", "pick", "red", "blue", "Place", "PICK", " ", " ", " ", "\n", "\n", "0", "1", "-5", "12345678901", "1.5",
    ",", ";", "[", "]", "{", "}", "(", ")", '"', "'", "`", "*", "**", "```", "```json\n", ":", "=", "x", "y", "z",
    "color", "action", "actions", "<think>", "</think>", "<reasoning>", "<answer>", "</answer>", "- ", "1. ",
    "Step 1:", "Answer:", "### AS:", "and then", "I would ", "\\n", '\\"', "\\", "null", "true", "position",
    "arguments", "#", "//", "\u00a0", "\u2212", "\u2028", "\ud800", "\0", "\r", "\r\n", "|", "~~", ">", "+", "放", "é",
    "\u200b", "place red 0 1 0", "pick 0 1 0", '{"action": "place", "color": "red", "x": 0, "y": 1, "z": 0}',
    'place(color="red", x=0, y=1, z=0)', '["place","red",0,1,0]',
]  # fmt: skip
ANSWER = """\
[
 {"action": "place", "color": "red", "x": 0, "y": 1, "z": 0},
 {"action": "pick", "x": 0, "y": 1, "z": 0}
]
place red 0 1 0; pick (0, 1, 0)"""
REFERENCE = {"before": ["red 0 1 0"], "after": ["red 0 1 0", "red 1 1 0"]}


def random_text(rng: random.Random) -> str:
    kind = rng.random()
    if kind < 0.8:
        return "".join(rng.choices(PIECES, k=rng.randint(0, 40)))
    if kind < 0.9:
        alphabets = (0x80, 0x3000, 0x110000)
        return "".join(chr(rng.randrange(rng.choice(alphabets))) for _ in range(rng.randint(0, 60)))
    characters = list(ANSWER)
    for _ in range(rng.randint(1, 6)):
        characters[rng.randrange(len(characters))] = rng.choice(PIECES)
    return "".join(characters)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--texts", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    rng = random.Random(arguments.seed)
    actions = unparsed = 0
    slowest, slowest_text = 0.0, ""
    began = time.process_time()
    for number in range(arguments.texts):
        text = random_text(rng)
        start = time.process_time()
        try:
            prediction = read_prediction(text)
            if number % 50 == 0:
                score_item(text, REFERENCE)
        except Exception:
            print(f"text {number}: {text!r}")
            raise
        if (taken := time.process_time() - start) > slowest:
            slowest, slowest_text = taken, text
        actions += len(prediction.actions)
        unparsed += prediction.unparsed_lines
    print(f"{arguments.texts:,} texts in {time.process_time() - began:.0f} CPU s: {actions:,} actions, "
          f"{unparsed:,} unparsed lines")  # fmt: skip
    print(f"slowest, {1000 * slowest:.1f} ms: {slowest_text!r}")


if __name__ == "__main__":
    main()
