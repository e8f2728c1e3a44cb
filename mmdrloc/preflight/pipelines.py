"""Errors of transforms name the transform and the image."""

from typing import Any, Optional

from mmengine.dataset import Compose

from mmdrloc.utils.errors import UnexpectedError, UsageError, cause
from .data import unwrapped


class ExplainedPipeline(Compose):
    """A pipeline whose errors are one sentence, in a loader's workers too."""

    def __call__(self, data: dict) -> Optional[dict]:
        """Transform a sample; see the base class.

        Raises:
            UsageError: With the transform, the error and the image.
        """
        image = data.get('img_path')
        for index, transform in enumerate(self.transforms):
            try:
                data = transform(data)
            except UsageError:
                raise
            except Exception as error:  # a transform may be anyone's
                name = type(transform).__name__
                where = f' on the image {image}' if image else ''
                raise UnexpectedError(
                    f'pipeline[{index}] ({name}) fails{where}: {cause(error)}.'
                ) from error
            if data is None:
                return None
        return data


def explain_pipelines(dataset: Any) -> None:
    """Let the transforms of a data set say which image they fail on.

    Args:
        dataset (Any): Built; those that it wraps too.
    """
    for leaf in [dataset, *unwrapped(dataset)]:
        pipeline = getattr(leaf, 'pipeline', None)
        if type(pipeline) is Compose:
            leaf.pipeline = ExplainedPipeline(pipeline.transforms)
