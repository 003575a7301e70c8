# SPDX-License-Identifier: Apache-2.0
"""What a client did, in order: commands, transfers, parameters, setpoints, each with what it had just seen."""
from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Optional

from .recording import Frame, Recording, Sample, mavlink

Content = tuple[tuple[str, float], ...]

BARRIER = 31010
# Requests for messages and versions: no decision.
QUIET_COMMANDS = {BARRIER, 511, 512, 510, 519, 520, 521, 525, 526, 527, 528, 31000}
SETPOINTS_MAX = 12              # distinct ones of one stream; more are a control loop
REST_MPS = 0.05                 # below, it is at rest
ANSWER_S = 0.15                 # of the wall: a client that answers at once takes so long
CHANGE_S = 0.4                  # the same, on a busy machine
SLOW = {"HEARTBEAT", "EXTENDED_SYS_STATE", "SYS_STATUS", "GPS_RAW_INT"}        # once a second
LANDED = {0: "undefined", 1: "on ground", 2: "in air", 3: "taking off", 4: "landing"}
MODES = {1: "Manual", 2: "Altitude", 3: "Position", 6: "Offboard", 7: "Stabilized"}
AUTO_MODES = {1: "Ready", 2: "Takeoff", 3: "Hold", 4: "Mission", 5: "Return", 6: "Land", 8: "Follow", 9: "Precision land"}


class State(NamedTuple):
    """What the drone has last said of itself."""
    armed: bool = False
    mode: str = ""
    landed: str = ""
    item: int = -1
    moving: bool = False

    def text(self) -> str:
        reached = f", item {self.item} reached" if self.item >= 0 else ""
        return (f"{self.mode or 'no mode'}, {'armed' if self.armed else 'disarmed'}, {self.landed or 'unknown'}{reached}, "
                f"{'moving' if self.moving else 'at rest'}")


@dataclass
class Action:
    """One thing that the client did."""
    kind: str                       # "command NAV_TAKEOFF", "mission upload", "PARAM_SET MPC_XY_CRUISE", ...
    t_s: float
    content: Content
    state: State
    since_event_s: float            # of vehicle time, since the drone's last change of state
    event: str                      # that change
    since_action_s: float           # since the client's own last action
    answers: bool = False           # it follows a change of state, or the client's last action, at once
    sample: Optional[Sample] = None
    wall_s: float = 0.0
    count: int = 1

    def text(self) -> str:
        return f"{self.kind}({', '.join(f'{k}={v:.9g}' for k, v in self.content if not math.isnan(v))})"


@dataclass
class Story:
    """A run, as its recording tells it."""
    actions: list[Action] = field(default_factory=list)
    samples: list[Sample] = field(default_factory=list)
    connected: bool = False
    state: State = State()
    last: Optional[Sample] = None
    end_s: float = 0.0
    own_time_s: float = 0.0         # of the wall, in which time passed with the wall
    wall_s: float = 0.0


def mode_name(custom: int) -> str:
    main, sub = custom >> 16 & 0xFF, custom >> 24 & 0xFF
    return AUTO_MODES.get(sub, f"Auto {sub}") if main == 4 else MODES.get(main, f"mode {main}")


def command_name(number: int) -> str:
    entry = mavlink.enums["MAV_CMD"].get(number)
    return entry.name.replace("MAV_CMD_", "") if entry else str(number)


def fields(message: Any, *names: str) -> Content:
    return tuple((name, float(getattr(message, name))) for name in names)


def of_command_long(m: Any) -> Optional[tuple[str, Content]]:
    if m.command in QUIET_COMMANDS:
        return None
    return f"command {command_name(m.command)}", fields(m, *(f"param{i}" for i in range(1, 8)))


def of_command_int(m: Any) -> Optional[tuple[str, Content]]:
    if m.command in QUIET_COMMANDS:
        return None
    return f"command {command_name(m.command)}", (*fields(m, "param1", "param2", "param3", "param4"), ("lat", m.x / 1e7), ("lon", m.y / 1e7),
                                                  ("alt", float(m.z)))


