# SPDX-License-Identifier: Apache-2.0
"""A command and a fixed sleep after it: what tells a vehicle to do something, and what waits for it by time alone."""
from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Optional

from . import words as w
from .flow import Fact, Flow, Place
from .tree import Node, show


@dataclass(frozen=True)
class Hit:
    """What a rule found at a node: the value that it depends on, and the constant it is compared with."""
    fact: Fact
    threshold: Optional[float] = None
    dwell_s: Optional[float] = None
    node: Optional[Node] = None         # another than the one that was looked at


COMMANDS = frozenset({"takeoff", "land", "goto", "rtl", "reposition", "launch", "loiter", "offboard", "fly", "hover", "move", "ascend", "descend",
                      "flyto", "moveto"})
COMMAND_NAMES = re.compile(r"command_(long|int)_send|command_(long|int)_encode|set_?mode$|setMode|SetMode|set_position_target|simple_goto|simple_takeoff|"
                           r"mission_start|start_mission|startMission|StartMission|missionStart|return_to_launch|returnToLaunch|goto_location|gotoLocation|"
                           r"GotoLocation|send_command|sendCommand|SendCommand|run_command|CommandLong|set_velocity|setVelocity|change_speed|do_reposition|"
                           r"send_mavlink|send_nav|send_ned_velocity|condition_yaw|manual_control_send|transition_to|hold_position|set_flight_mode|doTakeoff|"
                           r"doLand|take_?off|takeOff|TakeOff|go_?to_|goTo|GoTo|doCommand|command_nav|fly_to|flyTo|pause_mission|pauseMission|move_(to|by|forward)|moveTo|"
                           r"set_attitude|setAttitude|set_yaw|setYaw|turn_to|rotate|setpoint_raw|set_actuator|set_destination|simple_go")
NO_FLIGHT = frozenset({"servo", "relay", "gimbal", "camera", "tone", "led", "param", "params", "buzzer", "light", "message", "interval", "home",
                       "parameter", "arm", "arming", "disarm", "rate", "stream", "request", "matrix", "image", "mouse"})
PRINTS = re.compile(r"print|log|info|debug|warn|write|echo|notify|say|speak|toast|append", re.I)
NOT_COMMANDS = frozenset({"is", "has", "on", "wait", "print", "log", "landed", "parse", "landing", "test", "check", "format", "range", "handle", "get", "subscribe",
                          "should", "can", "validate", "make", "create", "build", "plan", "compute", "calculate", "add", "register", "draw", "plot", "update"})
# Of any command: what is sent decides.
GENERIC = re.compile(r"(send|run|do|execute)_?command\w*|command_(long|int)_(send|encode)\w*|CommandLong|send_mavlink\w*|doCommand\w*", re.I)
MOVES = re.compile(r"TAKE_?OFF|LAND|NAV_|MISSION|LOITER|REPOSITION|RETURN|RTL|WAYPOINT|YAW|VELOCITY|GOTO|PAUSE|ORBIT|TRANSITION|\b(22|21|20|16|192|300)\b", re.I)
BLOCKS = frozenset({"tol", "tolerance", "blocking", "block", "wait", "timeout", "timeout_s", "wait_until", "threshold"})
# Modes that move nothing by themselves.
QUIET_MODES = re.compile(r"GUIDED|OFFBOARD|STABILI[SZ]E|MANUAL|POSCTL|POSITION|ALT_?HOLD|LOITER|HOLD|ACRO", re.I)
SLEEPS = {"sleep": 1.0, "Sleep": 1.0, "sleep_for": 1.0, "usleep": 1e-6, "delay": 1e-3, "msleep": 1e-3, "setTimeout": 1e-3, "wait": 1.0,
          "asyncSleep": 1.0, "pause": 1.0, "nanosleep": 1.0, "sleepSync": 1.0, "Delay": 1e-3, "singleShot": 1e-3, "Promise": 1e-3, "asyncAfter": 1.0,
          "After": 1.0, "postDelayed": 1e-3, "sleep_ms": 1e-3, "vTaskDelay": 1e-3, "waitKey": 1e-3, "sleepFor": 1.0, "timer": 1e-3}
