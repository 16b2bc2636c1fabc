"""One file per task; bench/task.py says what is in it."""
