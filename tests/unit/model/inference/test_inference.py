"""Questions to networks: what is asked, how it is answered, and what is refused."""

from __future__ import annotations

import copy
import pickle
import threading
from typing import Any

import numpy as np
import pytest

import dagwright as dw
from dagwright.errors import CapacityError, DataError, OptionError, UnknownNameError


@pytest.fixture(scope="module")
def asia() -> dw.BayesianNetwork:
    return dw.load("asia")


@pytest.fixture(scope="module")
def alarm() -> dw.BayesianNetwork:
    return dw.load("alarm")


def grid(side: int) -> dw.BayesianNetwork:
    """A lattice: its width grows with its side."""
    random = np.random.default_rng(side)
    names = [[f"g{i:02}{j:02}" for j in range(side)] for i in range(side)]
    parents = {
        names[i][j]: [names[a][b] for a, b in ((i - 1, j), (i, j - 1)) if a >= 0 and b >= 0]
        for i in range(side)
        for j in range(side)
    }
    tables = {x: random.dirichlet([1.0, 1.0], size=[2] * len(p)) for x, p in parents.items()}
    graph = dw.Dag(list(parents), [(p, x) for x, given in parents.items() for p in given])
    return dw.BayesianNetwork(graph, dict.fromkeys(parents, ("0", "1")), tables, parents=parents)


def test_reconstructed_figure_of_lam_and_bacchus() -> None:
    """Lam & Bacchus (1994), Example 1: P(b1) = 0.31, P(c1) = 0.356 and 0.336."""
    a_b = {"a": [0.7, 0.3], "b": [[0.9, 0.1], [0.2, 0.8]]}
    states = dict.fromkeys("abc", ("0", "1"))
    first = dw.BayesianNetwork(
        dw.Dag(list("abc"), [("a", "b"), ("a", "c"), ("b", "c")]),
        states,
        a_b | {"c": [[[0.8, 0.2], [0.2, 0.8]], [[0.9, 0.1], [0.3, 0.7]]]},
    )
    second = dw.BayesianNetwork(
        dw.Dag(list("abc"), [("a", "b"), ("b", "c")]), states, a_b | {"c": [[0.85, 0.15], [0.25, 0.75]]}
    )
    assert first.query("b")["1"] == pytest.approx(0.31, abs=1e-9)
    assert first.query("c")["1"] == pytest.approx(0.356, abs=1e-9)
    assert second.marginals()["c"]["1"] == pytest.approx(0.336, abs=1e-9)


def test_one_flipped_finding_sends_fewer_messages(alarm: dw.BayesianNetwork) -> None:
    engine = alarm.compile()
    evidence = {"HRBP": "HIGH", "CVP": "LOW", "MINVOL": "ZERO"}
    engine.marginals(evidence)
    first = engine.messages_sent
    engine.marginals(evidence)
    assert engine.messages_sent == first
    engine.marginals(evidence | {"CVP": "HIGH"})
    again = engine.messages_sent - first
    assert 0 < again < 0.75 * first


def test_a_query_sends_fewer_messages_than_all_marginals(alarm: dw.BayesianNetwork) -> None:
    one, all_of_them = alarm.compile(), alarm.compile()
    one.query("HISTORY", {"CVP": "LOW"})
    all_of_them.marginals({"CVP": "LOW"})
    assert one.messages_sent < all_of_them.messages_sent


def test_likelihoods(asia: dw.BayesianNetwork) -> None:
    sharp = asia.query("lung", {"xray": {"yes": 1.0, "no": 0.0}})
    assert sharp == pytest.approx(asia.query("lung", {"xray": "yes"}))
    assert asia.query("lung", {"xray": [3, 3]}) == pytest.approx(asia.query("lung"))
    mixed = asia.query("lung", {"xray": np.array([0.8, 0.2])})["yes"]
    p = asia.query("xray")["yes"]
    weights = np.array([0.8 * p, 0.2 * (1 - p)])
    given = [asia.query("lung", {"xray": state})["yes"] for state in ("yes", "no")]
    assert mixed == pytest.approx(float(weights @ given / weights.sum()))
    on_target = asia.query("xray", {"xray": {"no": 0.2, "yes": 0.8}})["yes"]
    assert on_target == pytest.approx(weights[0] / weights.sum())


