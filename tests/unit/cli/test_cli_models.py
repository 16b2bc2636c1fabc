"""The commands about networks with numbers, and the file with options."""

from __future__ import annotations

import json
from io import BytesIO
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import dagwright as dw
from command_line import SAMPLE, answer, refusal, run


@pytest.fixture
def network(tmp_path: Path) -> Path:
    path = tmp_path / "network.json"
    answer(
        "fit", SAMPLE, "smoke -> lung; smoke -> bronc", "-o", str(path), "--parameter-prior", "BDeu(ess=10)"
    )
    return path


class TestFit:
    def test_the_tables_are_those_of_the_library(self, network: Path) -> None:
        table = dw.read(SAMPLE)
        graph = dw.Dag(table.names, [("smoke", "lung"), ("smoke", "bronc")])
        assert dw.load(network) == dw.fit(graph, table, parameter_prior=dw.BDeu(ess=10))

    def test_a_learned_graph_gets_numbers(self, tmp_path: Path) -> None:
        learned, out = tmp_path / "learned.json", tmp_path / "network.json"
        answer("learn", SAMPLE, "-q", "-o", str(learned))
        assert "8 nodes" in answer("fit", SAMPLE, str(learned), "-o", str(out), "--parameter-prior", "1")
        assert dw.load(out).graph == dw.Learned.load(learned).dag

    def test_what_a_format_cannot_hold_is_said(self, tmp_path: Path) -> None:
        words = ("fit", SAMPLE, "smoke -> lung", "-o", str(tmp_path / "network.bif"))
        told = run(*words)
        assert told.exit_code == 0
        assert "counts of" in told.stderr
        assert "--verbose" in told.stderr
        assert "cannot hold" in refusal(*words, "--lossless")

    def test_gaps_by_em(self, tmp_path: Path) -> None:
        rows = tmp_path / "rows.csv"
        rows.write_text("a,b\nx,u\nx,\ny,v\ny,v\n")
        out = str(tmp_path / "network.json")
        assert "missing" in refusal("fit", str(rows), "a -> b", "-o", out)
        answer("fit", str(rows), "a -> b", "-o", out, "--missing", "em", "--parameter-prior", "0")
        assert dw.load(out).table("b") == pytest.approx(np.eye(2), abs=0.02)


class TestQuery:
    def test_probabilities_by_state(self) -> None:
        found = json.loads(answer("query", "asia", "lung", "-e", "xray=yes", "-e", "smoke=yes", "--json"))
        assert found["lung"]["probabilities"]["yes"] == pytest.approx(0.645991, abs=1e-6)
        text = answer("query", "asia", "lung", "-e", "xray=yes", "-e", "smoke=yes")
        assert "0.645991" in text

    def test_without_targets_every_node_that_is_not_observed(self) -> None:
        found = json.loads(answer("query", "asia", "-e", "xray=yes", "--json"))
        assert set(found) == set(dw.load("asia").nodes) - {"xray"}

    def test_likelihoods(self) -> None:
        found = json.loads(answer("query", "asia", "lung", "-e", "xray=yes:0.8,no:0.1", "--json"))
        expected = dw.load("asia").query("lung", {"xray": {"yes": 0.8, "no": 0.1}})
        assert found["lung"]["probabilities"] == pytest.approx(dict(expected))

    def test_seeing_is_not_doing(self) -> None:
        seen = json.loads(answer("query", "asia", "smoke", "-e", "bronc=yes", "--json"))
        done = json.loads(answer("query", "asia", "smoke", "--do", "bronc=yes", "--json"))
        assert seen["smoke"]["probabilities"]["yes"] == pytest.approx(2 / 3)
        assert done["smoke"]["probabilities"]["yes"] == pytest.approx(1 / 2)

    def test_the_most_probable_states(self) -> None:
        found = json.loads(answer("query", "asia", "--explain", "-e", "xray=yes", "--json"))
        assert found["states"] == dict(dw.load("asia").mpe({"xray": "yes"}))

    def test_what_would_tell_most(self) -> None:
        assert answer("query", "asia", "lung", "--informative").splitlines()[2].startswith("either")
        assert "exactly one target" in refusal("query", "asia", "--informative")

    def test_an_approximate_answer_says_so(self) -> None:
        text = answer("query", "asia", "lung", "--method", "likelihood_weighting")
        assert "approximate, by likelihood_weighting; largest standard error" in text

    @pytest.mark.parametrize(
        ("words", "reason"),
        [
            (["-e", "xray=maybe"], "unknown state of 'xray' 'maybe'"),
            (["-e", "xray"], "takes node=state"),
            (["-e", "xrays=yes"], "did you mean 'xray'?"),
            (["-e", "xray=yes:high,no:0.1"], "'high' is not a number"),
            (["lungs"], "did you mean 'lung'?"),
        ],
    )
    def test_refusals(self, words: list[str], reason: str) -> None:
        assert reason in refusal("query", "asia", *words)

    def test_a_graph_without_numbers_is_told_apart(self, tmp_path: Path) -> None:
        learned = tmp_path / "learned.json"
        answer("learn", SAMPLE, "-q", "-o", str(learned))
        assert "dagwright fit DATA" in refusal("query", str(learned))


