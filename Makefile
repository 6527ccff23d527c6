# Saishi 赛事小站. Needs GNU make and Python 3.11 or newer, nothing else: `make demo` does the rest.
# Everything made here lives in .venv, app/static, build and node_modules; `make clean` removes it.

VENV   := .venv
BIN    := $(VENV)/bin
STAMPS := $(VENV)/.stamps
PIP     = $(BIN)/python -m pip --disable-pip-version-check --quiet

# The first interpreter that is new enough and can make a virtual environment. Being on the PATH proves nothing:
# version managers put launchers there for interpreters that are not switched on, so each one is run.
PYTHON ?= $(shell for p in python3.13 python3.12 python3.11 python3 python; do \
	$$p -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1 && { echo $$p; break; }; done)

CATALOGS := $(patsubst %.po,%.mo,$(wildcard app/translations/*/LC_MESSAGES/*.po))

# What `make test` hands to pytest; e.g. make test TESTS=tests/deploy
TESTS ?=

# Which mutants `make mutation` runs; e.g. make mutation MUTANTS='scoring_engine.landlord.*'
MUTANTS ?=

.DELETE_ON_ERROR:
.PHONY: help install frontend demo serve test check format translations bench mutation lock clean

help:
	@echo 'make demo     安装并启动演示 (install, then start a demonstration on http://localhost:8000)'
	@echo 'make serve    安装并启动，没有演示数据 (the same without demonstration data)'
	@echo 'make install  只安装 (set up only; the program is then $(BIN)/saishi)'
	@echo 'make test     全部测试 (the whole suite)'
	@echo 'make check    格式、规范、类型、导入 (format, lint, types, imports)'
	@echo 'make translations  收集要翻译的句子 (collect the sentences to translate)'
	@echo 'make bench    测量 (measurements)'
	@echo 'make mutation  变异测试，约半小时 (mutation testing, about half an hour; docs/mutation.md)'
	@echo 'make lock     重新锁定依赖 (compile requirements/*.txt again)'
	@echo 'make clean    删除生成的文件，保留数据 (remove what was made; instance/ stays)'

install: $(STAMPS)/program frontend $(CATALOGS)

demo: install
	@exec $(BIN)/saishi demo

serve: install
	@exec $(BIN)/saishi serve

test: install $(STAMPS)/dev
	$(BIN)/python -m pytest -n 2 --dist loadfile $(TESTS)

check: $(STAMPS)/program $(STAMPS)/dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

format: $(STAMPS)/dev
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

# New sentences come out with an empty English text to fill in; ones no longer used go.
translations: $(STAMPS)/dev
	@mkdir -p build
	$(BIN)/pybabel --quiet extract --mapping babel.cfg --keywords T --no-location --sort-output \
		--output-file build/messages.pot .
	$(BIN)/pybabel --quiet update --input-file build/messages.pot --output-dir app/translations --no-fuzzy-matching \
		--ignore-obsolete --no-wrap

bench: install $(STAMPS)/dev
	$(BIN)/python -m tests.benchmarks

# From scratch: mutmut keeps results of functions that did not change, though the tests may have.
mutation: $(STAMPS)/program $(STAMPS)/dev
	rm -rf mutants
	nice $(BIN)/python -m tests.mutation $(if $(MUTANTS),'$(MUTANTS)')

# uv writes hashes for every platform and Python from 3.11 on, and no index address.
lock: $(STAMPS)/dev
	cd requirements && for list in base dev ocr; do \
		../$(BIN)/uv pip compile --universal --python-version 3.11 --generate-hashes --no-emit-index-url \
			--no-header --upgrade --quiet $$list.in -o $$list.txt || exit 1; done

clean:
	rm -rf $(VENV) app/static node_modules build mutants test-artifacts *.egg-info $(CATALOGS)
	rm -rf .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache

# --- the steps of the set-up; each is redone only when what it reads has changed ---

$(STAMPS)/venv:
	@test -n '$(PYTHON)' || { echo '需要 Python 3.11 或更高版本及其 venv 模块；装好后再试，或用 make PYTHON=<路径> 指定。' \
		'(Saishi needs Python 3.11 or newer with its venv module; install it, or name one: make PYTHON=<path>)' >&2; exit 2; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo '$(PYTHON) 不可用：需要 Python 3.11 或更高版本。' \
		'($(PYTHON) cannot be used: Python 3.11 or newer is needed)' >&2; exit 2; }
	@echo '新建 $(VENV) (creating it with $(PYTHON))'
	@$(PYTHON) -m venv $(VENV)
	@mkdir -p $(STAMPS) && touch $@

$(STAMPS)/base: requirements/base.txt | $(STAMPS)/venv
	@echo '安装依赖，约一分钟 (installing requirements/base.txt, about a minute)'
	@$(PIP) install --require-hashes -r requirements/base.txt
	@touch $@

$(STAMPS)/program: pyproject.toml requirements/base.in $(STAMPS)/base
	@$(PIP) install --no-deps --no-build-isolation --editable .
	@touch $@

$(STAMPS)/dev: requirements/dev.txt $(STAMPS)/base
	@echo '安装测试工具 (installing requirements/dev.txt)'
	@$(PIP) install --require-hashes -r requirements/dev.txt
	@touch $@

# Looks at its sources itself and returns at once when nothing changed.
frontend: | $(STAMPS)/program
	@$(BIN)/python -m app.frontend.build

%.mo: %.po | $(STAMPS)/base
	@$(BIN)/pybabel --quiet compile --input-file $< --output-file $@
