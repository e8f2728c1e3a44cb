"""A dataset by its name, or by its folder."""

import pytest
from tiny_recipes import write_classes

from mmdrloc.datasets.choice import choose
from mmdrloc.utils.errors import UsageError


def test_a_folder_with_the_name_of_a_dataset(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_classes(tmp_path / 'pets', dict(ant=4, bee=4))
    data, notes = choose('pets', 'classification')
    assert data['num_classes'] == 37
    assert any('./pets' in note for note in notes)
    data, _ = choose('./pets', 'classification')
    assert data['num_classes'] == 2


def test_a_data_set_of_another_task():
    words = 'pets is for classification, and this config does detection'
    with pytest.raises(UsageError, match=words):
        choose('pets', 'detection')
