"""A config's text is formatted once, and is the one that MMEngine gives."""

import copy

from mmengine.config import Config
from yapf.yapflib import yapf_api

from mmdrloc.engine.formatted_config import FormattedOnce


def test_text(monkeypatch, tmp_path):
    formatted = []
    work = yapf_api.FormatCode
    monkeypatch.setattr(
        yapf_api,
        'FormatCode',
        lambda text, **how: formatted.append(text) or work(text, **how),
    )
    cfg = Config(dict(a=dict(b=[1, 2])))
    own = copy.deepcopy(FormattedOnce.of(cfg))
    before = len(formatted)
    for _ in range(3):
        own.dump(tmp_path / 'a.py')
    assert len(formatted) == before + 1
    assert own.pretty_text == cfg.pretty_text
    own.a.b = 3
    assert own.pretty_text == 'a = dict(b=3)\n'
    assert cfg.a.b == [1, 2]
