"""Jobs: queue, events, stop, kill, rerun; what comes of a worker that dies or runs out of memory."""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from dagwright.graph import Dag
from dagwright.search.control import CancelToken
from dagwright.search.events import Event
from dagwright.studio.hub import Hub, Listener
from dagwright.studio.project_file import ProjectFile
from dagwright.studio.routes import application
from dagwright.studio.safety import Gate, Guard
from dagwright.studio.studio import Limits, Studio
from dagwright.studio.verbs.work import Work, as_values
from studio_page import ORIGIN, TOKEN, Project, new_project, waited

LONG = {"search": "Tabu(patience=1000000000)", "time_limit": 600.0}


def start(project: Project, kind: str = "learn", **options: Any) -> str:
    found: str = project.post("/jobs", {"kind": kind, "options": options}, 202)["id"]
    return found


def running(project: Project, job: str) -> dict[str, Any]:
    """The job once it has told of its progress."""
    found: dict[str, Any] = waited(
        lambda: project.get(f"/jobs/{job}"), lambda seen: seen["state"] == "running" and seen["progress"], 60
    )
    return found


def worker_of(studio: Studio, job: str) -> int:
    return studio.queue._running[job][2].pid


def test_a_learned_result_is_shown_and_placed(asia: Project, learned: dict[str, Any]) -> None:
    state = asia.get()["state"]
    assert state["shown"] == learned["id"]
    assert set(state["positions"]) == set(learned["graph"]["nodes"])
    assert learned["kind"] == "learned" and learned["fitted"]
    assert learned["score_name"] == "adaptive BDeu + FanIn"
    (edge,) = (one for one in learned["dag"]["edges"] if {one["from"], one["to"]} == {"lung", "either"})
    assert edge["to_mark"] == "arrow" and edge["gain"] > 500 and edge["decided_by"] == "data"


def test_learning_again_moves_nothing(asia: Project, learned: dict[str, Any]) -> None:
    before = {**asia.get()["state"]["positions"], "lung": [1000.0, -50.0]}
    asia.change(positions=before)
    again = asia.run("learn", search="HillClimb()")
    assert again["dag"] == learned["dag"]
    assert asia.get()["state"]["positions"] == before


def test_twenty_jobs_wait_their_turn(page: TestClient) -> None:
    project = new_project(page, sample="asia")
    first = start(project, **LONG)
    waiting = [start(project, search="ChowLiu()") for _ in range(20)]
    assert [project.get(f"/jobs/{job}")["place"] for job in waiting] == list(range(20))
    project.post(f"/jobs/{waiting[0]}/stop", status=202)
    assert project.get(f"/jobs/{waiting[0]}")["state"] == "cancelled"
    assert project.get(f"/jobs/{waiting[1]}")["place"] == 0
    for job in waiting[3:]:
        project.post(f"/jobs/{job}/stop", status=202)
    project.post(f"/jobs/{first}/kill", status=202)
    assert project.ended(first)["state"] == "cancelled"
    assert [project.ended(job)["state"] for job in waiting[1:3]] == ["done", "done"]
    assert len(project.get("/jobs")["jobs"]) == 21


def test_stopping_keeps_the_best(page: TestClient) -> None:
    project = new_project(page, sample="asia")
    job = start(project, **LONG)
    seen = running(project, job)
    assert seen["progress"]["best"] < 0
    assert page.delete(f"{project.base}/jobs/{job}").status_code == 409
    project.post(f"/jobs/{job}/stop", status=202)
    ended = project.ended(job)
    assert ended["state"] == "done"
    result = project.get(f"/results/{ended['result']}")
    assert result["stopped"] == "cancelled"
    assert result["score"] < 0 and ended["series"]
    assert page.delete(f"{project.base}/jobs/{job}").status_code == 204
    assert page.get(f"{project.base}/jobs/{job}").status_code == 404


