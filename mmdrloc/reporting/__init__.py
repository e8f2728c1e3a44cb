"""From the folders of runs to tables, curves and pictures."""
