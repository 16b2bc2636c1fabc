"""The projects of a person: a folder of files, and those named on the command line."""

from __future__ import annotations

import os
import shutil
import sys
import threading
from pathlib import Path
from typing import Any

from dagwright.studio.problems import StudioError
from dagwright.studio.project_file import ProjectFile, new_id, now

SUFFIX = ".dwproj"
TRASH = "trash"


def usual_folder() -> Path:
    """Where this system keeps the data of applications, unless DAGWRIGHT_STUDIO names a folder."""
    if named := os.environ.get("DAGWRIGHT_STUDIO"):
        return Path(named)
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData" / "Local"))
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Application Support"
    else:
        base = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share")
    return base / "dagwright" / "studio"


def _entry(project: ProjectFile) -> dict[str, Any]:
    known = project.project()
    fields = ("id", "name", "saved", "revision")
    # What was written last may still be in the write-ahead log beside the file.
    files = (project.path, project.path.with_name(f"{project.path.name}-wal"))
    size = sum(file.stat().st_size for file in files if file.exists())
    return {**{field: known[field] for field in fields}, "bytes": size}


class Workspace:
    """The projects by identifier; a project is opened when it is first asked for."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        self._open: dict[str, ProjectFile] = {}
        self._seen: dict[Path, tuple[float, dict[str, Any]]] = {}
        self._lock = threading.RLock()

    def projects(self) -> list[dict[str, Any]]:
        """All projects, last saved first; those that are open elsewhere or damaged are left out."""
        with self._lock:
            held = {project.path for project in self._open.values()}
            entries = [_entry(project) for project in self._open.values()]
            others = [path for path in self.folder.glob(f"*{SUFFIX}") if path not in held]
            entries += [entry for path in others if (entry := self._peek(path)) is not None]
        return sorted(entries, key=lambda entry: (entry["saved"], entry["id"]), reverse=True)

    def _peek(self, path: Path) -> dict[str, Any] | None:
        """The title of a project that is not open; the file is looked into once after each change."""
        changed = path.stat().st_mtime
        if path not in self._seen or self._seen[path][0] != changed:
            try:
                project = ProjectFile(path)
            except StudioError:
                return None
            entry = _entry(project)
            project.close()
            self._seen[path] = (path.stat().st_mtime, entry)
        return self._seen[path][1]

    def _keep(self, project: ProjectFile) -> ProjectFile:
        if project.id in self._open:
            project.as_another()
        self._open[project.id] = project
        return project

    def project(self, identity: str) -> ProjectFile:
        """The project of an identifier."""
        with self._lock:
            if identity not in self._open:
                self.projects()
                for path, (_, entry) in self._seen.items():
                    if entry["id"] == identity and path.exists():
                        return self._keep(ProjectFile(path))
                raise StudioError("not_found", f"there is no project {identity!r}", subject=identity)
            return self._open[identity]

    def create(self, name: str) -> ProjectFile:
        """A new project in the folder."""
        with self._lock:
            return self._keep(ProjectFile(self.folder / f"{new_id('p')}{SUFFIX}", name=name))

    def open_path(self, path: Path) -> ProjectFile:
        """The project in a file that the person at the command line named; it stays where it is."""
        with self._lock:
            for project in self._open.values():
                if project.path.samefile(path):
                    return project
            return self._keep(ProjectFile(path.resolve()))

    def open_copy(self, checked: Path, name: str) -> ProjectFile:
        """A project that came from the page, already checked, as a new one in the folder."""
        with self._lock:
            target = self.folder / f"{new_id('p')}{SUFFIX}"
            shutil.copyfile(checked, target)
            project = ProjectFile(target)
            project.as_another()
            self._open[project.id] = project
            project.change({}, label=f"opened from {name}")
            return project

    def delete(self, identity: str) -> None:
        """Move a project to the folder's trash; its file can be opened again from there."""
        with self._lock:
            project = self.project(identity)
            del self._open[identity]
            project.close()
            trash = self.folder / TRASH
            trash.mkdir(exist_ok=True)
            stamp = now().replace(":", "-")
            shutil.move(project.path, trash / f"{project.path.stem} {stamp}{SUFFIX}")

    def discard(self, identity: str) -> None:
        """Remove a project in which nothing was kept yet."""
        with self._lock:
            project = self._open.pop(identity)
            project.close()
            project.path.unlink()

    def close(self) -> None:
        """Close all projects."""
        with self._lock:
            for project in self._open.values():
                project.close()
            self._open.clear()
