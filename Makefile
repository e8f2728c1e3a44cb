# STACK=openmmlab takes the original OpenMMLab line instead of the default.
STACK ?= onedl
VENV := $(if $(filter openmmlab,$(STACK)),.venv-openmmlab,.venv)
PYTHON ?= python3.11
# TASKS=classification needs no compiler; a later `make env` completes it.
TASKS ?= all
BIN := $(CURDIR)/$(VENV)/bin

# More threads than one in each of two processes make two busy cores crawl.
PYTEST := OMP_NUM_THREADS=1 $(BIN)/python -m pytest

.DEFAULT_GOAL := help
.PHONY: help env env-openmmlab demo demo-full docs docker-demo test test-slow \
	test-openmmlab lint clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "make %-15s %s\n", $$1, $$2}' \
		$(MAKEFILE_LIST)

env: ## set up .venv with the pinned stack (the first time 2 to 10 minutes)
	@$(PYTHON) -c '' 2>/dev/null || { echo 'error: $(PYTHON) does not run' \
		'here: install Python 3.11, or name another one, for example' \
		'make env PYTHON=/usr/bin/python3.12' >&2; exit 1; }
	@$(PYTHON) requirements/setup_env.py $(STACK) $(VENV) --tasks $(TASKS)

env-openmmlab: ## set up .venv-openmmlab with the original OpenMMLab line
	@$(MAKE) env STACK=openmmlab

demo: env ## the whole chain on real digits, 4 to 9 minutes on 2 cores
	$(BIN)/python tools/demo.py

demo-full: env ## the same with three seeds, 20 to 40 minutes
	$(BIN)/python tools/demo.py --full

docs: env ## build the documentation site, build/site/index.html
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet

docker-demo: ## the demo in a container for the CPU; results in work_dirs
	docker build --file docker/cpu.Dockerfile --tag mmdrloc:cpu .
	mkdir -p data work_dirs
	docker run --rm --shm-size 1g --user "$$(id -u):$$(id -g)" \
		--volume "$(CURDIR)/data:/home/user/mmdrloc/data" \
		--volume "$(CURDIR)/work_dirs:/home/user/mmdrloc/work_dirs" \
		mmdrloc:cpu python tools/demo.py

lint: env ## check style and types with ruff, mypy and pre-commit
	PATH="$(BIN):$$PATH" pre-commit run --all-files

test: lint ## lint and the fast tests
	$(PYTEST) -n 2 -m 'not slow'

test-slow: env ## the slow tests
	$(PYTEST) -n 2 -m slow

test-openmmlab: ## lint and the fast tests with the original OpenMMLab line
	@$(MAKE) test STACK=openmmlab

clean: ## remove what builds and tests leave; keep data, runs, environments
	rm -rf build dist *.egg-info .pytest_cache .ruff_cache
	find mmdrloc configs tools tests requirements -name __pycache__ \
		-exec rm -rf {} +
