"""Errors, console, paths, files, images."""
