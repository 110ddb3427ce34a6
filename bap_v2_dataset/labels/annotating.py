"""Labelling test items by hand, one after the other: `bap-v2 annotate` (BAP v2, 3.1 and 12).

The first question is asked before the result is shown: it is about what precedes the item. The file is replaced by a
whole one after every answer, so that a process that is killed loses nothing, and goes on where it was.
"""

import os
import re
import sys
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from importlib.resources import files
from itertools import groupby, takewhile
from pathlib import Path

import orjson
from filelock import FileLock, Timeout
from rich.console import Console, RenderableType
from rich.markdown import Markdown
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from bap_v2_dataset.human.game_store import no_such_game
from bap_v2_dataset.items import Item, items
from bap_v2_dataset.labels.annotations import (
    AnnotationError,
    CleanTest,
    Label,
    as_label,
    check_fit,
    clean_test,
    read_labels,
)
from bap_v2_dataset.pictures import terminal_board as board_picture
from bap_v2_metric.actions import ActionType, NetAction, net_actions
from bap_v2_metric.alignment import largest_overlap
from bap_v2_metric.blocks import Structure
from bap_v2_metric.notation import format_action
from bap_v2_simulators.game import Game, Utterance

ONLY = ("unlabelled", "all", "disagreements")
GUIDES = files("bap_v2_dataset") / "data" / "GUIDES.md"
_CONTEXTS = {"u": "unique", "m": "multiple", "x": "unclear"}
_STRUCTURES = {"c": "correct", "i": "incorrect"}
_COMMANDS = {"b": "back", "s": "skip", "h": "whole chat", "?": "guide", "q": "quit"}
_LINES_SHOWN = 12  # of what was said before the last action
_CHANGES_SHOWN = 12
_REACTION_SHOWN = 3
_TOO_SOON = 0.4  # seconds in which nobody has read what is shown
_ESCAPE_SEQUENCE = re.compile(r"\x1b(?:[\[O][0-?]*[ -/]*[@-~])?")  # as arrow keys send them

Key = tuple[str, int]  # game id and index of an item


class LabelFile:
    """The labels of a file that is being written; made by `open_labels`."""

    def __init__(self, path: Path, found: Sequence[Item], annotator: str | None):
        self._path = path
        self._annotator = annotator
        self._items = {_key(item): item for item in found}
        self._records, self.dropped = _read_records(path)
        check_fit(found, list(map(_label_of, self._records.values())), complete=False)
        if self.dropped:
            self._save({})

    def get(self, key: Key) -> Label | None:
        """The label of an item; it is not whole if only the first question was answered."""
        return _label_of(self._records[key]) if key in self._records else None

    def is_labelled(self, key: Key) -> bool:
        """Whether all that is asked about the item was answered."""
        label = self.get(key)
        return label is not None and label.is_whole

    def put(self, key: Key, context: str, structure: str | None) -> None:
        """Keeps an answer: when this returns, it is on disk."""
        by = {"annotator": self._annotator} if self._annotator else {}
        self._save({key: {**self._record(key, context, structure), **by}})

    def take_over(self, labels: Sequence[Label]) -> None:
        """Keeps labels that were given elsewhere."""
        keys = [(label.game_id, label.item_index) for label in labels]
        self._save({key: self._record(key, label.context, label.structure) for key, label in zip(keys, labels)})

    def labels(self) -> list[Label]:
        """The whole labels, in the order of the items."""
        return [label for key in self._items if (label := self.get(key)) is not None and label.is_whole]

    def _record(self, key: Key, context: str, structure: str | None) -> dict:
        state = self._items[key].metadata.get("state_index")
        known = {} if state is None else {"state_index": state}
        return {"game_id": key[0], "item_index": key[1], **known, "context": context, "structure": structure}

    def _save(self, changed: Mapping[Key, dict]) -> None:
        records = {**self._records, **changed}
        unfinished = _unfinished(self._path)
        with open(unfinished, "wb") as file:
            file.writelines(orjson.dumps(records[key]) + b"\n" for key in self._items if key in records)
            file.flush()
            os.fsync(file.fileno())
        os.replace(unfinished, self._path)
        self._records = records


