"""Builds mmdrloc; its wheels carry configs and tools for ``mim``."""

import runpy
import shutil
from pathlib import Path

from setuptools import find_packages, setup
from setuptools.command.build_py import build_py

ROOT = Path(__file__).parent
# What measures this project, and is of no use to who uses it.
NOT_IN_WHEELS = ('__pycache__',)
VERSION = runpy.run_path(str(ROOT / 'mmdrloc/version.py'))['__version__']

TESTS = ['hypothesis', 'pyarrow', 'pytest', 'pytest-xdist']
DOCS = ['mkdocs>=1.6,<2', 'mkdocs-material', 'mkdocstrings[python]']
ONNX = ['onnx', 'onnxruntime']
LINT = [
    'check-jsonschema',
    'mypy',
    'pre-commit',
    'pre-commit-hooks',
    'ruff',
]
EXTRAS = {
    # One line or the other, never both: they share their import names. mmcv
    # needs its compiled ops, see requirements/setup_env.py.
    'onedl': [
        # mmcv does not compile with the headers of all later ones.
        'torch>=2.4,<2.13',
        'torchvision',
        'timm',
        'onedl-mmengine>=0.10.12,<0.11',
        'onedl-mmcv>=2.3.6,<2.4',
        'onedl-mmdetection>=3.5.1,<3.6',
        'onedl-mmsegmentation>=1.4.2,<1.5',
        'onedl-mmpretrain>=1.3.6,<1.4',
    ],
    'openmmlab': [
        'torch>=2.1,<2.2',
        'torchvision',
        'timm',
        'numpy<2',
        'mmengine>=0.10.7,<0.11',
        'mmcv>=2.1.0,<2.2',
        'mmdet>=3.3.0,<4',
        'mmsegmentation>=1.2.2,<2',
        'mmpretrain>=1.2.0,<2',
        # Imported by mmsegmentation, which does not ask for them.
        'ftfy',
        'regex',
    ],
    'tests': TESTS,
    'docs': DOCS,
    'onnx': ONNX,
    'lint': LINT,
    'dev': TESTS + DOCS + ONNX + LINT,
}


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
                ROOT / folder,
                mim / folder,
                ignore=shutil.ignore_patterns(*NOT_IN_WHEELS),
            )
        shutil.copy(ROOT / 'model-index.yml', mim)


setup(
    name='mmdrloc',
    version=VERSION,
    description='Dense relative localization (DRLoc) for OpenMMLab',
    long_description=(ROOT / 'README.md').read_text(),
    long_description_content_type='text/markdown',
    author='The mmdrloc authors',
    license='Apache-2.0',
    project_urls={'Paper': 'https://arxiv.org/abs/2106.03746'},
    keywords='vision transformer, small data, self-supervised, OpenMMLab',
    classifiers=[
        'Development Status :: 4 - Beta',
        'Intended Audience :: Science/Research',
        'Operating System :: POSIX :: Linux',
        'Programming Language :: Python :: 3.11',
        'Programming Language :: Python :: 3.12',
        'Programming Language :: Python :: 3.13',
        'Topic :: Scientific/Engineering :: Image Recognition',
    ],
    python_requires='>=3.11',
    packages=find_packages(include=['mmdrloc', 'mmdrloc.*']),
    package_data={'mmdrloc': ['py.typed']},
    install_requires=[
        'filelock',
        'markdown',
        'matplotlib',
        'numpy',
        'Pillow',
        'scikit-learn',
        'scipy',
        'tensorboard',
    ],
    extras_require=EXTRAS,
    entry_points={'console_scripts': ['mmdrloc = mmdrloc.commands:main']},
    cmdclass={'build_py': BuildPyWithMim},
    zip_safe=False,
)
