"""The configs of IDMM's poster: pre-training, fine-tuning, ImageNet.

Called by ``generate_configs.py``. A record of the poster is the result of a
fine-tuning; what that starts from, and what that in turn starts from, get
configs of their own.
"""

import textwrap
from dataclasses import dataclass, replace
from typing import Any, Dict, Iterable, List, NamedTuple, Optional, Tuple

from config_texts import Record, as_yaml, markdown_table, notes_on

from mmdrloc.datasets.published import PUBLISHED as DATA_SETS

# ---- facts ---------------------------------------------------------------


class Model(NamedTuple):
    """A network of the poster.

    Args:
        title (str): Its name in the tables.
        in1k (str): File of ImageNet-1K weights, here.
        url (str): Folder where that file is.
        download (str, optional): Its name there, if many have that name.
            Defaults to None, for the same as here.
    """

    title: str
    in1k: str
    url: str
    download: Optional[str] = None

    @property
    def has_positions(self) -> bool:
        """Whether ``img_size`` is an argument of the network."""
        return not self.title.startswith('PVT')


DEIT_FILES = 'https://dl.fbaipublicfiles.com/deit/'
MODELS = {
    'deit-tiny': Model(
        'DeiT-Tiny', 'deit_tiny_patch16_224-a1311bcf.pth', DEIT_FILES
    ),
    'deit-base': Model(
        'DeiT-Base', 'deit_base_patch16_224-b5f2ef4d.pth', DEIT_FILES
    ),
    'pvtv2-b0': Model(
        'PVTv2-B0',
        'pvt_v2_b0.in1k.safetensors',
        'https://huggingface.co/timm/pvt_v2_b0.in1k/resolve/main/',
        'model.safetensors',
    ),
    'pvtv2-b3': Model(
        'PVTv2-B3',
        'pvt_v2_b3.in1k.safetensors',
        'https://huggingface.co/timm/pvt_v2_b3.in1k/resolve/main/',
        'model.safetensors',
    ),
    't2t-vit-7': Model(
        'T2T-ViT-7',
        '71.7_T2T_ViT_7.pth.tar',
        'https://github.com/yitu-opensource/T2T-ViT/releases/download/main/',
    ),
}
DATASETS = {
    'flowers102': 'Flowers102',
    'pets': 'Pets',
    'dtd': 'DTD',
    'indoor67': 'Indoor67',
    'cub': 'CUB',
    'aircraft': 'Aircraft',
    'cars': 'Cars',
    'sin-10k': 'SIN-10k',
    'sin-total-10k': 'SIN-total 10k',
    'imagenet-1k': 'ImageNet-1K',
}
SUBSETS = ('sin-10k', 'sin-total-10k')


class Method(NamedTuple):
    """A way of pre-training.

    Args:
        title (str): In the tables.
        views (str): Its crops, in ``configs/_base_/views``.
        loader (dict): What its configs add to the training data.
        head (dict): What they add to the head.
        lines (str): What they say besides.
        schedule (str, optional): Of its own, in ``configs/_base_/schedules``.
            Defaults to None, for IDMM's of the network.
    """

    title: str
    views: str
    loader: Dict[str, Any] = {}
    head: Dict[str, Any] = {}
    lines: str = ''
    schedule: Optional[str] = None


# The others are compared batch by batch: no batch may be shorter.
WHOLE_BATCHES = dict(drop_last='True')
METHODS = {
    'idmm': Method('IDMM', 'idmm'),
    'idmm-official': Method(
        'IDMM without label smoothing, as in the official script,',
        'idmm',
        head=dict(
            # In that script, label smoothing is commented out.
            loss=dict(
                _delete_='True',
                type="'mmpretrain.CrossEntropyLoss'",
                use_soft='True',
            )
        ),
    ),
    'simclr': Method('SimCLR', 'simclr', WHOLE_BATCHES),
    'supcon': Method(
        'SupCon',
        'simclr',
        dict(batch_size='128', **WHOLE_BATCHES),
        lines='auto_scale_lr = dict(base_batch_size=512)',
    ),
    'mocov2': Method('MoCo v2', 'mocov2', WHOLE_BATCHES),
    'mocov3': Method('MoCo v3', 'mocov3', WHOLE_BATCHES),
    'dino': Method('DINO', 'dino', WHOLE_BATCHES, schedule='dino_800e'),
}

