"""Annotations of any content: what is wrong with them is found."""

import json

import pytest
from fuzzing import DEPTHS, fuzz, mutated
from hypothesis import strategies as st
from mmengine.registry import DATASETS, init_default_scope
from tiny_data import coco_content, write_coco

from mmdrloc.preflight.data import bad_data


@pytest.fixture
def cfg(tmp_path):
    return write_coco(tmp_path)


@DEPTHS
def test_annotations_in_which_something_is_changed(depth, cfg, tmp_path):
    """What passes, mmdet reads, or refuses with an exception."""
    found, passed = [], []
    init_default_scope('mmdet')

    def check(content):
        (tmp_path / 'train.json').write_text(json.dumps(content))
        findings = bad_data(cfg, ['train'])
        if findings:
            assert all(str(f).strip() for f in findings)
            found.append(1)
            return
        try:
            data = DATASETS.build(cfg.train_dataloader.dataset)
            samples = [data[at] for at in range(len(data))]
        except Exception:  # which becomes a sentence
            return
        assert all(samples)
        passed.append(1)

    check(coco_content())
    assert passed
    fuzz(check, depth, 60, mutated(coco_content()))
    assert found


@DEPTHS
def test_any_bytes(depth, cfg, tmp_path):
    whole = json.dumps(coco_content()).encode()

    def check(at, more):
        start = whole[: int(at * len(whole))]
        (tmp_path / 'train.json').write_bytes(start + more)
        assert bad_data(cfg, ['train'])

    part = st.floats(0, 1, exclude_max=True)
    fuzz(check, depth, 40, part, st.binary(max_size=20))
