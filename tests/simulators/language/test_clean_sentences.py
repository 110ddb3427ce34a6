"""Sentences that nobody would type do not occur: doublings, wrong agreement, verbs without what they need."""

import re

import pytest

from bap_v2_simulators.corpora import simulator_of
from bap_v2_simulators.simulation import SPLITS, play

GAMES = {"dr": 50, "dsb": 60, "dss": 300, "dh": 50}  # of each split: more than 2,000 lines of each corpus
SEED = 2024
SETTINGS = ({}, {"talk.clarification": "0.6", "talk.verification": "0.3", "talk.ellipsis": "0.5"})

_COLOR = "(?:red|blue|green|yellow|orange|purple)"
_SEVERAL = "(?:two|three|four|five|six|seven|eight|nine|ten|[2-9])"
_BLOCK = "(?:block|brick|cube|piece)"
_SIZE = "(?:long|wide|tall|high|deep|up|down|away|left|right|lower|higher|further|closer)"
_SHAPE = "(?:row|line|column|tower|stack|wall|plane|layer|platform|diagonal|staircase|stairs?|square|bar|pillar)"
_START = r"\b(?:start|begin)"
_AFTER_START = (
    "(?:with|by|off|at|on|in|it|one|to|the|from|above|below|under|behind|directly|diagonally|left|right|up|down|two"
    r"|three|four|five|six|\d)"
)
_THING = rf"(?:a|one|another) (?:{_COLOR} )?{_BLOCK}"
_THINGS = rf"{_SEVERAL} (?:more )?(?:{_COLOR} )?{_BLOCK}s"
_MORE_OF_THE_NAME = "(?: there| builder| architect| again)"
_BUILT = "(?:placed|put|added|built|did|removed|took|made|deleted|broke|left|cleared)"

