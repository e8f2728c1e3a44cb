"""The localization MLPs in the files of the official DRLoc code."""

from .origin import Rule

DRLOC_RULES = (
    Rule('drloc.{i}.layers.{j}.{t}', 'auxiliary_head.mlps.{i}.layers.{j}.{t}'),
    Rule(
        'drloc.{i}.unshared.{k}.{t}',
        'auxiliary_head.mlps.{i}.branches.{k}.{t}',
    ),
)
