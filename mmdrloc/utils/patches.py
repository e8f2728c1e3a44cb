"""What is changed in other packages, each with its reason."""

import sys
from contextlib import suppress
from importlib import import_module, metadata


def import_mmpretrain_models() -> None:
    """Import mmpretrain's models, which then leave out two things.

    Models of text: they import names that transformers 5 no longer has, and
    with them the import of all models fails, up to mmpretrain 1.2 and its
    OneDL fork, which have no release for it.

    ``ResLayerExtraNorm`` of a detector, as where mmdet is missing: for it
    alone mmdet is imported, which takes as long as all the rest. Who imports
    its module afterwards has it.
    """
    if 'mmpretrain.models' in sys.modules:
        return
    with suppress(metadata.PackageNotFoundError):
        if int(metadata.version('transformers').split('.')[0]) >= 5:
            dependency = import_module('mmpretrain.utils.dependency')
            setattr(dependency, 'WITH_MULTIMODAL', False)  # noqa: B010
    is_left_out = sys.modules.setdefault('mmdet', None) is None
    try:
        import_module('mmpretrain.models')
    finally:
        if is_left_out:
            del sys.modules['mmdet']
            layer = 'mmpretrain.models.utils.res_layer_extra_norm'
            sys.modules.pop(layer, None)


def find_mmseg_configs() -> None:
    """Let ``_base_ = 'mmseg::...'`` find the OneDL fork of mmseg.

    MMEngine, 0.10.12 at least, looks for a distribution called
    mmsegmentation; where there is none it also takes a module's name.
    """
    try:
        metadata.distribution('mmsegmentation')
    except metadata.PackageNotFoundError:
        utils = import_module('mmengine.config.utils')
        utils.MODULE2PACKAGE['mmseg'] = 'mmseg'