TABLES = {
    'pre-training methods': 'idmm_finetune',
    'transfer': 'idmm_finetune',
    'training from scratch': 'idmm_finetune',
    'ImageNet': 'idmm_imagenet',
}
INTROS = {
    'idmm_pretrain': (
        'Pre-training for IDMM',
        'IDMM and what it is compared with, on the training images of the '
        'target or on 10,000 of ImageNet-1K: 800 epochs, crops of 112 '
        'pixels. The settings of SimCLR and MoCo that the poster does not '
        "give are mmpretrain's; those of DINO are the official branch's.",
    ),
    'idmm_finetune': (
        'Fine-tuning after IDMM',
        'Supervised training on the same images at 224 pixels, and from '
        'there at 448: alternating Mixup and CutMix, drop path 0.1, AdamW '
        'with a decay of 1e-3. 800 epochs at 224 pixels are what the poster '
        'says, 200 what the official scripts do, which go on to 448 from '
        'there (`*-official_ft448-100e_*`).',
    ),
    'idmm_imagenet': (
        'ImageNet-1K after IDMM',
        'IDMM on 10,000 images, then ImageNet-1K as in '
        '[scratch_100e](../scratch_100e/README.md) and '
        '[scratch_300e](../scratch_300e/README.md).',
    ),
}


# ---- runs ----------------------------------------------------------------


@dataclass(frozen=True)
class Pretraining:
    """A training without the target's head.

    Args:
        method (str): Key of METHODS.
        model (str): Key of MODELS.
        dataset (str): Key of DATASETS.
    """

    method: str
    model: str
    dataset: str

    folder = 'idmm_pretrain'
    epochs = 800
    gpus = 4

    @property
    def name(self) -> str:
        """Of the config, without suffix."""
        return f'{self.method}_{self.model}_{self.epochs}e_{self.dataset}'

    @property
    def tag(self) -> str:
        """In the names of what starts from it."""
        return self.method

    @property
    def title(self) -> str:
        """The run in words."""
        return (
            f'{METHODS[self.method].title} of {MODELS[self.model].title} on '
            f'{DATASETS[self.dataset]} in {self.epochs} epochs'
        )

    @property
    def body(self) -> str:
        """What is below the header."""
        method = METHODS[self.method]
        schedule = 'idmm_deit_800e' if 'deit' in self.model else 'idmm_800e'
        bases = [
            f'models/{self.method.split("-")[0]}_{self.model}',
            dataset_base(self.dataset),
            f'views/{method.views}_112px',
            f'schedules/{method.schedule or schedule}',
            'idmm_pretrain',
        ]
        head = dict(method.head)
        if self.method.startswith('idmm'):
            head['num_classes'] = str(num_train(self.dataset))
        loader = dict(
            method.loader, dataset=dict(pipeline='_base_.pretraining')
        )
        lines = [assignment('model', dict(head=head))] if head else []
        lines += [
            assignment('train_dataloader', loader),
            'val_dataloader = val_evaluator = val_cfg = None',
            'test_dataloader = test_evaluator = test_cfg = None',
        ]
        if method.lines:
            lines += [method.lines]
        return bases_text(bases) + '\n'.join(lines)