class TestRows:
    def test_samples_are_those_of_the_library(self) -> None:
        drawn = dw.read(
            BytesIO(answer("sample", "asia", "-n", "50", "--seed", "3", "-e", "smoke=yes").encode())
        )
        expected = dw.load("asia").sample(50, random_state=3, evidence={"smoke": "yes"})
        assert drawn.to_dict() == expected.to_dict()

    def test_predictions_of_piped_rows(self) -> None:
        rows = answer("sample", "asia", "-n", "20", "--seed", "1").encode()
        predicted = answer("predict", "asia", "-", "-t", "lung", stdin=rows).split()
        assert predicted[1:] == dw.load("asia").predict(dw.read(BytesIO(rows)), "lung")
        table = answer("predict", "asia", "-", "-t", "lung", "-p", stdin=rows).splitlines()
        assert table[0] == "lung=yes,lung=no"
        assert sum(float(cell) for cell in table[1].split(",")) == pytest.approx(1.0)

    def test_gaps_are_filled(self, tmp_path: Path) -> None:
        out = tmp_path / "filled.parquet"
        found = run("predict", "asia", "-", "-o", str(out), stdin=b"smoke,xray\nyes,yes\n,no\n")
        assert found.exit_code == 0
        filled = pl.read_parquet(out)
        assert filled.shape == (2, 8)
        assert filled["lung"].to_list() == ["yes", "no"]

    def test_refusals(self, tmp_path: Path) -> None:
        assert "needs a --target" in refusal("predict", "asia", SAMPLE, "-p")
        assert ".parquet" in refusal("sample", "asia", "-o", str(tmp_path / "rows.docx"))


class TestConvert:
    def test_a_network_through_other_formats(self, tmp_path: Path) -> None:
        there, back = tmp_path / "asia.xdsl", tmp_path / "asia.bif"
        answer("convert", "asia", str(there))
        answer("convert", str(there), str(back))
        assert dw.load(back).table("dysp").tolist() == dw.load("asia").table("dysp").tolist()

    def test_a_graph_alone(self, network: Path, tmp_path: Path) -> None:
        assert "the graph alone" in answer("convert", str(network), str(tmp_path / "graph.dot"))
        assert "dagwright fit" in refusal("convert", str(tmp_path / "graph.dot"), str(tmp_path / "x.bif"))


class TestStandardOutput:
    def test_networks(self, tmp_path: Path) -> None:
        fitted, converted = tmp_path / "fitted.json", tmp_path / "converted.bif"
        fitted.write_text(answer("fit", SAMPLE, "smoke -> lung", "-o", "-"), encoding="utf-8")
        assert ("smoke", "lung") in dw.load(fitted).graph.edges
        converted.write_text(answer("convert", "asia", "-", "--to", "bif"), encoding="utf-8")
        assert dw.load(converted).graph == dw.load("asia").graph
        assert "--to" in refusal("convert", "asia", "-")
        assert answer("convert", "asia", "-", "--to", "dot").startswith("digraph")

    def test_pictures_and_pages(self) -> None:
        assert answer("draw", "asia", "-o", "-").startswith("<svg")
        words = ("--search", "HillClimb", "--replicates", "0", "--rival-seconds", "0")
        assert answer("report", SAMPLE, "-o", "-", *words).startswith("<!doctype html>")

    def test_confidence(self) -> None:
        text = answer("bootstrap", SAMPLE, "--search", "HillClimb", "--replicates", "2", "-o", "-")
        assert dw.Confidence.from_json(text).strength("lung", "either") == 1.0


