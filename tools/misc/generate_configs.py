"""Write the config of every published run from ``configs/published.yml``.

Besides the configs: the ``metafile.yml`` and the ``README.md`` of their
folders, and ``model-index.yml``.

Example:
    python tools/misc/generate_configs.py
    python tools/misc/generate_configs.py --check
"""

import argparse
import textwrap
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Dict, List, NamedTuple, Optional

import idmm_configs
import yaml
from config_texts import Record, as_yaml, markdown_table, notes_on

from mmdrloc.datasets.published import PUBLISHED as DATA_SETS
from mmdrloc.errors import UsageError, usage_errors_in_one_sentence
from mmdrloc.files import atomic_path

ROOT = Path(__file__).resolve().parents[2]


# ---- facts ---------------------------------------------------------------


class Model(NamedTuple):
    """A network of the experiments.

    Args:
        title (str): Its name in the tables.
        loss_weight (float): Its lambda, as in ``configs/_base_/models``.
        in1k (str, optional): File of its authors' ImageNet-1K weights.
        url (str, optional): Where that file is.
    """

    title: str
    loss_weight: float
    in1k: Optional[str] = None
    url: Optional[str] = None


MODELS = {
    'cvt-13': Model('CvT-13', 0.1),
    'swin-tiny': Model(
        'Swin-T',
        0.5,
        'swin_tiny_patch4_window7_224.pth',
        'https://github.com/SwinTransformer/storage/releases/download/v1.0.0/',
    ),
    't2t-vit-14': Model(
        'T2T-ViT-14',
        0.1,
        '81.5_T2T_ViT_14.pth.tar',
        'https://github.com/yitu-opensource/T2T-ViT/releases/download/main/',
    ),
    'vit-b16': Model('ViT-B/16', 0.01),
    'resnet-50': Model(
        'ResNet-50',
        0.1,
        'resnet50-0676ba61.pth',
        'https://download.pytorch.org/models/',
    ),
}

DATASETS = {
    'imagenet-1k': 'ImageNet-1K',
    'imagenet-100': 'ImageNet-100',
    'cifar10': 'CIFAR-10',
    'cifar100': 'CIFAR-100',
    'flowers102': 'Flowers102',
    'svhn': 'SVHN',
    'domainnet-clipart': 'DomainNet ClipArt',
    'domainnet-infograph': 'DomainNet Infograph',
    'domainnet-painting': 'DomainNet Painting',
    'domainnet-quickdraw': 'DomainNet QuickDraw',
    'domainnet-real': 'DomainNet Real',
    'domainnet-sketch': 'DomainNet Sketch',
}

# Where the paper and its code cut test images differently.
UNCROPPED = ('cifar10', 'cifar100', 'svhn')

# Networks whose authors drop paths and which the official code runs without.
NO_PATHS_DROPPED = ('cvt-13', 't2t-vit-14')


class Protocol(NamedTuple):
    """How a run is trained, and where its config is.

    Args:
        folder (str): Below ``configs``.
        tag (str): In the names of the configs.
        title (str): What comes after 'on CIFAR-10,'.
        intro (str): First paragraph of the folder's README.
    """

    folder: str
    tag: str
    title: str
    intro: str


