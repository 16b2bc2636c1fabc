"""Public functions take whatever stands for a graph, a network or a method, and refuse the rest in words."""

from __future__ import annotations

import contextlib
import inspect
from pathlib import Path
from typing import Any

import pytest

import dagwright as dw
from dagwright.errors import DagwrightError, KnowledgeError, OptionError, UnknownNameError

DATA = dw.read({"a": [0, 1] * 12, "b": [0, 1] * 12, "c": [0, 1, 1] * 8})
GRAPH = dw.Dag.parse("a -> b; c")
FOUND = dw.learn(DATA, search=dw.HillClimb())
NETWORK = dw.fit(GRAPH, DATA)
WINDOWS = DATA.lagged(lags=1)

# Valid positional arguments of every public function.
VALID: dict[str, tuple[Any, ...]] = {
    "code_lengths": ({"a": 3, "b": 1},),
    "count_dags": (3,),
    "cross_validate": (DATA, {"plain": {}}),
    "describe": (DATA,),
    "effect": (GRAPH, "a", "b", DATA),
    "stationarity": (dw.Dag(WINDOWS.names, [("a[t-1]", "a[t]")]), WINDOWS),
    "with_contexts": (DATA.with_interventions({"a": [True] * 6 + [False] * 18}),),
    "draw": (GRAPH,),
    "entropy": (DATA, "a"),
    "evidence_card": (FOUND, *FOUND.dag.edges[0]),
    "evidence_cards": (FOUND,),
    "explore": (NETWORK,),
    "family_weight": (DATA, "a", "b"),
    "forecast": (DATA,),
    "from_pgmpy": (object(),),
    "from_pyagrum": (object(),),
    "frontier": (FOUND,),
    "greedy_tie_outcomes": (DATA,),
    "missingness": (DATA,),
    "mutual_information": (DATA, "a", "b"),
    "neighbors": (DATA, "a"),
    "networks": (),
    "random_dag": (3,),
    "random_network": (3,),
    "read": (DATA,),
    "sample_path": ("asia",),
    "samples": (),
    "solve": (dw.candidates(DATA),),
    "to_pgmpy": (NETWORK,),
    "to_pyagrum": (NETWORK,),
    "apply_knowledge": (GRAPH.cpdag(), dw.Knowledge()),
    "as_oracle": (GRAPH,),
    "count_equivalence_classes": (3,),
    "graph_neighbors": (GRAPH,),
    "orient": (GRAPH.skeleton(), []),
    "rivals": (DATA, 2),
    "blanket": (DATA, "a"),
    "blanket_agreement": (GRAPH, GRAPH),
    "bootstrap": (DATA,),
    "calibration": (NETWORK, DATA, "a"),
    "candidates": (DATA,),
    "compare": (GRAPH, GRAPH),
    "compare_beliefs": (NETWORK, NETWORK),
    "compare_learned": (FOUND, FOUND),
    "conditional_mutual_information": (DATA, "a", "b", "c"),
    "credible_set": (DATA,),
    "cross_entropy": (GRAPH, DATA),
    "description_length": (GRAPH, DATA),
    "distance": (NETWORK, NETWORK),
    "divergence": (NETWORK, NETWORK),
    "enumerate_networks": (DATA,),
    "faithfulness": (GRAPH, DATA),
    "fit": (GRAPH, DATA),
    "from_networkx": (GRAPH.to_networkx(),),
    "independence_test": (DATA, "a", "b", "c", dw.GSquare()),
    "kl_divergence": ([0.5, 0.5], [0.5, 0.5]),
    "learn": (DATA,),
    "learn_with_bins": ({"a": [0.1, 0.5, 0.9] * 8, "b": [0, 0, 1] * 8},),
    "load": ("asia",),
    "load_graph": ("asia",),
    "log_loss": (NETWORK, DATA),
    "network_weight": (GRAPH, DATA),
    "observed_score": (GRAPH, DATA),
    "plausibility": (GRAPH, DATA),
    "posterior": (DATA,),
    "robustness": (DATA,),
    "score": (GRAPH, DATA, dw.BIC()),
    "to_networkx": (GRAPH,),
}
METHODS = (
    *(
        "search",
        "score",
        "structure_prior",
        "test",
        "method",
        "prior",
        "knowledge",
        "start",
        "scores",
        "bins",
    ),
    "rule",
)
WRONG: tuple[Any, ...] = (
    *(3, 2.5, True, "nonsense", "", (), [], {}, {"x": 1}, [1, 2], b"bytes", object(), print),
    *(dw.GSquare, dw.Exact, dw.BIC(), dw.HillClimb(), DATA, GRAPH, GRAPH.cpdag(), NETWORK, FOUND),
    *(Path("nowhere.json"), dw.Pag.parse("a o-> b"), dw.UndirectedGraph.parse("a -- b")),
)


