"""The words of the simulated players: tables of all the ways to say each thing.

An entry that is repeated is used more often. `{r}` is the reference ("the last block"), `{c}` a color, `{n}` and `{m}`
numbers, `{v}` a verb, `{g}` its -ing form, `{np}` what is to be built, `{pp}` or `{at}` where, `{to}` a direction. To
add a way to say a thing, add a line; the tests of the laws and the independent reader
(`bap_v2_dataset.baselines.symbolic_reader`) show whether it can still be understood.

Left out on purpose are words that human Architects use but that can mean two things: "right" as in "right on top of",
"front" for the side that the Builder faces, "next to" alone, "forward", "over".
"""

from bap_v2_simulators.view import Direction

L, R, T, B, F, H = (
    Direction.LEFT, Direction.RIGHT, Direction.TOP, Direction.BOTTOM, Direction.FRONT, Direction.BEHIND
)  # fmt: skip

# --- verbs

PLACE_VERBS = (
    ("place", "placing"), ("put", "putting"), ("add", "adding"), ("build", "building"), ("set", "setting"),
    ("lay", "laying"), ("put down", "putting down"), ("place down", "placing down"), ("drop", "dropping"),
    ("attach", "attaching"), ("stick", "sticking"), ("position", "positioning"), ("set down", "setting down"),
    ("insert", "inserting"), ("place", "placing"), ("put", "putting"), ("add", "adding"), ("place", "placing"),
    ("put", "putting"), ("make", "making"),
    ("throw", "throwing"), ("plop", "plopping"), ("get", "getting"), ("pop", "popping"), ("fix", "fixing"), ("do",
    "doing"),
    ("lay down", "laying down"), ("slap", "slapping"), ("install", "installing"), ("include", "including"),
    ("append", "appending"), ("mount", "mounting"), ("plant", "planting"), ("toss", "tossing"), ("connect",
    "connecting"),
    ("use", "using"), ("have", "having"), ("leave", "leaving"),
)  # fmt: skip
BUILD_VERBS = (
    ("build", "building"), ("make", "making"), ("add", "adding"), ("create", "creating"), ("place", "placing"),
    ("put", "putting"), ("construct", "constructing"), ("put up", "putting up"), ("set up", "setting up"),
    ("lay out", "laying out"), ("build", "building"), ("make", "making"),
    ("form", "forming"), ("draw", "drawing"), ("erect", "erecting"), ("put down", "putting down"), ("do", "doing"),
)  # fmt: skip
REMOVE_VERBS = (
    ("remove", "removing"), ("delete", "deleting"), ("take away", "taking away"), ("get rid of", "getting rid of"),
    ("break", "breaking"), ("destroy", "destroying"), ("take out", "taking out"), ("pick up", "picking up"),
    ("erase", "erasing"), ("take off", "taking off"), ("remove", "removing"), ("clear away", "clearing away"),
    ("punch", "punching"), ("punch out", "punching out"), ("knock out", "knocking out"), ("chop",
    "chopping"), ("undo", "undoing"),
)  # fmt: skip

# --- sentences

IMPERATIVES = (
    "{v} {np} {pp}", "{v} {np} {pp}", "{v} {np} {pp}", "{v} {np} {pp}", "{v} {np} {pp}", "{v} {np} {pp}",
    "{v} {np} {pp}", "{v} {np} {pp}", "{pp}, {v} {np}", "{pp} {v} {np}", "{pp} {v} {np}", "please {v} {np} {pp}",
    "go ahead and {v} {np} {pp}", "just {v} {np} {pp}", "{v} {np} {pp} please", "let's {v} {np} {pp}",
    "lets {v} {np} {pp}", "start {g} {np} {pp}", "{pp} please {v} {np}", "try {g} {np} {pp}",
    "continue by {g} {np} {pp}", "go and {v} {np} {pp}", "simply {v} {np} {pp}",
)  # fmt: skip
DECLARATIVES = (
    "there should be {np} {pp}", "we need {np} {pp}", "i need {np} {pp}", "i want {np} {pp}",
    "i'd like {np} {pp}", "you need {np} {pp}", "we want {np} {pp}", "next comes {np} {pp}", "next is {np} {pp}",
    "next up is {np} {pp}", "you can {v} {np} {pp}", "you should {v} {np} {pp}", "you need to {v} {np} {pp}",
    "i need you to {v} {np} {pp}", "i want you to {v} {np} {pp}", "you'll want to {v} {np} {pp}",
    "we're going to {v} {np} {pp}", "we will {v} {np} {pp}", "we'll {v} {np} {pp}", "you will {v} {np} {pp}",
    "i'd like you to {v} {np} {pp}", "{pp} there should be {np}", "{pp} we need {np}", "{pp} i want {np}",
    "{pp}, you {v} {np}", "the next step is {np} {pp}", "the next step is to {v} {np} {pp}",
    "{pp} comes {np}", "{pp} we {v} {np}", "it's time for {np} {pp}", "we are missing {np} {pp}",
    "we still need {np} {pp}", "you're going to {v} {np} {pp}",
    "the next thing is {np} {pp}", "what comes next is {np} {pp}", "{pp}, we'll {v} {np}",
    "we're gonna {v} {np} {pp}", "we are going to {v} {np} {pp}", "we just need {np} {pp}", "we'll have {np} {pp}",
    "there will be {np} {pp}", "it needs {np} {pp}", "you wanna {v} {np} {pp}",
    "{pp}, you'll {v} {np}",
    "{pp}, it needs {np}", "we only need {np} {pp}", "i think we need {np} {pp}", "{pp} there will be {np}",
)  # fmt: skip
QUESTIONS = (
    "can you {v} {np} {pp}", "could you {v} {np} {pp}", "would you {v} {np} {pp}", "will you {v} {np} {pp}",
    "can you please {v} {np} {pp}", "could you please {v} {np} {pp}", "would you mind {g} {np} {pp}",
    "do you mind {g} {np} {pp}", "how about {np} {pp}", "can i get {np} {pp}", "can we have {np} {pp}",
    "can we get {np} {pp}", "shall we {v} {np} {pp}", "can you go ahead and {v} {np} {pp}", "{pp}, can you {v} {np}",
    "{pp}, could you {v} {np}", "may i have {np} {pp}", "can we {v} {np} {pp}", "do you think you can {v} {np} {pp}",
)  # fmt: skip
# Never "{pp} {np}": "behind a green block" would be another place.
FRAGMENTS = ("{np} {pp}", "{np} {pp}", "{np}, {pp}", "{pp}, {np}")

