"""From the tokens of a dialogue to its requests: which clauses belong together, which correct, which ask for more."""

from collections.abc import Iterable

from bap_v2_dataset.tasks.building.baselines.symbolic_meanings import Token
from bap_v2_dataset.tasks.building.baselines.symbolic_requests import Clause, ParsedRequest

_NAMED = {"color", "noun", "form"}
_WHERE = {"step", "reference", "opposite", "between", "sides"}


def requests(utterances: Iterable[Clause | None]) -> list[ParsedRequest]:
    """Return the requests of a dialogue, in the order in which they are to be carried out.

    Args:
        utterances: the tokens of each line of the Architect; None stands for a question of the Builder.
    """
    # After a question of the Builder a line adds to the last request.
    found = [ParsedRequest()]
    asked = False  # what follows is the answer
    for line in utterances:
        if line is None:
            asked = bool(found[-1].clauses)
            continue
        clauses = _clauses(line)
        for position, clause in enumerate(clauses):
            # A correction changes the last request; other clauses begin a new one or add to it.
            if clause[0].kind == "correction":
                correct = found[-1].add if asked or not found[-1].clauses else found[-1].correct
                correct(clause[1:])
                continue
            if not asked and _is_new(found[-1], clause, new_line=position == 0):
                found.append(ParsedRequest())
            found[-1].add(_body(clause))
        asked = False
    return [request.finish() for request in found if request.clauses]


def _clauses(line: Clause) -> list[Clause]:
    """Return the parts of a line that may be requests of their own, or corrections."""
    parts: list[list[Token]] = []
    for clause in _cut(line):
        if not _body(clause):
            continue
        if not parts or clause[0].kind == "correction" or _is_new(_said(parts[-1]), clause):
            parts.append([])
        parts[-1] += clause
    return [tuple(part) for part in parts]


def _said(clause: list[Token]) -> ParsedRequest:
    request = ParsedRequest()
    request.add(tuple(clause))
    return request


def _cut(line: Clause) -> list[Clause]:
    """The line, cut at marks, at "and", and before corrections; what follows "and" or "then" begins with that token."""
    parts: list[list[Token]] = [[]]
    for position, token in enumerate(line):
        if token.kind == "correction":
            parts.append([token])
        elif token.kind != "cut" or (token.value == "," and parts[-1] and not _body(tuple(parts[-1]))):
            parts[-1] += [token] * (token.kind != "cut")  # "after that, one red": the comma cuts nothing
        elif not 0 < position < len(line) - 1 or not line[position - 1].kind == line[position + 1].kind == "step":
            parts.append([token] if token.value[0].isalpha() else [])  # but not in "right and behind"
    return [tuple(part) for part in parts]


def _body(clause: Clause) -> Clause:
    """Return the clause without the "and" or "then" at its beginning."""
    return clause[1:] if clause and clause[0].kind == "cut" else clause


def _is_new(request: ParsedRequest, clause: Clause, *, new_line: bool = False) -> bool:
    """Return whether a clause begins another request, after one that says what and where.

    It says both as well; or what, after "and then"; or, in a line of its own, where.
    """
    # A clause that leaves the request incomplete, or is about "it", belongs to it.
    body = _body(clause)
    led = len(body) < len(clause)
    if not request.clauses or not body or body[0].kind == "subject":  # "it goes to the left"
        return False
    if not request.is_complete(led and new_line):
        return False
    kinds = {token.kind for token in body}
    what, where, start = not kinds.isdisjoint(_NAMED), not kinds.isdisjoint(_WHERE), "start" in kinds
    # Removals name a block; after one, only a verb with a thing begins anew.
    if "removal" in kinds:
        first = next(token.kind for token in body if token.kind != "verb")
        return first == "removal" and bool(kinds & {"reference", "color", "noun"})
    if "removal" in request.marks:
        return "verb" in kinds and what
    # Both what and where; or one of them, after "then" or in a line of its own.
    if what and where and not start:
        return True
    if not led:
        return False
    if Token("again", "all") in body:  # "then do the same"
        return True
    counted = "number" in kinds and (new_line or "verb" in kinds)  # "then two more"
    if (what or counted) and ("color" in kinds or counted if start else new_line or "verb" in kinds):
        return True
    further = (
        kinds == {"step"} and (request.place or "ground" in request.marks) and not request.number
    )  # "and to the left"
    if start and not request.references:  # "it starts behind that one"
        return False
    return new_line and ("reference" in kinds or further)
