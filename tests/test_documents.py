"""The documents are true: their code runs, their links lead somewhere, and their numbers are those of the code."""

import ast
import dataclasses
import importlib.util
import io
import os
import re
import shlex
import subprocess
import sys
import tokenize
from collections.abc import Iterator
from pathlib import Path

import datasets
import pytest
import typer
import yaml
from in_process import use_home
from paths import ROOT
from typer.testing import CliRunner

import bap_v2_dataset  # noqa: F401 (registers the name)
import bap_v2_metric
from bap_v2_dataset.augmentation.lexicon import LEXICON
from bap_v2_dataset.cli import app
from bap_v2_dataset.harnesses import harness_path
from bap_v2_dataset.harnesses.task_table import HARNESS_TASKS
from bap_v2_dataset.human.download import manifest
from bap_v2_dataset.interface.table import TASKS
from bap_v2_dataset.items.item import items
from bap_v2_dataset.labels.label_file import read_labels
from bap_v2_dataset.loading import install
from bap_v2_dataset.loading.sampling import matched_sizes
from bap_v2_dataset.predictions.model_records import COMPACT, packaged_builder
from bap_v2_dataset.tasks.building.corpus_stats import clean_test_counts
from bap_v2_dataset.tasks.building.paper import COLUMNS, PUBLISHED_ITEMS, PUBLISHED_TEST, ROWS
from bap_v2_dataset.tasks.building.task import CONFIGS
from bap_v2_metric.scoring import SCORER
from bap_v2_simulators.corpora import SIMULATORS, simulator_of
from bap_v2_simulators.corpus_table import PUBLISHED, SIZES
from bap_v2_simulators.settings import settings_of
from bap_v2_simulators.simulation import play