NOT_AT_FIRST = ("next", "continue", "still", "missing", "it's time")  # in a first sentence

REMOVAL_IMPERATIVES = (
    "{v} {np}", "{v} {np}", "{v} {np}", "please {v} {np}", "go ahead and {v} {np}", "just {v} {np}",
    "{v} {np} please",
    "{v} {np}, please", "let's {v} {np}", "start {g} {np}",
)  # fmt: skip
REMOVAL_DECLARATIVES = (
    "you can {v} {np}", "you should {v} {np}", "you need to {v} {np}", "i need you to {v} {np}",
    "i want you to {v} {np}", "you'll want to {v} {np}", "we're going to {v} {np}", "we will {v} {np}",
    "we'll {v} {np}", "we don't need {np}", "{np} should go away", "{np} has to go", "{np} must go",
    "i'd like you to {v} {np}",
    "we need to {v} {np}", "{np} needs to be removed", "{np} should be removed", "{np} can be removed",
    "we have to {v} {np}",
)  # fmt: skip
REMOVAL_QUESTIONS = (
    "can you {v} {np}", "could you {v} {np}", "would you {v} {np}", "will you {v} {np}", "can you please {v} {np}",
    "could you please {v} {np}", "would you mind {g} {np}", "do you mind {g} {np}", "can we {v} {np}",
    "shall we {v} {np}",
)  # fmt: skip

# --- discourse markers

PRAISE = (
    "great", "perfect", "nice", "good", "cool", "awesome", "excellent", "yes", "yup", "yep", "good job", "well done",
    "looks good", "wonderful", "that's it", "exactly", "lovely", "great job", "nice work", "fantastic", "sweet",
    "beautiful", "that's good", "yeah", "brilliant", "very good", "looks great", "you got it", "nicely done",
    "correct",
    "thanks", "thank you", "amazing", "super", "splendid", "gotcha", "sounds good", "you're doing great",
    "that works",
)  # fmt: skip
SEQUENCE = (
    "now", "next", "then", "ok", "okay", "alright", "so", "and", "after that", "and then", "ok now", "okay now",
    "also",
    "and now", "so now", "ok so", "okay so", "ok then", "alright now", "ok next", "okay next", "now then", "and next",
    "now", "now", "now", "then", "next", "ok", "okay", "once that is done", "moving on", "to continue", "well",
    "for the next step", "for the next one", "now let me see", "following that", "here we go",
)  # fmt: skip
# Without a comma "after that one red block" would be about "that one", and "well above it" far above it.
WITH_COMMA = (
    "after that", "following that", "for the next one", "next", "ok next", "okay next", "and next", "well",
    "to continue",
    "moving on",
)  # fmt: skip
FIRST = (
    "first", "to start", "to begin", "first of all", "ok first", "okay, first", "hello", "hi", "hey", "hi builder",
    "hello builder", "hey there", "let's begin", "let's start", "ok let's get started", "to begin with",
    "alright, first",
    "hello! to start", "hi! first", "good morning", "ready? first", "are you ready? ok", "we'll start simple",
    "today we are building something new", "for starters", "welcome", "let's go",
)  # fmt: skip
AFTERTHOUGHTS = ("thanks", "thank you", "if you can", "for me", "if you would", "builder", "my friend", "buddy")

# --- what is built