def test_observed_target(asia: dw.BayesianNetwork) -> None:
    assert asia.query("xray", {"xray": "no"}) == {"yes": 0.0, "no": 1.0}
    assert asia.joint(["xray", "smoke"], {"xray": "no"})[0].tolist() == [0.0, 0.0]
    assert asia.map(["xray"], {"xray": "no"}) == {"xray": "no"}


@pytest.mark.parametrize(
    ("evidence", "error", "words"),
    [
        ({"xrai": "yes"}, UnknownNameError, "did you mean 'xray'"),
        ({"xray": "yess"}, UnknownNameError, "state of 'xray' 'yess'; did you mean 'yes'"),
        ({"xray": {"yes": 1.0}}, DataError, "lack its state 'no'"),
        ({"xray": [0.5]}, DataError, "2 states, but 1 likelihoods"),
        ({"xray": [0.0, 0.0]}, DataError, "not all zero"),
        ({"xray": [-1.0, 1.0]}, DataError, "not negative"),
        ({"xray": ["a", "b"]}, DataError, "must be numbers"),
        ({"xray": {1, 2}}, DataError, "must be a state"),
    ],
)
def test_bad_evidence(asia: dw.BayesianNetwork, evidence: object, error: type, words: str) -> None:
    for ask in (lambda e: asia.query("lung", e), asia.marginals, asia.compile().marginals):
        with pytest.raises(error, match=words):
            ask(evidence)


@pytest.mark.parametrize("target", [["lung"], None, 3])
def test_a_target_that_is_no_name_is_refused_in_words(asia: dw.BayesianNetwork, target: Any) -> None:
    with pytest.raises(OptionError, match=r"the name of one target; the target is (\['lung'\]|None|3)$"):
        asia.predict({"smoke": ["yes"]}, target)
    with pytest.raises(UnknownNameError, match=r"^unknown node (\['lung'\]|None|3); "):
        asia.predict_proba({"smoke": ["yes"]}, target)


def test_unknown_target(asia: dw.BayesianNetwork) -> None:
    for ask in (asia.query, asia.compile().query, lambda x: asia.joint([x]), lambda x: asia.map([x])):
        with pytest.raises(UnknownNameError, match="did you mean 'lung'"):
            ask("lungs")
    with pytest.raises(OptionError, match="each variable once"):
        asia.joint(["lung", "lung"])


def test_unseen_states_follow_the_policy(asia: dw.BayesianNetwork) -> None:
    evidence = {"xray": "blurred", "smoke": "yes"}
    assert asia.query("lung", evidence, unknown_states="ignore") == asia.query("lung", {"smoke": "yes"})
    with pytest.raises(UnknownNameError):
        asia.query("lung", evidence)
    with pytest.raises(OptionError, match="unknown_states='drop'"):
        asia.query("lung", evidence, unknown_states="drop")  # type: ignore[arg-type]


def test_impossible_evidence_names_the_smallest_combination(asia: dw.BayesianNetwork) -> None:
    evidence = {"asia": "yes", "lung": "yes", "smoke": "no", "tub": "yes", "either": "no", "dysp": "no"}
    with pytest.raises(dw.ImpossibleEvidenceError, match="probability zero") as caught:
        asia.query("bronc", evidence)
    assert len(caught.value.evidence) == 2
    assert caught.value.evidence["either"] == "no"
    assert asia.evidence_probability(evidence) == 0.0
    assert asia.evidence_probability(evidence, log=True) == -np.inf


def test_impossible_evidence_behind_a_separator_is_noticed(asia: dw.BayesianNetwork) -> None:
    """The target is separated from the part of the evidence that cannot be."""
    with pytest.raises(dw.ImpossibleEvidenceError):
        asia.query("bronc", {"smoke": "yes", "either": "no", "tub": "yes", "lung": "yes"})


def test_too_wide_for_exact_inference() -> None:
    network = grid(12)
    tight = dw.ExactInference(max_bytes=1000)
    with pytest.raises(CapacityError, match=r"variables g\d\d\d\d, .*method="):
        network.query("g0505", {"g1111": "1"}, method=tight)
    with pytest.raises(CapacityError, match="exact inference needs a table"):
        network.compile(max_bytes=1000).marginals()
    answer = network.query("g0505", {"g1111": "1"}, method=dw.AutoInference(exact=tight))
    assert answer.method == "likelihood_weighting"
    assert answer.error is not None
    exact = network.query("g0505", {"g1111": "1"})
    assert exact.method == "exact"
    assert abs(answer["1"] - exact["1"]) < 6 * answer.error
    hard = dw.AutoInference(exact=tight, effective=1e9)
    loopy = network.query("g0505", {"g1111": "1"}, method=hard)
    assert loopy.method == "loopy"
    assert loopy.error is not None
    assert abs(loopy["1"] - exact["1"]) <= loopy.error < 0.1
    unchecked = network.query("g0505", {"g1111": "1"}, method=dw.LoopyPropagation(damping=0.3, check=0))
    assert unchecked.error is None


