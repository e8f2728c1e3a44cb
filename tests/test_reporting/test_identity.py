"""What tells runs apart, and what they are compared with."""

import json

import pytest
import torch
from made_up_run import cells, write_run

from mmdrloc.checkpoints.saved import note_checkpoint
from mmdrloc.engine.hooks.result_hook import run_that_made
from mmdrloc.reporting.identity import (
    Identity,
    baseline_of_run,
    of_record,
    of_run,
    option_text,
)
from mmdrloc.reporting.runs import load_runs
from mmdrloc.reporting.tables import task_table

LAMBDA = 'model.auxiliary_head.loss.loss_weight=0.1'
DEPTH = 'model.backbone.depth=3'


def run(recipe, baseline=None, weights=None, dataset='digits', options=()):
    return dict(
        recipe=recipe,
        dataset=dataset,
        weights=weights,
        baseline=baseline,
        options=list(options),
    )


def made_by(maker):
    return dict(file='somewhere/epoch_1.pth', run=maker)


NET, TWIN = run('net'), run('twin', 'net')
DENSE = [run('dense', weights=made_by(maker)) for maker in (NET, TWIN)]


@pytest.mark.parametrize(
    'one,baseline',
    [
        (NET, None),
        (TWIN, Identity('net', 'digits')),
        # A network without the loss has no such option.
        (run('twin', 'net', options=[LAMBDA]), Identity('net', 'digits')),
        (
            run('twin', 'net', options=[DEPTH, LAMBDA]),
            Identity('net', 'digits', None, (DEPTH,)),
        ),
        # Twins from the same weights.
        (
            run('twin', 'net', weights=dict(file='a/b.pth')),
            Identity('net', 'digits', 'b.pth'),
        ),
        # The same from the weights of twins.
        (DENSE[0], None),
        (DENSE[1], of_run(DENSE[0])),
        # A segmentor's other head is of the baseline too.
        (
            {**run('twin', 'net', options=[LAMBDA]), 'head': 'drloc_head'},
            Identity('net', 'digits', None, (LAMBDA,)),
        ),
        # And once more from there.
        (
            run('large', weights=made_by(DENSE[1])),
            of_run(run('large', weights=made_by(DENSE[0]))),
        ),
    ],
)
def test_baselines(one, baseline):
    assert baseline_of_run(one) == baseline


def test_a_record_is_the_run_of_its_command():
    record = dict(
        recipe='dense',
        dataset='boxes',
        weights=dict(recipe='twin', dataset='digits'),
        options={'model.auxiliary_head.loss.loss_weight': 0.1},
        value=50.0,
    )
    one = run('dense', None, made_by(TWIN), 'boxes', [LAMBDA])
    assert of_record(record) == of_run(one)
    assert of_record(dict(record, options={})) != of_run(one)
    authors = dict(record, weights='b.pth', options={})
    one = run('dense', None, dict(file='a/b.pth', run=None), 'boxes')
    assert of_record(authors) == of_run(one)


def test_weights_of_another_length_are_others():
    """A long pre-training is not averaged with a short one."""
    long_net = {**NET, 'length': ['train_cfg.max_epochs=24']}
    long_twin = {**TWIN, 'length': ['train_cfg.max_epochs=24']}
    short, long = (
        of_run(run('dense', weights=made_by(n))) for n in (NET, long_net)
    )
    assert long.title == 'dense from net train_cfg.max_epochs=24'
    assert short.title == 'dense from net'
    # An option is of the training that it stands behind.
    deep = of_run(run('dense', weights=made_by(long_net), options=[DEPTH]))
    assert deep.title == f'dense {DEPTH} from net train_cfg.max_epochs=24'
    # Its baseline is the one from weights of equal length.
    dense = run('dense', weights=made_by(long_twin))
    assert baseline_of_run(dense) == long


def test_chains_of_weights_say_what_each_was_trained_on():
    first = made_by(run('c', dataset='photos'))
    for middle, title in (
        ('digits', 'a from b from c on photos'),
        ('photos', 'a from b on photos from c'),
    ):
        weights = made_by(run('b', dataset=middle, weights=first))
        assert of_run(run('a', weights=weights)).title == title


def test_a_batch_in_parts_is_the_same_training():
    parts = 'optim_wrapper.accumulative_counts=4'
    assert of_run(run('net', options=[parts])) == of_run(run('net'))


@pytest.mark.parametrize('place', ['published', 'https://hf.co/timm'])
@pytest.mark.parametrize('inner', ['', 'resolve/main/'])
def test_published_files_have_the_name_of_their_folder(place, inner):
    """They are all called alike."""
    file = f'{place}/mae/{inner}model.safetensors'
    one = of_run(run('net', weights=dict(file=file)))
    assert one.title == 'net from mae/model.safetensors'


def test_an_address_that_is_signed_anew_has_the_same_file():
    one, other = (
        of_run(run('net', weights=dict(file=f'https://a.org/b.pth{query}')))
        for query in ('?signature=1', '?signature=2')
    )
    assert one == other and one.title == 'net from b.pth'


def test_a_published_length_is_found(tmp_path):
    """The table of 300 epochs for 300, else that of the recipe."""
    record = dict(recipe='net', dataset='digits', table='1', value=90.0)
    length = {'train_cfg.max_epochs': 300}
    published = {
        of_record(record): [record],
        of_record({**record, 'options': length}): [{**record, 'value': 95.0}],
    }
    for asked, value in ((300, '95.00'), (2, '90.00')):
        folder = write_run(tmp_path / str(asked), 'net', 0, [50.0])
        content = json.loads((folder / 'result.json').read_text())
        content['run']['length'] = [f'train_cfg.max_epochs={asked}']
        (folder / 'result.json').write_text(json.dumps(content))
        table = task_table(load_runs([folder]), published)
        assert f'{value} (Table 1)' in table


def test_table_of_carried_weights(tmp_path):
    folders = [
        write_run(
            tmp_path / str(number),
            'dense',
            0,
            [50.0 + number],
            weights=weights and dict(weights, origin='mmpretrain'),
        )
        for number, weights in enumerate([None, made_by(NET), made_by(TWIN)])
    ]
    _, _, random, plain, carried, twin, difference = cells(
        task_table(load_runs(folders), {})
    )
    assert random[0] == '`dense`' and plain[0] == '`dense from net`'
    assert carried[0] == 'gain over `dense`' and '+1.00' in carried[2]
    assert twin[0] == '`dense from twin`'
    assert difference[0] == 'gain over `dense from net`'
    assert difference[2] == '+1.00 (1 seed: no interval)'


def test_an_earlier_checkpoint_makes_other_weights(tmp_path):
    folder = write_run(tmp_path, 'net', 0, [50.0])
    names = 'epoch_3.pth', 'interrupted_iter_15.pth'
    files = [folder / name for name in names]
    for file in files:
        note_checkpoint(folder, file, resumable=True)
        torch.save({}, file)
    early, last = map(run_that_made, files)
    assert of_run(early).title == 'net checkpoint=epoch_3.pth'
    assert of_run(last).title == 'net'


def test_equal_options_have_equal_words():
    assert option_text('lr', 1.0) == option_text('lr', 1) == 'lr=1'
    assert option_text('lr', 5e-4) == 'lr=0.0005'
