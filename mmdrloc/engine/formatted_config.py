"""A config whose text is formatted once."""

from typing import Dict

from mmengine.config import Config

# What a config says, and that as a file: of the last one alone.
_TEXTS: Dict[str, str] = {}


class FormattedOnce(Config):
    """A config that is not formatted again while it says the same.

    MMEngine formats it for the log, for its file, for each backend of the
    visualizer and for every checkpoint, and a detector's takes long.
    """

    @classmethod
    def of(cls, cfg: Config) -> 'FormattedOnce':
        """Take over a config.

        Args:
            cfg (Config): Its content is shared.

        Returns:
            FormattedOnce: It says the same.
        """
        own = cls.__new__(cls)
        own.__dict__.update(vars(cfg))
        return own

    @property
    def pretty_text(self) -> str:
        """str: See :attr:`mmengine.config.Config.pretty_text`."""
        content = repr(self._cfg_dict)
        if content not in _TEXTS:
            _TEXTS.clear()
            _TEXTS[content] = super().pretty_text
        return _TEXTS[content]
