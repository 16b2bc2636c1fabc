"""A learning request as a value: saved, compared, printed as code, and run again with the same answer."""

from __future__ import annotations

import json
import pickle
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import dagwright as dw
from dagwright.errors import FormatError, OptionError

ASIA = dw.sample_path("asia")
STUDIES = [
    dw.Study(),
    dw.Study(search=dw.HillClimb(max_parents=2), score=dw.BDeu(ess=10)),
    dw.Study(search="pc", missing="available"),
    dw.Study(search=dw.PC(test=dw.ChiSquare(alpha=0.05))),
    dw.Study(score="aic", structure_prior=dw.EdgeProbability(0.1), exclude=["asia"]),
    dw.Study(knowledge=dw.Knowledge(required=["smoke -> lung"], tiers=[["asia"], ["tub", "lung"]])),
    dw.Study(start="smoke -> lung", search=dw.Tabu(), random_state=7),
    dw.Study(start=dw.Pdag(["smoke", "lung"], [], [("smoke", "lung")]), search=dw.HillClimb()),
    dw.Study(columns=["smoke", "lung", "bronc"], random_state=np.random.default_rng(3)),
    dw.Study(search=dw.Annealing(), random_state=np.random.SeedSequence(5, spawn_key=(2, 1))),
]


@pytest.mark.parametrize("study", STUDIES, ids=str)
def test_saved_and_read_back(study: dw.Study) -> None:
    again = dw.Study.from_json(study.to_json())
    assert again.to_dict() == study.to_dict()
    assert again.seed.generate_state(4).tolist() == study.seed.generate_state(4).tolist()
    assert again.repeatable


@pytest.mark.parametrize("study", STUDIES[:-1], ids=str)
def test_prints_as_the_code_that_makes_it(study: dw.Study) -> None:
    names = {name: getattr(dw, name) for name in dir(dw)}
    assert eval(repr(study), names) == study


@pytest.mark.parametrize("study", STUDIES, ids=str)
def test_a_saved_result_can_be_run_again(study: dw.Study, tmp_path: Path) -> None:
    found = study.learn(ASIA, threads=1)
    found.save(tmp_path / "model.json")
    loaded = dw.Learned.load(tmp_path / "model.json")
    assert loaded.study.fingerprint == found.data["fingerprint"]
    again = loaded.study.learn(ASIA)
    assert (again.graph, again.score, again.evaluations) == (found.graph, found.score, found.evaluations)
    assert loaded.essential == found.essential
    assert pickle.loads(pickle.dumps(found)).study.to_dict() == found.study.to_dict()


def test_options_and_study_say_the_same() -> None:
    options: dict[str, Any] = {"search": dw.HillClimb(), "score": dw.BDeu(ess=2), "random_state": 3}
    study = dw.Study(**options)
    assert dw.learn(ASIA, **options).graph == dw.learn(ASIA, study=study).graph
    drawn = dw.bootstrap(ASIA, replicates=3, **options)
    assert drawn == study.bootstrap(ASIA, replicates=3)
    few = {"columns": ["smoke", "lung", "bronc", "dysp"]}
    small = replace(study, **few)
    assert dw.rivals(ASIA, 3, score=dw.BDeu(ess=2), **few).scores == small.rivals(ASIA, 3).scores
    exact = dw.posterior(ASIA, score=dw.BDeu(ess=2), **few)
    assert small.posterior(ASIA).confidence == exact.confidence
    assert small.forecast(ASIA).search == "HillClimb()"
    assert small.candidates(ASIA).evaluations == dw.candidates(ASIA, score=dw.BDeu(ess=2), **few).evaluations


def test_a_study_and_options_together_are_refused() -> None:
    with pytest.raises(OptionError, match="a study or the options, not both"):
        dw.learn(ASIA, study=dw.Study(), score=dw.BIC())
    with pytest.raises(OptionError, match="takes a Study, not dict"):
        dw.learn(ASIA, study={})  # type: ignore[arg-type]


def test_what_cannot_be_repeated_is_said() -> None:
    class Count:
        def local(self, families: Any) -> list[float]:
            return [-float(len(parents)) for _, parents in families]

    found = dw.learn(ASIA, score=Count(), search=dw.HillClimb())
    assert not found.study.repeatable
    assert "object of this process, Count" in found.study.not_repeatable
    stopped = dw.learn(ASIA, time_limit=0.0)
    assert not stopped.study.repeatable
    assert "time limit" in stopped.study.not_repeatable
    assert dw.learn(ASIA).study.repeatable


def test_a_loaded_result_knows_the_prior_of_its_score() -> None:
    found = dw.learn(ASIA, score=dw.BDeu(ess=10), search=dw.HillClimb())
    loaded = dw.Learned.from_json(found.to_json())
    assert loaded.network(ASIA) == found.network()


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("format", "x"),
        ("format_version", 9),
        ("search", "Nothing()"),
        ("score", 3),
        ("knowledge", {"x": 1}),
        ("seed", {"entropy": "a", "spawn_key": []}),
        ("variables", [{"name": 1}]),
        ("start", {"nodes": []}),
    ],
)
def test_damaged_studies_are_refused(field: str, value: object) -> None:
    document = json.loads(dw.Study().to_json()) | {field: value}
    with pytest.raises(FormatError, match="study"):
        dw.Study.from_json(json.dumps(document))