DOCS = ROOT / "docs"
CARD = "bap_v2_metric/README.md"
PAGES = sorted(path.relative_to(ROOT).as_posix() for path in DOCS.rglob("*.md"))
TEMPLATES = tuple(
    path.relative_to(ROOT).as_posix()
    for path in (ROOT / "hub_cards" / "model_card.md", *sorted((ROOT / "bap_v2_dataset" / "tasks").glob("*/*card.md")))
)
CARDS = (CARD, *TEMPLATES)
WITH_COMMANDS = (
    "README.md",
    "CONTRIBUTING.md",
    "bap_v2_dataset/data/README.md",
    "benchmarks/README.md",
    *CARDS,
    *PAGES,
)
WITH_LINKS = (
    *("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "training/LOG.md", "bap_v2_dataset/data/GUIDES.md"),
    *("bap_v2_dataset/data/README.md", "bap_v2_metric/FORMS.md", "benchmarks/README.md", CARD, *PAGES),
)
TOP_FOLDERS = {"bap_v2_metric", "simulators", "bap_v2_dataset", "training"}
FENCE = re.compile(r"^( *)```(\w*)[^\n]*\n(.*?)^\1```", re.DOTALL | re.MULTILINE)


def text_of(document: str) -> str:
    return (ROOT / document).read_text(encoding="utf-8")


def code_blocks(document: str) -> list[str]:
    return [code for _, language, code in FENCE.findall(text_of(document)) if language == "python"]


# --- Python


def run(code: str, names: dict) -> int:
    """Runs a block and returns how many values it promised: `expression  # value` has to be true."""
    comments = {
        token.start[0]: token.string.lstrip("# ")
        for token in tokenize.generate_tokens(io.StringIO(code).readline)
        if token.type == tokenize.COMMENT
    }
    promised = 0
    for statement in ast.parse(code).body:
        if isinstance(statement, ast.Expr):
            value = eval(compile(ast.Expression(statement.value), "document", "eval"), names)
            try:
                expected = ast.literal_eval(comments.get(statement.end_lineno, ""))
            except (SyntaxError, ValueError):
                continue
            assert value == expected, ast.unparse(statement)
            promised += 1
        else:
            exec(compile(ast.Module([statement], []), "document", "exec"), names)
    return promised


NEEDS_THE_CORPUS = re.compile(r'load_dataset\("bap_v2", "(mdc|mdc_v2|all)"|mdc_games\(')


LONG = (  # they load and score, or compare, whole corpora
    "README.md",
    "docs/index.md",
    *("docs/data/datasheet.md", "docs/data/labels.md"),
)
WITH_CODE = [
    pytest.param(name, marks=[pytest.mark.slow] if name in LONG else [])
    for name in ("README.md", CARD, *PAGES)
    if code_blocks(name)
]


@pytest.fixture
def published(corpus, published_home, monkeypatch):
    """All configs are set up."""
    use_home(monkeypatch, published_home)


@pytest.mark.parametrize("document", WITH_CODE)
def test_the_code_runs_and_gives_what_it_says(document, request, tmp_path, monkeypatch, capsys):
    """That of the other cards: tests/dataset/publishing/test_dataset_card.py."""
    corpus_at = os.environ.get("BAP_V2_MDC")
    install.install_metric()
    if not any(map(NEEDS_THE_CORPUS.search, code_blocks(document))):
        use_home(monkeypatch, request.getfixturevalue("set_up_home"))
    elif document in LONG and corpus_at:
        request.getfixturevalue("published")
    monkeypatch.chdir(tmp_path)
    names: dict = {"__name__": "document"}
    left_out = 0
    for block in code_blocks(document):
        no_builder = "bap.builder(" in block and packaged_builder(COMPACT) is None
        if no_builder or (NEEDS_THE_CORPUS.search(block) and not corpus_at):
            left_out += 1
            continue
        run(block, names)
    if "scores" in names and document != "docs/robustness.md":
        n_resamples = 1000 if document == "docs/index.md" else 0
        assert names["scores"]["signature"] == bap_v2_metric.scoring.signature(n_resamples)
    if left_out:
        pytest.skip(f"{left_out} blocks need the human corpus (set BAP_V2_MDC) or compact (the others ran)")


@pytest.mark.parametrize("document", ["README.md", *PAGES])
def test_a_page_imports_the_package_before_it_loads(document):
    """Else datasets and evaluate ask the Hub first: half a minute without a network."""
    code = "\n".join(code_blocks(document))
    loads = re.search(r'(load_dataset|evaluate\.load)\(\s*"bap_v2"', code)
    assert loads is None or re.search(r"^(import|from) bap_v2_dataset", code[: loads.start()], re.MULTILINE)


def test_a_promise_that_is_not_kept_is_found():
    assert run("1 + 1  # 2\n2 + 2  # the sum\nx = 3  # 4", {}) == 1
    with pytest.raises(AssertionError, match=r"1 \+ 1"):
        run("1 + 1  # 3", {})


# --- Commands


def commands(document: str) -> Iterator[list[str]]:
    """The words of every command in the blocks without a language or of bash; `... --more` completes the one above."""
    text = re.sub(r"\{%.*?%\}", "", text_of(document)) if document in TEMPLATES else text_of(document)
    text = re.sub(r"\{\{.*?\}\}", "X/x", text)
    for _, language, code in FENCE.findall(text):
        if language not in ("", "bash"):
            continue
        first: list[str] = []
        for line in code.replace("\\\n", " ").splitlines():
            words = shlex.split(line, comments=True)
            if not words or (not language and not first and words[0] not in CHECKS):
                continue
            if words[0] == "...":
                words = first + words[1:]
            else:
                first = words
            while "&&" in words:
                yield words[: words.index("&&")]
                words = words[words.index("&&") + 1 :]
            while re.fullmatch(r"\w+=\S*", words[0]) and words[1:]:
                words = words[1:]
            yield words


def check_bap_v2(words: list[str]) -> None:
    if words in (["--version"], ["--help"]):
        return
    group = typer.main.get_command(app)
    command = group.get_command(typer.Context(group), words[0])
    assert command, f"there is no bap-v2 {words[0]}"
    command.make_context(words[0], list(words[1:]))  # parses all options and arguments, and runs nothing
    if words[0] == "train":
        assert (ROOT / "training" / "configs" / f"{words[words.index('--config') + 1]}.yaml").is_file(), words


def check_make(words: list[str]) -> None:
    targets = set(re.findall(r"^([\w-]+):", text_of("Makefile"), re.MULTILINE))
    assert words and set(words) <= targets


def check_pip(words: list[str]) -> None:
    if "-c" in words:
        assert (ROOT / words[words.index("-c") + 1]).is_file()
    extras = re.search(r"extras_require=\{(.*?)\}", text_of("setup.py"), re.DOTALL)[1]
    for word in words:
        if match := re.fullmatch(r"\.\[(.*)\]", word):
            assert {f'"{extra}"' for extra in match[1].split(",")} <= set(re.findall(r'"\w+"', extras))


def check_python(words: list[str]) -> None:
    assert words[0] == "-m" or (ROOT / words[0]).is_file(), words[0]
    if words[0] == "tools/study.py":
        assert (ROOT / words[1]).is_file(), words[1]


def check_accelerate(words: list[str]) -> None:
    assert words[0] == "launch" and {"training/train_sft.py", "training/train_grpo.py"} & set(words)
    for option in ("--config", "--config_file"):
        if option in words and (named := words[words.index(option) + 1]) != "settings.yaml":  # the card shows it
            assert (ROOT / named).is_file(), named


def check_lm_eval(words: list[str]) -> None:
    tasks = words[words.index("--tasks") + 1].split(",")
    assert words[words.index("--include_path") + 1] == "$(bap-v2 harness lm-eval)"
    assert all((harness_path("lm-eval") / f"{task}.yaml").is_file() for task in tasks), tasks


def check_lighteval(words: list[str]) -> None:
    module = words[words.index("--custom-tasks") + 1]
    assert importlib.util.find_spec(module) and words[0] == "accelerate"
    assert set(words[2].split(",")) <= HARNESS_TASKS.keys(), words[2]


def check_inspect(words: list[str]) -> None:
    file, _, task = words[1].partition("@")
    assert words[0] == "eval" and file == "$(bap-v2 harness inspect)" and task in HARNESS_TASKS, words[1]


def check_trl(words: list[str]) -> None:
    assert words[0] in ("grpo", "sft")
    for name in words[words.index("--reward_funcs") + 1 :] if "--reward_funcs" in words else ():
        if name.startswith("bap_v2"):
            module, _, function = name.rpartition(".")
            assert f"def {function}(" in Path(importlib.util.find_spec(module).origin).read_text(), name


def check_torchrun(words: list[str]) -> None:
    script = next(place for place, word in enumerate(words) if word.endswith(".py"))
    assert words[0] == "--nproc_per_node" and (ROOT / words[script]).is_file(), words
    assert words[script + 1] == "--config" and (ROOT / words[script + 2]).is_file(), words


def check_srun(words: list[str]) -> None:
    inner = shlex.split(words[words.index("-c") + 1])
    CHECKS[inner[0]](inner[1:])


CHECKS = {
    "bap-v2": check_bap_v2, "make": check_make, "pip": check_pip, "python": check_python, "srun": check_srun,
    "accelerate": check_accelerate, "torchrun": check_torchrun, "trl": check_trl,
    "lm_eval": check_lm_eval, "lighteval": check_lighteval, "inspect": check_inspect,
    **dict.fromkeys(
        ("git", "cd", "source", "export", "python3", "python3.11", ".venv/bin/pre-commit"), lambda words: None
    ),
}  # fmt: skip


@pytest.mark.parametrize("document", [name for name in WITH_COMMANDS if "```" in text_of(name)])
def test_every_command_is_one_that_there_is(document):
    for words in commands(document):
        assert words[0] in CHECKS, f"documents may not name the command {words[0]}: {shlex.join(words)}"
        try:
            CHECKS[words[0]](words[1:])
        except Exception as error:
            raise AssertionError(f"{shlex.join(words)}: {error}") from error


@pytest.mark.parametrize("command", ["bap-v2 score a.jsonl --no-such", "bap-v2 scores", "make tea", "pip install .[x]"])
def test_a_command_that_there_is_not_is_found(command):
    words = shlex.split(command)
    with pytest.raises(Exception, match=r"no|assert"):
        CHECKS[words[0]](words[1:])


COMMAND_OF_SCRIPT = {
    ("bap-v2", "train"): "training/train_sft.py",
    ("bap-v2", "predict"): "training/predict.py",
    ("bap-v2", "ensemble"): "training/make_ensemble.py",
}


@pytest.mark.slow
def test_the_options_of_the_training_scripts_are_theirs():
    from transformers import TrainingArguments
    from trl import GRPOConfig

    from bap_v2_training.gru.settings import GruArguments
    from bap_v2_training.learning.grpo_settings import GrpoArguments
    from bap_v2_training.make_ensemble import EnsembleArguments
    from bap_v2_training.predict import PredictArguments
    from bap_v2_training.train_sft import BapArguments, ModelConfig, SFTConfig

    def names(*kinds) -> set[str]:
        fields = [field for kind in kinds for field in dataclasses.fields(kind)]
        aliases = (alias for field in fields for alias in field.metadata.get("aliases") or ())
        return {"config", *(field.name for field in fields), *(alias.lstrip("-") for alias in aliases)}

    options = {
        "training/predict.py": names(PredictArguments),
        "training/train_sft.py": names(BapArguments, SFTConfig, ModelConfig),
        "training/train_grpo.py": names(GrpoArguments, GRPOConfig, ModelConfig),
        "training/train_gru.py": names(GruArguments, TrainingArguments),
        "training/make_ensemble.py": names(EnsembleArguments),
    }
    checked = set()
    for document in WITH_COMMANDS:
        for words in commands(document):
            words = shlex.split(words[-1]) if words[0] == "srun" else words
            if script := COMMAND_OF_SCRIPT.get(tuple(words[:2])):
                words = [script, *words[2:]]
            for script in options.keys() & set(words):
                given = {word[2:].replace("-", "_") for word in words[words.index(script) :] if word.startswith("--")}
                assert given <= options[script], f"{document}: {shlex.join(words)}"
                checked.add(script)
    assert checked == set(options)


@pytest.mark.slow
def test_a_file_of_ones_own_model_is_scored_as_its_page_says(tmp_path, monkeypatch):
    page = "docs/how_to/score_your_own_model.md"
    monkeypatch.chdir(tmp_path)
    run(code_blocks(page)[0], {"__name__": "document"})
    command = ["bap-v2", "score", "mine.jsonl", "--baseline", "stack", "--out", "scores.json"]
    assert command in commands(page)
    result = CliRunner().invoke(app, command[1:])
    assert result.exit_code == 0 and "dss, test: mine" in result.output and (tmp_path / "scores.json").is_file()


@pytest.mark.slow
def test_own_data_are_used_as_their_page_says(tmp_path, monkeypatch):
    page = "docs/how_to/use_your_own_data.md"
    monkeypatch.chdir(tmp_path)
    names: dict = {"__name__": "document"}
    for block in code_blocks(page):
        run(block, names)
    outputs = {}
    for words in commands(page):
        if words[0] == "bap-v2" and words[1] not in ("explore", "train") and not any("runs/" in word for word in words):
            result = CliRunner().invoke(app, words[1:])
            assert result.exit_code == 0, f"{shlex.join(words)}: {result.output}{result.exception}"
            outputs[words[1], words[2]] = result.output
    assert len(outputs) == 6
    assert "items, test: mine, stack" in outputs["score", "mine.jsonl"]
    assert "rows.jsonl: 4 items of 2 games (test 4)" in outputs["convert", "games.jsonl"]
    assert "session-1/1 rows, test" in outputs["show", "session-1/1"]


# --- README


def test_the_readme_is_short_and_shows_a_picture_first():
    text = text_of("README.md")
    assert len(text.split()) < 1000  # as `wc -w README.md` counts
    first_screen = "\n".join(text.splitlines()[:20])
    assert re.search(r"^!\[.+\]\(docs/pictures/", first_screen, re.MULTILINE)
    headings = re.findall(r"^## (.*)$", text, re.MULTILINE)
    assert headings.index("Five minutes") < headings.index("Configs") < headings.index("Results")


# --- Links and the site


def prose(document: str) -> str:
    return re.sub(r"`[^`\n]*`", "", FENCE.sub("", text_of(document)))


def anchors(document: str) -> set[str]:
    """The names of the headings of a page, as the Hub, the site and other readers of Markdown make them."""
    headings = re.findall(r"^#+ (.*)$", FENCE.sub("", text_of(document)), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("document", WITH_LINKS)
def test_every_link_leads_somewhere(document):
    for target in re.findall(r"\]\(([^)\s]+)\)", prose(document)):
        path, _, anchor = target.partition("#")
        if re.match(r"[a-z]+:|\.\./\.\./actions/", target):  # the badge: a page of GitHub, not a file
            continue
        file = ((ROOT / document).parent / path).resolve() if path else ROOT / document
        assert file.exists(), f"{document}: {target}"
        assert not anchor or anchor in anchors(file.relative_to(ROOT).as_posix()), f"{document}: {target}"


def test_the_layout_of_the_code_is_that_of_the_tree():
    text = text_of("CONTRIBUTING.md").partition("## Layout of the code")[2]
    code = [path.relative_to(ROOT).as_posix() for top in TOP_FOLDERS for path in (ROOT / top).rglob("*.py")]
    for name in re.findall(r"[\w/]+\.(?:py|yaml)\b", text):
        assert name.endswith("yaml") or any(f"/{path}".endswith(f"/{name}") for path in code), name
    named = set(re.findall(r"^ *(\w+)/ ", FENCE.search(text)[0], re.MULTILINE))
    folders = {path.parent.name for top in TOP_FOLDERS for path in (ROOT / top).glob("*/__init__.py")}
    folders |= {path.parent.name for path in (ROOT / "bap_v2_dataset/tasks").glob("*/__init__.py")}
    assert named >= folders | TOP_FOLDERS


@pytest.fixture(scope="module")
def site(tmp_path_factory) -> Path:
    """The documentation as it is built, with every warning an error."""
    pytest.importorskip("material", reason="needs the extra docs")
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder)]
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    built = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert built.returncode == 0, built.stdout + built.stderr
    return folder