PROTOCOLS = {
    ('scratch', 100): Protocol(
        'scratch_100e',
        '100e',
        'from scratch in 100 epochs',
        'Random weights, AdamW with a learning rate of 1e-3 at 1,024 images '
        'an update, weight decay 0.05, 20 epochs of warm-up and a cosine, '
        '100 epochs.',
    ),
    ('scratch', 300): Protocol(
        'scratch_300e',
        '300e',
        'from scratch in 300 epochs',
        'As [scratch_100e](../scratch_100e/README.md), for 300 epochs.',
    ),
    ('in1k', 100): Protocol(
        'finetune_100e',
        'ft-100e',
        'from ImageNet-1K weights in 100 epochs',
        "The weights that the networks' authors trained on ImageNet-1K, "
        'a learning rate of 5e-4 at 1,024 images an update, 10 epochs of '
        'warm-up; the rest as in [scratch_100e](../scratch_100e/README.md). '
        'Lambda is that of training from scratch.',
    ),
}
OFFICIAL = Protocol(
    'official',
    'official-101e',
    'as the official code runs it',
    'Variants of the configs in [scratch_100e](../scratch_100e/README.md) '
    'that do what the official code does, where that is not what the paper '
    'says: 101 epochs of a schedule of 300, a cosine that runs from epoch 0 '
    'behind the warm-up, a lambda that rises for 20 epochs and then falls, '
    'offsets in cells, other pooling and weight decay, no drop path in CvT '
    'and T2T-ViT, and test images of CIFAR and SVHN cut to their centre. '
    'Varied are all of Table 4, the 100 epochs of Table 3 (ImageNet-100 is '
    'what the training script names), ViT-B/16 on CIFAR-10, and other losses '
    'of Table 6: its options `ce`, `cbr` and `use_multiscale`. Which of the '
    'two gave the published numbers is not known; they are claimed by the '
    'configs that follow the paper.',
)


class Method(NamedTuple):
    """A loss, or none.

    Args:
        tag (str): In the names of the configs.
        title (str): In the tables.
        change (str): How its config differs from that of plain DRLoc.
    """

    tag: str
    title: str
    change: str = ''


METHODS = {
    'baseline': Method('', 'baseline'),
    'drloc': Method('drloc', 'DRLoc'),
    'drloc-signed': Method(
        'drloc-signed',
        'DRLoc, signed offsets',
        'model = dict(auxiliary_head=dict(loss=dict(signed=True)))',
    ),
    'drloc-ce': Method(
        'drloc-ce',
        'DRLoc, cross-entropy',
        """\
model = dict(
    auxiliary_head=dict(
        grid_size=(7, 7), loss=dict(type='mmdrloc.DRLocCrossEntropyLoss')
    )
)""",
    ),
    'drloc-reg': Method(
        'drloc-reg',
        'DRLoc, mean and variance of classes',
        """\
model = dict(
    auxiliary_head=dict(
        grid_size=(7, 7), loss=dict(type='mmdrloc.DRLocGaussianLoss')
    )
)""",
    ),
    'drloc-all': Method(
        'drloc-all',
        'DRLoc on every block',
        """\
model = dict(
    auxiliary_head=dict(
        source='stages.*.blocks.*',
        in_channels=[96] * 2 + [192] * 2 + [384] * 6 + [768] * 2,
    )
)""",
    ),
}
# What the official code has in place of a loss on every block.
MULTISCALE = Method(
    'drloc-stages',
    'DRLoc on every stage (`use_multiscale`)',
    """\
model = dict(
    auxiliary_head=dict(
        source=['stages.[012].downsample', 'stages.3'],
        in_channels=[192, 384, 768, 768],
    )
)""",
)

# Options of which the paper tries several values, by their keys in the
# records: the Method of a value.
SWEPT = {
    'num_pairs': Method(
        'drloc-m{}',
        'DRLoc, {} pairs',
        'model = dict(auxiliary_head=dict(num_pairs={}))',
    ),
    'loss_weight': Method(
        'drloc-lam{}',
        'DRLoc, lambda {}',
        'model = dict(auxiliary_head=dict(loss=dict(loss_weight={})))',
    ),
    'hidden_channels': Method(
        'drloc-mlp{}',
        'DRLoc, MLP of {} channels',
        'model = dict(auxiliary_head=dict(hidden_channels={}))',
    ),
}

# Tables in the order of their documents: title, and what the columns are.
TABLES = {
    '2a': ('Number of pairs', 'num_pairs'),
    '2b': ('Lambda', 'loss_weight'),
    '3': ('ImageNet-100', 'dataset'),
    '4': ('Training from scratch', 'dataset'),
    '5': ('Fine-tuning', 'dataset'),
    '6': ('Variants of the loss', 'dataset'),
    '7': ('ImageNet-1K', 'dataset'),
    '8': ('Longer training', 'dataset'),
    '9': ('ViT-B/16', 'dataset'),
    '16': ('Width of the MLP', 'hidden_channels'),
}


