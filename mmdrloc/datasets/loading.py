"""The first step of our classification pipelines."""

from typing import Optional

from mmcv.transforms import LoadImageFromFile

from mmdrloc.registry import TRANSFORMS
from mmdrloc.utils.errors import UsageError


@TRANSFORMS.register_module()
class LoadImage(LoadImageFromFile):
    """Give the image as BGR, from a file or from memory.

    Data sets that keep their images in memory (SVHN and mmpretrain's CIFAR)
    keep them as RGB. With one first step for both kinds, the rest of the
    pipeline and the preprocessor are the same for all data sets. mmpretrain's
    inferencers load images by themselves: those stay as they are.
    """

    def transform(self, results: dict) -> Optional[dict]:
        """Load one image.

        Args:
            results (dict): With ``img_path``, or ``img`` in RGB or gray, or
                an ``img`` in BGR that was loaded before, with its shapes.

        Returns:
            dict: With ``img``, (H, W, 3) BGR or (H, W), and its shapes.

        Raises:
            UsageError: If the file cannot be read; it names the path.
        """
        if 'img_shape' in results:
            return results
        if 'img' in results:
            image = results['img']
            if image.ndim == 3:  # a gray one is (H, W)
                image = image[..., ::-1].copy()
            results['img'] = image
            results['img_shape'] = results['ori_shape'] = image.shape[:2]
            return results
        try:
            return super().transform(results)
        except Exception as error:  # decoders raise errors of many types
            raise UsageError(
                f'the image {results["img_path"]} cannot be read '
                f'({type(error).__name__}): replace it or remove it from '
                'the data set.'
            ) from error
