# mmseg's own runtime. The path is written out because MMEngine does not find
# `mmseg::` under the maintained distribution's name, onedl-mmsegmentation.
_base_ = (
    __import__('importlib.util')
    .util.find_spec('mmseg')
    .submodule_search_locations[0]
    + '/.mim/configs/_base_/default_runtime.py'
)