def test_evidence_makes_a_wide_network_answerable() -> None:
    network = grid(10)
    engine = network.compile(max_bytes=256 * 8)
    rows = {f"g{i:02}{j:02}": "1" for i in range(0, 10, 2) for j in range(10)}
    assert engine.query("g0305", rows)["1"] == pytest.approx(network.query("g0305", rows)["1"])


def test_sampled_answers_agree_within_their_error(alarm: dw.BayesianNetwork) -> None:
    evidence = {"HRBP": "HIGH", "CVP": "LOW", "BP": {"LOW": 0.7, "NORMAL": 0.2, "HIGH": 0.1}}
    exact = alarm.marginals(evidence)
    method = dw.LikelihoodWeighting(samples=50_000, random_state=3)
    sampled = alarm.marginals(evidence, method=method)
    for node, answer in sampled.items():
        assert answer.method == "likelihood_weighting"
        assert answer.error is not None
        worst = max(abs(answer[state] - exact[node][state]) for state in answer)
        assert worst <= 6 * answer.error + 1e-12
    assert alarm.marginals(evidence, method=method) == sampled


def test_loopy_propagation_is_exact_without_loops() -> None:
    cancer = dw.load("cancer")
    evidence = {"Xray": "positive", "Dyspnoea": [0.9, 0.2]}
    exact = cancer.marginals(evidence)
    for node, answer in cancer.marginals(evidence, method="loopy").items():
        assert answer == pytest.approx(exact[node], abs=1e-7)
        assert answer.error == 0.0


def test_methods_refuse_what_they_cannot_do(asia: dw.BayesianNetwork) -> None:
    with pytest.raises(OptionError, match="choose one of 'exact'"):
        asia.query("lung", method="magic")
    with pytest.raises(DataError, match="none of 100,000 samples"):
        asia.query("lung", {"either": "no", "tub": "yes"}, method="likelihood_weighting")
    with pytest.raises(OptionError, match="number of rows"):
        dw.LoopyPropagation(check=-1)
    with pytest.raises(dw.DagwrightError, match="may be impossible"):
        asia.query("lung", {"either": "no", "tub": "yes"}, method="loopy")
    with pytest.raises(dw.DagwrightError, match="did not settle in 1 iterations"):
        asia.query("lung", {"dysp": "yes"}, method=dw.LoopyPropagation(max_iterations=1))
    for wrong in (
        lambda: dw.LikelihoodWeighting(samples=0),
        lambda: dw.LoopyPropagation(damping=1.0),
        lambda: dw.LoopyPropagation(tolerance=0.0),
        lambda: dw.LoopyPropagation(max_iterations=0),
        lambda: dw.ExactInference(max_bytes=0),
        lambda: asia.compile(max_bytes=0),
    ):
        with pytest.raises(OptionError):
            wrong()


def test_no_underflow_over_a_long_chain() -> None:
    n = 2000
    names = [f"x{i:04}" for i in range(n)] + [f"y{i:04}" for i in range(n)]
    edges = [(f"x{i:04}", f"x{i + 1:04}") for i in range(n - 1)]
    edges += [(f"x{i:04}", f"y{i:04}") for i in range(n)]
    stay, tell = [[0.9, 0.1], [0.1, 0.9]], [[0.01, 0.99], [0.02, 0.98]]
    tables = {name: tell if name[0] == "y" else stay for name in names} | {"x0000": [0.5, 0.5]}
    chain = dw.BayesianNetwork(dw.Dag(names, edges), dict.fromkeys(names, ("a", "b")), tables)
    evidence = {f"y{i:04}": "a" for i in range(n)}
    log_probability = chain.evidence_probability(evidence, log=True)
    assert -n * np.log(100) < log_probability < -n * np.log(50)
    engine = chain.compile()
    assert engine.evidence_probability(evidence, log=True) == pytest.approx(log_probability, rel=1e-12)
    assert engine.query("x1000", evidence)["b"] > 0.5
    assert sum(chain.query("x1000", evidence).values()) == pytest.approx(1.0)


