"""--dataset FOLDER, from the command line to the checkpoint."""

import json

import pytest
from command_line import TOOLS
from in_process import main, refusal
from mmengine.config import Config
from tiny_data import coco_content
from tiny_recipes import (
    without_masks,
    write_classes,
    write_maps,
    write_objects,
)

CONFIGS = TOOLS.parent / 'configs'


@pytest.fixture
def run(tmp_path, monkeypatch):
    def run(tool, *line, task=main):
        return task(tool, *line, monkeypatch=monkeypatch, cwd=tmp_path)

    return run


def dumped(folder):
    (config,) = folder.glob('*.py')
    return Config.fromfile(config)


def test_photos(run, tmp_path):
    recipe = CONFIGS / 'photos/swin-mini_drloc.py'
    write_classes(tmp_path / 'my pets', dict(cat=10, dog=10), size=(80, 70))
    line = [recipe, '--dataset', 'my pets']
    length = ['--cfg-options', 'train_cfg.max_epochs=1', 'param_scheduler=[]']
    run('train.py', *line, *length)
    folder = tmp_path / 'work_dirs/swin-mini_drloc_my-pets'
    result = json.loads((folder / 'result.json').read_text())
    assert result['finished'] and result['dataset']['classes'] == 2
    assert result['dataset']['train_images'] == 16
    assert result['dataset']['val_images'] == 4
    cfg = dumped(folder)
    assert cfg.run.recipe == 'photos/swin-mini_drloc'
    assert cfg.run.dataset == str(tmp_path / 'my pets')
    assert cfg.run.baseline == 'photos/swin-mini'
    assert cfg.model.head.num_classes == cfg.data_preprocessor.num_classes == 2
    run('test.py', recipe, folder / 'epoch_1.pth', *line[1:])
    # What was dumped needs neither the recipe nor the option.
    (config,) = folder.glob('*.py')
    run('test.py', config, folder / 'epoch_1.pth')
    assert 'holds' in run('train.py', *line, task=refusal)
    # A damaged photo is found as in any other data.
    (tmp_path / 'my pets/cat/3.jpg').write_bytes(b'\xff\xd8\xff')
    message = run('train.py', *line, '--overwrite', task=refusal)
    assert 'cat/3.jpg' in message


@pytest.mark.slow
@pytest.mark.parametrize('masks', [True, False])
def test_objects(run, tmp_path, masks, capfd):
    content = coco_content() if masks else without_masks()
    folder = write_objects(tmp_path / 'pets', 'roboflow', content, content)
    recipe = CONFIGS / 'coco_mini/mask-rcnn_swin-mini.py'
    length = ['--cfg-options', 'train_cfg.max_epochs=1']
    length += ['train_cfg.val_interval=1', 'param_scheduler=[]']
    length += ['train_dataloader.dataset.filter_cfg=None']
    run('train.py', recipe, '--dataset', folder, *length)
    assert ('mask head' in capfd.readouterr().err) is not masks
    work_dir = tmp_path / 'work_dirs/mask-rcnn_swin-mini_pets'
    cfg = dumped(work_dir)
    assert cfg.model.roi_head.bbox_head.num_classes == 2
    assert (cfg.model.roi_head.mask_head is not None) is masks
    result = json.loads((work_dir / 'result.json').read_text())
    assert result['finished']
    assert ('segm' in cfg.val_evaluator.metric) is masks


@pytest.mark.slow
def test_label_maps(run, tmp_path):
    folder = write_maps(
        tmp_path / 'coast',
        values=(0, 1, 2, 255),
        classes='(ignored)\nsky\nsea\n',
    )
    recipe = CONFIGS / 'coco_mini/upernet_swin-mini.py'
    length = ['--cfg-options', 'train_cfg.max_iters=1']
    length += ['train_cfg.val_interval=1', 'param_scheduler=[]']
    run('train.py', recipe, '--dataset', folder, *length)
    cfg = dumped(tmp_path / 'work_dirs/upernet_swin-mini_coast')
    assert cfg.model.decode_head.num_classes == 2
    assert cfg.model.auxiliary_head.num_classes == 2
    # Three values and no line for the last one.
    (folder / 'classes.txt').write_text('sky\nsea\n')
    message = run('train.py', recipe, '--dataset', folder, task=refusal)
    assert 'a line (ignored)' in message
