"""The shipped sample is what its seeded generator writes."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path


def test_sample_is_up_to_date() -> None:
    script = Path(__file__).parents[2] / "tools" / "make_sample.py"
    run = subprocess.run(
        [sys.executable, str(script), "--check"], capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stdout + run.stderr
