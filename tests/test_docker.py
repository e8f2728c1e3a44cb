"""The Dockerfiles, read without an engine."""

import re
import subprocess
from fnmatch import fnmatch
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
FILES = ['docker/Dockerfile', 'docker/cpu.Dockerfile']
REPLAY = ROOT / 'docker/replay.sh'


def instructions(name):
    """(keyword, rest) of each instruction, continued lines joined."""
    text = re.sub(r'^#.*\n', '', (ROOT / name).read_text(), flags=re.M)
    text = re.sub(r'\\\n\s*', '', text)
    return [
        tuple(line.split(maxsplit=1)) for line in text.splitlines() if line
    ]


@pytest.mark.parametrize('name', FILES)
def test_what_is_copied_exists_and_is_not_ignored(name):
    ignored = (ROOT / '.dockerignore').read_text().split('\n')
    ignored = [line for line in ignored if line and line[0] != '#']
    copied = [
        rest.split() for key, rest in instructions(name) if key == 'COPY'
    ]
    assert copied
    for *sources, _ in copied:
        if sources[0].startswith('--from='):
            continue
        for source in sources:
            assert (ROOT / source).exists(), source
            assert not any(fnmatch(source, pattern) for pattern in ignored)


@pytest.mark.parametrize('name', FILES)
def test_images_are_pinned(name):
    arguments = dict(
        rest.split('=', 1) for key, rest in instructions(name) if key == 'ARG'
    )
    for image in arguments.values():
        assert re.fullmatch(r'[\w/]+:\d+\.\d+\.\d+[\w.-]*', image)
    for key, rest in instructions(name):
        if key == 'FROM':
            variable = re.match(r'\$\{(\w+)\}', rest).group(1)
            assert variable in arguments


@pytest.mark.parametrize('name', FILES)
def test_the_stack_is_set_up_as_everywhere(name):
    commands = [rest for key, rest in instructions(name) if key == 'RUN']
    (set_up,) = [command for command in commands if 'python' in command]
    assert set_up.endswith('python requirements/setup_env.py onedl .venv')
    for command in commands:
        assert 'pip install' not in command
        if 'apt-get' in command:
            assert 'apt-get update &&' in command
            assert '--no-install-recommends' in command
            assert 'rm -rf /var/lib/apt/lists/*' in command
            # For cv2, in every stage that imports it.
            assert 'libgl1' in command and 'libglib2.0-0' in command


@pytest.mark.parametrize('name', FILES)
def test_nobody_runs_as_root(name):
    last_stage = []
    for key, rest in instructions(name):
        last_stage = [] if key == 'FROM' else [*last_stage, (key, rest)]
    assert ('USER', 'user') in last_stage
    assert not [key for key, _ in last_stage if key == 'ADD']


def test_toolkit_is_of_the_cuda_that_torch_was_built_for():
    pins = (ROOT / 'requirements/onedl.txt').read_text()
    torch = re.search(r'^torch==(\S+)$', pins, re.M).group(1)
    cuda = re.search(r'^nvidia-cuda-runtime-cu12==(12\.\d+)', pins, re.M)
    text = (ROOT / FILES[0]).read_text()
    assert f'pytorch/pytorch:{torch}-cuda{cuda.group(1)}-' in text


@pytest.mark.parametrize('name', FILES)
def test_replay_finds_the_command(name):
    """Its own sed expressions, without what takes minutes."""
    script = REPLAY.read_text().split('cd "$ROOT/tree"')[0]
    script = script.replace('"$(dirname "$0")/.."', f'"{ROOT}"')
    done = subprocess.run(
        [
            'bash',
            '-c',
            f'{script}\nls "$ROOT/tree"; echo "$COMMAND"',
            '',
            name,
        ],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.split('\n') == [
        'README.md',
        'mmdrloc',
        'pyproject.toml',
        'requirements',
        'setup.py',
        'python requirements/setup_env.py onedl .venv',
        '',
    ]
