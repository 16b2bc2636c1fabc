"""Events for open pages: who listens to a project is told what happens in it."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator
from typing import Any

from dagwright.base.documents import as_json

KEEP_ALIVE = 15.0
MOST_WAITING = 1000
"""Events that a page may lag behind; one that lags further is cut off and connects again."""


class Listener:
    """One open stream of events."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._queue: asyncio.Queue[str | None] = asyncio.Queue(MOST_WAITING)

    def put(self, message: str | None) -> None:
        """Hand over a message from any thread; None ends the stream."""
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._put, message)

    def _put(self, message: str | None) -> None:
        if self._queue.full():
            while not self._queue.empty():
                self._queue.get_nowait()
            message = None
        self._queue.put_nowait(message)

    async def stream(self) -> AsyncIterator[str]:
        """The messages as they come, and a sign of life where none do."""
        while True:
            try:
                message = await asyncio.wait_for(self._queue.get(), KEEP_ALIVE)
            except TimeoutError:
                message = ": keep-alive\n\n"
            if message is None:
                return
            yield message


class Hub:
    """The listeners by project."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._listeners: dict[str, list[Listener]] = {}
        self._closed = False

    def listen(self, project: str) -> Listener:
        """A new listener; called in the event loop."""
        listener = Listener()
        with self._lock:
            self._listeners.setdefault(project, []).append(listener)
            if self._closed:
                listener.put(None)
        return listener

    def forget(self, project: str, listener: Listener) -> None:
        """The page is gone."""
        with self._lock:
            self._listeners[project].remove(listener)

    def publish(self, project: str, name: str, data: Any) -> None:
        """Tell all who listen."""
        text = message(name, data)
        with self._lock:
            for listener in self._listeners.get(project, ()):
                listener.put(text)

    def close(self) -> None:
        """End all streams, and those that come later."""
        with self._lock:
            self._closed = True
            for listeners in self._listeners.values():
                for listener in listeners:
                    listener.put(None)


def message(name: str, data: Any) -> str:
    """One event in the form of server-sent events."""
    return f"event: {name}\ndata: {as_json(data, indent=None)}\n\n"