@contextmanager
def open_labels(path: Path, found: Sequence[Item], annotator: str | None = None) -> Iterator[LabelFile]:
    """The labels of a file, to be read and written by this process only.

    Args:
        path: .jsonl; made with the first answer if it does not exist.
        found: all items that may have labels.
        annotator: a name to write with every answer.
    Raises:
        AnnotationError: a name that cannot be written to, labels that cannot be read or do not fit the items, or
            another process that writes them.
    """
    path = Path(path).resolve()  # a link stays one
    if path.suffix != ".jsonl":
        raise AnnotationError(f"{path}: the name must end in .jsonl")
    if path.is_dir():
        raise AnnotationError(f"{path} is a directory: name a file")
    if not path.parent.is_dir():
        raise AnnotationError(f"there is no directory {path.parent}")
    lock = FileLock(f"{path}.lock", timeout=0)
    try:
        lock.acquire()
    except Timeout:
        raise AnnotationError(
            f"another process is annotating {path}: wait for it, or choose another name; two annotators write two files"
        ) from None
    try:
        try:
            file = LabelFile(path, found, annotator)
        except AnnotationError as error:
            raise AnnotationError(f"{path}: {error}") from None
        yield file
    finally:
        _unfinished(path).unlink(missing_ok=True)
        Path(lock.lock_file).unlink(missing_ok=True)
        lock.release()


def annotate(
    games: Sequence[Game],
    output: Path,
    console: Console,
    ask: Callable[[], str],
    *,
    game_ids: Sequence[str] = (),
    only: str = "unlabelled",
    earlier: Path | None = None,
    other: Path | None = None,
    annotator: str | None = None,
) -> None:
    """Asks for labels and writes them, until all are there or the annotator stops.

    Args:
        games: all of a split.
        output: the file of labels, .jsonl; what it holds already is kept.
        console: where everything is shown.
        ask: returns the next key, "" for Enter; raises EOFError if there are no more. `keys` makes it.
        game_ids: only these games.
        only: "unlabelled" items, "all" (one's own labels once more), or the "disagreements" of `earlier` and `other`:
            where these two agree, the label is taken over without asking.
        earlier: labels to check: they are offered, and Enter accepts them.
        other: labels that are compared with `earlier`.
        annotator: a name to write with every answer.
    Raises:
        AnnotationError: for games, files or labels that do not fit.
    """
    if only not in ONLY:
        raise AnnotationError(f"--only {only}: expected one of {', '.join(ONLY)}")
    if (only == "disagreements") != (other is not None) or (other is not None and earlier is None):
        raise AnnotationError("--only disagreements compares two files: pass them as --from and --other")
    by_game = {game.game_id: game for game in games}
    for game_id in game_ids:
        if game_id not in by_game:
            raise AnnotationError(no_such_game(game_id, by_game, "this split"))
    found = [item for game in games for item in items(game)]
    chosen = [item for item in found if not game_ids or item.game_id in game_ids]
    if not chosen:
        raise AnnotationError("these games have no items")
    offered = [_by_key(path, found, console) for path in (earlier, other) if path is not None]
    with open_labels(output, found, annotator) as file:
        if file.dropped:
            console.print(f"The last line of {output} was cut off and is asked again.", style="yellow", highlight=False)
        if only == "disagreements":
            _take_over_agreed(file, chosen, offered, console)
        walk = _Walk(file, chosen, by_game, offered, only == "all", console, ask)
        try:
            walk.run()
        finally:  # also after Ctrl-C
            _say_how_far(file, found, chosen, output, console)