NOUNS = ("block", "block", "block", "block", "block", "brick", "one", "cube", "piece", "", "", "")  # "a red"
PLURAL_NOUNS = ("blocks", "blocks", "blocks", "blocks", "bricks", "ones", "cubes", "pieces", "", "", "s")  # "two reds"
NOUNS_ALONE = ("block", "block", "block", "brick", "cube", "piece")  # without a color
PLURAL_NOUNS_ALONE = ("blocks", "blocks", "blocks", "bricks", "cubes", "pieces")
ONE_OF_THEM = ("a {c} block", "one of the {c} blocks", "one {c} block", "a {c} one", "one of those {c} blocks")
THE_ONE_AT = (
    "the {c} block {pp}", "the {c} block {pp}", "the {c} block {pp}", "the {c} one {pp}", "the {c} brick {pp}",
    "the {c} block that is {pp}", "the {c} one that is {pp}", "the {c} block which is {pp}",
)  # fmt: skip
SINGLE = ("a", "a", "a", "a", "one", "1", "a single", "a new", "just one")
ANOTHER = ("another", "another", "one more", "1 more", "yet another")
ONE_MORE = ("another one", "one more", "1 more", "another one of those", "one more of those", "another of those")
SOME_MORE = ("{n} more", "{n} more", "{n} more of those", "{n} more of the same")
ONE_MORE_AFTER_SEVERAL = ("another one", "one more", "1 more")  # "those" would be all of them
SOME_MORE_AFTER_SEVERAL = ("{n} more",)
COUPLE = ("a pair of", "two", "2")
FLOATING = ("floating", "floating", "floating", "hovering", "free-floating", "levitating")
FLOATING_AFTER = (
    " floating in the air", " hovering in the air", " (floating)", " floating in mid air", " suspended in the air",
    " floating", ", floating,", ", which will float,",  " hanging in the air",
)  # fmt: skip
STACKS = ("a stack of", "a tower of", "a pile of")
LINES = ("a row of", "a line of")  # only with a place that goes somewhere

ON_THE_GROUND = (
    "on the ground", "anywhere on the ground", "on the floor", "somewhere on the ground", "on the ground anywhere",
    "on the ground wherever you like", "on the ground, anywhere you want", "anywhere on the floor", "at ground level",
    "on the bottom level", "on the ground, it does not matter where", "on the ground in any spot",
    "on the lowest level",
    "on the ground level", "on the ground near you", "down on the ground",
    "wherever you like on the ground",
)  # fmt: skip
STARTS = (
    "start by {g} {np} {pp}", "begin by {g} {np} {pp}", "start with {np} {pp}", "begin with {np} {pp}",
    "let's start with {np} {pp}", "we'll start with {np} {pp}", "we will begin with {np} {pp}",
    "we start by {g} {np} {pp}", "start off with {np} {pp}", "the first thing is {np} {pp}",
    "the first block is {np} {pp}",
    "let's start by {g} {np} {pp}", "we'll begin by {g} {np} {pp}", "our first step is {np} {pp}",
    "start out by {g} {np} {pp}", "it all starts with {np} {pp}", "you can start by {g} {np} {pp}",
    "can you start by {g} {np} {pp}", "could you begin by {g} {np} {pp}", "kick off with {np} {pp}",
)  # fmt: skip

# --- which block is meant: the priority rules of 10.2

LAST_PLACED = (
    "the last block", "the last block you placed", "the block you just placed", "the last one",
    "the last one you placed",
    "the block you placed last", "the one you just placed", "the block you just put down",
    "the one you put down last",
    "the last block you added", "the block you just added", "the most recent block", "the most recently placed block",
    "the latest block", "the previous block", "that", "that one", "that block", "it", "the {c} block you just placed",
    "the {c} one you just put down", "the last {c} block", "the last {c} block you placed", "your last block",
    "the block we just added", "the newest block", "the block you placed a moment ago",
    "the {c} block you just added",
    "what you just placed", "the one from the last step", "the last brick", "the brick you just placed",
    "that {c} block",
    "that {c} one", "the last piece", "that last block", "that last one", "the one you placed just now",
    "the block from the previous step", "the most recent {c} block", "the last thing you placed",
    "your most recent block",
    "that", "that", "that", "it", "it", "it", "that one", "that one", "that one", "that block", "that block",
    "this one", "this block", "the one you just did", "the last one", "the last one", "the last block",
)  # fmt: skip
# After a run of blocks "it", "that" or "what you just placed" could be all of them.
LAST_OF_SEVERAL = tuple(
    phrase
    for phrase in LAST_PLACED
    if any(word in phrase for word in ("last ", "placed last", "down last", "latest", "recent", "newest"))
    and not any(word in phrase for word in ("thing", "step"))
)
# In an answer "it" is the new block: "put it on top of it".
LAST_IN_ANSWER = tuple(
    phrase for phrase in LAST_PLACED if phrase not in ("it", "that", "that one", "that block", "this one", "this block")
)
LAST_REMOVED = (
    "the last block you removed", "the block you just removed", "the spot where you just removed a block",
    "the block you just took away", "the empty spot you just made", "the block you removed last",
    "the one you just removed",
    "the last one you removed", "the block you just deleted", "the spot you just cleared",
    "the place you just emptied",
    "the last block you took away", "the one you took away last", "the removed block",
    "where you just removed the block",
    "the gap you just made", "the block that you just broke", "the hole you just left",
)  # fmt: skip
UNIQUE = (
    "the {c} block", "the {c} block", "the {c} block", "the {c} one", "the only {c} block", "the single {c} block",
    "the {c} brick", "the only {c} one", "the one {c} block", "the lone {c} block", "our {c} block",
    "our only {c} block",
    "the {c} cube", "the {c} piece", "the sole {c} block", "the {c} block that is there", "the existing {c} block",
)  # fmt: skip
# Also by what it looks like from where the Builder stands; every adjective goes before "{c} block", every clause after.
SUPERLATIVES = {
    "leftmost": (
        ("leftmost", "left-most", "left most", "furthest left", "far left"),
        ("furthest to the left", "that is furthest left", "on the far left", "farthest to your left",
        "furthest to your left"),
    ),
    "rightmost": (
        ("rightmost", "right-most", "right most", "furthest right", "far right"),
        ("furthest to the right", "that is furthest right", "on the far right", "farthest to your right",
        "furthest to your right"),
    ),
    "topmost": (
        ("topmost", "top-most", "highest", "uppermost", "top", "tallest"),
        ("at the very top", "that is highest", "that is highest up", "on the highest level", "furthest up"),
    ),
    "bottommost": (
        ("bottommost", "bottom-most", "lowest", "bottom", "lowermost"),
        ("at the very bottom", "that is lowest", "that is lowest down", "on the lowest level", "furthest down"),
    ),
    "frontmost": (
        ("frontmost", "front-most", "foremost", "front"),
        ("at the very front", "in the very front", "that is frontmost"),
    ),
    "backmost": (
        ("backmost", "back-most", "rearmost", "hindmost", "back"),
        ("at the very back", "in the very back", "that is at the very back"),
    ),
    "closest": (
        ("closest", "nearest"),
        ("closest to you", "nearest to you", "that is closest to you", "that is nearest to you",
        "you are closest to"),
    ),
    "furthest": (
        ("furthest", "farthest", "most distant"),
        ("furthest from you", "farthest from you", "farthest away from you", "that is furthest away from you"),
    ),
}  # fmt: skip