# ---- runs ----------------------------------------------------------------


@dataclass(frozen=True)
class Run:
    """One training, whichever tables show it.

    Args:
        model (str): Key of MODELS.
        method (Method): The loss.
        dataset (str): Key of DATASETS.
        protocol (Protocol): How it is trained.
    """

    model: str
    method: Method
    dataset: str
    protocol: Protocol

    @property
    def name(self) -> str:
        """Of the config, without suffix."""
        parts = (self.model, self.method.tag, self.protocol.tag, self.dataset)
        return '_'.join(part for part in parts if part)

    @property
    def path(self) -> str:
        """Of the config, from the root of the repository."""
        return f'configs/{self.protocol.folder}/{self.name}.py'

    @property
    def title(self) -> str:
        """The run in words."""
        return (
            f'{MODELS[self.model].title} on {DATASETS[self.dataset]} '
            f'{self.protocol.title}: {self.method.title}'
        )


def run_of(record: Record) -> Run:
    """The run that a record is a result of."""
    return Run(
        record['model'],
        method_of(record),
        record['dataset'],
        PROTOCOLS[record['init'], record['epochs']],
    )


def method_of(record: Record) -> Method:
    """The record's loss, told by the option that is not the recipe's."""
    recipe = dict(
        num_pairs=64,
        hidden_channels=512,
        loss_weight=MODELS[record['model']].loss_weight,
    )
    for key, method in SWEPT.items():
        value = record.get(key, recipe[key])
        if value != recipe[key]:
            return Method(*(text.format(value) for text in method))
    return METHODS[record['method']]


def paper_runs(records: List[Record]) -> Dict[Run, List[Record]]:
    """The runs of the records, each with all that are published of it."""
    runs: Dict[Run, List[Record]] = {}
    for record in records:
        runs.setdefault(run_of(record), []).append(record)
    return runs


def official_runs(records: List[Record]) -> Dict[Run, Run]:
    """Variants as the official code runs them, each with the run it varies."""
    runs = [run_of(record) for record in records if has_official(record)]
    return {official_of(run): run for run in runs}


def has_official(record: Record) -> bool:
    """Whether a record's run has a variant."""
    if record['epochs'] != 100:
        return False
    if record['table'] == '6':
        return record['method'] in ('drloc-ce', 'drloc-reg', 'drloc-all')
    if record['table'] == '9':
        return record['dataset'] == 'cifar10'
    return record['table'] in ('3', '4')


def official_of(run: Run) -> Run:
    """The variant of a run."""
    method = run.method
    if method == METHODS['drloc-all']:
        method = MULTISCALE
    return replace(run, method=method, protocol=OFFICIAL)


# ---- configs -------------------------------------------------------------


def config_of(run: Run, statements: List[str]) -> str:
    """Text of a config.

    Args:
        run (Run): What it trains.
        statements (list[str]): What is known of its results.

    Returns:
        str: The whole file.
    """
    lines = [*textwrap.wrap(f'{run.title}.', 77), '']
    lines += [f'Data:  {preparation_of(run)}']
    if starts_from_weights(run):
        model = MODELS[run.model]
        lines += [
            f'Needs: {model.url}',
            f'           {model.in1k}',
            f'       python tools/transfer.py {model.in1k} \\',
            f'           {checkpoint_of(run)}',
        ]
    lines += ['Train: python tools/train.py \\', f'    {run.path}']
    lines += ['8 GPUs: bash tools/dist_train.sh \\', f'    {run.path} 8']
    for statement in statements:
        lines += textwrap.wrap(statement, 77, subsequent_indent='    ')
    header = ''.join(f'# {line}'.rstrip() + '\n' for line in lines)
    return f'{header}{body_of(run)}\n'


