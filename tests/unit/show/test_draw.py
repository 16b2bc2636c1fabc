from __future__ import annotations

import pickle
import re
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import numpy as np
import pytest

import dagwright as dw
from dagwright.show import svg

SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = "<script>alert(\"1\")</script> & 'x'\x00\n"


def parsed(text: str) -> ElementTree.Element:
    return ElementTree.fromstring(text)


def groups(root: ElementTree.Element, role: str) -> list[ElementTree.Element]:
    return [one for one in root.iter(f"{SVG}g") if one.get("class") == f"dw-{role}"]


def test_every_node_and_edge_is_drawn_once() -> None:
    asia = dw.load("asia").graph
    root = parsed(svg(asia))
    assert {one.get("data-node") for one in groups(root, "node")} == set(asia.nodes)
    assert {(one.get("data-from"), one.get("data-to")) for one in groups(root, "link")} == set(asia.edges)


@pytest.mark.parametrize("theme", ["auto", "light", "dark"])
def test_names_are_text_and_nothing_else(theme: str) -> None:
    dag = dw.Dag([HOSTILE, "b"], [(HOSTILE, "b")])
    text = svg(dag, theme=theme, heading=HOSTILE)
    assert "<script" not in text and "\x00" not in text
    root = parsed(text)
    known = {f"{SVG}{tag}" for tag in ("svg", "g", "path", "text", "rect", "title", "style")}
    assert {one.tag for one in root.iter()} <= known
    assert not [key for one in root.iter() for key in one.keys() if key.startswith("on")]  # noqa: SIM118
    assert "http" not in text.replace("http://www.w3.org/2000/svg", "")


def test_output_is_the_same_every_time_and_for_any_order_of_edges() -> None:
    alarm = dw.load("alarm").graph
    again = dw.Dag(alarm.nodes, reversed(alarm.edges))
    assert svg(alarm) == svg(again) == svg(alarm)


def test_undecided_directions_have_no_arrowheads() -> None:
    chain = dw.Pdag.parse("A -- B; B -> C; D -> C")
    root = parsed(svg(chain, theme="light"))
    heads = {
        (one.get("data-from"), one.get("data-to")): len(one.findall(f"{SVG}path")) - 1
        for one in groups(root, "link")
        if one.get("data-from")
    }
    assert heads == {("A", "B"): 0, ("B", "C"): 1, ("D", "C"): 1}
    assert "direction undecided" in svg(chain)


def test_widths_follow_strengths_and_weak_edges_are_left_out() -> None:
    dag = dw.Dag.parse("A -> B -> C; A -> C")
    strength = {("A", "B"): 1.0, ("C", "B"): 0.5, ("A", "C"): 0.1}
    root = parsed(svg(dag, strength=strength, threshold=0.4))
    shown = {one.get("data-to"): one for one in groups(root, "link") if one.get("data-from")}
    widths = {end: float(one.find(f"{SVG}path").get("stroke-width")) for end, one in shown.items()}
    assert set(widths) == {"B", "C"} and widths["B"] > widths["C"]
    assert "1 edge below 0.4 not drawn" in svg(dag, strength=strength, threshold=0.4)
    assert svg(dag, strength=lambda a, b: strength.get((a, b), strength.get((b, a), 0.0))) == svg(
        dag, strength=strength
    )


def test_required_edges_carry_a_diamond() -> None:
    dag = dw.Dag.parse("A -> B -> C")
    text = svg(dag, knowledge=dw.Knowledge(required=["A -> B"]))
    assert "A → B, required by knowledge" in text and "B → C, required" not in text


def test_blanket_view_keeps_the_blanket() -> None:
    alarm = dw.load("alarm").graph
    root = parsed(svg(alarm, around="HR"))
    assert {one.get("data-node") for one in groups(root, "node")} == {"HR", *alarm.markov_blanket("HR")}


def test_bars_show_posteriors_and_sum_to_one() -> None:
    asia = dw.load("asia")
    root = parsed(svg(asia, evidence={"xray": "yes"}))
    (lung,) = [one for one in groups(root, "node") if one.get("data-node") == "lung"]
    shown = [float(one.text.removesuffix(" %")) for one in lung.iter(f"{SVG}text") if one.text.endswith(" %")]
    expected = asia.query("lung", {"xray": "yes"})
    assert shown == [round(100 * p, 1) for p in expected.values()]


def test_information_needs_a_network_or_data() -> None:
    asia = dw.load("asia")
    assert "mutual information" in svg(asia, information=True)
    with pytest.raises(dw.OptionError, match="that still has its data"):
        svg(asia.graph, information=True)
    with pytest.raises(dw.OptionError, match="not both"):
        svg(asia, information=True, strength={})


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"theme": "blue"}, "theme is"),
        ({"direction": "up"}, "direction is"),
        ({"font_size": 0}, "font_size"),
        ({"label_width": 1}, "label_width"),
        ({"threshold": 0.5}, "threshold= needs"),
        ({"evidence": {"a": 1}}, "probabilities need a network"),
        ({"strength": 3}, "strength is"),
    ],
)
def test_options_out_of_range_are_refused(options: dict[str, object], message: str) -> None:
    with pytest.raises(dw.OptionError, match=message):
        dw.draw(dw.Dag.parse("A -> B"), **options)


