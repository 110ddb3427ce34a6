"""What of a model's text is its answer: without its thoughts, and without the marks of chat formats around it.

Each family of models marks its thoughts in a way of its own: `<think>`, `[THINK]`, `<|START_THINKING|>`, the channels
of gpt-oss. What stands there is no answer. A mark that begins a text or a turn is dropped in front of an answer; behind
one, such a mark, or one that ends a turn, ends it.
"""

import re
from collections.abc import Callable

from .wrappings import TO_FUNCTION, unwrapped

_THOUGHT = r"(?:think|thought|reasoning)"
_NAME = r"[\w:.-]{0,40}"
_ROLE = r"(?:\s{0,2}(?P<%s>assistant|model|ai|bot|user|human|system|developer|tool|ipython)(?=[\s<\[:]|\Z))?"
_MARKS = {
    # Of gpt-oss; where its special tokens were left out, the name of a channel is glued to what follows.
    "channel": r"(?:<\|end\|>\s{0,9})?(?:<\|start\|>assistant(?:\sto=\S{1,60})?)?<\|channel\|>\s{0,3}(?P<of>\w{1,20})"
    r"[^<]{0,80}(?:<\|constrain\|>[^<]{0,40})?<\|message\|>",
    "glued": r"(?-i:\A\s*(?:assistant)?(?P<first>final|analysis|commentary)(?:(?=\sto=)"
    r"""|(?!(?:ly|e|s|i[szt]\w*)\b|_)(?=[\w(\[{<*#"'`]))|assistant(?P<next>final|analysis|commentary))""",
    "open": rf"<(?!/|no){_NAME}?{_THOUGHT}{_NAME}(?:\s\w{{1,20}}=[^<>\n]{{0,80}})?>|(?-i:\[THINK\])|◁think▷"
    r"|\[unused16\]|<\|channel>\w{0,20}|\bHere(?:'s| is) my thought process:(?=[\s\S]*\bHere(?:'s| is) my response:)",
    "close": rf"</{_NAME}?{_THOUGHT}{_NAME}>|(?-i:\[/THINK\])|◁/think▷|\[unused17\]|<channel\|>"
    r"|\bHere(?:'s| is) my response:",
    "call": re.escape(TO_FUNCTION),
    "begin": r"</s>(?=<s>)|\]~!b\[|<(?:s|bos|bos_token|seed:bos|pad|sop)>|\[(?:bos|gmask|pad)\]",
    "end": r"</s>|<(?:eos|eos_token|seed:eos|eot|eoa|eod|turn\|)>|<end_of_(?:turn|utterance)>|\[eos\]|\[e~\[",
    "turn": rf"(?:<start_of_turn>|<\|turn>|\]~b\]){_ROLE % 'role'}|\[(?P<inst>/?inst)\]",
    "control": rf"[<\[][|｜](?P<name>[^<>|｜\s]{{1,40}})[|｜][>\]]{_ROLE % 'speaker'}",
}
_MARK = re.compile(
    r"(?=[<\[\]◁]|(?-i:assistant|Here)|\A)(?:" + "|".join(f"(?P<{kind}>{mark})" for kind, mark in _MARKS.items()) + ")",
    re.IGNORECASE,
)
_THOUGHT_NAME = re.compile(_THOUGHT)
_SOME_MARK = re.compile(
    r"[<\[◁]|assistant(?:final|analysis)|\A\s*(?:assistant)?(?:final|analysis|commentary)|my thought process:"
)
# Control tokens by the letters of their names.
_ENDS = {
    "assistantend", "call", "end", "endofmessage", "endofresponse", "endofsentence", "endofsolution", "endoftext",
    "endofturn", "endofturntoken", "endresponse", "eod", "eom", "eomid", "eos", "eot", "eotid", "imend", "return",
}  # fmt: skip
_BEGINS = {
    "begin", "beginofsentence", "beginoftext", "bos", "headerstart", "imassistant", "imstart", "imsystem", "imuser",
    "start", "startheaderid", "startofrole", "startoftext", "startofturntoken",
}  # fmt: skip
_BOTH = "endoftext"  # begins and ends the texts of GPT-2 and others
_OF_THE_MODEL = re.compile(
    r"(?:im)?assistant(?:start|token)?|ai|bot|chatbot(?:token)?|model|/inst|content|(?:start|beginof)?(?:response|solution)|answer|final"
)
_OF_OTHERS = re.compile(r"(?:im)?(?:user|human|system|developer|observation|tool|ipython)(?:start|token)?|inst")
# What may hold thoughts in a format that is not known here: tags, tokens, brackets, and headings.
_WORDS = (
    r"(?:analy[sz]\w*|chain.of.thought|cot|deliberat\w*|monologue|plan|planning|ponder\w*|rationale|reason\w*|reflect\w*"
    r"|scratch.?pad|think\w*|thoughts?)"
)
_OPENING = re.compile(
    rf"[<\[][|｜]?(?P<name>(?:\w{{1,20}}[_:▁ -])?{_WORDS}(?:[_:▁ -]\w{{1,20}})?)[|｜]?[>\]]", re.IGNORECASE
)
_CLOSING = re.compile(
    r"[<\[◁][|｜]?(?:/|end[_▁ ](?:of[_▁ ])?)(?P<name>[^\W\d][\w:. ▁-]{0,40})[|｜]?[>\]▷]", re.IGNORECASE
)
_HEADING = re.compile(rf"^[\s>#*_]*{_WORDS}(?:\s{{1,3}}process)?[*_]*\s{{0,3}}(?::|$)", re.IGNORECASE | re.MULTILINE)
_ANSWER_HEADING = re.compile(
    r"^[ \t>#*_]*(?:final\s)?(?:answer|actions?|output|response|result)[*_]*[ \t]{0,3}(?::|$)",
    re.IGNORECASE | re.MULTILINE,
)
_SOME_THOUGHT = re.compile(
    rf"[<\[◁][|｜]?(?:/|end[_▁ ])|{_WORDS}[*_|\]>]{{0,4}}[ \t]{{0,3}}(?:[:>\]]|process|$)", re.IGNORECASE | re.MULTILINE
)
_OF_ANSWERS = re.compile(
    r"(?:final.?)?(?:answer|actions?|outputs?|response|result|prediction|solution|box|tool.?calls?|function.?calls?)"
    r"|architect|builder|b|code|details|div|em|i|li|ol|p|pre|span|strong|summary|table|t[dhr]|u|ul"
)