@dataclass(frozen=True)
class Finetuning:
    """A supervised training.

    Args:
        model (str): Key of MODELS.
        dataset (str): Key of DATASETS.
        epochs (int): Of training.
        start (Pretraining | Finetuning, optional): Where the backbone comes
            from; None for random weights or those of ImageNet-1K.
        in1k (bool): Whether it starts from those.
        size (int): Of the images. Defaults to 224.
    """

    model: str
    dataset: str
    epochs: int
    start: Optional[Any] = None
    in1k: bool = False
    size: int = 224

    @property
    def on_imagenet(self) -> bool:
        """Whether the target is ImageNet-1K, with a recipe of its own."""
        return self.dataset == 'imagenet-1k'

    @property
    def folder(self) -> str:
        """Below ``configs``."""
        return 'idmm_imagenet' if self.on_imagenet else 'idmm_finetune'

    @property
    def gpus(self) -> int:
        """Of the recipe."""
        return 8 if self.on_imagenet else 4

    @property
    def tag(self) -> str:
        """In the names of what starts from it."""
        if self.size == 224 and self.dataset in SUBSETS:
            return 'super'
        return self.origin

    @property
    def origin(self) -> str:
        """Where the weights come from, in names."""
        if self.in1k:
            return 'in1k'
        if self.start is None:
            return ''
        if self.start.dataset in SUBSETS:
            return f'{self.start.tag}-{self.start.dataset}'
        if self.start.epochs == 200:
            # The scripts' way, whether or not that of its start differs.
            return f'{self.start.tag.split("-")[0]}-official'
        return self.start.tag

    @property
    def name(self) -> str:
        """Of the config, without suffix."""
        protocol = f'ft-{self.epochs}e'
        if self.size != 224:
            protocol = f'ft{self.size}-{self.epochs}e'
        if self.on_imagenet:
            protocol = f'{self.epochs}e'
        parts = (self.model, self.origin, protocol, self.dataset)
        return '_'.join(part for part in parts if part)

    @property
    def title(self) -> str:
        """The run in words."""
        start = 'random weights'
        if self.in1k:
            start = 'ImageNet-1K weights'
        if self.start is not None:
            start = f'{self.start.name}.py'
        return (
            f'{MODELS[self.model].title} on {DATASETS[self.dataset]} at '
            f'{self.size} pixels in {self.epochs} epochs, from {start}'
        )

    @property
    def checkpoint(self) -> str:
        """The file of the weights that it starts from."""
        if self.in1k:
            return f'checkpoints/{self.model}_in1k.pth'
        return f'work_dirs/{self.start.name}/backbone.pth'

    @property
    def source(self) -> str:
        """The file that :attr:`checkpoint` is made of."""
        if self.in1k:
            return MODELS[self.model].in1k
        return f'work_dirs/{self.start.name}/epoch_{self.start.epochs}.pth'

    @property
    def body(self) -> str:
        """What is below the header."""
        lines = []
        if self.origin:
            lines += [
                string('source', self.source),
                string('checkpoint', self.checkpoint),
                string('this', path_of(self)),
                "command = f'python tools/transfer.py {source} {checkpoint} "
                "--config {this}'",
            ]
        lines.append(assignment('model', self._model()))
        if not self.on_imagenet:
            loader = dict(dataset=dict(pipeline='_base_.train_pipeline'))
            if self.size == 448:
                images = 8 if self.model == 't2t-vit-7' else 32
                loader = dict(batch_size=str(images), **loader)
            lines += [
                assignment('train_dataloader', loader),
                'val_dataloader = dict('
                'dataset=dict(pipeline=_base_.test_pipeline))',
                'test_dataloader = val_dataloader',
            ]
        if self.model == 't2t-vit-7' and self.size == 448:
            lines += [
                'optim_wrapper = dict(optimizer=dict(lr=1.25e-5))',
                'auto_scale_lr = dict(base_batch_size=32)',
            ]
        if self.origin:
            lines.append(assignment('custom_hooks', self._hooks()))
        return bases_text(self._bases()) + '\n'.join(lines)

    def _bases(self) -> List[str]:
        if self.on_imagenet:
            return [
                f'models/{self.model}',
                'former_datasets/imagenet1k',
                f'schedules/scratch_{self.epochs}e',
                'cls_runtime',
            ]
        deit = '_deit' if 'deit' in self.model else ''
        schedule = f'schedules/idmm{deit}_{self.epochs}e'
        if self.size == 448:
            schedule = f'schedules/idmm{deit}_448px_100e'
        return [
            f'models/{self.model}',
            dataset_base(self.dataset),
            f'views/finetune_{self.size}px',
            schedule,
            'idmm_finetune',
        ]

    def _model(self) -> Dict[str, Any]:
        """What the config says of its model."""
        backbone, head = {}, {}
        if not self.on_imagenet:
            backbone['drop_path_rate'] = '0.1'
        if self.size != 224 and MODELS[self.model].has_positions:
            backbone['img_size'] = str(self.size)
        if self.origin:
            backbone['init_cfg'] = pretrained('checkpoint', 'backbone.')
        head['num_classes'] = str(num_classes(self.dataset))
        if self.size != 224:
            # The official code takes the classifier along, too.
            head['init_cfg'] = pretrained('source', 'head.')
            # It stands in place of how the head would start otherwise.
            head['init_cfg']['_delete_'] = 'True'
        model = dict(backbone=backbone) if backbone else {}
        model['head'] = head
        if not self.on_imagenet:
            model['train_cfg'] = 'None'
        return model

    def _hooks(self) -> List[Any]:
        check = dict(type="'mmdrloc.TransferCheckHook'", made_by='command')
        return [check] if self.on_imagenet else ['*_base_.custom_hooks', check]


