"""What is wrong with detection sets of other formats than COCO's."""

import pytest
from tiny_data import write_coco, write_photo

from mmdrloc.preflight.data import bad_data

XML = """<annotation><size><width>40</width><height>30</height></size>
<object><name>cat</name><bndbox><xmin>{}</xmin><ymin>2</ymin>
<xmax>20</xmax><ymax>15</ymax></bndbox></object></annotation>"""


@pytest.fixture
def voc(tmp_path):
    cfg = write_coco(tmp_path)
    for number in range(2):
        write_photo(tmp_path / f'JPEGImages/{number}.jpg')
        path = tmp_path / f'Annotations/{number}.xml'
        path.parent.mkdir(exist_ok=True)
        path.write_text(XML.format(3))
    (tmp_path / 'list.txt').write_text('0\n1\n')
    cfg.train_dataloader.dataset = dict(
        type='XMLDataset',
        data_root=str(tmp_path),
        ann_file='list.txt',
        data_prefix=dict(sub_data_root=''),
        metainfo=dict(classes=('cat', 'dog')),
        pipeline=[],
    )
    return cfg


def test_boxes_and_images_of_other_formats(voc, tmp_path):
    assert bad_data(voc, ['train']) == []
    (tmp_path / 'Annotations/0.xml').write_text(XML.format(30))
    write_photo(tmp_path / 'JPEGImages/1.jpg', (50, 50))
    findings = bad_data(voc, ['train'])
    assert 'negative width' in findings[0] and '0.jpg' in findings[0]
    assert '50 x 50 pixels' in findings[1]


def test_broken_files_of_other_formats(voc, tmp_path):
    (tmp_path / 'Annotations/0.xml').write_text('<annotation>')
    [finding] = bad_data(voc, ['train'])
    assert 'the data set (XMLDataset) cannot be built' in finding


def test_other_formats_without_objects(voc):
    voc.train_dataloader.dataset.metainfo.classes = ('hen',)
    [finding] = bad_data(voc, ['train'])
    assert 'no object of the classes' in finding