UNIT_CALLS = {"seconds": 1.0, "milliseconds": 1e-3, "microseconds": 1e-6, "minutes": 60.0, "s": 1.0, "ms": 1e-3, "us": 1e-6, "min": 60.0,
              "from_secs": 1.0, "from_millis": 1e-3, "from_secs_f64": 1.0, "from_secs_f32": 1.0, "Duration": 1.0, "duration": 1.0,
              "FromSeconds": 1.0, "FromMilliseconds": 1e-3, "FromMinutes": 60.0, "ofSeconds": 1.0, "ofMillis": 1e-3, "nanoseconds": 1e-9, "ns": 1e-9,
              "from_mins": 60.0}
UNIT_MEMBERS = {"Second": 1.0, "Millisecond": 1e-3, "Microsecond": 1e-6, "Minute": 60.0, "SECONDS": 1.0, "MILLISECONDS": 1e-3, "MINUTES": 60.0,
                "seconds": 1.0, "milliseconds": 1e-3}
SCRIPTS = frozenset({".js", ".mjs", ".cjs", ".ts", ".tsx", ".mts", ".jsx"})
LEAST_S = 2.0
BACK_MAX = 8            # statements between a command and its sleep


def is_command(node: Node) -> bool:
    """A call that tells a vehicle to move."""
    if node.kind != "call":
        return False
    parts = w.words(node.name)
    if NO_FLIGHT.intersection(parts) or NOT_COMMANDS.intersection(parts[:1]):
        return False
    said = [str(k.value) for a in node.kids[1:] for k in a.walk() if k.kind == "str"] + [k.name for a in node.kids[1:] for k in a.walk() if k.kind == "attr"]
    if re.search(r"ARM_DISARM|SET_MESSAGE_INTERVAL|REQUEST_MESSAGE|SET_HOME|_SERVO|_RELAY|DO_CHANGE_SPEED|DO_SET_MODE", " ".join(said)):
        return False
    if any(k.kind == "kw" and k.name in BLOCKS for k in node.kids[1:]):
        return False                            # it comes back when it is there
    if GENERIC.fullmatch(node.name) and not MOVES.search(" ".join([*said, *(k.name for a in node.kids[1:] for k in a.walk() if k.kind == "name")])):
        return False
    if "mode" in parts and any(QUIET_MODES.search(text) for text in said):
        return False
    if COMMAND_NAMES.search(node.name):
        return True
    return len(parts) <= 3 and bool(COMMANDS.intersection(parts)) and not NOT_COMMANDS.intersection(parts)


def is_mode(node: Node) -> bool:
    """vehicle.mode = VehicleMode("RTL")"""
    if node.kind != "assign" or node.kids[0].kind != "attr" or "mode" not in w.words(node.kids[0].name):
        return False
    said = [str(k.value) for k in node.kids[1].walk() if k.kind == "str"]
    return any(re.search(r"LAND|RTL|AUTO|RETURN|MISSION|TAKEOFF|BRAKE", text, re.I) for text in said)


def sends_command(node: Node, flow: Flow, depth: int = 0) -> bool:
    """A command in this statement, or in a function of this file that it calls."""
    for n in node.walk():
        if n.kind == "func" and n is not node:
            continue
        if is_command(n) or is_mode(n):
            return True
        if n.kind == "call" and depth < 2 and n.name in flow.functions and not NO_FLIGHT.intersection(w.words(n.name)):
            inner = flow.functions[n.name].node
            if sum(1 for _ in inner.walk()) < 400 and sends_command(inner.kids[0], flow, depth + 1):
                return True
    return False


# ---------------------------------------------------------------- how long

