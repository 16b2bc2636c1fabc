"""Sample data that come with the package."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

from dagwright.errors import unknown_name

_FOLDER = files("dagwright.data") / "samples"


def samples() -> tuple[str, ...]:
    """Names of the sample data.

    ``asia`` has 5,000 rows drawn from the network of Lauritzen & Spiegelhalter (1988). ``titanic`` has the
    people on board by class, sex, age and survival (Dawson 1995), counted in the column ``people``;
    ``berkeley`` the graduate admissions of 1973 (Bickel, Hammel & O'Connell 1975), counted in ``applicants``.

    >>> samples()
    ('asia', 'berkeley', 'titanic')
    """
    return tuple(
        sorted(entry.name.removesuffix(".csv") for entry in _FOLDER.iterdir() if entry.name.endswith(".csv"))
    )


def sample_path(name: str) -> Path:
    """Path of the CSV file of a sample.

    >>> sample_path("asia").name
    'asia.csv'
    """
    if name not in samples():
        raise unknown_name("sample", name, samples())
    return Path(str(_FOLDER / f"{name}.csv"))