def answer_of(text: str) -> str:
    """Return the answer in a model's text. Lines keep their numbers, but behind thoughts within a line.

    Thoughts that are not closed go on to the end. What stands before a mark that closes thoughts which were not opened
    is left out: the prompts of some models open them.

    >>> answer_of("<s><think>place red 0 3 0?</think>place red 0 1 0</s>pick 0 1 0")
    'place red 0 1 0'
    >>> answer_of("analysisplace red 0 3 0?assistantfinalplace red 0 1 0")
    'place red 0 1 0'
    """
    # Most answers have no marks.
    if not _SOME_MARK.search(text):
        return text
    kept: list[str] = []  # the answer, and the line breaks of what is left out
    state, at = "answer", 0  # or "thoughts" until they are closed, "message" until it ends, "other" until a turn begins
    said = final = False  # whether there is an answer before, and whether its channel was named
    called = False  # whether calls are part of it
    for match in _MARK.finditer(text):
        # The text up to the next mark, and what the mark is.
        piece = text[at : match.start()]
        kind = _kind(match, state == "answer" and not said and not piece.strip())
        if not kind:
            continue
        # The text is kept where it is the answer; elsewhere only its line breaks are.
        kept += [piece if state == "answer" else _breaks(piece), _breaks(match[0])]
        said = said or (state == "answer" and bool(piece.strip()))
        alone = match.lastgroup == "control" and _letters(match) not in _BEGINS  # a word behind it is no part of it
        at = match.end("name") + 2 if alone else match.end()
        # What the mark does to the state.
        if state == "thoughts" and kind not in ("close", "final"):
            continue
        if kind == "call" or (called and kind == "end"):
            state, called = ("answer" if kind == "call" else "other"), True
        elif kind == "final" and not (final and said):
            kept = kept if called else [_breaks("".join(kept))]
            state, said, final = "answer", False, True
        elif kind == "close" and state == "answer":
            kept, said = [_breaks("".join(kept))], False
        elif kind == "close":
            if state != "other" and said and not kept[-2]:
                kept.append("\n")  # thoughts within a line
            state = "answer" if state != "other" else state
        elif kind == "open":
            state = "thoughts" if state == "answer" else state
        elif kind == "message" and not (final and said):
            state = "message"
        elif said and state == "answer":
            return "".join(kept)
        elif kind == "model":
            state = "answer"
        elif kind == "end" and state == "answer":
            return ""
        elif kind in ("end", "others"):
            state = "other"
    return "".join([*kept, text[at:]]) if state == "answer" else "".join(kept)


