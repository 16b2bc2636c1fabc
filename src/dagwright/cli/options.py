"""The arguments and options that commands share, with the words that --help prints."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from dagwright.cli import completion
from dagwright.defaults import DEFAULTS
from dagwright.methods import registry
from dagwright.model.inference.findings import UnknownStatePolicy


def method_option(flag: str, words: str, *kinds: registry.Kind) -> Any:
    """An option that names a method of some kinds, with words for --help."""
    return typer.Option(flag, help=words, autocompletion=completion.methods(*kinds))


USUAL = DEFAULTS["discrete"]

DATA = typer.Argument(
    help="A CSV, TSV, Parquet, Arrow, JSON lines, Excel, Stata, SPSS or SAS file; - is stdin; "
    "sample:asia is sample data.",
    autocompletion=completion.data,
)
Data = Annotated[str, DATA]
Graph = Annotated[
    str,
    typer.Argument(
        help="'A -> B; B -> C', a file with such text, a saved model or the file of a network.",
        autocompletion=completion.networks,
    ),
]
Network = Annotated[
    str,
    typer.Argument(
        help="The file of a network, or the name of one that comes with dagwright.",
        autocompletion=completion.networks,
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Write JSON for programs.")]

READING = "Reading the data"


def _reading(*flags: str, words: str, **more: Any) -> Any:
    return typer.Option(*flags, help=words, rich_help_panel=READING, **more)


Format = Annotated[
    str | None,
    _reading(
        "--format",
        words="csv, tsv, parquet, arrow, jsonl, excel, stata, spss, sas; default: by the suffix.",
    ),
]
Connection = Annotated[
    str | None, _reading("--connection", words="An SQLite or DuckDB file; DATA is then an SQL query.")
]
Engine = Annotated[
    Literal["polars", "python", "duckdb", "disk"] | None,
    _reading(
        "--engine",
        words="The program that reads files; duckdb and disk also take SQL queries. disk is for data "
        "larger than memory.",
    ),
]
Into = Annotated[
    str | None,
    _reading("--into", words="With --engine disk: the folder of column files; default: a temporary one."),
]
MemoryMib = Annotated[
    float | None,
    _reading(
        "--memory-mib",
        min=1,
        words="With --engine disk: MiB for counting; default: half of this machine's memory.",
    ),
]
Sheet = Annotated[str | None, _reading("--sheet", words="Name or number of the sheet of an Excel file.")]
Separator = Annotated[str | None, _reading("--separator", words="The separator of cells; default: detected.")]
Decimal = Annotated[
    Literal[".", ","] | None, _reading("--decimal", words="The decimal mark; default: detected.")
]
Quote = Annotated[str | None, _reading("--quote", words="The quote character; '' for none; default: \".")]
Encoding = Annotated[str | None, _reading("--encoding", words="The encoding of a text file; default: UTF-8.")]
Header = Annotated[
    bool,
    _reading(
        "--header/--no-header", words="Whether the first line has the names; otherwise they are V1, V2, ..."
    ),
]
MissingValues = Annotated[
    list[str] | None,
    _reading(
        "--missing-value",
        words="One more text that marks a missing cell, besides '', ?, NA, N/A, NaN and NULL.",
    ),
]
Names = Annotated[list[str] | None, _reading("--name", words="The name of the next column, once for each.")]
Columns = Annotated[
    list[str] | None,
    _reading("--column", words="Use only this column.", autocompletion=completion.columns),
]
Exclude = Annotated[
    list[str] | None,
    _reading("--exclude", words="Leave this column out.", autocompletion=completion.columns),
]
Weights = Annotated[
    str | None,
    _reading(
        "--weights",
        words="The column that holds the weight of each row.",
        autocompletion=completion.columns,
    ),
]
Kinds = Annotated[list[str] | None, _reading("--kind", words="COLUMN=category or COLUMN=continuous.")]
States = Annotated[
    list[str] | None, _reading("--states", words="The states in order: COLUMN=low,medium,high.")
]
Discretize = Annotated[
    list[str] | None,
    _reading(
        "--discretize",
        words="How to discretize columns of numbers: 'EqualWidth(bins=5)', or 'COLUMN=EqualWidth(bins=5)'. "
        "'MDLP(target=\"COLUMN\")' separates the states of a target, 'NetworkMDL()' fits a network.",
    ),
]
Dates = Annotated[
    list[str] | None,
    _reading(
        "--dates",
        words="Parts of a column of dates: COLUMN=month, or COLUMN=year,weekday; of year, quarter, month, "
        "weekday, day, hour.",
    ),
]
Rare = Annotated[
    list[str] | None,
    _reading(
        "--rare", words="Group values that occur in less than this share or number of rows; or COLUMN=..."
    ),
]
Ordered = Annotated[
    list[str] | None,
    _reading(
        "--ordered",
        words="A column whose states are ordered, as --states lists them.",
        autocompletion=completion.columns,
    ),
]
MaxNumberStates = Annotated[
    int | None,
    _reading("--max-number-states", words="A column with more distinct numbers is continuous; default: 20."),
]

SERIES = "Time series"


def _series(*flags: str, words: str, **more: Any) -> Any:
    return typer.Option(*flags, help=words, rich_help_panel=SERIES, **more)


Lags = Annotated[
    int | None,
    _series("--lags", min=1, words="Learn from windows of a time step and this many earlier steps."),
]
Time = Annotated[
    str | None,
    _series(
        "--time",
        words="The column of times; default: the order of the rows.",
        autocompletion=completion.columns,
    ),
]
Sequence = Annotated[
    str | None,
    _series(
        "--sequence",
        words="The column that identifies the sequence, such as a patient.",
        autocompletion=completion.columns,
    ),
]
Static = Annotated[
    list[str] | None,
    _series(
        "--static",
        words="A column that does not change within a sequence.",
        autocompletion=completion.columns,
    ),
]
Contemporaneous = Annotated[
    bool,
    _series(
        "--contemporaneous/--no-contemporaneous",
        words="Whether columns of the same step may be parents of each other.",
    ),
]
TimeGaps = Annotated[
    Literal["break", "error"],
    _series("--gaps", words="What to do at an unequal time step: break the sequence, or error."),
]

Missing = Annotated[
    str | None,
    typer.Option("--missing", help="Policy for missing values: drop, state or em; for tests also available."),
]
Score = Annotated[
    str | None,
    method_option(
        "--score", f"The score to maximize, for instance 'BDeu(ess=10)'; default: {USUAL.score}.", "score"
    ),
]
Search = Annotated[
    str | None,
    method_option(
        "--search",
        f"The search algorithm, for instance 'HillClimb(max_parents=3)'; default: {USUAL.search}.",
        "search",
    ),
]
Knowledge = Annotated[
    Path | None,
    typer.Option("--knowledge", help="A file (.toml, .json, .csv, Tetrad text) with background knowledge."),
]
Require = Annotated[
    list[str] | None,
    typer.Option(
        "--require", help="A required edge (whitelist): 'A -> B', or 'A -- B' for either direction."
    ),
]
Forbid = Annotated[
    list[str] | None,
    typer.Option("--forbid", help="A forbidden edge (blacklist): 'A -> B', or 'A -- B' for both directions."),
]
Tier = Annotated[
    list[str] | None,
    typer.Option("--tier", help="The next tier: A,B. No arc leads from a later tier to an earlier one."),
]
Condition = Annotated[
    str | None,
    typer.Option("--condition", help="The column that names the experiment of each row; it is left out."),
]
Sets = Annotated[
    list[str] | None,
    typer.Option("--sets", help="The variables that a condition sets: 'drug=Akt,PKC'; 'control=' for none."),
]
StructurePrior = Annotated[
    str | None,
    method_option(
        "--structure-prior",
        "The prior over graphs, for instance 'FanIn(monotone=True)'; default "
        f"without a score: {USUAL.structure_prior or 'uniform'}.",
        "prior",
    ),
]
Start = Annotated[str | None, typer.Option("--start", help="The graph to start from.")]
TimeLimit = Annotated[
    float | None,
    typer.Option("--time-limit", min=0.0, help="Seconds after which the best result so far is returned."),
]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="No report and no progress.")]
Evidence = Annotated[
    list[str] | None,
    typer.Option(
        "--evidence",
        "-e",
        help="node=state, or node=state:0.8,state:0.2 for the likelihoods of uncertain evidence.",
        autocompletion=completion.settings,
    ),
]
Do = Annotated[
    list[str] | None,
    typer.Option("--do", help="node=state, set by intervention.", autocompletion=completion.settings),
]
UnknownStates = Annotated[
    UnknownStatePolicy,
    typer.Option("--unknown-states", help="For a state that the network does not have: error, or ignore."),
]
Seed = Annotated[int, typer.Option("--seed", min=0, help="The seed of all random numbers.")]
RowsOut = Annotated[
    Path | None, typer.Option("--output", "-o", help="A .csv, .tsv or .parquet file; default: stdout.")
]
Lossless = Annotated[bool, typer.Option("--lossless", help="Refuse a format that cannot hold everything.")]
Threads = Annotated[int | None, typer.Option("--threads", help="Default: as many as this process may use.")]
