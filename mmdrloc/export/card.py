"""The page of a published model: README.md with the Hub's metadata."""

from pathlib import Path
from typing import Dict, Optional

from huggingface_hub import ModelCard, ModelCardData
from mmengine.registry import MODELS

from mmdrloc.reporting.metrics import metrics_among
from mmdrloc.reporting.runs import RESULT, read_result
from mmdrloc.reporting.tables import markdown
from mmdrloc.utils.config_walk import (
    class_of,
    dicts_in,
    imported_by,
    kind_of,
)
from mmdrloc.version import __version__
from .plain import Plain

TEMPLATE = Path(__file__).with_name('card.md')


def model_card(name: str, plain: Plain, timm: Optional[str] = None) -> str:
    """Write the page of a published model, as Markdown.

    The record of its run is read where it lies beside the checkpoint;
    ``timm`` is timm's name of the network, if the folder has a copy for it.

    Raises:
        UsageError: If the record is damaged.
    """
    record = plain.path.parent / RESULT
    run = read_result(record) if record.is_file() else {}
    metrics: Dict[str, float] = {}
    for validation in run.get('validations', ()):
        if validation['iter'] == plain.meta.get('iter'):
            metrics = validation['metrics']
    rows = [
        [m.title, f'{m.factor * metrics[m.key]:.{m.digits}f}']
        for m in metrics_among(metrics)
    ]
    kind, text = plain.kind, plain.cfg.pretty_text
    packages = [
        library
        for library in ('mmpretrain', 'mmdet', 'mmseg', 'mmdrloc')
        if library == kind.library or f"'{library}." in text
    ]
    imports = imported_by(plain.cfg)
    classes = [class_of(node, MODELS) for _, node in dicts_in(plain.cfg.model)]
    modules = {getattr(one, '__module__', None) for one in classes}
    packages += [f'the module `{name}`' for name in imports if name in modules]
    data = ModelCardData(
        library_name=kind.library, pipeline_tag=kind.task, tags=['mmdrloc']
    )
    card = ModelCard.from_template(
        data,
        template_path=str(TEMPLATE),
        name=name,
        cfg=plain.cfg,
        kind_of=kind_of,
        kind=kind,
        run=run,
        iteration=plain.meta.get('iter'),
        table=markdown(['metric', 'this model'], rows) if rows else '',
        packages=', '.join(packages),
        version=__version__,
        timm=timm,
    )
    return card.content.rstrip() + '\n'
