"""The lexicon of the augmentation: which words of a chat line may be exchanged for which others (BAP v2, 2.3).

An entry holds forms of equal meaning, in the inflection in which they are equal, and the context in which they are.
The lexicon is this project's own, made from the most frequent words of the corpus. Its rule: words of place, direction,
shape, size, color and number stay as they are, for they are what an instruction is about. (Numbers and `toward` may
be spelled in another way.) What looks like a synonym and is refused is listed with the reason.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from random import Random

from bap_v2_metric.blocks import Color
from bap_v2_simulators.number_words import NUMBER_WORDS


@dataclass(frozen=True, slots=True)
class Forms:
    """Forms that mean the same where the context allows them."""

    forms: tuple[str, ...]  # in lower case; each may be chosen
    seek: tuple[str, ...] = ()  # what is exchanged, if not just the forms; what is none of them is never brought in
    before: str = ""  # a regular expression for the end of what stands before, in lower case
    after: str = ""  # and one for the beginning of what stands behind

    @property
    def sought(self) -> tuple[str, ...]:
        """The forms that are exchanged when they are met."""
        return self.seek or self.forms


@dataclass(frozen=True, slots=True)
class LexiconGroup:
    """Entries that are safe for the same reason."""

    name: str
    why: str  # the meaning is kept
    entries: tuple[Forms, ...]


_COLORS = "|".join(color.value for color in Color)
_NUMBERS = "|".join((*NUMBER_WORDS[2:11], "[0-9]+"))
_INDEFINITE = rf" (?:an?|another|one|some|more|{_NUMBERS}|{_COLORS})\b"
_NOT_A_NOUN = "and|to|from|on|in|then|now|for|but|so|with|please|too|again|as|by|or|if"
_OBJECT = (
    rf"(?: (?:the|all|both|your|its|one of|an?|some|every|each|everything|any|{_NUMBERS}|{_COLORS})\b"
    rf"| (?:this|that|these|those) (?!(?:{_NOT_A_NOUN})\b)\w)"
)
_PRONOUN = r" (?:it|them|this|that|these|those|one)\b"
_LINE = r"^\W*$"  # nothing but signs before
_ACKNOWLEDGED = (
    "ok|okay|o|k|kk|alright|yes|yep|yup|yeah|yea|no|nope|oh|ah|lol|great|perfect|good|nice|cool|awesome|excellent|"
    "gotcha|done"
)
_PRAISED_AFTER = _ACKNOWLEDGED.replace("no|nope|", "nope|")  # "no good" is no praise
_OPENING = rf"(?:^\W*|[.!?;:,)] *|\b(?:{_ACKNOWLEDGED}|and|but|so|now|then|also|because|since|if|sorry) )$"
_ALONE = rf"(?:^\W*|[.!,] *|\b(?:{_PRAISED_AFTER}) )$"
_PAUSE = r" *(?:[,.!;]|:\)|:d\b|$)"
_VERB = (
    "place|put|add|build|make|create|remove|delete|break|get rid|connect|do|go|move|take|extend|fill|repeat|use|start|"
    "begin|turn|rotate|switch|look|leave|give|draw|stack|replace|finish|complete|continue|try|step|stand|face|need"
)
# In front of a verb in its base form: an order, an infinitive, a request.
_IMPERATIVE = (
    rf"(?:^\W*|[.!?;:,)] *|\b(?:{_ACKNOWLEDGED}|now|then|and|please|pls|also|so|next|again|first|finally|lastly|lets|"
    r"let's|let us|can you|could you|you can|you could|you should|you will|you'll|we will|we'll|we can|we should|"
    r"should i|shall i|i should|should we|instead|or|but|going to|gonna|need to|have to|want to|wanna|don't|do not|"
    r"actually|(?<!you )(?<!i )(?<!we )just) )$"
)
_INFINITIVE = _IMPERATIVE.replace("(?:^", r"(?:\bto |^", 1)
# "add a block to the tower", but not "to the left": there nothing else can be said for "add".
_NOT_ADDED_TO = r"(?!.*\bto (?!(?:the|its|your|either) (?:left|right)\b))"
_NO_SUBJECT = r" (?!(?:you|u|we|i|they|it|that|this|the|there|he|she)\b)\w"  # a question would have one there

COUNTS = {number: NUMBER_WORDS[number] for number in range(2, 10)}
ORDINALS = {1: ("first", "1st"), 2: ("second", "2nd"), 3: ("third", "3rd"), 4: ("fourth", "4th"),
            5: ("fifth", "5th"), 6: ("sixth", "6th"), 7: ("seventh", "7th")}  # fmt: skip
_COUNTED = (
    rf" (?:{_COLORS}|(?:\w+ )?blocks|(?:\w+ )?bricks|ones|more|additional|extra|other|empty|blank|floating|spaces|rows|"
    r"columns|layers|levels|units|tiles|squares|towers|pillars|stacks|lines|legs|sides|corners|spots|steps|high|tall|"
    r"long|wide|deep|away|of|vertical|horizontal|diagonal|separate|up|down|times|colou?rs|pieces)\b"
)
_NO_LABEL = "".join(
    rf"(?<!{word} )"
    for word in ("by", "x", "=", "column", "row", "step", "layer", "level", "number", "part", "stage", "line", "floor")
)


def _fixed(right: str, *wrong: str) -> Forms:
    return Forms((right,), seek=wrong)


LEXICON: tuple[LexiconGroup, ...] = (
    LexiconGroup(
        "greetings",
        "They open a game and say nothing about it; only at the start of a line, for `HI` may be what is built.",
        (
            Forms(("hello", "hi", "hey"), seek=("hello", "hi", "hey", "howdy", "hola", "heyo"), before=_LINE,
                  after=rf"{_PAUSE}| (?:there|builder|architect|again|and)\b"),
            Forms(("are you ready", "you ready"), before=_ALONE, after=r" *\?| (?:to|for)\b"),
            Forms(("ready", "i'm ready"), seek=("ready", "i'm ready", "im ready"), before=_LINE, after=r" *[.!]* *$"),
        ),
    ),
    LexiconGroup(
        "yes and no",
        "The same answer; `no` only where it is one, not in `no blocks`.",
        (
            Forms(("yes", "yeah", "yep", "yup"), seek=("yes", "yeah", "yep", "yup", "yea", "yess", "yeha", "yeahh")),
            Forms(("yes", "yeah", "yep", "yup"), seek=("ya", "ye", "yah", "yee"), before=_ALONE,
                  after=rf"{_PAUSE}| (?:like|that|there|just|exactly|so|perfect|good|ok)\b"),
            Forms(("no", "nope", "nah"), before=_ALONE,
                  after=rf"{_PAUSE}| (?:that|it|you|the|i|i'm|it's|its|that's|thats)\b"),
            Forms(("sure", "of course", "sure thing"), before=_ALONE, after=_PAUSE),
            Forms(("correct", "that's correct"), seek=("correct", "that's correct", "thats correct"), before=_LINE,
                  after=_PAUSE),
            Forms(("exactly", "precisely"), before=_ALONE, after=_PAUSE),
        ),
    ),
    LexiconGroup(
        "acknowledgements",
        "They say that the other was heard, no more. `right` and `all right` are left alone: it is a direction.",
        (
            Forms(("ok", "okay", "alright"),
                  seek=("ok", "okay", "alright", "alrighty", "aight", "okey", "okie", "oki", "aright"), before=_LINE,
                  after=r"(?! (?:with|to|for|if)\b)"),
            Forms(("ok", "okay", "alright"), seek=("k", "kk", "okk"), before=_LINE, after=_PAUSE),
            Forms(("ok", "okay")),
            Forms(("gotcha", "got it", "understood"), before=_ALONE, after=_PAUSE),
            Forms(("like this", "like so"), before=_LINE, after=r" *\?"),
            Forms(("there we go", "there you go"), seek=("there we go", "there you go", "there ya go"), after=_PAUSE),
        ),
    ),
    LexiconGroup(
        "praise",
        "All accept what was built; only where it stands alone, not as an adjective (`a nice blue row`).",
        (
            Forms(("great", "perfect", "excellent", "awesome", "nice", "cool", "good"),
                  seek=("great", "perfect", "excellent", "awesome", "nice", "cool", "good", "sweet", "fantastic",
                        "wonderful", "amazing", "gr8", "terrific"),
                  before=_ALONE, after=rf"{_PAUSE}| (?:now|next|then|so)\b(?! far)"),
            Forms(("good job", "great job", "nice job", "good work", "nice work", "well done"),
                  seek=("good job", "great job", "nice job", "good work", "nice work", "great work", "well done", "gj"),
                  before=_ALONE, after=rf"{_PAUSE}| (?:builder|today|everyone)\b"),
            Forms(("looks good", "looks great"), after=r"(?! (?:like|as|from)\b)"),
            Forms(("sounds good", "sounds great")),
            Forms(("beautiful", "lovely", "gorgeous")),
            Forms(("yay", "hooray", "woohoo"), before=_ALONE),
        ),
    ),
    LexiconGroup(
        "apologies and thanks",
        "Manners; only where they stand alone.",
        (
            Forms(("sorry", "my bad", "my mistake"),
                  seek=("sorry", "my bad", "my mistake", "apologies", "my apologies", "mb"),
                  before=rf"^(?!.*\bsorry,? $).*?{_ALONE}", after=rf"(?!, my\b)(?:{_PAUSE})"),
            Forms(("sorry about that", "sorry for that"), before=_ALONE, after=_PAUSE),
            Forms(("thanks", "thank you"), seek=("thanks", "thank you", "thx", "ty"), after=r"(?! (?:to|you)\b)"),
            Forms(("no worries", "no problem"), seek=("no worries", "no problem", "no prob", "np", "no probs"),
                  after=_PAUSE),
            Forms(("please", "pls"), seek=("please", "pls", "plz")),
            Forms(("oops", "whoops"), seek=("oops", "whoops", "woops", "oopsie")),
        ),
    ),
    LexiconGroup(
        "interjections and shorthand of chats",
        "Noises, and words with their abbreviations.",
        (
            Forms(("oh", "ah"), seek=("oh", "ah", "ohh", "ahh", "ohhh", "ooh"), before=_LINE, after=r"(?! shoot| man)"),
            Forms(("oh", "ah"), seek=("o",), before=_LINE, after=r" (?:ok|okay)\b"),
            Forms(("hmm", "hm"), seek=("hmm", "hm", "hmmm")),
            Forms(("uh", "um"), seek=("uh", "um", "uhh", "umm", "uhm", "uhhh", "ummm"), after=r"(?! huh\b)"),
            Forms(("lol", "haha"), seek=("lol", "haha", "hahaha", "hehe")),
            Forms(("wait", "hold on"), seek=("wait", "hold on", "hang on"), before=_ALONE,
                  after=rf"{_PAUSE}| (?:no|sorry)\b"),
            Forms(("one sec", "one second", "one moment"), after=_PAUSE),
            Forms(("nvm", "nevermind", "never mind")),
            Forms(("btw", "by the way")),
            Forms(("idk", "i don't know"), seek=("idk", "i don't know", "i dont know", "dunno", "i dunno")),
            Forms(("tbh", "to be honest")),
            Forms(("let me know", "lmk")),
            Forms(("let me", "lemme"), after=r" \w"),
            Forms(("give me", "gimme")),
            Forms(("probably", "most likely"), seek=("probably", "prob", "most likely"), before=r"(?<!no )(?<!not )$"),
            Forms(("because", "cause"), seek=("because", "bc", "cuz"), after=r" \w"),
            Forms(("though", "tho"), before=r"(?<!even )(?<!as )$"),
            Forms(("until", "till"), seek=("until", "till", "til")),
        ),
    ),
    LexiconGroup(
        "words between the instructions",
        "They order what is said, not what is built; at the start of a line, where nothing else depends on them.",
        (
            Forms(("now", "next"), before=rf"(?:^\W*|^(?:{_ACKNOWLEDGED})[,.!]* )$", after=rf",| (?:{_VERB})\b"),
            Forms(("then", "and then"), before=_LINE,
                  after=rf" (?:{_VERB}|an?|another|one|two|three|the|on|in|from|we)\b"),
            Forms(("finally", "lastly"), before=_LINE, after=rf",| (?:{_VERB}|we|you|on|the|one|an?)\b"),
            Forms(("same thing", "the same thing", "the same"), before=_OPENING, after=r" (?:on|for|with)\b"),
            Forms(("do the same", "do the same thing"), after=rf"{_PAUSE}| (?:on|for|with|in|at)\b"),
            Forms(("let's", "let us", "lets"), before=r"(?<!that )(?<!it )(?<!this )(?<!which )$", after=r" \w"),
            Forms(("basically", "essentially")),
            Forms(("maybe", "perhaps")),
            Forms(("i think", "i believe"), before=r"(?<!what )(?<!how )$", after=r"(?! (?:of|about)\b)"),
            Forms(("almost", "nearly"), after=r" (?:done|there|finished|like|the same|complete|exactly)\b"),
        ),
    ),
    LexiconGroup(
        "verbs of placing",
        "Ways to say that a block that is not there is put there; only in the base form in front of its object, for "
        "`place` is a noun, and `put` a past, too. `add` needs an object that is new.",
        (
            Forms(("place", "put", "add"), seek=("place", "put", "add", "put down"), before=_INFINITIVE,
                  after=_INDEFINITE + _NOT_ADDED_TO),
            Forms(("place", "put"), before=_INFINITIVE,
                  after=rf"{_INDEFINITE}| (?:the|this|that|these|those|it|them)\b"),
            Forms(("just placed", "just put down"), after=rf"{_PAUSE}| (?:and|in|on)\b"),
            Forms(("placing", "putting"), before=r"(?<!you )$", after=_INDEFINITE),
            Forms(("build", "make", "create"), before=_IMPERATIVE,
                  after=r" (?:an?|another) "
                        r"(?!sense|left|right|mistake|turn|bit|little|few|total|point|way|space|gap|step)"),
            Forms(("building", "making"), before=r"\b(?:we're|we are|you're|you are|i'm|i am|start by|keep) $",
                  after=r" (?:an?|another|something) "),
            Forms(("building", "making"), before=r"\bwhat are we $"),
            Forms(("just built", "just made")),
        ),
    ),
    LexiconGroup(
        "verbs of removing",
        "Ways to say that a block that is there is taken away; in front of their object.",
        (
            Forms(("remove", "delete", "break", "get rid of", "take away"), after=_OBJECT),
            Forms(("remove", "delete", "break", "get rid of"), after=_PRONOUN),
            Forms(("removing", "deleting", "getting rid of"),
                  seek=("removing", "deleting", "breaking", "getting rid of"), after=rf"{_OBJECT}|{_PRONOUN}"),
            Forms(("removed", "deleted")),
            Forms(("removed", "deleted"), seek=("got rid of",)),
        ),
    ),
    LexiconGroup(
        "other verbs",
        "The same act, in the contexts given.",
        (
            Forms(("start", "begin"), before=r"(?<!the )(?<! a )(?<!your )$", after=r" (?:with|by|at|from|in)\b"),
            Forms(("start", "begin"), before=r"\b(?:let's|lets|to|can|we'll) $", after=r" *(?:[,.!?]|$)"),
            Forms(("starting", "beginning"), before=r"(?<!the )$", after=r" (?:with|at|from)\b"),
            Forms(("starts", "begins"), after=r" (?:with|at|from|on|in)\b"),
            Forms(("finish", "complete"), after=r" (?:the|this|that|it)\b"),
            Forms(("connect", "join"), after=r"(?! (?:4|four)\b)"),
            Forms(("connects", "joins")),
            Forms(("connected", "joined")),
            Forms(("connecting", "joining"), after=r" (?:the|it|them|these|those|both|to|with)\b"),
            Forms(("repeat this", "do this again"), after=rf"{_PAUSE}| (?:on|for|with|at|in|but)\b"),
            Forms(("repeat that", "do that again"), after=rf"{_PAUSE}| (?:on|for|with|at|in|but)\b"),
            Forms(("keep going", "continue"), after=rf"{_PAUSE}| (?:until|till|til|like)\b"),
            Forms(("switch to", "change to"), after=rf" (?:{_COLORS})\b"),
            Forms(("looks like", "resembles"), before=r"\b(?:it|this|that) $",
                  after=r" (?:an?|the letter) (?:\S+ )?\S+ *(?:[,.!?]|$)"),
            Forms(("look like", "resemble"), before=r"\b(?:should|will|it'll) $",
                  after=r" (?:an?|the letter) (?:\S+ )?\S+ *(?:[,.!?]|$)"),
            Forms(("done", "finished"), before=r"\b(?:we're|we are|you're|you are|i'm|i am|all) $",
                  after=r"(?! (?:that|this|it|the)\b)"),
            Forms(("done", "finished"), before=_LINE, after=r" *[.!?]* *$"),
        ),
    ),
    LexiconGroup(
        "asking and wanting",
        "The same request or obligation.",
        (
            Forms(("can you", "could you"), before=_OPENING, after=rf" (?:please |just |also )?(?:{_VERB})\b"),
            Forms(("should i", "shall i", "do you want me to"), after=r" \w"),
            Forms(("do you see", "can you see"), before=_OPENING, after=r" \w"),
            Forms(("which way", "which direction"), after=r" (?:should|do|is|are|does|would|will)\b| *\?"),
            Forms(("what's next", "what next", "what now"), seek=("what's next", "whats next", "what next", "what now"),
                  before=_ALONE, after=r" *\?"),
            Forms(("is this good", "is this ok", "is this okay"), before=_OPENING, after=r" *\?"),
            Forms(("need to", "have to"), before=r"\b(?:we|you|we'll|you'll|will|just|i|only|also|don't) $",
                  after=r" (?!(?:the|your|my|its|each|be)\b)\w"),
            Forms(("going to", "gonna"), after=rf" (?:be|have|want|look|{_VERB})\b"),
            Forms(("want to", "wanna"), after=rf" (?:be|have|{_VERB})\b"),
            Forms(("gotta", "have to"), seek=("gotta",), before=r"\b(?:we|you|i|just) $"),
        ),
    ),
    LexiconGroup(
        "contractions",
        "The same words; a full form is contracted only where something follows it, and none is resolved in a "
        "question, where the subject stands behind it. `its`, `were`, `well`, `ill` are other words and stay.",
        (
            Forms(("it's", "it is"), seek=("it's",), after=r" (?!(?:been|got|gonna|had)\b)\w"),
            Forms(("it's", "it is"), seek=("it is",), before=_OPENING, after=r" (?!(?:is|that|not)\b)\w"),
            Forms(("that's", "that is", "thats"), seek=("that's", "thats"), after=r" (?!(?:been|got|it|gonna)\b)\w"),
            Forms(("that's", "that is"), seek=("that is",), before=_OPENING,
                  after=r" (?:an?|the|it|correct|fine|ok|okay|good|great|perfect|how|what|why|where|exactly|all)\b"),
            Forms(("there's", "there is", "theres"), after=r" (?:an?|one|no|another|the|only|some|nothing)\b"),
            Forms(("we're", "we are"),
                  after=r" (?:\w+ing|done|almost|all|just|not|now|finished|good|gonna|also|still)\b"),
            Forms(("you're", "you are", "youre"),
                  after=r" (?:\w+ing|done|almost|not|gonna|all|good|correct|ready|finished|welcome|an?)\b"),
            Forms(("i'm", "i am", "im"), after=r" (?:\w+ing|not|sorry|ready|done|gonna|so|sure|good|just)\b"),
            Forms(("they're", "they are", "theyre"), after=r" (?:\w+ing|all|not|the|both|connected|two|three|[0-9])\b"),
            Forms(("we'll", "we will"), after=r" (?!not\b)\w"),
            Forms(("you'll", "you will"), after=r" (?!not\b)\w"),
            Forms(("i'll", "i will"), after=r" (?!not\b)\w"),
            Forms(("it'll", "it will"), after=r" (?!not\b)\w"),
            Forms(("that'll", "that will"), before=_OPENING, after=r" (?!not\b)\w"),
            Forms(("what's", "what is", "whats"), after=r" (?!(?:it|that|this|been|up|going|next)\b)\w"),
            Forms(("how's", "how is", "hows"), before=_OPENING, after=r" (?:this|that|it)\b"),
            Forms(("where's", "where is"), before=_OPENING, after=r" (?:the|that|this)\b"),
            Forms(("i've", "i have"), seek=("i've",), after=r" (?!got\b)\w"),
            Forms(("you've", "you have"), seek=("you've",), after=r" (?!got\b)\w"),
            Forms(("we've", "we have"), seek=("we've",), after=r" (?!got\b)\w"),
            Forms(("don't", "do not", "dont"), after=_NO_SUBJECT),
            Forms(("doesn't", "does not", "doesnt"), after=_NO_SUBJECT),
            Forms(("didn't", "did not", "didnt"), after=_NO_SUBJECT),
            Forms(("can't", "cannot", "cant"), after=_NO_SUBJECT),
            Forms(("won't", "will not"), after=_NO_SUBJECT),
            Forms(("shouldn't", "should not"), after=_NO_SUBJECT),
            Forms(("isn't", "is not", "isnt"), before=r"\b(?:it|that|this|there|which|one|block) $",
                  after=r" (?!it\b)\w"),
            Forms(("aren't", "are not", "arent"), before=r"\b(?:they|these|those|there|that|which|blocks|ones) $",
                  after=r" (?!they\b)\w"),
        ),
    ),
    LexiconGroup(
        "hedges and degrees",
        "As vague as before.",
        (
            Forms(("kind of", "sort of", "kinda", "sorta"), seek=("kind of", "sort of"),
                  before=r"\b(?:is|it's|its|it|that's|thats|this|i|you|we|just|but|looks|look|and|will|are|was|also) $",
                  after=r" (?!(?:an? )?(?:pattern|thing|stuff)\b)\w"),
            Forms(("kind of", "sort of", "kinda", "sorta"), seek=("kinda", "sorta")),
            Forms(("some kind of", "some sort of")),
            Forms(("a little", "a bit"), seek=("a little", "a bit", "a little bit"),
                  after=rf"{_PAUSE}| (?:more|confus\w+|weird|tricky|harder?|different(?:ly)?|too|easier)\b"),
            Forms(("very", "really"), seek=("very",),
                  after=r" (?:good|nice|close|cool|tricky|hard|weird|similar|simple|easy|helpful|confusing|well)\b"),
            Forms(("weird", "strange")),
            Forms(("hard", "difficult", "tricky"), seek=("hard", "difficult", "tricky"),
                  after=rf"{_PAUSE}| (?:to|part|one|bit)\b"),
            Forms(("easy", "simple"), after=rf"{_PAUSE}| (?:enough|one|part)\b"),
            Forms(("easier", "simpler")),
        ),
    ),
    LexiconGroup(
        "names of things",
        "One kind of thing is in the world (blocks), one ground, and names that differ in nothing else.",
        (
            Forms(("block", "brick")),
            Forms(("blocks", "bricks")),
            Forms(("the ground", "the floor"), after=r"(?! (?:of|level|plan|floor|layer|row|story)\b)"),
            Forms(("staircase", "stairway")),
            Forms(("staircases", "stairways")),
            Forms(("the whole", "the entire"), after=r" \w"),
            Forms(("additional", "extra")),
            Forms(("same spot", "same place")),
            Forms(("except for", "aside from")),
        ),
    ),
    LexiconGroup(
        "spelling",
        "The same word: British and American, with and without an ending, mistyped (corrected only).",
        (
            Forms(("color", "colour")),
            Forms(("colors", "colours")),
            Forms(("colored", "coloured")),
            Forms(("towards", "toward")),
            _fixed("the", "teh", "hte", "tthe", "thge", "tyhe"),
            _fixed("that", "taht"),
            _fixed("this", "thsi"),
            _fixed("like", "liek", "likr"),
            _fixed("just", "jsut", "juust", "juist"),
            _fixed("other", "otehr", "othwr", "oher"),
            _fixed("another", "anotehr", "aonther", "anothre", "anothe"),
            _fixed("block", "blck", "blok", "blcok", "blokc", "bllock", "bock", "blocl", "bluck"),
            _fixed("blocks", "blokcs", "blkocks", "blockss", "blockws", "bocks"),
            _fixed("place", "palce", "plaec", "placce", "plae"),
            _fixed("ground", "gorund", "gruond", "grouond"),
            _fixed("remove", "remvoe", "removve"),
            _fixed("make", "mkae"),
            _fixed("perfect", "prefect", "perfcect", "perftect"),
            _fixed("structure", "strucure", "strcuture", "strdcuture"),
        ),
    ),
    LexiconGroup(
        "numbers",
        "The same number in digits and in words, only where it counts something (`3 red`, not `3x3`, `column 3`, a "
        "shape `3`). `one` and `1` stay: `one` is a pronoun.",
        tuple(
            Forms((word, str(number)), before=rf"{_NO_LABEL}$", after=_COUNTED) for number, word in COUNTS.items()
        ),
    ),
    LexiconGroup(
        "ordinal numbers",
        "The same rank; behind an article, so that `a second` stays a while.",
        tuple(Forms(forms, before=r"\b(?:the|this|that|your|our|its) $", after=r" \w") for forms in ORDINALS.values()),
    ),
)  # fmt: skip

REFUSED: Mapping[str, str] = {
    "right for correct; all right, alright then": "`right` is a direction. What says `right` stays, too.",
    "blocks or bricks for ones, squares, spaces": "A square may be a shape or an empty cell; a space is an empty cell.",
    "space for gap, square for space": "A gap may be wider than one cell.",
    "layer for level, row for layer, line for row": "A level may be a height, a row may lie or stand: other shapes.",
    "tower, stack, pillar, column": "A tower may be wider than a column, and a column may be one of a table.",
    "shape for structure, figure": "A part for the whole.",
    "shift for move": "Builders move (themselves); blocks are shifted.",
    "under, below, underneath, beneath, over, above": "Touching or not; directions in any case.",
    "next to, beside, touching, adjacent, near, close to": "Touching or not.",
    "on top of, atop, above": "Touching or not; `top` is a direction.",
    "center for middle, edge for side, end": "`middle` may be between two things, an edge may be a corner.",
    "opposite for other": "The other of two sides may be the adjacent one.",
    "perpendicular and orthogonal, forward and forwards, big and large": "The same, but words of place and size stay.",
    "high for tall": "`3 high` may be how far up, `3 tall` is how long.",
    "every for each, both": "`each side` may mean two sides, `every side` four.",
    "the last for the newest, current for existing": "The last may be the one at the end.",
    "another for one more, an additional": "`one more` brings in a number.",
    "you for u, your for ur, are for r": "`u shape`; single letters are shapes.",
    "floating, hovering, in the air": "What floats is how blocks are placed: words of place stay.",
    "empty, blank": "A word of the layout (`red, empty, red`), which stays.",
    "need for want": "An obligation is not a wish.",
    "we're good, that's it, that's all": "`so far all is right` or `all is done`.",
    "seems for looks": "`looks like an L` is about a shape.",
    "job for work, stuff; problem for worries, prob": "Only whole phrases (`good job`, `no problem`) are equal.",
    "however for but": "Another place in the sentence.",
    "stop for wait": "To stop is to do no more.",
    "mimic, redo for repeat": "To redo may be to correct.",
    "desk for table": "What the structure is called is the players' choice, and its look.",
    "just for only": "`only two` limits a number.",
    "after that for then": "`after that one` points at a block.",
}


_WORD = re.compile(r"(?<![\w'./=#×-])[a-z0-9']+")
_END = re.compile(r"(?![\w'=/×-]|[.:,][0-9])")
Table = Mapping[str, Sequence[tuple[str, Forms, re.Pattern | None, re.Pattern | None]]]


def table_of(groups: Iterable[LexiconGroup]) -> Table:
    """Return the sought forms by their first word, with their entry and its guards, as `paraphrased` looks them up.

    The longest form of a word is first; of equal ones, that which is first in the groups.
    """
    by_first_word: dict[str, list] = {}
    for group in groups:
        for entry in group.entries:
            guards = [re.compile(guard) if guard else None for guard in (entry.before, entry.after)]
            for form in entry.sought:
                by_first_word.setdefault(_WORD.match(form)[0], []).append((form, entry, *guards))
    return {word: sorted(forms, key=lambda form: -len(form[0])) for word, forms in by_first_word.items()}


_LEXICON_TABLE = table_of(LEXICON)


def paraphrased(text: str, rng: Random, table: Table | None = None) -> tuple[str, int]:
    """Return the text with other words of the same meaning, and how many words and phrases were exchanged.

    Wherever an entry fits, one of its forms is drawn, all equally likely, the original
    among them. Capitals are kept; `a` and `an` follow the word behind them.

    Args:
        text: a chat line.
        rng: the only source of chance.
        table: the entries that may be used, from `table_of`; without one, those of the lexicon.

    >>> paraphrased("Now remove the left two blocks, please", Random("17"))
    ('Next break the left two bricks, please', 3)
    """
    table = _LEXICON_TABLE if table is None else table
    lower = text.lower()
    parts: list[str] = []
    done = count = 0
    for word in _WORD.finditer(lower):
        start = word.start()
        if start < done:
            continue
        # The first form that is there, in a context that allows it.
        for form, entry, before, after in table.get(word[0], ()):
            end = start + len(form)
            fits = lower.startswith(form, start) and _END.match(lower, end)
            if not fits or (before and not before.search(lower, 0, start)) or (after and not after.match(lower, end)):
                continue
            # All forms are equally likely, the one that is there among them.
            choices = entry.forms if form in entry.forms else (form, *entry.forms)
            chosen = choices[int(rng.random() * len(choices))]
            if chosen != form:
                parts += [with_article(text[done:start], form, chosen), cased(chosen, text[start:end])]
                count += 1
            else:
                parts.append(text[done:end])
            done = end
            break
    return "".join(parts) + text[done:], count


_ARTICLE = re.compile(r"(?<![\w'])(an?)(\s+)$", re.IGNORECASE)


def with_article(before: str, old: str, new: str) -> str:
    """Return what stands before a word that is exchanged: its `a` or `an` fits the new word if it fitted the old."""
    article = _ARTICLE.search(before)
    if article is None or article[1].lower() != _article(old):
        return before
    return before[: article.start()] + cased(_article(new), article[1]) + article[2]


def _article(word: str) -> str:
    # By letters, which is by sounds for the words of the lexicon and for colors.
    return "an" if word[0].lower() in "aeio8" else "a"


def cased(new: str, old: str) -> str:
    """Return the new word with the capitals of the old one: `Ok`, `YES`, `I`."""
    if len(old) > 2 and old.isupper():
        return new.upper()
    if re.search(r"\bI\b", old):
        new = re.sub(r"\bi\b", "I", new)
    return new[0].upper() + new[1:] if old[0].isupper() else new