def test_forecast(alarm: dw.BayesianNetwork) -> None:
    forecast = alarm.forecast_inference()
    assert forecast.width == 4
    assert forecast.cells < 2000
    assert len(forecast.largest) <= 5
    assert "cliques" in str(forecast)


def test_information_about_a_target(asia: dw.BayesianNetwork) -> None:
    ranked = asia.most_informative("lung", {"smoke": "yes"})
    assert list(ranked.values()) == sorted(ranked.values(), reverse=True)
    joint = asia.joint(["lung", "xray"], {"smoke": "yes"})
    outer = np.outer(joint.sum(1), joint.sum(0))
    assert ranked["xray"] == pytest.approx(float((joint * np.log(joint / outer)).sum()))
    assert ranked["asia"] == pytest.approx(0.0, abs=1e-12)
    assert list(asia.most_informative("lung", among=["xray"])) == ["xray"]
    with pytest.raises(OptionError, match="itself observed"):
        asia.most_informative("lung", {"lung": "yes"})


def test_sensitivity_refuses(asia: dw.BayesianNetwork) -> None:
    found = asia.sensitivity("lung", "yes", ("smoke", "yes"), evidence={"xray": "yes"})
    with pytest.raises(DataError, match="between 0 and 1"):
        found(1.5)
    assert found.parameter_for(0.999) is None
    with pytest.raises(DataError, match="needs a state of each of its parents"):
        asia.sensitivity("lung", "yes", ("lung", "yes"))


def test_engines_and_answers_travel(asia: dw.BayesianNetwork) -> None:
    engine = pickle.loads(pickle.dumps(asia.compile()))
    answer = engine.query("lung", {"xray": "yes"})
    again = pickle.loads(pickle.dumps(answer))
    assert (again, again.method, again.error) == (answer, "exact", 0.0)
    assert copy.deepcopy(asia.mpe()) == asia.mpe()
    assert pickle.loads(pickle.dumps(asia.mpe())).probability == asia.mpe().probability
    assert answer.most_likely == "no"
    assert "cliques" in repr(engine)


def test_threads_share_a_network_and_an_engine(alarm: dw.BayesianNetwork) -> None:
    engine = alarm.compile()
    expected = {state: alarm.query("HISTORY", {"CVP": state}) for state in alarm.states("CVP")}
    wrong: list[str] = []

    def ask() -> None:
        for _ in range(20):
            for state, answer in expected.items():
                if engine.query("HISTORY", {"CVP": state}) != pytest.approx(answer):
                    wrong.append(str(state))

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_a_single_node_and_an_empty_network() -> None:
    one = dw.BayesianNetwork(dw.Dag(["a"]), {"a": ["x"]}, {"a": [1.0]})
    assert one.query("a") == {"x": 1.0}
    assert one.mpe() == {"a": "x"}
    nothing = dw.BayesianNetwork(dw.Dag([]), {}, {})
    assert nothing.marginals() == {}
    assert nothing.evidence_probability({}) == 1.0
    assert nothing.compile().evidence_probability({}) == 1.0


def test_tables_print_with_names_and_compute_like_arrays() -> None:
    network = dw.load("cancer")
    table = network.cpt("Cancer")
    assert np.array_equal(np.asarray(table), network.table("Cancer"))
    assert table.names == ("Pollution", "Smoker", "Cancer")
    assert str(table).splitlines()[0] == "P(Cancer | Pollution, Smoker)"
    assert "high       True    0.050000     0.950000" in repr(table)
    for computed in (table * 2, table[0], np.sqrt(table)):
        assert type(computed) is np.ndarray
    assert repr(table.round(1)).startswith("array(")
    assert isinstance(table.sum(), float)
    again = pickle.loads(pickle.dumps(table))
    assert repr(again) == repr(table)
    assert "<table>" in table._repr_html_()
    joint = network.joint(["Smoker", "Cancer"], {"Xray": "positive"})
    assert joint.title == "P(Smoker, Cancer | Xray=positive)"
    every = network.marginals({"Xray": "positive"})
    assert str(every).startswith("P(node | Xray=positive)")
    assert "  Smoker     True      0.320552" in str(every)