def of_setpoint(m: Any) -> Optional[tuple[str, Content]]:
    names = [n for n in m.fieldnames if n not in ("time_boot_ms", "target_system", "target_component", "target")]
    flat = [(n, getattr(m, n)) for n in names if isinstance(getattr(m, n), (int, float))]
    return f"setpoint {m.get_type()}", tuple((n, float(v)) for n, v in flat)


def of_param(m: Any) -> Optional[tuple[str, Content]]:
    return f"PARAM_SET {m.param_id}", fields(m, "param_value")


# message: what it is as an action; None: none
ACTIONS: dict[str, Callable[[Any], Optional[tuple[str, Content]]]] = {
    "COMMAND_LONG": of_command_long, "COMMAND_INT": of_command_int,
    "SET_MODE": lambda m: ("SET_MODE", fields(m, "custom_mode")),
    "PARAM_SET": of_param,
    "MISSION_SET_CURRENT": lambda m: ("mission item set", fields(m, "seq")),
    "MISSION_CLEAR_ALL": lambda m: ("mission cleared", ()),
    "MISSION_REQUEST_LIST": lambda m: ("mission download", ()),
    **dict.fromkeys(("SET_POSITION_TARGET_LOCAL_NED", "SET_POSITION_TARGET_GLOBAL_INT", "SET_ATTITUDE_TARGET", "MANUAL_CONTROL",
                     "RC_CHANNELS_OVERRIDE"), of_setpoint),
}


class Watcher:
    """The drone's state, as the client learned it."""

    def __init__(self) -> None:
        self.state, self.event, self.event_s, self.event_wall_s = State(), "start", 0.0, 0.0
        self.change_wall_s = 0.0                            # of the last change but those of motion
        self.slow: dict[str, tuple[float, float]] = {}      # of messages that come once a second: the last two times of the wall

    def see(self, frame: Frame) -> None:
        m, state = frame.message, self.state
        name = "position" if isinstance(m, Sample) else m.get_type()
        if isinstance(m, Sample):
            state = state._replace(moving=math.hypot(m.vn_mps, m.ve_mps, m.vd_mps) > REST_MPS)
        if name == "HEARTBEAT":
            state = state._replace(armed=bool(m.base_mode & 128), mode=mode_name(m.custom_mode))
        elif name == "EXTENDED_SYS_STATE":
            state = state._replace(landed=LANDED.get(m.landed_state, ""))
        elif name == "MISSION_ITEM_REACHED":
            state = state._replace(item=m.seq)
        if name in SLOW:
            self.slow[name] = (frame.wall_s, self.slow.get(name, (0.0, 0.0))[0])
        if state != self.state:
            self.event_wall_s = frame.wall_s
            if state._replace(moving=self.state.moving) != self.state:
                self.change_wall_s = frame.wall_s
            self.event = next(event_text(k, b) for k, a, b in zip(State._fields, self.state, state) if a != b)
            self.state, self.event_s = state, frame.t_s


    def since_event_s(self, t_s: float, wall_s: float) -> float:
        """Of vehicle time. 0 for a client that answers the first message of a slow stream after the event."""
        for last, before in self.slow.values():
            if before <= self.event_wall_s <= last and wall_s - last < ANSWER_S:
                return 0.0
        return min(t_s - self.event_s, wall_s - self.event_wall_s) if wall_s - self.event_wall_s < ANSWER_S else t_s - self.event_s


def event_text(name: str, value: Any) -> str:
    if isinstance(value, bool):
        return {"armed": ("disarmed", "armed"), "moving": ("it came to rest", "it began to move")}[name][value]
    return f"{name} {value}"