@contextmanager
def keys(console: Console) -> Iterator[Callable[[], str]]:
    """What returns the next key of the terminal, or the next line of other input; "" for Enter. It raises EOFError.

    In a terminal, a key that comes before a person can have read the question is not taken: of "u" and Enter, the Enter
    would accept the next one unseen.
    """
    if not sys.stdin.isatty():
        yield _line
        return
    import termios
    import tty

    fd = sys.stdin.fileno()
    modes = termios.tcgetattr(fd)
    tty.setcbreak(fd)
    try:
        yield partial(_key_of_terminal, fd, console)
    finally:
        termios.tcsetattr(fd, termios.TCSAFLUSH, modes)  # what was typed after the last key is not for the shell


def _line() -> str:
    line = sys.stdin.readline()
    if not line:
        raise EOFError
    return line.strip()


def _key_of_terminal(fd: int, console: Console) -> str:
    import termios
    import tty
    from select import select

    tty.setcbreak(fd, termios.TCSANOW)  # keeps what was typed; again, for a shell resets it after Ctrl-Z
    early, end = b"", time.monotonic() + _TOO_SOON
    while select([fd], [], [], max(0.0, end - time.monotonic()))[0]:
        early += _read(fd, 1024)
    typed = "".join(filter(str.isprintable, _ESCAPE_SEQUENCE.sub("", early.decode(errors="replace")))).strip()
    if typed:  # of Enter nothing is said: some press it after every letter
        console.print(Text(f"{typed[:20]!r} came before this could be read and is not taken: press it again", "yellow"))
        console.print("> ", end="")
    key = _read(fd, 1)
    if key == b"\x04":  # Ctrl-D
        raise EOFError
    if (key == b"\x1b" or key >= b"\x80") and select([fd], [], [], 0.05)[0]:
        key += _read(fd, 32)  # the rest of a sequence or of a letter
    return "" if key in (b"\r", b"\n") else key.decode(errors="replace")


def _read(fd: int, size: int) -> bytes:
    if not (found := os.read(fd, size)):
        raise EOFError
    return found


class _Quit(Exception):
    """The annotator wants to stop."""


