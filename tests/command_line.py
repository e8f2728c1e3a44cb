"""Runs the tools as a user does."""

import os
import subprocess
import sys
from pathlib import Path

TOOLS = Path(__file__).parents[1] / 'tools'


def run(tool, *line, cwd, command=(sys.executable,)):
    # As on a machine without GPUs; a rank given by an outer run would lie.
    env = {k: v for k, v in os.environ.items() if k != 'LOCAL_RANK'}
    env.update(OMP_NUM_THREADS='1', CUDA_VISIBLE_DEVICES='')
    env['PATH'] = f'{Path(sys.executable).parent}:{env["PATH"]}'
    return subprocess.run(
        [*command, str(TOOLS / tool), *map(str, line)],
        cwd=cwd,
        env=env,
        text=True,
        capture_output=True,
    )
