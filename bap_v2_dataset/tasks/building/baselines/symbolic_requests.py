"""What the Architect asks for, gathered from clause to clause, before a board is known."""

from dataclasses import dataclass, field

from bap_v2_dataset.tasks.building.baselines.symbolic_meanings import Extent, Form, Reference, Shift, Token, Way
from bap_v2_metric.blocks import Color

Clause = tuple[Token, ...]
NEW = {"color", "noun", "number", "form", "size", "extent"}  # kinds of tokens that speak of what is not there yet


@dataclass(slots=True)
class ParsedRequest:
    """A request of the Architect about blocks that are to be placed or taken away."""

    clauses: list[Clause] = field(default_factory=list)
    color: Color | None = None
    number: int | None = None
    size: tuple[int, int] | None = None
    extents: dict[str, int] = field(default_factory=dict)  # side -> blocks
    form: Form | None = None
    noun: bool = False
    references: list[Reference] = field(default_factory=list)  # one; two with `between`
    place: list[Shift] = field(default_factory=list)  # from the reference to the first block
    course: list[Shift] = field(default_factory=list)  # from block to block
    gap: int = 0  # cells between the reference and the first block
    marks: frozenset[str] = frozenset()  # kinds of tokens that change the whole: "removal", "between", "hollow" ...

    def add(self, clause: Clause) -> None:
        """Takes in what a clause says."""
        if not clause:
            return
        self.clauses.append(clause)
        self._read_what(clause)
        self._read_where(clause)

    def correct(self, clause: Clause) -> None:
        """Takes in what a clause says in place of what was said before: "no wait, on the other side", "sorry, blue"."""
        # What the correction says again is forgotten: number, color, size.
        clause = tuple(token for token in clause if token.value != Reference("it"))  # "sorry, to its left"
        kinds = {token.kind for token in clause}
        if "number" in kinds and self.number is None and not self.noun:  # "4 blocks to the left of it" - "sorry, 3"
            self._count_from_steps()
        if "color" in kinds:
            self.color = None
        if kinds & {"number", "extent", "size"} and not self.two_sides:
            self.number, self.size, self.extents = None, None, {}
        # Without a new reference a way replaces the one that was said.
        if "reference" not in kinds:
            if "opposite" in kinds:
                self._turn()
            elif "step" in kinds:
                steps = [token.value for token in clause if token.kind == "step"]
                if self.course and ("going" in kinds or not self.place):
                    self.course = steps
                else:
                    self.place = steps
            clause = tuple(token for token in clause if token.kind not in ("opposite", "step"))
        self.add(clause)

    def _turn(self) -> None:
        """To the other side."""
        if self.place:
            self.place = [_turned(step) for step in self.place]
        else:
            self.course = [_turned(step) for step in self.course]

    def is_complete(self, led: bool = False) -> bool:
        """Return whether it says what and where.

        Args:
            led: "and" or "then" follows, so that "a yellow to the left of it" says all.
        """
        if self.marks & {"opposite", "same all"}:  # "do the same on the other side"
            return True
        kinds = {token.kind for clause in self.clauses for token in clause}
        if not (self.noun or self.number or (self.color and (led or kinds & {"verb", "form"}))):
            return "removal" in self.marks
        if self.extents and self.form is None:  # "make another 3 tall", and 6 long red wall
            return False
        measured = self.number is not None or bool(self.extents)
        if self.form is not None and self.form.upright and not self.form.slanted and measured:
            return True  # a tower needs no direction
        named = bool(self.references) and (self.noun or self.number is not None)
        return named or bool(self.place or self.course or self.marks)

    @property
    def two_sides(self) -> bool:
        """True if it is a plane."""
        if self.form is None or not self.form.two_sides:
            return False
        counted = sum(step.count is not None for step in self.course)
        return bool(self.size or self.extents or counted or "same length" in self.marks)

    def finish(self) -> "ParsedRequest":
        """Return the same request after its last clause."""
        said = self.noun or self.number or self.extents or self.size or self.two_sides
        said = said or self.marks & {"same all", "same length"}
        if not said:
            self._count_from_steps()
        return self

    @property
    def removes(self) -> bool:
        """True if blocks are to be taken away.

        Whatever one does to "the red block behind that one", it is not placed.
        """
        if "removal" in self.marks:
            return True
        kinds = {token.kind for clause in self.clauses for token in clause}
        return bool(self.clauses) and self.clauses[0][0].kind == "reference" and kinds.isdisjoint(NEW)

    def _read_what(self, clause: Clause) -> None:
        for kind, value in clause:
            # What was said first holds for colors and numbers, the last word for sizes.
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
            # What only leaves a mark.
            elif kind in ("noun", "number"):
                self.noun = True
            elif kind == "gap":
                self.gap = value
            elif kind in ("removal", "opposite", "between", "sides", "hollow", "corners", "ground"):
                self.marks |= {kind}
            elif kind == "relative":
                self.marks |= {value}
            elif kind == "again":
                self.marks |= {f"same {value}"}

    def _measure(self, extent: Extent) -> None:
        self.extents[extent.side] = extent.number

    def _read_where(self, clause: Clause) -> None:
        """Directions that lead to a reference say where; the others say which way the blocks follow one another."""
        # What is open while the clause is read: steps without a reference, a side, references to come.
        open_steps: list[Shift] = []
        side_to_come = False  # "next to the last block, on the left side", "from the last block going up and left"
        once = relative = False
        between = 0
        for kind, value in clause:
            # Words that say what the next ones mean.
            if kind == "between":
                between = 2
            elif kind == "but":
                once = side_to_come = True
            elif kind == "going" and self.place:
                side_to_come = False
            elif kind == "relative":
                relative = True
            elif kind == "reference" and relative:  # "perpendicular to the red row"
                relative = False
            elif kind == "start":
                self.course += open_steps
                open_steps = []
            # References, and then the steps that lead to or from them.
            elif kind == "reference" and between:
                self.references = [*self.references, value] if between == 1 else [value]
                between -= 1
            elif kind == "reference":
                known = self.references and value.rule in ("it", "there")
                if not known:
                    self.references = [self._completed(value)]
                if open_steps or not self.place:
                    side_to_come = not open_steps
                    self.place, open_steps = open_steps, []
            elif kind == "step" and side_to_come:
                self.place.append(value)
                side_to_come, once = not once, False
            elif kind == "step":
                open_steps.append(value)
        self.course += open_steps

    def _completed(self, reference: Reference) -> Reference:
        """ "the red block" - "the leftmost one" - is the leftmost red block."""
        before = self.references[0] if self.references else None
        if before is None or reference.color or not reference.extremes or reference.rule != "described":
            return reference
        return reference._replace(color=before.color)

    def _count_from_steps(self) -> None:
        """Takes the number of blocks from a step that is counted in blocks: "three blocks behind it"."""
        for steps in (self.place, self.course):
            for position, step in enumerate(steps):
                if step.in_blocks:
                    self.number = step.count
                    steps[position] = Shift(step.way)
                    return


def _turned(step: Shift) -> Shift:
    """Return the opposite direction, as far; what is above and to the left is then above and to the right."""
    left, up, away = step.way
    return Shift(Way(-left, up if left or away else -up, -away), step.count, step.in_blocks)
