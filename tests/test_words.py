"""One name for one thing, in plain English: in the documents, in help texts, and in every message and docstring.

The names are those of docs/glossary.md. A rule is an expression that no text may contain, and what to write instead.
"""

import ast
import re
from collections.abc import Iterator

import pytest
from paths import ROOT

from bap_v2_dataset.interface.table import TASKS
from bap_v2_dataset.tasks.building.paper import COLUMNS, ROWS

RULES = {
    r"\bunread(?:able)? lines?\b|\blines? that (?:is|are) (?:no|not) (?:an )?actions?\b": "unparsed lines",
    r"\b(?:one|two|three|an?|\d+|items|turns|games|words|actions|blocks|seconds|steps|lines)"
    r"(?: (?!of |as |in |on |for )\w+)? an? (?:line|core|second|utterance|shard|call)\b(?! of\b)": "per line, per core",
    r"\b(?:items|actions|words|turns) an? (?:game|item|Architect)\b": "items per game",
    r"\bmend(?:s|ed|ing)?\b": "fix",
    r"\banew\b": "again",
    r"\b(?:goes|go|went) on where\b": "resumes",
    r"\b(?:install|score|count)\w* (?:\w+ )?apart\b": "separately",
    r"(?<!there )\bis no (?:config|name|range|action|file|folder|branch|number|prediction|seed)\b": "is not a ...",
    r"\bhalf labell?ed\b": "incompletely labeled",
    r"\b(?:an?|the) mix of nothing\b": "the mix is empty",
    r"\ba second prediction for\b": "duplicate prediction for",
    r"\bwhat it learned from\b": "training data",
    r"\b[Ss]heet \{?\d?": "page",
    r"\ba folder of yours\b": "a folder where you may write",
    r"\bturn (?:it|them) about\b": "rotate in 3D",
    r"\band leave\.": "and exit.",
}
# The language of the games: what players say, and what is known about their words.
LANGUAGE = {"lexicon.py", "language.py", "symbolic_phrases.py"}
LANGUAGE_ROOMS = {ROOT / "simulators" / "wording", ROOT / "simulators" / "language"}
DOCUMENTS = [
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "training/LOG.md")),
    *sorted((ROOT / "docs").rglob("*.md")),
    *sorted((ROOT / "hub_cards").rglob("*.md")),
    *sorted((ROOT / "bap_v2_metric").rglob("*.md")),
    *sorted((ROOT / "bap_v2_dataset").rglob("*.md")),
    *sorted((ROOT / "bap_v2_dataset").rglob("*.js")),
]
SOURCES = [
    path
    for folder in ("bap_v2_metric", "simulators", "bap_v2_dataset", "training", "hub_cards", "tools")
    for path in sorted((ROOT / folder).rglob("*.py"))
    if path.name not in LANGUAGE and path.parent not in LANGUAGE_ROOMS
]


def texts(path) -> Iterator[tuple[int, str]]:
    """(line, text) of every string in a module, with what an f-string inserts as {}; or of a document as a whole."""
    if path.suffix != ".py":
        yield 1, path.read_text(encoding="utf-8")
        return
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.JoinedStr):
            yield node.lineno, "".join(part.value if isinstance(part, ast.Constant) else "{}" for part in node.values)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.lineno, node.value


def offenses(text: str) -> list[str]:
    """What the text should not say, each with what to write instead."""
    text = " ".join(text.split())
    return [f"{match[0]!r}: write {rule!r}" for words, rule in RULES.items() for match in re.finditer(words, text)]


@pytest.mark.parametrize(
    "text",
    [
        "806 lines that are no action", "one action a line", "about 9 items an utterance", "errors name the mend",
        "'abc' is no number", "sheet 1 of 100", "vLLM, which is installed apart", "it goes on where it stopped",
    ],
)  # fmt: skip
def test_the_old_words_are_found(text):
    assert offenses(text)


def test_ordinary_words_are_not():
    assert not offenses(
        "there is no file x.jsonl; games of a shard; a block in a line of five; we recommend spreadsheets"
    )


@pytest.mark.slow
def test_one_name_for_one_thing():
    found = [f"{path}:{line}: {offense}" for path in (*DOCUMENTS, *SOURCES)
             for line, text in texts(path) for offense in offenses(text)]  # fmt: skip
    assert not found, "\n".join(found)


def test_the_glossary_has_the_names_that_tables_use():
    glossary = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")
    configs = [f"`{config}`" for config in TASKS["bap"].configs if config != "all"]
    for name in (*COLUMNS.values(), *ROWS.values(), *configs, "unparsed line", "infeasible action"):
        assert name in glossary, name
