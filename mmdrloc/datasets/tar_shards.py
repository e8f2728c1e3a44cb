"""Photos in tar files: few large files in the place of many small ones."""

import os
from pathlib import Path
from typing import Any, List, Optional

from mmpretrain.datasets import BaseDataset

from mmdrloc.registry import DATASETS
from mmdrloc.utils.errors import UsageError
from .lists import read_list
from .tar_index import path_in_shard, read_shards

# In the folder of the data, above the shards of training and validation.
CLASSES = 'classes.txt'


@DATASETS.register_module()
class TarShards(BaseDataset):
    """Photos in tar files, as WebDataset's tools and ours write them.

    Each image can be asked for by its number, as in any data set here: so
    order, resuming and several processes are those of all data. A stream of
    WebDataset's own has no numbers and cannot be resumed in mid-epoch. To
    read few shards at a time there is :class:`ShardSampler`. ::

        data_root
        ├── classes.txt          a name a line; may be missing
        └── train/*.tar          <key>.jpg, <key>.cls: the number of a class

    Args:
        data_root (str): The directory above.
        data_prefix (str): The folder of the shards in it. Defaults to '',
            the directory itself.
        shards (str): A pattern of their names. Defaults to '*.tar'.
        num_images (int, optional): How many images there are in all of them.
            Defaults to None: as many as are found.
        **kwargs: Of :class:`mmpretrain.datasets.BaseDataset`; ``indices``
            leave out what :class:`ShardSampler` needs.

    Attributes:
        shard_sizes (list[int]): Images of each shard, in the order in which
            they are numbered.

    Raises:
        UsageError: If shards are missing or damaged, or the names of the
            classes are others than ``metainfo`` says.
    """

    def __init__(
        self,
        data_root: str,
        data_prefix: str = '',
        shards: str = '*.tar',
        num_images: Optional[int] = None,
        **kwargs: Any,
    ) -> None:
        self.pattern = shards
        self.num_images = num_images
        self.shard_sizes: List[int] = []
        super().__init__(
            ann_file='', data_root=data_root, data_prefix=data_prefix, **kwargs
        )

    def load_data_list(self) -> List[dict]:
        """List the images by the index of the shards."""
        folder = Path(self.img_prefix or self.data_root)
        shards = read_shards(folder, self.pattern)
        self.shard_sizes = [len(shard.names) for shard in shards.values()]
        found = sum(self.shard_sizes)
        if self.num_images not in (None, found):
            raise UsageError(
                f'the {len(shards)} shards {folder / self.pattern} hold '
                f'{found:,} images where {self.num_images:,} are expected: '
                'bring the others, or correct num_images.'
            )
        self._compare_classes()
        return [
            dict(
                img_path=path_in_shard(os.path.join(folder, name), shard, at),
                gt_label=label,
            )
            for name, shard in shards.items()
            for at, label in enumerate(shard.labels)
        ]

    def _compare_classes(self) -> None:
        file = Path(self.data_root, CLASSES)
        if not file.exists():
            return
        written = read_list(str(file))
        said = self._metainfo.setdefault('classes', written)
        if list(said) != written:
            differing = [
                f'{one} and {other}'
                for one, other in zip(said, written)
                if one != other
            ] or [f'{len(said)} and {len(written)} of them']
            raise UsageError(
                f'the classes of metainfo are others than those in {file} '
                f'({differing[0]}): leave `classes` out, or list those.'
            )