@pytest.mark.slow
def test_the_site_loads_nothing_from_elsewhere(site):
    pages = list(site.rglob("*.html"))
    assert len(pages) > len(PAGES)
    for page in pages:
        loaded = re.findall(r"<(?:script|link|img|iframe)\b[^>]*\b(?:src|href)=\"?([^\"\s>]+)", page.read_text())
        assert not [address for address in loaded if re.match(r"(https?:)?//", address)], page.name
        assert loaded or page.name in ("item.html", "game.html"), page.name  # these are files of their own


@pytest.mark.slow
def test_the_site_has_every_command_and_the_public_functions(site):
    reference = (site / "reference" / "command_line.html").read_text()
    for command in typer.main.get_command(app).commands:
        assert f'id="bap-v2-{command}"' in reference, command
    names = {"metric": ["scoring.score", "scoring.score_item"], "simulators": ["simulation.play", "pose.Pose"]}
    names["dataset"] = ["api.evaluate_model", "items.prompts.render", "items.item.items", "items.rows.row"]
    for package, functions in names.items():
        page = (site / "reference" / f"{package}.html").read_text()
        for name in functions:
            assert f'id="bap_v2_{package}.{name}"' in page, name


@pytest.mark.slow
def test_the_site_shows_an_item_and_a_game_that_can_be_rotated(site, browser):
    page = browser.new_page()
    page.set_default_timeout(180_000)
    page.goto((site / "pictures.html").as_uri(), wait_until="domcontentloaded")  # not all pictures of the page
    assert page.locator("iframe.interactive").count() == 2
    for number in range(2):
        page.locator("iframe.interactive").nth(number).scroll_into_view_if_needed()
        page.frame_locator("iframe.interactive").nth(number).locator("canvas").first.wait_for()
    page.close()