ROOMS = (dw, dw.search, dw.show, dw.model, dw.evidence, dw.graph)
"""Where public functions are: at the top, or in their packages."""


def verb(name: str) -> Any:
    return next(getattr(room, name) for room in ROOMS if hasattr(room, name))


def fed(name: str) -> list[tuple[int | str, Any]]:
    places: list[int | str] = list(range(len(VALID[name])))
    places += [option for option in METHODS if option in inspect.signature(verb(name)).parameters]
    return [(place, wrong) for place in places for wrong in WRONG]


SLOW_OR_WRITING = {"report", "save", "save_graph"}
"""Functions that make files or take long."""


def test_every_public_function_is_tried() -> None:
    public = {name for name in dw.__all__ if inspect.isroutine(getattr(dw, name))}
    assert public - set(VALID) == SLOW_OR_WRITING


@pytest.mark.parametrize("name", VALID)
def test_plausible_wrong_things_are_refused_in_words(name: str) -> None:
    raw = []
    for place, wrong in fed(name):
        given, options = list(VALID[name]), {}
        if isinstance(place, int):
            given[place] = wrong
            options = {}
        elif place in list(inspect.signature(verb(name)).parameters)[: len(given)]:
            continue
        else:
            options = {place: wrong}
        if name == "bootstrap":
            options["replicates"] = 2
        try:
            with contextlib.suppress(DagwrightError):
                verb(name)(*given, **options)
        except Exception as problem:
            raw.append(f"{name}({place}={wrong!r:.40}): {type(problem).__name__}: {problem!s:.80}")
    assert not raw, "\n".join(raw)


@pytest.mark.parametrize(
    ("text", "method"),
    [("hc", dw.HillClimb()), ("ges", dw.GES()), ("pc.stable", dw.PC()), ("exact", dw.Exact())],
)
def test_searches_by_name(text: str, method: Any) -> None:
    assert dw.learn(DATA, search=text).method == dw.learn(DATA, search=method).method


def test_methods_by_name() -> None:
    assert dw.score(GRAPH, DATA, "bdeu(ess=10)").total == dw.score(GRAPH, DATA, dw.BDeu(ess=10)).total
    assert dw.score(GRAPH, DATA, "k2").total == dw.score(GRAPH, DATA, dw.K2Score()).total
    assert dw.learn(DATA, score="aic").score_name == "AIC"
    assert dw.independence_test(DATA, "a", "b", test="chisq").statistic is not None
    assert dw.solve(dw.candidates(DATA, score="AIC")).score == dw.learn(DATA, score=dw.AIC()).score
    assert dw.posterior(DATA, method="ExactPosterior(max_parents=1)").method.max_parents == 1
    assert dw.blanket(DATA, "a", method="gs").members == ("b",)
    with pytest.raises(UnknownNameError, match="'HillClimb'"):
        dw.learn(DATA, search="hilclimb")
    with pytest.raises(OptionError, match="BIC is not a search"):
        dw.learn(DATA, search="BIC")


def test_knowledge_as_a_dict_or_a_file(tmp_path: Path) -> None:
    known = dw.Knowledge(forbidden=["a -> b"])
    known.save(tmp_path / "known.toml")
    for given in (known, {"forbidden": ["a -> b"]}, tmp_path / "known.toml"):
        assert dw.learn(DATA, knowledge=given).graph.edges == (("b", "a"),)
    with pytest.raises(UnknownNameError, match="did you mean 'forbidden'"):
        dw.learn(DATA, knowledge={"forbiden": []})
    with pytest.raises(KnowledgeError, match="must be a Knowledge or a dict"):
        dw.learn(DATA, knowledge=["a -> b"])


