"""What calls of tools, LaTeX and HTML put around actions: `unwrapped` leaves lines, calls and objects.

[TOOL_CALLS]place[ARGS]{"color": "red", "x": 0, "y": 1, "z": 0}      $$\\boxed{\\text{place red 0 1 0}}$$
"""

import html
import re

TO_FUNCTION = "<|to_function|>"  # in place of what names the function that a message of gpt-oss calls
TERMINAL = re.compile(r"\x1b(?:\[[0-?]*+[ -/]*+[@-~]|\][^\x07\x1b]*+(?:\x07|\x1b\\)?|[@-Z\\^_]?)")  # colors and so on
_GAP, _OF = r"\s{0,9}", r"(?:\w{1,12}:|[|｜]\w{1,8}[|｜])?"  # and the name space of a tag
_BOX = r"(?:\\f?b|\x08)ox(?:ed)?\s{0,3}\{"  # whoever writes JSON by hand makes a backspace of \b
_TEXT = r"\\(?:text|math|operatorname)\w{0,9}\s{0,3}\{"
_IN_LATEX = re.compile(rf"{_BOX}|{_TEXT}|\\begin\{{")
_MARK = (  # around a call, of Mistral, DeepSeek, Kimi, Gemma and others
    r"[<\[][/|｜]{0,2}(?:\w{1,12}[:|｜])?(?:(?:start_|end_)?(?:tool|function)[_▁]?(?:calls?|sep|s[_▁])[\w▁]{0,24}"
    rf"|(?:start|end)_action|action_(?:start|end)|plugin|args)[|｜]?[>\]]{_GAP}"
)
_NAMED = (  # a verb in front of an object
    r"(?:call:|functions?[.:])?(place|pick)(?::\d{1,4}|\[call_id\]\w{1,40})?[\s:(]{0,9}"
    rf"(?:{_MARK})*(?:```(?:json)?{_GAP})?\{{(?={_GAP}(?:[\"'<]|\w{{%s,40}}{_GAP}[:=]))"
)
_LATEX = (
    (rf"(?:\\[(\[]\s?|(?<!\$)\$++\s?)?{_BOX}|\\\\(?:\[\w{{1,9}}\])?", "\n"),
    (rf"{_TEXT}([^{{}}\\]*+)\}}?", r"\1"),
    (r"\\(?:begin|end)\{\w{1,20}\*?\}(?:\{[^{}]{0,20}\})?|\\q?quad\b|\\[ ,;:!]|[$&~]++", " "),
)
_CALLS = (
    (r"(?:<\|start\|>)?(?:assistant)?(?:<\|channel\|>)?(?:commentary)?\s{0,2}to=functions\.(place|pick)"
     rf"(?:<\|channel\|>commentary)?{_GAP}(?:<\|constrain\|>)?(?:json|code)?{_GAP}(?:<\|message\|>)?{_GAP}\{{",
     rf'{TO_FUNCTION}{{"name": "\1", '),
    # As XML, of Qwen, MiniMax, GLM and others.
    (rf"<{_OF}(?:function|invoke)(?:=|\s+name=)[\"']?([\w.]{{1,40}})[\"']?\s?>"
     rf"|<tool_call>{_GAP}([\w.]{{1,40}}){_GAP}(?=<arg_key>)", '\n{"name": "\\1\\2", '),
    (rf"</{_OF}(?:function|invoke)>|(?<=</arg_value>){_GAP}</tool_call>", "}"),
    (rf"(?:<{_OF}parameter(?:=|\s+name=)[\"']?(\w{{1,40}})[^<>]{{0,40}}>|<arg_key>{_GAP}(\w{{1,40}}){_GAP}</arg_key>{_GAP}"
     rf"<arg_value>){_GAP}([^<]*+)(?:</(?:{_OF}parameter|arg_value)>)?", '"\\1\\2": \\3, '),
    (r"(?i)<escape>|<\|\"\|>", '"'),
    (rf"(?i){_MARK}(?:function{_GAP}{_MARK})?{_NAMED % 1}|(?m:^)[ \t>*-]{{0,9}}(?:\d{{1,3}}[.)] )?{_NAMED % 2}",
     '\n{"name": "\\1\\2", '),
    (rf"(?i)(?:{_MARK})++(?:function{_GAP}{_MARK})?|\bfunctools(?=\[)", "\n"),
    (r'"functions\.', '"'),
)  # fmt: skip
_ESCAPED = ((r"\\([_*+.()\[\]{}#>`-])", r"\1"),)  # of Markdown and LaTeX


def unwrapped(text: str) -> str:
    """Return a model's text without what is around its actions; a call or a box within a line begins a line.

    >>> print(unwrapped('Sure![TOOL_CALLS]pick[ARGS]{"x": 0, "y": 2, "z": 0}'))
    Sure!
    {"name": "pick", "x": 0, "y": 2, "z": 0}
    """
    text = html.unescape(text) if "&" in text else text
    for needed, substitutions in ((_IN_LATEX, _LATEX), (r"\\", _ESCAPED), (r"[{<\[]", _CALLS)):
        for pattern, replacement in substitutions if re.search(needed, text) else ():
            text = re.sub(pattern, replacement, text)
    return text