def test_stopping_before_there_is_anything_is_no_fault(page: TestClient) -> None:
    project = new_project(page, sample="asia")
    learned = project.run("learn", search="HillClimb()")
    method = "PartitionMCMC(burn_in=10000000, thin=1000000000)"
    job = start(project, "posterior", result=learned["id"], method=method)
    waited(lambda: project.get(f"/jobs/{job}"), lambda seen: seen["state"] == "running", 60)
    project.post(f"/jobs/{job}/stop", status=202)
    ended = project.ended(job)
    assert (ended["state"], ended["error"]) == ("cancelled", None)


def test_an_infinite_score_has_no_value(page: TestClient) -> None:
    project = new_project(page, sample="asia")
    project.change(knowledge={"dagwright_knowledge": 1, "required": ["smoke -> xray"]})
    found = project.run("learn", search="HillClimb()", structure_prior="ParentCount([0.0])")
    assert found["score"] is None
    assert any("minus infinity" in warning for warning in found["warnings"])


def test_a_worker_that_is_killed_is_told_and_the_job_runs_again(page: TestClient, studio: Studio) -> None:
    project = new_project(page, sample="asia")
    job = start(project, **LONG)
    running(project, job)
    os.kill(worker_of(studio, job), signal.SIGKILL)
    ended = project.ended(job)
    assert ended["state"] == "interrupted"
    assert ended["error"]["code"] == "worker_lost" and "memory" in ended["error"]["message"]
    again = project.post(f"/jobs/{job}/rerun", status=202)
    assert again["options"] == ended["options"] and again["id"] != job
    running(project, again["id"])
    project.post(f"/jobs/{again['id']}/kill", status=202)
    assert project.ended(again["id"])["state"] == "cancelled"


def test_a_question_survives_the_death_of_its_worker(
    asia: Project, learned: dict[str, Any], studio: Studio
) -> None:
    asked = {"model": learned["id"]}
    before = asia.post("/ask", asked)
    assert studio.models.worker is not None
    os.kill(studio.models.worker.pid, signal.SIGKILL)
    studio.models.worker._process.wait()
    assert asia.post("/ask", asked) == before


def test_errors_of_the_library_come_as_they_are(asia: Project) -> None:
    ended = asia.ended(start(asia, search="HillClim()"))
    assert ended["state"] == "failed"
    assert ended["error"]["code"] == "unknown_name"
    assert ended["error"]["options"] == ["HillClimb"]
    assert asia.problem("/jobs", {"kind": "predict"}, 400)["subject"] == "model"
    assert asia.problem("/jobs", {"kind": "bootstrap", "options": {"result": "r_none"}}, 404)
    assert asia.problem("/jobs", {"kind": "dance"}, 400)


Heard = list[tuple[str, Any]]


@contextmanager
def listening(app: Any, project: Project) -> Iterator[Heard]:
    """The events of a project as they come."""
    heard: Heard = []
    done = threading.Event()

    async def listen() -> None:
        body = b""

        async def receive() -> dict[str, Any]:
            await asyncio.sleep(60)
            return {"type": "http.disconnect"}

        async def send(message: dict[str, Any]) -> None:
            nonlocal body
            body += message.get("body", b"")
            *whole, body = body.split(b"\n\n")
            for block in whole:
                name, data = block.decode().removeprefix("event: ").split("\ndata: ")
                heard.append((name, json.loads(data)))

        scope = {
            "type": "http",
            "method": "GET",
            "path": f"{project.base}/events",
            "query_string": b"",
            "headers": [(b"host", b"127.0.0.1:8123"), (b"authorization", f"Bearer {TOKEN}".encode())],
        }
        task = asyncio.create_task(app(scope, receive, send))
        while not done.is_set():
            await asyncio.sleep(0.05)
        task.cancel()

    thread = threading.Thread(target=lambda: asyncio.run(asyncio.wait_for(listen(), 60)))
    thread.start()
    waited(lambda: heard, bool)
    try:
        yield heard
    finally:
        done.set()
        thread.join(60)