def story(recording: Recording) -> Story:
    made = Story(samples=recording.samples, connected=any(f.mine for f in recording.frames), end_s=recording.end_s)
    watcher = Watcher()
    upload: list[tuple[str, float]] = []
    wanted = -1
    for frame in recording.frames:
        if not frame.mine:
            watcher.see(frame)
            continue
        message, t_s, wall_s = frame.message, frame.t_s, frame.wall_s
        name = message.get_type()
        found: Optional[tuple[str, Content]] = None
        if name == "MISSION_COUNT":
            upload, wanted = [("count", float(message.count)), ("kind", float(message.mission_type))], message.count - 1
        elif name in ("MISSION_ITEM_INT", "MISSION_ITEM"):
            upload += item_content(message)
            if message.seq == wanted:
                found, wanted = ("mission upload", tuple(upload)), -1
        elif name in ACTIONS and not getattr(message, "confirmation", 0):
            found = ACTIONS[name](message)
        if found is not None:
            add(made, watcher, recording, found, t_s, wall_s)
    made.actions = folded(made.actions)
    made.state = watcher.state
    made.last = recording.samples[-1] if recording.samples else None
    first = next((f.wall_s for f in recording.frames if f.mine), 0.0)
    made.own_time_s, made.wall_s = own_time(t for t in recording.times if t[1] >= first)
    return made


def item_content(m: Any) -> list[tuple[str, float]]:
    scale = 1e7 if m.get_type() == "MISSION_ITEM_INT" else 1.0
    values = [("command", m.command), ("param1", m.param1), ("param2", m.param2), ("x", m.x / scale), ("y", m.y / scale), ("z", m.z)]
    return [(f"{m.seq}.{name}", float(value)) for name, value in values]


def add(made: Story, watcher: Watcher, recording: Recording, found: tuple[str, Content], t_s: float, wall_s: float) -> None:
    before = made.actions[-1] if made.actions else None
    kind, content = found
    if before is not None and kind == before.kind and same(content, before.content) and (kind.startswith("setpoint") or wall_s - before.wall_s < 0.6):
        before.count += 1               # a stream, or sent again
        if not kind.startswith("setpoint"):
            before.wall_s = wall_s
        return
    since_s = watcher.since_event_s(t_s, wall_s)
    answers = since_s < ANSWER_S or wall_s - watcher.change_wall_s < CHANGE_S or (before is not None and wall_s - before.wall_s < ANSWER_S)
    made.actions.append(Action(kind, t_s, content, watcher.state, since_s, watcher.event, t_s - (before.t_s if before else 0.0), answers,
                               recording.sample_before(t_s), wall_s))


def same(a: Content, b: Content) -> bool:
    return len(a) == len(b) and all(x == y or (math.isnan(x) and math.isnan(y)) or abs(x - y) <= 1e-6 * max(1.0, abs(x))
                                    for (_, x), (_, y) in zip(a, b))


def folded(actions: list[Action]) -> list[Action]:
    """A control loop sends another setpoint each time: its first and its last stand for it."""
    kinds: dict[str, int] = {}
    for action in actions:
        if action.kind.startswith("setpoint"):
            kinds[action.kind] = kinds.get(action.kind, 0) + 1
    loops = {kind for kind, count in kinds.items() if count > SETPOINTS_MAX}
    made: list[Action] = []
    for action in actions:
        if action.kind in loops and made and made[-1].kind == action.kind and len(made) > 1 and made[-2].kind == action.kind:
            made[-1] = action           # the last of them so far
        else:
            made.append(action)
    return made


def own_time(times: Iterable[tuple[float, float]]) -> tuple[float, float]:
    """Wall time in which vehicle time passed with the wall (the client slept, or thought), and all of it."""
    own = wall = 0.0
    before: Optional[tuple[float, float]] = None
    for now in times:
        if before is not None:
            vehicle_s, wall_s = now[0] - before[0], now[1] - before[1]
            wall += max(wall_s, 0.0)
            if wall_s > 0 and vehicle_s < 1.5 * wall_s:
                own += wall_s
        before = now
    return own, wall