def test_a_file_is_opened_again_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "semicolons.csv"
    path.write_text("a;b;w\n" + "x;y;2\nx;z;1\nq;z;3\n" * 20, encoding="utf-8")
    table = dw.read(path, separator=";", weights="w")
    found = dw.learn(table)
    again = dw.Learned.from_json(found.to_json()).study.learn(path)
    assert again.study.fingerprint == found.study.fingerprint
    assert again.score == found.score


SMALL = dw.read(ASIA).select(["smoke", "lung", "bronc", "dysp"]).take(range(400))
OF_SCORE: dict[str, Any] = {"score": dw.BDeu(ess=2), "knowledge": dw.Knowledge(forbidden=["lung -> smoke"])}
SEARCHED: dict[str, Any] = {"search": dw.HillClimb(), **OF_SCORE}
# By verb: other arguments, the options that a study replaces, and what of the answer is compared.
VERBS: dict[str, tuple[dict[str, Any], dict[str, Any], Any]] = {
    "learn": ({}, {**SEARCHED, "random_state": 3}, lambda found: (found.graph, found.score)),
    "bootstrap": ({"replicates": 3}, {**SEARCHED, "random_state": 3}, lambda found: found),
    "posterior": ({}, OF_SCORE, lambda found: found.confidence),
    "candidates": ({}, OF_SCORE, lambda found: found.scores.tolist()),
    "rivals": ({"k": 3}, OF_SCORE, lambda found: found.scores),
    "forecast": (
        {},
        {"search": dw.HillClimb(), "score": dw.BDeu(ess=2)},
        lambda found: str(found).split(",")[0],
    ),
    "cross_validate": (
        {"folds": 3},
        {**SEARCHED, "random_state": 3},
        lambda found: list(found.folds.values()),
    ),
    "report": (
        {"replicates": 2, "rival_seconds": 0.0},
        {**SEARCHED, "random_state": 3},
        lambda found: (found.found.graph, found.found.confidence()),
    ),
    "blanket": ({"target": "lung"}, {"method": dw.GrowShrink()}, lambda found: found.members),
    "neighbors": ({"target": "lung"}, {"method": dw.MMPC()}, lambda found: found.members),
}


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_takes_data_with_options_or_with_a_study(verb: str) -> None:
    others, options, told = VERBS[verb]
    call = getattr(dw, verb)
    study = dw.Study(**{("search" if name == "method" else name): value for name, value in options.items()})
    if verb == "cross_validate":
        tried = {name: value for name, value in options.items() if name != "random_state"}
        plain = call(SMALL, {"plain": tried}, random_state=3, **others)
        with pytest.raises(OptionError, match="both given"):
            call(SMALL, {"plain": tried}, study=study)
        assert told(call(SMALL, {"as a study": study}, random_state=3, **others)) == told(plain)
    else:
        plain = call(SMALL, **options, **others)
    assert told(call(SMALL, study=study, **others)) == told(plain)
    assert told(getattr(study, verb)(SMALL, **others)) == told(plain)
    with pytest.raises(OptionError, match="a study or the options, not both"):
        call(SMALL, study=study, missing="drop", **others)


def test_columns_of_a_study_are_those_of_its_report_and_its_folds() -> None:
    study = dw.Study(search=dw.HillClimb(), columns=["smoke", "lung", "bronc"], random_state=4)
    page = study.report(ASIA, replicates=0, rival_seconds=0.0)
    assert set(page.network.nodes) == {"smoke", "lung", "bronc"}
    assert (
        "study=dw.Study(search=dw.HillClimb(), columns=('smoke', 'lung', 'bronc'), random_state=4)"
        in page.code
    )
    whole = study.cross_validate(ASIA, folds=2).ranking[0].loss
    chosen = dw.read(ASIA).select(["smoke", "lung", "bronc"])
    alone = dw.cross_validate(chosen, {"": {"search": dw.HillClimb()}}, folds=2, random_state=4)
    assert whole == alone.ranking[0].loss
    with pytest.raises(OptionError, match="does not go with a result"):
        dw.report(study.learn(ASIA), study=study)
    with pytest.raises(OptionError, match="already says how to read"):
        dw.report(ASIA, study=study, exclude=["lung"])


def test_arrays_of_names_are_lists_of_names() -> None:
    data = {"a": [0, 1] * 20, "b": [0, 0, 1, 1] * 10, "c": [1, 0, 0, 1] * 10}
    assert dw.learn(data, exclude=np.array(["a", "c"])).graph.nodes == ("b",)
    assert dw.learn(data, columns=np.array(["a", "b"])).graph.nodes == ("a", "b")
