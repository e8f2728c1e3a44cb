"""What a call changes in its process is given back, also after an error."""

import os
import signal
import warnings

import numpy as np
import pytest
import torch
from mmpretrain.structures import DataSample
from mmpretrain.visualization import UniversalVisualizer

from mmdrloc.apis.running import session
from mmdrloc.checkpoints.reading import files_are_trusted
from mmdrloc.engine.run_folder.stop import SIGNALS


@pytest.mark.parametrize('trust', [False, True])
def test_all_is_as_before(trust):
    def state():
        return dict(
            environment=dict(os.environ),
            signals=[signal.getsignal(number) for number in SIGNALS],
            warnings=list(warnings.filters),
        )

    before = state()
    with pytest.raises(ZeroDivisionError), session(trust):
        assert state() != before
        assert files_are_trusted() is trust
        assert 1 / 0
    assert state() == before
    assert not files_are_trusted()


def test_an_interrupt_leaves_the_next_one_be():
    before = signal.getsignal(signal.SIGINT)
    for _ in range(2):
        with pytest.raises(KeyboardInterrupt), session():
            signal.raise_signal(signal.SIGINT)
        assert signal.getsignal(signal.SIGINT) is before


def test_dollars_in_the_name_of_a_class(tmp_path):
    sample = DataSample().set_pred_label(0).set_pred_score(torch.ones(1))
    image = np.zeros((24, 24, 3), np.uint8)
    with session():
        UniversalVisualizer().visualize_cls(
            image, sample, ['$x_y_z$'], out_file=str(tmp_path / 'out.png')
        )
