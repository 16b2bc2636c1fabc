"""What holds for every file format: round trips, stable bytes, and only clear errors from damaged files."""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import dagwright as dw
from dagwright.data import Bins, Origin
from dagwright.errors import DagwrightError
from dagwright.io import FORMATS, Format, FormatLoss

NETWORK_FORMATS = [each for each in FORMATS if each.holds == "network"]
by_name = pytest.mark.parametrize("form", NETWORK_FORMATS, ids=lambda each: each.name)

ODD = 'a|b c|q"uo"te|1|2.5|True|ü|日本|<5|>=7|a//b|/*|x;y|{|(|,|table|default|a\nb|\\u0022|\\|a_2|a\'b|&amp;'
TEXTS = st.one_of(
    st.sampled_from([*ODD.split("|"), "", " ", "%", "]]>", "<![CDATA["]),
    st.text(st.characters(exclude_categories=["Cs"]), max_size=8),
)
STATES = st.one_of(
    TEXTS,
    st.integers(-3, 3),
    st.booleans(),
    st.floats(allow_nan=False),
    st.dates(datetime.date(1900, 1, 1)),
)


@st.composite
def networks(draw: st.DrawFn) -> dw.BayesianNetwork:
    """Small networks with odd names, typed states and everything else a network can carry."""
    names = draw(st.lists(TEXTS, min_size=1, max_size=5, unique=True))
    key = lambda state: (type(state).__name__, state)  # noqa: E731
    states = {x: draw(st.lists(STATES, min_size=1, max_size=4, unique_by=key)) for x in names}
    arcs = [(a, b) for i, a in enumerate(names) for b in names[i + 1 :] if draw(st.booleans())]
    graph = dw.Dag(draw(st.permutations(names)), arcs)
    parents = {x: draw(st.permutations(graph.parents(x))) for x in names}
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    tables, origins = {}, {}
    for x in names:
        shape = [len(states[v]) for v in (*parents[x], x)]
        weights = rng.random(shape) ** 8 + (rng.random(shape) < 0.1) * 1e-300
        weights[..., 0] += 1e-9
        tables[x] = weights / weights.sum(axis=-1, keepdims=True)
        if draw(st.booleans()):
            texts = [s for s in states[x] if isinstance(s, str)]
            bins = Bins(tuple(float(i) / 3 for i in range(len(states[x]) - 1)))
            origins[x] = Origin(other=texts[0]) if texts else Origin(bins)
    about = dw.model.Metadata(
        draw(TEXTS),
        draw(TEXTS),
        draw(TEXTS),
        draw(st.dictionaries(TEXTS, TEXTS, max_size=2)),
        {x: draw(st.dictionaries(TEXTS, TEXTS, max_size=2)) for x in names},
    )
    return dw.BayesianNetwork(graph, states, tables, parents=parents, origins=origins, metadata=about)


@by_name
@settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(network=networks())
def test_nothing_is_lost_that_is_not_reported(form: Format, network: dw.BayesianNetwork) -> None:
    report: list[FormatLoss] = []
    content = form.write_bytes(network, report)
    again = form.read_bytes(content)
    assert report == []
    assert again == network
    assert again.nodes == network.nodes
    assert again.origins == network.origins
    assert again.metadata == network.metadata
    for node in network.nodes:
        assert again.parents(node) == network.parents(node)
    assert form.write_bytes(again, []) == content


@by_name
@pytest.mark.parametrize("name", dw.networks())
def test_built_in_networks_survive_every_format(form: Format, name: str, tmp_path: Path) -> None:
    network = dw.load(name)
    for number, suffix in enumerate(form.suffixes):
        first, second = tmp_path / f"{number}{suffix}", tmp_path / f"{number}b{suffix}.gz"
        network.save(first, lossless=True)
        again = dw.load(first)
        assert again == network
        assert again.nodes == network.nodes
        assert again.metadata == network.metadata
        again.save(second)
        assert dw.load(second) == network
        assert form.write_bytes(again, []) == form.write_bytes(network, [])


def with_counts() -> dw.BayesianNetwork:
    return dw.BayesianNetwork(
        dw.Dag(["x", "y"], [("x", "y")]),
        {"x": ["a", "b"], "y": ["c", "d"]},
        {"x": [0.25, 0.75], "y": [[0.5, 0.5], [1.0, 0.0]]},
        counts={"x": [1.0, 3.0], "y": [[0.5, 0.5], [3.0, 0.0]]},
        pseudo_counts={"x": [0.5, 1.5], "y": 0.25},
    )