def unknown_thoughts(text: str, counts: Callable[[str], object]) -> str:
    """Return the mark of what seems to be thoughts within an answer, in no format that is known here; "" without one.

    Args:
        text: of a model.
        counts: whether something in a part of it is read as the answer.

    >>> unknown_thoughts("<ponder>red?</ponder>blue", bool)
    '</ponder>'
    """
    # Most answers have no thoughts.
    if not _SOME_THOUGHT.search(text):
        return ""
    text = answer_of(unwrapped(text))
    # A closing mark: what stands before it was thought, and what follows counts.
    closed = set()
    for match in _CLOSING.finditer(text):
        name = match["name"].lower()
        closed.add(name)
        start = text.lower().rfind(name, 0, match.start())
        inside = text[start + len(name) if start >= 0 else 0 : match.start()]
        named = _OPENING.fullmatch(f"<{name}>")
        if not _OF_ANSWERS.fullmatch(name) and counts(inside) and (named or counts(text[match.end() :])):
            return match[0]
    # An opening mark that nothing closes.
    for match in _OPENING.finditer(text):
        if match["name"].lower() not in closed and counts(text[match.end() :]):
            return match[0]
    # A heading such as "Thoughts:" in front of one such as "Answer:".
    heading = _HEADING.search(text)
    answer = heading and _ANSWER_HEADING.search(text, heading.end())
    if answer and counts(text[heading.end() : answer.start()]) and counts(text[answer.end() :]):
        return heading[0].strip()
    return ""


def _kind(match: re.Match, leads: bool) -> str:
    """Classify a mark: "open", "message" (of thoughts), "close", "final", "call", "begin", "model", "others", "end".

    "" is none.

    Args:
        leads: whether nothing of an answer stands before it.
    """
    # Marks of channels, of turns and of thoughts have groups of their own.
    group = match.lastgroup
    if group in ("channel", "glued"):
        return "final" if "final" in (match["of"], match["first"], match["next"]) else "message"
    if group == "turn":
        return _speaker(match["role"] or match["inst"])
    if group != "control":
        return group
    # Of control words the letters tell: thoughts, the end or the beginning of a turn, or who speaks.
    name, letters = match["name"].lower(), _letters(match)
    if letters in ("innerprefix", "innersuffix") or (_THOUGHT_NAME.search(name) and "no" not in name):
        return "close" if "/" in name or letters.startswith("end") or letters == "innersuffix" else "message"
    if letters in _ENDS:
        return "begin" if leads and letters == _BOTH else "end"
    if letters in _BEGINS:
        return _speaker(match["speaker"] or letters.removeprefix("im"))
    speaker = _speaker(letters)
    return speaker if speaker != "begin" or (leads and not _OPENING.match(match[0])) else ""


def _speaker(name: str | None) -> str:
    name = (name or "").lower()
    return "model" if _OF_THE_MODEL.fullmatch(name) else "others" if _OF_OTHERS.fullmatch(name) else "begin"


def _letters(match: re.Match) -> str:
    return re.sub("[^a-z]", "", match["name"].lower())


def _breaks(text: str) -> str:
    return "\n" * len(re.findall(r"\r\n?|\n", text))