def body_of(run: Run) -> str:
    """What is below the header."""
    if run.method.change:
        plain = replace(run, method=METHODS['drloc'])
        return f"_base_ = './{plain.name}.py'\n\n{run.method.change}"
    bases = ''.join(f"    '../_base_/{base}.py',\n" for base in bases_of(run))
    return f'_base_ = [\n{bases}]\n\n{settings_of(run)}'


def bases_of(run: Run) -> List[str]:
    """The files in ``_base_`` of a config; twins differ in the model's."""
    official = run.protocol is OFFICIAL
    model = run.model
    if run.method.tag:
        model += '_drloc-official' if official else '_drloc'
    elif official and model in NO_PATHS_DROPPED:
        model += '_official'
    dataset = run.dataset.replace('imagenet-', 'imagenet').replace('-', '_')
    if run.dataset in UNCROPPED and not official:
        dataset += '_uncropped'
    schedule = 'official_101e' if official else run.protocol.folder
    if official and run.model == 'cvt-13':
        schedule += '_cvt'
    if has_own_recipe(run):
        schedule = 't2t_310e'
    return [
        f'models/{model}',
        f'former_datasets/{dataset}',
        f'schedules/{schedule}',
        'cls_runtime',
    ]


def settings_of(run: Run) -> str:
    """The assignments of a config that joins bases."""
    num_classes = DATA_SETS[run.dataset].num_classes
    if starts_from_weights(run):
        return f"""\
authors_file = '{MODELS[run.model].in1k}'
checkpoint = '{checkpoint_of(run)}'
model = dict(
    backbone=dict(
        init_cfg=dict(
            type='Pretrained', checkpoint=checkpoint, prefix='backbone.'
        )
    ),
    head=dict(num_classes={num_classes}),
)
custom_hooks = [
    dict(
        type='mmdrloc.TransferCheckHook',
        made_by=f'python tools/transfer.py {{authors_file}} {{checkpoint}}',
    )
]"""
    settings = f'model = dict(head=dict(num_classes={num_classes}))'
    if has_own_recipe(run):
        settings += '\ntrain_dataloader = dict(batch_size=64)'
    if run.protocol is OFFICIAL and run.method.tag:
        settings += """
custom_hooks = [dict(type='mmdrloc.DRLocWeightHook', total_epochs=300)]"""
    return settings


def has_own_recipe(run: Run) -> bool:
    """Whether the supplement trains with the recipe of the network."""
    return (run.model, run.dataset) == ('t2t-vit-14', 'imagenet-1k')


def starts_from_weights(run: Run) -> bool:
    """Whether the run starts from weights of ImageNet-1K."""
    return run.protocol is PROTOCOLS['in1k', 100]


def checkpoint_of(run: Run) -> str:
    """The file of the weights that a run starts from."""
    return f'checkpoints/{run.model}_in1k.pth'


def preparation_of(run: Run) -> str:
    """The command that prepares a run's data."""
    return f'python tools/dataset_converters/prepare.py {run.dataset}'


# ---- what is known of a run ----------------------------------------------


def published(record: Record) -> str:
    """A record in words."""
    details = []
    if 'delta' in record:
        details.append(f'{record["delta"]:+g}')
    if 'std' in record:
        details.append(f'+- {record["std"]:g} over {record["seeds"]} seeds')
    details.append(f'{record["source"]}, Table {record["table"]}')
    return f'{record["value"]:g} % top-1 ({"; ".join(details)})'


def statements_of(
    records: List[Record], inconsistencies: List[Dict[str, Any]]
) -> List[str]:
    """What a config's header says of its results."""
    notes = notes_on(records, inconsistencies)
    return [
        *(f'Published: {published(record)}.' for record in records),
        *(f'Note: {text}.' for text in notes.values()),
        'Measured: not measured.',
    ]


