"""The config of every published record beside ``sources.yml``."""

from pathlib import Path

import pytest
import yaml
from recipe_configs import RECORDS, recipes, resolve_record

SOURCES = yaml.safe_load(Path(__file__).with_name('sources.yml').read_text())

# ---- what is published ------------------------------------------------------

# Documents by their sources.
DOCUMENTS = {
    'main paper': 'drloc',
    'supplement': 'drloc',
    'IDMM poster': 'idmm',
    'arXiv:2402.03752': 'mae',
}


def of_document(name):
    return [r for r in RECORDS if DOCUMENTS[r['source']] == name]


def network_of(record):
    """The first word of a recipe's name: its model, or what is around it."""
    return record['recipe'].split('/')[-1].split('_')[0]


def drloc_runs():
    """(what a source may ask for, training) of Tables 2 to 9 and 16."""
    for record in of_document('drloc'):
        if 'metric' not in record:
            model = network_of(record)
            yield dict(record, document='drloc', model=model), record


def official_runs():
    """The same of the official code's variants."""
    known = recipes()
    for record in of_document('drloc'):
        recipe = record['recipe'].replace('scratch_100e/', 'official/')
        if record['recipe'] != recipe in known and 'options' not in record:
            facts = dict(
                document='official',
                init='scratch',
                model=network_of(record),
                method=record['method'],
            )
            yield facts, dict(record, recipe=recipe)


def idmm_runs():
    """The same of the poster, and of what its runs start from."""
    for record in of_document('idmm'):
        size = 448 if record['epochs'] == '800->100' else 224
        facts = dict(
            document='idmm',
            stage='fine-tuning',
            method=None,
            size=size,
            model=network_of(record),
            dataset=record['dataset'],
            epochs=100 if size == 448 else record['epochs'],
        )
        yield facts, record
        run = record.get('weights')
        while isinstance(run, dict):
            facts = dict(facts, size=224, dataset=run['dataset'], epochs=800)
            if '/pretrain/' in run['recipe']:
                facts.update(
                    stage='pre-training', method=record['start'], size=112
                )
            yield facts, run
            run = run.get('weights')


def other_runs():
    """The same of detection, segmentation and light MAE."""
    for record in [*of_document('drloc'), *of_document('mae')]:
        if 'metric' in record or record['recipe'].startswith('mae/'):
            yield (
                dict(
                    document=DOCUMENTS[record['source']],
                    folder=record['recipe'].split('/')[0],
                    network=network_of(record),
                ),
                record,
            )


# ---- what a config says -----------------------------------------------------

# Of a step of a pipeline, what is compared.
OPTIONS = {
    'RandomResizedCrop': ('scale', 'crop_ratio_range', 'interpolation'),
    'RandomFlip': ('prob',),
    'RandAugment': (
        'policies',
        'num_policies',
        'magnitude_level',
        'magnitude_std',
    ),
    'RandomErasing': ('erase_prob', 'mode'),
    'RandomApply': ('prob',),
    'ColorJitter': ('brightness', 'contrast', 'saturation', 'hue'),
    'RandomGrayscale': ('prob',),
    'GaussianBlur': ('magnitude_range', 'prob'),
    'RandomChoiceResize': ('scales',),
    'RandomCrop': ('crop_size',),
    'RandomResize': ('scale', 'ratio_range'),
}
DEFAULTS = dict(crop_ratio_range=(0.08, 1.0))


def kind(part):
    return part['type'].split('.')[-1]


def in_words(step):
    """A step of a pipeline: its name, its options, the steps within it."""
    name = kind(step)
    words = [name]
    for key in OPTIONS.get(name, ()):
        value = step.get(key, DEFAULTS.get(key))
        if key == 'scales':
            value = (value[0][0], value[-1][0])
        if isinstance(value, (list, tuple)):
            value = '..'.join(map(str, value))
        words += [] if value is None else [str(value)]
    branches = step.get('transforms', [])
    if branches and isinstance(branches[0], dict):
        branches = [branches]
    words += [f'[{", ".join(map(in_words, branch))}]' for branch in branches]
    return ' '.join(words)


def augmentation(cfg):
    """The steps of training but for reading and packing."""
    steps = cfg.train_dataloader.dataset.pipeline
    return [
        in_words(step)
        for step in steps
        if not kind(step).startswith(('Load', 'Pack'))
    ]


def test_size(cfg):
    """Of the images that are tested; None if none are."""
    if not cfg.get('val_dataloader'):
        return None
    size = None
    for step in cfg.val_dataloader.dataset.pipeline:
        size = step.get('crop_size', step.get('scale', size))
    return list(size) if isinstance(size, tuple) else size


test_size.__test__ = False


