"""Published records: claimed once, by recipes that resolve, fair and run."""

import os
from collections import Counter
from fnmatch import fnmatch
from pathlib import Path

import pytest
import yaml
from recipe_configs import RECORDS, recipes, resolve, resolve_record

from mmdrloc.datasets.catalog import CATALOG

SOURCES = {'main paper': '000', 'supplement': '003'}
TABLES = {'2a', '2b', '3', '4', '5', '6', '7', '8', '9', '16'}
CLASSIFICATION = [
    record
    for record in RECORDS
    if record['source'] in SOURCES and 'metric' not in record
]


# ---- what is published ---------------------------------------------------

BACKBONES = {
    'SwinTransformer': 'swin-t',
    'mmdrloc.CvT': 'cvt-13',
    'mmdrloc.PerformerT2TViT': 't2t-vit-14',
    'mmdrloc.DRLocViT': 'vit-b16',
    'ResNet': 'resnet-50',
}
LOSSES = {
    'mmdrloc.DRLocL1Loss': 'drloc',
    'mmdrloc.DRLocCrossEntropyLoss': 'drloc-ce',
    'mmdrloc.DRLocGaussianLoss': 'drloc-reg',
}
# The paper gives none for ResNet-50.
OUR_LAMBDA = 0.1


def method_of(head):
    if '*' in head.source:
        return 'drloc-all'
    return (
        'drloc-star-signed'
        if head.loss.get('signed')
        else (LOSSES[head.loss.type])
    )


def claim_of(record):
    """Everything that identifies a record, by the config that it names."""
    cfg = resolve_record(record)
    head = cfg.model.get('auxiliary_head')
    run = (
        cfg.dataset_name,
        BACKBONES[cfg.model.backbone.type],
        # The cool-down behind the cosine is not counted.
        cfg.param_scheduler[0].get('total', cfg.train_cfg.max_epochs),
        'in1k-finetune' if 'weights' in record else 'scratch',
    )
    method = ('baseline',)
    if head is not None:
        method = (
            method_of(head),
            head.get('num_pairs', 64),
            head.loss.loss_weight,
            head.get('hidden_channels', 512),
        )
    return (
        SOURCES[record['source']],
        record['table'],
        *run,
        *method,
        record['value'],
        *(record.get(key) for key in ('delta', 'std', 'seeds')),
    )


def expected_claim(record, defaults):
    """The same of a record."""
    method = ('baseline',)
    if record['method'] != 'baseline':
        weight = defaults['drloc_lambda'][record['model']]
        method = (
            record['method'],
            record.get('m', defaults['drloc_m']),
            record.get('lam', OUR_LAMBDA if weight == 'unstated' else weight),
            record.get('mlp_width', 512),
        )
    return (
        record['src'],
        str(record['table']),
        record['dataset'],
        record['model'],
        record['epochs'],
        record.get('init', 'scratch'),
        *method,
        record['value'],
        *(record.get(key) for key in ('delta', 'std', 'seeds')),
    )


@pytest.mark.skipif(
    'MMDRLOC_RECORDS' not in os.environ,
    reason='MMDRLOC_RECORDS names no file of published records',
)
def test_every_record_is_claimed_by_exactly_one_training():
    content = yaml.safe_load(Path(os.environ['MMDRLOC_RECORDS']).read_text())
    records = [
        expected_claim(record, content['defaults_not_repeated'])
        for record in content['results']
        if record['src'] in SOURCES.values()
        and record['metric'] == 'top1'
        and str(record['table']) in TABLES
    ]
    assert len(records) == 202
    assert Counter(map(claim_of, CLASSIFICATION)) == Counter(records)


def test_every_record_resolves():
    """With options for what the recipe does not do by itself alone."""
    for record in RECORDS:
        cfg = resolve_record(record)
        assert cfg.dataset_name == record['dataset']
        if 'options' in record:
            plain = resolve(record['recipe'], record['dataset'])
            assert cfg.to_dict() != plain.to_dict(), record
        needs = cfg.model.backbone.get('init_cfg', {})
        if isinstance(needs, dict) and needs.get('type') == 'Pretrained':
            assert 'weights' in record and 'checkpoint' not in needs
        start = record.get('weights')
        while isinstance(start, dict):  # what it starts from, too
            assert start['recipe'] in recipes()
            assert start['dataset'] in CATALOG
            start = start.get('weights')


# ---- what its sources say --------------------------------------------------

FACTS = yaml.safe_load(Path(__file__).with_name('sources.yml').read_text())


def differences(found, wanted, place=''):
    """Where a config says something else than a part of one."""
    if isinstance(wanted, dict):
        for key, value in wanted.items():
            yield from differences((found or {}).get(key), value, key)
    elif isinstance(wanted, list) and len(found or ()) == len(wanted):
        for part, value in zip(found, wanted):
            yield from differences(part, value, place)
    elif place == 'type':
        if found.split('.')[-1] != wanted:
            yield f'{found} is to be {wanted}'
    elif found != wanted:
        yield f'{place}={found} is to be {wanted}'


@pytest.mark.parametrize('fact', FACTS, ids=lambda fact: fact['from'][:40])
def test_recipes_do_as_their_sources_say(fact):
    for pattern in fact['recipes']:
        names = [name for name in recipes() if fnmatch(name, pattern)]
        assert names, pattern
        for name in names:
            config = resolve(name).to_dict()
            wrong = [*differences(config, fact['config'])]
            assert not wrong, f'{name}: {wrong}, see {fact["from"]}'
