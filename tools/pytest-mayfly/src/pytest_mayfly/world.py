# SPDX-License-Identifier: Apache-2.0
"""Drones and clients with one time: unmodified programs on the drones' clock (mayfly exec --virtual). Needs no pytest."""
from __future__ import annotations

import dataclasses
import os
import pathlib
import shlex
import subprocess
import tempfile
from collections.abc import Sequence
from typing import Any, Optional

from .api import MayflyError, MayflyTimeout
from .drone import Drone, describe_code
from .ports import ReservedPort
from .settings import Path

# The date of the world, which runs must have in common to be equal.
EPOCH = "2026-01-01"


@dataclasses.dataclass
class Client:
    """A program that flew in a world, and what became of it."""

    args: Sequence[str]
    returncode: int
    stdout: str
    stderr: str


class Lead(Drone):
    """The drone that serves time, for as long as the clients run."""

    script = ""

    @property
    def command(self) -> list[str]:
        program, *flags = super().command
        return [program, "exec", "--virtual", *flags, "--", "sh", self.script]

    def fly(self, script: str) -> None:
        """Starts it and the clients."""
        self.script, self.folder = script, os.path.dirname(script)
        with open(self._path("log"), "wb") as log:
            self._process = subprocess.Popen(self.command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=log)

    def wait(self, timeout_s: float) -> None:
        """Until the clients have ended."""
        assert self._process is not None
        try:
            code = self._process.wait(timeout_s)
        except subprocess.TimeoutExpired:
            raise MayflyTimeout(f"the clients had not ended after {timeout_s:g} s\n{self.log_tail()}") from None
        if code:
            self._stopped = True        # it has been said
            raise MayflyError(f"the world ended ({describe_code(code)}): {self.log.strip()}")


class World:
    """Drones with one time, and the clients that flew them: client n has drone n, or the drones in turn.

    drones      how many; drone n has instance n, and so system id n + 1
    clients     command lines; each finds its drone as under `mayfly exec`, and all ports in WORLD_TCP_PORTS
    timeout_s   of the wall, for the clients
    parallel    clients of an instant run side by side; then two runs are not equal
    Others are settings of all drones. The drones are in `drones`; the first one has ended with the clients.
    """

    def __init__(self, drones: int, clients: Sequence[Sequence[str]], *, binary: Optional[Path] = None, timeout_s: float = 60.0,
                 parallel: bool = False, **settings: Any):
        self.clients: list[Client] = []
        self.timeout_s, self._commands = timeout_s, [list(map(os.fspath, client)) for client in clients]
        self._ports = [ReservedPort() for _ in range(drones + 1)]
        self._folder = tempfile.mkdtemp(prefix="mayfly-world-")
        served = f"127.0.0.1:{self._ports[-1].number}"
        common: dict[str, Any] = {"binary": binary, "udp": "none", "epoch": EPOCH, **settings}

        def ports(n: int) -> dict[str, Any]:
            return {"name": f"drone{n + 1}", "instance": n, "tcp": f"127.0.0.1:{self._ports[n].number}"}
        self._lead = Lead(**common, **ports(0), world=served, world_drones=drones - 1, parallel=parallel)
        self.drones: list[Drone] = [self._lead] + [
            Drone(**common, **ports(n), clock="lockstep", transport="vehicle", time_server=served) for n in range(1, drones)]

    def run(self) -> World:
        """Flies until all clients have ended. Raises MayflyError if the drones could not."""
        try:
            self._lead.fly(self._script())
            for drone in self.drones[1:]:
                drone.start()
            self._lead.wait(self.timeout_s)
        finally:
            for port in self._ports:
                port.release()
        self.clients = [Client(args, int(self._read(n, "code") or -1), self._read(n, "out"), self._read(n, "err"))
                        for n, args in enumerate(self._commands)]
        return self

    def _read(self, n: int, ending: str) -> str:
        path = pathlib.Path(self._folder, f"client{n}.{ending}")
        return path.read_text(encoding="utf-8", errors="replace") if path.exists() else ""

    def _script(self) -> str:
        """Starts the clients, in their order, and waits for all of them."""
        numbers = [port.number for port in self._ports[:-1]]
        lines = ["unset MAYFLY_API_URL MAYFLY_API_PORT MAYFLY_UDP_PORT MAYFLY_TIME_PORT",
                 f"export WORLD_TCP_PORTS={shlex.quote(' '.join(map(str, numbers)))}"]
        for n, command in enumerate(self._commands):
            drone = n % len(numbers)
            at = f"127.0.0.1:{numbers[drone]}"
            file = shlex.quote(os.path.join(self._folder, f"client{n}"))
            lines += [f"(export MAYFLY_TCP_PORT={numbers[drone]} MAYFLY_MAVSDK_URL=tcpout://{at} MAYFLY_PYMAVLINK_URL=tcp:{at} "
                      f"MAYFLY_SYSTEM_ID={drone + 1}; exec {shlex.join(command)}) >{file}.out 2>{file}.err & p{n}=$!"]
        for n in range(len(self._commands)):
            file = shlex.quote(os.path.join(self._folder, f"client{n}.code"))
            lines.append(f"wait $p{n}; echo $? >{file}")
        path = os.path.join(self._folder, "clients.sh")
        pathlib.Path(path).write_text("\n".join(lines) + "\n", encoding="utf-8")
        return path
