"""The arguments and options that commands share, with the words that --help prints."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

Data = Annotated[
    str, typer.Argument(help="A CSV, TSV, Parquet, Arrow, JSON lines or Excel file; - is stdin.")
]
Graph = Annotated[
    str,
    typer.Argument(help="'A -> B; B -> C', a file with such text, a saved model or the file of a network."),
]
Network = Annotated[
    str, typer.Argument(help="The file of a network, or the name of one that comes with dagwright.")
]
Json = Annotated[bool, typer.Option("--json", help="Write JSON for programs.")]

Format = Annotated[
    str | None,
    typer.Option("--format", help="csv, tsv, parquet, arrow, jsonl or excel; default: by the ending."),
]
Separator = Annotated[
    str | None, typer.Option("--separator", help="What stands between cells; default: found out.")
]
Columns = Annotated[list[str] | None, typer.Option("--column", help="Use only this column; may be repeated.")]
Exclude = Annotated[list[str] | None, typer.Option("--exclude", help="Leave a column out; may be repeated.")]
Weights = Annotated[
    str | None, typer.Option("--weights", help="The column that holds the weight of each row.")
]
Discretise = Annotated[
    str | None,
    typer.Option("--discretise", help="How to cut columns of numbers, for instance 'EqualWidth(bins=5)'."),
]
Missing = Annotated[
    str | None,
    typer.Option("--missing", help="What to do with missing values: drop, state, em; for tests available."),
]
Score = Annotated[
    str | None, typer.Option("--score", help="What to maximise, for instance 'BDeu(ess=10)'; default: BIC.")
]
Search = Annotated[
    str | None, typer.Option("--search", help="How to search, for instance 'HillClimb(max_parents=3)'.")
]
Knowledge = Annotated[
    Path | None,
    typer.Option("--knowledge", help="A file (.toml, .json, .csv, Tetrad text) with what is known."),
]
TimeLimit = Annotated[
    float | None,
    typer.Option("--time-limit", min=0.0, help="Seconds after which the best so far is returned."),
]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="No report and no progress.")]
Evidence = Annotated[
    list[str] | None,
    typer.Option(
        "--evidence",
        "-e",
        help="node=state, or node=state:0.8,state:0.2 for likelihoods; may be repeated.",
    ),
]
Seed = Annotated[int, typer.Option("--seed", min=0, help="Seed of everything that uses chance.")]
RowsOut = Annotated[
    Path | None, typer.Option("--output", "-o", help="A .csv, .tsv or .parquet file; default: stdout.")
]
Lossless = Annotated[bool, typer.Option("--lossless", help="Refuse a format that cannot hold everything.")]
Threads = Annotated[int | None, typer.Option("--threads", help="Default: as many as this process may use.")]
