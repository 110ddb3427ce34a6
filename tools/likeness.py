"""How like people's turns the simulated ones are, as one table: `make likeness`, or for one corpus, with settings,

    BAP_V2_MDC=PATH python tools/likeness.py --config dh --set talk.clarification=0.1
    BAP_V2_MDC=PATH python tools/likeness.py --config dh --details --features

People are all items of the human *train* split; of each simulator as many items of its train split are played;
`written` are items of that config, `written-3` those of its third batch. AUC: how well a classifier tells both apart
(comparison/telling_apart.py), beside it people against people. Groups A to I, with `--details` what they are made of:
rules over words and actions (comparison/phenomena.py, phenomena.yaml). `!`: not within a third of people's share.
`--features` prints what gives simulated turns away, by words, characters and actions. A minute for each corpus.
"""

import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import chain, islice
from random import Random
from typing import Annotated

import typer
from comparison.features import given_away
from comparison.figures import Words, figures
from comparison.numbers import played
from comparison.phenomena import GROUPS, PHENOMENA, phenomena
from comparison.telling_apart import TEXTS, among_people, auc_of_actions, auc_of_texts
from comparison.turns import Turn, turns_of_items
from threadpoolctl import threadpool_limits

from bap_v2_dataset.failures import sentences_for_the_user
from bap_v2_dataset.human.game_store import mdc_games
from bap_v2_dataset.items.item import items
from bap_v2_dataset.tasks.building.written import written_shards
from bap_v2_simulators.corpora import SIMULATORS, simulator_of

CORPORA = (*SIMULATORS, "written")
_THIRD = (0.67, 1.33)
_LABEL, _WIDTH = 46, 80

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
Table = dict[str, float | str]  # by label: shares are numbers, all else is text


def simulated_turns(name: str, settings: Mapping[str, str], split: str, number: int) -> list[Turn]:
    """The turns of the first items of a corpus that is played, or of `written` or a batch of it: of games drawn."""
    corpus, _, batch = name.partition("-")
    if corpus == "written":
        rows = chain.from_iterable(shard.rows() for shard in written_shards(split))
        turns = [Turn.of(row, 0) for row in rows if batch in ("", str(row["metadata"]["written"]["batch"]))]
        return sorted(turns, key=lambda turn: Random(turn.game).random())[:number]  # games stay together
    games = played(simulator_of(name, settings), sys.maxsize, split)
    return list(islice((turn for game in games for turn in turns_of_items(items(game))), number))


def telling_apart(people: Sequence[Turn], turns: Sequence[Turn] | None = None) -> Table:
    """The areas under the curve of a corpus against people; of people against people without one."""
    measures = {label: (lambda a, b, texts=texts: auc_of_texts(a, b, texts)) for label, texts in TEXTS.items()}
    measures |= {"actions": auc_of_actions, "actions and the board before": partial(auc_of_actions, board=True)}
    found: Table = {}
    for label, auc in measures.items():
        progress(f"AUC of {label}")
        if turns is None:
            areas = among_people(people, auc)
            found[label] = f"{min(areas):.2f}-{max(areas):.2f}"
        else:
            found[label] = f"{auc(people, turns):.3f}"
    return found


def kinds(turns: Sequence[Turn], details: bool) -> Table:
    """The shares of the groups A to I, with details those of the single phenomena."""
    counts = Counter(name for turn in turns for name in phenomena(turn))
    rows = {f"{letter} {name}": letter for letter, name in GROUPS.items()}
    rows["any of A to I"] = "any"
    if details:
        rows |= {
            f"{group:1} {name}": name
            for name, (group, _) in sorted(PHENOMENA.items(), key=lambda row: row[1][0] or "Z")
        }
    return {label: counts[name] / len(turns) for label, name in rows.items()}


def printed(tables: Mapping[str, Table]) -> Iterator[str]:
    """The lines of a section: people first; beside a single corpus stands its ratio to them."""
    people, *others = tables
    ratios = len(others) == 1
    for label, expected in tables[people].items():
        cells = [_cell(expected)]
        for name in others:
            value = tables[name][label]
            is_share = isinstance(value, float) and isinstance(expected, float)
            ratio = value / expected if is_share and expected else None
            flag = "!" if ratio is not None and not _THIRD[0] <= ratio <= _THIRD[1] else " "
            cells += [_cell(value) + flag, *([f"x{ratio:.2f}" if ratio is not None else ""] if ratios else [])]
        yield _line(label, cells)


def _cell(value: float | str) -> str:
    return value if isinstance(value, str) else f"{value:.2%}" if value < 0.1 else f"{value:.1%}"


def _line(label: str, cells: Sequence[str]) -> str:
    room = _WIDTH - sum(max(8, len(cell) + 1) for cell in cells)
    return label[: room - 1].ljust(room) + "".join(f" {cell:>{max(7, len(cell))}}" for cell in cells)


def progress(text: str) -> None:
    """Says on the screen what is being done, in one line."""
    if sys.stderr.isatty():
        print(f"\r{text[:78]:78}", end="", file=sys.stderr, flush=True)


@app.command()
def likeness(
    config: Annotated[
        list[str] | None,
        typer.Option(help=f"One of {', '.join(CORPORA)} (repeatable). Default: all; written-3: a batch."),
    ] = None,
    set_: Annotated[
        list[str] | None, typer.Option("--set", help="A setting of the simulator, e.g. removal=0.3.")
    ] = None,
    number: Annotated[int, typer.Option("--items", help="Of each simulator. 0: as many as people's.", min=0)] = 0,
    split: Annotated[str, typer.Option(help="Of the simulators; people are always the train split.")] = "train",
    details: Annotated[bool, typer.Option("--details", help="The single phenomena too.")] = False,
    features: Annotated[
        bool, typer.Option("--features", help="What gives simulated turns away, and people's.")
    ] = False,
    auc: Annotated[bool, typer.Option(help="Whether classifiers are learned: a minute a corpus.")] = True,
) -> None:
    """How like people's turns the simulated ones are."""
    with sentences_for_the_user("likeness.py", "stopped"), threadpool_limits(1):
        settings = dict(text.partition("=")[::2] for text in set_ or [])
        progress("people")
        corpora = {"people": list(turns_of_items(mdc_games().items("train")))}
        people = corpora["people"]
        for name in config or CORPORA:
            progress(name)
            corpora[name] = simulated_turns(name, settings, split, number or len(people))
        words = Words(people)
        sections: dict[str, dict[str, Table]] = {}
        if auc:
            sections["AUC against people (people: Architects in two halves, 3 splits)"] = {
                name: telling_apart(people, None if turns is people else turns) for name, turns in corpora.items()
            }
        sections["Groups of turns: share of the items"] = {
            name: kinds(turns, details) for name, turns in corpora.items()
        }
        sections["Words, actions and places"] = {name: figures(turns, words) for name, turns in corpora.items()}
        progress("")
        titles = [["people"], *([name, "ratio"] if len(corpora) == 2 else [name] for name in list(corpora)[1:])]
        print("\r" + _line("", list(chain.from_iterable(titles))))
        print(_line("items", [f"{len(turns):,}" for turns in corpora.values()] + [""] * (len(corpora) == 2)))
        for title, tables in sections.items():
            print(f"\n{title}", *printed(tables), sep="\n")
        if features:
            for name, turns in list(corpora.items())[1:]:
                print(f"\n{name}", *given_away(people, turns), sep="\n")


if __name__ == "__main__":
    app()
