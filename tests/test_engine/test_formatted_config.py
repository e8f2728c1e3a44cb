"""A config's text is formatted once, and is the one that MMEngine gives."""

import copy

from mmengine.config import Config
from tiny_run import write_config
from yapf.yapflib import yapf_api

from mmdrloc.engine.formatted_config import FormattedOnce
from mmdrloc.engine.runner import DataCheckingRunner


def test_text(monkeypatch, tmp_path):
    formatted = []
    work = yapf_api.FormatCode

    def counted(text, **how):
        formatted.append(text)
        return work(text, **how)

    # MMEngine takes it from there in each call, or has taken it by then.
    monkeypatch.setattr(yapf_api, 'FormatCode', counted)
    monkeypatch.setattr(
        'mmengine.config.config.FormatCode', counted, raising=False
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


def test_a_runner_has_one(tmp_path):
    cfg = Config.fromfile(write_config(tmp_path))
    cfg.work_dir = str(tmp_path / 'work')
    runner = DataCheckingRunner.from_cfg(cfg)
    assert isinstance(runner.cfg, FormattedOnce)
    assert runner.cfg.filename == cfg.filename