def test_events_tell_what_happens(app: Any, page: TestClient) -> None:
    project = new_project(page, sample="asia")
    with listening(app, project) as heard:
        job = start(project, search="HillClimb()")
        waited(lambda: heard, lambda seen: any(n == "job" and data["state"] == "done" for n, data in seen))
    names = [name for name, _ in heard]
    assert names[0] == "jobs"
    states = [data["state"] for name, data in heard if name == "job" and data["id"] == job]
    assert states[0] == "queued" and states[-1] == "done" and "running" in states
    assert "result" in names and "project" in names


def test_a_page_that_was_cut_off_sees_what_it_missed(app: Any, page: TestClient) -> None:
    project = new_project(page, sample="asia")
    made = [project.post("/networks", {"name": name}, 201)["id"] for name in ("one", "two")]
    revision = project.change(missing="em")["revision"]
    with listening(app, project) as heard:
        first = waited(lambda: heard, lambda seen: len(seen) >= 3)[:3]
        assert page.delete(f"{project.base}/results/{made[0]}").status_code == 204
        waited(lambda: heard, lambda seen: seen[-1] == ("results", {"ids": made[1:]}))
        assert page.patch(f"{project.base}/results/{made[1]}", json={"name": "new"}).status_code == 200
        waited(lambda: heard, lambda seen: seen[-1][0] == "result" and seen[-1][1]["name"] == "new")
    assert first == [
        ("jobs", {"jobs": []}),
        ("project", {"revision": revision, "by": None}),
        ("results", {"ids": made[::-1]}),
    ]


def test_pages_see_the_best_network_so_far(app: Any, page: TestClient) -> None:
    project = new_project(page, sample="asia")
    with listening(app, project) as heard:
        job = start(project, **LONG)
        waited(lambda: heard, lambda seen: any(name == "network" for name, _ in seen))
    with listening(app, project) as late:  # a page that opens meanwhile sees it too
        assert waited(lambda: late, lambda seen: len(seen) > 1)[1][0] == "network"
    project.post(f"/jobs/{job}/stop", status=202)
    found = project.get(f"/results/{project.ended(job)['result']}")
    networks = [data for name, data in (*heard, *late) if name == "network"]
    assert all(one["job"] == job and set(one["positions"]) == set(one["graph"]["nodes"]) for one in networks)
    assert networks[-1]["score"] == pytest.approx(found["score"])
    assert networks[-1]["graph"]["kind"] == "dag"
    arcs = [
        {(edge["from"], edge["to"]) for edge in one["edges"]} for one in (networks[-1]["graph"], found["dag"])
    ]
    assert arcs[0] == arcs[1]


def test_a_network_that_improves_moves_no_node() -> None:
    told: list[tuple[str, dict[str, Any]]] = []
    listener = Work(CancelToken(), lambda *message: told.append(message)).progress_with_networks(
        {"B": (7.0, 9.0)}
    )
    for text in ("A -> B; C", "A -> B; B -> C", "B -> A; B -> C; A -> C"):
        listener.best_graph(Dag.parse(text), -1.0)
    first, *others = [document["positions"] for kind, document in told if kind == "network"]
    assert first["B"] == (7.0, 9.0) and set(first) == {"A", "B", "C"}
    assert others == [first, first]


def test_a_page_that_lags_far_behind_is_cut_off() -> None:
    async def lag() -> list[str]:
        hub = Hub()
        listener: Listener = hub.listen("p")
        for at in range(1500):
            hub.publish("p", "job", {"at": at})
        await asyncio.sleep(0)
        return [text async for text in listener.stream()]

    assert len(asyncio.run(asyncio.wait_for(lag(), 10))) < 1000


def test_a_share_of_replicates_is_no_score() -> None:
    seen = as_values(Event("resampling", 40, total=1200, unit="replicates", error=0.07), 2.0)
    assert (seen["total"], seen["unit"], seen["best"], seen["error"]) == (1200, "replicates", None, 0.07)
    assert as_values(Event("skeleton", 40, unit="tests"), 2.0)["best"] is None


