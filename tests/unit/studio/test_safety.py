"""Who is refused: no token, a wrong one, another host, another origin; and what the browser is told."""

from __future__ import annotations

from typing import Any

import pytest
from starlette.testclient import TestClient

from dagwright.studio.safety import POLICY, Guard
from studio_page import ORIGIN, TOKEN


@pytest.fixture
def stranger(app: Any) -> TestClient:
    """A client without any token."""
    return TestClient(app, base_url=ORIGIN, raise_server_exceptions=False)


def test_without_a_token_nothing_is_answered(stranger: TestClient) -> None:
    for path in ("/api/projects", "/api/openapi.json", "/assets/x.js", "/api/nothing"):
        answer = stranger.get(path)
        assert answer.status_code == 401
        assert answer.json()["error"]["code"] == "unauthorized"
    assert stranger.get("/").status_code == 401


@pytest.mark.parametrize("token", ["", "wrong", TOKEN + "x", TOKEN[:-1]])
def test_a_wrong_token_is_refused(stranger: TestClient, token: str) -> None:
    assert stranger.get("/", params={"token": token}, follow_redirects=False).status_code == 401
    given = {"Authorization": f"Bearer {token}".encode()}
    assert stranger.get("/api/projects", headers=given).status_code == 401  # type: ignore[arg-type]
    stranger.cookies["dagwright-8123"] = token
    assert stranger.get("/api/projects").status_code == 401


def test_the_token_in_the_address_becomes_a_cookie(stranger: TestClient) -> None:
    answer = stranger.get("/", params={"token": TOKEN, "project": "p_1"}, follow_redirects=False)
    assert answer.status_code == 303
    assert answer.headers["location"] == "/#project=p_1"
    cookie = answer.headers["set-cookie"]
    assert "HttpOnly" in cookie and "SameSite=strict" in cookie and cookie.startswith("dagwright-8123=")
    assert stranger.get("/api/projects").status_code == 200


def test_a_script_carries_the_token_in_a_header(stranger: TestClient) -> None:
    given = {"Authorization": f"Bearer {TOKEN}"}
    assert stranger.get("/api/projects", headers=given).status_code == 200
    assert stranger.post("/api/projects", headers=given, json={"name": "by a script"}).status_code == 201


@pytest.mark.parametrize("host", ["evil.example:8123", "127.0.0.1:9", "127.0.0.1", "", "10.0.0.1:8123"])
def test_another_host_is_refused(page: TestClient, host: str) -> None:
    answer = page.get("/api/projects", headers={"Host": host})
    assert answer.status_code == 403
    assert answer.json()["error"]["code"] == "forbidden"


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "http://127.0.0.1:9999", "null", "https://127.0.0.1:8123"]
)
def test_another_origin_is_refused(page: TestClient, origin: str) -> None:
    for method in ("GET", "POST"):
        answer = page.request(method, "/api/projects", headers={"Origin": origin}, json={})
        assert answer.status_code == 403


def test_a_change_by_cookie_must_name_its_origin(app: Any) -> None:
    with TestClient(app, base_url=ORIGIN, cookies={"dagwright-8123": TOKEN}) as client:
        assert client.get("/api/projects").status_code == 200
        assert client.post("/api/projects", json={}).status_code == 403
        assert client.post("/api/projects", json={}, headers={"Origin": ORIGIN}).status_code == 201


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
def test_requests_that_other_sites_make_are_refused(page: TestClient, site: str) -> None:
    assert page.get("/api/projects", headers={"Sec-Fetch-Site": site}).status_code == 403


def test_answers_carry_the_policy_and_no_cors(page: TestClient) -> None:
    for path in ("/", "/api/projects", "/api/nothing"):
        headers = page.get(path).headers
        assert headers["content-security-policy"] == POLICY
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["cache-control"] == "no-store"
        assert not any(name.lower().startswith("access-control") for name in headers)
    script = POLICY.split("script-src")[1].split(";")[0]
    assert "unsafe" not in script


def test_numbers_are_hosts_only_where_other_machines_may_ask() -> None:
    here, everywhere = Guard(TOKEN, 80), Guard(TOKEN, 80, remote=True)
    assert not here.knows_host("10.0.0.1:80")
    assert everywhere.knows_host("10.0.0.1:80") and everywhere.knows_host("[fe80::1]:80")
    assert not everywhere.knows_host("evil.example:80")


def test_no_name_leads_out_of_the_page(page: TestClient) -> None:
    for name in ("..%2f..%2f__init__.py", "%2e%2e/server.py", "server.py", "../server.py"):
        assert page.get(f"/assets/{name}").status_code in (403, 404)
        assert page.get(f"/{name}").status_code in (403, 404)
