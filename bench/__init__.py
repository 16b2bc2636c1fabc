"""Benchmarks of dagwright against its peers, reported as ratios of the same run: `python -m bench --help`."""