@pytest.fixture
def small(tmp_path: Path) -> Iterator[TestClient]:
    """A studio whose workers may use little memory, and whose queue is short."""
    studio = Studio(tmp_path, Limits(worker_memory=6 * 2**28, waiting_jobs=2))
    with TestClient(Gate(application(studio), Guard(TOKEN, 8123)), base_url=ORIGIN) as client:
        client.headers["Authorization"] = f"Bearer {TOKEN}"
        yield client
    studio.close()


def test_too_little_memory_is_a_message(small: TestClient) -> None:
    project = new_project(small, sample="asia")
    names = [f"v{at}" for at in range(30)]
    edits = [{"do": "add_node", "node": name, "states": [f"s{at}" for at in range(9)]} for name in names]
    edits += [{"do": "add_edge", "from": name, "to": "v0"} for name in names[1:9]]
    network = project.post("/networks", {"name": "large"}, 201)
    problem = project.page.post(f"{project.base}/networks/{network['id']}/edit", json={"edits": edits})
    assert problem.status_code in (422, 507), problem.text
    assert problem.json()["error"]["code"] in ("memory", "capacity")
    assert project.post("/ask", {"model": network["id"]})["marginals"] == []


def test_a_queue_that_is_full_says_so(small: TestClient) -> None:
    project = new_project(small, sample="asia")
    first = start(project, **LONG)
    waited(lambda: project.get(f"/jobs/{first}"), lambda job: job["state"] == "running")
    start(project)
    start(project)
    assert project.problem("/jobs", {"kind": "learn"}, 429)["code"] == "too_many_jobs"


def test_open_jobs_are_interrupted_when_the_studio_ends(tmp_path: Path) -> None:
    studio = Studio(tmp_path)
    with TestClient(Gate(application(studio), Guard(TOKEN, 8123)), base_url=ORIGIN) as client:
        client.headers["Authorization"] = f"Bearer {TOKEN}"
        project = new_project(client, sample="asia")
        first, second = start(project, **LONG), start(project)
        running(project, first)
    path = studio.workspace.project(project.id).path
    studio.close()
    again = ProjectFile(path)
    assert {job["id"]: job["state"] for job in again.jobs()} == {first: "interrupted", second: "interrupted"}
    again.close()


def test_names_and_notes_are_words(page: TestClient) -> None:
    project = new_project(page, sample="asia")
    found = project.run("learn", search="Auto()", score="BDeu(ess=10)")
    assert found["name"] == "Auto: the strongest search for the size of the problem, score BDeu, ess 10"
    texts = json.dumps([found["notes"], found["warnings"], found["assumptions"]])
    assert not re.search(r"\b[A-Z]\w+\(", texts), texts
    tests = project.post("/jobs", {"kind": "learn", "options": {"search": "PC(max_size=2)"}}, 202)
    assert tests["label"] == "PC: independence tests of growing size, max size 2"
    again = project.post("/jobs", {"kind": "bootstrap", "options": {"result": found["id"]}}, 202)
    assert again["label"] == "bootstrap of Auto"
    for job in (tests, again):
        project.post(f"/jobs/{job['id']}/kill", status=202)


def test_a_job_that_cannot_work_with_gaps_offers_what_it_can_work_with(page: TestClient) -> None:
    project = new_project(page)
    rows = "\n".join(
        f"{'' if at % 7 == 0 else at % 2},{at % 2 or at % 5 == 0:d},{at % 3}" for at in range(120)
    )
    page.post(f"{project.base}/data", params={"name": "gaps.csv"}, content=f"a,b,c\n{rows}\n".encode())
    project.change(missing="em")
    found = project.run("learn", search="HillClimb()")
    job = project.post("/jobs", {"kind": "rivals", "options": {"result": found["id"]}}, 202)
    error = project.ended(job["id"])["error"]
    assert error["policies"] == ["drop", "state"]
    project.change(missing="drop")
    again = project.run("learn", search="HillClimb()")
    assert project.run("rivals", result=again["id"])["count"] >= 1
