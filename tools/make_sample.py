"""Draw the shipped sample `asia.csv` from the tables of Lauritzen & Spiegelhalter (1988), section 6.

Run `python tools/make_sample.py` to write it anew; with `--check` it only compares.
"""

from __future__ import annotations

import random
import sys
from pathlib import Path

ROWS, SEED = 5000, 1988
TARGET = Path(__file__).parents[1] / "src" / "dagwright" / "data" / "samples" / "asia.csv"


def draw(source: random.Random) -> dict[str, str]:
    """One patient: each variable given its parents."""

    def happens(probability: float) -> bool:
        return source.random() < probability

    asia = happens(0.01)
    smoke = happens(0.5)
    tub = happens(0.05 if asia else 0.01)
    lung = happens(0.1 if smoke else 0.01)
    bronc = happens(0.6 if smoke else 0.3)
    either = tub or lung
    xray = happens(0.98 if either else 0.05)
    dysp = happens(
        {(True, True): 0.9, (True, False): 0.7, (False, True): 0.8, (False, False): 0.1}[either, bronc]
    )
    answers = {"asia": asia, "smoke": smoke, "tub": tub, "lung": lung, "bronc": bronc, "either": either}
    row = {name: "yes" if value else "no" for name, value in answers.items()}
    return row | {"xray": "abnormal" if xray else "normal", "dysp": "yes" if dysp else "no"}


def sample_text() -> str:
    """The whole file."""
    source = random.Random(SEED)
    rows = [draw(source) for _ in range(ROWS)]
    return "\n".join([",".join(rows[0]), *(",".join(row.values()) for row in rows)]) + "\n"


def main() -> int:
    """Write or compare the file."""
    if "--check" in sys.argv[1:]:
        same = TARGET.read_text(encoding="utf-8") == sample_text()
        print("asia.csv is up to date" if same else "asia.csv differs: run python tools/make_sample.py")
        return 0 if same else 1
    TARGET.parent.mkdir(exist_ok=True)
    TARGET.write_text(sample_text(), encoding="utf-8", newline="\n")
    print(f"wrote {TARGET}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
