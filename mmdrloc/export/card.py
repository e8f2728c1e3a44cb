"""What is said of a published model: README.md, with the Hub's metadata."""

from pathlib import Path
from typing import Any, Dict, List, NamedTuple, Optional, Sequence, Union

from huggingface_hub import EvalResult, ModelCardData
from mmengine.config import Config

from mmdrloc.reporting.identity import of_run
from mmdrloc.reporting.paired import CONFIDENCE, interval
from mmdrloc.reporting.results import RECORD, read_result
from mmdrloc.reporting.runs import Run, load_runs
from mmdrloc.reporting.tables import METRICS, Metric, markdown, spread, values
from mmdrloc.utils.errors import UsageError
from mmdrloc.version import __version__
from .kinds import Kind

# What the Hub calls them; others keep their names.
HUB_METRICS = {'accuracy/top1': 'accuracy', 'mIoU': 'mean_iou'}
TIMM_CODE = """\
import timm

model = timm.create_model('local-dir:timm', pretrained=True).eval()
"""


class Measured(NamedTuple):
    """What is known of a published checkpoint.

    Args:
        record (dict): The ``result.json`` of the run that wrote it.
        metrics (dict[Metric, float]): Its own, in the tables' units; empty
            if it was not validated as it is.
        seeds (list[Run]): The same training with several seeds, that run
            among them; empty if there are no others.
    """

    record: Dict[str, Any]
    metrics: Dict[Metric, float]
    seeds: List[Run]


def measured_by(
    checkpoint: Path,
    meta: Dict[str, Any],
    others: Sequence[Union[str, Path]],
) -> Optional[Measured]:
    """Read what was measured of a checkpoint.

    Args:
        checkpoint (Path): Its run's record is looked for beside it.
        meta (dict): Of the checkpoint, with the update that it is of.
        others (Sequence[str | Path]): Work folders of the same training
            with other seeds.

    Returns:
        Measured, optional: None if there is no record.

    Raises:
        UsageError: If a record is damaged, or of another training.
    """
    path = checkpoint.parent / RECORD
    if not path.is_file():
        if others:
            raise UsageError(
                f'there is no {path}, so {checkpoint} cannot be told to be of '
                'the same training as other runs: leave them out.'
            )
        return None
    record = read_result(path)
    by_iter = {entry['iter']: entry for entry in record['validations']}
    validation = by_iter.get(meta.get('iter'), {}).get('metrics', {})
    metrics = {
        metric: metric.factor * validation[metric.key]
        for metric in METRICS
        if metric.key in validation
    }
    seeds = _of_one_training(checkpoint.parent, others) if others else []
    return Measured(record, metrics, seeds)


def _of_one_training(
    folder: Path, others: Sequence[Union[str, Path]]
) -> List[Run]:
    [own] = load_runs([folder])
    runs = load_runs([folder, *others])
    for run in runs:
        if run.identity != own.identity:
            raise UsageError(
                f'{run.place} is a run of {run.config} on {run.dataset}, the '
                f'checkpoint one of {own.config} on {own.dataset}: give runs '
                'that differ in their seed alone.'
            )
    if len({run.seed for run in runs}) < len(runs):
        raise UsageError(
            'two of the runs have the same seed: give one a seed.'
        )
    return runs


def model_card(
    name: str,
    cfg: Config,
    kind: Kind,
    measured: Optional[Measured],
    license: Optional[str],
    timm: Optional[str],
) -> str:
    """Write the page of a published model.

    Args:
        name (str): Of the model.
        cfg (Config): As it is published.
        kind (Kind): What it is.
        measured (Measured, optional): What is known of it.
        license (str, optional): As the Hub names it.
        timm (str, optional): timm's name of the network, if there is a copy
            for it.

    Returns:
        str: Markdown, with the metadata that the Hub reads on top.
    """
    sections = [
        f'---\n{_metadata(name, kind, measured, license)}\n---\n',
        f'# {name}\n',
        _what_it_is(cfg, measured, license),
        f'## Use it\n\n{_needs(cfg, kind)}\n\n```python\n{kind.code}```\n',
    ]
    if timm is not None:
        sections.append(
            f'With timm alone, where it is {timm}:\n\n'
            f'```python\n{TIMM_CODE}```\n'
        )
    sections += [
        f'## Measured\n\n{_table(measured)}\n',
        f'## Training\n\n{_training(measured)}',
    ]
    return '\n'.join(sections)