@pytest.mark.slow
def test_the_site_is_searched_without_a_server(site, browser):
    page = browser.new_page()
    page.goto((site / "index.html").as_uri())
    page.set_default_timeout(60_000)
    field = page.get_by_role("textbox", name="Search").first
    field.click()
    field.press_sequentially("scaffold")
    result = page.locator(".md-search-result__link").first
    result.wait_for()
    assert ".html" in result.get_attribute("href")
    page.close()


# --- Numbers


def test_the_sizes_of_the_splits_are_those_of_the_data():
    sizes = {"mdc_v2": {"train": 14_836, "validation": 1_331, "test": 1_161}, "mdc": PUBLISHED_ITEMS, **SIZES}
    parts = {name: sizes[name] for name in CONFIGS["all"].made_of}
    train, validation = (sum(part[split] for part in parts.values()) for split in ("train", "validation"))
    for document in ("README.md", "docs/data/configs.md"):
        text = text_of(document)
        named = sizes if document != "README.md" else sizes.keys() - {"dh", "written"}  # which the paper does not have
        for name in named:  # of the human configs: tests/dataset/loading/test_published_corpora.py
            assert f"| `{name}` | {' | '.join(f'{items:,}' for items in sizes[name].values())} |" in text
        assert f"| `all` | {train:,} | {validation:,} |" in text
    matched = matched_sizes(*({name: part[split] for name, part in parts.items()} for split in ("train", "validation")))
    assert f"`validation_matched` ({sum(matched.values()):,} items)" in " ".join(text.split())