def test_evidence_on_a_node_is_given_once() -> None:
    for words in (("query", "asia", "lung"), ("sample", "asia")):
        said = refusal(*words, "-e", "smoke=yes", "-e", "smoke=no")
        assert "--evidence names 'smoke' twice" in said
    assert "--do names 'smoke' twice" in refusal("query", "asia", "--do", "smoke=yes", "--do", "smoke=no")


def test_columns_that_are_absent_are_named(tmp_path: Path) -> None:
    rows = tmp_path / "rows.csv"
    rows.write_text("smoke,xray\nyes,yes\nno,no\n")
    found = run("predict", "asia", str(rows), "-t", "lung")
    assert found.exit_code == 0
    assert "no column for asia, tub, bronc, either, dysp: taken as not observed" in found.stderr
    rows.write_text("height,weight\n1,2\n2,3\n")
    assert "share no column" in refusal("predict", "asia", str(rows), "-t", "lung")


def test_learn_saves_by_the_ending(tmp_path: Path) -> None:
    answer("learn", SAMPLE, "-o", str(tmp_path / "m.bif"))
    network = dw.load(tmp_path / "m.bif")
    assert network.graph == dw.learn(SAMPLE).graph
    assert (network.table("lung") > 0).all()
    answer("learn", SAMPLE, "-o", str(tmp_path / "m.dot"))
    assert (tmp_path / "m.dot").read_text().startswith("digraph")
    answer("learn", SAMPLE, "-o", str(tmp_path / "m.json"))
    assert dw.Learned.load(tmp_path / "m.json").graph == network.graph
    assert "docx" in refusal("learn", SAMPLE, "-o", str(tmp_path / "m.docx"))
    assert "--oracle" in refusal("learn", "--oracle", "A -> B", "-o", str(tmp_path / "m.bif"))
    with pytest.raises(dw.FormatError, match=r"not as \.bif; network"):
        dw.learn(SAMPLE).save(tmp_path / "again.bif")


def test_predictions_join_their_rows(tmp_path: Path) -> None:
    given = tmp_path / "rows.csv"
    given.write_text("patient,smoke,xray,lung\n17,yes,yes,no\n18,no,,\n")
    found = run("predict", "asia", str(given), "-t", "lung", "--join")
    assert found.exit_code == 0
    assert found.stdout.splitlines() == [
        "patient,smoke,xray,lung,predicted lung",
        "17,yes,yes,no,yes",
        "18,no,,,no",
    ]
    assert "--join needs a --target" in refusal("predict", "asia", str(given), "--join")


def test_describe_tells_about_missing_values(tmp_path: Path) -> None:
    rows = tmp_path / "rows.csv"
    rows.write_text("a,b,c\n" + "x,u,1\ny,,\n" * 20)
    text = answer("describe", str(rows))
    assert "40 of 120 cells are missing; 20 of 40 rows are complete" in " ".join(text.split())
    assert "missing together in 20 rows: b, c" in text
    assert json.loads(answer("describe", str(rows), "--json"))["missingness"]["complete_rows"] == 20
    assert "missing together" in answer("describe", "-", stdin=rows.read_bytes())
    assert json.loads(answer("describe", SAMPLE, "--json"))["missingness"] is None


def test_networks_are_listed() -> None:
    assert [one["name"] for one in json.loads(answer("networks", "--json"))] == list(dw.networks())
    assert "Lauritzen" in answer("networks")


class TestConfiguration:
    def test_options_come_from_the_file_and_the_line_goes_first(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.chdir(tmp_path)
        Path("dagwright.toml").write_text(
            f'[learn]\ndata = {SAMPLE!r}\nscore = "BDeu(ess=10)"\nsearch = "HillClimb"\ntime-limit = 60\n'
        )
        assert json.loads(answer("learn", "--json"))["score_name"] == "BDeu"
        assert json.loads(answer("learn", "--json", "--score", "AIC"))["score_name"] == "AIC"

    @pytest.mark.parametrize(
        ("text", "reason"),
        [
            ("[learm]\n", "did you mean 'learn'?"),
            ("[learn]\nscor = 1\n", "did you mean 'score'?"),
            ("learn = 3\n", "write [learn]"),
            ("[learn\n", "not TOML"),
        ],
    )
    def test_refusals(self, text: str, reason: str, tmp_path: Path) -> None:
        path = tmp_path / "options.toml"
        path.write_text(text)
        assert reason in refusal("--config", str(path), "learn", SAMPLE)
