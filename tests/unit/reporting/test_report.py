"""Reports: complete, self-contained, and deaf to what names try to do."""

from __future__ import annotations

import json
import math
import re
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

import dagwright as dw
from command_line import SAMPLE, answer, refusal
from dagwright.learning.resampling.bootstrapping import usual_replicates
from dagwright.reporting.rival_networks import RivalNetworks

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
EVIL = "<script>document.title = 'taken over'</script>"
PAGE = dw.report(SAMPLE, search=dw.HillClimb(), replicates=6, target="lung", random_state=1)


@pytest.fixture(scope="module")
def hostile() -> dw.Analysis:
    a = [0, 0, 1, 1] * 30
    rows = {EVIL: a, "b|*c*": [*a[:-1], 0], "\"'><img src=x onerror=alert(1)>": [f"<b>{v}" for v in a]}
    return dw.report(rows, search=dw.HillClimb(), replicates=2, title=EVIL, target=EVIL)


class TestPage:
    def test_every_edge_has_its_card(self) -> None:
        html = PAGE.to_html()
        assert html.count("<details id=") == len(PAGE.dag.edges)
        for start, end in PAGE.dag.edges:
            assert f'data-from="{start}" data-to="{end}"' in html

    def test_it_says_what_is_proven_of_the_score(self) -> None:
        for learned, words in (
            (replace(PAGE.found, optimal=False, gap=12.5), "more than 12.5 nats higher"),
            (replace(PAGE.found, optimal=True, gap=0.0), "no network scores higher"),
        ):
            page = replace(PAGE, found=learned)
            assert words in page.to_html()
            assert words in page.to_markdown()

    def test_it_says_that_the_score_is_the_default_and_why(self) -> None:
        words = "the default: it came closest to the true networks in a simulation study."
        named = replace(PAGE, found=dw.learn(SAMPLE, search=dw.HillClimb(), score=dw.BIC()))
        assert words in PAGE.to_html()
        assert "Score and prior are AdaptiveBDeu()" in PAGE.to_markdown()
        assert words not in named.to_html()

    def test_it_needs_nothing_from_outside(self) -> None:
        html = PAGE.to_html()
        addresses = set(re.findall(r"https?://[^\s\"'<]+", html))
        assert addresses <= {"http://www.w3.org/2000/svg"}
        assert not re.search(r"<(link|iframe|img|object)\b", html)
        assert "default-src &#x27;none&#x27;" in html

    def test_names_are_text(self, hostile: dw.Analysis) -> None:
        html = hostile.to_html()
        assert html.count("<script>") == 1
        assert "<img" not in html
        assert "<b>" not in html
        assert "&lt;script&gt;" in html
        markdown = hostile.to_markdown()
        assert "<script>" not in markdown.replace("\\<script\\>", "").split("## Repeat")[0]

    def test_all_forms_tell_the_same(self, tmp_path: Path) -> None:
        for ending in ("html", "md", "json"):
            PAGE.save(tmp_path / f"report.{ending}")
        document = json.loads((tmp_path / "report.json").read_text())
        assert dw.Learned.from_json(json.dumps(document["learned"])).graph == PAGE.found.graph
        assert len(document["cards"]) == len(PAGE.dag.edges)
        markdown = (tmp_path / "report.md").read_text()
        for start, end in PAGE.dag.edges:
            assert f"### {start} → {end}" in markdown or f"### {start} – {end}" in markdown
        with pytest.raises(dw.FormatError, match=r"\.html, \.md or \.json"):
            PAGE.save(tmp_path / "report.docx")

    def test_doubts_are_listed(self) -> None:
        doubts = " ".join(PAGE.undecided())
        assert "higher score exists" in doubts
        sure = PAGE.found.confidence()
        for one in sure.edges(0.2):
            assert (f"Whether {one.start} and {one.end}" in doubts) == (one.strength < 0.8)

    def test_undecided_directions_are_drawn_as_such(self) -> None:
        page = dw.report({"a": [0, 0, 1, 1] * 9, "b": [0, 0, 1, 1] * 9, "c": [0, 1] * 18}, replicates=0)
        assert page.graph == page.dag.cpdag()
        assert page.graph.undirected_edges == (("a", "b"),)
        ((start, end),) = page.dag.edges
        assert f"{start} – {end}</summary>" in page.to_html()
        assert "direction undecided" in page.to_html()
        assert "direction undecided" not in PAGE.to_html()

    def test_the_analysis_can_be_repeated(self) -> None:
        assert "random_state=1" in PAGE.code
        assert "target='lung'" in PAGE.code
        known = dw.Knowledge(forbidden=["asia -> xray"])
        page = dw.report(SAMPLE, search=dw.Restrict(dw.MMPC()), knowledge=known, replicates=0)
        call = page.code.splitlines()[-1].removesuffix(".save('report.html')")
        again = eval(re.sub(r"dw\.report\('[^']*', ", "dict(", call), {"dw": dw})
        assert (again["search"], again["knowledge"]) == (dw.Restrict(dw.MMPC()), known)
        assert any("FanIn: Friedman & Koller 2003" in work for work in PAGE.citations())

    def test_long_searches_are_repeated_less_often(self) -> None:
        rows = {"a": [0, 0, 1, 1] * 9, "b": [0, 1, 1, 1] * 9}
        assert "replicates=200" in dw.report(rows).code
        assert (usual_replicates(1), usual_replicates(10**6), usual_replicates(10**9)) == (200, 30, 20)

    def test_a_structure_prior_weighs_rivals_too(self) -> None:
        page = dw.report(SAMPLE, structure_prior=dw.KappaPrior(dw.load("asia").graph, 1e-9), replicates=0)
        assert page.rivals.classes[0].same
        assert page.rivals.classes[0].behind == pytest.approx(0.0, abs=1e-6)
        assert "missed it" not in page.rivals.note

    def test_what_cannot_be_reported_is_refused(self) -> None:
        with pytest.raises(dw.DagwrightError, match="did you mean 'lung'"):
            dw.report(SAMPLE, target="lungs")
        for options in ({"replicates": -1}, {"rival_seconds": -1}):
            with pytest.raises(dw.OptionError, match="not be negative"):
                dw.report(SAMPLE, **options)