def test_the_sizes_of_the_download_and_of_the_lexicon_are_true():
    files = manifest()
    size = sum(size for _, size in files.values()) / 10**6
    assert f"({size:.0f} MB in {len(files)} files;" in text_of("docs/index.md")
    assert f"({size:.0f} MB," in text_of("README.md")
    entries = [entry for group in LEXICON for entry in group.entries]
    sought = len({form for entry in entries for form in entry.sought})
    written = len({form for entry in entries for form in entry.forms})
    assert f"({len(entries)} entries; {sought} words and phrases are sought, {written} written)" in " ".join(
        text_of("docs/data/configs.md").split()
    )


def test_the_page_of_the_labels_says_what_they_give_and_how_far_they_agree(mdc_games):
    counts = clean_test_counts(mdc_games, read_labels())
    text = " ".join(text_of("docs/data/labels.md").split())
    assert (
        f"{counts['unclear']} items unclear, {counts['unfixable']} not fixable, {counts['fixed']} fixed, "
        f"{counts['items']:,} left, {counts['multiple']} of them with multiple interpretations (the paper: "
        f"{PUBLISHED_TEST['unclear']}, {PUBLISHED_TEST['unfixable']}, {PUBLISHED_TEST['fixed']}, "
        f"{PUBLISHED_TEST['items']:,} and {PUBLISHED_TEST['multiple']};"
    ) in text