class _Walk:
    """One sitting: the items in order, forth and back."""

    def __init__(
        self,
        file: LabelFile,
        chosen: Sequence[Item],
        games: Mapping[str, Game],
        offered: Sequence[Mapping[Key, Label]],
        again: bool,
        console: Console,
        ask: Callable[[], str],
    ):
        self._file = file
        self._items = chosen
        self._games = games
        self._offered = offered
        self._again = again  # also items that have a label
        self._console = console
        self._ask = ask
        self._size = Counter(item.game_id for item in chosen)
        self._colors = console.color_system is not None and not console.no_color

    def run(self) -> None:
        """Returns when the last item is passed, at the end of input, or on demand."""
        position, passed = self._next(-1), []
        try:
            while position < len(self._items):
                if not self._asked(self._items[position]):
                    passed.append(position)
                    position = self._next(position)
                elif passed:
                    position = passed.pop()
                elif position:
                    position -= 1
                else:
                    self._say("this is the first item")
        except (_Quit, EOFError):
            self._console.print()

    def _next(self, position: int) -> int:
        """The next item to ask about."""
        position += 1
        while not self._again and position < len(self._items) and self._file.is_labelled(_key(self._items[position])):
            position += 1
        return position

    def _asked(self, item: Item) -> bool:
        """Asks about an item; returns whether the one before is wanted."""
        key = _key(item)
        self._show_context(item)
        answer = ""
        if (label := self._file.get(key)) is not None and not label.is_whole:
            self._console.print(Text(f"The first question was answered: {label.context}."))
            answer = label.context
        while True:
            if not answer:
                answer = self._context(item)
                if answer in ("back", "skip"):
                    return answer == "back"
                if (label := self._file.get(key)) is None or label.context != answer:
                    self._file.put(key, answer, None)
            if answer == "unclear":
                return False
            self._show_result(item)
            structure = self._structure(item, answer)
            if structure == "skip":
                return False
            if structure != "back":
                self._file.put(key, answer, structure)
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
        """One of the answers, or "back" or "skip"."""
        default = self._default(item, field, answers)
        commands = dict(_COMMANDS)
        if self._colors:
            commands["v"] = "view from the side"
        if field == "structure":
            commands["t"] = "target"
        line = Text("\n").append(f"{question}\n", "bold")
        for key, word in answers.items():
            line.append(f" {key} ", "bold reverse").append(f" {word}   ")
        line.append(f" Enter: {default}" if default else "", "bold")
        line.append("\n" + "".join(f" {key}  {word}  " for key, word in commands.items()), "dim")
        for number, labels in enumerate(self._offered if len(self._offered) > 1 else ()):
            if (label := labels.get(_key(item))) is not None:
                source = ("--from", "--other")[number]
                line.append(f"\n   {source} says: {getattr(label, field) or 'nothing, for it is unclear'}", "yellow")
        self._console.print(line)
        while True:
            self._console.print("> ", end="")
            typed = self._ask()
            self._console.print(Text(typed if typed.isprintable() else repr(typed)))
            pressed = typed.lower()
            if not pressed and default:
                return default
            if pressed in answers or pressed in answers.values():
                return answers.get(pressed, pressed)
            command = commands.get(pressed, pressed)
            if command == "quit":
                raise _Quit
            if command in ("back", "skip"):
                return command
            if command == "guide":
                self._console.print(Markdown(_guide()))
            elif command == "whole chat":
                self._console.print(_chat(item.history), _chat(item.dialogue))
            elif command == "view from the side":
                after = item.after if field == "structure" else item.before
                self._console.print(board_picture.from_the_side(item.before, after, item.pose))
            elif command == "target":
                self._show_target(item)
            else:
                self._say(_no_answer(typed, answers))

    def _default(self, item: Item, field: str, answers: Mapping[str, str]) -> str | None:
        """What Enter stands for: one's own earlier answer, else that of the labels that are checked."""
        labels = [self._file.get(_key(item)), *(found.get(_key(item)) for found in self._offered[:1])]
        if len(self._offered) > 1:
            labels.pop()  # they disagree
        return next(
            (answer for label in labels if label and (answer := getattr(label, field)) in answers.values()), None
        )

    def _say(self, sentence: str) -> None:
        self._console.print(Text(sentence, "yellow"))

    # --- What is shown.
    def _show_context(self, item: Item) -> None:
        labelled = sum(self._file.is_labelled(_key(one)) for one in self._items)
        place = f"{item.index + 1} of {self._size[item.game_id]} in this game"
        title = f"{item.item_id} · {place} · {labelled:,} of {len(self._items):,} labelled"
        self._console.print()
        self._console.print(Rule(Text(title, "bold"), style="bold", characters="━"))
        told, rest = _summarised(item.history), 0
        if len(told) > _LINES_SHOWN:
            rest = len(told) - _LINES_SHOWN
            self._console.print(Text(f"… {rest:,} more before: h shows all", "dim"))
        self._console.print(_table(told[rest:], "dim"))
        self._console.print(_chat(item.dialogue) if item.dialogue else Text("(nothing was said since)", "dim italic"))
        blocks = f"{len(item.before)} blocks" if len(item.before) else "empty"
        self._console.print(Text(f"\nThe board before: {blocks}", "bold"))
        self._console.print(Text(board_picture.builder_in_words(item.pose), "dim"))
        self._board(item.before, item.before, item)
        self._console.print(Text(board_picture.LEGEND, "dim"))

    def _show_result(self, item: Item) -> None:
        changed = net_actions(item.before, item.after)
        text = Text("\nThe board after: ", "bold").append(_counted(changed), "bold")
        self._console.print(text)
        self._board(item.before, item.after, item)
        lines = board_picture.change_in_words(changed, item.pose.yaw)
        if len(lines) > _CHANGES_SHOWN:
            lines[_CHANGES_SHOWN - 1 :] = [f"… and {len(lines) - _CHANGES_SHOWN + 1} more"]
        if lines:
            columns = Table.grid(padding=(0, 3, 0, 0))
            n_columns = 3 if self._console.width >= 120 else 2
            for start in range(0, len(lines), n_columns):
                columns.add_row(*lines[start : start + n_columns])
            self._console.print(columns, highlight=False)
        was, now = (distance_to_target(structure, item.target) for structure in (item.before, item.after))
        self._console.print(Text(f"Net actions that are missing to the target: {was} before, {now} after."))
        reaction = list(_reaction(self._games[item.game_id], item))
        if reaction:
            self._console.print(Text("Said right after:"), _chat(reaction[:_REACTION_SHOWN]), sep="\n")
        else:
            self._console.print(Text("Nothing was said after."))

    def _show_target(self, item: Item) -> None:
        self._console.print(Text("The target, wherever and whichever way round it may stand:", "bold"))
        self._board(item.target, item.target, item)

    def _board(self, before: Structure, after: Structure, item: Item) -> None:
        self._console.print(board_picture.board(before, after, item.pose, self._console.width, self._colors))


