"""Every public object has a view for notebooks: complete in itself, without scripts, names as text."""

from __future__ import annotations

from html.parser import HTMLParser

import pytest

import dagwright as dw

HOSTILE = '<script>alert("x")</script>'


class Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: set[str] = set()
        self.attributes: list[tuple[str, str | None]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.add(tag)
        self.attributes += attrs
        self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.add(tag)
        self.attributes += attrs

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def things() -> dict[str, object]:
    data = {HOSTILE: ["a", "b", HOSTILE, "a"] * 5, "other": [0, 1, 1, 0] * 5, "gap": [1, None, 2, 2] * 5}
    table = dw.read(data)
    complete = table.select([HOSTILE, "other"])
    found = dw.learn(complete, search=dw.HillClimb())
    dag = dw.Dag([HOSTILE, "other"], [(HOSTILE, "other")])
    sure = dw.Confidence((HOSTILE, "other"), [[0, 0.7], [0.1, 0]], source=HOSTILE)
    network = found.network()
    tried = {HOSTILE: {"search": dw.HillClimb()}, "empty": {"search": dw.HillClimb(max_parents=0)}}
    return {
        "table": table,
        "report": dw.describe(data),
        "knowledge": dw.Knowledge(required=[(HOSTILE, "other")]),
        "no knowledge": dw.Knowledge(),
        "learned": found,
        "network": found.network(),
        "dag": dag,
        "pdag": dag.cpdag(),
        "undirected": dag.moral(),
        "pag": dw.Pag([HOSTILE, "other"], [(HOSTILE, "o->", "other")]),
        "confidence": sure,
        "difference": sure.compare(dw.Confidence((HOSTILE, "other"), [[0, 0.1], [0.1, 0]], source="none")),
        "strengths against the truth": sure.calibration(dag),
        "calibration": dw.calibration(network, complete, "other"),
        "card": dw.evidence_card(found, HOSTILE, "other"),
        "ranking": dw.cross_validate(complete, tried, folds=2),
        "comparison": dw.compare(dag, dw.Dag([HOSTILE, "other"], [])),
        "comparison of marks": dw.compare(dag, dw.Pag([HOSTILE, "other"], [(HOSTILE, "o->", "other")])),
        "exact posterior": dw.posterior(complete),
        "sampled posterior": dw.posterior(complete, method=dw.OrderMCMC(samples=200), random_state=1),
        "query": network.query(HOSTILE),
        "most probable": network.mpe(),
        "em": dw.EM().fit(dag, complete),
        "blanket": dw.blanket(complete, HOSTILE),
        "missingness": dw.missingness(table),
        "no gaps": dw.missingness(complete),
        "faithfulness": dw.faithfulness(dag, complete),
        "plausibility": dw.plausibility(dag, complete),
        "rivals": dw.rivals(complete, 3),
        "candidates": dw.candidates(complete),
        "solution": dw.solve(dw.candidates(complete)),
        "enumeration": dw.search.enumerate_networks(complete),
        "forecast": dw.forecast(complete),
        "frontier": dw.show.frontier(dw.learn(complete, search=dw.MdlSearch())),
        "picture": dag.draw(),
    }


THINGS = things()


@pytest.mark.parametrize("name", THINGS)
def test_views_are_complete_and_run_nothing(name: str) -> None:
    view = THINGS[name]._repr_html_()
    tags = Tags()
    tags.feed(view)
    assert not tags.open, "every tag is closed"
    assert not tags.seen & {"script", "iframe", "object", "embed", "link", "img", "foreignobject"}
    assert not [key for key, _ in tags.attributes if key.startswith("on") or key in ("href", "src")]
    assert "http" not in view.replace("http://www.w3.org/2000/svg", "")


def test_large_graphs_are_shown_in_groups() -> None:
    chain = dw.Dag.from_edges((f"n{k}", f"n{k + 1}") for k in range(450))
    view = chain._repr_html_()
    assert "451 nodes in groups" in view and "and" in view


def test_a_result_shows_its_confidence_and_knowledge() -> None:
    known = dw.Knowledge(required=["smoke -> lung"])
    found = dw.learn(dw.sample_path("asia"), search=dw.HillClimb(), knowledge=known)
    assert "required by knowledge" in found.draw().svg
    sure = dw.Confidence(found.graph.nodes, [[0.0] * 8 for _ in range(8)], source="none")
    assert "strength" in found.with_confidence(sure).draw().svg
