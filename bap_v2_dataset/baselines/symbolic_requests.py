"""From the tokens of a dialogue to requests: what is to be placed or taken away, and where, before a board is known."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from bap_v2_dataset.baselines.symbolic_meanings import Extent, Form, Reference, Step, Token, Way
from bap_v2_metric.blocks import Color

Clause = tuple[Token, ...]
_NEW = {"color", "noun", "number", "form", "size", "extent"}  # kinds of tokens that speak of what is not there yet
_NAMED = {"color", "noun", "form"}
_WHERE = {"step", "reference", "opposite", "between", "sides"}


@dataclass(slots=True)
class Request:
    """What the Architect says about blocks that are to be placed or taken away."""

    clauses: list[Clause] = field(default_factory=list)
    color: Color | None = None
    number: int | None = None
    size: tuple[int, int] | None = None
    extents: dict[str, int] = field(default_factory=dict)  # side -> blocks
    form: Form | None = None
    noun: bool = False
    references: list[Reference] = field(default_factory=list)  # one; two with `between`
    place: list[Step] = field(default_factory=list)  # from the reference to the first block
    course: list[Step] = field(default_factory=list)  # from block to block
    gap: int = 0  # cells between the reference and the first block
    marks: frozenset[str] = frozenset()  # kinds of tokens that change the whole: "removal", "between", "hollow" ...

    def add(self, clause: Clause, corrects: bool = False) -> None:
        """Takes in what a clause says.

        Args:
            corrects: it takes the place of what was said before.
        """
        if corrects:
            clause = self._without_what_it_corrects(clause)
        self.clauses.append(clause)
        self._read_what(clause)
        self._read_where(clause)

    def _without_what_it_corrects(self, clause: Clause) -> Clause:
        """Gives up what the clause says again, and returns the clause."""
        kinds = {token.kind for token in clause}
        if "color" in kinds:
            self.color = None
        if "number" in kinds:
            self.number = None
        if "step" in kinds and "reference" not in kinds and self.place and not self.course:
            self.place = []
        if "opposite" in kinds and "reference" not in kinds and (self.place or self.course):
            self.place = [_turned(step) for step in self.place]
            if not self.place:
                self.course = [_turned(step) for step in self.course]
            return tuple(token for token in clause if token.kind != "opposite")
        return clause

    @property
    def two_sides(self) -> bool:
        """Whether it is a plane."""
        if self.form is None or not self.form.two_sides:
            return False
        counted = sum(step.count is not None for step in self.course)
        return bool(self.size or self.extents or counted)

    def finish(self) -> "Request":
        """The same request after its last clause."""
        said = self.noun or self.number or self.extents or self.size or self.two_sides
        if not said:
            self._count_from_steps()
        return self

    @property
    def removes(self) -> bool:
        """Whether blocks are to be taken away.

        Whatever one does to "the red block behind that one", it is not placed.
        """
        if "removal" in self.marks:
            return True
        kinds = {token.kind for clause in self.clauses for token in clause}
        return bool(self.clauses) and self.clauses[0][0].kind == "reference" and kinds.isdisjoint(_NEW)

    def _read_what(self, clause: Clause) -> None:
        for kind, value in clause:
            if kind == "color":
                self.color = self.color or value
            elif kind == "number" and value > 1:
                self.number = self.number or value
            elif kind == "size":
                self.size = value
            elif kind == "extent":
                self._measure(value)
            elif kind == "form":
                known = self.form or value
                self.form = Form(*map(max, known, value))
            elif kind in ("noun", "number"):
                self.noun = True
            elif kind == "gap":
                self.gap = value
            elif kind in ("removal", "opposite", "between", "sides", "hollow", "corners"):
                self.marks |= {kind}
            elif kind == "relative":
                self.marks |= {value}
            elif kind == "again":
                self.marks |= {f"same {value}"}

    def _measure(self, extent: Extent) -> None:
        self.extents[extent.side] = extent.number

    def _read_where(self, clause: Clause) -> None:
        """Directions that lead to a reference say where; the others say which way the blocks follow one another."""
        open_steps: list[Step] = []
        side_to_come = False  # "next to the last block, on the left side", "from the last block going up and left"
        once = relative = False
        between = 0
        for kind, value in clause:
            if kind == "between":
                between = 2
            elif kind == "but":
                once = side_to_come = True
            elif kind == "relative":
                relative = True
            elif kind == "reference" and relative:  # "perpendicular to the red row"
                relative = False
            elif kind == "start":
                self.course += open_steps
                open_steps = []
            elif kind == "reference" and between:
                self.references = [*self.references, value] if between == 1 else [value]
                between -= 1
            elif kind == "reference":
                known = self.references and value.rule in ("it", "there")
                if not known:
                    self.references = [value]
                if open_steps or not self.place:
                    side_to_come = not open_steps
                    self.place, open_steps = open_steps, []
            elif kind == "step" and side_to_come:
                self.place.append(value)
                side_to_come, once = not once, False
            elif kind == "step":
                open_steps.append(value)
        self.course += open_steps

    def _count_from_steps(self) -> None:
        """Takes the number of blocks from a step that is counted in blocks: "three blocks behind it"."""
        for steps in (self.place, self.course):
            for position, step in enumerate(steps):
                if step.in_blocks:
                    self.number = step.count
                    steps[position] = Step(step.way)
                    return


def _turned(step: Step) -> Step:
    """The opposite direction, as far; up and down stay."""
    left, up, away = step.way
    return Step(Way(-left, up, -away), step.count, step.in_blocks)


def requests(utterances: Iterable[Clause | None]) -> list[Request]:
    """The requests of a dialogue, in the order in which they are to be carried out.

    Args:
        utterances: the tokens of each line of the Architect; None stands for a question of the Builder.
    """
    found = [Request()]
    asked = False  # what follows is the answer
    for line in utterances:
        if line is None:
            asked = True
            continue
        for clause in _clauses(line):
            if not asked and _is_new(found[-1], clause):
                found.append(Request())
            found[-1].add(clause, corrects=not asked and clause[0].kind == "correction")
    return [request.finish() for request in found if request.clauses]


def _clauses(line: Clause) -> list[Clause]:
    """The parts of a line that may be requests of their own."""
    parts: list[list[Token]] = [[]]
    request = Request()
    for clause in _cut(line):
        if not clause:
            continue
        if parts[-1] and _is_new(request, clause):
            parts.append([])
            request = Request()
        parts[-1] += clause
        request = Request()
        request.add(tuple(parts[-1]))
    return [tuple(part) for part in parts if part]


def _cut(line: Clause) -> list[Clause]:
    parts: list[list[Token]] = [[]]
    for position, token in enumerate(line):
        around = {other.kind for other in (*line[max(position - 1, 0) : position], *line[position + 1 : position + 2])}
        if token.kind != "cut":
            parts[-1].append(token)
        elif around != {"step"}:  # not in "right and behind"
            parts.append([])
    return [tuple(part) for part in parts]


def _is_new(request: Request, clause: Sequence[Token]) -> bool:
    """Whether a clause after a request that says what and where says both again."""
    if clause[0].kind == "correction" or not request.clauses:
        return False
    removal = "removal" in request.marks
    if not removal:
        verb = any(token.kind == "verb" for said in request.clauses for token in said)
        if not (request.noun or request.number or (request.color and verb)):
            return False
        if request.extents and request.form is None:  # "make another 3 tall", and 6 long red wall
            return False
        named = request.references and (request.noun or request.number)
        if not (named or request.place or request.course or request.marks):
            return False
    kinds = {token.kind for token in clause}
    if "removal" in kinds:
        first = next(token.kind for token in clause if token.kind != "verb")
        return first == "removal" and bool(kinds & {"reference", "color", "noun"})
    if removal:
        return "verb" in kinds and not kinds.isdisjoint(_NAMED)
    return not kinds.isdisjoint(_NAMED) and not kinds.isdisjoint(_WHERE) and not kinds & {"start"}
