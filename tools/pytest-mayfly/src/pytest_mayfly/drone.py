# SPDX-License-Identifier: Apache-2.0
"""One drone: a process of its own on free ports, and what a test wants of it. Needs no pytest."""
from __future__ import annotations

import asyncio
import contextlib
import os
import pathlib
import re
import shlex
import shutil
import signal
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Callable, Optional, Union

from .api import Api, Event, EventStream, MayflyCrash, MayflyError, MayflyTimeout, parse_metrics
from .flight import Flight
from .ports import ReservedPort
from .settings import Path, find_binary, flags_of, has_flag, packs_of

__tracebackhide__ = True    # pytest shows the line of the test, not those of this file

# A drone that nobody ends, because its test was killed, ends by itself.
LIFETIME_S = 6 * 3600
TAIL_LINES = 20
# What the page of a flight may take to be made.
PAGE_S = 60

# Flags that a drone gets unless it is given them.
DEFAULTS = (("--lifetime", str(LIFETIME_S)), ("--tcp", "127.0.0.1:0"), ("--udp", "127.0.0.1:0"), ("--udp-out", "none"),
            ("--api", "127.0.0.1:0"))


class Drone(Flight):
    """A drone that flies from `start()` to `stop()`, or within a `with`.

    Settings are the flags of `mayfly --help` with underscores: home, clock, faults, geoid, params, streams, px4_strict, ...;
    `args` are more of them, as a list. Its ports are free ones unless it is given tcp, udp or api.

    binary    the program (find_binary)
    record    keep a recording, until the drone is stopped; keep() saves it
    name      of the files that keep() makes
    timeout_s what the start, a request, and the end may take of wall time
    """

    def __init__(self, *, binary: Optional[Path] = None, record: bool = True, name: str = "drone", timeout_s: float = 10.0,
                 **settings: Any):
        self._prepare(name, timeout_s, settings)
        self.binary = find_binary(binary)
        self.flags = flags_of(settings)
        for flag, value in DEFAULTS:
            if not has_flag(self.flags, flag):
                self.flags.append(f"{flag}={value}")
        self.record = record and not has_flag(self.flags, "--record")
        self._process: Optional[subprocess.Popen[bytes]] = None
        self._asking = threading.Lock()     # Popen.poll() says None while another thread is learning of the end

    def _prepare(self, name: str, timeout_s: float, settings: Mapping[str, Any]) -> None:
        """What every drone has, wherever it runs."""
        self.name, self.timeout_s, self.settings = name, timeout_s, settings
        self.folder: Optional[str] = None
        self.flags: list[str] = []
        self.host = "127.0.0.1"
        self.tcp_port: Optional[int] = None
        self.udp_port: Optional[int] = None
        self.api_port = 0
        self.system_id = 0
        self.aio = AsyncDrone(self)
        self.reported = False               # with its log, by whoever started it: errors leave it out
        self._api: Optional[Api] = None
        self._stream: Optional[EventStream] = None
        self._ports: list[ReservedPort] = []
        self._stopped = False               # by us

    def __repr__(self) -> str:
        return f"<{self.name}: system id {self.system_id}, {self.mavsdk_url if self.running else 'not running'}>"

    # ---- start and end

    def __enter__(self) -> Drone:
        return self.start()

    def __exit__(self, exception: Optional[type[BaseException]], *unused: object) -> None:
        self.stop(check=exception is None)

    def start(self) -> Drone:
        """Starts the process; its servers answer when this returns. Raises MayflyError with the drone's own words."""
        if self._process is not None:
            raise MayflyError(f"{self.name} was started before")
        self.folder = tempfile.mkdtemp(prefix="mayfly-")
        try:
            with open(self._path("log"), "wb") as log:
                self._process = subprocess.Popen(self.command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=log)
            self._wait_for_greeting()
        except BaseException:
            self.stop(check=False)
            raise
        self._stream = EventStream(self._connected(), lambda: self.running)
        self._stream.start()
        return self

    def stop(self, check: bool = True) -> None:
        """Ends it with SIGTERM, with SIGKILL if that does not help, and removes its files. With `check` raises MayflyCrash
        if it was dead before, or did not end in an orderly way. Once stopped, nothing happens."""
        problem = None
        if not self._stopped:
            problem = self._end()
        self._stopped = True
        for port in self._ports:
            port.release()
        log = self.log_tail() if problem else ""
        if self.folder is not None:
            shutil.rmtree(self.folder, ignore_errors=True)
            self.folder = None
        if problem and check:
            raise MayflyCrash(f"{problem}\n{log}")

    def end(self) -> None:
        """Ends the process, as stop() does, but its files stay for keep(). Raises MayflyCrash as stop(check=True) does."""
        problem = None if self._stopped else self._end()
        self._stopped = True
        if problem:
            raise MayflyCrash(f"{problem}\n{self.log_tail()}")

    def _end(self) -> Optional[str]:
        process = self._process
        if process is None:
            return None
        problem = self.crash
        if self._stream is not None:
            self._stream.close()
        if self._code() is None:
            process.send_signal(signal.SIGCONT)     # a test may have stopped it
            process.send_signal(signal.SIGTERM)
            try:
                code = process.wait(self.timeout_s)
                problem = f"{self.name} ended with {describe_code(code)}" if code else None
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
                problem = f"{self.name} did not end within {self.timeout_s:g} s of SIGTERM, and was killed"
        if self._stream is not None and self._stream.is_alive():
            self._stream.join(self.timeout_s)
        return problem

    def _wait_for_greeting(self) -> None:
        """The API is the last server of the default ones; others are known when it answers."""
        end = time.monotonic() + self.timeout_s
        while True:
            text = self.log
            found = re.search(r"http://(\S+):(\d+)/:", text)
            if found:
                break
            self._check_start(end)
            time.sleep(0.001)
        self.api_port = int(found[2])
        self._api = Api(found[1].strip("[]"), self.api_port, self._token(), self.timeout_s)
        self._api.request("GET", "/healthz")
        self._read_greeting(self.log)

    def _check_start(self, end: float) -> None:
        assert self._process is not None
        code = self._code()
        if code is not None:
            said = self.log.strip() or "without a word"
            raise MayflyError(f"{self.name} did not start ({describe_code(code)}): {said}\n{shlex.join(self.command)}")
        if time.monotonic() > end:
            raise MayflyTimeout(f"{self.name} did not name its control API within {self.timeout_s:g} s\n{self.log_tail()}")

    def _read_greeting(self, text: str) -> None:
        ports = {}
        for kind in ("tcp", "udp"):
            server = re.search(rf"\b{kind} \S+:(\d+): MAVSDK", text)
            ports[kind] = int(server[1]) if server else None
        self.tcp_port, self.udp_port = ports["tcp"], ports["udp"]
        said = re.search(r"system id (\d+)", text)
        self.system_id = int(said[1]) if said else 0

    def _token(self) -> str:
        token = str(self.settings.get("api_token") or "")
        return pathlib.Path(token).read_text(encoding="utf-8-sig").split("\n")[0].strip() if "/" in token else token

    def _path(self, ending: str) -> str:
        if self.folder is None:
            raise MayflyError(f"{self.name} has no files: it is not running")
        return os.path.join(self.folder, f"{self.name}.{ending}")

    # ---- what it is

    @property
    def command(self) -> list[str]:
        """The command line."""
        flags = [f"--record={self._path('mfr')}"] if self.record and self.folder else []
        return [self.binary, "--log-level=info", *self.flags, *flags]  # its first lines name its ports, whatever the environment says

    def _code(self) -> Optional[int]:
        assert self._process is not None
        with self._asking:
            return self._process.poll()

    @property
    def running(self) -> bool:
        return self._process is not None and self._code() is None

    @property
    def pid(self) -> int:
        return self._process.pid if self._process else 0

    @property
    def crash(self) -> Optional[str]:
        """What it died of without being stopped; None: it is alive, or a client has shut it down."""
        code = self._code() if self._process and not self._stopped else None
        return f"{self.name} died: {describe_code(code)}" if code else None

    @property
    def log(self) -> str:
        """What it has said on stderr."""
        with contextlib.suppress(MayflyError, OSError):
            return pathlib.Path(self._path("log")).read_text(encoding="utf-8", errors="replace")
        return ""

    def log_tail(self, lines: int = TAIL_LINES) -> str:
        said = self.log.splitlines()
        left = [f"... {len(said) - lines} lines before"] if len(said) > lines else []
        return "\n".join(["--- log of " + self.name, *left, *said[-lines:]])

    @property
    def log_end(self) -> str:
        """The log as errors of a running drone have it, on lines of its own."""
        return "" if self.reported else f"\n{self.log_tail()}"

    def _server(self, scheme: str, port: Optional[int], otherwise: str) -> str:
        if port is not None:
            return f"{scheme}{self.host}:{port}"
        if self.udp_port is not None:
            return f"{otherwise}{self.host}:{self.udp_port}"
        raise MayflyError(f"{self.name} has no server for MAVLink, or is not running")

    @property
    def mavsdk_url(self) -> str:
        """For MAVSDK's add_any_connection(), in version 3 connect(): TCP, or UDP if there is no TCP server."""
        return self._server("tcpout://", self.tcp_port, "udpout://")

    @property
    def mavsdk_udp_url(self) -> str:
        return self._server("udpout://", self.udp_port, "udpout://")

    @property
    def pymavlink_url(self) -> str:
        """For pymavlink's mavutil.mavlink_connection(), MAVProxy's --master and dronekit.connect()."""
        return self._server("tcp:", self.tcp_port, "udpout:")

    @property
    def api_url(self) -> str:
        """Of the control API, without a slash at the end."""
        api = self._connected()
        return f"http://[{api.host}]:{api.port}" if ":" in api.host else f"http://{api.host}:{api.port}"

    @property
    def mavsdk_server_port(self) -> int:
        """For MAVSDK 3's System(port=...): a port for its mavsdk_server that no other test gets. Always the same one."""
        if not self._ports:
            self._ports.append(ReservedPort())
        return self._ports[0].number

    # ---- requests

    def _connected(self) -> Api:
        if self._api is None:
            raise MayflyError(f"{self.name} is not running: use it within 'with', or start() it")
        return self._api

    def api(self, method: str, path: str, body: Any = None) -> Any:
        """Any request to the control API; text and bytes go as a file. Raises MayflyError with what it says."""
        connected = self._connected()
        try:
            if not self.running:        # its port may be somebody else's by now
                raise MayflyError(f"{method} {path}: the drone has ended")
            return connected.request(method, path, body)
        except MayflyTimeout as error:
            raise MayflyTimeout(f"{self.name}: {error}{self.log_end}") from None
        except MayflyError as error:
            if not self.running:
                what = self.crash or f"{self.name} has ended"
                raise MayflyCrash(f"{what} ({error}){self.log_end}") from None
            raise MayflyError(f"{self.name}: {error}") from None

    def vehicle(self) -> dict[str, Any]:
        """What it is like now: mode, armed, landed_state, position, truth, battery, mission, ... (GET /v1/vehicle)."""
        return dict(self.api("GET", "/v1/vehicle"))

    def metrics(self) -> dict[str, float]:
        """{'mayfly_links': 1.0, 'mayfly_faults_active{fault="gps_off"}': 0.0, ...}"""
        return parse_metrics(self.api("GET", "/metrics"))

    def wait_ready(self, timeout_s: float = 30.0) -> None:
        """Until it may be armed. A drone is from its start, unless a setting (gnss_warmup, a fault) denies it."""
        end = time.monotonic() + timeout_s
        while True:
            try:
                self.api("GET", "/readyz")
                return
            except MayflyCrash:
                raise
            except MayflyError as error:
                if time.monotonic() > end:
                    raise MayflyTimeout(f"not ready within {timeout_s:g} s: {error}") from error
            time.sleep(0.01)

    # ---- faults

    def inject(self, fault: str, *values: float, text: Optional[str] = None) -> None:
        """Begins a fault (docs/faults.md): inject("gps_off"), inject("battery", 18), inject("prearm", text="Not today")."""
        body: dict[str, Any] = {"fault": fault}
        if values:
            body["values"] = list(values)
        if text is not None:
            body["text"] = text
        self.api("POST", "/v1/faults", body)

    def clear(self, fault: Optional[str] = None) -> None:
        """Ends a fault, or all that are active."""
        self.api("DELETE", "/v1/faults" if fault is None else f"/v1/faults/{fault}")

    @contextlib.contextmanager
    def fault(self, fault: str, *values: float, text: Optional[str] = None) -> Iterator[None]:
        """`with drone.fault("gps_off"):` ends it behind."""
        self.inject(fault, *values, text=text)
        try:
            yield
        finally:
            self.clear(fault)

    # ---- misbehaviour

    def misbehave(self, rule: str) -> int:
        """Adds a rule of protocol misbehaviour (docs/misbehaviour.md): misbehave("command_denied(takeoff)*2"). Returns its id."""
        answer = self.api("POST", "/v1/misbehaviour", {"rule": rule})
        return max(int(known["id"]) for known in answer["rules"])

    def behave(self, rule: Union[int, str, None] = None) -> None:
        """Ends a rule by its id, all of a name ("command_denied"), or all."""
        self.api("DELETE", "/v1/misbehaviour" if rule is None else f"/v1/misbehaviour/{rule}")

    @contextlib.contextmanager
    def misbehaving(self, rule: str) -> Iterator[int]:
        """`with drone.misbehaving("command_denied(takeoff)"):` ends this rule behind. Yields its id."""
        number = self.misbehave(rule)
        try:
            yield number
        finally:
            self.behave(number)

    # ---- links

    def link_quality(self, link: Union[int, str], quality: Optional[str] = None) -> dict[int, str]:
        """Makes a link another one from now on: link_quality("tcp", "loss=5%,out:delay=200ms"), or as good as it can be:
        link_quality("all", "none") (docs/links.md). A link is its number among the ports of GET /v1/links, its kind, or
        "all". Returns the qualities of those that are meant, by number; without one nothing is changed.
        """
        path, body = f"/v1/links/{link}/quality", None if quality is None else {"quality": quality}
        answer = self.api("GET" if body is None else "PUT", path, body)
        return {int(port["port"]): str(port["quality"]) for port in answer["ports"]}

    @contextlib.contextmanager
    def bad_link(self, link: Union[int, str], quality: str) -> Iterator[None]:
        """`with drone.bad_link("tcp", "loss=20%"):` it is as it was before behind."""
        before = self.link_quality(link)
        self.link_quality(link, quality)
        try:
            yield
        finally:
            for port, was in before.items():
                self.link_quality(port, was)

    # ---- time

    def clock(self) -> dict[str, Any]:
        """How vehicle time passes (GET /v1/clock): vehicle_time_s, mode, standing, ..."""
        return dict(self.api("GET", "/v1/clock"))

    def set_clock(self, mode: str, rate: Optional[float] = None) -> None:
        """Another clock: real (with a rate, if given), fast, event, lockstep."""
        self.api("POST", "/v1/clock", {"mode": mode} if rate is None else {"mode": mode, "rate": rate})

    def hold(self, timeout_s: float = 10.0) -> float:
        """Vehicle time stands when this returns, until run() or resume(). Returns it [s]."""
        self.api("POST", "/v1/clock", {"action": "hold"})
        return self._until_it_stands(timeout_s, "hold")

    def run(self, *, for_s: Optional[float] = None, until_s: Optional[float] = None, event: bool = False,
            timeout_s: Optional[float] = None) -> float:
        """Vehicle time passes for so long, or up to a vehicle time, or until something happens, and stands when this
        returns. What comes from the time before is held until then. Returns the vehicle time [s]."""
        now_s = self.hold()
        body: dict[str, Any] = {"action": "run"}
        body.update({k: v for k, v in (("for_s", for_s), ("until_s", until_s), ("event", event or None)) if v is not None})
        clock = self.api("POST", "/v1/clock", body)
        length_s = for_s if for_s is not None else until_s - now_s if until_s is not None else 0.0
        return self._until_it_stands(timeout_s or patience_s(length_s, clock), f"run {body}")

    def resume(self) -> None:
        """Vehicle time passes again, as the clock lets it."""
        self.api("POST", "/v1/clock", {"action": "resume"})

    @contextlib.contextmanager
    def held(self) -> Iterator[float]:
        """`with drone.held():` vehicle time stands within it, and then goes on."""
        now_s = self.hold()
        try:
            yield now_s
        finally:
            if self.running:
                self.resume()

    def sleep_sim(self, seconds: float, timeout_s: Optional[float] = None) -> float:
        """Lets so much vehicle time pass: on the clocks event, fast and lockstep as fast as it can, on real by waiting.
        All events up to then are there when it returns. Time stands afterwards only if it stood before.
        Returns the vehicle time at its end [s].

        timeout_s: wall time; without it generous for the clock. Raises MayflyTimeout."""
        stood = self.clock()["action"] == "hold"
        now_s = self.run(for_s=seconds, timeout_s=timeout_s)
        if not stood:
            self.resume()
        return now_s

    def _until_it_stands(self, timeout_s: float, what: str) -> float:
        end, pause_s = time.monotonic() + timeout_s, 0.0005
        while True:
            clock = self.clock()
            if clock["standing"] and not clock["pending"]:
                break
            if time.monotonic() > end:
                raise MayflyTimeout(f"{self.name}: {what}: vehicle time is {clock['vehicle_time_s']:.6f} s and does not stand "
                                    f"after {timeout_s:g} s of wall time; clock {clock['mode']}, controllers "
                                    f"{clock['controllers']}: does a MAVLink barrier hold it?{self.log_end}")
            time.sleep(pause_s)
            pause_s = min(pause_s * 2, 0.02)
        stands_s = float(clock["vehicle_time_s"])
        stream = self._streaming()
        stream.wait_for(lambda e: e.name == "clock" and e["standing"] and abs(e.vehicle_time_s - stands_s) < 1e-6, 0, 1.0)
        return stands_s

    # ---- events

    def _streaming(self) -> EventStream:
        if self._stream is None:
            raise MayflyError(f"{self.name} is not running: use it within 'with', or start() it")
        return self._stream

    def events(self, name: Optional[str] = None, **members: Any) -> list[Event]:
        """What has happened since the start and was heard until now: all, those of a name (docs/api.md), and of them those
        with these members."""
        stream = self._streaming()
        with stream.changed:
            return [event for event in stream.events if event.matches(name, members)]

    # ---- what is kept

    @property
    def recording(self) -> Optional[str]:
        """The file that is being recorded; None: none is."""
        return self._path("mfr") if self.record and self.folder else None

    def replay_command(self, recording: Path, start: Optional[Path] = None, *options: str) -> str:
        """The line that flies a recording of this drone again, and compares; in the folder `start` (the present one). It builds
        replay, and conform which flies, first if replay is missing, and mayfly comes from the sources. options: of replay."""
        def near(path: str) -> str:
            relative = os.path.relpath(path, start)
            return path if relative.startswith("..") else relative

        program = self._replay()
        build = os.path.dirname(os.path.abspath(program))
        makefile = os.path.join(os.path.dirname(build), "Makefile")
        made = []
        if os.path.dirname(program) and not os.path.exists(program) and os.path.exists(makefile):
            made = ["make", "-C", near(os.path.dirname(makefile)), *(os.path.join(os.path.basename(build), name) for name in ("replay", "conform"))]
        elif not os.path.exists(program):
            program = "replay"
        line = shlex.join([program if program == "replay" else near(program), *options, *packs_of(self.flags), near(os.fspath(recording))])
        return f"{shlex.join(made)} && {line}" if made else line

    def _replay(self) -> str:
        return os.path.join(os.path.dirname(self.binary), "replay")

    @property
    def makes_pages(self) -> bool:
        """Is the program replay there, which makes the page of a flight?"""
        return os.path.exists(self._replay())

    def _copy(self, ending: str, to: pathlib.Path) -> None:
        shutil.copy(self._path(ending), to)

    def _config(self) -> str:
        shown = subprocess.run([self.binary, *self.flags, "--print-config"], capture_output=True, text=True, check=False,
                               timeout=self.timeout_s)
        return shown.stdout or shown.stderr

    def _page(self, recording: str, to: str) -> bool:
        """The flight as a page for a browser. False: there is no program replay, or it cannot."""
        try:
            subprocess.run([os.path.abspath(self._replay()), *packs_of(self.flags), "--html", to, recording], stdin=subprocess.DEVNULL,
                           capture_output=True, check=True, timeout=PAGE_S)
        except (OSError, subprocess.SubprocessError):
            pathlib.Path(to).unlink(missing_ok=True)
            return False
        return True

    def keep(self, folder: Path, start: Optional[Path] = None) -> dict[str, str]:
        """Saves recording, log, configuration, the line that replays it, and the flight as a page for a browser in a folder, as
        NAME.mfr, .log, .yaml, .txt, .html. Complete after end(). Returns the paths by these endings, with a dot; .html is
        missing without the program replay beside mayfly. start: as of replay_command()."""
        os.makedirs(folder, exist_ok=True)
        saved = {}
        for ending in ("mfr", "log"):
            with contextlib.suppress(OSError, MayflyError):
                to = pathlib.Path(folder, f"{self.name}.{ending}")
                self._copy(ending, to)
                if to.exists():
                    saved["." + ending] = os.fspath(to)
        base = os.path.join(folder, self.name)
        texts = {".yaml": self._config()}
        if ".mfr" in saved:
            texts[".txt"] = self.replay_command(saved[".mfr"], start) + "\n"
            if self._page(saved[".mfr"], base + ".html"):
                saved[".html"] = base + ".html"
        for ending, text in texts.items():
            saved[ending] = base + ending
            pathlib.Path(saved[ending]).write_text(text, encoding="utf-8")
        return saved


class AsyncDrone:
    """The calls of a Drone that take time, for tests with asyncio: `await drone.aio.sleep_sim(60)`. A call that is cancelled
    goes on in its thread until its own time is over."""

    def __init__(self, drone: Drone):
        self._drone = drone

    def __getattr__(self, name: str) -> Callable[..., Any]:
        call = getattr(self._drone, name)
        if not callable(call):
            raise AttributeError(f"aio has the calls of a drone; {name} is not one")

        async def awaited(*args: Any, **more: Any) -> Any:
            return await asyncio.to_thread(call, *args, **more)
        return awaited


def patience_s(length_s: float, clock: Mapping[str, Any]) -> float:
    """Wall time that so much vehicle time may take."""
    rate = float(clock.get("rate") or 1.0) if clock.get("mode") == "real" else 1.0
    return 60.0 + length_s / min(rate, 1.0)


def describe_code(code: int) -> str:
    """Of a process, as Python has it."""
    if code >= 0:
        return f"exit code {code}"
    with contextlib.suppress(ValueError):
        return signal.Signals(-code).name
    return f"signal {-code}"


__all__: Sequence[str] = ("Drone", "AsyncDrone", "find_binary")
