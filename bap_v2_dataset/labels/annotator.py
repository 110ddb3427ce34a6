"""Labeling test items by hand, one after the other: `bap-v2 annotate` (BAP v2, 3.1 and 12).

The first question is asked before the result is shown: it is about what precedes the item. Every answer is on disk
before the next question, and a session resumes where the last one stopped.
"""

import hashlib
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from rich.console import Console
from rich.markdown import Markdown
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from bap_v2_dataset.items.item import Item, items
from bap_v2_dataset.labels.clean_test import clean_test_so_far
from bap_v2_dataset.labels.descriptions import chat_table, net_actions_in_words, reaction, summarized, table_of
from bap_v2_dataset.labels.label import AnnotationError, Key, Label, check_fit, key_of
from bap_v2_dataset.labels.label_file import LabelFile, open_labels, whole_labels
from bap_v2_dataset.pictures import terminal_board
from bap_v2_dataset.pictures.terminal_colors import palette_of
from bap_v2_dataset.sentences import no_such_game
from bap_v2_metric.actions import net_actions
from bap_v2_metric.alignment import largest_overlap
from bap_v2_metric.blocks import Structure
from bap_v2_simulators.game import Game

ONLY = ("unlabeled", "all", "disagreements")
GUIDE = files("bap_v2_dataset") / "data" / "annotation_guide_a.md"
_CONTEXTS = {"u": "unique", "m": "multiple", "x": "unclear"}
_STRUCTURES = {"c": "correct", "i": "incorrect"}
_COMMANDS = {"b": "back", "s": "skip", "h": "whole chat", "?": "guide", "q": "quit"}
_LINES_SHOWN = 12  # of the dialogue before the last action
_CHANGES_SHOWN = 12
_REACTION_SHOWN = 3


def annotate(
    games: Sequence[Game],
    output: Path,
    console: Console,
    ask: Callable[[], str],
    *,
    game_ids: Sequence[str] = (),
    only: str = "unlabeled",
    earlier: Path | None = None,
    other: Path | None = None,
    annotator: str | None = None,
    sample: int | None = None,
) -> None:
    """Ask for labels and write them, until all are there or the annotator stops.

    Args:
        games: all of a split.
        output: the file of labels, .jsonl; what it holds already is kept.
        console: where everything is shown.
        ask: returns the next key, "" for Enter; raises EOFError if there are no more. `terminal_keys.keys` makes it.
        game_ids: only these games.
        only: "unlabeled" items, "all" (one's own labels once more), or the "disagreements" of `earlier` and `other`:
            where these two agree, the label is taken over without asking.
        earlier: labels to check: they are offered, and Enter accepts them.
        other: labels that are compared with `earlier`.
        annotator: a name to write with every answer.
        sample: only so many of the items, drawn at random but always the same ones; a smaller sample is part of a
            larger one.
    Raises:
        AnnotationError: for games, files or labels that do not fit.
    """
    # What is asked for must make sense.
    if only not in ONLY:
        raise AnnotationError(f"--only {only}: expected one of {', '.join(ONLY)}")
    if (only == "disagreements") != (other is not None) or (other is not None and earlier is None):
        raise AnnotationError("--only disagreements compares two files: pass them as --from and --other")
    by_game = {game.game_id: game for game in games}
    for game_id in game_ids:
        if game_id not in by_game:
            raise AnnotationError(no_such_game(game_id, by_game, "this split"))
    # The items to ask about, and what other files say of them.
    every_item = [item for game in games for item in items(game)]
    chosen = [item for item in every_item if not game_ids or item.game_id in game_ids]
    if not chosen:
        raise AnnotationError("these games have no items")
    if sample is not None:
        if not 1 <= sample <= len(chosen):
            raise AnnotationError(f"--sample {sample}: expected 1 to {len(chosen)}, the number of items")
        chosen = _sampled(chosen, sample)
    offered = [_labels_by_key(path, every_item, console) for path in (earlier, other) if path is not None]
    # The session; its progress is printed however it ends.
    with open_labels(output, every_item, annotator) as file:
        if file.cut_off:
            console.print(f"The last line of {output} was cut off and is asked again.", style="yellow", highlight=False)
        if only == "disagreements":
            _take_over_agreed(file, chosen, offered, console)
        session = _Session(file, chosen, by_game, offered, only == "all", console, ask)
        try:
            session.run()
        finally:
            _print_progress(file, every_item, chosen, output, console)


