import pytest
from mmengine.registry import Registry

from mmdrloc.preflight.names import class_at
from mmdrloc.preflight.places import Place


def test_missing_operators_are_not_taken_for_a_wrong_name(monkeypatch):
    """Whoever catches it says what is missing, in one sentence."""

    def get(registry, name):
        raise ModuleNotFoundError('no operators', name='mmcv._ext')

    place = Place('model', dict(type='MaskRCNN'), 'MODELS', 'mmdet')
    assert class_at(place) is not None
    monkeypatch.setattr(Registry, 'get', get)
    with pytest.raises(ModuleNotFoundError):
        class_at(place)
