"""Helpers for every room: files, seeds, memory, wording, checks of arguments."""
