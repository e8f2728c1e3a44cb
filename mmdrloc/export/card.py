"""The page of a published model: README.md with the Hub's metadata."""

from pathlib import Path
from typing import Any, Dict, Optional, Sequence, Union

from huggingface_hub import EvalResult, ModelCard, ModelCardData
from mmengine.config import Config

from mmdrloc.reporting.paired import interval
from mmdrloc.reporting.results import RECORD, read_result
from mmdrloc.reporting.runs import Run, load_runs
from mmdrloc.reporting.tables import METRICS, markdown, spread, values
from mmdrloc.utils.errors import UsageError
from mmdrloc.version import __version__
from .kinds import Kind

# What the Hub calls them; others keep their names.
HUB_METRICS = {'accuracy/top1': 'accuracy', 'mIoU': 'mean_iou'}
TIMM_CODE = """\
import timm

model = timm.create_model('local-dir:timm', pretrained=True).eval()"""
# Jinja, as huggingface_hub fills it in.
TEMPLATE = """\
---
{{ card_data }}
---

# {{ name }}

`{{ model_class }}` with the backbone `{{ backbone }}`
{%- if run %}, trained on {{ run.dataset }}{% endif %}, with mmdrloc
{{ version }}. {{ terms }}

`model.safetensors` and `model.pth` hold the same weights; the libraries' own
tools read the second. `config.py` is a program, as all configs of MMEngine
are.

## Use it

With {{ needs }}:

```python
{{ code }}
```
{% if timm %}
With timm alone, where it is {{ timm }}:

```python
{{ timm_code }}
```
{% endif %}
## Measured

{% if table -%}
On {{ run.result.dataset.val_images }} validation images.

{{ table }}
{% else -%}
This checkpoint was not validated.
{% endif %}
## Training
{% if run %}
{{ run.config }}, seed {{ run.seed }}, batch size
{{ run.result.global_batch }}, {{ run.result.updates.done }} iterations, on
{{ run.result.machine }}.

```bash
{{ run.result.command }}
```

{{ versions }}.
{% else %}
Nothing is known: no {{ record }} of a validated run lay beside the checkpoint.
{% endif %}"""


def model_card(
    name: str,
    cfg: Config,
    kind: Kind,
    checkpoint: Path,
    meta: Dict[str, Any],
    others: Sequence[Union[str, Path]] = (),
    license: Optional[str] = None,
    timm: Optional[str] = None,
) -> str:
    """Write the page of a published model.

    Args:
        name (str): Of the model.
        cfg (Config): As it is published.
        kind (Kind): What it is.
        checkpoint (Path): Its run's record is looked for beside it.
        meta (dict): Of the checkpoint, with the iteration that it is of.
        others (Sequence[str | Path]): Work folders of the same training
            with other seeds.
        license (str, optional): As the Hub names it.
        timm (str, optional): timm's name of the network, if there is a copy
            for it.

    Returns:
        str: Markdown, with the metadata that the Hub reads on top.

    Raises:
        UsageError: If a record is damaged, or of another training.
    """
    path = checkpoint.parent / RECORD
    has_record = path.is_file() and read_result(path)['validations']
    if others and not has_record:
        raise UsageError(
            f'there is no {path} of a validated run, so {checkpoint} cannot '
            'be told to be of the same training as other runs: leave them out.'
        )
    run = load_runs([checkpoint.parent])[0] if has_record else None
    seeds = _seeds(run, others) if others else []
    measured = next(
        (v.metrics for v in run.validations if v.iteration == meta.get('iter'))
        if run
        else iter(()),
        {},
    )
    results = [
        EvalResult(
            task_type=kind.task,
            dataset_type=run.dataset,
            dataset_name=run.dataset,
            metric_type=HUB_METRICS.get(metric.key, metric.key),
            metric_name=metric.title,
            metric_value=round(metric.factor * measured[metric.key], 2),
        )
        for metric in METRICS
        if metric.key in measured
    ]
    data = ModelCardData(
        license=license,
        library_name=kind.library,
        pipeline_tag=kind.task,
        tags=['mmdrloc'],
        datasets=[run.dataset] if results else None,
        metrics=[result.metric_type for result in results] or None,
        model_name=name,
        eval_results=results or None,
    )
    packages = [
        library
        for library in ('mmpretrain', 'mmdet', 'mmseg', 'mmdrloc')
        if library == kind.library or f"'{library}." in cfg.pretty_text
    ]
    versions = run.result['versions'] if run else {}
    return ModelCard.from_template(
        data,
        template_str=TEMPLATE,
        name=name,
        model_class=cfg.model.type.rpartition('.')[2],
        backbone=cfg.model.backbone.type.rpartition('.')[2],
        run=run,
        version=__version__,
        terms=f'Licence: {license}.' if license else 'No licence is given.',
        needs=', '.join(packages),
        code=kind.code,
        timm=timm,
        timm_code=TIMM_CODE,
        table=_table(results, seeds),
        versions=', '.join(f'{n} {v}' for n, v in versions.items() if v),
        record=RECORD,
    ).content


def _seeds(run: Run, others: Sequence[Union[str, Path]]) -> Sequence[Run]:
    """A run together with those of other seeds."""
    runs = load_runs([run.place, *others])
    for other in runs:
        if other.identity != run.identity:
            raise UsageError(
                f'{other.place} is a run of {other.config} on '
                f'{other.dataset}, the checkpoint one of {run.config} on '
                f'{run.dataset}: give runs that differ in their seed alone.'
            )
    if len({other.seed for other in runs}) < len(runs):
        raise UsageError(
            'two of the runs have the same seed: give one a seed.'
        )
    return runs


def _table(results: Sequence[EvalResult], seeds: Sequence[Run]) -> str:
    """What was measured of this checkpoint, and of its training."""
    own = {result.metric_name: result.metric_value for result in results}
    rows = []
    for metric in METRICS:
        known = [run for run in seeds if metric.key in run.last]
        if metric.title not in own and not known:
            continue
        cell = own.get(metric.title, 'not validated')
        row = [metric.title, f'{cell:.2f}' if metric.title in own else cell]
        if known:
            numbers = values(known, metric, 'last')
            low, high = interval(numbers)
            row.append(f'{spread(numbers)} [{low:.2f}, {high:.2f}]')
        rows.append(row)
    if not rows:
        return ''
    header = ['metric', 'this model']
    if seeds:
        names = ', '.join(str(run.seed) for run in seeds)
        header.append(f'seeds {names}: mean ± std [95 % CI of the mean]')
    return markdown(header, rows)
