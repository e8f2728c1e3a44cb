# syntax=docker/dockerfile:1
# mmdrloc without a GPU: the default stack, on PyTorch's builds for the CPU.
#
#   docker build --file docker/cpu.Dockerfile --tag mmdrloc:cpu .
ARG PYTHON=python:3.11.11-slim-bookworm

FROM ${PYTHON} AS build
# make and g++ set up and compile mmcv; cv2 loads the libraries.
RUN apt-get update \
    && apt-get install --yes --no-install-recommends \
        g++ libgl1 libglib2.0-0 make \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /home/user/mmdrloc
COPY Makefile setup.py pyproject.toml README.md ./
COPY requirements requirements
COPY mmdrloc mmdrloc
# The pins hold for these builds too; they leave out 5 GB of CUDA. The cache
# keeps the compiled mmcv for when the package changes.
ENV PIP_CACHE_DIR=/cache \
    UV_CACHE_DIR=/cache/uv \
    UV_EXTRA_INDEX_URL=https://download.pytorch.org/whl/cpu \
    UV_INDEX_STRATEGY=unsafe-best-match
RUN --mount=type=cache,target=/cache \
    make env PYTHON=python

FROM ${PYTHON}
RUN apt-get update \
    && apt-get install --yes --no-install-recommends libgl1 libglib2.0-0 \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --create-home user
WORKDIR /home/user/mmdrloc
COPY --from=build /home/user/mmdrloc/.venv .venv
COPY . .
# What is written belongs to whoever runs it: see `make docker-demo`.
RUN mkdir data work_dirs && chown user data work_dirs
ENV PATH=/home/user/mmdrloc/.venv/bin:$PATH \
    HOME=/tmp \
    OMP_NUM_THREADS=1
USER user
CMD ["mmdrloc", "doctor"]
