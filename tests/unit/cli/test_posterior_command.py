"""What `posterior` says beside the probabilities of edges."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import dagwright as dw
from command_line import SAMPLE, answer, refusal

FEW = ("--column", "smoke", "--column", "lung", "--column", "bronc", "--column", "dysp")


def test_listed_networks_with_evidence_and_bayes_factors() -> None:
    words = ("posterior", SAMPLE, *FEW, "--most", "2", "--about", "smoke -> lung")
    table = dw.read(SAMPLE, columns=FEW[1::2])
    found = dw.posterior(table)
    text = answer(*words)
    assert f"ln P(data) {found.log_evidence:.6f}" in text
    assert f"{found.dags[0].probability:.4g}" in text
    assert "10^704 times as likely" in text
    document = json.loads(answer(*words, "--json"))
    assert document["log_evidence"] == pytest.approx(found.log_evidence)
    assert [one["graph"] for one in document["networks"]] == [str(one.dag) for one in found.dags[:2]]
    about = document["about"]
    assert about["probability"] == 0.0
    assert about["smallest_prior"] == 1.0
    asked = dw.Dag(table.names, [("smoke", "lung")])
    assert about["log_bayes_factor"] == pytest.approx(found.log_bayes_factor(found.best, asked))
    assert dw.Confidence.from_json(json.dumps(document)) == found.confidence


def test_samples_come_with_how_well_the_chains_agree(tmp_path: Path) -> None:
    words = ("posterior", SAMPLE, *FEW, "--method", "PartitionMCMC(samples=300)")
    text = answer(*words, "-o", str(tmp_path / "found.json"))
    assert "R-hat" in text
    assert "effective sample size" in " ".join(text.split())
    saved = json.loads((tmp_path / "found.json").read_text(encoding="utf-8"))
    assert saved["diagnostics"]["chains"] == 4
    assert saved["diagnostics"]["rhat_arcs"] < 1.2
    assert saved["networks"] == []


def test_a_checkpoint_that_cannot_be_written_is_refused_beforehand(tmp_path: Path) -> None:
    nowhere = str(tmp_path / "nowhere" / "chains.npz")
    words = ("posterior", SAMPLE, *FEW, "--method", "order", "--checkpoint", nowhere)
    assert "there is no folder" in refusal(*words)


def test_a_prior_that_needs_a_graph_says_how_to_write_one() -> None:
    words = ("posterior", SAMPLE, *FEW, "--structure-prior")
    assert "write a graph as Graph('A -> B')" in refusal(*words, "KappaPrior('smoke -> lung', 0.5)")
    assert "ln P(data)" in answer(*words, "KappaPrior(Graph('smoke -> lung'), 0.5)")