def distance_to_target(structure: Structure, target: Structure) -> int:
    """How many net actions are missing, the target turned and moved to where the fewest are (BAP v2, 2.5 and 4.1)."""
    return len(structure) + len(target) - 2 * largest_overlap(target, structure)


def clean_test_so_far(found: Sequence[Item], labels: Sequence[Label]) -> tuple[int, CleanTest]:
    """How many games have all labels, and what the clean test set of these is (3.1, 3.2)."""
    labelled = {(label.game_id, label.item_index) for label in labels}
    games = {item.game_id for item in found} - {item.game_id for item in found if _key(item) not in labelled}
    complete = [label for label in labels if label.game_id in games]
    return len(games), clean_test((item for item in found if item.game_id in games), complete)


def _say_how_far(
    file: LabelFile, found: Sequence[Item], chosen: Sequence[Item], output: Path, console: Console
) -> None:
    missing = sum(not file.is_labelled(_key(item)) for item in chosen)
    labelled = len(chosen) - missing
    text = f"{labelled:,} of {len(chosen):,} items are labelled in {output}"
    text += "; the same command goes on with the others." if missing else "."
    n_games, clean = clean_test_so_far(found, file.labels())
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
    """Takes over the labels that two files agree on, where the file has none yet."""
    agreed = []
    for item in chosen:
        one, two = (labels.get(_key(item)) for labels in offered)
        if one and two and (one.context, one.structure) == (two.context, two.structure) and not file.get(_key(item)):
            agreed.append(one)
    if agreed:
        file.take_over(agreed)
        console.print(f"Taken over, for both files agree: {len(agreed):,} of {len(chosen):,} items.", highlight=False)


def whole_labels(path: Path, console: Console) -> list[Label]:
    """The whole labels of a file that need not be finished; says how many are left out. Raises: AnnotationError."""
    labels = read_labels(path, half_answered=True)
    whole = [label for label in labels if label.is_whole]
    if half := len(labels) - len(whole):
        console.print(Text(f"Left out of {path.name}, for only half labelled: {half:,}.", "yellow"))
    return whole


def _by_key(path: Path, found: Sequence[Item], console: Console) -> dict[Key, Label]:
    labels = whole_labels(path, console)
    try:
        check_fit(found, labels, complete=False)
    except AnnotationError as error:
        raise AnnotationError(f"{path}: {error}") from None
    return {(label.game_id, label.item_index): label for label in labels}


def _key(item: Item) -> Key:
    return item.game_id, item.index


def _unfinished(path: Path) -> Path:
    return path.with_name(path.name + ".unfinished")


def _label_of(record: object) -> Label:
    label = as_label(record)
    if isinstance(label, str):
        raise AnnotationError(label)
    return label