def seconds_of(node: Node, flow: Flow, place: Place) -> Optional[float]:
    """What a sleep sleeps; None: not a constant."""
    factor = SLEEPS.get(node.name)
    if factor is None:
        return None
    callee, args = node.kids[0], node.kids[1:]
    base = callee.kids[0] if callee.kind == "attr" else None
    if node.name == "Promise":
        inner = next((n for a in args for n in a.walk() if n.kind == "call" and n.name == "setTimeout"), None)
        return seconds_of(inner, flow, place) if inner is not None else None
    if not args:                                    # ros::Duration(5.0).sleep()
        return seconds_in(base, flow, place, 1.0) if node.name == "sleep" and base is not None and base.kind == "call" and base.name == "Duration" else None
    if flow.suffix == ".cs" and node.name in ("Sleep", "sleep"):
        factor = 1e-3
    elif base is not None and base.name in ("Thread", "SystemClock") and flow.suffix in (".java", ".kt", ".kts"):
        factor = 1e-3
    elif node.name in ("sleep", "wait", "pause") and flow.suffix in SCRIPTS:
        factor = 1e-3
    elif base is not None and base.kind == "attr" and base.name in UNIT_MEMBERS:
        factor = UNIT_MEMBERS[base.name]            # TimeUnit.SECONDS.sleep(5)
    if node.name in ("setTimeout", "postDelayed"):
        args = args[1:2]
    if node.name == "wait" and callee.kind != "name" or not args:
        return None
    if node.name == "asyncAfter":
        return next((k.value for k in args[0].walk() if k.kind == "num"), None)
    return seconds_in(args[0], flow, place, factor)


def seconds_in(inner: Node, flow: Flow, place: Place, factor: float) -> Optional[float]:
    """Of an argument: a number, or one with its unit."""
    if inner.kind == "kw":
        factor = UNIT_CALLS.get(inner.name, factor)
        inner = inner.kids[0]
    if inner.kind == "call" and len(inner.kids) > 1 and inner.name in UNIT_CALLS:
        number = flow.value(inner.kids[1], place).number
        return number * UNIT_CALLS[inner.name] if number is not None else None
    if inner.kind == "call" and inner.name in UNIT_CALLS and inner.kids[0].kind == "attr":
        number = flow.value(inner.kids[0].kids[0], place).number
        return number * UNIT_CALLS[inner.name] if number is not None else None
    for part in inner.walk():
        if part.kind == "attr" and part.name in UNIT_MEMBERS:
            count = next((flow.value(k, place).number for k in inner.walk() if k.kind == "num" or (k.kind == "name" and flow.value(k, place).number)), 1.0)
            return (count or 1.0) * UNIT_MEMBERS[part.name]
    number = flow.value(inner, place).number
    return number * factor if number is not None else None


def repeats(loop: Node, before: Optional[Node]) -> Optional[float]:
    """Of `for _ in range(10)`, and of a counting loop."""
    if loop.kind == "for" and loop.kids[1].kind == "num":
        return float(loop.kids[1].value)            # for range 10
    if loop.kind == "for" and loop.kids[1].kind == "call" and loop.kids[1].name == "range":
        return next((k.value for k in reversed(loop.kids[1].kids) if k.kind == "num"), None)
    test = loop.kids[0]
    if loop.kind == "while" and before is not None and before.kids[0].kind == "assign" and test.kind == "cmp" and test.name in ("<", "<=") \
            and test.kids[1].kind == "num" and before.kids[0].kids[0].name == test.kids[0].name and test.kids[0].kind == "name":
        return float(test.kids[1].value)        # for (int i = 0; i < 10; i++)
    return None


# ---------------------------------------------------------------- what stands before it

def fixed_sleep(node: Node, flow: Flow, place: Place) -> Optional[Hit]:
    if node.name in CHAINED and node.kids[0].kind == "attr" and len(node.kids) > 2:
        return chained(node, flow, place)
    length = seconds_of(node, flow, place)
    if length is None or place.block is None or not flow.vehicle:
        return None
    around, counted = list(place.blocks), None
    for loop in place.loops[-1:]:
        times = repeats(loop, holder_of(loop, around))
        only = times is not None and not leaves(loop) and not sends_command(loop, flow)
        if times is None or not only:
            if length < LEAST_S or loop.kind == "while":
                return None                         # polls, paces
        else:
            length *= times
            around, counted = outside(loop, around), loop
    if length < LEAST_S or not follows_command(around, node, counted, flow, place):
        return None
    return Hit(Fact("elapsed time", "s", show(node), w.FIELD), length, length)


