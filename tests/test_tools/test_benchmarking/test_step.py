import pytest
import torch
from benchmarking import step
from benchmarking.timing import Setting
from mmengine.config import Config
from several_processes import DRLOC
from tiny_run import write_config

from mmdrloc.apis import settings
from mmdrloc.utils.errors import UsageError

TWO = Setting(2, 2, torch.device('cpu'))


@pytest.fixture
def twins(tmp_path, monkeypatch):
    monkeypatch.setattr(step, 'IMAGE_SIZE', 24)
    baseline = Config.fromfile(write_config(tmp_path))
    drloc = baseline.copy()
    drloc.model = dict(baseline.model, **DRLOC)
    return baseline, drloc


def test_it_is_a_training_step(twins):
    torch.manual_seed(0)
    one = step.TrainingStep(twins[1], TWO)
    before = one._model.head.fc.weight.clone()
    losses = one()
    assert losses['loss'] == losses['loss_cls'] + losses['loss_drloc']
    assert not torch.equal(one._model.head.fc.weight, before)


def test_mixing_does_not_wear_the_batch_out(twins):
    twins[0].model.train_cfg = dict(augments=dict(type='Mixup', alpha=0.8))
    one = step.TrainingStep(twins[0], TWO)
    for _ in range(3):
        assert one()['loss'].isfinite()


def test_the_config_stays_as_it_is(twins, monkeypatch):
    monkeypatch.setattr(settings, 'cpu_has_bfloat16', lambda: True)
    before = twins[0].pretty_text
    for _ in range(2):
        step.TrainingStep(twins[0], TWO._replace(amp=True))
    assert twins[0].pretty_text == before


def test_rows_in_the_shape_of_table_14(twins):
    name = 'scratch_100e/swin-tiny_drloc'
    outcome = step.compare_steps(
        [(name, *twins), ('mine/swin-tiny_drloc', *twins)], TWO
    )
    (table,) = outcome.tables
    (swin, other) = table.rows
    assert swin[0] == name
    assert swin[-1] == '0.6684 and 0.6842 s, +2.36 %'
    assert other[-1] == ''
    assert [len(s) for s in table.seconds.values()] == [2] * 4


def test_published_percentages_follow_from_the_published_seconds():
    extra = {
        name.removeprefix('scratch_100e/').removesuffix('_drloc'): (
            row.extra_percent()
        )
        for name, row in step.TABLE_14.items()
    }
    assert extra == pytest.approx(
        {'cvt-13': 2.43, 'swin-tiny': 2.36, 't2t-vit-14': 1.77}, abs=0.01
    )


def test_no_classifier():
    with pytest.raises(UsageError, match='is no classifier'):
        step.TrainingStep(Config(dict(default_scope='mmdet')), TWO)