def assignment(name: str, value: Any) -> str:
    """``name = value`` as ruff formats it.

    Args:
        name (str): Of the variable.
        value (dict | list | str): A dict becomes ``dict(...)``, a string
            is an expression.

    Returns:
        str: Lines.
    """
    return _laid_out(f'{name} = ', value, 0, '')


def string(name: str, text: str) -> str:
    """``name = 'text'`` as ruff formats it."""
    line = f"{name} = '{text}'"
    return line if len(line) <= 79 else f"{name} = (\n    '{text}'\n)"


def _laid_out(before: str, value: Any, indent: int, after: str) -> str:
    line = ' ' * indent + before + _flat(value) + after
    if len(line) <= 79 or isinstance(value, str):
        return line
    first, last = ('dict(', ')') if isinstance(value, dict) else ('[', ']')
    inner = ' ' * (indent + 4) + ', '.join(_items(value))
    if len(inner) > 79:
        items = value.items() if isinstance(value, dict) else value
        inner = '\n'.join(
            _laid_out(f'{item[0]}=', item[1], indent + 4, ',')
            if isinstance(value, dict)
            else _laid_out('', item, indent + 4, ',')
            for item in items
        )
    space = ' ' * indent
    return f'{space}{before}{first}\n{inner}\n{space}{last}{after}'


def _flat(value: Any) -> str:
    if isinstance(value, str):
        return value
    inner = ', '.join(_items(value))
    return f'dict({inner})' if isinstance(value, dict) else f'[{inner}]'


def _items(value: Any) -> List[str]:
    if isinstance(value, dict):
        return [f'{key}={_flat(item)}' for key, item in value.items()]
    return [_flat(item) for item in value]


def pretrained(checkpoint: str, prefix: str) -> Dict[str, str]:
    """An ``init_cfg`` that reads a variable's checkpoint."""
    return dict(
        type="'Pretrained'", checkpoint=checkpoint, prefix=f"'{prefix}'"
    )


def num_classes(dataset: str) -> int:
    """Classes of the target."""
    return 1000 if dataset in SUBSETS else DATA_SETS[dataset].num_classes


def num_train(dataset: str) -> int:
    """Images to train on."""
    return 10_000 if dataset in SUBSETS else DATA_SETS[dataset].num_train


def dataset_base(dataset: str) -> str:
    """File in ``configs/_base_``."""
    return f'former_datasets/idmm_{dataset}'


def bases_text(bases: Iterable[str]) -> str:
    """``_base_`` of a config."""
    files = ''.join(f"    '../_base_/{base}.py',\n" for base in bases)
    return f'_base_ = [\n{files}]\n\n'


def run_of(record: Record) -> Finetuning:
    """The run that a record is a result of."""
    model, dataset = record['model'], record['dataset']
    if record['epochs'] == '800->100':
        low = run_of(dict(record, epochs=800))
        return Finetuning(model, dataset, 100, start=low, size=448)
    run = Finetuning(model, dataset, record['epochs'])
    if record['start'] == 'random':
        return run
    if record['pretrained_on'] == 'imagenet-1k':
        return replace(run, in1k=True)
    source = record['pretrained_on']
    source = dataset if source == 'own' else source
    if record['start'] == 'supervised':
        return replace(run, start=Finetuning(model, source, 800))
    return replace(run, start=Pretraining(record['start'], model, source))


