# SPDX-License-Identifier: Apache-2.0
"""One run of the client's command against one drone."""
from __future__ import annotations

import contextlib
import os
import pathlib
import re
import shlex
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Optional

from pytest_mayfly import Drone, MayflyError
from pytest_mayfly.settings import find_binary, flags_of

from ..files import fresh, write_whole
from .actions import Story, story
from .models import Model
from .recording import RecordingError, read

OUTPUT_MAX = 4000
SETTLE_S = 15.0                 # of vehicle time, after the command's end
END_S = 5.0                     # a command gets SIGTERM, and so long
VIRTUAL = "virtual"             # no clock of the drone: the command's own is the drone's (mayfly exec --virtual)
HANGS = 124                     # what timeout(1) ends with when it has ended the command
SIGNALLED = range(129, 193)     # of a shell: 128 and the signal of its command
NAMES = {"MAYFLY_MAVSDK_URL": "mavsdk_url", "MAYFLY_PYMAVLINK_URL": "pymavlink_url", "MAYFLY_API_URL": "api_url", "MAYFLY_TCP_PORT": "tcp_port",
         "MAYFLY_UDP_PORT": "udp_port", "MAYFLY_API_PORT": "api_port", "MAYFLY_SYSTEM_ID": "system_id"}
BRACE = re.compile(r"\{(\w+)\}")
BRACED = {"mavsdk": "mavsdk_url", "pymavlink": "pymavlink_url", "api": "api_url", "tcp_port": "tcp_port", "udp_port": "udp_port"}
VARIABLES = {brace: name for brace, attribute in BRACED.items() for name, other in NAMES.items() if other == attribute}


@dataclass
class Run:
    """What became of it."""
    model: Model
    repeat: int
    clock: str
    code: Optional[int]                 # None: it hung, and was ended
    wall_s: float
    output: str
    recording: str
    story: Story = field(default_factory=Story)

    @property
    def outcome(self) -> str:
        return "hangs" if self.code is None else f"exit code {self.code}" if self.code >= 0 else f"signal {-self.code}"


@dataclass(frozen=True)
class Order:
    """What is flown: the command, and what each drone gets besides its model."""
    command: Sequence[str]
    folder: str
    settings: Mapping[str, Any] = field(default_factory=dict)
    timeout_s: float = 300.0
    binary: Optional[str] = None
    audit: bool = True
    vehicle_s: float = 7200.0           # on the virtual clock, where a client that hangs lets time run


def environment(drone: Drone) -> dict[str, str]:
    found = {name: getattr(drone, attribute) for name, attribute in NAMES.items()}
    return {**os.environ, **{name: str(value) for name, value in found.items() if value is not None}, "PYTHONUNBUFFERED": "1"}


def filled(command: Sequence[str], drone: Drone) -> list[str]:
    """{pymavlink} and the like in the command are the drone's."""
    return [BRACE.sub(lambda m: str(getattr(drone, BRACED[m[1]])) if m[1] in BRACED else m[0], word) for word in command]


def settings_of(order: Order, model: Model, clock: str) -> dict[str, Any]:
    made: dict[str, Any] = {**({} if clock == VIRTUAL else {"clock": clock}), **({"audit": True} if order.audit else {})}
    for layer in (model.settings, order.settings):
        for key, value in layer.items():
            made[key] = {**made.get(key, {}), **value} if isinstance(value, Mapping) else value
    return made


def fly(order: Order, model: Model, repeat: int, clock: str) -> Run:
    """Raises MayflyError if the drone cannot start, OSError if the command cannot."""
    clock = model.clock or clock
    name = f"{model.name.replace(' ', '-')}-{repeat}"
    settings = settings_of(order, model, clock)
    if clock == VIRTUAL:
        return fly_virtual(order, model, repeat, name, settings)
    with Drone(binary=order.binary, name=name, **settings) as drone:
        begin = time.monotonic()
        output = pathlib.Path(order.folder, name + ".out")
        with fresh(str(output)) as file:
            process = subprocess.Popen(filled(order.command, drone), env=environment(drone), stdin=subprocess.DEVNULL, stdout=file,
                                       stderr=subprocess.STDOUT, start_new_session=True)
            code = wait(process, order.timeout_s)
        wall_s = time.monotonic() - begin
        settle(drone)
        drone.end()
        saved = drone.keep(order.folder)
    return told(Run(model, repeat, clock, code, wall_s, tail_of(output), saved.get(".mfr", "")))


def told(run: Run) -> Run:
    """With its story, as the recording has it."""
    if run.recording:
        try:
            run.story = story(read(run.recording))
        except RecordingError as error:
            raise MayflyError(f"{run.recording}: {error}") from error
    return run


def tail_of(output: pathlib.Path) -> str:
    return output.read_bytes()[-OUTPUT_MAX:].decode("utf-8", "replace") if output.exists() else ""


def fly_virtual(order: Order, model: Model, repeat: int, name: str, settings: Mapping[str, Any]) -> Run:
    """The command's clock is the drone's, so runs are equal to the byte, and a sleep takes no time of the wall."""
    base = os.path.join(os.path.abspath(order.folder), name)
    recording, script = base + ".mfr", base + ".sh"
    write_whole(script, script_of(order, base))
    for written in (recording, base + ".out"):
        pathlib.Path(written).unlink(missing_ok=True)
    command = [find_binary(order.binary), "exec", "--virtual", *flags_of(settings), f"--record={recording}", "--", "sh", script]
    begin = time.monotonic()
    with fresh(base + ".log") as log:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True)
        code = wait(process, order.timeout_s)
    wall_s = time.monotonic() - begin
    if not os.path.exists(recording):
        raise MayflyError(f"mayfly exec --virtual did not start: {tail_of(pathlib.Path(base + '.log')).strip()}")
    if code == HANGS:
        code = None
    elif code in SIGNALLED:
        code = 128 - code
    run = told(Run(model, repeat, VIRTUAL, code, wall_s, tail_of(pathlib.Path(base + ".out")), recording))
    run.story.own_time_s = 0.0          # the wall of this recording is the vehicle's time
    return run


def script_of(order: Order, base: str) -> str:
    """The command, for a bounded length of vehicle time; then what it has begun goes on. {pymavlink} and the like are the drone's."""
    words = " ".join("".join(f'"${VARIABLES[part]}"' if at % 2 and part in VARIABLES else shlex.quote(f"{{{part}}}" if at % 2 else part)
                             for at, part in enumerate(BRACE.split(word)) if part) or "''" for word in order.command)
    output = shlex.quote(base + ".out")
    return (f"export PYTHONUNBUFFERED=1\ntimeout --foreground --kill-after={END_S:g} {order.vehicle_s:g} {words} >{output} 2>&1; code=$?\n"
            f"sleep {SETTLE_S:g}; exit $code\n")


def settle(drone: Drone) -> None:
    """What the client has begun goes on without it, on a clock that does not wait: a landing ends with the disarming."""
    with contextlib.suppress(MayflyError):
        drone.set_clock("fast")
        drone.sleep_sim(SETTLE_S)


def wait(process: subprocess.Popen[bytes], timeout_s: float) -> Optional[int]:
    try:
        return process.wait(timeout_s)
    except subprocess.TimeoutExpired:
        pass
    finally:
        if process.poll() is None:
            end_group(process)
    return None


def end_group(process: subprocess.Popen[bytes]) -> None:
    """The command and what it has started."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        try:
            os.killpg(process.pid, number)
        except ProcessLookupError:
            return
        try:
            process.wait(END_S)
            return
        except subprocess.TimeoutExpired:
            continue
