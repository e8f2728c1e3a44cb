"""The page of a published model: README.md with the Hub's metadata."""

from pathlib import Path
from typing import Any, Dict, Optional

from huggingface_hub import EvalResult, ModelCard, ModelCardData
from mmengine.config import Config

from mmdrloc.reporting.runs import RECORD, load_runs, read_result
from mmdrloc.reporting.tables import METRICS, markdown
from mmdrloc.version import __version__
from .plain import Kind

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
        license (str, optional): As the Hub names it.
        timm (str, optional): timm's name of the network, if there is a copy
            for it.

    Returns:
        str: Markdown, with the metadata that the Hub reads on top.

    Raises:
        UsageError: If the record is damaged.
    """
    path = checkpoint.parent / RECORD
    run = None
    if path.is_file() and read_result(path)['validations']:
        (run,) = load_runs([checkpoint.parent])
    measured: Dict[str, float] = {}
    for validation in run.result['validations'] if run else ():
        if validation['iter'] == meta.get('iter'):
            measured = validation['metrics']
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
    rows = [[r.metric_name, f'{r.metric_value:.2f}'] for r in results]
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
        table=markdown(['metric', 'this model'], rows) if rows else '',
        versions=', '.join(f'{n} {v}' for n, v in versions.items() if v),
        record=RECORD,
    ).content