def _metadata(
    name: str, kind: Kind, measured: Optional[Measured], license: Optional[str]
) -> str:
    dataset = measured.record['dataset']['name'] if measured else None
    results = [
        EvalResult(
            task_type=kind.task,
            dataset_type=dataset,
            dataset_name=dataset,
            metric_type=HUB_METRICS.get(metric.key, metric.key),
            metric_name=metric.title,
            metric_value=round(value, 2),
        )
        for metric, value in (measured.metrics.items() if measured else ())
    ]
    return ModelCardData(
        license=license,
        library_name=kind.library,
        pipeline_tag=kind.task,
        tags=['mmdrloc'],
        datasets=[dataset] if results else None,
        metrics=[result.metric_type for result in results] or None,
        model_name=name,
        eval_results=results or None,
    ).to_yaml()


def _what_it_is(
    cfg: Config, measured: Optional[Measured], license: Optional[str]
) -> str:
    library_class = cfg.model.type.rpartition('.')[2]
    backbone = cfg.model.backbone.type.rpartition('.')[2]
    text = f'`{library_class}` with the backbone `{backbone}`'
    if measured:
        dataset = measured.record['dataset']
        text += (
            f', trained on {dataset["name"]} '
            f'({dataset["train_images"]:,} images)'
        )
    terms = f'Licence: {license}.' if license else 'No licence is given.'
    return (
        f'{text}, with mmdrloc {__version__}. {terms}\n\n'
        '`model.safetensors` holds the weights, which are data; `config.py` '
        'is a program, as all configs of MMEngine are.\n'
    )


def _needs(cfg: Config, kind: Kind) -> str:
    """The packages by whose types a config is built."""
    text = cfg.pretty_text
    others = [
        library
        for library in ('mmpretrain', 'mmdet', 'mmseg', 'mmdrloc')
        if library != kind.library and f"'{library}." in text
    ]
    return f'With {", ".join([kind.library, *others])} and safetensors:'


def _table(measured: Optional[Measured]) -> str:
    if measured is None:
        return 'Nothing is known: no record lay beside the checkpoint.'
    if not measured.metrics and not measured.seeds:
        return 'This checkpoint was not validated.'
    images = measured.record['dataset']['val_images']
    lines = [f'On {images} validation images.\n']
    header = ['metric', 'this model']
    if measured.seeds:
        seeds = ', '.join(str(run.seed) for run in measured.seeds)
        header.append(f'seeds {seeds}, after the last update')
        lines[0] = (
            f'{lines[0][:-2]}; of several seeds the mean ± the standard '
            f'deviation, and the {100 * CONFIDENCE:.0f} % interval of the '
            'mean (Student t).\n'
        )
    rows = []
    for metric in METRICS:
        if metric.key not in measured.record['last']:
            continue
        value = measured.metrics.get(metric)
        text = 'not validated' if value is None else f'{value:.2f}'
        rows.append([metric.title, text])
        if measured.seeds:
            numbers = values(measured.seeds, metric, 'last')
            low, high = interval(numbers)
            rows[-1].append(f'{spread(numbers)} [{low:.2f}, {high:.2f}]')
    return '\n'.join([*lines, markdown(header, rows)])


def _training(measured: Optional[Measured]) -> str:
    if measured is None:
        return 'Nothing is known.\n'
    result = measured.record
    name = result['config']['name']
    if 'run' in result:  # absent from records of an older version
        name = of_run(result['run']).title
    known = (f'{n} {v}' for n, v in result['versions'].items() if v)
    return (
        f'{name}, seed {result["seed"]}, '
        f'{result["updates"]["done"]:,} updates of {result["global_batch"]} '
        f'images, on {result["machine"]}.\n\n'
        f'```bash\n{result["command"]}\n```\n\n'
        f'{", ".join(known)}.\n'
    )