class TestRivals:
    def test_they_are_the_best_classes(self) -> None:
        best = dw.rivals(SAMPLE, 200).classes()
        listed = PAGE.rivals.classes
        assert [one.graph for one in listed] == [one.graph for one in best[: len(listed)]]
        assert [one.behind for one in listed] == pytest.approx(
            [best[0].score - one.score for one in best[: len(listed)]], abs=1e-6
        )
        for one in listed:
            assert one.apart == dw.compare(PAGE.dag.cpdag(), one.graph)
            assert one.same == (one.graph == PAGE.dag.cpdag())
            assert one.bayes_factor == pytest.approx(math.exp(one.behind))

    def test_the_credible_set_is_counted(self) -> None:
        known = len(dw.credible_set(SAMPLE, bayes_factor=20).classes())
        assert f"{known} classes are within a Bayes factor of 20 of the best." in PAGE.rivals.note

    def test_a_search_that_missed_the_best_is_told(self) -> None:
        ahead = dw.learn(SAMPLE, search=dw.Exact()).score - PAGE.found.score
        assert ahead > 0
        assert f"The best scores {ahead:.2f} nats higher" in PAGE.rivals.note

    def test_all_forms_list_them(self) -> None:
        document = json.loads(PAGE.to_json())["rivals"]
        assert len(document["classes"]) == len(PAGE.rivals.classes)
        for text in (PAGE.to_html(), PAGE.to_markdown()):
            assert PAGE.rivals.note in text
            assert all(one.difference() in text for one in PAGE.rivals.classes)

    def test_where_there_are_none_the_reason_is_given(self) -> None:
        short = {"search": dw.HillClimb(), "replicates": 0}
        assert dw.report(SAMPLE, rival_seconds=0, **short).rivals == RivalNetworks((), "")
        late = dw.report(SAMPLE, rival_seconds=1e-9, **short).rivals
        assert late.classes == ()
        assert "the forecast is" in late.note
        wide = {f"v{k}": [k % 2, 1, 0, 1, 1, 0, 0, 1] for k in range(30)}
        assert "2^30 bytes for 30 variables" in dw.report(wide, **short).rivals.note


