"""One, two and four processes are the same training; so is a resumed one."""

import json

import pytest
import torch
from command_line import TOOLS, Program
from interrupted import DRAWING, assert_equal
from several_processes import CONFIG, assert_close, train
from tiny_run import write_config

pytestmark = pytest.mark.slow
SIZES = (1, 2, 4)


def write(folder, text=''):
    base = write_config(folder)
    base.write_text(base.read_text() + text)
    config = folder / 'several.py'
    config.write_text(CONFIG)
    return config


@pytest.fixture(scope='module')
def config(tmp_path_factory):
    return write(tmp_path_factory.mktemp('several'))


@pytest.fixture(scope='module')
def logs(config):
    return {
        size: train(config, size, config.parent / f'of_{size}')
        for size in SIZES
    }


@pytest.mark.parametrize('size', SIZES[1:])
def test_they_come_to_what_one_process_comes_to(config, logs, size):
    """Each image of an update and of a validation counts once."""
    assert_close(*(config.parent / f'of_{n}/epoch_2.pth' for n in (1, size)))
    metrics = [
        [e['accuracy/top1'] for e in logs[n] if 'accuracy/top1' in e]
        for n in (1, size)
    ]
    assert len(metrics[0]) == 2 and metrics[0] == metrics[1]
    path = config.parent / f'of_{size}/result.json'
    assert json.loads(path.read_text())['global_batch'] == 4


@pytest.mark.parametrize('before,after', [(4, 2), (1, 4)])
def test_resume_on_another_number(logs, config, before, after):
    work_dir = config.parent / f'from_{before}_to_{after}'
    begun = config.parent / f'of_{before}/epoch_1.pth'
    train(config, after, work_dir, '--resume', begun)
    assert_close(work_dir / 'epoch_2.pth', config.parent / 'of_1/epoch_2.pth')


def test_resumed_within_an_accumulation(tmp_path):
    """An epoch of three iterations, and updates of two."""
    accumulating = 'optim_wrapper.update(accumulative_counts=2)\n'
    witness = "custom_hooks = [dict(type='mmdrloc.WitnessHook')]\n"
    config = write(tmp_path, DRAWING + accumulating + witness)
    whole, part = tmp_path / 'whole', tmp_path / 'part'
    train(config, 2, whole)
    train(config, 2, part, '--resume', whole / 'epoch_1.pth')
    states = [
        torch.load(folder / 'epoch_2.pth', weights_only=False)
        for folder in (whole, part)
    ]
    for name in ('state_dict', 'optimizer'):
        assert_equal(states[0][name], states[1][name])
    # A save between two halves of an update changes nothing.
    unsaved = config.with_name('unsaved.py')
    seldom = "dict(type='CheckpointHook', interval=2)"
    unsaved.write_text(
        config.read_text() + f'default_hooks = dict(checkpoint={seldom})\n'
    )
    train(unsaved, 2, tmp_path / 'unsaved')
    assert not (tmp_path / 'unsaved/epoch_1.pth').exists()
    assert_close(
        *(tmp_path / f'{n}/epoch_2.pth' for n in ('whole', 'unsaved'))
    )
    # The processes do not draw the same, nor do two steps.
    draws = [(whole / f'draws_{rank}.txt').read_text() for rank in range(2)]
    assert len({*''.join(draws).splitlines()}) == 12


def test_one_process_alone_has_images_of_one_label(tmp_path):
    """Of every other image, the answer is one class of one."""
    base = write_config(tmp_path)
    infos = [
        dict(
            img_path=f'class{number // 4}/{number % 4}.png',
            gt_label=[0, 1] if number % 2 else [2],
        )
        for number in range(12)
    ]
    classes = dict(classes=['a', 'b', 'c'])
    (tmp_path / 'data/labels.json').write_text(
        json.dumps(dict(metainfo=classes, data_list=infos))
    )
    base.write_text(
        base.read_text()
        + "model['head'].update(type='MultiLabelLinearClsHead', topk=1)\n"
        "for each in ('train', 'val', 'test'):\n"
        "    globals()[f'{each}_dataloader']['dataset'].update(\n"
        "        type='MultiLabelDataset', ann_file='labels.json')\n"
        "val_evaluator = test_evaluator = dict(type='AveragePrecision')\n"
        'env_cfg = dict(dist_cfg=dict(timeout=20))\n'
    )
    train(base, 2, tmp_path / 'work')
    result = json.loads((tmp_path / 'work/result.json').read_text())
    assert len(result['validations']) == 2


def test_the_log_of_a_fault_is_that_of_the_process_that_met_it(tmp_path):
    config = write(tmp_path)
    config.write_text(
        config.read_text()
        + "custom_hooks = [dict(type='mmdrloc.FaultHook')]\n"
    )
    script = ('bash', TOOLS / 'dist_train.sh', config, 2, '--work-dir', 'w')
    program = Program(tmp_path, *script)
    assert program.wait() == 1
    said = program.output()
    assert said.count('error: what is wrong. The traceback is in w/') == 1
    logged = (tmp_path / 'w/error.log').read_text()
    assert 'in after_train_iter' in logged and 'what is wrong' in logged


@pytest.mark.parametrize('averaged', ['', "dict(type='EMAHook'), "])
def test_all_validate_with_the_statistics_that_are_saved(tmp_path, averaged):
    """Of a network with BatchNorm, which each process has for itself."""
    base = write_config(tmp_path)
    base.write_text(
        base.read_text()
        + "custom_imports = dict(imports=['several_processes'])\n"
        f"custom_hooks = [{averaged}dict(type='mmdrloc.StatisticsHook')]\n"
        'model.update(backbone=dict(type="ResNet_CIFAR", depth=18, '
        'stem_channels=4, base_channels=4))\n'
        "model['head']['in_channels'] = 32\n"
    )
    work_dir = tmp_path / 'work'
    train(base, 2, work_dir)
    saved = torch.load(work_dir / 'epoch_2.pth', weights_only=False)
    for rank in range(2):
        means = torch.load(work_dir / f'means_{rank}.pt')
        assert means
        for name, tensor in means.items():
            assert tensor.equal(saved['state_dict'][name]), name
