"""Sample data that come with the package."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

from dagwright.errors import UnknownNameError, unknown_name

_FOLDER = files("dagwright.data") / "samples"
PREFIX = "sample:"
"""A source that begins like this names a sample: ``sample:asia``."""


class Samples:
    """The sample data: `samples()` lists their names, `samples.asia` is the path of one.

    Everything that takes data also takes the text ``"sample:asia"``, in Python and on the command line.

    ``asia`` has 5,000 rows drawn from the network of Lauritzen & Spiegelhalter (1988). ``titanic`` has the
    people on board by class, sex, age and survival (Dawson 1995), counted in the column ``people``;
    ``berkeley`` the graduate admissions of 1973 (Bickel, Hammel & O'Connell 1975), counted in ``applicants``.

    >>> samples()
    ('asia', 'berkeley', 'titanic')
    >>> samples.asia.name
    'asia.csv'
    """

    def __call__(self) -> tuple[str, ...]:
        return tuple(
            sorted(
                entry.name.removesuffix(".csv") for entry in _FOLDER.iterdir() if entry.name.endswith(".csv")
            )
        )

    def __iter__(self) -> Iterator[str]:
        return iter(self())

    def __getattr__(self, name: str) -> Path:
        try:
            return sample_path(name)
        except UnknownNameError as problem:
            raise AttributeError(str(problem)) from None

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self()]

    def __repr__(self) -> str:
        return f"samples: {', '.join(self())}"


samples = Samples()


def sample_path(name: str) -> Path:
    """Path of the CSV file of a sample.

    >>> sample_path("asia").name
    'asia.csv'
    """
    if name not in samples():
        raise unknown_name("sample", name, samples())
    return Path(str(_FOLDER / f"{name}.csv"))


def hint_of_sample(stem: str) -> str:
    """The way to the sample of this name, for errors about a file that is not there; "" if there is none."""
    return f", or name the sample data: '{PREFIX}{stem}'" if stem in samples() else ""
