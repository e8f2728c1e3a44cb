"""Data of one's choice for a recipe: a name, a config, a folder of images."""

from .choice import Chosen, chosen_dataset
from .fitting import fit_to_data

__all__ = ['Chosen', 'chosen_dataset', 'fit_to_data']
