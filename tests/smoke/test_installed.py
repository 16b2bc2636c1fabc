"""What must work wherever the package was installed: few tests, no reader libraries, no source checkout."""

from __future__ import annotations

import pickle
from concurrent.futures import ThreadPoolExecutor
from importlib.metadata import version
from importlib.resources import files

import dagwright


def test_version_is_the_installed_one() -> None:
    assert dagwright.__version__ == version("dagwright")


def test_the_native_core_is_there_and_typed() -> None:
    import dagwright._core

    assert dagwright._core.__doc__
    package = files("dagwright")
    assert package.joinpath("py.typed").is_file()
    assert package.joinpath("_core.pyi").is_file()


def chain(rows: int = 400) -> dict[str, list[int]]:
    """a decides b, except in every tenth row; the coin knows nothing."""
    a = [row % 2 for row in range(rows)]
    b = [value if row % 10 else 1 - value for row, value in enumerate(a)]
    return {"a": a, "b": b, "coin": [row // 2 % 2 for row in range(rows)]}


def test_learning_from_memory() -> None:
    found = dagwright.learn(chain(), threads=2)
    assert [set(edge) for edge in found.graph.edges] == [{"a", "b"}]
    assert found.score is not None
    assert dagwright.Learned.from_json(found.to_json()) == found


def test_scores_and_tests_agree() -> None:
    for test in (dagwright.GSquare(), dagwright.BIC(), dagwright.BDeu()):
        assert not dagwright.independence_test(chain(), "a", "b", test=test).independent
        assert dagwright.independence_test(chain(), "a", "coin", given=["b"], test=test).independent


def test_threads_share_a_table() -> None:
    table = dagwright.read(chain())
    with ThreadPoolExecutor(4) as pool:
        graphs = list(pool.map(lambda _: dagwright.learn(table).graph, range(8)))
    assert len(set(graphs)) == 1


def test_values_pickle() -> None:
    graph = dagwright.Dag.parse("a -> b")
    for value in (dagwright.read(chain()), dagwright.learn(chain()), graph, dagwright.BIC()):
        assert pickle.loads(pickle.dumps(value)) == value
