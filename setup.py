"""Put configs and tools into wheels, for ``mim``; see pyproject.toml."""

import shutil
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py


class BuildPyWithMim(build_py):
    """Adds ``mmdrloc/.mim`` to what is built, where ``mim`` looks.

    It is written into the build folder, which editable installs do not use:
    a ``.mim`` in the checkout would make ``mim`` find every config twice.
    """

    def run(self) -> None:
        """Copy the package's modules as usual, then what ``mim`` needs."""
        super().run()
        mim = Path(self.build_lib, 'mmdrloc/.mim')
        shutil.rmtree(mim, ignore_errors=True)
        for folder in ('configs', 'tools'):
            shutil.copytree(
                folder,
                mim / folder,
                ignore=shutil.ignore_patterns('__pycache__'),
            )
        shutil.copy('model-index.yml', mim)


setup(cmdclass={'build_py': BuildPyWithMim})