def test_results_and_names_stand_for_networks() -> None:
    assert dw.distance(FOUND, FOUND.network()).total == 0
    assert dw.divergence("asia", dw.load("asia")).value == 0
    assert dw.log_loss(FOUND, DATA) == dw.log_loss(FOUND.network(), DATA)
    assert dw.learn(DATA, start=NETWORK, search="hc").graph.skeleton() == FOUND.graph.skeleton()
    assert NETWORK.joint("a").tolist() == NETWORK.joint(["a"]).tolist()
    with pytest.raises(OptionError, match=r"divergence\(\) compares networks"):
        dw.kl_divergence(NETWORK, NETWORK)
    with pytest.raises(OptionError, match="network with parameters, not Dag"):
        dw.distance(GRAPH, NETWORK)


def test_rules_for_numbers_are_rules() -> None:
    numbers = {"a": [i / 7 for i in range(60)]}
    for wrong in ("EqualWidth", dw.EqualWidth, 3, {"a": dw.BIC()}):
        with pytest.raises(OptionError, match="discretize must be a rule such as"):
            dw.read(numbers, discretize=wrong)  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="discretize must be a rule such as"):
        dw.robustness(numbers, bins=["three"])


def test_methods_inside_methods_by_name() -> None:
    assert dw.PC(test="g2") == dw.PC(test=dw.GSquare())
    assert dw.FCI(test="chisq(alpha=0.05)") == dw.FCI(test=dw.ChiSquare(alpha=0.05))
    assert dw.GrowShrink("BIC") == dw.GrowShrink(dw.BIC())
    assert dw.Polytree(test="g2") == dw.Polytree(test=dw.GSquare())
    assert dw.Restrict("mmpc", "hc") == dw.Restrict(dw.MMPC(), dw.HillClimb())
    assert dw.Restrict("bic") == dw.Restrict(dw.BIC())
    assert dw.MMHC("x2", maximize="hc") == dw.MMHC(dw.ChiSquare(), maximize=dw.HillClimb())
    assert dw.Maximize("bdeu", "ges") == dw.Maximize(dw.BDeu(), dw.GES())
    assert dw.StructuralEM("hc") == dw.StructuralEM(dw.HillClimb())
    assert dw.Permuted("g2") == dw.Permuted(dw.GSquare())
    assert dw.CriterionSign("k2") == dw.CriterionSign(dw.K2Score())
    assert dw.BayesFactor("bdeu(ess=2)") == dw.BayesFactor(dw.BDeu(ess=2))
    named = dw.fit(GRAPH, DATA, parameter_prior="bdeu(ess=10)")
    assert (
        named.table("b").tolist() == dw.fit(GRAPH, DATA, parameter_prior=dw.BDeu(ess=10)).table("b").tolist()
    )


@pytest.mark.parametrize("maker", [dw.PC, dw.MMPC, dw.MMHC, dw.Polytree, dw.Restrict, dw.Permuted])
def test_methods_inside_methods_are_refused_at_once(maker: Any) -> None:
    with pytest.raises(OptionError, match=r"is a class; write GSquare\(\)"):
        maker(dw.GSquare)
    with pytest.raises(UnknownNameError, match="unknown method 'nonsense'"):
        maker("nonsense")


@pytest.mark.parametrize("maker", [dw.StructuralEM, dw.CriterionSign, dw.BayesFactor, dw.Permuted])
def test_other_things_inside_methods_are_refused(maker: Any) -> None:
    for wrong in (3, DATA, object()):
        with pytest.raises(OptionError, match=r"such as|must be"):
            maker(wrong)


def test_a_score_by_name_counts_available_rows() -> None:
    gaps = dw.read({"a": [0, 1] * 12, "b": [0, 1] * 11 + [0, None]})
    assert dw.learn(gaps, score="nal").score == dw.learn(gaps, score=dw.NodeAverage()).score


@pytest.mark.parametrize("asked", [NETWORK, NETWORK.compile()])
def test_query_asks_about_one_node(asked: Any) -> None:
    for wrong in (["a", "b"], ["a"], 3, None):
        with pytest.raises(OptionError, match="the name of one node"):
            asked.query(wrong)
    with pytest.raises(UnknownNameError, match="unknown node"):
        NETWORK.states(["a"])
