# SPDX-License-Identifier: Apache-2.0
"""Connections to a swarm: Client for one that runs, Swarm for one that is started and ended here."""
import math
import os
import shutil
import socket
import subprocess
import tempfile
import time
from dataclasses import dataclass, field
from typing import Callable, Dict, List, Optional, Sequence, Tuple, Union

import numpy as np

from . import frames
from .frames import ACK, REPORT, SENSED, STATE, STATISTICS

Orders = Union[Sequence[float], np.ndarray]
WHERE = {'instead': 0, 'first': 1, 'last': 2}


class BusError(RuntimeError):
    """The swarm refused something, ended, or is no swarm; the text says which."""


@dataclass
class Entity:
    """Members that are alike: ``first`` to ``first + count - 1``."""
    name: str
    first: int
    count: int
    kind: str           # vehicle, agent, ghost, thing, body
    is_object: bool     # what is sought, or mistaken for it
    seeks: str          # the entity that its cameras look for; '': none
    fps: float          # pictures a second
    lateral: float      # half the angle of view along the heading [rad]
    horizontal: float   # ... and across


@dataclass
class Area:
    """What a team searches (``plan`` of the scenario)."""
    corners: np.ndarray   # (corners, 2): north, east [m]
    station: np.ndarray   # (3,): where the team begins and returns to [m]
    edge: float           # side of a square that all cameras see at once [m]
    altitude: float       # plan.altitude [m]
    speed: float          # plan.speed [m/s]
    step: float           # time.step [s]
    members: int          # of the team


@dataclass
class Look:
    """A camera is about to look at an object: how likely does it report it?"""
    member: int
    sought: bool     # it is of the kind that the member seeks
    time: float      # [s]
    height: float    # of the camera above the ground [m]
    speed: float     # of the camera [m/s]
    away: float      # of the object from the point below the camera [m]
    corner: float    # of a corner of the picture from it [m]
    seen: float      # of the object, as the scenario says
    mistaken: float


@dataclass
class Heard:
    """A packet that the radio of a member has received."""
    time: float          # [s]
    member: int          # who has received it
    sender: int
    number: int          # among the sender's packets, from 0
    strength: float      # [dBm]; NaN: it came by a network, which knows no strength
    data: bytes


@dataclass
class Turn:
    """An instant at which the swarm waits for this controller."""
    time: float                # [s]
    state: np.ndarray          # [members] of STATE; of a search: of the team
    reports: np.ndarray        # [...] of REPORT, of this instant
    acks: np.ndarray           # [...] of ACK, of the orders of the last turn
    heard: List[Heard] = field(default_factory=list)                                # by bus.heard, since the last turn
    sensed: np.ndarray = field(default_factory=lambda: np.zeros(0, SENSED))         # of SENSED, by bus.sensed


@dataclass
class End:
    """The run is over."""
    code: int                                # exit code
    error: str                               # '': none
    time: float
    statistics: np.ndarray = field(default_factory=lambda: np.zeros(0, STATISTICS))   # of a search


