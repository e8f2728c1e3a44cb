"""Write a checkpoint whole or not at all."""

import json
from io import BytesIO
from pathlib import Path
from typing import Any, Dict, Union

import torch

from mmdrloc.utils.files import atomic_path


def write_checkpoint(
    checkpoint: Dict[str, Any], path: Union[str, Path]
) -> None:
    """Write tensors and plain values; what stood there is replaced.

    A file that ends with ``.safetensors`` holds the tensors of
    ``state_dict``, and of ``meta`` the names of the classes.
    """
    # In memory first: both libraries say a full disk in ways of their own.
    if Path(path).suffix == '.safetensors':
        from safetensors.torch import save

        tensors = checkpoint['state_dict'].items()
        said = dict(format='pt')
        if 'dataset_meta' in checkpoint.get('meta', {}):
            classes = checkpoint['meta']['dataset_meta']
            said['dataset_meta'] = json.dumps(classes)
        content: Union[bytes, memoryview] = save(
            # Copies: some heads of mmdet share tensors, this format cannot.
            {name: tensor.contiguous().clone() for name, tensor in tensors},
            said,
        )
    else:
        buffer = BytesIO()
        torch.save(checkpoint, buffer)
        content = buffer.getbuffer()
    with atomic_path(path) as temporary:
        temporary.write_bytes(content)