def metafile_entry(run: Run, facts: Dict[str, Any]) -> Dict[str, Any]:
    """What ``metafile.yml`` says of a config."""
    results = dict(
        Task='Image Classification', Dataset=DATASETS[run.dataset], Metrics={}
    )
    return {
        'Name': run.name,
        'In Collection': 'DRLoc',
        'Config': run.path,
        'Results': [results],
        **facts,
        'Measured': 'not measured',
    }


def published_entries(records: List[Record]) -> List[Dict[str, Any]]:
    """The records as ``metafile.yml`` has them."""
    keys = ('source', 'table', 'value', 'delta', 'std', 'seeds')
    return [
        {key.capitalize(): record[key] for key in keys if key in record}
        for record in records
    ]


# ---- tables --------------------------------------------------------------


def tables_of(records: List[Record]) -> str:
    """Markdown tables of records in the shape of the paper's."""
    parts = []
    for number, (title, column) in TABLES.items():
        rows = [record for record in records if record['table'] == number]
        if rows:
            source = rows[0]['source']
            parts.append(f'## Table {number} ({source}): {title}\n')
            cells = [
                (
                    row_title(r, column),
                    column_title(r, column),
                    published_cell(r),
                )
                for r in rows
            ]
            parts.append(markdown_table(cells))
    return '\n'.join(parts)


def row_title(record: Record, column: str) -> str:
    """The network, and the loss unless the columns tell."""
    model = MODELS[record['model']].title
    if column != 'dataset':
        return model
    return f'{model}, {METHODS[record["method"]].title}'


def column_title(record: Record, column: str) -> str:
    """The data set or the value of the option."""
    if column == 'dataset':
        return short_title(record['dataset'])
    return f'{record[column]:g}' if column in record else 'without'


def short_title(dataset: str) -> str:
    """A data set at the head of a column."""
    return DATASETS[dataset].replace('DomainNet ', '')


def published_cell(record: Record) -> str:
    """The published value, linked to its config."""
    cell = f'[{record["value"]:g}]({run_of(record).name}.py)'
    if 'std' in record:
        cell += f' ± {record["std"]:g}'
    if 'delta' in record:
        cell += f' ({record["delta"]:+g})'
    return cell


def readme_of(
    protocol: Protocol, cells: str, tables: str, notes: Dict[str, str]
) -> str:
    """The README of a folder.

    Args:
        protocol (Protocol): Of the folder.
        cells (str): What the cells of the tables are.
        tables (str): Markdown.
        notes (dict[str, str]): What does not agree, by names.

    Returns:
        str: Markdown.
    """
    title = protocol.title[0].upper() + protocol.title[1:]
    how = (
        f'{cells}, whose headers hold the commands; none has been measured '
        'here yet. A config and its twin with `_drloc` in the name differ in '
        'the method alone. The recipe is that of 8 GPUs with 128 images each, '
        'unless a header names another.'
    )
    parts = [
        f'# {title}\n',
        textwrap.fill(protocol.intro, 79) + '\n',
        textwrap.fill(how, 79) + '\n',
        tables,
    ]
    if notes:
        lines = [
            textwrap.fill(f'- {name}: {text}.', 79, subsequent_indent='  ')
            for name, text in notes.items()
        ]
        parts.append('## What to know of these numbers\n')
        parts.append('\n'.join(lines) + '\n')
    return '\n'.join(parts)


# ---- files ---------------------------------------------------------------


def generate() -> Dict[str, str]:
    """Everything that is generated.

    Returns:
        dict[str, str]: Texts by their paths from the root.
    """
    facts = yaml.safe_load((ROOT / 'configs/published.yml').read_text())
    files = {}
    for protocol in PROTOCOLS.values():
        records = [
            r for r in facts['records'] if run_of(r).protocol == protocol
        ]
        files.update(paper_folder(protocol, records, facts['inconsistencies']))
    files.update(official_folder(facts['records']))
    files.update(
        idmm_configs.generate(
            facts['idmm_records'], facts['idmm_inconsistencies']
        )
    )
    files['model-index.yml'] = model_index(files)
    return files