# What must not occur, and a line in which it does. A line is in lower case.
ODD = {
    "just twice": (rf"\bjust (?!{_BUILT}).*\bjust (?!{_BUILT})", "just place just one red block"),
    "next twice": (r"\bnext\b(?! to).*\bnext\b(?! to)", "ok next, the next step is a red block"),
    "now twice": (r"\bnow\b.*\bnow\b", "now we need a red one now"),
    "then twice": (r"\bthen\b.*\bthen\b", "then a red block and then put it on top"),
    "start twice": (rf"{_START} (?:with|by|off)\b.*{_START}\b", "start by placing a red block to start"),
    "let us start twice": (
        rf"let'?s (?:get )?start(?:ed)?\b.*{_START}\b",
        "ok let's get started start with a red block",
    ),
    "first twice": (r"\bfirst\b.*\bfirst (?!block|one)", "first our first step is a red block"),
    "please twice": (r"\bplease\b.*\bplease\b", "please put a red one please"),
    "down twice": (
        r"(?<!just )\b(?:put|place|set|lay)(?:ting|ing)? down\b[^.]*(?<!upside )\bdown\b(?<!just put down)",
        "place down one green down on the ground",
    ),
    "a step that are": (r"\b(?:step|thing|color) are\b", "the next step are two red blocks"),
    "what follows without a comma": (r"(?<!, )\b(?:after that|once that is done) \w", "after that one red block"),
    "next to a place": (
        r"\bnext (?:on|above|below|under|behind|to the left|to the right)\b",
        "next to the left put a red one",
    ),
    "a greeting without a mark": (
        rf"^(?:hi|hello|hey|good morning|welcome){_MORE_OF_THE_NAME}? (?!there|builder|architect|again)",
        "good morning going up build a red row",
    ),
    "praise without a mark": (
        r"^(?:perfect|great|nice|good|cool|awesome|excellent|exactly) (?:put|place|add|now|a|one|build|make|to|on) ",
        "great put a red block on top",
    ),
    "praise that nobody gives": (
        r"\b(?:gotcha|splendid|lovely|brilliant)\b.*\bput\b",
        "splendid, put a red one on top",
    ),
    "praise twice": (
        r"^(?:perfect|great|nice|good|cool|awesome)[,.!] (?:perfect|great|nice|good|cool|awesome|yes)\b",
        "great! perfect, put a red one on top",
    ),
    "start and another -ing": (rf"{_START} (?!{_AFTER_START}\b)\w+ing\b", "start mounting a red block"),
    "begin and a verb": (rf"{_START} (?:attach|place|put|add|build|make)\b", "begin attach a red block"),
    "more left of": (
        r"\bmore (?:left|right) of\b(?! (?:that one|either|each|both|every)\b)",
        "one more right of the red block",
    ),
    "left from": (rf"\b(?:{_COLOR}s?|it|them|more|,) (?:left|right) from\b(?! there)", "put a red right from that"),
    "above from": (r"\b(?:above|below|underneath|behind|in front|higher|lower) from\b", "one above from that one"),
    "to the left from": (
        rf"\b(?:one|{_SEVERAL}|1|spaces?) to (?:the|your) (?:left|right) from\b(?! there)",
        "one up and one to the left from the red block",
    ),
    "one red one": (
        rf"\b(?:one|1)(?: more)? (?:floating |hovering )?(?:{_COLOR} )(?:floating |hovering )?one\b",
        "start with one blue one",
    ),
    "what touches only a corner is connected": (
        rf"\b(?:connect|attach|stick) {_THING} (?:diagonally|(?:up|down|above|below|on top of|under) and)\b",
        "connect a red block diagonally up and right of that",
    ),
    "praise for what is removed again": (
        r"^(?:perfect|great|nice|good|cool|awesome|excellent|beautiful)[,.!].* (?:remove|delete|get rid of|take out)"
        r" (?:it|(?:that|this)(?: (?:last )?(?:one|block))?)[.!]?$",
        "great! now get rid of that",
    ),
    "floating, and no noun": (
        rf"\b(?:a|one|1|another|single) {_COLOR} (?:floating|hovering)(?! (?:{_COLOR} )?{_BLOCK}s?\b| one\b)",
        "now put a purple floating",
    ),
    "use without a color": (
        rf"\bus(?:e|ing) (?:a|one|1|a single|just one) (?:floating )?{_BLOCK}\b",
        "use a block on top",
    ),
    "start by using": (rf"{_START} by using\b", "start by using an orange block on the ground"),
    "a cube that is a block": (r"\b(?:a|one|1|single) (?:floating |hovering )?cube\b", "build a cube next to it"),
    "a question that goes on": (
        r"\b(?:can|could) you\b[^?]*\? (?:up|down|to|on|in|behind|above|below|under|diagonally|left|right)\b",
        "can you put an orange block? up and to the left of the blue one",
    ),
    "then now": (r"\b(?:then|next|now),? (?:now|next|then)\b", "then now we need blue"),
    "below and left from": (
        r"\b(?:above|below|underneath|behind|in front|higher|lower|you)(?:,| and|, and) \w+ (?:blocks? |spaces? )?"
        r"(?:to the |to your )?(?:left|right) from\b",
        "starting two below and one to the left from that last block",
    ),
    "starting towards you": (
        r"\b(?:starting|starts|beginning) (?:diagonally )?(?:towards|away from) you\b",
        "starting towards you and to the right of that last block",
    ),
    "in front of and left": (
        r"\bin front of and (?:to the |to your )?(?:left|right)\b(?! of)",
        "in front of and left put a red one",
    ),
    "a rank far from its side": (
        r"\bof the \w+ of \w+ blocks from\b",
        "the 4th block of the row of red blocks from the left",
    ),
    "connect without to": (
        r"\b(?:connect|attach|stick)(?:ing)? (?:(?!to |on |from )[\w-]+ ){1,5}(?:going|extending|starting|spaces?)\b",
        "please connect a purple diagonal going right",
    ),
    "have as a command": (
        rf"^(?:now |then |and |ok |okay |so )*have (?:{_THING}|{_THINGS})\b",
        "now have a red block on top",
    ),
    "that place": (
        r"\b(?:on top of|right of|left of|behind|below) that (?:place|stack|set|put|add)\b",
        "on top of that place one",
    ),
    "used somewhere": (
        rf"\b(?:use|using) (?:{_THING}|{_THINGS})"
        r" (?:on|to the|from|above|below|under|behind|in|diagonally|left|right)\b",
        "use a red block on the ground",
    ),
    "they go and another form": (
        r"\bgo(?:es)? (?:extending|starting|stacked|attached)\b",
        "they go extending right from the last one",
    ),
    "they should be starting": (r"\bbe starting\b", "they should be starting from that block and going right"),
    "between one and that": (r"\bbetween .* and (?:it|that|this)[.!?]?$", "one between the top red block and that"),
    "connect what floats": (
        r"\b(?:connect|attach|stick)(?:ing)? [^.,]*\b(?:floating|hovering)\b",
        "connect another floating purple block",
    ),
    "connect without a to": (
        rf"\b(?:connect)(?:ing)? (?:{_THING}|{_THINGS}|another one|one more)(?! to\b)",
        "above that block, connect three red blocks",
    ),
    "towards twice": (r"\btowards? your \w+ and towards?\b", "going towards your right and towards you from it"),
    "then you see": (r"\b(?:then|next|also|after that,|and),? (?:do )?you see\b", "then you see the red block"),
    "let me see": (r"\blet me see\b", "now let me see, put a red one"),
    "the same joint twice": (r"\b(?:and,? and|so,? so|ok,? ok|also .*also)\b", "and and put a red one"),
    "a with several": (rf"\b(?:a|an|one|another) (?:{_COLOR} )?{_BLOCK}s\b", "put a red blocks on top"),
    "several with one": (
        rf"\b{_SEVERAL} (?:more )?(?:{_COLOR} )?(?:floating )?{_BLOCK}\b"
        rf"(?! ?-?{_SIZE}\b| \w+ {_SIZE}\b|(?: [\w-]+){{0,4}} {_SHAPE}\b)",
        "put two red block on top",
    ),
    "they for one": (rf"\b{_THING}[.,]? they\b", "a red block. they go on top"),
    "it for several": (
        rf"\b{_THINGS}[.,] (?:it goes|it should|it's|put it|place it)\b",
        "two red blocks. it goes on top",
    ),
    "is for several": (rf"\bnext is {_THINGS}\b", "next is two red blocks"),
    "are for one": (r"\bnext are (?:a|an|one|1|another)\b", "next are a red block"),
    "a before a vowel": (r"\ba (?:orange|upper|upright|8|eight|empty|end)\b", "put a orange block on top"),
    "an before a consonant": (
        rf"\ban (?:red|blue|green|yellow|purple|{_BLOCK}|floating|row|line)\b",
        "put an red block",
    ),
    "an article before a preposition": (r"\bthe (?:to|on|of|and|in|above|below)\b", "to the left of the and"),
    "an open end": (r"\b(?:of|and|the|a|an|with|by|than|your|or)[.!?]?$", "put a red block to the left of"),
    "two prepositions": (
        r"\b(?:of of|to to|on on|of to|of on|from of|from to|above of|below of|under of|behind of)\b",
        "above of the red block",
    ),
}
# General ones, as they are typed.
UNTIDY = {
    "a word twice in a row": (r"\b([a-z]+|\d+) \1\b", "put one one on top"),
    "two spaces": (r"  ", "put  one"),
    "a space at an end": (r"^ | $", "put one "),
    "a space before a mark": (r" [,.!?)]|\( ", "put one ."),
    "two marks": (r"(?<!\.)(?!\.\.\. )[,.!?][,.!?]", "put one.."),  # but "... sorry, red"
    "a mark at the beginning": (r"^[,.!?]", ", put one"),
    "a comma at the end": (r",$", "put one,"),
    "no space after a mark": (r"[,.!?][A-Za-z]", "yes.put one"),
    "a placeholder": (r"[{}_/]|\bNone\b", "put one {pp}"),
    "one parenthesis": (r"^[^()]*[()][^()]*$", "put one (floating on top"),
    "a capital inside": (r"(?<![.!?]) [A-Z][a-z]", "put One on top"),
}


@pytest.fixture(scope="module")
def lines():
    """What is said in games of every split, as it is and with many questions; each line once, by corpus."""
    said = {}
    for name, games in GAMES.items():
        texts = set()
        for settings in SETTINGS:
            simulator = simulator_of(name, settings)
            for split in SPLITS:
                for index in range(games):
                    texts.update(
                        event.text for event in play(simulator, split, index, SEED).events if hasattr(event, "text")
                    )
        said[name] = sorted(texts)
        assert len(texts) > 2000
    return said


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_no_line_is_odd_or_untidy(name, lines):
    for what, (pattern, _) in ODD.items():
        assert [text for text in lines[name] if re.search(pattern, text.lower())] == [], what
    for what, (pattern, _) in UNTIDY.items():
        flags = re.IGNORECASE if "twice" in what else 0
        assert [text for text in lines[name] if re.search(pattern, text, flags)] in ([], ["Mission has started."]), what
    assert [text for text in lines[name] if text.count("(") != text.count(")")] == []


def test_each_pattern_finds_what_it_is_for():
    for what, (pattern, example) in (ODD | UNTIDY).items():
        assert re.search(pattern, example), what
