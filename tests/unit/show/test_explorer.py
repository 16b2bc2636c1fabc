"""The widget: the half in Python by itself, that in the browser in a headless Chromium if there is one."""

from __future__ import annotations

import base64
import html
import json
import os
import re
import shutil
import subprocess
import sys
from importlib.resources import files
from pathlib import Path

import pytest

import dagwright as dw

SCRIPT = (files("dagwright.show") / "widget.js").read_text(encoding="utf-8")
CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


def test_evidence_changes_the_picture() -> None:
    pytest.importorskip("anywidget")
    asia = dw.load("asia")
    widget = asia.explore({"smoke": "yes"})
    assert widget.observed == {"smoke": "yes"} and widget.evidence == {"smoke": 0}
    assert widget.probability == pytest.approx(0.5)
    before = widget.picture
    widget.evidence = {"smoke": 0, "xray": 0}
    assert widget.picture != before and widget.problem == ""
    assert widget.probability == pytest.approx(asia.evidence_probability({"smoke": "yes", "xray": "yes"}))
    widget.evidence = {"xray": [1.0, 0.25]}
    assert widget.observed == {"xray": {"yes": 1.0, "no": 0.25}}
    widget.evidence = {}
    assert widget.probability is None


def test_impossible_and_malformed_evidence_is_told_and_keeps_the_picture() -> None:
    pytest.importorskip("anywidget")
    widget = dw.load("asia").explore()
    before = widget.picture
    for wrong in ({"tub": 0, "either": 1}, {"tub": 7}, {"tub": [1.0]}, {"tub": "yes"}, {"nobody": 0}):
        widget.evidence = wrong
        assert widget.problem and widget.picture == before


def test_what_cannot_be_explored_is_refused() -> None:
    with pytest.raises(dw.OptionError, match="probabilities need a network"):
        dw.show.explore(dw.Dag.parse("A -> B"))
    with pytest.raises(dw.OptionError, match="sets bars= itself"):
        dw.load("asia").explore(bars=False)


def test_the_extra_is_named_when_it_is_missing() -> None:
    code = (
        "import sys; sys.modules['anywidget'] = None\n"
        "import dagwright as dw\n"
        "try:\n    dw.load('asia').explore()\n"
        "except dw.OptionError as problem:\n    print(problem)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "dagwright[notebook]" in done.stdout


def test_the_script_asks_nothing_of_the_network() -> None:
    assert not re.search(r"https?:|import\s|fetch\(|XMLHttpRequest|eval\(", SCRIPT.replace("import.meta", ""))


PAGE = """<!doctype html><meta charset="utf-8"><div id="here"></div><pre id="log"></pre>
<script type="module">
import widget from "data:text/javascript;base64,{script}";
const state = {state};
const listeners = {{}};
const sent = [];
const model = {{
  get: (key) => state[key],
  set: (key, value) => {{ state[key] = value; sent.push([key, value]); }},
  save_changes: () => (listeners["change:evidence"] ?? (() => {{}}))(),
  on: (event, action) => {{ listeners[event] = action; }},
}};
widget.render({{ model, el: document.getElementById("here") }});
const here = document.getElementById("here");
const click = (one) => one.dispatchEvent(new MouseEvent("click", {{ bubbles: true }}));
const bar = () => here.querySelector('[data-node="smoke"] [data-state="1"] path');
click(bar());
const buttons = [...here.querySelectorAll("button")].map((one) => one.textContent);
click(bar());
const sliders = [...here.querySelectorAll("input[type=range]")];
sliders[0].value = "0.3";
sliders[0].dispatchEvent(new Event("change"));
document.getElementById("log").textContent = JSON.stringify({{
  sent, buttons, sliders: sliders.length, scripts: here.querySelectorAll("script").length,
  ran: window.ran ?? false,
}});
</script>"""


@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on the path")
def test_clicks_and_sliders_in_a_browser(tmp_path: Path) -> None:
    hostile = "<img src=x onerror='window.ran=true'><script>window.ran=true</script>"
    network = dw.load("asia").renamed({"tub": hostile}).with_states("smoke", ["yes", hostile])
    state = {
        "picture": network.draw(bars=True).svg,
        "states": {node: [str(one) for one in network.states(node)] for node in network.nodes},
        "evidence": {},
        "probability": 0.5,
        "problem": "",
    }
    encoded = base64.b64encode(SCRIPT.encode()).decode()
    shown = json.dumps(state).replace("<", "\\u003c")
    page = tmp_path / "page.html"
    page.write_text(PAGE.format(script=encoded, state=shown), encoding="utf-8")
    arguments = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]
    arguments += [f"--user-data-dir={tmp_path / 'profile'}", "--virtual-time-budget=4000", "--dump-dom"]
    done = subprocess.run(
        [str(CHROMIUM), *arguments, page.as_uri()],
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=120,
        env={**os.environ, "HOME": str(tmp_path)},
    )
    written = re.search(r'<pre id="log">(.*?)</pre>', done.stdout, re.DOTALL)
    assert written, done.stderr[-2000:]
    log = json.loads(html.unescape(written.group(1)))
    assert log["sent"][0] == ["evidence", {"smoke": 1}]
    assert log["sent"][1] == ["evidence", {}]
    assert log["sent"][2] == ["evidence", {"smoke": [0.3, 1]}]
    assert log["buttons"] == [f"smoke: {hostile} ×", "clear"]
    assert log["sliders"] == 2 and log["scripts"] == 0 and log["ran"] is False