def _read_records(path: Path) -> tuple[dict[Key, dict], bool]:
    """The records of a file by item, and whether its last line was cut off and dropped."""
    lines = path.read_bytes().splitlines(keepends=True) if path.exists() else []
    records: dict[Key, dict] = {}
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            record = orjson.loads(line)
            label = _label_of(record)
        except orjson.JSONDecodeError:
            if number == len(lines) and not line.endswith(b"\n"):
                return records, True
            raise AnnotationError(f"line {number} is not JSON: {line[:60]!r}") from None
        except AnnotationError as error:
            raise AnnotationError(f"line {number}: {error}") from None
        key = (label.game_id, label.item_index)
        if key in records:
            raise AnnotationError(f"line {number}: a second label for item {key[1]} of {key[0]}")
        records[key] = record
    return records, False


# --- Chat and changes as text.
def _table(lines: Sequence[tuple[str, str]], style: str = "") -> Table:
    """Lines of (speaker, text)."""
    table = Table.grid(padding=(0, 1, 0, 0))
    table.add_column(style="dim", width=9, no_wrap=True)
    table.add_column()
    for speaker, text in lines:
        if speaker:
            name = Text(speaker, f"{style} {'cyan' if speaker == 'Architect' else 'magenta'}")
            table.add_row(name, Text(text, style))
        else:
            table.add_row("", Text(text, f"{style} italic"))
    return table


def _chat(lines: Sequence[str]) -> RenderableType:
    return _table(_summarised(lines))


def _summarised(lines: Sequence[str]) -> list[tuple[str, str]]:
    """(speaker, text) of utterances; runs of actions become one line without a speaker."""
    told: list[tuple[str, str]] = []
    for is_utterance, group in groupby(lines, lambda line: line.startswith("<")):
        if is_utterance:
            told += [(one.speaker, one.text) for one in map(Utterance.parse, group)]
        else:
            told.append(("", f"[{_actions_in_words(list(group))}]"))
    return told


def _actions_in_words(actions: Sequence[str]) -> str:
    placed = Counter(action.split()[1] for action in actions if action.startswith("place "))
    removed = len(actions) - sum(placed.values())
    parts = [f"placed {', '.join(f'{number} {color}' for color, number in placed.items())}"] if placed else []
    return "; ".join(parts + [f"removed {removed}"] * (removed > 0))


def _counted(changed: Collection[NetAction]) -> str:
    """How many net actions of each type and colour."""
    if not changed:
        return "nothing has changed"
    parts = []
    for action_type, word in ((ActionType.PLACE, "placed"), (ActionType.REMOVE, "removed")):
        colors = Counter(action.color.value for action in changed if action.type is action_type)
        if colors:
            parts.append(f"{word} {', '.join(f'{number} {color}' for color, number in sorted(colors.items()))}")
    return "; ".join(parts)


def _reaction(game: Game, item: Item) -> Iterator[str]:
    """The utterances right after the item's last action."""
    lines = [
        line
        for event in game.events
        for line in ([str(event)] if isinstance(event, Utterance) else map(format_action, event.actions))
    ]
    passed = len(item.history) + len(item.dialogue) + len(item.actions)
    return takewhile(lambda line: line.startswith("<"), lines[passed:])


def _no_answer(typed: str, answers: Mapping[str, str]) -> str:
    if typed.lower() in ("m", "multiple") and "u" in answers:
        return "multiple is for an empty board: where there are blocks, what is clear is clear in one way"
    listed = " or ".join(f"{key} ({word})" for key, word in answers.items())
    return f"{repr(typed) if typed else 'Enter'} is no answer here: press {listed}; ? shows the guide, q stops"


def _guide() -> str:
    """The first guide, by which the questions are asked."""
    return re.split(r"^(?=## )", GUIDES.read_text(encoding="utf-8"), flags=re.MULTILINE)[1]