# In a corner of the blocks of its color: every pair of ends and the words for it.
for _ends, _corner in {
    "topmost+leftmost": ("top left", "upper left"),
    "topmost+rightmost": ("top right", "upper right"),
    "bottommost+leftmost": ("bottom left", "lower left"),
    "bottommost+rightmost": ("bottom right", "lower right"),
    "topmost+backmost": ("top back", "upper back"),
    "topmost+frontmost": ("top front", "upper front"),
    "bottommost+backmost": ("bottom back", "lower back"),
    "bottommost+frontmost": ("bottom front", "lower front"),
    "backmost+leftmost": ("back left", "rear left"),
    "backmost+rightmost": ("back right", "rear right"),
    "frontmost+leftmost": ("front left",),
    "frontmost+rightmost": ("front right",),
}.items():
    SUPERLATIVES[_ends] = (
        (*_corner, *(_words.replace(" ", "-") for _words in _corner)),
        tuple(f"{_at} the {_words}{_end}" for _words in _corner for _at, _end in (("in", " corner"), ("at", ""))),
    )

# --- where: one direction

BESIDE = {
    L: (
        "to the left of {r}", "to the left of {r}", "on the left of {r}", "on the left side of {r}",
        "directly to the left of {r}", "immediately to the left of {r}", "just to the left of {r}", "left of {r}",
        "directly left of {r}", "next to {r}, on the left side",
        "beside {r}, on its left",
        "touching the left side of {r}", "against the left side of {r}", "off the left side of {r}",
        "to the immediate left of {r}", "on the left-hand side of {r}",
        "attached to the left of {r}", "coming off the left side of {r}",
        "at the left side of {r}",
        "on the left edge of {r}", "flush against the left of {r}",
        "stuck to the left side of {r}", "to the left side of {r}", "left from {r}", "connected to the left of {r}",
        "on the direct left of {r}", "joined to the left side of {r}",
        "adjoining the left side of {r}",
        "sticking out to the left of {r}",
        "on the left face of {r}",
    ),
    R: (
        "to the right of {r}", "to the right of {r}", "on the right of {r}", "on the right side of {r}",
        "directly to the right of {r}", "immediately to the right of {r}", "just to the right of {r}", "right of {r}",
        "directly right of {r}", "next to {r}, on the right side",
        "beside {r}, on its right",
        "touching the right side of {r}", "against the right side of {r}", "off the right side of {r}",
        "to the immediate right of {r}", "on the right-hand side of {r}",
        "attached to the right of {r}", "coming off the right side of {r}",
        "at the right side of {r}",
        "on the right edge of {r}", "flush against the right of {r}",
        "stuck to the right side of {r}", "to the right side of {r}", "right from {r}",
        "connected to the right of {r}",
        "on the direct right of {r}", "joined to the right side of {r}",
        "adjoining the right side of {r}",
        "sticking out to the right of {r}",
        "on the right face of {r}",
    ),
    T: (
        "on top of {r}", "on top of {r}", "on top of {r}", "on top of {r}", "on top of {r}", "above {r}",
        "one up from {r}", "directly above {r}",
        "directly on top of {r}",
        "on the top side of {r}", "on the upper face of {r}", "just above {r}", "immediately above {r}",

        "atop {r}", "upon {r}", "one level above {r}", "one higher than {r}", "on the top face of {r}",
    ),
    B: (
        "underneath {r}", "under {r}", "beneath {r}", "below {r}", "directly below {r}", "directly under {r}",
        "directly underneath {r}", "just below {r}", "immediately below {r}", "on the underside of {r}",
        "on the bottom of {r}",
        "hanging under {r}", "one level below {r}", "one lower than {r}",
        "on the bottom face of {r}",
    ),
    F: (
        "in front of {r}", "in front of {r}", "directly in front of {r}", "just in front of {r}",
        "immediately in front of {r}",
        "on the side of {r} that faces you", "on the near side of {r}", "on the front side of {r}",

        "one step closer to you than {r}", "on the side of {r} facing you", "on the front face of {r}",
        "on the front of {r}",
        "sticking out towards you from {r}", "coming towards you from {r}",
    ),
    H: (
        "behind {r}", "behind {r}", "directly behind {r}", "just behind {r}", "immediately behind {r}",
        "in back of {r}",
        "at the back of {r}", "on the far side of {r}", "on the back side of {r}",
        "on the side of {r} that faces away from you",
        "one step further away from you than {r}", "on the back of {r}",
        "on the back face of {r}",

    ),
}  # fmt: skip
_CLINGING = (
    "touching",
    "sticking",
    "coming",
    "joined",
    "attached",
    "connected",
    "stuck",
    "adjoining",
    "off",
    "hanging",
)
PLAIN_BESIDE = {  # those that also say where something starts
    direction: tuple(phrase for phrase in phrases if phrase.split()[0] not in _CLINGING and phrase.endswith("{r}"))
    for direction, phrases in BESIDE.items()
}
BESIDE_UNSAID = {  # ellipsis: the last placed block is meant
    L: ("to the left", "on the left", "on the left side", "to its left", "on its left side", "directly to the left",
        "just to the left", "immediately to the left", "one to the left"),
    R: ("to the right", "on the right", "on the right side", "to its right", "on its right side",
    "directly to the right",
        "just to the right", "immediately to the right", "one to the right"),
    T: ("on top", "above", "directly above", "directly on top", "on the top", "just above", "one above"),
    B: ("underneath", "below", "beneath", "directly below", "directly underneath", "just below", "one below"),
    F: ("in front", "directly in front", "on the front side", "just in front", "towards you", "one towards you"),
    H: ("behind", "directly behind", "on the back side", "just behind", "in back", "away from you",
    "one away from you"),
}  # fmt: skip
# Several blocks, one after the other, in one direction: `{pp}` is one of BESIDE's, `{to}` the direction. A row needs
# it: "a row behind the last block" could also lie crosswise.
ALONG = ("{pp}", "{pp}", "{pp}", "one after another, {pp}", "one after the other, {pp}")
ALONG_GOING = (
    "going {to} from {r}", "extending {to} from {r}", "in a row going {to} from {r}", "in a line going {to} from {r}",
    "in a straight line going {to} from {r}", "from {r} going {to}", "running {to} from {r}",
    "in a row from {r} going {to}",
)  # fmt: skip
ALONG_VERTICAL = (
    "{pp}",
    "{pp}",
    "{pp}",
    "stacked {pp}",
    "in a column {pp}",
    "in a vertical line {pp}",
    "one over the other, {pp}",
)
FAR_BESIDE = {  # those of BESIDE that also fit several blocks
    direction: tuple(
        phrase
        for phrase in phrases
        if not any(word in phrase for word in ("one ", "touching", "adjacent", "beside", "next to", "hanging", "atop"))
    )
    for direction, phrases in BESIDE.items()
}

