"""What of all that libraries say a user need not read."""

import logging
import re
import sys

# Those whose talk is looked at; whatever a user's own code says is shown.
LIBRARIES = {
    'PIL',
    'absl',
    'cv2',
    'huggingface_hub',
    'matplotlib',
    'mmcv',
    'mmdet',
    'mmengine',
    'mmpretrain',
    'mmseg',
    'numpy',
    'onnx',
    'pkg_resources',
    'pycocotools',
    'rich',
    'scipy',
    'tensorboard',
    'timm',
    'torch',
    'torchvision',
    'transformers',
}
# They speak for somebody else, whom the next frame tells.
PASS_ON = ('logging', 'mmengine.logging', 'warnings', 'mmdrloc.utils')
# Libraries' warnings that no user can do anything about.
KNOWN = re.compile(
    r'^(Pending)?DeprecationWarning: |^FutureWarning: '
    r'|"FileClient" will be deprecated'
    r'|"HardDiskBackend" is the alias of'
    # A config without schedules has none to save.
    r'|`save_param_scheduler` is True but'
    r'|The prefix is not set in metric class'
    # Functions such as collate_fn are MMEngine's in every library.
    r'|Failed to search registry with scope .* in the "function" registry'
    r'|init_weights of \S+ has been called more than once'
    r'|Setting (OMP|MKL)_NUM_THREADS environment variable'
    r'|torch\.meshgrid: in an upcoming release'
    r'|faster_coco_eval is not installed'
    r'|``build_loss`` would be deprecated soon'
    r'|Default ``avg_non_ignore`` is False'
    r'|The draw is False, it means that the hook for visualization'
    # Of a bar in a notebook, which a few photos do without.
    r'|install "ipywidgets" for Jupyter support'
    # The audit of weights says it, and what of it matters.
    r'|The model and loaded state dict do not match exactly'
)
# What libraries tell without a warning, and concerns the user all the same:
# why a training ended early.
TOLD = ('mmengine.hooks.early_stopping_hook',)
TABLES = ('mmdet.evaluation', 'mmpretrain.evaluation', 'mmseg.evaluation')


def speaker() -> str:
    """The module whose code speaks, past functions that only pass it on."""
    frame = sys._getframe(1)
    name = ''
    while frame is not None:
        name = frame.f_globals.get('__name__', '')
        if not _is_of(name, PASS_ON):
            break
        frame = frame.f_back
    return name


def is_library(name: str) -> bool:
    """Whether a module is of a library, not of a user or this project."""
    return name.partition('.')[0] in LIBRARIES


def is_noise(name: str, level: int, text: str, tables: bool = False) -> bool:
    """Whether something that was said need not be read.

    Args:
        name (str): The module that says it.
        level (int): As in ``logging``.
        text (str): What it says; of Python's warnings with the category.
        tables (bool): Whether the libraries' tables of results are wanted.
            Defaults to False.

    Returns:
        bool: True for libraries' information, apart from what concerns the
        user, and for warnings that no user can do anything about.
    """
    if not is_library(name):
        return False
    if level < logging.WARNING:
        return not _is_of(name, TOLD + TABLES if tables else TOLD)
    return KNOWN.search(text) is not None


def _is_of(name: str, packages: tuple) -> bool:
    return any(
        name == package or name.startswith(f'{package}.')
        for package in packages
    )
