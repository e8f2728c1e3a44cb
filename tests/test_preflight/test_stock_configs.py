"""What the libraries ship, and what is here, has no fault in its settings."""

import random
from importlib.util import find_spec
from pathlib import Path

import pytest
from mmengine.config import Config

from mmdrloc.preflight.config import bad_settings

OURS = Path(__file__).parents[2] / 'configs'
# Files without a scope, of models that need libraries which are not here, or
# that upstream itself cannot read or build.
LEFT_OUT = (
    'headless',
    'pre_',
    'blip',
    'chinese_clip',
    'clip/',
    'flamingo',
    'llava',
    'minigpt4',
    'ofa/',
    'otter',
    'ram',
    'replknet',
    'swinv2-',
    'ipu',
    'glip',
    'grounding_dino',
    'mm_grounding_dino',
    'bytetrack',
    'strongsort',
    'ocsort',
)


def shipped(library):
    root = Path(find_spec(library).submodule_search_locations[0])
    files = sorted((root / '.mim/configs').rglob('*.py'))
    return [
        file
        for file in files
        if '_base_' not in file.parts
        and not any(word in str(file) for word in LEFT_OUT)
    ]


def own():
    return [f for f in sorted(OURS.rglob('*.py')) if '_base_' not in f.parts]


def assert_faultless(files):
    found = {}
    for file in files:
        cfg = Config.fromfile(file)
        phases = [
            phase
            for phase in ('train', 'val', 'test')
            if cfg.get(f'{phase}_dataloader')
        ]
        findings = bad_settings(cfg, phases) if 'model' in cfg else []
        if findings:
            found[str(file)] = findings
    assert found == {}


@pytest.mark.parametrize('library', ['mmpretrain', 'mmdet', 'mmseg'])
def test_a_few_of_each_library(library):
    pytest.importorskip('mmcv.ops')
    assert_faultless(random.Random(0).sample(shipped(library), 5))


def test_a_few_of_ours():
    pytest.importorskip('mmcv.ops')
    assert_faultless(random.Random(0).sample(own(), 10))


@pytest.mark.slow
@pytest.mark.parametrize('library', ['mmpretrain', 'mmdet', 'mmseg'])
def test_many_of_each_library(library):
    assert_faultless(random.Random(1).sample(shipped(library), 30))


@pytest.mark.slow
def test_many_of_ours():
    assert_faultless(random.Random(1).sample(own(), 100))
