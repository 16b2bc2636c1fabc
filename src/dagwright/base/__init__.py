"""Helpers for every package: files, seeds, memory, wording, checks of arguments."""