class Client:
    """A participant of a swarm that runs.

    ``address``: 'HOST:PORT', 'PORT', or 'unix:PATH', as bus.listen of the scenario. ``role``: 'controller', for which time waits, or
    'observer'. ``token``: bus.token. ``detect`` answers looks, if the scenario says ``detection: {model: bus}``: a function from Look
    to a probability. ``timeout``: seconds of the wall within which a connection is made and a frame comes; None: for ever.
    Raises BusError, or OSError if there is no swarm.
    """

    def __init__(self, address: str, role: str = 'controller', name: str = 'python', token: str = '',
                 detect: Optional[Callable[[Look], float]] = None, timeout: Optional[float] = 60.0):
        self.detect = detect
        self.entities: List[Entity] = []
        self.area: Optional[Area] = None
        self.params: Dict[str, str] = {}
        self.end: Optional[End] = None
        self._tick = self._ns = 0
        self._out: List[bytes] = []
        self._in = b''
        self._state = np.zeros(0, STATE)
        self._statistics = np.zeros(0, STATISTICS)
        self._heard: List[Heard] = []
        self._sensed: List[np.ndarray] = []
        self._socket = self._connect(address, timeout)
        self.role = role
        kind = {'controller': frames.CONTROLLER, 'observer': frames.OBSERVER}[role]
        self._socket.sendall(frames.pack(frames.HELLO, 0, 0, struct_hello(kind, name, token)))
        self._greeting()

    @staticmethod
    def _connect(address: str, timeout: Optional[float]) -> socket.socket:
        if address.startswith('unix:'):
            connection = socket.socket(socket.AF_UNIX)
            connection.settimeout(timeout)
            for left in range(100, -1, -1):
                try:
                    connection.connect(address[5:])
                    break
                except ConnectionRefusedError:   # it is there, and does not listen yet
                    if left == 0:
                        raise
                    time.sleep(0.01)
            return connection
        host, _, port = address.rpartition(':')
        connection = socket.create_connection((host or '127.0.0.1', int(port)), timeout)
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return connection

    # ---- frames

    def _frame(self) -> Tuple[int, bytes]:
        """The next frame's type and payload; its time is the client's. Raises BusError where the swarm ends."""
        while True:
            if len(self._in) >= frames.HEADER.size:
                version, kind, n, self._tick, self._ns = frames.HEADER.unpack_from(self._in)
                if version != frames.VERSION:
                    raise BusError(f'the swarm speaks version {version} of the bus, this package {frames.VERSION}')
                size = frames.HEADER.size + n
                if len(self._in) >= size:
                    payload, self._in = self._in[frames.HEADER.size:size], self._in[size:]
                    return kind, payload
            try:
                more = self._socket.recv(65536)
            except socket.timeout:
                raise BusError('the swarm has been silent for longer than the timeout') from None
            except ConnectionError:
                more = b''
            if not more:
                raise BusError('the swarm closed the connection')
            self._in += more

    def _send(self, kind: int, payload: bytes = b'') -> None:
        self._out.append(frames.pack(kind, self._tick, self._ns, payload))

    def _flush(self) -> None:
        data, self._out = b''.join(self._out), []
        try:
            self._socket.sendall(data)
        except ConnectionError:
            pass  # what the swarm has said last is still to be read, and says why

    def _greeting(self) -> None:
        """WELCOME and what follows it, up to PARAMS and, of a search, AREA. Later frames may bring the rest."""
        kind, payload = self._frame()
        self._failed(kind, payload)
        if kind != frames.WELCOME:
            raise BusError(f'the swarm begins with a frame of type {kind}, not WELCOME')
        self.number, self.members, self.seed, self.variation, self.tick, *origin = frames.WELCOME_.unpack(payload)
        self.origin = np.array(origin)   # latitude, longitude [deg], altitude above mean sea level [m]
        while kind != frames.PARAMS:
            kind, payload = self._frame()
            self._take(kind, payload)

    @staticmethod
    def _failed(kind: int, payload: bytes) -> None:
        if kind == frames.ERROR:
            raise BusError('the swarm sent this client away: it ' + payload.decode(errors='replace'))

    def _take(self, kind: int, payload: bytes) -> None:
        """What is told, and asks for no answer."""
        self._failed(kind, payload)
        if kind == frames.ENTITY:
            first, count, as_, thing, fps, lateral, horizontal, name, seeks = frames.ENTITY_.unpack(payload)
            self.entities.append(Entity(text(name), first, count, ('vehicle', 'agent', 'ghost', 'thing', 'body')[as_], thing == 1, text(seeks), fps, lateral,
                                        horizontal))
        elif kind == frames.PARAMS:
            self.params = dict(line.split('=', 1) for line in payload.decode().splitlines())
        elif kind == frames.AREA:
            north, east, up, edge, altitude, speed, step, members, corners = frames.AREA_.unpack_from(payload)
            corner = np.frombuffer(payload, '<f8', corners * 2, frames.AREA_.size).reshape(corners, 2)
            self.area = Area(corner, np.array([north, east, up]), edge, altitude, speed, step, members)
        elif kind == frames.STATE_:
            first, count = np.frombuffer(payload, '<u4', 2)
            if first == 0:
                self._parts = []
            self._parts.append(np.frombuffer(payload, STATE, count, 8))
            self._state = np.concatenate(self._parts) if len(self._parts) > 1 else self._parts[0]
        elif kind == frames.HEARD_:
            at = 0
            while at < len(payload):
                member, _, sender, number, strength, size = frames.PACKET.unpack_from(payload, at)
                at += frames.PACKET.size + size
                self._heard.append(Heard(self._ns / 1e9, member, sender, number, strength, payload[at - size:at]))
        elif kind == frames.SENSED_:
            self._sensed.append(np.frombuffer(payload, SENSED, offset=8))
        elif kind == frames.STATISTICS_:
            self._statistics = np.frombuffer(payload, STATISTICS)
        elif kind == frames.END:
            code = int.from_bytes(payload[:4], 'little')
            self.end = End(code, payload[4:].decode(errors='replace'), self._ns / 1e9, self._statistics)

    # ---- turns

    def turn(self) -> Optional[Turn]:
        """Wait for the next instant at which the swarm waits for this controller; an observer: for the next state.

        Returns None when the run is over (``end`` has the rest). Raises BusError if the swarm sends this client away.
        """
        reports, acks = np.zeros(0, REPORT), np.zeros(0, ACK)
        while True:
            kind, payload = self._frame()
            if kind == frames.LOOKS:
                self._answer(payload)
            elif kind == frames.REPORTS:
                reports = np.frombuffer(payload, REPORT)
            elif kind == frames.ACKS:
                acks = np.frombuffer(payload, ACK)
            else:
                self._take(kind, payload)
            if self.end is not None:
                return None
            if kind == frames.TURN or (self.role == 'observer' and kind == frames.STATE_ and len(self._state) >= self._all()):
                heard, self._heard, sensed, self._sensed = self._heard, [], self._sensed, []
                return Turn(self._ns / 1e9, self._state, reports, acks, heard, np.concatenate(sensed or [np.zeros(0, SENSED)]))

    def _all(self) -> int:
        return self.area.members if self.area is not None else self.members

    def done(self, until: float = 0.0, on_report: bool = False) -> None:
        """End of a turn: time goes on, at least to the next tick. ``until``: no turn is wanted before that time [s], which may be
        math.inf; with ``on_report`` one comes where a camera reports something, or a member of bus.heard has received a packet."""
        ns = (1 << 64) - 1 if math.isinf(until) else int(round(max(until, 0.0) * 1e9))
        self._send(frames.DONE, ns.to_bytes(8, 'little') + bytes([on_report]) + bytes(7))
        self._flush()

    def step(self, until: float = 0.0, on_report: bool = False) -> Optional[Turn]:
        """done(), then turn()."""
        self.done(until, on_report)
        return self.turn()

    def run(self, reported: Optional[Callable[['Client', Turn], None]] = None) -> End:
        """Go on to the end. ``reported``: called in each turn in which a camera reported something; it may change paths."""
        turn = self.step(math.inf, reported is not None)
        while turn is not None:
            if reported is not None and len(turn.reports):
                reported(self, turn)
            turn = self.step(math.inf, reported is not None)
        assert self.end is not None
        return self.end

    def _answer(self, payload: bytes) -> None:
        member, sought, *rest = frames.LOOK.unpack(payload)
        if self.detect is None:
            raise BusError('the scenario says detection: {model: bus}: give detect=')
        p = float(self.detect(Look(member, sought == 1, *rest)))
        self._send(frames.DETECTIONS, np.float64(p).astype('<f8').tobytes())
        self._flush()

    # ---- what a controller wants

    def path(self, member: int, points: Union[Sequence[Sequence[float]], np.ndarray], speed: Optional[float] = None,
             where: str = 'instead') -> None:
        """A path for a member of a team: ``points`` of shape (n, 3), north, east, up [m], within the boundary. ``where``: 'instead' of
        what is left of its path, 'first' or 'last'. A point outside ends the run with exit code 2."""
        at = np.asarray(points, float).reshape(-1, 3)
        if speed is None:
            speed = self.area.speed if self.area is not None else 1.0
        goals = np.column_stack([at, np.full(len(at), speed)]).astype(frames.GOAL)
        each = (frames.PAYLOAD_MAX - 8) // 32
        for k in range(0, max(len(at), 1), each):
            order = WHERE[where] if k == 0 or where == 'last' else WHERE['last']
            self._send(frames.PATH, int(member).to_bytes(4, 'little') + bytes([order, 0, 0, 0]) + goals[k:k + each].tobytes())

    def order(self, member: int, message: int, payload: bytes) -> None:
        """A MAVLink message as an order (fleet/order.h): its number, and its payload as on the wire. Answered by an ACK."""
        if len(payload) > 255:
            raise ValueError('a MAVLink payload has at most 255 bytes')
        self._send(frames.ORDERS, frames.ORDER.pack(member, message, len(payload)) + payload)

    def command(self, member: int, command: int, *params: float, frame: int = 0) -> None:
        """COMMAND_INT. ``params``: param1 to param7; 5 and 6 are integers, degrees times 1e7 where they are a place. ``frame``:
        MAV_FRAME of param7; 0: above mean sea level, 6: above home."""
        p = list(params) + [0.0] * (7 - len(params))
        self.order(member, 75, frames.COMMAND_INT.pack(*p[:4], int(p[4]), int(p[5]), p[6], command, 0, 0, frame, 0, 0))

    def arm(self, member: int) -> None:
        """MAV_CMD_COMPONENT_ARM_DISARM."""
        self.command(member, 400, 1.0)

    def take_off(self, member: int, height: float) -> None:
        """MAV_CMD_NAV_TAKEOFF to ``height`` [m above its home]."""
        here = 0x7FFFFFFF
        self.command(member, 22, 0.0, 0.0, 0.0, math.nan, here, here, height, frame=6)

    def land(self, member: int) -> None:
        """MAV_CMD_NAV_LAND, where it is."""
        self.command(member, 21)

    def offboard(self, member: int) -> None:
        """Obey setpoints, of which one was given in this turn or within half a second."""
        self.command(member, 176, 1.0, 6.0)

    def velocity(self, members: Union[int, Sequence[int]], velocity: Orders, heading: Union[float, Orders] = math.nan) -> None:
        """Setpoints. ``members``: one, or n of them; ``velocity``: (3,) or (n, 3), north, east, up [m/s]; ``heading`` [rad], NaN: as it
        is. The last one counts until it is half a second old: give one each tick."""
        which = np.atleast_1d(members)
        v = np.broadcast_to(np.asarray(velocity, float), (len(which), 3))
        turned = np.broadcast_to(np.asarray(heading, float), (len(which),))
        out = []
        for member, (north, east, up), yaw in zip(which, v, turned):
            mask = 0x09C7 if not math.isnan(yaw) else 0x0DC7   # place, acceleration and yaw rate are not given; yaw only if it is a number
            body = frames.SET_POSITION_TARGET_LOCAL_NED.pack(0, 0.0, 0.0, 0.0, north, east, -up, 0.0, 0.0, 0.0, 0.0 if math.isnan(yaw) else yaw,
                                                             0.0, mask, 0, 0, 1)
            out.append(frames.ORDER.pack(int(member), 84, len(body)) + body)
        each = frames.PAYLOAD_MAX // len(out[0]) if out else 1
        for k in range(0, len(out), each):
            self._send(frames.ORDERS, b''.join(out[k:k + each]))

    def transmit(self, member: int, data: bytes) -> None:
        """Let the radio of a member broadcast up to 280 bytes, at the time of this turn. Up to 8 packets of a member wait."""
        self._send(frames.PACKETS, frames.PACKET.pack(member, 0, 0, 0, math.nan, len(data)) + data)

    def close(self) -> None:
        """Leave. The swarm goes on without this client."""
        self._socket.close()

    def __enter__(self) -> 'Client':
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class Swarm(Client):
    """A swarm that is started here, with this client as its controller, and ended with it.

    ``scenario``: a file. ``sets``: dotted keys and their values, as --set takes them. ``program``: mayfly-swarm; otherwise the
    environment's SWARM, build/mayfly-swarm, or the one of PATH. ``out``: folder of the outputs. The first turn has been
    taken when this returns (``now``), unless the run is over. Raises BusError with what the program said if it does not begin.
    """

    def __init__(self, scenario: str, sets: Optional[Dict[str, object]] = None, program: Optional[str] = None, out: Optional[str] = None,
                 arguments: Sequence[str] = (), **more: object):
        self._folder = tempfile.TemporaryDirectory(prefix='mayfly-bus-')
        path = os.path.join(self._folder.name, 'bus')
        found = program or os.environ.get('SWARM') or ('build/mayfly-swarm' if os.path.exists('build/mayfly-swarm') else None)
        found = found or shutil.which('mayfly-swarm')
        if found is None:
            raise BusError('no mayfly-swarm: build it (make build/mayfly-swarm), and name it by program= or SWARM')
        command = [found, scenario, '--out', out or self._folder.name, '--set', f'bus.listen=unix:{path}', *arguments]
        for key, value in (sets or {}).items():
            command += ['--set', f'{key}={value}']
        self._errors = open(os.path.join(self._folder.name, 'errors'), 'w+', encoding='utf-8')
        self._process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=self._errors)
        try:
            self._wait(path)
            super().__init__(f'unix:{path}', **more)   # type: ignore[arg-type]
            self.now = self.turn()
        except (BusError, OSError) as error:
            said = self._said()
            self.close()
            raise BusError(said or str(error)) from None

    def _wait(self, path: str) -> None:
        until = time.monotonic() + 30.0
        while not os.path.exists(path):
            if self._process.poll() is not None or time.monotonic() > until:
                raise BusError('mayfly-swarm does not listen')
            time.sleep(0.002)

    def _said(self) -> str:
        """What the program said on stderr, but for news of the bus."""
        try:
            self._process.wait(0.5)
        except subprocess.TimeoutExpired:
            pass
        self._errors.flush()
        self._errors.seek(0)
        return ''.join(line for line in self._errors if ': bus: ' not in line or 'did not' in line).strip()

    def step(self, until: float = 0.0, on_report: bool = False) -> Optional[Turn]:
        """done(), then turn(), which is ``now``, too."""
        self.now = super().step(until, on_report)
        return self.now

    def close(self) -> None:
        """End the swarm, too."""
        if hasattr(self, '_socket'):
            super().close()
        if self._process.poll() is None:
            if self.__dict__.get('end') is None:
                self._process.kill()
            self._process.wait()
        self._errors.close()
        self._folder.cleanup()


def struct_hello(role: int, name: str, token: str) -> bytes:
    """Payload of HELLO. Raises ValueError for a name of more than 31 bytes."""
    if len(name.encode()) > 31:
        raise ValueError('a name has at most 31 bytes')
    return bytes([role]) + name.encode().ljust(32, b'\0') + token.encode()


def text(field_: bytes) -> str:
    """A text of fixed size."""
    return field_.split(b'\0', 1)[0].decode(errors='replace')
