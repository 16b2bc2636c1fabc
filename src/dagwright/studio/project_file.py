"""A project as one file: an SQLite database with its state, history, data, jobs and results.

Every change is one transaction, so that a process that is killed at any moment leaves a file that opens. One
process at a time has the file open; it holds SQLite's own lock, which ends with the process.
"""

from __future__ import annotations

import json
import secrets
import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Any

from dagwright.base.whole_file import whole_file
from dagwright.studio.problems import StudioError, problem
from dagwright.studio.state import changed, new_state, require_state

APPLICATION = 0x44574750
VERSION = 1
KEPT_REVISIONS = 200
CHUNK = 1 << 20
TABLES = {
    "project": "id TEXT NOT NULL, name TEXT NOT NULL, revision INTEGER NOT NULL, saved TEXT NOT NULL, "
    "state TEXT NOT NULL",
    "history": "revision INTEGER PRIMARY KEY, saved TEXT NOT NULL, label TEXT NOT NULL, state TEXT NOT NULL",
    "chunks": "digest TEXT NOT NULL, part INTEGER NOT NULL, bytes BLOB NOT NULL, PRIMARY KEY (digest, part)",
    "files": "id TEXT PRIMARY KEY, digest TEXT NOT NULL, name TEXT NOT NULL, bytes INTEGER NOT NULL, "
    "created TEXT NOT NULL",
    "jobs": "id TEXT PRIMARY KEY, place INTEGER NOT NULL, state TEXT NOT NULL, document TEXT NOT NULL",
    "results": "id TEXT PRIMARY KEY, place INTEGER NOT NULL, kind TEXT NOT NULL, document TEXT NOT NULL, "
    "original TEXT, network TEXT, file TEXT",
}
"""The columns of each table. ``document`` is what the page gets; ``original`` and ``network`` are in the
library's own formats."""

OPEN_JOBS = ("queued", "running", "stopping")


