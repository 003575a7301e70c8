# SPDX-License-Identifier: Apache-2.0
"""The control API of a drone (docs/api.md): requests, and the stream of its events."""
from __future__ import annotations

import http.client
import json
import socket
import ssl
import threading
import time
from dataclasses import dataclass
from typing import Any, Callable, Optional

__tracebackhide__ = True    # pytest shows the line of the test, not those of this file

STREAM_SILENCE_S = 60.0     # the drone says something every 15 s


class MayflyError(RuntimeError):
    """What went wrong; in the API's own words, if it said it."""

    code = ""       # of the API that refused


class MayflyTimeout(MayflyError, TimeoutError):
    """Something did not happen in time."""


class MayflyRefused(MayflyError):
    """The vehicle does not do what it was ordered. answer: of POST /v1/commands; result: its MAV_RESULT; reason: the vehicle's
    text, or None."""

    def __init__(self, text: str, answer: dict[str, Any]):
        super().__init__(text)
        self.answer, self.result, self.reason = answer, int(answer["result"]), answer["reason"]


class MayflyCrash(MayflyError):
    """The drone's process died."""


@dataclass(frozen=True)
class Event:
    """Something that happened: `name` and `data` as docs/api.md has them. event["item"] is event.data["item"]."""
    id: int
    name: str
    data: dict[str, Any]

    @property
    def vehicle_time_s(self) -> float:
        return float(self.data.get("vehicle_time_s", 0.0))

    def __getitem__(self, key: str) -> Any:
        return self.data[key]

    def matches(self, name: Optional[str], members: dict[str, Any]) -> bool:
        return (name is None or self.name == name) and all(self.data.get(k) == v for k, v in members.items())


class Api:
    """Requests, each over a connection of its own, so that any thread may make one."""

    def __init__(self, host: str, port: int, token: str = "", timeout_s: float = 10.0, prefix: str = "",
                 context: Optional[ssl.SSLContext] = None):
        """prefix: before all paths; context: of TLS."""
        self.host, self.port, self.timeout_s, self.prefix, self.context = host, port, timeout_s, prefix, context
        self.headers = {"Authorization": f"Bearer {token}"} if token else {}

    def connect(self, timeout_s: Optional[float] = None) -> http.client.HTTPConnection:
        if self.context is not None:
            return http.client.HTTPSConnection(self.host, self.port, timeout=timeout_s or self.timeout_s, context=self.context)
        return http.client.HTTPConnection(self.host, self.port, timeout=timeout_s or self.timeout_s)

    def request(self, method: str, path: str, body: Any = None) -> Any:
        """The answer: JSON as Python has it, anything else as text. A body that is text or bytes goes as it is, as a file;
        anything else as JSON. Raises MayflyError for errors (4xx, 5xx)."""
        connection = self.connect()
        headers = dict(self.headers)
        is_file = isinstance(body, (str, bytes))
        if body is not None:
            headers["Content-Type"] = "application/octet-stream" if is_file else "application/json"
            body = body if isinstance(body, bytes) else (body if is_file else json.dumps(body)).encode()
        try:
            connection.request(method, self.prefix + path, body, headers)
            answer = connection.getresponse()
            text = answer.read().decode()
        except socket.timeout as error:
            raise MayflyTimeout(f"{method} {path}: no answer within {self.timeout_s:g} s") from error
        except (OSError, http.client.HTTPException) as error:
            raise MayflyError(f"{method} {path}: {error or type(error).__name__}") from error
        finally:
            connection.close()
        content = json.loads(text) if answer.getheader("Content-Type", "").startswith("application/json") else text
        if answer.status >= 400:
            said = content.get("error", content.get("status", text)) if isinstance(content, dict) else text
            refused = MayflyError(f"{method} {path}: {said} ({answer.status})")
            refused.code = content.get("code", "") if isinstance(content, dict) else ""
            raise refused
        return content


class EventStream(threading.Thread):
    """Reads /v1/events from the boot on. What was read once is kept, in order. alive: is it still this drone's port?"""

    def __init__(self, api: Api, alive: Callable[[], bool]):
        super().__init__(name="mayfly-events", daemon=True)
        self.api, self.alive = api, alive
        self.changed = threading.Condition()
        self.events: list[Event] = []
        self.lost = 0               # the drone had dropped them before they were read
        self.ended = False          # no more will come
        self.closing = False
        self.connection: Optional[http.client.HTTPConnection] = None

    def run(self) -> None:
        while not self.closing and self.alive():
            try:
                if not self._read():
                    break
            except (OSError, ValueError, http.client.HTTPException):
                pass                    # it went in the middle of something
            time.sleep(0.02)
        with self.changed:
            self.ended = True
            self.changed.notify_all()

    def close(self) -> None:
        """Ends the thread; the drone is still there, or was."""
        self.closing = True
        sock = self.connection.sock if self.connection else None
        if sock is not None:
            try:
                sock.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass                # the drone was quicker

    def _read(self) -> bool:
        """Reads up to the end of the stream. False: there is none."""
        last = self.events[-1].id if self.events else 0
        self.connection = connection = self.api.connect(STREAM_SILENCE_S)
        try:
            connection.connect()
            if self.closing:
                return False
            sock = connection.sock
            connection.request("GET", f"{self.api.prefix}/v1/events?after={last}", headers=self.api.headers)
            answer = connection.getresponse()
            if answer.status != 200:
                return False
            connection.sock = sock      # getresponse() gives it away; close() needs it
            fields: dict[str, str] = {}
            for line in answer:
                key, _, value = line.decode().rstrip("\n").partition(": ")
                if line == b"\n":
                    self._take(fields)
                    fields = {}
                elif key:
                    fields[key] = value
            return True
        finally:
            connection.close()

    def _take(self, fields: dict[str, str]) -> None:
        if "data" not in fields or "event" not in fields:
            return                      # a sign of life
        event = Event(int(fields["id"]), fields["event"], json.loads(fields["data"]))
        with self.changed:
            self.lost += event.id - (self.events[-1].id + 1 if self.events else 1)
            self.events.append(event)
            self.changed.notify_all()

    def first_of_instant(self, index: int) -> int:
        """The index of the first event of the same instant, behind the command before."""
        with self.changed:
            at_s = self.events[index].vehicle_time_s
            while index > 0 and self.events[index - 1].vehicle_time_s == at_s and self.events[index - 1].name != "command":
                index -= 1
        return index

    def wait_for(self, accept: Callable[[Event], bool], start: int, timeout_s: float) -> Optional[int]:
        """The index of the first event from `start` on that is accepted; None: not in time, or no more will come."""
        end = time.monotonic() + timeout_s
        with self.changed:
            while True:
                for index in range(start, len(self.events)):
                    if accept(self.events[index]):
                        return index
                start = max(start, len(self.events))
                left = end - time.monotonic()
                if left <= 0 or self.ended:
                    return None
                self.changed.wait(left)


def parse_metrics(text: str) -> dict[str, float]:
    """Prometheus text: {'mayfly_links': 1.0, 'mayfly_faults_active{fault="gps_off"}': 0.0, ...}"""
    found = {}
    for line in text.splitlines():
        if line and not line.startswith("#"):
            name, _, value = line.rpartition(" ")
            found[name] = float(value)
    return found
