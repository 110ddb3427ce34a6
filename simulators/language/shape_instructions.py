"""Instructions about whole shapes: their words, and the actions they ask for (BAP v2, 5.4.3 and 10.4)."""

from dataclasses import dataclass

from bap_v2_metric.actions import ActionType, NetAction
from bap_v2_metric.blocks import Cell, Color
from bap_v2_simulators.language.places import beside, going_to, steps_away
from bap_v2_simulators.language.references import LanguageError, Scene
from bap_v2_simulators.language.sentences import article, number_word, sentence
from bap_v2_simulators.language.turns import Clause, instruction_lines
from bap_v2_simulators.language.words import Words
from bap_v2_simulators.shapes import ShapeKind, cells_of
from bap_v2_simulators.view import Direction, Offset
from bap_v2_simulators.wording import blocks, exchanges, places, references, shapes, verbs


@dataclass(frozen=True, slots=True)
class ShapeInstruction:
    """Build a row, a diagonal or a plane: size, color, directions, and where it starts."""

    kind: ShapeKind
    color: Color
    size: tuple[int, ...]  # blocks along each of `steps`
    steps: tuple[Offset, ...]  # one cell on in each direction, as the Builder sees it
    start: Offset | None  # from the last placed block; None: anywhere on the ground
    floating: bool
    omitted: str | None  # "color", "size", "orientation" or "location", to be asked for

    def denotes(self, scene: Scene) -> frozenset[NetAction] | None:
        """The net actions that it asks for; None if any place on the ground will do.

        Raises:
            LanguageError: if there is no last block, or the shape does not fit.
        """
        if self.start is None:
            return None
        if scene.last is None:
            raise LanguageError("there is no last block")
        return self.denotes_from(scene.view.cell(scene.last, self.start), scene)

    def denotes_from(self, first: Cell, scene: Scene) -> frozenset[NetAction]:
        """The net actions that it asks for once its starting block is chosen. Raises: LanguageError."""
        cells = cells_of(first, self.size, tuple(scene.view.vector(step) for step in self.steps))
        if any(cell in scene.board for cell in cells):
            raise LanguageError("there is a block already")
        return frozenset(NetAction(ActionType.PLACE, self.color, cell) for cell in cells)

    def dialogue(self, words: Words, scene: Scene) -> list[tuple[str, str, str]]:
        """(speaker, dialogue act, text) of each utterance."""
        np, orientation, names_up = self._shape(words)
        where = None if self.start is None else self._start(words, scene)
        clauses = []
        if self.start is None:
            clauses.append(words.pick(places.ON_THE_GROUND))
        if orientation:
            clauses.append(orientation)
        alone = None
        if where is not None and self.omitted != "location":
            if words.chance(0.35):
                alone = words.pick(shapes.STARTS_ALONE).format(at=where)
            else:
                clauses.append(words.pick(shapes.STARTING).format(at=where))
        relative = [clause.startswith(("that ", "which ", "whose ")) for clause in clauses]
        if len(clauses) == 2 and not any(relative) and words.chance(0.3):
            clauses.reverse()
        first = self.start is None
        pp = (", " if words.chance(0.5) else " ").join(clauses)
        said = sentence(
            words, verbs=verbs.BUILD_VERBS, np=np, pp=pp, singular=np[0] == "a", first=first, after=any(relative)
        )  # fmt: skip
        if alone is not None:
            said += (Clause(alone),)
        turns = instruction_lines(words, said, scene)
        if self.omitted is not None:
            question, answer = self._exchange(words, where, names_up)
            turns += [("Builder", "clarification question", question), ("Architect", "answer", answer)]
        return turns

    @property
    def _upright(self) -> bool:
        return any(step.up for step in self.steps)

    def _shape(self, words: Words) -> tuple[str, str | None, bool]:
        """What is to be built, which way it goes, and whether its name says that it goes up."""
        directions = [step.directions for step in self.steps]
        plain, upward = shapes.SHAPE_NAMES[self.kind.value, self._upright]
        if self.kind is ShapeKind.PLANE and self.size[0] == self.size[1] and words.chance(0.3):
            squares = shapes.EQUAL_SIDES[self._upright]
            plain, upward = (squares[:1], squares[1:]) if self._upright else (squares, ())
        unstated = self.omitted == "orientation"
        names_up = bool(upward) and (unstated or words.chance(0.75))
        name = words.pick(upward if names_up else plain)
        orientation: str | None = None
        template = self._template(words, name)
        if not unstated and not (self._column and names_up and words.chance(0.5)):
            shown = directions[0] if len(directions) == 1 else (*directions[1], *directions[0])
            if (
                names_up
                and not self._column
                and (self.kind is ShapeKind.PLANE or words.chance(0.3))
                and words.chance(0.6)
            ):
                shown = tuple(direction for direction in shown if direction is not Direction.TOP)
            orientation = words.pick(shapes.EXTENDING).format(to=going_to(words, shown))
        return self._named(words, template, name), orientation, names_up

    def _template(self, words: Words, name: str) -> str:
        if self.omitted == "size":
            return words.pick(shapes.UNSIZED)
        if self.kind is ShapeKind.PLANE:
            if self.size[0] == self.size[1]:
                return words.pick(shapes.SQUARES)
            return words.pick(shapes.UPRIGHT if self._upright else shapes.FLAT)
        if self.kind is ShapeKind.DIAGONAL and words.chance(0.2):
            return words.pick(shapes.STAIRS if "stair" in name else shapes.STEPPED)
        return words.pick(shapes.LINES_OF_BLOCKS)

    def _named(self, words: Words, template: str, name: str) -> str:
        color = "" if self.omitted == "color" else self.color.value
        floating = words.pick(blocks.FLOATING) if self.floating and words.chance(0.6) else ""
        in_words = words.chance(0.6) and "x{" not in template
        along, up = self._two_sizes()
        text = template.format(
            d="a", f=floating, c=color, s=name, n=number_word(along) if in_words else along,
            m=number_word(up) if in_words else up, l=words.pick(shapes.TALL if self._column else shapes.LONG),
        )  # fmt: skip
        text = text.removesuffix(" in ").removesuffix(" in") if not color else text
        return article(" ".join(text.split()).replace(" ,", ","))

    @property
    def _column(self) -> bool:
        return self.kind is ShapeKind.ROW and self._upright

    def _two_sizes(self) -> tuple[int, int]:
        """Length along the ground and height; of flat planes width and depth; for lines twice the length."""
        if len(self.size) == 1:
            return self.size[0], self.size[0]
        if self.steps[0].up or (not self._upright and self.steps[0].away):
            return self.size[1], self.size[0]
        return self.size

    def _start(self, words: Words, scene: Scene) -> str:
        reference = words.pick(references.LAST_OF_SHAPE).format(c=scene.last_color.value)
        if self.start == self.start.step and len(self.start.directions) < 3 and words.chance(0.6):
            return beside(words, self.start, reference, plain=True)
        return steps_away(words, self.start, reference)

    def _exchange(self, words: Words, where: str | None, names_up: bool) -> tuple[str, str]:
        """What the Builder asks and the Architect answers."""
        if self.omitted == "color":
            return words.pick(exchanges.ASK_COLOR), words.pick(exchanges.ANSWER_COLOR).format(c=self.color.value)
        if self.omitted == "location":
            return words.pick(exchanges.ASK_START), words.pick(exchanges.ANSWER_START).format(at=where)
        if self.omitted == "orientation":
            shown = [direction for step in self.steps for direction in step.directions]
            if names_up and words.chance(0.5):
                shown = [direction for direction in shown if direction is not Direction.TOP]
            return words.pick(exchanges.ASK_DIRECTION), words.pick(exchanges.ANSWER_DIRECTION).format(
                to=going_to(words, shown)
            )
        in_words = words.chance(0.6)
        along, up = (number_word(number) if in_words else number for number in self._two_sizes())
        if self.kind is not ShapeKind.PLANE:
            question, length = (
                (exchanges.ASK_HEIGHT, shapes.TALL) if self._column else (exchanges.ASK_LENGTH, shapes.LONG)
            )
            return words.pick(question), words.pick(exchanges.ANSWER_LENGTH).format(n=along, l=words.pick(length))
        unequal = exchanges.ANSWER_UPRIGHT if self._upright else exchanges.ANSWER_FLAT
        answer = words.pick(exchanges.ANSWER_SQUARE if along == up else unequal)
        if "x{" in answer:  # "4x4", never "fourxfour"
            along, up = self._two_sizes()
        return words.pick(exchanges.ASK_SIZE), answer.format(n=along, m=up)