@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on this machine")
class TestBrowser:
    def loaded(self, page: dw.Analysis, folder: Path, fragment: str = "") -> str:
        """The document as the browser has it after its script has run."""
        path = folder / "report.html"
        page.save(path)
        flags = [
            *("--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-sync"),
            *("--disable-background-networking", "--disable-component-update", "--virtual-time-budget=2000"),
        ]
        words = [str(CHROMIUM), *flags, f"--user-data-dir={folder / 'profile'}", "--dump-dom"]
        done = subprocess.run(
            [*words, path.as_uri() + fragment], capture_output=True, text=True, timeout=120, check=True
        )
        return done.stdout

    def test_the_script_of_the_page_runs(self, tmp_path: Path) -> None:
        document = self.loaded(PAGE, tmp_path, "#card-2")
        assert document.count("has-card") >= len(PAGE.dag.edges)
        assert len(re.findall(r"<details id=\"card-\d+\"[^>]* open=", document)) == 1
        assert re.search(r"<details id=\"card-2\"[^>]* open=", document)

    def test_no_script_from_the_data_runs(self, hostile: dw.Analysis, tmp_path: Path) -> None:
        document = self.loaded(hostile, tmp_path)
        assert "<title>taken over" not in document
        assert "<title>&lt;script&gt;" in document


class TestCommands:
    def test_report(self, tmp_path: Path) -> None:
        out = tmp_path / "page.html"
        text = answer(
            "report", SAMPLE, "-o", str(out), "--search", "HillClimb", "--replicates", "2", "-t", "lung"
        )
        assert text == f"saved as {out}\n"
        assert "most informative about lung" in out.read_text(encoding="utf-8")
        assert ".md or .json" in refusal("report", SAMPLE, "-o", str(tmp_path / "x.pdf"), "--replicates", "0")

    def test_draw(self, tmp_path: Path) -> None:
        for source in ("asia", "a -> b; c"):
            out = tmp_path / "picture.svg"
            answer("draw", source, "-o", str(out))
            assert out.read_text(encoding="utf-8").startswith("<svg")
        answer("draw", "asia", "--bars", "-e", "xray=yes", "-o", str(tmp_path / "bars.svg"))
        assert "100" in (tmp_path / "bars.svg").read_text(encoding="utf-8")
        assert ".svg" in refusal("draw", "asia", "-o", str(tmp_path / "picture.gif"))


def test_a_report_about_a_result() -> None:
    found = dw.learn(dw.sample_path("asia"), search=dw.HillClimb())
    sure = dw.bootstrap(dw.sample_path("asia"), search=dw.HillClimb(), replicates=5)
    page = dw.report(found.with_confidence(sure), rival_seconds=0)
    assert page.found.graph == found.graph
    assert page.found.known_confidence == sure
    assert "dw.report(found)" in page.code
    assert "lung" in page.to_html()
    assert dw.report(found, replicates=0, rival_seconds=0).found.known_confidence is None
    with pytest.raises(dw.OptionError, match="score= does not go with a result"):
        dw.report(found, score=dw.AIC())
    with pytest.raises(dw.DataError, match="holds no data"):
        dw.report(dw.Learned.from_json(found.to_json()))


def test_the_page_tells_about_missing_values() -> None:
    data = dw.read(dw.sample_path("asia")).to_dict()
    data["xray"] = [None if i % 9 == 0 else x for i, x in enumerate(data["xray"])]
    page = dw.report(data, search=dw.HillClimb(), missing="state", replicates=0, rival_seconds=0)
    assert page.missingness is not None
    assert page.missingness.columns == {"xray": sum(x is None for x in data["xray"])}
    assert "<h3>Missing values</h3>" in page.to_html()
    assert "## Missing values" in page.to_markdown()
    assert json.loads(page.to_json())["missingness"]["complete_rows"] == page.missingness.complete_rows
    assert PAGE.missingness is None
    assert "Missing values" not in PAGE.to_html()


def test_effects_and_plausibility_stand_in_every_form() -> None:
    page = dw.report(
        dw.sample_path("asia"),
        search=dw.HillClimb(),
        replicates=5,
        effects=[("smoke", "lung"), ("xray", "asia")],
    )
    first, second = page.effects
    assert first.found is not None and "assumes" in "".join(first.lines())
    assert page.plausibility is not None and page.plausibility.implied > 10
    assert "<h3>smoke → lung</h3>" in page.to_html() and "implied independences" in page.to_html()
    text = page.to_markdown()
    assert "## Effect of smoke on lung" in text and "## Plausibility" in text
    document = json.loads(page.to_json())
    assert [one["cause"] for one in document["effects"]] == ["smoke", "xray"]
    assert document["effects"][1]["value"] is None or second.found is not None
    assert document["plausibility"]["conclusion"] == page.plausibility.conclusion
    with pytest.raises(dw.DagwrightError, match="'smokes'"):
        dw.report(dw.sample_path("asia"), search=dw.HillClimb(), replicates=0, effects=[("smokes", "lung")])
