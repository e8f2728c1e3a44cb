"""Errors, console, processes, files, work folders."""