def official_runs(records: List[Record]) -> Dict[Finetuning, Finetuning]:
    """What the scripts do, each with the run of the poster it varies.

    They fine-tune for 200 epochs, and go on from there to 448 pixels, but for
    the script of T2T-ViT at 448 pixels, which starts from 800. Those of
    DeiT-Tiny do not smooth labels in pre-training.
    """
    variants = {}
    for record in records:
        if record['table'] != 'training from scratch':
            continue
        run = run_of(record)
        if run.size != 448:
            continue
        paper = run.start
        start = paper.start
        if run.model == 'deit-tiny':
            start = replace(start, method='idmm-official')
        script = replace(paper, epochs=200, start=start)
        variants[script] = paper
        if run.model != 't2t-vit-7':
            variants[replace(run, start=script)] = run
    return variants


def with_starts(runs: Iterable[Finetuning]) -> List[Any]:
    """The runs, and what they start from."""
    found: Dict[Any, None] = {}
    for run in runs:
        while run is not None:
            found[run] = None
            run = getattr(run, 'start', None)
    return list(found)


# ---- texts ---------------------------------------------------------------


def config_of(run: Any, statements: List[str]) -> str:
    """Text of a config.

    Args:
        run (Pretraining | Finetuning): What it trains.
        statements (list[str]): What is known of its results.

    Returns:
        str: The whole file.
    """
    path = path_of(run)
    title = textwrap.wrap(f'{run.title}.', 77, break_on_hyphens=False)
    lines = [*title, '']
    lines += [f'Data:  {preparation_of(run.dataset)}']
    lines += needs_of(run)
    lines += ['Train: python tools/train.py \\', f'    {path}']
    lines += [
        f'{run.gpus} GPUs: bash tools/dist_train.sh \\',
        f'    {path} {run.gpus}',
    ]
    for statement in statements:
        lines += textwrap.wrap(statement, 77, subsequent_indent='    ')
    header = ''.join(f'# {line}'.rstrip() + '\n' for line in lines)
    return f'{header}{run.body}\n'


def needs_of(run: Any) -> List[str]:
    """How the weights are made that a run starts from."""
    if isinstance(run, Pretraining) or not run.origin:
        return []
    if run.in1k:
        model = MODELS[run.model]
        file = run.source
        if model.download:
            file = f'{model.download}, saved as {run.source}'
        made_by = [model.url, f'    {file}']
    else:
        made_by = ['python tools/train.py \\', f'    {path_of(run.start)}']
    target = [f'    {run.checkpoint} --config \\']
    if len(target[0]) > 77:
        target = [f'    {run.checkpoint} \\', '    --config \\']
    return [
        f'Needs: {made_by[0]}',
        made_by[1],
        'Then:  python tools/transfer.py \\',
        f'    {run.source} \\',
        *target,
        f'    {path_of(run)}',
    ]


def path_of(run: Any) -> str:
    """Of the config, from the root of the repository."""
    return f'configs/{run.folder}/{run.name}.py'


def preparation_of(dataset: str) -> str:
    """The command that prepares a run's data."""
    tool = 'imagenet_subset' if dataset in SUBSETS else 'prepare'
    return f'python tools/dataset_converters/{tool}.py {dataset}'


def metafile_entry(run: Any, facts: Dict[str, Any]) -> Dict[str, Any]:
    """What ``metafile.yml`` says of a config."""
    results = dict(
        Task='Image Classification', Dataset=DATASETS[run.dataset], Metrics={}
    )
    return {
        'Name': run.name,
        'In Collection': 'IDMM',
        'Config': path_of(run),
        'Results': [results],
        **facts,
        'Measured': 'not measured',
    }