def _sampled(chosen: Sequence[Item], size: int) -> list[Item]:
    """Return the items whose names have the smallest digests, in order: those of any machine and version."""
    drawn = sorted(chosen, key=lambda item: hashlib.sha256(item.item_id.encode()).digest())[:size]
    names = {item.item_id for item in drawn}
    return [item for item in chosen if item.item_id in names]


class _Quit(Exception):
    """The annotator wants to stop."""


@dataclass
class _Session:
    """A session: it asks about the items in order, back and forth."""

    file: LabelFile
    items: Sequence[Item]
    games: Mapping[str, Game]
    offered: Sequence[Mapping[Key, Label]]
    again: bool  # also items that have a label
    console: Console
    ask: Callable[[], str]

    def __post_init__(self) -> None:
        self._size = Counter(item.game_id for item in self.items)
        self._colors = palette_of(self.console)

    def run(self) -> None:
        """Ask until the last item is passed, at the end of input, or on demand."""
        position, passed = self._next(-1), []
        try:
            while position < len(self.items):
                if not self._ask_about(self.items[position]):
                    passed.append(position)
                    position = self._next(position)
                elif passed:
                    position = passed.pop()
                elif position:
                    position -= 1
                else:
                    self._notify("this is the first item")
        except (_Quit, EOFError):
            self.console.print()

    def _next(self, position: int) -> int:
        """Return the position of the next item to ask about."""
        position += 1
        while not self.again and position < len(self.items) and self.file.is_labeled(key_of(self.items[position])):
            position += 1
        return position

    def _ask_about(self, item: Item) -> bool:
        """Ask about an item; return whether the annotator wants the one before."""
        # The first question may have been answered in an earlier session.
        key = key_of(item)
        self._show_context(item)
        answer = ""
        if (label := self.file.get(key)) is not None and not label.is_whole:
            self.console.print(Text(f"The first question was answered: {label.context}."))
            answer = label.context
        # "back" at the second question leads to the first one.
        while True:
            if not answer:
                answer = self._context(item)
                if answer in ("back", "skip"):
                    return answer == "back"
                if (label := self.file.get(key)) is None or label.context != answer:
                    self.file.put(key, answer, None)
            # An unclear item has no second question.
            if answer == "unclear":
                return False
            self._show_result(item)
            structure = self._structure(item, answer)
            if structure == "skip":
                return False
            if structure != "back":
                self.file.put(key, answer, structure)
                return False
            answer = ""

    def _context(self, item: Item) -> str:
        answers = dict(_CONTEXTS)
        if len(item.before):
            del answers["m"]
        question = "1. From what precedes: is it clear what to build next, and where?"
        return self._answer(item, question, answers, "context")

    def _structure(self, item: Item, context: str) -> str:
        question = "2. Is the board now exactly what was asked for?"
        if context == "multiple":
            question += " (Where, and which way round, is open.)"
        return self._answer(item, question, _STRUCTURES, "structure")

    def _answer(self, item: Item, question: str, answers: Mapping[str, str], field: str) -> str:
        """Return one of the answers, or "back" or "skip"."""
        default = self._default(item, field, answers)
        commands = _COMMANDS | ({"v": "view from the side"} if self._colors else {})
        commands |= {"t": "target"} if field == "structure" else {}
        self._print_question(item, question, answers, commands, field, default)
        while True:
            # A key, shown as it was understood.
            self.console.print("> ", end="")
            typed = self.ask()
            self.console.print(Text(typed if typed.isprintable() else repr(typed)))
            pressed = typed.lower()
            # An answer, or what leads away from the question.
            if not pressed and default:
                return default
            if pressed in answers or pressed in answers.values():
                return answers.get(pressed, pressed)
            command = commands.get(pressed, pressed)
            if command == "quit":
                raise _Quit
            if command in ("back", "skip"):
                return command
            # What is shown, before the same question waits again.
            if command == "guide":
                self.console.print(Markdown(_guide()))
            elif command == "whole chat":
                self.console.print(chat_table(item.history), chat_table(item.dialogue))
            elif command == "view from the side":
                after = item.after if field == "structure" else item.before
                self.console.print(terminal_board.from_the_side(item.before, after, item.pose, self._colors))
            elif command == "target":
                self._show_target(item)
            else:
                self._notify(_not_an_answer(typed, answers))

    def _print_question(
        self, item: Item, question: str, answers: Mapping[str, str], commands: Mapping[str, str], field: str,
        default: str | None,
    ) -> None:  # fmt: skip
        # The question, its answers, and the other keys.
        line = Text("\n").append(f"{question}\n", "bold")
        for key, word in answers.items():
            line.append(f" {key} ", "bold reverse").append(f" {word}   ")
        line.append(f" Enter: {default}" if default else "", "bold")
        line.append("\n" + "".join(f" {key}  {word}  " for key, word in commands.items()), "dim")
        # What two files say of the item, where they are compared.
        for number, labels in enumerate(self.offered if len(self.offered) > 1 else ()):
            if (label := labels.get(key_of(item))) is not None:
                source = ("--from", "--other")[number]
                answer = getattr(label, field) or "nothing, because it is unclear"
                line.append(f"\n   {source} says: {answer}", "yellow")
        self.console.print(line)

    def _default(self, item: Item, field: str, answers: Mapping[str, str]) -> str | None:
        """Return what Enter stands for: one's own earlier answer, else that of the labels that are checked."""
        labels = [self.file.get(key_of(item)), *(labels.get(key_of(item)) for labels in self.offered[:1])]
        if len(self.offered) > 1:
            labels.pop()  # they disagree
        return next(
            (answer for label in labels if label and (answer := getattr(label, field)) in answers.values()), None
        )

    def _notify(self, sentence: str) -> None:
        self.console.print(Text(sentence, "yellow"))

    # --- What is shown.
    def _show_context(self, item: Item) -> None:
        # Where we are.
        labeled = sum(self.file.is_labeled(key_of(each)) for each in self.items)
        place = f"{item.index + 1} of {self._size[item.game_id]} in this game"
        title = f"{item.item_id} · {place} · {labeled:,} of {len(self.items):,} labeled"
        self.console.print()
        self.console.print(Rule(Text(title, "bold"), style="bold", characters="━"))
        # What was said and done before, and since the last action.
        entries, rest = summarized(item.history), 0
        if len(entries) > _LINES_SHOWN:
            rest = len(entries) - _LINES_SHOWN
            self.console.print(Text(f"… {rest:,} more before: h shows all", "dim"))
        self.console.print(table_of(entries[rest:], "dim"))
        self.console.print(
            chat_table(item.dialogue) if item.dialogue else Text("(nothing was said since)", "dim italic")
        )
        # The board, and from where the Builder sees it.
        blocks = f"{len(item.before)} blocks" if len(item.before) else "empty"
        self.console.print(Text(f"\nThe board before: {blocks}", "bold"))
        self.console.print(Text(terminal_board.builder_in_words(item.pose), "dim"))
        self._board(item.before, item.before, item)
        self.console.print(Text(terminal_board.LEGEND, "dim"))

    def _show_result(self, item: Item) -> None:
        # The board with what has changed, and the changes in columns.
        changes = net_actions(item.before, item.after)
        text = Text("\nThe board after: ", "bold").append(net_actions_in_words(changes), "bold")
        self.console.print(text)
        self._board(item.before, item.after, item)
        lines = terminal_board.change_in_words(changes, item.pose.yaw)
        if len(lines) > _CHANGES_SHOWN:
            lines[_CHANGES_SHOWN - 1 :] = [f"… and {len(lines) - _CHANGES_SHOWN + 1} more"]
        if lines:
            columns = Table.grid(padding=(0, 3, 0, 0))
            n_columns = max(1, min(3, self.console.width // (max(map(len, lines)) + 3)))
            for start in range(0, len(lines), n_columns):
                columns.add_row(*lines[start : start + n_columns])
            self.console.print(columns, highlight=False)
        # What tells whether it was right: the way to the target, and what was said.
        was, now = (distance_to_target(structure, item.target) for structure in (item.before, item.after))
        self.console.print(Text(f"Net actions that are missing to the target: {was} before, {now} after."))
        reactions = list(reaction(self.games[item.game_id], item))
        if reactions:
            self.console.print(Text("Said right after:"), chat_table(reactions[:_REACTION_SHOWN]), sep="\n")
        else:
            self.console.print(Text("Nothing was said after."))

    def _show_target(self, item: Item) -> None:
        self.console.print(Text("The target, wherever and whichever way round it may stand:", "bold"))
        self._board(item.target, item.target, item)

    def _board(self, before: Structure, after: Structure, item: Item) -> None:
        self.console.print(terminal_board.board(before, after, item.pose, self.console.width, self._colors))


def distance_to_target(structure: Structure, target: Structure) -> int:
    """Count the net actions that are missing, the target rotated and moved to where the fewest are (2.5 and 4.1)."""
    return len(structure) + len(target) - 2 * largest_overlap(target, structure)


def _print_progress(
    file: LabelFile, every_item: Sequence[Item], chosen: Sequence[Item], output: Path, console: Console
) -> None:
    missing = sum(not file.is_labeled(key_of(item)) for item in chosen)
    labeled = len(chosen) - missing
    begun = sum(file.get(key_of(item)) is not None for item in chosen) - labeled
    text = f"{labeled:,} of {len(chosen):,} items are labeled in {output}"
    text += f", {begun:,} more incompletely" if begun else ""
    text += "; rerun the same command to resume." if missing else "."
    n_games, clean = clean_test_so_far(every_item, file.labels())
    if n_games:
        games = "the game that is complete" if n_games == 1 else f"the {n_games:,} games that are complete"
        text += (
            f" The clean test set of {games}: {len(clean.items):,} items, {clean.multiple:,} of them with multiple "
            f"interpretations and {clean.fixed:,} fixed; removed are {clean.unclear:,} unclear and "
            f"{clean.unfixable:,} incorrect ones."
        )
    console.print(Text(text), soft_wrap=not console.is_terminal)


def _take_over_agreed(
    file: LabelFile, chosen: Sequence[Item], offered: Sequence[Mapping[Key, Label]], console: Console
) -> None:
    """Take over the labels that two files agree on, where the file has none yet."""
    agreed = []
    for item in chosen:
        first, second = (labels.get(key_of(item)) for labels in offered)
        agree = first and second and (first.context, first.structure) == (second.context, second.structure)
        if agree and not file.get(key_of(item)):
            agreed.append(first)
    if agreed:
        file.take_over(agreed)
        console.print(
            f"Taken over because both files agree: {len(agreed):,} of {len(chosen):,} items.", highlight=False
        )


def _labels_by_key(path: Path, every_item: Sequence[Item], console: Console) -> dict[Key, Label]:
    labels = whole_labels(path, lambda sentence: console.print(Text(sentence, "yellow")))
    try:
        check_fit(every_item, labels, complete=False)
    except AnnotationError as error:
        raise AnnotationError(f"{path}: {error}") from None
    return {label.key: label for label in labels}


def _not_an_answer(typed: str, answers: Mapping[str, str]) -> str:
    if typed.lower() in ("m", "multiple") and "u" in answers:
        return "multiple is for an empty board: where there are blocks, what is clear is clear in one way"
    listed = " or ".join(f"{key} ({word})" for key, word in answers.items())
    return f"{repr(typed) if typed else 'Enter'} is not an answer here: press {listed}; ? shows the guide, q stops"


def _guide() -> str:
    """Return the two questions of the first guide."""
    return "".join(re.split(r"^(?=## )", GUIDE.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:3])