# --- where: two directions

# In front of a reference: "above and to the left of {r}".
NEXT_TO_REFERENCE = {
    L: ("to the left of", "left of", "to the left of"),
    R: ("to the right of", "right of", "to the right of"),
    T: ("above", "above"),
    B: ("below", "beneath", "underneath", "under"),
    F: ("in front of",),
    H: ("behind", "in back of", "behind"),
}
# As the first of two: "up and to the left of {r}".
FIRST_OF_TWO = {
    L: ("to the left", "left", "to the left of"),
    R: ("to the right", "right", "to the right of"),
    T: ("above", "up", "above"),
    B: ("below", "down", "below"),
    F: ("in front", "in front of", "towards you"),
    H: ("behind", "back", "away from you"),
}
# Corners: "to the top left of {r}".
CORNERS = {
    (T, L): ("top left", "upper left", "upper-left", "top-left"),
    (T, R): ("top right", "upper right", "upper-right", "top-right"),
    (B, L): ("bottom left", "lower left", "lower-left", "bottom-left"),
    (B, R): ("bottom right", "lower right", "lower-right", "bottom-right"),
    (L, F): ("front left", "front-left"),
    (R, F): ("front right", "front-right"),
    (L, H): ("back left", "back-left", "rear left"),
    (R, H): ("back right", "back-right", "rear right"),
    (T, F): ("top front", "upper front", "top-front"),
    (B, F): ("bottom front", "lower front", "bottom-front"),
    (T, H): ("top back", "upper back", "top-back"),
    (B, H): ("bottom back", "lower back", "bottom-back"),
}
TWO_WAYS = (
    "{first} and {second} {r}", "{first} and {second} {r}", "diagonally {first} and {second} {r}",
    "diagonally {first} and {second} {r}", "diagonal, {first} and {second} {r}",
)  # fmt: skip
CORNER_WAYS = ("to the {corner} of {r}", "on the {corner} diagonal of {r}", "diagonally to the {corner} of {r}",
               "at the {corner} of {r}", "touching the {corner} edge of {r}")  # fmt: skip
PLAIN_CORNER_WAYS = tuple(way for way in CORNER_WAYS if not way.startswith("touching"))
CORNER_UNSAID = ("to the {corner}", "diagonally to the {corner}", "on the {corner} diagonal")
# "away from you from it" would be hard to read: away from the Builder, the reference comes first.
ALONG_GOING_AWAY = (
    "from {r} going {to}", "in a row from {r} going {to}", "in a line from {r} going {to}", "from {r} on, going {to}",
)  # fmt: skip
DIAGONAL_LINES_AWAY = (
    "diagonally from {r} going {going}", "in a diagonal line from {r} going {going}",
    "from {r} going diagonally {going}",
    "in a diagonal from {r} going {going}",
)  # fmt: skip
DIAGONAL_LINES = (
    "going diagonally {going} from {r}", "diagonally {going} from {r}", "in a diagonal line going {going} from {r}",
    "in a diagonal going {going} from {r}", "going {going} diagonally from {r}",
    "in a diagonal line {going} from {r}",
    "continuing diagonally {going} from {r}", "along the diagonal going {going} from {r}",
)  # fmt: skip