def tables_of(records: List[Record], folder: str) -> str:
    """Markdown tables of records."""
    parts = []
    for table, table_folder in TABLES.items():
        if table_folder != folder:
            continue
        cells = [
            (
                f'{MODELS[r["model"]].title}, {start_title(r)}, '
                f'{r["epochs"]} epochs',
                DATASETS[r['dataset']],
                f'[{r["value"]:g}]({run_of(r).name}.py)',
            )
            for r in records
            if r['table'] == table
        ]
        parts += [f'## Table "{table}" (IDMM poster)\n', markdown_table(cells)]
    return '\n'.join(parts)


def start_title(record: Record) -> str:
    """Where a record's weights come from, in a row's title."""
    if record['start'] == 'random':
        return 'random weights'
    start = 'supervised'
    if record['start'] in METHODS:
        start = METHODS[record['start']].title
    if record['pretrained_on'] == 'own':
        return start
    return f'{start} on {DATASETS[record["pretrained_on"]]}'


def list_of(runs: Iterable[Any]) -> str:
    """A table of configs without published values."""
    return markdown_table(
        [
            (
                run.name[: -len(run.dataset) - 1],
                DATASETS[run.dataset],
                f'[config]({run.name}.py)',
            )
            for run in runs
        ]
    )


def readme_of(folder: str, tables: str, notes: Dict[str, str]) -> str:
    """The README of a folder."""
    title, intro = INTROS[folder]
    how = (
        'The headers of the configs hold the commands; none has been '
        'measured here yet. See [docs/idmm.md](../../docs/idmm.md).'
    )
    parts = [f'# {title}\n', textwrap.fill(intro, 79) + '\n']
    parts += [textwrap.fill(how, 79) + '\n', tables]
    if notes:
        lines = [
            textwrap.fill(f'- {name}: {text}.', 79, subsequent_indent='  ')
            for name, text in notes.items()
        ]
        parts.append('## What to know of these numbers\n')
        parts.append('\n'.join(lines) + '\n')
    return '\n'.join(parts)


# ---- files ---------------------------------------------------------------


def generate(
    records: List[Record], inconsistencies: List[Dict[str, Any]]
) -> Dict[str, str]:
    """The three folders.

    Args:
        records (list[dict]): Of the poster.
        inconsistencies (list[dict]): What does not agree.

    Returns:
        dict[str, str]: Texts by their paths from the root.
    """
    published: Dict[Finetuning, List[Record]] = {}
    for record in records:
        published.setdefault(run_of(record), []).append(record)
    variants = official_runs(records)
    files: Dict[str, str] = {}
    runs = with_starts([*published, *variants])
    for folder in INTROS:
        here = [run for run in runs if run.folder == folder]
        entries = []
        for run in here:
            own = published.get(run, [])
            statements, facts = known(run, own, variants, inconsistencies)
            files[path_of(run)] = config_of(run, statements)
            entries.append(metafile_entry(run, facts))
        own = [r for r in records if TABLES[r['table']] == folder]
        others = [run for run in here if run not in published]
        tables = tables_of(records, folder)
        if others:
            tables += '\n' * bool(tables)
            tables += f'## Without published values\n\n{list_of(others)}'
        files[f'configs/{folder}/metafile.yml'] = as_yaml(dict(Models=entries))
        files[f'configs/{folder}/README.md'] = readme_of(
            folder, tables, notes_on(own, inconsistencies)
        )
    return files


def known(
    run: Any,
    records: List[Record],
    variants: Dict[Finetuning, Finetuning],
    inconsistencies: List[Dict[str, Any]],
) -> Tuple[List[str], Dict[str, Any]]:
    """What a header and ``metafile.yml`` say of a run's results."""
    statements = [
        f'Published: {record["value"]:g} % top-1 ({record["source"]}, Table '
        f'"{record["table"]}").'
        for record in records
    ]
    notes = notes_on(records, inconsistencies)
    statements += [f'Note: {text}.' for text in notes.values()]
    facts: Dict[str, Any] = {}
    if records:
        facts['Published'] = [
            dict(Source=r['source'], Table=r['table'], Value=r['value'])
            for r in records
        ]
    elif run in variants:
        facts['Variant Of'] = variants[run].name
        statements.append(f'Variant of: {variants[run].name}.py')
    else:
        statements.append('Published: none.')
    return [*statements, 'Measured: not measured.'], facts
