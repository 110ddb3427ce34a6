"""The five steps of a simulated game, shared by all simulators (BAP v2, 5.1).

1. The Architect plans the next blocks.           2. The Builder takes a new pose.
3. The Architect says what to do; sometimes it leaves something out, and the Builder asks.
4. The Builder builds, with temporary supports.   5. Sometimes it confirms.

A game is a function of (simulator, version, split, seed, index). Structure, poses and language have streams of their
own: other words never change what is built, nor from where it is seen.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from random import Random
from typing import Any

from bap_v2_metric.actions import NetAction
from bap_v2_metric.blocks import Cell, Color, Structure
from bap_v2_simulators import view
from bap_v2_simulators.game import MISSION, Event, Game, Step, Utterance
from bap_v2_simulators.language.proposals import proposed
from bap_v2_simulators.language.references import Scene
from bap_v2_simulators.language.words import Words
from bap_v2_simulators.pose import Pose
from bap_v2_simulators.settings import SettingsError, check_seed, settings_of
from bap_v2_simulators.simulator import DialogueSettings, Instruction, Plan, Simulator, Turn
from bap_v2_simulators.viewpoint import Looks, collides, sample_pose

SPLITS = ("train", "validation", "test")
# The version that fixed what is built and where the Builder stands: later ones say it in other words.
STRUCTURE_AND_POSE_STREAMS = "1.0.0"


@dataclass(frozen=True, slots=True)
class PlayedTurn:
    """One turn as it was played."""

    turn: Turn
    scene: Scene  # before the actions
    instruction: Instruction
    dialogue: tuple[Utterance, ...]  # with the confirmation of the turn before; of the first turn, with the mission
    acts: tuple[str, ...]  # the dialogue act of each
    confirmation: Utterance | None
    metadata: Mapping[str, Any] = field(default_factory=dict)


def streams(simulator: Simulator, split: str, seed: int, index: int) -> tuple[Random, Random, Random]:
    """Return the random streams of one game, for structure, poses and language.

    They are named, not numbered: neighboring seeds have nothing in common. Structure and poses keep the streams of the
    version that fixed them; each version of a simulator has a language of its own.

    Raises:
        SettingsError: for an unknown split, or a seed that is none.
    """
    check_seed(seed)
    if split not in SPLITS:
        raise SettingsError(f"unknown split {split!r} (expected one of {', '.join(SPLITS)})")
    fixed, own = STRUCTURE_AND_POSE_STREAMS, simulator.version
    name, game = simulator.name, f"{split} {seed} {index}"
    return (
        Random(f"{name} {fixed} {game} structure"),
        Random(f"{name} {fixed} {game} pose"),
        Random(f"{name} {own} {game} language"),
    )


@lru_cache(maxsize=1_024)  # games are counted first, and played then
def plan_of(simulator: Simulator, split: str, index: int, seed: int = 0) -> Plan:
    """Return the plan of a game alone: its turns are the items of the game."""
    plan = simulator.plan(streams(simulator, split, seed, index)[0], split)
    if not _joins_turns(simulator):
        return plan
    own = Random(f"{simulator.name} {simulator.version} {split} {seed} {index} two steps")
    return replace(plan, turns=in_two_steps(plan.turns, own, simulator.talk.repairs / 3))


def turns_of_game(simulator: Simulator, split: str, index: int, seed: int = 0) -> int:
    """Return how many items a game has, one for each turn that is not left out: without its plan where possible."""
    if _joins_turns(simulator):
        return len(plan_of(simulator, split, index, seed).items)
    return simulator.number_of_turns(streams(simulator, split, seed, index)[0], split)


def _joins_turns(simulator: Simulator) -> bool:
    """Return whether two turns of its plans are made one now and then; not if it plans turns of two steps itself."""
    return simulator.talk.repairs > 0.0 and not hasattr(simulator, "two_steps")


def in_two_steps(turns: Sequence[Turn], rng: Random, rate: float) -> tuple[Turn, ...]:
    """The same turns, but at this rate two in a row are one: the second starts from the block that the first places.

    Both place; the first places one block or a line, so that it is plain which of its blocks is the last.
    """
    joined: list[Turn] = []
    left = list(reversed(turns))
    while left:
        turn = left.pop()
        following = left[-1] if left else None
        if following is not None and _can_follow(turn, following) and rng.random() < rate:
            left.pop()
            turn = replace(turn, then=replace(following, references=(turn.cells[-1],)))
        joined.append(turn)
    return tuple(joined)


def _can_follow(turn: Turn, following: Turn) -> bool:
    if turn.removes or following.removes or turn.cells[-1] not in following.references:
        return False
    return len(turn.cells) == 1 if turn.build_order is None else turn.build_order == "line"


def play(simulator: Simulator, split: str, index: int, seed: int = 0, *, turns: int | None = None) -> Game:
    """Return one game.

    Args:
        simulator: e.g. RandomBlocks(). Settings other than the usual ones are recorded in the metadata.
        split: train, validation or test; a target belongs to one split only, whatever the seed.
        index: of the game, from 0 on.
        seed: any integer; part of the game's id if it is not 0.
        turns: only the first so many turns, not counting those left out of the items; the metadata of a game that is
            cut says so.
    Raises:
        SettingsError: for an unknown split or a number of turns below 1; or if the settings leave the split no target.
    """
    if turns is not None and turns < 1:
        raise SettingsError(f"turns={turns}: expected at least 1")
    # Play the turns of the plan; metadata stand with the first action of each.
    _, poses, language = streams(simulator, split, seed, index)
    plan = plan_of(simulator, split, index, seed)
    events: list[Event] = []
    left = turns
    for played in played_turns(simulator, plan, poses, language):
        events += played.dialogue
        for position, action in enumerate(played.turn.built):
            events.append(Step(played.scene.pose, (action,), played.metadata if position == 0 else _NOTHING))
        if left is not None and played.turn.instead is None:
            left -= 1
            if not left:
                break
    if played.confirmation is not None:  # of the last turn: the others are heard in the dialogue after theirs
        events.append(played.confirmation)
    # Where the game comes from; settings only if they are not the usual ones.
    metadata = {
        "source": "simulated",
        "simulator": simulator.name,
        "simulator_version": simulator.version,
        "seed": seed,
        "game_index": index,
    }
    if turns is not None and turns < len(plan.items):
        metadata["cut"] = True  # `target` is never built
    if own := _own_settings(simulator):
        metadata["settings"] = own
    return Game(
        game_id=f"{simulator.name}{f'-seed{seed}' if seed else ''}-{split}-{index}",
        split=split,
        target=Structure.from_colors(dict(plan.target)),
        events=tuple(events),
        metadata=metadata,
    )


def played_turns(simulator: Simulator, plan: Plan, poses: Random, language: Random) -> Iterator[PlayedTurn]:
    """Yield the turns of a plan, played one after the other."""
    # Nothing was said or built before.
    words = Words(language, simulator.talk)
    heard = Scene({}, _NOWHERE, _NO_VIEW, None, None, False, 0)
    closing, confirmation = "mission", MISSION  # the Builder's line after the turn before, with its dialogue act
    for turn in plan.turns:
        heard = replace(heard, asked=closing == "verification question")
        # Take a pose, and find the words for what the plan says (steps 2 and 3).
        reference, scene, seen = _take_pose(simulator, turn, heard, poses)
        instruction = simulator.instruction(turn, reference, scene, words)
        spoken = simulator.repaired(instruction, scene, words)
        dialogue = spoken.dialogue(words, scene)
        if simulator.talk.proposals:
            dialogue = proposed(dialogue, words, simulator.talk.proposals)
        plan_metadata = simulator.metadata(turn, reference, instruction)
        if spoken is not instruction:
            plan_metadata["repair"] = spoken.repair
        # Carry it out, with a second step if the turn has one (step 4).
        heard = turn.after(heard)
        if turn.then is not None:
            spoken, further, plan_metadata["then"] = _second_step(simulator, turn, spoken, scene, words)
            dialogue += further
            heard = replace(turn.then.after(heard), last_steps=2)
        if turn.instead is not None:  # the Builder stays where it is, and both know what should stand there
            heard = replace(turn.instead.after(scene), goal=heard.board)
        asked = confirmation is not None and "?" in confirmation.text
        dialogue = simulator.as_typed(words, dialogue, asked=asked)
        # The dialogue, after the Builder's line to the turn before.
        utterances = [Utterance(speaker, text) for speaker, _, text in dialogue]
        acts = [act for _, act, _ in dialogue]
        if confirmation is not None:
            utterances.insert(0, confirmation)
            acts.insert(0, closing)
        closing, confirmation = ("", None) if turn.instead is not None else _closing(words, simulator.talk)
        # What the row tells of the turn.
        named = Cell(*plan_metadata["reference"]) if plan_metadata["reference"] else None  # it may be a landmark
        metadata = {
            "dialogue_acts": acts,
            "plan": plan_metadata,
            "difficulty": {
                "blocks_before": len(scene.board),
                "net_actions": sum(step.replaced + len(step.cells) for step in turn.steps),
                "supports": sum(step.supports for step in turn.steps),
                "reference_distance": view.manhattan(named, turn.cells[0]) if named else 0,
                "distractors": _distractors(named, scene.board),
                "degrees_off_grid": round(view.off_cardinal(scene.pose.yaw)),
            },
        }
        if not seen and named == reference:
            metadata["difficulty"]["reference_hidden"] = True
        if turn.instead is not None:
            metadata["left_out"] = True
        yield PlayedTurn(turn, scene, spoken, tuple(utterances), tuple(acts), confirmation, metadata)


@dataclass(frozen=True, slots=True)
class TwoSteps:
    """Two instructions in one turn, the second from the block that the first places."""

    first: Instruction
    second: Instruction
    turn: Turn  # of the first: where the second starts from
    omitted = None

    def denotes(self, scene: Scene) -> frozenset[NetAction] | None:
        """Return the net actions of both; None if any place on the ground will do. Raises: LanguageError."""
        first = self.first.denotes(scene)
        return None if first is None else first | self.second.denotes(_meanwhile(scene, self.turn))


def _meanwhile(scene: Scene, turn: Turn) -> Scene:
    """The scene in which the second step of a turn is said: the first is as good as built, and nobody has moved."""
    return replace(turn.after(scene), continuing=True, built=scene.built)


def _second_step(
    simulator: Simulator, turn: Turn, first: Instruction, scene: Scene, words: Words
) -> tuple[TwoSteps, list[tuple[str, str, str]], dict[str, Any]]:
    """Return both steps, what the Architect says of the second one, and its plan."""
    complete = replace(simulator, talk=replace(simulator.talk, clarification=0.0))
    later = _meanwhile(scene, turn)
    reference = turn.then.references[0] if turn.then.references else None
    second = complete.instruction(turn.then, reference, later, words)
    dialogue = second.dialogue(words, later)
    return TwoSteps(first, second, turn), dialogue, simulator.metadata(turn.then, reference, second)


def _closing(words: Words, talk: DialogueSettings) -> tuple[str, Utterance | None]:
    """Return what the Builder says when it has built (step 5), often nothing: the dialogue act and the line."""
    kind = words.random()
    if kind < talk.verification:
        return "verification question", Utterance("Builder", words.pick("CHECKS"))
    if kind < talk.verification + talk.confirmation:
        return "confirmation", Utterance("Builder", words.pick("CONFIRMATIONS"))
    return "", None


@lru_cache(maxsize=64)
def _own_settings(simulator: Simulator) -> dict[str, Any]:
    """Return the settings that are not those of the published corpora."""
    usual = settings_of(type(simulator)())
    return {name: value for name, value in settings_of(simulator).items() if value != usual[name]}


def _take_pose(simulator: Simulator, turn: Turn, heard: Scene, rng: Random) -> tuple[Cell | None, Scene, bool]:
    """Puts the Builder somewhere (step 2): the reference, the scene from there, and whether the reference is seen.

    The first reference for which a pose is found is taken. Views from which the instruction names depth are seldom
    taken, and yaws far off the grid only where it stays clear. A block that can be seen from nowhere, deep inside
    others, is looked at through them.
    """
    if heard.goal is not None:  # of the turn before
        return None, heard, True
    # A pose must tell the reference apart, and have the view that the turn asks for.
    scene = heard
    choices = _ranked(turn, simulator.depth, rng)

    def suits(pose: Pose) -> bool:
        nonlocal scene
        scene = heard.seen_from(pose)
        if turn.instead is not None and collides(pose.x, pose.y, pose.z, turn.instead.cells):  # it will not move
            return False
        if turn.faces is not None and scene.view.away != (turn.faces[0], turn.faces[2]):
            return False
        return reference is None or simulator.tells_apart(reference, scene)

    # Try every reference in sight before any is looked at through blocks.
    for through_blocks in (False, True):
        for reference, ways in choices:
            focus = turn.cells[0] if reference is None else reference
            weights = view.depth_weights(ways, simulator.depth) if turn.faces is None else view.facing(turn.faces)
            looks = Looks(weights, view.clear_up_to(ways), simulator.oblique, simulator.ground)
            if sample_pose(rng, focus, heard.board, suits, looks, through_blocks=through_blocks) is not None:
                return reference, scene, not through_blocks
    raise AssertionError(f"no pose for {turn}")


def _ranked(turn: Turn, depth: float, rng: Random) -> Sequence[tuple[Cell | None, list[view.Way]]]:
    """Return the references in the order in which they are tried, each with the ways that it makes the Architect name.

    One that lies diagonally, and needs depth from every side, seldom comes first.
    """
    choices = [(reference, _ways(turn, reference)) for reference in turn.references or (None,)]
    if depth == 1.0 or len(choices) == 1:
        return choices
    weights = [depth ** view.depth_from_every_side(ways) for _, ways in choices]
    tickets = [rng.random() ** (1.0 / weight) if weight else -1.0 for weight in weights]  # Efraimidis and Spirakis
    return [choices[i] for i in sorted(range(len(choices)), key=lambda i: -tickets[i])]


def _ways(turn: Turn, reference: Cell | None) -> list[view.Way]:
    """Return the ways that an instruction has to name: from the reference to the first block, and those of a shape."""
    ways = list(turn.ways)
    if turn.build_order is not None:
        ways += turn.shape.steps  # the shape is asked for as a whole
    if reference is not None:
        (x, y, z), (to_x, to_y, to_z) = reference, turn.cells[0]
        ways.append((to_x - x, to_y - y, to_z - z))
    if turn.then is not None:
        ways += _ways(turn.then, turn.then.references[0] if turn.then.references else None)
    return ways


def _distractors(reference: Cell | None, board: Mapping[Cell, Color]) -> int:
    """Return how many other blocks have the color of the reference block."""
    color = None if reference is None else board.get(reference)
    return 0 if color is None else sum(other is color for other in board.values()) - 1


_NOWHERE = Pose(0.0, 1.0, 0.0, 0.0, 0.0)
_NO_VIEW = view.View.of(0.0)
_NOTHING: Mapping[str, Any] = {}