# --- where: so many cells each way

STEPS_AWAY = {
    L: ("{n} to the left", "{n} to the left", "{n} to your left"),
    R: ("{n} to the right", "{n} to the right", "{n} to your right"),
    T: ("{n} above", "{n} up", "{n} higher", "{n} upwards"),
    B: ("{n} below", "{n} down", "{n} underneath", "{n} lower", "{n} downwards"),
    F: ("{n} in front", "{n} towards you", "{n} closer to you"),
    H: ("{n} behind", "{n} away from you", "{n} further away from you", "{n} back"),
}
STEPS_FROM = {  # the last of them, with the reference
    L: ("{n} to the left of {r}", "{n} left of {r}"),
    R: ("{n} to the right of {r}", "{n} right of {r}"),
    T: ("{n} above {r}", "{n} up from {r}", "{n} higher than {r}"),
    B: ("{n} below {r}", "{n} down from {r}", "{n} underneath {r}", "{n} under {r}", "{n} lower than {r}"),
    F: ("{n} in front of {r}", "{n} towards you from {r}", "{n} closer to you than {r}"),
    H: ("{n} behind {r}", "{n} further away from you than {r}", "{n} back from {r}"),
}
STEP_NOUNS = ("", "", "", "", " block", " block", " cell", " step", " tile", " square")
STEPS_RELATIVE = (
    "{steps} from {r}", "{steps} relative to {r}", "{steps}, counted from {r}",
    "{steps}, measured from {r}",
)  # fmt: skip

# --- which way: the Builder as the anchor

GOING = {
    L: ("to the left of you", "to your left", "towards your left", "left", "to the left", "leftwards",
    "off to your left"),
    R: ("to the right of you", "to your right", "towards your right", "right", "to the right", "rightwards",
    "off to your right"),
    T: ("up", "upwards", "up", "upward"),
    B: ("down", "downwards", "down", "downward"),
    F: ("towards you", "toward you", "closer to you", "in your direction", "towards where you are"),
    H: ("away from you", "away from you", "away from where you are", "farther away from you",
    "further away from you"),
}  # fmt: skip

# --- the Builder

CONFIRMATIONS = (
    "done!", "done", "ok, done", "there", "got it", "finished", "all set", "ok", "okay", "there we go",
    "done with that",
    "there you go", "it's done", "ok!", "that's done", "alright, done", "i'm done",
    "ready for the next one",
    "got it, what's next", "complete", "done, what next?", "cool, done", "sure, done", "okay, finished", "gotcha",
)  # fmt: skip
ASK_COLOR = (
    "what color?", "which color?", "what color should it be?", "color?", "in what color?", "which color do you want?",
    "what color do i use?", "what colour?", "which colour?", "sure, what color?", "ok, what color?",
    "in which color?",
    "what color is it?", "and the color?", "what color would you like?", "hmm, what color?", "what color block?",
    "what color do you need?", "what's the color?", "could you tell me the color?",
)  # fmt: skip
ANSWER_COLOR = (
    "{c}", "{c}", "{c} please", "{c}, please", "make it {c}", "it should be {c}", "use {c}", "sorry, {c}",
    "oh sorry, {c}", "it's {c}", "{c}!", "in {c}", "please use {c}", "the color is {c}", "my bad, {c}", "i meant {c}",
    "{c} this time", "oops, {c}", "let's use {c}", "we want {c}", "let's go with {c}", "go for {c}",
    "{c} would be great",
)  # fmt: skip
ASK_PLACE = (
    "where?", "where should it go?", "where do i put it?", "where exactly?", "in which spot?", "where to?",
    "ok, where?",
    "sure, where?", "where does it go?", "and where?", "where do you want it?", "in what place?", "which spot?",
    "where should i place it?", "hmm, where?", "where would you like it?", "could you tell me where?",
    "at which position?",
)  # fmt: skip
ANSWER_PLACE = (
    "{pp}", "{pp}", "{pp}", "{pp} please", "put it {pp}", "it goes {pp}", "it should be {pp}", "sorry, {pp}",
    "place it {pp}",
    "oh, {pp}", "it should go {pp}", "oh sorry, {pp}", "my bad, {pp}", "i want it {pp}", "i meant {pp}",
    "have it {pp}",
)  # fmt: skip
ASK_PLACE_OF_SEVERAL = tuple(question for question in ASK_PLACE if " it" not in question)
ANSWER_PLACE_OF_SEVERAL = (
    "{pp}", "{pp}", "{pp}", "{pp} please", "put them {pp}", "they go {pp}", "they should be {pp}", "sorry, {pp}",
    "oh, {pp}",
    "place them {pp}", "i want them {pp}", "i meant {pp}", "have them {pp}",
)  # fmt: skip
ASK_WHICH = (
    "which one?", "which block?", "which one do you mean?", "which one exactly?", "ok, which one?",
    "sure, which one?",
    "which of them?", "which block do you mean?", "hmm, which one?",
)  # fmt: skip
ANSWER_WHICH = (
    "the one {pp}", "the one {pp}", "the {c} one {pp}", "the {c} block {pp}", "i mean the one {pp}",
    "sorry, the one {pp}",
    "the one that is {pp}", "the block {pp}", "oh, the {c} one {pp}",
    "that would be the one {pp}",
)  # fmt: skip
ASK_SIZE = (
    "how big?", "what size?", "how many blocks?", "what size should it be?", "how large?", "which size?",
    "and the size?",
    "how big should it be?", "how many blocks should i use?", "sure, how big?", "ok, what size?",
    "what are the dimensions?",
)  # fmt: skip
ASK_LENGTH = (
    "how long?", "how many blocks?", "how long should it be?", "what length?", "what size?",
    "how many blocks long?", "and the length?",
    "sure, how long?", "ok, how long?", "how many?",
)  # fmt: skip
ASK_HEIGHT = (
    "how tall?", "how high?", "how tall should it be?", "how many blocks?", "how many blocks tall?", "what height?",
    "how high should it be?", "sure, how tall?", "ok, how high?", "how many blocks high?",
)  # fmt: skip
ASK_DIRECTION = (
    "which direction?", "which way?", "in which direction?", "which way should it go?", "in what direction?",
    "what orientation?",
    "which way does it go?", "going which way?", "how should it be oriented?", "going where?",
    "what direction should it go?",
    "sure, which way?", "ok, in which direction?", "how is it oriented?",
)  # fmt: skip