def test_unknown_nodes_are_refused() -> None:
    with pytest.raises(dw.UnknownNameError, match="did you mean 'smoke'"):
        dw.draw(dw.load("asia"), around="smokes")
    with pytest.raises(dw.UnknownNameError):
        dw.draw(dw.load("asia"), highlight="smokes")
    with pytest.raises(dw.OptionError, match="no graph to draw"):
        dw.draw("asia")


@pytest.mark.parametrize("ending", ["svg", "png", "pdf", "html"])
def test_files_have_the_form_of_their_ending(ending: str, tmp_path: Path) -> None:
    path = tmp_path / f"asia.{ending}"
    dw.load("asia").draw(path=path)
    start = {"svg": b"<svg", "png": b"\x89PNG", "pdf": b"%PDF-1.4", "html": b"<!doctype html>"}[ending]
    assert path.read_bytes().startswith(start)


def test_other_endings_are_refused(tmp_path: Path) -> None:
    with pytest.raises(dw.OptionError, match=r"not as '\.gif'"):
        dw.load("asia").draw(path=tmp_path / "asia.gif")


def test_long_labels_are_shortened_and_kept_in_the_tooltip() -> None:
    name = "a very long name of a variable that nobody can read in a box"
    text = svg(dw.Dag([name, "B"], [(name, "B")]), label_width=100)
    assert f"<title>{name}</title>" in text and f">{name}</text>" not in text
    assert re.search(r">a very[^<]*…[^<]*box</text>", text)


def test_a_confidence_is_drawn_with_the_edges_above_the_threshold() -> None:
    sure = dw.Confidence(("A", "B", "C"), [[0, 0.9, 0.3], [0, 0, 0], [0, 0, 0]], source="example")
    assert sure.draw().svg.count('class="dw-link"') == 1
    assert sure.draw(threshold=0.2).svg.count('class="dw-link"') == 2


def test_networks_of_all_kinds_have_bars_and_information() -> None:
    table = dw.read(dw.sample_path("asia")).select(["smoke", "lung"])
    found = dw.learn(table, search=dw.HillClimb())
    markov = dw.MarkovNetwork.fit(dw.UndirectedGraph.parse("smoke -- lung"), table)
    for thing in (found, found.network(), markov):
        assert thing.draw(bars=True, information=True).svg.count('class="dw-state"') == 4


def test_whatever_holds_graphs_draws_them() -> None:
    table = dw.read(dw.sample_path("asia")).select(["smoke", "lung", "bronc"])
    first, second = dw.learn(table, search=dw.HillClimb()), dw.learn(table, search=dw.ChowLiu())
    difference = dw.draw(first.essential, compare=second.essential).svg
    assert dw.compare(first.essential, second.essential).draw().svg == difference
    assert 'class="dw-link"' in dw.compare_learned(first, second).draw().svg
    posterior = dw.posterior(table)
    assert posterior.draw().svg == posterior.confidence.draw().svg
    solved = dw.solve(dw.candidates(table))
    assert solved.draw().svg == solved.graph.draw().svg


def test_pictures_are_values_that_pickle() -> None:
    picture = dw.load("asia").draw()
    again = pickle.loads(pickle.dumps(picture))
    assert again == picture and again.svg == picture.svg and hash(again) == hash(picture)


def test_a_confidence_shows_arrows_where_they_are_sure() -> None:
    arcs = [[0, 0.6, 0.5], [0.3, 0, 0], [0.5, 0, 0]]
    picture = dw.Confidence(("A", "B", "C"), arcs, source="example").draw()
    assert "A → B" in picture.svg
    assert "A – C" in picture.svg
    assert "direction unsure: less than 2/3 either way" in picture.svg


def test_arcs_oriented_by_intervention_are_marked() -> None:
    rng = np.random.default_rng(0)
    a = rng.random(300) < 0.4
    b = np.where(np.arange(300) < 200, a ^ (rng.random(300) < 0.1), rng.random(300) < 0.5)
    table = dw.Table(["a", "b"], [a.astype(np.uint8), b.astype(np.uint8)], [[0, 1]] * 2)
    marked = table.with_interventions({"b": np.arange(300) >= 200})
    found = dw.learn(marked)
    assert found.oriented_by_intervention() == {("a", "b")}
    assert "a → b, oriented by intervention" in svg(found)
    assert "oriented by intervention" not in svg(dw.learn(table))
