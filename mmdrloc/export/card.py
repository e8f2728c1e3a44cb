"""The page of a published model: README.md with the Hub's metadata."""

from pathlib import Path
from typing import Dict, Optional

from huggingface_hub import ModelCard, ModelCardData
from mmengine.config import Config

from mmdrloc.reporting.runs import RECORD, read_result
from mmdrloc.reporting.tables import METRICS, markdown
from mmdrloc.version import __version__
from .plain import Kind

TEMPLATE = Path(__file__).with_name('card.md')


def model_card(
    name: str,
    cfg: Config,
    kind: Kind,
    checkpoint: Path,
    iteration: Optional[int],
    timm: Optional[str] = None,
) -> str:
    """Write the page of a published model.

    Args:
        name (str): Of the model.
        cfg (Config): As it is published.
        kind (Kind): What it is.
        checkpoint (Path): The record of its run is looked for beside it.
        iteration (int, optional): Of the checkpoint: what was measured then.
        timm (str, optional): timm's name of the network, if there is a copy.

    Returns:
        str: Markdown, with the metadata that the Hub reads on top.

    Raises:
        UsageError: If the record is damaged.
    """
    record = checkpoint.parent / RECORD
    run = read_result(record) if record.is_file() else {}
    metrics: Dict[str, float] = {}
    for validation in run.get('validations', ()):
        if validation['iter'] == iteration:
            metrics = validation['metrics']
    rows = [
        [metric.title, f'{metric.factor * metrics[metric.key]:.2f}']
        for metric in METRICS
        if metric.key in metrics
    ]
    packages = [
        library
        for library in ('mmpretrain', 'mmdet', 'mmseg', 'mmdrloc')
        if library == kind.library or f"'{library}." in cfg.pretty_text
    ]
    data = ModelCardData(
        library_name=kind.library, pipeline_tag=kind.task, tags=['mmdrloc']
    )
    return ModelCard.from_template(
        data,
        template_path=str(TEMPLATE),
        name=name,
        cfg=cfg,
        kind=kind,
        run=run,
        table=markdown(['metric', 'this model'], rows) if rows else '',
        packages=', '.join(packages),
        version=__version__,
        timm=timm,
    ).content
