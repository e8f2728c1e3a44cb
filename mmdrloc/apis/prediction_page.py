"""Predictions to look at, as an .html page, and to count, as a .csv file."""

import csv
from base64 import b64encode
from html import escape
from io import BytesIO
from pathlib import Path
from typing import Any, List, Sequence

import mmcv
import numpy as np
from PIL import Image

from mmdrloc.reporting.html import PAGE
from mmdrloc.utils.files import atomic_path

# The longer side of a picture on a page, in pixels; of drawn ones it is twice
# that.
SIDE = 192
# How many classes have a bar.
BARS = 3
STYLE = """<style>
.grid { display: grid; gap: 0.8rem; align-items: start;
  grid-template-columns: repeat(auto-fill, minmax(%(width)s, 1fr)) }
figure { margin: 0; padding: 0.5rem; border: 2px solid #8884;
  border-radius: 0.4rem; font-size: 0.85rem; line-height: 1.3 }
figure.wrong { border-color: #d33 }
figure img { display: block; width: 100%%; height: %(height)s;
  object-fit: contain }
figure b { display: block; font-size: 1.3rem; margin-top: 0.3rem }
.bar { background: #8883; height: 0.5em; border-radius: 0.25em }
.bar i { display: block; background: #27d; height: 100%%;
  border-radius: inherit }
.wrong .bar i { background: #d33 }
</style>"""


def thumbnail(picture: Any) -> str:
    """A small JPEG of a file, or of RGB pixels with drawings, for a page."""
    side = 2 * SIDE
    if isinstance(picture, str):  # as the network sees it
        picture, side = mmcv.imread(picture, channel_order='rgb'), SIDE
    small = Image.fromarray(np.ascontiguousarray(picture))
    small.thumbnail((side, side))
    file = BytesIO()
    small.save(file, 'JPEG', quality=70)
    return b64encode(file.getvalue()).decode()


def write_gallery(
    seen: Sequence[Any],
    pictures: Sequence[str],
    left_out: Sequence[str],
    out: Path,
    title: str,
) -> None:
    """Write a grid of predictions, those that their folder contradicts first.

    ``pictures`` has the :func:`thumbnail` of each, ``left_out`` says what is
    wrong with other files.
    """
    known = [one for one in seen if one['truth']]
    wrong = [one for one in known if _is_wrong(one)]
    is_drawn = any('pred_scores' not in one for one in seen)
    size = dict(width='20rem', height='auto')
    if not is_drawn:
        size = dict(width='9.5rem', height='11rem')
    body = [STYLE % size, f'<h1>{escape(title)}</h1>']
    said = f'{len(seen)} images.'
    if any('map' in one for one in seen):
        said += ' Percentages are shares of the area.'
    if known:
        said += f' {len(wrong)} of {len(known)} are not what their folder is '
        said += 'named after; these come first.'
    body.append(f'<p>{said}</p>\n<div class="grid">')
    pairs = sorted(
        zip(seen, pictures), key=lambda pair: not _is_wrong(pair[0])
    )
    body += [_figure(one, picture) for one, picture in pairs]
    body.append('</div>')
    if left_out:
        items = ''.join(f'<li>{escape(one)}</li>' for one in left_out)
        body.append(f'<h2>Left out</h2>\n<ul>{items}</ul>')
    page = PAGE.format(title=escape(title), body='\n'.join(body))
    with atomic_path(out) as temporary:
        temporary.write_text(page, encoding='utf-8', errors='replace')


def write_table(seen: Sequence[Any], out: Path) -> None:
    """Write a row for each image, each box, or each class of a map.

    An image without boxes has a row with nothing else.
    """
    what = 'area' if any('map' in one for one in seen) else 'score'
    columns = ['image', 'class', what]
    if any('bboxes' in one for one in seen):
        columns += ['left', 'top', 'right', 'bottom']
    rows: List[Sequence[Any]] = []
    for one in seen:
        some = one['found'][:1] if 'pred_scores' in one else one['found']
        rows += [
            (one.name, name, *(round(value, 4) for value in values))
            for name, *values in some
        ] or [(one.name, *[''] * (len(columns) - 1))]
    with (
        atomic_path(out) as temporary,
        temporary.open(
            'w', newline='', encoding='utf-8', errors='backslashreplace'
        ) as file,
    ):
        csv.writer(file).writerows([columns, *rows])


def _is_wrong(one: Any) -> bool:
    return bool(one['truth']) and one['truth'] != one['pred_class']


def _figure(one: Any, picture: str) -> str:
    kind = ' class="wrong"' if _is_wrong(one) else ''
    told = [
        f'<figure{kind}><img src="data:image/jpeg;base64,{picture}" alt="">'
    ]
    for number, (name, value) in enumerate([*one['classes'].items()][:BARS]):
        boxes = sum(
            len(place) > 2 and place[0] == name for place in one['found']
        )
        label = escape(name) + f' × {boxes}' * bool(boxes)
        told.append(label if number else f'<b>{label}</b>')
        told.append(
            f' {100 * value:.1f} %<div class="bar">'
            f'<i style="width:{100 * value:.1f}%"></i></div>'
        )
    if not one['classes']:
        told.append('<b>nothing found</b>')
    if _is_wrong(one):
        told.append(f'folder: {escape(one["truth"])}<br>')
    name = f'<span title="{escape(one.name)}">{escape(Path(one.name).name)}'
    return ''.join(told) + f'{name}</span></figure>'
