"""The command line: answers on stdout, one sentence on stderr, documented exit statuses."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

import dagwright as dw
from command_line import SAMPLE, answer, refusal, run
from dagwright.defaults import DEFAULTS

GRAPH = "asia -> tub; smoke -> lung; smoke -> bronc"


@pytest.fixture
def model(tmp_path: Path) -> Path:
    path = tmp_path / "model.json"
    answer("learn", SAMPLE, "-q", "-o", str(path))
    return path


class TestDescribe:
    def test_the_report_is_a_table(self) -> None:
        text = answer("describe", SAMPLE)
        assert "5,000 rows, 8 columns" in text
        assert all(name in text for name in dw.read(SAMPLE).names)

    def test_the_same_report_as_json(self) -> None:
        told = json.loads(answer("describe", SAMPLE, "--json"))
        assert told.pop("missingness") is None  # the sample has no gaps
        assert told.pop("defaults")["score"] == "AdaptiveBDeu()"
        assert told == json.loads(json.dumps(dw.describe(SAMPLE).to_dict()))

    def test_standard_input(self) -> None:
        text = answer("describe", "-", stdin=Path(SAMPLE).read_bytes())
        assert text == answer("describe", SAMPLE)

    def test_choice_of_columns(self) -> None:
        document = json.loads(answer("describe", SAMPLE, "--exclude", "asia", "--exclude", "tub", "--json"))
        assert [column["name"] for column in document["columns"]] == list(dw.read(SAMPLE).names[1:2]) + list(
            dw.read(SAMPLE).names[3:]
        )

    def test_numbers_are_cut_as_asked(self, tmp_path: Path) -> None:
        path = tmp_path / "numbers.csv"
        path.write_text("x,y\n" + "".join(f"{i / 7:.3f},{i % 2}\n" for i in range(100)), encoding="utf-8")
        document = json.loads(answer("describe", str(path), "--discretize", "EqualWidth(bins=5)", "--json"))
        assert len(document["columns"][0]["states"]) == 5
        assert document["defaults"]["kind"] == "discrete"

    @pytest.mark.parametrize(
        ("left_out", "kind"), [(["y"], "continuous"), ([], "mixed"), (["x"], "discrete")]
    )
    def test_the_defaults_for_columns_of_this_kind(
        self, tmp_path: Path, left_out: list[str], kind: str
    ) -> None:
        path = tmp_path / "numbers.csv"
        lines = "".join(f"{i / 7:.3f},{i % 2},k,{i:04d}a\n" for i in range(100))
        path.write_text("x,y,same,id\n" + lines, encoding="utf-8")
        text = answer("describe", str(path), *(word for name in left_out for word in ("--exclude", name)))
        assert f"for {kind} data" in text
        shown = [line.split() for line in text.splitlines()[-9:]]
        assert shown == [line.split() for line in str(DEFAULTS[kind]).splitlines()]


class TestScoreOfResults:
    @pytest.mark.parametrize("options", [["--score", "BIC"], ["--missing", "em"], []])
    def test_a_saved_result_is_scored_as_it_was_learned(self, tmp_path: Path, options: list[str]) -> None:
        rows = tmp_path / "rows.csv"
        rows.write_text("a,b,c\n" + "0,0,x\n1,1,y\n1,,y\n0,1,x\n" * 30, encoding="utf-8")
        path = tmp_path / "found.json"
        answer("learn", str(rows), *options, "-q", "-o", str(path))
        told = json.loads(answer("score", str(rows), str(path), "--json"))
        assert told["total"] == pytest.approx(dw.Learned.load(path).score, abs=1e-4)
        refused = refusal("score", str(rows), "a -> b; c")
        assert "--missing drop" in refused and "--missing em" in refused


class TestLearn:
    def test_prints_and_draws(self) -> None:
        text = answer("learn", SAMPLE)
        expected = dw.learn(SAMPLE)
        assert expected.essential.as_text() in text
        assert f"{expected.score:.6f}" in text
        assert "nats, larger is better" in text

    def test_saves_what_it_found(self, model: Path) -> None:
        assert dw.Learned.load(model).graph == dw.learn(SAMPLE).graph

    def test_says_where_it_saved(self, tmp_path: Path) -> None:
        path = tmp_path / "model.json"
        assert answer("learn", SAMPLE, "-o", str(path)).rstrip().endswith(f"saved as {path}")

    @pytest.mark.parametrize("words", [("--json",), ("-o", "-")])
    def test_json_on_stdout(self, words: tuple[str, ...]) -> None:
        found = dw.Learned.from_json(answer("learn", SAMPLE, *words))
        assert found.graph == dw.learn(SAMPLE).graph

    def test_quiet_writes_nothing(self) -> None:
        assert answer("learn", SAMPLE, "--quiet") == ""

    def test_methods_with_options(self) -> None:
        found = dw.Learned.from_json(
            answer(
                "learn", SAMPLE, "--score", "bdeu(ess=10)", "--search", "HillClimb(max_parents=1)", "--json"
            )
        )
        assert found == _same_seconds(
            found, dw.learn(SAMPLE, score=dw.BDeu(ess=10), search=dw.HillClimb(max_parents=1))
        )

    def test_knowledge(self, tmp_path: Path) -> None:
        known = dw.Knowledge(required=["asia -> dysp"], forbidden=["smoke -- lung"])
        known.save(tmp_path / "known.toml")
        found = dw.Learned.from_json(
            answer("learn", SAMPLE, "--knowledge", str(tmp_path / "known.toml"), "--json")
        )
        assert ("asia", "dysp") in found.graph.edges
        assert not {("smoke", "lung"), ("lung", "smoke")} & set(found.graph.edges)

    def test_start(self) -> None:
        found = dw.Learned.from_json(answer("learn", SAMPLE, "--start", GRAPH, "--time-limit", "0", "--json"))
        assert set(found.graph.edges) == {("asia", "tub"), ("smoke", "lung"), ("smoke", "bronc")}

    def test_missing_values_have_policies(self, tmp_path: Path) -> None:
        path = tmp_path / "gaps.csv"
        path.write_text("a,b\n" + "x,u\n,v\ny,v\n" * 30, encoding="utf-8")
        assert "values are missing in 30 of 90 rows: em by default" in answer("learn", str(path))
        sentence = refusal("candidates", str(path))
        assert "'a' (30)" in sentence
        assert "drop" in sentence
        found = dw.Learned.from_json(answer("learn", str(path), "--missing", "drop", "--json"))
        assert any("dropped 30 of 90 rows" in text for text in (*found.assumptions, *found.warnings))
        assert "available" in refusal("learn", str(path), "--missing", "available")

    def test_a_time_limit_is_not_an_error(self) -> None:
        found = dw.Learned.from_json(answer("learn", SAMPLE, "--time-limit", "0", "--json"))
        assert found.stopped == "deadline"

    def test_threads_and_seed_do_not_change_the_answer(self) -> None:
        one = dw.Learned.from_json(answer("learn", SAMPLE, "--threads", "1", "--json"))
        two = dw.Learned.from_json(answer("learn", SAMPLE, "--threads", "2", "--json"))
        assert one.graph == two.graph
        assert one.score == two.score
        other = dw.Learned.from_json(answer("learn", SAMPLE, "--seed", "9", "--json"))
        assert one.graph.cpdag() == other.graph.cpdag()
        assert one.score == pytest.approx(other.score, abs=1e-9)


def _same_seconds(found: dw.Learned, other: dw.Learned) -> dw.Learned:
    from dataclasses import replace

    return replace(other, seconds=found.seconds)


class TestScore:
    def test_total_and_families(self) -> None:
        document = json.loads(answer("score", SAMPLE, GRAPH, "--score", "BIC", "--json"))
        table = dw.read(SAMPLE)
        graph = dw.Dag(table.names, [("asia", "tub"), ("smoke", "lung"), ("smoke", "bronc")])
        assert document["total"] == pytest.approx(dw.BIC().on(table).total(graph), abs=1e-9)
        assert sum(document["by_node"].values()) == pytest.approx(document["total"], abs=1e-9)
        assert "log(N)/2" in document["definition"]

    def test_text_names_parents_and_unit(self) -> None:
        text = answer("score", SAMPLE, GRAPH, "--score", "BDeu(ess=10)")
        assert "nats, larger is better" in text
        assert "smoke" in text

    def test_graph_from_a_model_and_from_a_text_file(self, model: Path, tmp_path: Path) -> None:
        found = dw.Learned.load(model)
        assert json.loads(answer("score", SAMPLE, str(model), "--json"))["total"] == pytest.approx(
            found.score
        )
        path = tmp_path / "graph.txt"
        path.write_text(GRAPH, encoding="utf-8")
        assert answer("score", SAMPLE, str(path)) == answer("score", SAMPLE, GRAPH)

    @pytest.mark.parametrize(
        ("graph", "reason"),
        [
            ("asia -> smok", "unknown column 'smok'; did you mean 'smoke'?"),
            ("asia -> tub -> asia", "cycle"),
            ("nosuch.json", "'nosuch.json' is neither a file nor a graph"),
            ("asia ->", "no name after it"),
        ],
    )
    def test_bad_graphs(self, graph: str, reason: str) -> None:
        assert reason in refusal("score", SAMPLE, graph)

    @pytest.mark.parametrize(
        "text", ["{", "{}", '{"format": "dagwright-learned", "format_version": 99}', "[1]"]
    )
    def test_bad_models(self, text: str, tmp_path: Path) -> None:
        path = tmp_path / "model.json"
        path.write_text(text, encoding="utf-8")
        assert "model.json" in refusal("score", SAMPLE, str(path))


class TestIndependence:
    def test_dependent_and_independent(self) -> None:
        near = json.loads(answer("independence-test", SAMPLE, "smoke", "lung", "--json"))
        assert near["independent"] is False
        assert near["p_value"] < 1e-6
        far = json.loads(
            answer("independence-test", SAMPLE, "smoke", "xray", "--given", "lung", "-g", "tub", "--json")
        )
        assert far["independent"] is True
        assert far["given"] == ["lung", "tub"]

    def test_text(self) -> None:
        text = answer("independence-test", SAMPLE, "smoke", "lung", "--test", "ChiSquare(alpha=0.01)")
        assert "smoke" in text
        assert "dependent" in text

    def test_a_score_decides_too(self) -> None:
        words = ("independence-test", SAMPLE, "smoke", "lung", "--test", "BIC", "--json")
        assert json.loads(answer(*words))["independent"] is False

    @pytest.mark.parametrize(
        ("words", "reason"),
        [
            (("smok", "lung"), "did you mean 'smoke'"),
            (("smoke", "smoke"), "smoke"),
            (("smoke", "lung", "--given", "smoke"), "smoke"),
            (("smoke", "lung", "--test", "GSquare(alpha=2)"), "alpha"),
            (("smoke", "lung", "--test", "GSquar"), "did you mean 'GSquare'"),
        ],
    )
    def test_bad_questions(self, words: tuple[str, ...], reason: str) -> None:
        assert reason in refusal("independence-test", SAMPLE, *words)

    def test_json_has_no_infinities(self) -> None:
        text = answer("independence-test", "-", "a", "b", "--json", stdin=b"a,b\n" + b"0,n\n1,y\n" * 4000)
        assert json.loads(text, parse_constant=pytest.fail)["p_value"] == 0


class TestCompare:
    def test_differences(self) -> None:
        text = answer("compare", "A -> B -> C", "B -> A; B -> C; A -> C")
        assert "A -> C" in text
        document = json.loads(answer("compare", "A -> B -> C", "B -> A; B -> C; A -> C", "--json"))
        assert document["shd"] == 1
        assert document["sid_bounds"] == [3, 3]

    def test_intervention_distance_of_a_class_lies_between_bounds(self) -> None:
        assert "structural intervention distance 0 to 2" in answer("compare", "A -> B", "A -- B")
        assert "intervention" not in answer("compare", "A -- B", "A -> B")
        assert json.loads(answer("compare", "A -- B", "A -> B", "--json"))["sid_bounds"] is None

    def test_models_and_partially_directed_graphs(self, model: Path) -> None:
        assert json.loads(answer("compare", str(model), str(model), "--json"))["shd"] == 0
        assert json.loads(answer("compare", "A -- B", "A -> B", "--json"))["shd"] == 0

    def test_different_nodes(self) -> None:
        assert "only the first has 'B', only the second 'C'" in refusal("compare", "A -> B", "A -> C")


class TestMethods:
    def test_lists_every_kind(self) -> None:
        text = answer("methods")
        assert all(name in text for name in ("BDeu(ess=", "GSquare(alpha=", "HillClimb(", "Hartemink("))

    def test_json_of_one_kind(self) -> None:
        entries = json.loads(answer("methods", "score", "--json"))
        assert {entry["kind"] for entry in entries} == {"score"}
        assert all(entry["summary"] for entry in entries)

    def test_unknown_kind(self) -> None:
        assert "did you mean 'score'" in refusal("methods", "scores")


BAD_FILES: dict[str, tuple[bytes, str]] = {
    "empty": (b"", "empty"),
    "header only": (b"a,b\n", "row"),
    "ragged": (b"a,b\n1,2\n1,2,3\n1,2\n", "3"),
    "duplicate names": (b"a,a\n1,2\n2,1\n", "'a'"),
    "undecodable": (b"a,b\n\xff\xfe\xfa,2\n1,2\n" * 3, ""),
    "all missing": (b"a,b\n?,2\n?,1\n", "'a'"),
}


class TestBadInput:
    @pytest.mark.parametrize("name", BAD_FILES)
    def test_bad_files(self, name: str, tmp_path: Path) -> None:
        content, reason = BAD_FILES[name]
        path = tmp_path / "bad.csv"
        path.write_bytes(content)
        assert reason in refusal("learn", str(path))
        if content:
            assert reason in refusal("learn", "-", stdin=content)

    def test_no_file(self) -> None:
        assert "'nosuch.csv'" in refusal("learn", "nosuch.csv")
        assert "'nosuch.csv'" in refusal("describe", "nosuch.csv")

    def test_too_many_states(self, tmp_path: Path) -> None:
        path = tmp_path / "many.csv"
        path.write_text("id,b\n" + "".join(f"p{i},{i % 2}\n" for i in range(70_000)), encoding="utf-8")
        assert "'id'" in refusal("score", str(path), "id -> b")

    def test_weights(self, tmp_path: Path) -> None:
        path = tmp_path / "weights.csv"
        path.write_text("a,b,w\n" + "x,u,1\ny,v,-1\n" * 5, encoding="utf-8")
        assert "weight -1.0" in refusal("learn", str(path), "--weights", "w")
        assert "'v'" in refusal("learn", str(path), "--weights", "v")

    @pytest.mark.parametrize(
        ("words", "reason"),
        [
            (("--score", "BICC"), "unknown method 'BICC'; did you mean 'BIC'?"),
            (("--score", "BDeu(es=1)"), "unknown option of BDeu 'es'; did you mean 'ess'?"),
            (("--score", "BDeu(ess=-1)"), "equivalent sample size"),
            (("--score", "__import__('os')"), "unknown method '__import__'"),
            (("--score", "BDeu(ess=1+1)"), "cannot read the method"),
            (("--search", "HillClimbr"), "did you mean 'HillClimb'"),
            (("--search", "HillClimb(max_parents=-1)"), "max_parents"),
            (("--discretize", "EqualWidth(bins=0)"), "bins"),
            (("--missing", "guess"), "--missing guess is not a policy"),
            (("--exclude", "asiaa"), "did you mean 'asia'"),
            (("--threads", "0"), "threads"),
            (("--knowledge", "nosuch.toml"), "nosuch.toml"),
            (("-o", "nosuch/folder/model.json"), "there is no folder 'nosuch/folder'"),
            (("--search", "K2(order=5)"), "K2 takes a list as order, not 5"),
            (("--score", "BDeu(ess='x')"), "BDeu takes a number as ess, not 'x'"),
            (("--structure-prior", "KappaPrior('x', 0.5)"), "write a graph as Graph("),
            (("--start", "asia -> smoke -> asia"), "cycle"),
        ],
    )
    def test_bad_options(self, words: tuple[str, ...], reason: str) -> None:
        assert reason in refusal("learn", SAMPLE, *words)

    @pytest.mark.parametrize("text", ["dagwright_knowledge = ", "required = 1", "\udcff"])
    def test_bad_knowledge_files(self, text: str, tmp_path: Path) -> None:
        path = tmp_path / "known.toml"
        path.write_bytes(text.encode("utf-8", "surrogateescape"))
        assert "known.toml" in refusal("learn", SAMPLE, "--knowledge", str(path))

    def test_contradictory_knowledge(self, tmp_path: Path) -> None:
        dw.Knowledge(required=["asia -> tub"], forbidden=["asia -> tub"]).save(tmp_path / "known.toml")
        sentence = refusal("learn", SAMPLE, "--knowledge", str(tmp_path / "known.toml"))
        assert "asia -> tub" in sentence

    @pytest.mark.parametrize(
        "words", [("learn",), ("learn", SAMPLE, "--nosuch"), ("nosuch",), ("learn", SAMPLE, "--seed", "-1")]
    )
    def test_a_wrong_command_line_has_status_2(self, words: tuple[str, ...]) -> None:
        result = run(*words)
        assert result.exit_code == 2
        assert result.stdout == ""


def process(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "dagwright", *words], capture_output=True, text=True, check=False
    )


class TestProcess:
    """What only a real process shows."""

    def test_module_and_version(self) -> None:
        done = process("--version")
        assert done.stdout == f"dagwright {dw.__version__}\n"

    def test_an_error_has_no_traceback(self) -> None:
        done = process("learn", "nosuch.csv")
        assert done.returncode == 1
        assert done.stderr.startswith("error: there is no file 'nosuch.csv'")
        assert "Traceback" not in done.stderr

    def test_help_names_every_command(self) -> None:
        text = answer("--help")
        assert all(
            name in text for name in ("describe", "learn", "score", "independence-test", "compare", "methods")
        )

    def test_completion(self) -> None:
        done = process("--show-completion", "bash")
        assert "dagwright" in done.stdout


def test_validate_ranks_searches_by_rows_they_have_not_seen() -> None:
    tried = [
        "--search",
        "HillClimb(max_parents=0)",
        "--search",
        "HillClimb",
        "--search",
        "PC",
        "--folds",
        "3",
    ]
    scores = ["--score", "BIC", "--score", "AIC"]
    ranked = json.loads(answer("cross-validate", SAMPLE, *tried, *scores, "--json"))
    names = [one["name"] for one in ranked["ranking"]]
    assert set(names[:3]) == {"HillClimb with BIC", "HillClimb with AIC", "PC"}
    assert {len(losses) for losses in ranked["folds"].values()} == {3}
    assert f"{names[0]} predicts best" in answer("cross-validate", SAMPLE, *tried, *scores)
    assert "did you mean 'lung'" in refusal("cross-validate", SAMPLE, "--target", "lnug")
