"""What a file of weights holds."""

import torch
from safetensors.torch import load_file

from mmdrloc.checkpoints.write import write_checkpoint


def test_tensors_that_share_memory(tmp_path):
    """As some heads of mmdet do, which safetensors refuses."""
    whole = torch.arange(6.0)
    weights = dict(one=whole, other=whole, part=whole.view(2, 3).T)
    write_checkpoint(dict(state_dict=weights), tmp_path / 'a.safetensors')
    written = load_file(tmp_path / 'a.safetensors')
    assert written.keys() == weights.keys()
    assert all(written[name].equal(weights[name]) for name in weights)
