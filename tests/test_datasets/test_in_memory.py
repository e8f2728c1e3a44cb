import numpy as np
import pytest
from mmengine.registry import DATASETS, init_default_scope
from tiny_run import write_config

from mmdrloc.errors import UsageError


def build(folder, kind='mmdrloc.InMemoryDataset', load='mmdrloc.LoadImage'):
    init_default_scope('mmpretrain')
    return DATASETS.build(
        dict(
            type=kind,
            data_root=str(folder / 'data'),
            data_prefix='train',
            pipeline=[dict(type=load), dict(type='PackInputs')],
        )
    )


def test_samples_are_those_of_the_files(tmp_path):
    write_config(tmp_path)
    stock = build(tmp_path, 'CustomDataset', 'LoadImageFromFile')
    expected = [stock[index] for index in range(len(stock))]
    ours = build(tmp_path)
    for path in (tmp_path / 'data').rglob('*.png'):
        path.unlink()
    assert len(ours) == len(stock) == 12
    for index, sample in enumerate(expected):
        found = ours[index]
        assert np.array_equal(found['inputs'], sample['inputs'])
        label = sample['data_samples'].gt_label
        assert found['data_samples'].gt_label == label
        assert found['data_samples'].ori_shape == (24, 24)


def test_images_lie_in_the_array_that_workers_share(tmp_path):
    write_config(tmp_path)
    assert build(tmp_path).data_bytes.nbytes > 12 * 24 * 24 * 3


def test_a_pipeline_that_reads_files_is_refused(tmp_path):
    write_config(tmp_path)
    with pytest.raises(UsageError, match='needs mmdrloc.LoadImage'):
        build(tmp_path, load='LoadImageFromFile')
