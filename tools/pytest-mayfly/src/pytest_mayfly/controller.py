# SPDX-License-Identifier: Apache-2.0
"""Drones of a Simulation Controller (docs/controller.md): instances on its machine or in its cluster, used like a Drone."""
from __future__ import annotations

import contextlib
import http.client
import os
import pathlib
import re
import secrets
import shlex
import socket
import ssl
import tempfile
import threading
import time
import urllib.parse
from collections.abc import Mapping
from typing import Any, Optional

from .api import Api, EventStream, MayflyCrash, MayflyError, MayflyTimeout
from .drone import Drone
from .settings import find_binary, flags_of, text_of

__tracebackhide__ = True    # pytest shows the line of the test, not those of this file

HOLD_SILENCE_S = 5.0        # a sign of life comes every second
AGAIN_S = 0.2
LABEL_MAX = 63
RECORDING = "flight.mfr"    # in the instance's folder, from where the controller serves it
DOWNLOAD_S = 60.0
PLACES_S = 60.0
START_S = 60.0              # an image may have to be fetched
NUMBERS = ("number", "integer", "boolean")
ENDED_WELL = ("completed", "ended")


def token_of(given: Optional[str]) -> str:
    """A token, or, with a slash, what the first line of a file says now: a ServiceAccount's is renewed."""
    if given and "/" in given:
        return pathlib.Path(given).read_text(encoding="utf-8-sig").split("\n")[0].strip()
    return given or ""


def label_of(text: str) -> str:
    """The end of a text as the text of a label: Kubernetes allows letters, digits, '-', '_' and '.' in it."""
    return re.sub(r"[^A-Za-z0-9._-]", "_", text)[-LABEL_MAX:].strip("._-")


