"""What every room may use: files, seeds, memory, wording, checks of arguments."""
