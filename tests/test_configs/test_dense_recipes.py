"""The recipes for COCO and ADE20K beside the files of their libraries."""

from copy import deepcopy
from importlib.util import find_spec

import pytest
import torch
from mmengine.config import Config
from mmengine.registry import MODELS, init_default_scope
from mmengine.structures import PixelData
from mmseg.structures import SegDataSample
from recipe_configs import resolve, unscoped

from mmdrloc.checkpoints.starts import start_from
from mmdrloc.utils.errors import UsageError
from mmdrloc.utils.paths import shipped

SWIN = 'mmdet', 'swin/mask-rcnn_swin-t-p4-w7_fpn_'
PAIRS = {
    'coco/mask-rcnn_swin-tiny_1x': (*SWIN, '1x_coco'),
    'coco/mask-rcnn_swin-tiny_ms-crop-3x': (*SWIN, 'ms-crop-3x_coco'),
    'ade20k/upernet_swin-tiny_160k': (
        'mmseg',
        'swin/swin-tiny-patch4-window7-in1k-pre_upernet_',
        '8xb2-160k_ade20k-512x512',
    ),
}
KEYS = (
    'train_dataloader val_dataloader optim_wrapper param_scheduler train_cfg '
    'auto_scale_lr val_evaluator'
).split()
LARGE = [
    f'{folder}/{path.stem}'
    for folder in ('coco', 'ade20k')
    for path in sorted(shipped(f'configs/{folder}').glob('*.py'))
]


def library_config(library, *name):
    (root,) = find_spec(library).submodule_search_locations
    return Config.fromfile(f'{root}/.mim/configs/{"".join(name)}.py')


@pytest.mark.parametrize('name', PAIRS)
def test_standard_schedules_are_the_library_s(name):
    """The backbone's class alone differs."""
    ours, theirs = resolve(name), library_config(*PAIRS[name])
    for key in KEYS:
        one, other = (unscoped(cfg.get(key)) for cfg in (ours, theirs))
        if key == 'train_dataloader' and name.startswith('ade20k'):
            other['batch_size'] = 2
        if key == 'auto_scale_lr' and name.startswith('ade20k'):
            other = dict(base_batch_size=16)  # 8 GPUs; mmseg names none
        assert one == other, key
    rate = theirs.model.backbone.drop_path_rate
    assert ours.model.backbone.drop_path_rate == rate
    for key in ('neck', 'roi_head', 'rpn_head', 'test_cfg', 'train_cfg'):
        one, other = (unscoped(cfg.model.get(key)) for cfg in (ours, theirs))
        assert one == other, key


@pytest.mark.parametrize('name', LARGE)
def test_none_starts_from_random_weights_unasked(name):
    with pytest.raises(UsageError, match='give --weights'):
        start_from(deepcopy(resolve(name)), None)


def test_the_paper_tests_at_six_times_the_resolution_of_training():
    cfg = resolve('ade20k/upernet_swin-tiny_160k-paper')
    width, height = cfg.train_dataloader.dataset.pipeline[2].scale
    sizes, flips, *_ = cfg.tta_pipeline[1].transforms
    assert [size.scale for size in sizes] == [
        (ratio * width, ratio * height)
        for ratio in (0.5, 0.75, 1.0, 1.25, 1.5, 1.75)
    ]
    assert [flip.prob for flip in flips] == [0.0]


@pytest.mark.parametrize(
    'training,size', [(True, (176, 176)), (False, (180, 240))]
)
def test_images_are_whole_cells_of_14_px(training, size):
    """Or the map of a cell that is cut is stretched over the image."""
    cfg = resolve('camvid/upernet_dinov2-small_dense-drloc')
    sample = SegDataSample(metainfo=dict(img_shape=size))
    sample.gt_sem_seg = PixelData(data=torch.zeros(1, *size))
    init_default_scope('mmseg')
    preprocessor = MODELS.build(cfg.model.data_preprocessor)
    data = dict(inputs=[torch.zeros(3, *size)], data_samples=[sample])
    padded = preprocessor(data, training)['inputs']
    assert not any(side % 14 for side in padded.shape[2:])
