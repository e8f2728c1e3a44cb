# mmseg's own file for networks of one stride. Written out as upernet_swin.py.
_base_ = (
    __import__('importlib.util')
    .util.find_spec('mmseg')
    .submodule_search_locations[0]
    + '/.mim/configs/_base_/models/upernet_mae.py'
)
