# STACK=openmmlab takes the original OpenMMLab line instead of the default.
STACK ?= onedl
VENV := $(if $(filter openmmlab,$(STACK)),.venv-openmmlab,.venv)
PYTHON ?= python3.11
# TASKS=classification needs no compiler; a later `make env` completes it.
TASKS ?= all
BIN := $(CURDIR)/$(VENV)/bin
PINS := requirements/$(STACK).txt
MMCV := $(shell grep -oE '^(onedl-)?mmcv==.*' $(PINS))
# Packages are compiled here, once: in a container, commands may not keep what
# they compile.
UV := $(BIN)/uv pip install --python $(BIN)/python --constraint $(PINS) \
	--compile-bytecode
READY := $(VENV)/.ready-$(TASKS)
USED := import cv2, mmpretrain.apis, mmdrloc.models
ifeq ($(TASKS),all)
USED := $(USED), mmcv.ops, mmdet.apis, mmseg.apis
endif

# Two processes with two threads each make two busy cores crawl.
PYTEST := OMP_NUM_THREADS=1 $(BIN)/python -m pytest

.DEFAULT_GOAL := help
.PHONY: help env env-openmmlab demo docs docker-demo test \
	test-commands test-slow test-openmmlab lint clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "make %-15s %s\n", $$1, $$2}' \
		$(MAKEFILE_LIST)

env: $(READY) ## set up .venv with the pinned stack (the first time 2 to 10 minutes)
	@$(BIN)/python -W ignore -c '$(USED)' >/dev/null || { \
		echo '$(VENV) is damaged: making it anew'; \
		rm -rf $(VENV) && $(MAKE) $(READY); }

# Without its last line a set-up was interrupted, and the next one goes on.
$(READY): $(PINS) requirements/common.txt requirements/build_mmcv.sh \
		pyproject.toml setup.py
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
		echo 'error: install Python 3.11, or name another one, for example' \
			'make env PYTHON=/usr/bin/python3.12' >&2; exit 1; }
	@version=$$($(PYTHON) -V); $(PYTHON) -m venv $$(grep -qsx \
		"version = $${version#* }" $(VENV)/pyvenv.cfg || echo --clear) $(VENV)
	@echo '[1/3] PyTorch'
	@$(BIN)/python -m pip install --quiet --constraint $(PINS) uv
	@$(UV) --quiet pip setuptools wheel ninja psutil packaging torch torchvision
	@echo '[2/3] mmcv (compiled the first time: 3 to 8 minutes on 2 cores)'
ifeq ($(TASKS),all)
	@bash requirements/build_mmcv.sh $(VENV) $(MMCV)
else
	@$(BIN)/python -c 'import mmcv._ext' 2>/dev/null || \
		PIP_CONSTRAINT=$(PINS) $(BIN)/python -m pip install --quiet --no-deps \
		--use-pep517 --no-cache-dir $(MMCV)  # built without seeing torch
endif
	@echo '[3/3] OpenMMLab, mmdrloc, tools'
	@$(UV) --quiet --no-build-isolation --editable '.[$(STACK),dev]'
	@# Both OpenCV packages fill one folder; only this one needs no libGL.
	@$(UV) --quiet --reinstall --no-deps opencv-python-headless
	@touch $@

env-openmmlab: ## set up .venv-openmmlab with the original OpenMMLab line
	@$(MAKE) env STACK=openmmlab

demo: $(READY) ## a Swin learns digits, UperNet starts from it; minutes
	$(BIN)/python tools/demo.py

docs: $(READY) ## build the documentation site, build/site/index.html
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict

docker-demo: ## the demo in a container for the CPU; results in work_dirs
	docker build --file docker/cpu.Dockerfile --tag mmdrloc:cpu .
	mkdir -p data work_dirs
	docker run --rm --shm-size 1g --user "$$(id -u):$$(id -g)" \
		--volume "$(CURDIR)/data:/home/user/mmdrloc/data" \
		--volume "$(CURDIR)/work_dirs:/home/user/mmdrloc/work_dirs" \
		mmdrloc:cpu python tools/demo.py

lint: $(READY) ## check style and types with ruff, mypy and pre-commit
	PATH="$(BIN):$$PATH" pre-commit run --all-files

test: lint ## lint and the fast tests
	$(PYTEST) -n 2 -m 'not slow'

test-commands: $(READY) ## whole commands, exhibits, notebooks and the demo
	$(PYTEST) -n 2 -m slow -k 'not test_other_exhibits' \
		tests/test_tools tests/test_notebooks.py tests/promises

test-slow: $(READY) ## these, and all else that is slow
	$(PYTEST) -n 2 -m slow

test-openmmlab: ## lint and the fast tests with the original OpenMMLab line
	@$(MAKE) test STACK=openmmlab

clean: ## remove what builds and tests leave; keep data, runs, environments
	rm -rf build dist *.egg-info .pytest_cache .ruff_cache
	find mmdrloc configs tools tests -name __pycache__ -exec rm -rf {} +