def test_every_column_and_every_field_of_the_metadata_of_synthetic_items_is_explained():
    text = text_of("docs/data/configs.md")
    for name in SIMULATORS:
        item = next(items(play(simulator_of(name), "train", 0)))
        inner = (value for value in item.metadata.values() if isinstance(value, dict))
        for field in set(item.metadata).union(*inner):
            assert f"`{field}`" in text, field
    from bap_v2_dataset.items.features import FEATURES

    assert all(f"`{column}`" in text for column in FEATURES)


def test_the_settings_of_the_simulators_are_those_of_the_code():
    defaults = {name: settings_of(simulator()) for name, simulator in SIMULATORS.items()}
    text = text_of("docs/data/simulators.md")
    for setting in ("talk.clarification", "talk.repairs", "depth", "oblique"):  # they differ between simulators
        shown = ", ".join(str(values[setting]) for values in defaults.values())
        assert re.search(rf"^\| `{re.escape(setting)}` \| {shown}\b", text, re.MULTILINE), setting
    for setting in ("talk.verification", "talk.confirmation", "talk.ellipsis", "talk.landmarks"):
        (value,) = {values[setting] for values in defaults.values()}
        shown = float(re.search(rf"^\| `{re.escape(setting)}` \| ([\d.]+\d|0)", text, re.MULTILINE)[1])
        assert shown == value, setting