CHAINED = frozenset({"delay", "delaySubscription", "delayElement"})


def chained(node: Node, flow: Flow, place: Place) -> Optional[Hit]:
    """takeoff().delay(5, TimeUnit.SECONDS): of streams, where the command stands before the delay in one expression."""
    unit = next((UNIT_MEMBERS[k.name] for k in node.kids[2].walk() if k.kind == "attr" and k.name in UNIT_MEMBERS), None)
    number = flow.value(node.kids[1], place).number
    if unit is None or number is None or number * unit < LEAST_S or not sends_command(node.kids[0].kids[0], flow):
        return None
    return Hit(Fact("elapsed time", "s", shown_call(node), w.FIELD), number * unit, number * unit)


def shown_call(node: Node) -> str:
    return f"{node.name}({', '.join(show(k) for k in node.kids[1:])})"


def leaves(loop: Node) -> bool:
    """It ends early, or asks for something on the way."""
    return any(n.kind in ("return", "raise", "if", "while", "for") for n in loop.kids[-1].walk())


def holder_of(loop: Node, around: list[tuple[Node, int]]) -> Optional[Node]:
    return next((b for b, i in reversed(around) if b.kids[i] is loop), None)


def outside(loop: Node, around: list[tuple[Node, int]]) -> list[tuple[Node, int]]:
    """The blocks around a loop."""
    at = next((n for n, (b, i) in enumerate(around) if b.kids[i] is loop), len(around) - 1)
    return around[:at + 1]


def follows_command(around: list[tuple[Node, int]], node: Node, counted: Optional[Node], flow: Flow, place: Place) -> bool:
    """Back through the block, then through those around it up to the loop or the function: is there a command, and nothing that waits?
    counted: a loop around the sleep that only repeats it."""
    left = BACK_MAX
    for block, index in reversed(around):
        for statement in reversed(block.kids[:index]):
            if statement.kind == "other" and not statement.kids or statement.kind in ("func", "class"):
                continue
            if sends_command(statement, flow):
                return not (statement.kind in ("while", "for") and not is_steps(statement))
            if is_of_payload(statement) or waits(statement, flow) or is_long_sleep(statement, flow, place) or statement.kind in ("return", "raise"):
                return False
            left -= not is_talk(statement)
            if left < 0:
                return False
        if block.kids[index].kind in ("while", "for") and block.kids[index] is not counted and any(n is node for n in block.kids[index].walk()):
            return False
    return False


def is_steps(loop: Node) -> bool:
    """A loop that goes from one thing to the next, not one that asks until it is so."""
    return loop.kind == "for"


PAYLOAD = frozenset({"servo", "relay", "gimbal", "camera", "video", "buzzer", "gripper", "led"})


def is_of_payload(statement: Node) -> bool:
    """A sleep after it is for what the vehicle carries."""
    return any(n.kind == "call" and PAYLOAD.intersection(w.words(n.name)) for n in statement.walk())


def is_talk(statement: Node) -> bool:
    return statement.kind == "call" and bool(PRINTS.search(statement.name))


def is_long_sleep(statement: Node, flow: Flow, place: Place) -> bool:
    return any(n.kind == "call" and (seconds_of(n, flow, place) or 0.0) >= LEAST_S for n in statement.walk())


def waits(statement: Node, flow: Flow) -> bool:
    """Until something is so. An acknowledgement says that a command was taken, not that it is done."""
    for n in statement.walk():
        if n.kind in ("while", "for") and not sends_command(n, flow):
            return True
        if n.kind != "call" or re.search(r"ack", show(n), re.I):
            continue
        if re.search(r"recv_match|wait_?(for|until|till)|until|motors_(dis)?armed|spin_until|^wait|Wait", n.name) and n.name not in ("wait_heartbeat",):
            return True
    return False