def decay(cfg):
    """How the learning rate falls, and its last value."""
    one = cfg.param_scheduler[0]
    if 'warmup' not in one:  # that is the warm-up alone
        one = cfg.param_scheduler[1]
    rate, name = cfg.optim_wrapper.optimizer.lr, kind(one)
    if name == 'MultiStepLR':
        last = rate * one.gamma ** len(one.milestones)
        name = ' '.join(map(str, ('steps', *one.milestones)))
    elif 'end_factor' in one:
        last = rate * one.end_factor
    else:
        last = one.get('eta_min', 0.0)
    names = dict(
        CosineAnnealingLR='cosine',
        WarmupOverCosineLR=f'cosine from epoch 0 of {one.get("total")}',
        PolyLR='linear' if one.get('power') == 1.0 else 'polynomial',
    )
    return names.get(name, name), round(last, 12)


def sizes_of_tests(cfg):
    """Of the augmentation of the test: sizes, and whether it flips."""
    if not cfg.get('tta_pipeline'):
        return None
    steps = [s for branch in cfg.tta_pipeline[1].transforms for s in branch]
    sizes = [step.scale for step in steps if kind(step) == 'Resize']
    flips = [step.prob for step in steps if kind(step) == 'RandomFlip']
    return [[*map(list, sizes)], any(flips)]


def source_of(head):
    """Which grids the head reads."""
    source = head.source
    return source if isinstance(source, str) else ' '.join(source)


def settings_of(cfg):
    """What is compared, of a resolved config."""
    hooks = {kind(hook): hook for hook in cfg.get('custom_hooks') or []}
    mixes = (cfg.model.get('train_cfg') or {}).get('augments', [])
    if 'AlternatingAugmentsHook' in hooks:
        mixes = hooks['AlternatingAugmentsHook'].augments
    loss = (cfg.model.get('head') or {}).get('loss', {})
    drloc = cfg.model.get('auxiliary_head')
    if drloc and kind(drloc) != 'DRLocHead':
        drloc = None
    warmup = cfg.param_scheduler[0]
    average = hooks.get('EMAHook')
    clip = hooks.get('DINOGradientsHook', cfg.optim_wrapper.get('clip_grad'))
    return dict(
        optimizer=kind(cfg.optim_wrapper.optimizer),
        decay=decay(cfg)[0],
        final_rate=decay(cfg)[1],
        test_time_augmentation=sizes_of_tests(cfg),
        signed=drloc and drloc.loss.get('signed', False),
        normalize=drloc and drloc.loss.get('normalize', 'k'),
        pool=drloc and drloc.get('pool'),
        source=drloc and source_of(drloc),
        learning_rate=cfg.optim_wrapper.optimizer.lr,
        weight_decay=cfg.optim_wrapper.optimizer.weight_decay,
        clip=clip and clip.max_norm,
        batch=(cfg.get('auto_scale_lr') or {}).get('base_batch_size'),
        batch_a_gpu=cfg.train_dataloader.batch_size,
        epochs=cfg.train_cfg.get('max_epochs', cfg.train_cfg.get('max_iters')),
        warmup=warmup.get('warmup', warmup.get('end')),
        drop_path=cfg.model.backbone.get('drop_path_rate', 0.0),
        label_smoothing=loss.get('label_smooth_val', 0),
        mix=[f'{kind(mix)} {mix.alpha}' for mix in mixes],
        augment=augmentation(cfg),
        image=test_size(cfg),
        average=average and round(1 - average.momentum, 9),
        pairs=drloc and drloc.get('num_pairs', 64),
        mlp=drloc and drloc.get('hidden_channels', 512),
        **{'lambda': drloc and drloc.loss.loss_weight},
    )


# ---- compared ---------------------------------------------------------------

# What a record itself says of a setting, by the names of either.
OF_THE_RECORD = {
    'num_pairs': 'pairs',
    'loss_weight': 'lambda',
    'hidden_channels': 'mlp',
}


def concerns(where, record):
    return all(
        record.get(key) in (wanted if isinstance(wanted, list) else [wanted])
        for key, wanted in where.items()
    )


def expected(record):
    """Settings with where they are from, of all that concerns a record."""
    found = {}
    for entry in SOURCES:
        if concerns(entry['where'], record):
            for key, value in entry['settings'].items():
                found[key] = (value, entry['from'])
    for name, key in OF_THE_RECORD.items():
        if name in record:
            found[key] = (record[name], 'the record')
    return found


def differences(runs):
    """Sentences."""
    sentences = []
    for record, run in runs:
        facts, settings = expected(record), settings_of(resolve_record(run))
        for key in sorted(settings.keys() | facts.keys()):
            value, source = facts.get(key, ('?', 'sources.yml'))
            if value not in (settings.get(key), 'unpublished'):
                sentences.append(
                    f'{run["recipe"]}, {run["dataset"]}: {key} is '
                    f'{settings.get(key)}, '
                    f'{value} according to {source}'
                )
    return sorted(set(sentences))


RUNS = (drloc_runs, official_runs, idmm_runs, other_runs)


@pytest.mark.parametrize('runs', RUNS)
def test_configs_do_as_their_sources_say(runs):
    runs = list(runs())
    assert runs
    wrong = differences(runs)
    assert not wrong, '\n'.join(wrong)


def test_every_source_is_of_use():
    records = [record for runs in RUNS for record, _ in runs()]
    for entry in SOURCES:
        assert any(concerns(entry['where'], record) for record in records), (
            entry
        )