@by_name
def test_counts_are_kept_or_reported(form: Format, tmp_path: Path) -> None:
    path = tmp_path / "n"
    losses = dw.save(with_counts(), path, format=form.name)
    again = dw.load(path, format=form.name)
    assert again == with_counts()
    if form.loses:
        assert form.loses == "counts and pseudo-counts"
        expected = {(what, node) for what in ("counts", "pseudo-counts") for node in ("x", "y")}
        assert {(loss.what, loss.node) for loss in losses} == expected
        assert again.counts("x") is None
        with pytest.raises(dw.FormatError, match="counts of 'x'"):
            dw.save(with_counts(), path, format=form.name, lossless=True)
    else:
        assert losses == ()
        for node in ("x", "y"):
            np.testing.assert_array_equal(again.counts(node), with_counts().counts(node))
            np.testing.assert_array_equal(again.pseudo_counts(node), with_counts().pseudo_counts(node))


@by_name
def test_a_state_of_a_strange_type_is_refused_or_reported(form: Format) -> None:
    network = dw.BayesianNetwork(dw.Dag(["x"]), {"x": [(1, 2), "b"]}, {"x": [0.25, 0.75]})
    report: list[FormatLoss] = []
    try:
        content = form.write_bytes(network, report)
    except dw.FormatError as problem:
        assert "tuple" in str(problem)
        return
    assert [(loss.what, loss.node) for loss in report] == [("states", "x")]
    assert form.read_bytes(content).cardinality("x") == 2


@by_name
def test_half_a_character_is_a_clear_error_or_survives(form: Format) -> None:
    network = dw.BayesianNetwork(dw.Dag(["\ud800"]), {"\ud800": ["a", "b"]}, {"\ud800": [0.25, 0.75]})
    try:
        content = form.write_bytes(network, [])
    except dw.FormatError as problem:
        assert "half a character" in str(problem)
        return
    assert form.read_bytes(content) == network


def seeds(form: Format) -> Iterator[bytes]:
    odd = dw.BayesianNetwork(
        dw.Dag(["a b", "c", "d"], [("a b", "c"), ("c", "d"), ("a b", "d")]),
        {"a b": [1, "1"], "c": ["x", "y", "ü"], "d": [True, False]},
        {"a b": [0.25, 0.75], "c": np.full((2, 3), 1 / 3), "d": np.full((2, 3, 2), 0.5)},
        origins={"c": Origin(other="x")},
        metadata=dw.model.Metadata("n", "d", "c", {"k": "v"}, {"c": {"label": "C"}}),
    )
    for network in (odd, dw.load("cancer")):
        yield form.write_bytes(network, [])


WORDS = [b"1e999", b"-1", b"nan", b"99999999999", b"{", b"}", b"(", b")", b'"', b";", b",", b"<", b">", b"/>"]
WORDS += [b"<!DOCTYPE x>", b"&a;", b"\xff", b"\x00", b"//", b"/*", b"%", b"{}", b"[]", b"null", b"0", b"1"]
CHANGES = st.lists(
    st.tuples(
        st.sampled_from(["cut", "put", "flip", "move", "twice"]),
        st.floats(0, 1),
        st.floats(0, 1),
        st.sampled_from(WORDS),
        st.integers(0, 255),
    ),
    min_size=1,
    max_size=4,
)


def damaged(content: bytes, changes: list[tuple[str, float, float, bytes, int]]) -> bytes:
    for kind, place, length, word, byte in changes:
        at = int(place * len(content))
        end = at + 1 + int(length**4 * 200)
        match kind:
            case "cut":
                content = content[:at] + content[end:]
            case "put":
                content = content[:at] + word + content[at:]
            case "flip":
                content = content[:at] + bytes([byte]) + content[at + 1 :]
            case "move":
                content = content[:at] + content[end:] + content[at:end]
            case "twice":
                content = content[:end] + content[at:]
    return content


@by_name
@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(changes=CHANGES, which=st.integers(0, 1))
def test_a_damaged_file_is_read_or_refused(
    form: Format, changes: list[tuple[str, float, float, bytes, int]], which: int
) -> None:
    content = damaged(list(seeds(form))[which], changes)
    try:
        network = form.read_bytes(content)
    except DagwrightError:
        return
    assert form.read_bytes(form.write_bytes(network, [])) == network


def test_every_suffix_means_one_format() -> None:
    suffixes = [suffix for each in FORMATS for suffix in each.suffixes]
    assert len(set(suffixes)) == len(suffixes)
    for each, other in product(FORMATS, FORMATS):
        assert each is other or each.name != other.name
