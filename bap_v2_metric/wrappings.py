"""What tool calls, LaTeX, HTML and terminals put around actions: `unwrapped` leaves lines, calls and objects.

[TOOL_CALLS]place[ARGS]{"color": "red", "x": 0, "y": 1, "z": 0}      $$\\boxed{\\text{place red 0 1 0}}$$
"""

import html
import json
import re

TO_FUNCTION = "<|to_function|>"  # in place of what names the function that a message of gpt-oss calls
_TERMINAL = re.compile(r"(?:\x1b\[|\x9b)[0-?]*+[ -/]*+[@-~]|\x1b\][^\x07\x1b\n]*+(?:\x07|\x1b\\)?|\x1b[@-Z\\^_]?")
_ESCAPED = re.compile(r"\\([_*+.()\[\]{}#>`-])")  # of Markdown and LaTeX
_BOX = r"(?:\\f?b|\x08)ox(?:ed)?\s{0,3}\{"  # whoever writes JSON by hand makes a backspace of \b
_TEXT = r"\\(?:text|math|operatorname)\w{0,9}\s{0,3}\{"
_IN_LATEX = re.compile(rf"{_BOX}|{_TEXT}|\\begin\{{")
_LATEX = re.compile(
    rf"(?P<box>(?:\\[(\[]\s?|\$++\s?)?{_BOX})|{_TEXT}(?P<inner>[^{{}}\\]*+)\}}?|(?P<row>\\\\(?:\[\w{{1,9}}\])?)"
    r"|\\(?:begin|end)\{\w{1,20}\*?\}(?:\{[^{}]{0,20}\})?|\\q?quad\b|\\[ ,;:!]|[$&~]++"
)

# Marks around calls, of Mistral, DeepSeek, Kimi, Gemma and others, and the verb and the brace behind them.
_GAP = r"\s{0,9}"
_MARK = (
    r"[<\[][/|｜]{0,2}(?:\w{1,12}[:|｜])?(?:(?:start_|end_)?(?:tool|function)[_▁]?(?:calls?|sep|s[_▁])[\w▁]{0,24}"
    rf"|(?:start|end)_action|action_(?:start|end)|plugin|args)[|｜]?[>\]]{_GAP}"
)
_NAMED = (
    r"(?:call:|functions?[.:])?(?P<%s>place|pick)(?::\d{1,4}|\[call_id\]\w{1,40})?[\s:(]{0,9}"
    rf"(?:{_MARK})*(?:```(?:json)?{_GAP})?\{{"
)
_CALL = re.compile(
    rf"(?P<marks>(?:{_MARK})++(?:function{_GAP}{_MARK})?)(?:{_NAMED % 'marked'})?"
    rf"|^[ \t>*-]{{0,9}}(?:\d{{1,3}}[.)] )?{_NAMED % 'verb'}"
    r"|(?P<quote><escape>|<\|\"\|>)|^functools(?=\[)",
    re.IGNORECASE | re.MULTILINE,
)
_HARMONY = re.compile(
    r"(?:<\|start\|>)?(?:assistant)?(?:<\|channel\|>)?(?:commentary)?\s{0,2}to=functions\.(place|pick)"
    rf"(?:<\|channel\|>commentary)?{_GAP}(?:<\|constrain\|>)?(?:json|code)?{_GAP}(?:<\|message\|>)?{_GAP}\{{"
)
# Calls as XML, of Qwen, MiniMax, GLM and others.
_OF = r"(?:\w{1,12}:|[|｜]\w{1,8}[|｜])?"  # a name space
_XML = re.compile(
    rf"<{_OF}(?:function|invoke)(?:=|\s+name=)[\"']?(?P<call>[\w.]{{1,40}})[\"']?\s?>"
    rf"|<tool_call>{_GAP}(?P<named>[\w.]{{1,40}}){_GAP}(?=<arg_key>)"
    rf"|(?:<{_OF}parameter(?:=|\s+name=)[\"']?(?P<key>\w{{1,40}})[^<>]{{0,40}}>"
    rf"|<arg_key>{_GAP}(?P<name>\w{{1,40}}){_GAP}</arg_key>{_GAP}<arg_value>)"
    rf"(?P<value>[^<]*+)(?:</(?:{_OF}parameter|arg_value)>)?"
    rf"|(?P<end></{_OF}(?:function|invoke)>|(?<=</arg_value>){_GAP}</tool_call>)"
)
_PLAIN = re.compile(r"[\w.+-]{1,40}|[\[{\"'].*", re.DOTALL)  # a value that needs no quotes


def unwrapped(text: str) -> str:
    """Return a model's text without what is around its actions; a call or a box within a line begins a line.

    >>> print(unwrapped('Sure![TOOL_CALLS]pick[ARGS]{"x": 0, "y": 2, "z": 0}'))
    Sure!
    {"name": "pick", "x": 0, "y": 2, "z": 0}
    """
    if "&" in text:
        text = html.unescape(text)
    if "\x1b" in text or "\x9b" in text:
        text = _TERMINAL.sub("", text)
    if "\\" in text or "\x08" in text:
        text = _ESCAPED.sub(r"\1", _LATEX.sub(_without_latex, text) if _IN_LATEX.search(text) else text)
    if "to=functions." in text:
        text = _HARMONY.sub(rf'{TO_FUNCTION}{{"name": "\1", ', text)
    if "<" in text:
        text = _XML.sub(_in_json, text)
    return _CALL.sub(_without_marks, text).replace('"functions.', '"') if re.search(r"[{<\[]", text) else text


def _without_latex(match: re.Match) -> str:
    return "\n" if match["box"] or match["row"] else match["inner"] or " "


def _in_json(match: re.Match) -> str:
    if name := match["call"] or match["named"]:
        return f'\n{{"name": "{name}", '
    if match["end"]:
        return "}"
    value = match["value"].strip()
    return f'"{match["key"] or match["name"]}": {value if _PLAIN.fullmatch(value) else json.dumps(value)}, '


def _without_marks(match: re.Match) -> str:
    if verb := match["verb"] or match["marked"]:
        return f'\n{{"name": "{verb}", '
    return '"' if match["quote"] else "\n" if match["marks"] else ""