def test_each_kind_of_turn_of_dh_has_an_example():
    _, _, rest = text_of("docs/data/simulators.md").partition("| turn | for instance |\n|---|---|\n")
    examples = rest.partition("\n\n")[0].splitlines()
    assert len(examples) > 10 and all(re.fullmatch(r"\| [a-z ]+ \| [^|%]*\".+\".* \|", row) for row in examples)


def test_every_extra_is_explained():
    text = text_of("docs/index.md")
    extras = re.findall(r'"(\w+)":', re.search(r"extras_require=\{(.*?)\}", text_of("setup.py"), re.DOTALL)[1])
    assert extras and [name for name in extras if f"| `{name}` |" not in text] == []


@pytest.mark.slow
def test_the_tables_of_baselines_are_what_the_command_prints(published):
    from bap_v2_dataset.evaluation.scoring import baseline_predictions
    from bap_v2_dataset.evaluation.test_sets import scored_rows

    def scores(baseline: str, config: str) -> dict:
        rows = scored_rows(datasets.load_dataset("bap_v2", config, split="test"))
        return bap_v2_metric.score(
            baseline_predictions(baseline, rows, TASKS["bap"]), list(map(SCORER.reference_of, rows))
        )

    text = text_of("docs/results.md")
    printed = dict(re.findall(r"^\| `([\w-]+)`: [^|]*\|(.*)\|$", text, flags=re.MULTILINE))
    assert {*printed, "reading"} == set(TASKS["bap"].baselines)  # test items have no reading
    for name, cells in printed.items():
        found = scores(name, "mdc_v2")
        assert cells.split() == " | ".join(f"{100 * found[f'{measure}_f1']:.1f}" for measure in COLUMNS).split(), name
    printed = dict(re.findall(r"^\| `(stack|symbolic)` \|(.*)\|$", text, flags=re.MULTILINE))
    assert set(printed) == {"stack", "symbolic"}
    for name, cells in printed.items():
        found = [scores(name, config)["fairer_f1"] for config in ("mdc", *PUBLISHED)]
        assert cells.split() == " | ".join(f"{100 * score:.1f}" for score in found).split(), name


def test_the_citation_file_has_the_version_and_the_papers():
    citation = yaml.safe_load(text_of("CITATION.cff"))
    assert citation["cff-version"] == "1.2.0" and citation["title"] and citation["message"] and citation["authors"]
    assert f'version="{citation["version"]}"' in text_of("setup.py")
    cited = text_of("docs/citation.md").replace("{", "").replace("}", "")
    assert len(citation["references"]) == cited.count("\n  title = ")
    for paper in citation["references"]:
        assert paper["title"].lower() in cited.lower()
        assert all(f"{author['family-names']}, {author['given-names']}" in cited for author in paper["authors"])


def test_the_glossary_has_the_names_that_tables_use():
    glossary = (DOCS / "glossary.md").read_text(encoding="utf-8")
    configs = [f"`{config}`" for config in TASKS["bap"].configs if config != "all"]
    for name in (*COLUMNS.values(), *ROWS.values(), *configs, "unparsed line", "infeasible action"):
        assert name in glossary, name