def paper_folder(
    protocol: Protocol,
    records: List[Record],
    inconsistencies: List[Dict[str, Any]],
) -> Dict[str, str]:
    """The files of a protocol of the paper."""
    runs = paper_runs(records)
    files = {
        run.path: config_of(run, statements_of(own, inconsistencies))
        for run, own in runs.items()
    }
    entries = [
        metafile_entry(run, dict(Published=published_entries(own)))
        for run, own in runs.items()
    ]
    readme = readme_of(
        protocol,
        'Cells are published top-1 accuracies (%) and lead to their configs',
        tables_of(records),
        notes_on(records, inconsistencies),
    )
    return {**files, **descriptions(protocol, entries, readme)}


def official_folder(records: List[Record]) -> Dict[str, str]:
    """The files of the official code's protocol."""
    variants = official_runs(records)
    files = {
        run.path: config_of(run, official_statements(run, paper))
        for run, paper in variants.items()
    }
    entries = [
        metafile_entry(run, {'Variant Of': paper.name})
        for run, paper in variants.items()
    ]
    cells = [
        (
            f'{MODELS[run.model].title}, {run.method.title}',
            short_title(run.dataset),
            f'[config]({run.name}.py)',
        )
        for run in variants
    ]
    readme = readme_of(
        OFFICIAL, 'Cells lead to the configs', markdown_table(cells), {}
    )
    return {**files, **descriptions(OFFICIAL, entries, readme)}


def official_statements(run: Run, paper: Run) -> List[str]:
    """What the header of a variant says beside its commands."""
    statements = [f'Variant of: {paper.name}.py']
    if run.model in NO_PATHS_DROPPED:
        statements.append(
            "Note: no drop path, as the official code; the network's authors "
            'have 0.1.'
        )
    return [*statements, 'Measured: not measured.']


def descriptions(
    protocol: Protocol, entries: List[Dict[str, Any]], readme: str
) -> Dict[str, str]:
    """What describes the configs of a folder."""
    folder = f'configs/{protocol.folder}'
    return {
        f'{folder}/metafile.yml': as_yaml(dict(Models=entries)),
        f'{folder}/README.md': readme,
    }


def model_index(files: Dict[str, str]) -> str:
    """All metafiles, those written by hand too."""
    by_hand = ROOT.glob('configs/*/metafile.yml')
    paths = {path.relative_to(ROOT).as_posix() for path in by_hand}
    paths.update(path for path in files if path.endswith('metafile.yml'))
    return as_yaml(dict(Import=sorted(paths)))


def differences(files: Dict[str, str]) -> List[str]:
    """Paths of files that are not as generated, or should not be there."""
    folders = {str(Path(path).parent) for path in files} - {'.'}
    here = {
        path.relative_to(ROOT).as_posix()
        for folder in folders
        for path in (ROOT / folder).glob('*.*')
    }
    return sorted(here - set(files)) + [
        path
        for path, text in files.items()
        if not (ROOT / path).is_file() or (ROOT / path).read_text() != text
    ]


def parse_args() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(
        description='Write the configs of all published runs.'
    )
    parser.add_argument(
        '--check',
        action='store_true',
        help='write nothing, fail if a file is not up to date',
    )
    return parser.parse_args()


def main() -> None:
    """Write or check."""
    args = parse_args()
    files = generate()
    if not args.check:
        for path, text in files.items():
            with atomic_path(ROOT / path) as temporary:
                temporary.write_text(text)
    with usage_errors_in_one_sentence():
        wrong = differences(files)
        if wrong:
            raise UsageError(
                f'{len(wrong)} files are not as generated, {wrong[0]} among '
                'them: run python tools/misc/generate_configs.py and remove '
                'what it did not write.'
            )
    print(f'{len(files)} files are up to date')


if __name__ == '__main__':
    main()