class Controller:
    """A controller's API, and a connection that holds all instances that were started here: they end when this process
    does, however that happens."""

    def __init__(self, url: str, *, token: Optional[str] = None, ca: Optional[str] = None, timeout_s: float = 30.0,
                 labels: Optional[Mapping[str, str]] = None):
        parts = urllib.parse.urlsplit(url if "//" in url else "http://" + url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise MayflyError(f"{url!r} is not an address of a controller, such as http://127.0.0.1:5790")
        self.url = f"{parts.scheme}://{parts.netloc}"
        self.host, self.port = parts.hostname, parts.port or (443 if parts.scheme == "https" else 80)
        self.token, self.timeout_s = token, timeout_s
        self.context = ssl.create_default_context(cafile=ca) if parts.scheme == "https" else None
        self.hold = secrets.token_hex(8)
        self.labels = {**(labels or {}), "hold": self.hold}
        self._holding: Optional[Holding] = None
        self._lock = threading.Lock()
        self._templates: Optional[dict[str, dict[str, Any]]] = None
        self._backend: Optional[str] = None

    def api(self, prefix: str = "") -> Api:
        return Api(self.host, self.port, token_of(self.token), self.timeout_s, prefix, self.context)

    def request(self, method: str, path: str, body: Optional[dict[str, Any]] = None) -> Any:
        """A controller without a free place for connections is asked again, for PLACES_S."""
        end = time.monotonic() + PLACES_S
        while True:
            try:
                return self.api().request(method, path, body)
            except MayflyError as error:
                if error.code != "places" or time.monotonic() > end:
                    raise
            time.sleep(AGAIN_S)

    def template(self, name: str) -> dict[str, Any]:
        """What it says of itself. Raises MayflyError with those that there are."""
        if self._templates is None:
            self._templates = {t["name"]: t for t in self.request("GET", "/v1/templates")["templates"]}
        if name not in self._templates:
            raise MayflyError(f"the controller has no template {name!r}, but {', '.join(self._templates)}")
        return self._templates[name]

    @property
    def here(self) -> bool:
        """Are its instances processes of this machine?"""
        if self._backend is None:
            self._backend = str(self.request("GET", "/v1/capacity")["backend"])
        return self._backend == "local" and self.host in ("localhost", "127.0.0.1", "::1")

    def held(self) -> None:
        """From now on instances with our label live as long as this process, or until close()."""
        with self._lock:
            if self._holding is None:
                self._holding = Holding(self)
                self._holding.start()
        self._holding.wait(self.timeout_s)

    def close(self) -> None:
        if self._holding is not None:
            self._holding.close()
            self._holding = None


def recording_of(controller: Controller, instance: str) -> bytes:
    """What the drone of an instance has recorded so far. Raises MayflyError if it records nothing."""
    api = controller.api()
    connection: http.client.HTTPConnection = api.connect(DOWNLOAD_S)
    try:
        connection.request("GET", f"/v1/instances/{instance}/recording", headers=api.headers)
        answer = connection.getresponse()
        data = answer.read()
    except (OSError, http.client.HTTPException) as error:
        raise MayflyError(f"instance {instance}: no recording: {error}") from error
    finally:
        connection.close()
    if answer.status != 200:
        raise MayflyError(f"instance {instance}: no recording: {data.decode(errors='replace').strip()} ({answer.status}); its template needs "
                          "`recording: 4M`")
    return data


class Holding(threading.Thread):
    """Keeps a connection to GET /v1/holds, and makes it again when it broke."""

    def __init__(self, controller: Controller):
        super().__init__(name="mayfly-hold", daemon=True)
        self.controller, self.closing = controller, False
        self.first = threading.Event()      # it holds, or cannot
        self.error: Optional[Exception] = None
        self.connection: Optional[http.client.HTTPConnection] = None

    def wait(self, timeout_s: float) -> None:
        if not self.first.wait(timeout_s):
            raise MayflyTimeout(f"{self.controller.url}: no connection that holds instances within {timeout_s:g} s")
        if self.error is not None:
            raise MayflyError(f"{self.controller.url}: instances cannot be held: {self.error}") from self.error

    def run(self) -> None:
        while not self.closing:
            try:
                self._hold()
            except (OSError, http.client.HTTPException, MayflyError) as error:
                if not self.first.is_set():
                    self.error = error
                    self.first.set()
                    return
            time.sleep(AGAIN_S)

    def _hold(self) -> None:
        api = self.controller.api()
        self.connection = connection = api.connect(HOLD_SILENCE_S)
        try:
            connection.connect()
            sock = connection.sock
            connection.request("GET", f"/v1/holds?label=hold={self.controller.hold}", headers=api.headers)
            answer = connection.getresponse()
            if answer.status == 503:        # no place is free: run() tries again
                return
            if answer.status != 200:
                raise MayflyError(f"{answer.read().decode(errors='replace').strip()} ({answer.status})")
            connection.sock = sock          # getresponse() gives it away; close() needs it
            while answer.read(1):
                self.first.set()
        finally:
            connection.close()

    def close(self) -> None:
        self.closing = True
        sock = self.connection.sock if self.connection else None
        if sock is not None:
            with contextlib.suppress(OSError):
                sock.shutdown(socket.SHUT_RDWR)


class Instance(Drone):
    """A drone that a controller starts: the same calls, except for what needs its process. Settings that the template has
    as values are set by them, others are flags of mayfly in its value `arguments`.

    template  of the controller  lifetime  at most the template's; ends it even if nobody else does
    labels    besides those of the controller object
    """

    def __init__(self, controller: Controller, *, template: str = "drone", labels: Optional[Mapping[str, str]] = None,
                 lifetime: Any = None, record: bool = True, name: str = "drone", timeout_s: float = 10.0, **settings: Any):
        self._prepare(name, timeout_s, settings)
        self.controller, self.template, self.lifetime = controller, template, lifetime
        self.labels = {k: label_of(v) for k, v in {**controller.labels, **(labels or {})}.items()}
        self.id = ""
        self.values: dict[str, Any] = {}
        self.record = record
        self._last: dict[str, Any] = {}     # as the controller knew it
        self._kept: dict[str, str] = {}     # log and configuration, once it has ended

    # ---- start and end

    def start(self) -> Drone:
        if self.id:
            raise MayflyError(f"{self.name} was started before")
        self.folder = tempfile.mkdtemp(prefix="mayfly-")
        try:
            self._choose()
            self.controller.held()
            body: dict[str, Any] = {"template": self.template, "values": self.values, "labels": self.labels}
            if self.lifetime is not None:
                body["lifetime"] = self.lifetime
            self._last = self.controller.request("POST", "/v1/instances", body)["instances"][0]
            self.id = str(self._last["id"])
            self._wait_for_start()
        except BaseException:
            self.stop(check=False)
            raise
        self._stream = EventStream(self._connected(), lambda: self.running)
        self._stream.start()
        return self

    def _choose(self) -> None:
        """Values of the template, and flags for what it has no value for."""
        takes = self.controller.template(self.template)["values"]
        settings = dict(self.settings)
        number = settings.pop("instance", None)
        if number is not None and "sysid" in takes:
            settings.setdefault("sysid", number + 1)
        for name in [name for name in settings if name in takes and name != "arguments"]:
            value = settings.pop(name)
            if value is not None:
                self.values[name] = value if takes[name].get("type") in NUMBERS else text_of(value)
        self.flags = flags_of(settings)
        self.record = self.record and self.controller.here and "arguments" in takes
        flags = self.flags + ([f"--record={RECORDING}"] if self.record else [])
        if flags and "arguments" not in takes:
            raise MayflyError(f"template {self.template} takes no setting {', '.join(settings)}; it takes {', '.join(takes)}")
        if flags:
            self.values["arguments"] = flags

    def _wait_for_start(self) -> None:
        end = time.monotonic() + max(self.timeout_s, START_S)
        self._api = self.controller.api(f"/v1/instances/{self.id}/drone")
        while True:
            state = self._look()["state"]
            if state == "ended":
                raise MayflyError(f"{self.name} did not start: {self._why()}\n{self.log_tail()}\n{shlex.join(self.command)}")
            if state in ("starting", "ready", "degraded"):
                with contextlib.suppress(MayflyError):
                    self._api.request("GET", "/healthz")
                    break
            if time.monotonic() > end:
                raise MayflyTimeout(f"{self.name} is {state}, {self._last['reason'] or 'for no known reason'}; it did not answer "
                                    f"within {max(self.timeout_s, START_S):g} s\n{self.log_tail()}")
            time.sleep(0.005)
        self._read_addresses()
        self.system_id = int(self._api.request("GET", "/v1/vehicles")["vehicles"][0]["system_id"])

    def _read_addresses(self) -> None:
        """Those that can be reached from here: a pod has others than a machine beside the cluster."""
        where = self._last["outside"] if self._last.get("outside") and "KUBERNETES_SERVICE_HOST" not in os.environ else None
        for kind in ("tcp", "udp"):
            text = (where or {}).get(kind) or self._last["connect"].get(kind)
            if text:
                host, _, port = text.rpartition(":")
                self.host = host
                setattr(self, f"{kind}_port", int(port))

    def _look(self) -> dict[str, Any]:
        try:
            self._last = self.controller.request("GET", f"/v1/instances/{self.id}")
        except MayflyError as error:
            if not str(error).endswith("(404)"):
                raise
            self._last = {**self._last, "state": "ended", "outcome": self._last.get("outcome") or "gone",
                          "reason": self._last.get("reason") or "the controller does not know it any more"}
        return self._last

    def _why(self) -> str:
        return f"{self._last['outcome']}: {self._last['reason']}"

    def _end(self) -> Optional[str]:
        if not self.id:
            return None
        problem = self.crash
        if self._stream is not None:
            self._stream.close()
        with contextlib.suppress(MayflyError):
            if self._last["state"] != "ended":
                self._kept["yaml"] = self._connected().request("GET", "/v1/config")
            self._kept["log"] = self._read_log()
            self.controller.request("DELETE", f"/v1/instances/{self.id}")
        end = time.monotonic() + self.timeout_s
        with contextlib.suppress(MayflyError):      # the connection that holds it ends it, too
            while self._look()["state"] != "ended" and time.monotonic() < end:
                time.sleep(0.005)
            self._kept["log"] = self._read_log() or self._kept["log"]
            self._fetch_recording()
        if self._stream is not None and self._stream.is_alive():
            self._stream.join(self.timeout_s)
        return problem

    # ---- what it is

    @property
    def command(self) -> list[str]:
        """The line that starts the same instance."""
        sets = [f"--set={name}={shown(value)}" for name, value in self.values.items()]
        return ["simctl", "up", f"--controller={self.controller.url}", f"--template={self.template}", *sets]

    @property
    def running(self) -> bool:
        return bool(self.id) and not self._stopped and self._last.get("state") != "ended"

    @property
    def pid(self) -> int:
        raise MayflyError(f"{self.name} is an instance of {self.controller.url}: it has no process here")

    @property
    def crash(self) -> Optional[str]:
        if not self.id or self._stopped:
            return None
        with contextlib.suppress(MayflyError):
            self._look()
        ended = self._last.get("state") == "ended"
        return f"{self.name} ended: {self._why()}" if ended and self._last["outcome"] not in ENDED_WELL else None

    def _read_log(self) -> str:
        with contextlib.suppress(MayflyError):
            return str(self.controller.request("GET", f"/v1/instances/{self.id}/logs"))
        return ""

    def _fetch_recording(self) -> None:
        """Into a file of ours: the controller forgets an instance that has ended."""
        if self.record:
            pathlib.Path(self._path("mfr")).write_bytes(recording_of(self.controller, self.id))

    @property
    def log(self) -> str:
        return self._kept.get("log") or (self._read_log() if self.id else "")

    @property
    def api_url(self) -> str:
        """Of the drone's control API, through the controller, which knows the drone's token."""
        self._connected()
        return f"{self.controller.url}/v1/instances/{self.id}/drone"

    def api(self, method: str, path: str, body: Any = None) -> Any:
        try:
            return self._connected().request(method, path, body)
        except MayflyError as error:
            with contextlib.suppress(MayflyError):
                self._look()
            if not self.running:
                raise MayflyCrash(f"{self.name} has ended: {self._why()} ({error}){self.log_end}") from None
            raise type(error)(f"{self.name}: {error}") from None

    # ---- what is kept

    def _replay(self) -> str:
        with contextlib.suppress(MayflyError):
            return os.path.join(os.path.dirname(find_binary(self.settings.get("binary"))), "replay")
        return "replay"

    def _copy(self, ending: str, to: pathlib.Path) -> None:
        if ending == "log":
            to.write_text(self.log, encoding="utf-8")
        elif self.record:
            if self.running:
                self._fetch_recording()
            super()._copy(ending, to)

    def _config(self) -> str:
        return self._kept.get("yaml", "")


def shown(value: Any) -> str:
    return str(value) if not isinstance(value, list) else "[" + ", ".join(f'"{part}"' for part in value) + "]"


def from_environment(url: str, **more: Any) -> Controller:
    """With MAYFLY_CONTROLLER_TOKEN and MAYFLY_CONTROLLER_CA, as simctl has them."""
    return Controller(url, token=os.environ.get("MAYFLY_CONTROLLER_TOKEN"), ca=os.environ.get("MAYFLY_CONTROLLER_CA"), **more)


__all__ = ["Controller", "Instance", "from_environment"]