# --- whole shapes (10.4)

LAST_OF_SHAPE = (  # "it" or "that one" would be the whole shape
    "the last block", "the last block you placed", "the block you just placed", "the block you placed last",
    "the last {c} block", "the last {c} block you placed", "the most recent block", "the most recently placed block",
    "the last block you added", "the last brick", "the last brick you placed", "the block you just put down",
    "the latest block", "the {c} block you placed last", "your last block", "the last block you put down",
    "the {c} block you just placed", "the very last block", "the newest block",
    "the last block of the previous shape",
    "the final block you placed", "your most recent block", "the last piece you placed", "the block you added last",
)  # fmt: skip
EQUAL_SIDES = {False: ("square", "square", "flat square"), True: ("square", "vertical square", "upright square")}
SHAPE_NAMES = {  # (kind, whether it stands upright): names that leave the direction open, and names that say "up"
    ("row", False): (("row", "row", "line", "straight line", "horizontal row", "horizontal line", "bar",
    "strip"), ()),
    ("row", True): (
        ("row", "line"),
        ("column", "column", "pillar", "tower", "stack", "vertical row", "vertical line", "upright row", "pole"),
    ),
    ("diagonal", False): (
        ("diagonal", "diagonal", "diagonal line", "diagonal row", "flat diagonal", "horizontal diagonal"), (),
    ),
    ("diagonal", True): (
        ("diagonal", "diagonal line"),
        ("staircase", "stairway", "staircase", "stair", "vertical diagonal", "set of stairs", "rising diagonal",
        "diagonal staircase"),
    ),
    ("plane", False): (
        ("plane", "plane", "layer", "flat layer", "horizontal plane", "platform", "flat plane", "floor",
        "flat rectangle"), (),
    ),
    ("plane", True): (
        ("plane",),
        ("wall", "wall", "vertical plane", "upright plane", "standing plane", "vertical wall", "vertical rectangle"),
    ),
}  # fmt: skip
LONG = ("long", "long", "in length")
TALL = ("tall", "high", "tall", "in height")
# {d} a determiner, {f} floating or nothing, {c} the color or nothing, {s} the shape, {n} a number, {l} long or tall.
LINES_OF_BLOCKS = (
    "{d} {n} block {l} {f} {c} {s}", "{d} {n}-block {f} {c} {s}", "{d} {f} {c} {s} of {n} blocks",
    "{d} {f} {s} of {n} {c} blocks",
    "{d} {f} {c} {s} that is {n} blocks {l}", "{n} {c} blocks in {d} {f} {s}", "{d} {f} {c} {s} made of {n} blocks",
    "{d} {f} {s} made of {n} {c} blocks", "{d} {f} {c} {s}, {n} blocks {l},", "{d} {f} {c} {s} with {n} blocks",
    "{d} {f} {s} with {n} {c} blocks", "{d} {f} {c} {s} of length {n}", "{d} {f} {s} of {n} {c} bricks",
    "{d} {n} {l} {f} {c} {s}",
    "{d} {f} {c} {s} consisting of {n} blocks", "{d} {f} {s} of {n} {c} ones", "{d} {f} {c} {s} {n} blocks {l}",
    "{d} {f} {c} {s} which is {n} {l}", "{n} {f} {c} blocks that form {d} {s}",
    "{d} {f} {c} {s} with a total of {n} blocks",
)  # fmt: skip
STEPPED = (
    "{d} {n}x{n} {f} {c} {s}",
    "{d} {f} {c} {s} of {n} by {n}",
    "{d} {f} {c} {s} that spans {n}x{n}",
)  # diagonals
STAIRS = (
    "{d} {f} {c} {s} with {n} steps",
    "{d} {f} {c} {s} of {n} steps",
    "{d} {n}-step {f} {c} {s}",
)  # what has steps
SQUARES = (  # both sides equal
    "{d} {n}x{n} {f} {c} {s}", "{d} {n} by {n} {f} {c} {s}", "{d} {f} {c} {s} of {n}x{n}",
    "{d} {f} {c} {s} that is {n}x{n}",
    "{d} {f} {c} {s} of {n} by {n} blocks", "{d} {n}x{n} {f} {s} of {c} blocks", "{d} {f} {c} {s}, {n} by {n},",
    "{d} {f} {s} made of {n}x{n} {c} blocks", "{d} {n}x{n} {f} {s} in {c}",
)  # fmt: skip
UPRIGHT = (  # {n} along the ground, {m} up
    "{d} {f} {c} {s}, {n} blocks long and {m} tall,", "{d} {f} {c} {s} that is {n} long and {m} tall",
    "{d} {n} block long and {m} block tall {f} {c} {s}",
    "{d} {f} {c} {s}, {n} wide and {m} high,", "{d} {f} {c} {s} which is {n} wide and {m} tall",
    "{d} {m} block tall and {n} block long {f} {c} {s}",
    "{d} {f} {s} of {c} blocks, {n} long and {m} high,", "{d} {n}x{m} {f} {c} {s} ({n} long, {m} tall)",
    "{d} {f} {c} {s} {n} blocks wide and {m} blocks high",
    "{d} {f} {c} {s} with a length of {n} and a height of {m}",
    "{d} {f} {c} {s} with a height of {m} and a width of {n}",
)  # fmt: skip
FLAT = (  # {n} from the Builder's left to its right, {m} in depth
    "{d} {f} {c} {s}, {n} blocks wide and {m} deep,", "{d} {f} {c} {s} that is {n} wide and {m} deep",
    "{d} {n} block wide and {m} block deep {f} {c} {s}",
    "{d} {f} {c} {s} which is {n} blocks wide and {m} blocks deep",
    "{d} {f} {s} of {c} blocks, {n} wide and {m} deep,", "{d} {n}x{m} {f} {c} {s} ({n} wide, {m} deep)",
    "{d} {f} {c} {s} with a width of {n} and a depth of {m}", "{d} {f} {c} {s} {n} blocks wide and {m} blocks deep",
    "{d} {m} block deep and {n} block wide {f} {c} {s}", "{d} {f} {c} {s} with a depth of {m} and a width of {n}",
)  # fmt: skip
UNSIZED = ("{d} {f} {c} {s}", "{d} {f} {c} {s}", "{d} {f} {s} of {c} blocks", "{d} {f} {s} in {c}")
EXTENDING = (
    "going {to}", "going {to}", "extending {to}", "running {to}", "that goes {to}", "pointing {to}",
    "which extends {to}", "stretching {to}",
    "heading {to}", "that runs {to}", "that stretches {to}", "leading {to}", "which goes {to}", "going {to}",
    "that extends {to}",
)  # fmt: skip
STARTING = (
    "starting {at}", "starting {at}", "beginning {at}", "with its first block {at}", "with the first block {at}",
    "starting off {at}",
    "whose first block is {at}", "that starts {at}", "which begins {at}",
)  # fmt: skip
STARTS_ALONE = (
    "it starts {at}", "start it {at}", "the first block goes {at}", "its first block is {at}", "start {at}",
    "begin {at}", "the first block is {at}",
    "the first block should be {at}", "you start {at}", "its starting block is {at}", "the starting point is {at}",
    "it begins {at}",
)  # fmt: skip
ASK_START = (
    *ASK_PLACE,
    "where does it start?",
    "where should it start?",
    "where do i start?",
    "starting where?",
    "what is the starting point?",
)
ANSWER_START = (
    "{at}", "{at}", "starting {at}", "start {at}", "it starts {at}", "the first block goes {at}", "start it {at}",
    "begin {at}", "sorry, {at}",
    "the first block should be {at}", "its first block is {at}", "oh sorry, start {at}", "put the first block {at}",
    "it should start {at}",
)  # fmt: skip
ANSWER_DIRECTION = (
    "{to}", "{to}", "going {to}", "it goes {to}", "it should go {to}", "sorry, going {to}", "build it {to}",
    "extending {to}", "it extends {to}",
    "{to} please", "make it go {to}", "oh, {to}", "i want it to go {to}", "my bad, {to}",
)  # fmt: skip
ANSWER_FLAT = (
    "{n} wide and {m} deep", "{n} blocks wide and {m} blocks deep", "make it {n} wide and {m} deep",
    "sorry, {n} wide and {m} deep",
    "it should be {m} deep and {n} wide", "{m} blocks deep and {n} blocks wide", "it is {n} wide and {m} deep",
)  # fmt: skip
ANSWER_LENGTH = (
    "{n}", "{n}", "{n} blocks", "{n} blocks {l}", "{n} {l}", "make it {n} blocks {l}",
    "it should be {n} blocks {l}", "sorry, {n} blocks", "{n} please",
    "it is {n} {l}", "use {n} blocks", "{n} blocks in total", "i meant {n} blocks",
)  # fmt: skip
ANSWER_SQUARE = (
    "{n}x{n}",
    "{n} by {n}",
    "make it {n}x{n}",
    "it should be {n} by {n}",
    "sorry, {n}x{n}",
    "{n}x{n} please",
    "it is {n} by {n} blocks",
)
ANSWER_UPRIGHT = (
    "{n} long and {m} tall", "{n} blocks long and {m} blocks tall", "{n} wide and {m} high",
    "make it {n} long and {m} high", "it should be {m} tall and {n} long",
    "sorry, {n} wide and {m} tall", "{m} blocks high and {n} blocks wide",
)  # fmt: skip
