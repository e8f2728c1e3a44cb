"""A dataset by its name, or by its folder."""

from tiny_recipes import write_classes

from mmdrloc.datasets.choice import choose


def test_a_folder_with_the_name_of_a_dataset(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_classes(tmp_path / 'pets', dict(ant=4, bee=4))
    data, notes = choose('pets', 'classification')
    assert data['num_classes'] == 37
    assert any('./pets' in note for note in notes)
    data, _ = choose('./pets', 'classification')
    assert data['num_classes'] == 2