def now() -> str:
    """The time in UTC, as the page gets it."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def new_id(kind: str) -> str:
    """An identifier that is used nowhere else: p_, d_, f_, j_, r_ or n_ and 16 digits."""
    return f"{kind}_{secrets.token_hex(8)}"


class ProjectFile:
    """An open project. All methods may be called from any thread."""

    def __init__(self, path: Path, *, name: str | None = None) -> None:
        """Open the file, or make it if ``name`` is given."""
        self.path = path
        self._lock = threading.RLock()
        self._database = sqlite3.connect(path, check_same_thread=False, isolation_level=None, timeout=1.0)
        try:
            self._open(name)
        except sqlite3.OperationalError as raised:
            self._database.close()
            if "locked" in str(raised) or "busy" in str(raised):
                raise StudioError(
                    "locked",
                    f"{path.name} is open in another dagwright studio; close it there",
                    subject=path.name,
                ) from None
            raise StudioError(
                "format", f"{path.name} cannot be opened: {raised}", subject=path.name
            ) from None
        except sqlite3.DatabaseError as raised:
            self._database.close()
            raise StudioError(
                "format", f"{path.name} is not a project: {raised}", subject=path.name
            ) from None
        except BaseException:
            self._database.close()
            raise

    def _open(self, name: str | None) -> None:
        run = self._database.execute
        run("PRAGMA trusted_schema=OFF")
        run("PRAGMA locking_mode=EXCLUSIVE")
        if name is None:
            self._require_ours()
        run("PRAGMA journal_mode=WAL")
        run("PRAGMA synchronous=NORMAL")
        if name is not None:
            with self._transaction():
                run(f"PRAGMA application_id={APPLICATION}")
                run(f"PRAGMA user_version={VERSION}")
                for table, columns in TABLES.items():
                    run(f"CREATE TABLE {table} ({columns}) STRICT")
                begin = json.dumps(new_state())
                run("INSERT INTO project VALUES (?, ?, 1, ?, ?)", (new_id("p"), name, now(), begin))
                run("INSERT INTO history VALUES (1, ?, 'new project', ?)", (now(), begin))
        with self._transaction():  # also takes the lock
            run("UPDATE project SET revision = revision")
        row = run("SELECT id, name, revision, saved, state FROM project").fetchone()
        if row is None:
            raise StudioError("format", f"{self.path.name} holds no project", subject=self.path.name)
        self.id: str = row[0]
        require_state(json.loads(row[4]))
        self._interrupt_jobs()
        self._remove_forgotten(self._database)

    def _require_ours(self) -> None:
        """Refuse a database that is not laid out as ours is, down to a view or a trigger too many."""
        one = self._database.execute
        said = one("PRAGMA application_id").fetchone()[0], one("PRAGMA user_version").fetchone()[0]
        if said[0] != APPLICATION:
            raise StudioError(
                "format", f"{self.path.name} is not a project of dagwright studio", subject=self.path.name
            )
        if said[1] != VERSION:
            raise StudioError(
                "format",
                f"{self.path.name} is a project of version {said[1]}; this dagwright reads {VERSION}",
                subject=self.path.name,
            )
        found = {
            (kind, name): sql
            for kind, name, sql in one("SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL")
        }
        expected = {
            ("table", table): f"CREATE TABLE {table} ({columns}) STRICT" for table, columns in TABLES.items()
        }
        if found != expected:
            raise StudioError(
                "format", f"{self.path.name} is not a project: its tables differ", subject=self.path.name
            )

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        with self._lock:
            self._database.execute("BEGIN IMMEDIATE")
            try:
                yield
            except BaseException:
                self._database.execute("ROLLBACK")
                raise
            self._database.execute("COMMIT")

    def _rows(self, query: str, *values: Any) -> list[Any]:
        with self._lock:
            return self._database.execute(query, values).fetchall()

    def close(self) -> None:
        """Leave one file behind, without a journal beside it."""
        with self._lock, closing(self._database):
            self._database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            self._database.execute("PRAGMA journal_mode=DELETE")

    # The state and its history

    def project(self) -> dict[str, Any]:
        """The project as the page gets it."""
        ((identity, name, revision, saved, state),) = self._rows(
            "SELECT id, name, revision, saved, state FROM project"
        )
        return {
            "id": identity,
            "name": name,
            "revision": revision,
            "saved": saved,
            "state": json.loads(state),
        }

    def change(
        self, change: dict[str, Any], *, revision: int | None = None, label: str = "", name: str | None = None
    ) -> dict[str, Any]:
        """Replace fields of the state; refused if the revision is not the newest one (None: any)."""
        with self._lock:
            self._require_newest(revision)
            state = self.project()["state"]
            if change.get("data") is not None and change["data"] != state["data"]:
                self._require_kept(change["data"])
            return self._replace(changed(state, change), label, name)

    def _require_kept(self, data: dict[str, Any]) -> None:
        """Refuse data that were never put into this project; those that were are kept, for undo."""
        rows = self._rows("SELECT name, bytes FROM files WHERE id = ? AND id LIKE 'd%'", data["id"])
        if rows != [(data["name"], data["bytes"])]:
            raise StudioError(
                "bad_request",
                f"'data' must name data of this project, got {data['id']!r}; upload the file instead",
                subject="data",
            )

    def update(
        self, change: Callable[[dict[str, Any]], dict[str, Any]], *, label: str
    ) -> dict[str, Any] | None:
        """Make a change that depends on the state, without interruption by another; None if there is none."""
        with self._lock:
            wanted = change(self.project()["state"])
            return self.change(wanted, label=label) if wanted else None

    def replace(
        self, state: dict[str, Any], *, revision: int | None = None, label: str = ""
    ) -> dict[str, Any]:
        """Replace the whole state."""
        with self._lock:
            self._require_newest(revision)
            return self._replace(state, label, None)

    def _require_newest(self, revision: int | None) -> None:
        newest = self.project()
        if revision is not None and revision != newest["revision"]:
            raise StudioError(
                "conflict",
                f"the project has changed since revision {revision}; it is at {newest['revision']} now",
                project=newest,
            )

    def _replace(self, state: dict[str, Any], label: str, name: str | None) -> dict[str, Any]:
        old = self.project()
        text, at, revision = json.dumps(state, ensure_ascii=False), now(), old["revision"] + 1
        with self._transaction():
            self._database.execute(
                "UPDATE project SET name = ?, revision = ?, saved = ?, state = ?",
                (old["name"] if name is None else name, revision, at, text),
            )
            self._database.execute("INSERT INTO history VALUES (?, ?, ?, ?)", (revision, at, label, text))
            self._database.execute("DELETE FROM history WHERE revision <= ?", (revision - KEPT_REVISIONS,))
        return self.project()

    def history(self) -> list[dict[str, Any]]:
        """The revisions that are kept, newest first."""
        rows = self._rows("SELECT revision, saved, label FROM history ORDER BY revision DESC")
        return [{"revision": revision, "saved": saved, "label": label} for revision, saved, label in rows]

    def revision(self, number: int) -> dict[str, Any]:
        """One of these revisions with its state."""
        rows = self._rows("SELECT revision, saved, label, state FROM history WHERE revision = ?", number)
        if not rows:
            raise StudioError("not_found", f"there is no revision {number} any more", subject=str(number))
        revision, saved, label, state = rows[0]
        return {"revision": revision, "saved": saved, "label": label, "state": json.loads(state)}

    # Files: data, rows to predict, what jobs wrote

    def add_file(self, kind: str, path: Path, name: str) -> dict[str, Any]:
        """Put a file into the project; the same bytes are kept once."""
        digest, size = sha256(), 0
        with path.open("rb") as file:
            while part := file.read(CHUNK):
                digest.update(part)
                size += len(part)
        identity, named = new_id(kind), digest.hexdigest()
        with self._transaction():
            if not self._database.execute("SELECT 1 FROM chunks WHERE digest = ?", (named,)).fetchone():
                with path.open("rb") as file:
                    parts = iter(lambda: file.read(CHUNK), b"")
                    for at, part in enumerate(parts):
                        self._database.execute("INSERT INTO chunks VALUES (?, ?, ?)", (named, at, part))
            self._database.execute(
                "INSERT INTO files VALUES (?, ?, ?, ?, ?)", (identity, named, name, size, now())
            )
        return {"id": identity, "name": name, "bytes": size, "digest": named}

    def file(self, identity: str) -> dict[str, Any]:
        """The facts about a file."""
        rows = self._rows("SELECT id, digest, name, bytes FROM files WHERE id = ?", identity)
        if not rows:
            raise StudioError("not_found", f"there is no file {identity!r} in this project", subject=identity)
        return dict(zip(("id", "digest", "name", "bytes"), rows[0], strict=True))

    def write_file(self, digest: str, target: Path) -> None:
        """Write the bytes of a file of the project."""
        with whole_file(target) as file:
            part = 0
            while rows := self._rows("SELECT bytes FROM chunks WHERE digest = ? AND part = ?", digest, part):
                file.write(rows[0][0])
                part += 1

    # Jobs

    def save_job(self, job: dict[str, Any]) -> None:
        """Keep a job as it is now."""
        with self._transaction():
            self._database.execute(
                "INSERT INTO jobs VALUES (?, (SELECT 1 + COALESCE(MAX(place), 0) FROM jobs), ?, ?) "
                "ON CONFLICT (id) DO UPDATE SET state = excluded.state, document = excluded.document",
                (job["id"], job["state"], json.dumps(job, ensure_ascii=False)),
            )

    def jobs(self) -> list[dict[str, Any]]:
        """All jobs, newest first."""
        return [json.loads(text) for (text,) in self._rows("SELECT document FROM jobs ORDER BY place DESC")]

    def job(self, identity: str) -> dict[str, Any]:
        """One of them."""
        rows = self._rows("SELECT document FROM jobs WHERE id = ?", identity)
        if not rows:
            raise StudioError("not_found", f"there is no job {identity!r} in this project", subject=identity)
        found: dict[str, Any] = json.loads(rows[0][0])
        return found

    def forget_job(self, identity: str) -> None:
        """Remove a job that has ended."""
        if self.job(identity)["state"] in OPEN_JOBS:
            raise StudioError("conflict", "the job has not ended; stop it first", subject=identity)
        with self._transaction():
            self._database.execute("DELETE FROM jobs WHERE id = ?", (identity,))

    def _interrupt_jobs(self) -> None:
        """Jobs that were open when the last process ended: no worker has them any more."""
        for job in self.jobs():
            if job["state"] in OPEN_JOBS:
                told = problem("worker_lost", "dagwright studio ended before the job did; run it again")
                self.save_job({**job, "state": "interrupted", "ended": now(), "place": None, "error": told})

    # Results and networks

    def add_result(
        self,
        document: dict[str, Any],
        *,
        original: str | None = None,
        network: str | None = None,
        file: str | None = None,
    ) -> dict[str, Any]:
        """Keep a result; ``document`` has its id and kind."""
        with self._transaction():
            self._database.execute(
                "INSERT INTO results "
                "VALUES (?, (SELECT 1 + COALESCE(MAX(place), 0) FROM results), ?, ?, ?, ?, ?)",
                (
                    document["id"],
                    document["kind"],
                    json.dumps(document, ensure_ascii=False),
                    original,
                    network,
                    file,
                ),
            )
        return document

    def results(self) -> list[dict[str, Any]]:
        """All results as documents, newest first."""
        return [
            json.loads(text)
            for (text,) in self._rows("SELECT document FROM results WHERE place > 0 ORDER BY place DESC")
        ]

    def forgotten_results(self) -> list[dict[str, Any]]:
        """The results that can be restored, as documents."""
        rows = self._rows("SELECT document FROM results WHERE place < 0 ORDER BY place")
        return [json.loads(text) for (text,) in rows]

    def result_ids(self) -> list[str]:
        """The identifiers of all results, newest first."""
        return [
            identity
            for (identity,) in self._rows("SELECT id FROM results WHERE place > 0 ORDER BY place DESC")
        ]

    def result(self, identity: str) -> dict[str, Any]:
        """The document of a result."""
        found: dict[str, Any] = json.loads(self._result("document", identity))
        return found

    def _result(self, column: str, identity: str) -> Any:
        rows = self._rows(f"SELECT {column} FROM results WHERE id = ? AND place > 0", identity)
        if not rows:
            raise StudioError(
                "not_found", f"there is no result {identity!r} in this project", subject=identity
            )
        return rows[0][0]

    def original(self, identity: str) -> str | None:
        """A result of learning or a confidence in the library's own JSON; None for other results."""
        found: str | None = self._result("original", identity)
        return found

    def network(self, identity: str) -> str | None:
        """The network of a result in the library's own JSON; None where it has none."""
        found: str | None = self._result("network", identity)
        return found

    def file_of_result(self, identity: str) -> str | None:
        """The file that a report or a prediction is."""
        found: str | None = self._result("file", identity)
        return found

    def rename_result(self, identity: str, name: str) -> dict[str, Any]:
        """The result under another name."""
        document = {**self.result(identity), "name": name}
        with self._transaction():
            self._database.execute(
                "UPDATE results SET document = ? WHERE id = ?",
                (json.dumps(document, ensure_ascii=False), identity),
            )
        return document

    def forget_result(self, identity: str) -> None:
        """Remove a result; until the project is closed it can be restored."""
        self.result(identity)
        with self._transaction():
            self._database.execute("UPDATE results SET place = -place WHERE id = ?", (identity,))

    def restore_result(self, identity: str) -> dict[str, Any]:
        """Bring a result back, to its place in the list, that was forgotten since the project was opened."""
        with self._transaction():
            self._database.execute("UPDATE results SET place = abs(place) WHERE id = ?", (identity,))
        return self.result(identity)

    @staticmethod
    def _remove_forgotten(database: sqlite3.Connection) -> None:
        database.execute("DELETE FROM results WHERE place < 0")

    # Copies

    def copy_to(self, target: Path) -> None:
        """A copy of the project as it is now, in one file."""
        with self._lock, closing(sqlite3.connect(target, isolation_level=None)) as other:
            self._database.backup(other)
            self._remove_forgotten(other)
            other.execute("PRAGMA journal_mode=DELETE")

    def as_another(self) -> str:
        """Give the project a new identifier, as for a copy that is opened beside the original."""
        self.id = new_id("p")
        with self._transaction():
            self._database.execute("UPDATE project SET id = ?", (self.id,))
        return self.id
