"""A run and its work_dir: what it holds, stopping, and going on from it."""
