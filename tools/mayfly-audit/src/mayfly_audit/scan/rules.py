# SPDX-License-Identifier: Apache-2.0
"""The twelve rules, as one table: what each looks at, and the function that decides."""
from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Callable, Optional

from ..finding import Finding
from . import words as w
from .flow import EMPTY, MEMBERS, PAST_WORDS, Fact, Flow, Place, Value, owner
from .sequence import PRINTS, Hit, fixed_sleep
from .tree import Node, number_text, show


Check = Callable[[Node, Flow, Place], Optional[Hit]]


@dataclass(frozen=True)
class Rule:
    id: str
    name: str
    title: str
    kinds: tuple[str, ...]
    check: Check
    models: tuple[str, ...]
    remedy: str


# ---------------------------------------------------------------- words of calls

SCORES = frozenset({"score", "cost", "weight", "reward", "penalty", "loss", "error"})
FILTERS = re.compile(r"low_?pass|lpf|\bema\b|exp(onential)?_?(moving|smooth)|moving_?av(era)?g|smooth|butter|savgol|kalman|filtfilt|lfilter", re.I)
GEODETIC = re.compile(r"lla_?2|geodetic_?(2|to)_?|_?to_?ecef|llh_?to|lla_?to|Forward|ToCartesian|from_?geodetic|Cartesian3|fromDegrees|WGS84", re.I)
BRAKING = re.compile(r"(braking|stopping|stop|brake|decel\w*)_?(dist|distance)|(brake|braking|stopping|deceleration|ramp)_?time", re.I)
PARAMS = re.compile(r"^(MPC_(ACC|JERK|XY_CRUISE|XY_VEL|XY_P|Z_VEL|Z_V_AUTO|VEL_MANUAL|TKO_(SPEED|RAMP)|LAND_(SPEED|ALT)|TILTMAX|HOLD_MAX|"
                    r"XY_TRAJ|XY_ERR|ALT_MODE|THR_)\w*|NAV_(ACC_RAD|MC_ALT_RAD|LOITER_RAD)|LNDMC_\w+|MIS_(YAW_ERR|YAW_TMT)|COM_DISARM_LAND|"
                    r"WPNAV_\w+|WP_(SPD|ACC|JERK)\w*|LAND_SPEED\w*|PILOT_(SPEED|ACCEL)\w*|PSC_(JERK|ACC|VEL)\w*|ATC_ACCEL\w*|"
                    r"RTL_(SPEED|DESCENT)\w*|LOIT_(SPEED|ACC|BRK)\w*|CRUISE_SPEED|TRIM_ARSPD_CM|AIRSPEED_CRUISE)$")
PARAM_CALL = re.compile(r"param|fetch|^get$|^set$|^mavset$|int|float|custom", re.I)


# ---------------------------------------------------------------- comparisons

def sides(node: Node, flow: Flow, place: Place) -> tuple[Value, Value]:
    return flow.value(node.kids[0], place), flow.value(node.kids[1], place)


def threshold_like(node: Node, value: Value) -> bool:
    """A constant, or something whose name is a limit."""
    if value.number is not None:
        return True
    name = node.name if node.kind in ("name", "attr", "call") else node.kids[0].name if node.kind == "index" else ""
    parts = w.words(name)
    if not parts and node.kind == "bin":
        return any(threshold_like(k, EMPTY) for k in node.kids)
    shouts = name.isupper() and len(name) > 3
    return bool(parts) and (shouts or w.is_setting(parts) or bool({"eps", "epsilon", "deadband", "margin"}.intersection(parts)))


def is_limit(fact: Fact, node: Node, value: Value) -> bool:
    """What a value is compared with. A field of a message is compared with whatever has a name and is no field itself."""
    known = value.has(*w.TELEMETRY, trust=w.MEMBER)
    if known is None and threshold_like(node, value):
        return True
    plain = node.kind == "name" or (node.kind == "attr" and node.kids[0].kind in ("name", "attr"))
    return plain and fact.trust == w.FIELD and (known is None or known.trust < w.FIELD) and not is_past(node, value)


def comparison(node: Node, flow: Flow, place: Place) -> Optional[tuple[Fact, str, Optional[float], Node]]:
    """telemetry OP threshold, whatever stands on which side: the fact, <, > or ==, the number, and the threshold."""
    if node.name not in ("<", "<=", ">", ">=", "=="):
        return None
    left, right = sides(node, flow, place)
    pairs = ((left, right, node.kids[1], node.name, node.kids[0]), (right, left, node.kids[0], {"<": ">", "<=": ">=", ">": "<", ">=": "<="}.get(node.name, "=="), node.kids[1]))
    for value, other, other_node, op, value_node in pairs:
        fact = value.has(*w.MOTION, trust=w.MEMBER) or (value.has(*w.MOTION) if flow.vehicle else None) or tilt_of(value_node, value)
        if fact is None or w.is_foreign(place.scope.name) or not is_limit(fact, other_node, other):
            continue
        inner = without_abs(value_node)
        if inner.kind == "bin" and inner.name == "-" and not any(plain_setting(k, flow, place) for k in inner.kids):
            continue                            # a change of anything, not a speed
        return fact, op[0], other.number, value_node
    return None


def tilt_of(node: Node, value: Value) -> Optional[Fact]:
    """How far a vehicle leans says whether it speeds up or brakes; where it points is a place."""
    inner = without_abs(node)
    if "yaw" in w.words(inner.name) or inner.kind == "bin":
        return None
    return value.has(w.ATTITUDE, trust=w.MEMBER) if inner is not node or w.TILT_WORDS.intersection(w.words(inner.name)) else None


TILT_MAX = {"rad": 0.2, "deg": 10.0}


def is_level(fact: Fact, op: str, number: Optional[float], node: Node) -> bool:
    """A small angle, whose sign does not matter; a large one is a flip or a crash."""
    unit = "deg" if "deg" in w.words(node.name) or (number or 0.0) >= 1.0 else "rad"
    return number is not None and 0 < number <= TILT_MAX[unit]


def without_abs(node: Node) -> Node:
    while node.kind == "call" and node.name.lower() in ("abs", "fabs", "fabsf") and len(node.kids) == 2:
        node = node.kids[1]
    return node


def plain_setting(node: Node, flow: Flow, place: Place) -> bool:
    """A commanded speed, or a constant."""
    value = flow.value(node, place)
    return value.number is not None or value.has(w.SET_SPEED) is not None


def only_shown(place: Place, node: Node) -> bool:
    """The comparison guards a division, validates, tracks an extreme, or chooses a text."""
    name = place.scope.name.lower()
    return bool(re.search(r"(^|[._])(draw|paint|render|plot|format|print|show|display|label|colou?r|repr|str|to_?string)", name))


LEAST, MOST = 1e-3, {"cm/s": 40000.0, "mm/s": 400000.0}


def speed_check(node: Node, flow: Flow, place: Place, want: str) -> Optional[Hit]:
    found = comparison(node, flow, place)
    if found is None or only_shown(place, node):
        return None
    fact, op, number, value_node = found
    if fact.quantity not in (w.SPEED, w.CLIMB, w.RATE, w.ATTITUDE) or fact.how in ("difference", "past"):
        return None
    if fact.quantity == w.ATTITUDE and not is_level(fact, op, number, without_abs(value_node)):
        return None
    if fact.quantity == w.RATE and not (number is not None and without_abs(value_node) is not value_node):
        return None                             # a stick or a limit; the sign of a turn
    if fact.trust < w.MEMBER:
        return None
    turns = number == 0.0 and fact.quantity == w.CLIMB and node.name in ("<=", ">=")       # it does not climb any more
    if number is not None and op != "=" and not turns and not LEAST <= abs(number) <= MOST.get(fact.unit, 400.0):
        return None                             # a sign, a guard of a division, the range of a field
    if op == "=":
        if want != "<" or number != 0.0 or fact.trust < w.FIELD:
            return None
        return Hit(fact, number)
    flipped = place.waits != place.negated
    meaning = {"<": ">", ">": "<"}[op] if flipped else op
    if number is not None and number < 0 and fact.quantity == w.CLIMB:
        meaning = {"<": ">", ">": "<"}[meaning]             # vz < -0.5: it moves
    if guards_division(node, place, value_node):
        return None
    return Hit(fact, number) if meaning == want else None


def guards_division(node: Node, place: Place, value_node: Node) -> bool:
    """if speed > 0.1: eta = distance / speed"""
    if place.block is None:
        return False
    text = show(value_node)
    inner = place.block.kids[place.index]
    if inner.kind not in ("if", "other", "assign", "return"):
        return False
    for n in inner.walk():
        if n.kind == "bin" and n.name in ("/", "%") and show(n.kids[1]) == text:
            return True
        if n.kind == "call" and n.name in ("atan2", "Atan2") and any(text in show(k) for k in n.kids[1:]):
            return True                                      # a course over ground
    return False


def stopped(node: Node, flow: Flow, place: Place) -> Optional[Hit]:
    return speed_check(node, flow, place, "<")


def moving(node: Node, flow: Flow, place: Place) -> Optional[Hit]:
    return speed_check(node, flow, place, ">")


# ---------------------------------------------------------------- differences and filters

TIME_STEP = re.compile(r"^(dt|delta_?t|deltat|time_?(diff|delta|step)|elapsed|interval|period|sample_?time|timediff|tdiff|deltaT|t_?delta|d_t|\w*_dt|dt_\w+|elapsed_\w+)$", re.I)


def is_time_step(node: Node, value: Value) -> bool:
    if value.has(w.BOOT_TIME, w.WALL_TIME):
        return True
    return any(n.kind in ("name", "attr") and TIME_STEP.match(n.name) for n in node.walk())


def difference_in(node: Node, flow: Flow, place: Place) -> Optional[Fact]:
    for n in node.walk():
        if n.kind != "bin" or n.name != "-":
            continue
        left, right = flow.value(n.kids[0], place), flow.value(n.kids[1], place)
        fact = left.has(*w.TELEMETRY) or right.has(*w.TELEMETRY)
        if fact is None:
            continue
        if is_past(n.kids[1], right) or is_past(n.kids[0], left):
            return fact
    return None


def is_past(node: Node, value: Value) -> bool:
    if any(f.how == "past" for f in value.facts):
        return True
    return any(n.kind in ("name", "attr") and PAST_WORDS.intersection(w.words(n.name)) for n in node.walk())


def finite_difference(node: Node, flow: Flow, place: Place) -> Optional[Hit]:
    if node.name != "/":
        return None
    left, right = sides(node, flow, place)
    if not is_time_step(node.kids[1], right):
        return None
    fact = difference_in(node.kids[0], flow, place)
    if fact is None:
        fact = next((f for f in sorted(left.facts) if f.how == "difference" and f.quantity in w.TELEMETRY), None)
    if fact is None and flow.vehicle:
        fact = error_rate(node.kids[0])
    if fact is None or (fact.trust < w.MEMBER and not flow.vehicle):
        return None
    return Hit(fact)


def error_rate(node: Node) -> Optional[Fact]:
    """(error - last_error): of a controller that takes its rate from two samples."""
    for n in node.walk():
        if n.kind == "bin" and n.name == "-":
            now, before = n.kids[0], n.kids[1].kids[0] if n.kids[1].kind == "index" else n.kids[1]
            words = set(w.words(before.name))
            if {"error", "err"} & words and PAST_WORDS & words and {"error", "err"} & set(w.words(now.name)):
                return Fact("error", "", show(n), w.MEMBER, "difference")
    return None


def low_pass(node: Node, flow: Flow, place: Place) -> Optional[Hit]:
    if w.is_foreign(place.scope.name):
        return None
    if node.kind == "call":
        if not FILTERS.search(node.name) or node.name.lower().startswith(("set", "get", "is")):
            return None
        for kid in node.kids[1:]:
            fact = flow.value(kid, place).has(*w.MOTION, w.ATTITUDE, trust=w.MEMBER)
            if fact is not None:
                return Hit(fact)
        return None
    target, value = node.kids
    text = show(target)
    if value.kind == "bin" and value.name == "+" and node.name == "=":
        parts = value.kids
        if all(p.kind == "bin" and p.name == "*" for p in parts):
            own = [p for p in parts if any(show(k) == text for k in p.walk())]
            other = [p for p in parts if p not in own]
            if len(own) == 1 and len(other) == 1:
                fact = flow.value(other[0], place).has(*w.MOTION, w.ATTITUDE)
                return Hit(fact, smallest(own[0], flow, place)) if fact is not None else None
    if node.name == "+=" and value.kind == "bin" and value.name == "*":
        inner = next((k for k in value.walk() if k.kind == "bin" and k.name == "-" and show(k.kids[1]) == text), None)
        if inner is not None:
            fact = flow.value(inner.kids[0], place).has(*w.MOTION, w.ATTITUDE)
            return Hit(fact, smallest(value, flow, place)) if fact is not None else None
    return mean_of(node, flow, place)


def mean_of(node: Node, flow: Flow, place: Place) -> Optional[Hit]:
    """sum(speeds) / len(speeds)"""
    value = node.kids[1]
    if value.kind == "bin" and value.name == "/" and value.kids[0].kind == "call" and value.kids[0].name in ("sum", "accumulate") \
            and value.kids[1].kind == "call" and value.kids[1].name in ("len", "size"):
        fact = flow.value(value.kids[0], place).has(*w.MOTION)
        return Hit(fact) if fact is not None else None
    return None


def smallest(node: Node, flow: Flow, place: Place) -> Optional[float]:
    return next((k.value for k in node.walk() if k.kind == "num"), None)


# ---------------------------------------------------------------- dwell

def dwell(node: Node, flow: Flow, place: Place) -> Optional[Hit]:
    """A counter or a clock that a test of telemetry has started is compared with a constant."""
    if node.name not in ("<", "<=", ">", ">=", "=="):
        return None
    left, right = sides(node, flow, place)
    if SCORES.intersection(part for k in node.kids for part in w.words(k.name)):
        return None
    for side, other, other_value in ((node.kids[0], node.kids[1], right), (node.kids[1], node.kids[0], left)):
        if not (threshold_like(other, other_value) or other.kind in ("name", "attr")) or other_value.number == 0.0:
            continue
        if side.kind in ("name", "attr") and counts_up(side.name, flow):
            fact = flow.counted.get(owner(side, place)) or flow.counted.get((MEMBERS, side.name))
            if fact is not None:
                return Hit(fact, other_value.number, None)
        if side.kind == "bin" and side.name == "-":
            for name in (k for k in side.walk() if k.kind in ("name", "attr") and not PRINTS.search(k.name)):
                fact = flow.started.get(owner(name, place))
                if fact is not None:
                    return Hit(fact, other_value.number, other_value.number)
    return None


def counts_up(name: str, flow: Flow) -> bool:
    """It is set back to 0 somewhere, and steps by a constant."""
    reset = stepped = False
    for n in flow.assigned.get(name, ()):
        value = n.kids[1]
        if n.name == "=" and value.kind == "num" and value.value == 0.0:
            reset = True
        elif n.name == "+=" and value.kind == "num":
            stepped = True
    return reset and stepped


# ---------------------------------------------------------------- formulas

def is_square(node: Node) -> Optional[Node]:
    if node.kind == "bin" and node.name == "**" and node.kids[1].kind == "num" and node.kids[1].value == 2.0:
        return node.kids[0]
    if node.kind == "call" and node.name in ("pow", "Pow", "square", "sq") and len(node.kids) > 1:
        return node.kids[1] if node.name in ("square", "sq") or (len(node.kids) > 2 and node.kids[2].value == 2.0) else None
    if node.kind == "bin" and node.name == "*" and show(node.kids[0]) == show(node.kids[1]):
        return node.kids[0]
    if node.kind == "bin" and node.name == "*":                 # 0.5 * v * v, parsed from the left
        return is_square(node.kids[0]) or is_square(node.kids[1]) or (
            node.kids[1] if node.kids[0].kind == "bin" and node.kids[0].name == "*" and show(node.kids[0].kids[1]) == show(node.kids[1]) else None)
    return None


def assumed_acceleration(node: Node, flow: Flow, place: Place) -> Optional[Hit]:
    if node.kind == "bin":
        if node.name != "/":
            return None
        left, right = sides(node, flow, place)
        speed = is_square(node.kids[0])
        fact = flow.value(speed, place).has(w.SPEED, w.CLIMB, w.SET_SPEED) if speed is not None else None
        if fact is not None and (right.has(w.ACCEL, w.SET_ACCEL) or has_two(node.kids[1], flow, place)):
            return Hit(fact, acceleration_of(node.kids[1], flow, place))
        named = node.kids[1].kind in ("name", "attr") and w.meaning(node.kids[1].name, False)
        accel = right.has(w.SET_ACCEL, w.ACCEL) if named and named.quantity in (w.SET_ACCEL, w.ACCEL) else None
        fact = left.has(w.SPEED, w.CLIMB, w.SET_SPEED)
        if accel is not None and fact is not None and not left.has(w.DISTANCE):
            return Hit(fact, right.number)
        return None
    if node.name.lower() in ("sqrt", "sqrtf"):
        for kid in node.kids[1:]:
            value = flow.value(kid, place)
            if kid.kind == "bin" and value.has(w.SET_ACCEL) and (value.has(w.DISTANCE, w.POSITION) or has_two(kid, flow, place)):
                return Hit(value.has(w.SET_ACCEL) or Fact(w.SET_ACCEL, "m/s2", show(kid), w.NAME))
    return None


def has_two(node: Node, flow: Flow, place: Place) -> bool:
    """2 * something: of v * v / (2 * a)"""
    return node.kind == "bin" and node.name == "*" and any(k.kind == "num" and k.value == 2.0 for k in node.walk()) and flow.vehicle


def acceleration_of(node: Node, flow: Flow, place: Place) -> Optional[float]:
    for n in node.walk():
        if n.kind in ("name", "attr"):
            number = flow.value(n, place).number
            if number is not None:
                return number
    return next((n.value for n in node.walk() if n.kind == "num" and n.value != 2.0), None)


def eta(node: Node, flow: Flow, place: Place) -> Optional[Hit]:
    if node.name != "/":
        return None
    left, right = sides(node, flow, place)
    speed = right.has(w.SPEED, w.CLIMB, w.SET_SPEED)
    known = speed is not None and speed.trust == w.FIELD and node.kids[1].kind in ("name", "attr")
    if not (known or speed_named(node.kids[1])) or any("speed" in w.words(n.name) for n in node.kids[0].walk()):
        return None                             # a ratio, a share
    if speed is None or not (flow.vehicle or speed.trust >= w.MEMBER):
        return None
    if left.has(w.DISTANCE) or (left.has(w.POSITION, w.ALT_REL, w.ALT_MSL) and not left.has(*w.MOTION)) or height_named(node.kids[0]):
        if any(f.how == "past" for f in left.facts):
            return None
        return Hit(speed, right.number)
    return None


def speed_named(node: Node) -> bool:
    return any(n.kind in ("name", "attr", "call") and {"speed", "velocity", "vel", "v", "vx", "vy", "vz", "groundspeed", "airspeed", "cruise", "rate",
                                                       "climb", "climbrate"}.intersection(w.words(n.name)) for n in node.walk())


def height_named(node: Node) -> bool:
    return any(n.kind in ("name", "attr") and {"height", "altitude", "alt", "length", "leg"}.intersection(w.words(n.name))
               and not {"rate", "speed"}.intersection(w.words(n.name)) for n in node.walk())


# ---------------------------------------------------------------- parameters, rates, times, altitudes

def parameter(node: Node, flow: Flow, place: Place) -> Optional[Hit]:
    """A parameter of motion, read or set by its name."""
    if node.kind == "call" and not PARAM_CALL.search(node.name) and not any("param" in show(k).lower() for k in node.kids[:1]):
        return None
    if node.kind == "index" and not re.search(r"param", show(node.kids[0]), re.I):
        return None
    for kid in node.kids[1:]:
        inner = kid.kids[0] if kid.kind in ("kw", "unary") and kid.kids else kid
        while inner.kind in ("call", "attr", "list") and inner.kids and inner.kind != "name":
            found = next((k for k in inner.kids if k.kind == "str"), None)
            if found is not None:
                inner = found
                break
            inner = inner.kids[0]
        if inner.kind == "str" and PARAMS.match(str(inner.value)):
            return Hit(Fact("parameter " + str(inner.value), "", show(node), w.FIELD))
    return None


def fixed_rate(node: Node, flow: Flow, place: Place) -> Optional[Hit]:
    """position += velocity * 0.1: a sample is taken for a length of time."""
    if node.name not in ("+=", "-=") or SCORES.intersection(w.words(node.kids[0].name)):
        return None
    value = node.kids[1]
    if value.kind == "bin" and value.name in ("*", "/"):
        left, right = sides(value, flow, place)
        for a, b, step in ((left, right, value.kids[1]), (right, left, value.kids[0])):
            fact = a.has(*w.MOTION, trust=w.MEMBER)
            if fact is not None and b.number is not None and not b.facts and plausible_step(b.number, value.name) and not converts(a, b.number):
                return Hit(fact, b.number if value.name == "*" else 1.0 / b.number)
    if value.kind in ("name", "attr", "num"):
        number = flow.value(value, place).number
        named = value.kind != "num" and {"dt", "period", "interval", "step", "sample", "rate"}.intersection(w.words(value.name))
        if number is not None and 0 < number < 1.0 and reads_message(place, flow) and (named or time_named(node.kids[0])):
            return Hit(Fact("sample count", "s", show(node), w.MEMBER), number)
    return None


def converts(value: Value, number: float) -> bool:
    """0.01 of cm/s, 0.001 of mm: a unit, no time."""
    units = {f.unit for f in value.facts}
    return (number in (0.01, 100.0) and "cm/s" in units) or (number in (0.001, 1000.0) and bool({"mm", "mG", "mrad/s"} & units))


def rate_check(node: Node, flow: Flow, place: Place) -> Optional[Hit]:
    return fixed_rate(node, flow, place) if node.kind == "assign" else sample_rate(node, flow, place)


def plausible_step(number: float, op: str) -> bool:
    return 0 < number <= 1.0 if op == "*" else 1.0 < number <= 400.0


def time_named(node: Node) -> bool:
    return bool({"time", "t", "elapsed", "duration", "seconds", "s"}.intersection(w.words(node.name)))


def reads_message(place: Place, flow: Flow) -> bool:
    """In a loop or handler that takes messages."""
    text = " ".join(show(n) for loop in place.loops for n in loop.kids[:2] if n.kind != "block")
    inner = [n for loop in place.loops for n in loop.walk() if n.kind == "call"]
    return bool(re.search(r"recv|message|subscribe|telemetry", text, re.I)) or any(re.search(r"recv_|subscribe|on_message|get_message", n.name, re.I) for n in inner) \
        or bool(re.search(r"(^|\.)(on|handle|callback|cb)_?|callback|_cb$|handler", place.scope.name, re.I))


def sample_rate(node: Node, flow: Flow, place: Place) -> Optional[Hit]:
    """seconds = samples / 10: len() of what telemetry filled, over a rate."""
    if node.name not in ("/", "*"):
        return None
    for kid, other in ((node.kids[0], node.kids[1]), (node.kids[1], node.kids[0])):
        number = flow.value(other, place).number
        if number is None or number in (0.0, 1.0) or not (1 < number <= 400 if node.name == "/" else 0 < number < 1):
            continue
        if kid.kind == "call" and kid.name in ("len", "size", "length") and len(kid.kids) > 1:
            fact = flow.value(kid.kids[1], place).has(*w.TELEMETRY, trust=w.MEMBER)
            if fact is not None:
                return Hit(fact, number)
        if kid.kind in ("name", "attr") and {"samples", "messages", "msgs", "ticks", "frames"}.intersection(w.words(kid.name)):
            if flow.vehicle and kid.name in flow.assigned and any(n.name == "+=" for n in flow.assigned[kid.name]):
                return Hit(Fact("sample count", "s", show(kid), w.MEMBER), number)
    return None


def mixed_clocks(node: Node, flow: Flow, place: Place) -> Optional[Hit]:
    if node.kind == "bin" and node.name != "-":
        return None
    if node.kind == "cmp" and node.name not in ("<", "<=", ">", ">="):
        return None
    left, right = sides(node, flow, place)
    boot = left.has(w.BOOT_TIME) or right.has(w.BOOT_TIME)
    if boot is None:
        return None
    for a, b in ((left, right), (right, left)):
        if a.has(w.BOOT_TIME) and not a.has(w.WALL_TIME) and b.has(w.WALL_TIME) and not b.has(w.BOOT_TIME):
            return Hit(boot)
    return None


def msl_as_ellipsoid(node: Node, flow: Flow, place: Place) -> Optional[Hit]:
    if node.kind == "call":
        if not GEODETIC.search(node.name) and not GEODETIC.search(show(node.kids[0])):
            return None
        for kid in node.kids[1:]:
            value = flow.value(kid, place)
            fact = value.has(w.ALT_MSL)
            if fact is not None and not value.has(w.ALT_ELLIPSOID) and not corrected(kid):
                return Hit(fact)
        return None
    if node.kind == "assign":
        name = node.kids[0].name
        said = w.meaning(name, False) if name else None
        other = {w.ALT_ELLIPSOID: w.ALT_MSL, w.ALT_MSL: w.ALT_ELLIPSOID}.get(said.quantity if said else "")
        value = flow.value(node.kids[1], place)
        fact = value.has(other) if other and said else None
        if fact is not None and said is not None and not value.has(said.quantity) and not corrected(node.kids[1]):
            return Hit(fact)
        return None
    if node.name not in ("-", "<", ">", "<=", ">="):
        return None
    left, right = sides(node, flow, place)
    for a, b in ((left, right), (right, left)):
        fact = a.has(w.ALT_MSL)
        if fact is not None and not a.has(w.ALT_ELLIPSOID) and b.has(w.ALT_ELLIPSOID) and not b.has(w.ALT_MSL) and node.kind == "cmp":
            return Hit(fact)
    return None


def corrected(node: Node) -> bool:
    return any(n.kind in ("name", "attr", "call") and re.search(r"undulation|geoid|separation|egm", n.name, re.I) for n in node.walk())


ALL = ("constant", "ramp", "event")
RULES: tuple[Rule, ...] = (
    Rule("MA01", "arrived-by-speed", "arrived or landed if a speed is below a threshold", ("cmp",), stopped, ALL,
         "wait for MISSION_ITEM_REACHED, EXTENDED_SYS_STATE.landed_state or the change of mode"),
    Rule("MA02", "flying-by-speed", "flying or moving if a speed is above a threshold", ("cmp",), moving, ALL,
         "wait for EXTENDED_SYS_STATE.landed_state IN_AIR, or the height"),
    Rule("MA03", "fixed-sleep", "a fixed sleep of 2 s or more after a command", ("call",), fixed_sleep, ALL,
         "wait for the state that the command leads to: its COMMAND_ACK, mode, landed_state or item"),
    Rule("MA04", "finite-difference", "a finite difference of telemetry", ("bin",), finite_difference, ALL,
         "take the velocity of the message, or compare positions with the target"),
    Rule("MA05", "low-pass", "a low-pass filter on telemetry of motion", ("assign", "call"), low_pass, ALL,
         "take the value unfiltered, and wait for the autopilot's own event"),
    Rule("MA06", "dwell", "a dwell or hysteresis on telemetry, in wall time or samples", ("cmp",), dwell, ALL,
         "count in time_boot_ms, or take the autopilot's own detection (landed_state, MISSION_ITEM_REACHED)"),
    Rule("MA07", "assumed-acceleration", "an assumed acceleration, jerk or braking distance", ("bin", "call"), assumed_acceleration, ALL,
         "let the autopilot stop the vehicle, and wait until it holds"),
    Rule("MA08", "distance-over-speed", "a time-out or an ETA from distance over speed", ("bin",), eta, ALL,
         "wait for the item; bound the wait by a generous constant of vehicle time"),
    Rule("MA09", "motion-parameter", "a parameter of motion is read or set", ("call", "index"), parameter, ALL,
         "read what the autopilot reports, and command speeds by DO_CHANGE_SPEED"),
    Rule("MA10", "fixed-rate", "a sample is taken for a fixed length of time", ("assign", "bin"), rate_check, ("event", "rates"),
         "take the length of time from time_boot_ms"),
    Rule("MA11", "mixed-clocks", "wall time mixed with time_boot_ms", ("bin", "cmp"), mixed_clocks, ("event", "clocks"),
         "subtract only times of the same clock"),
    Rule("MA12", "msl-as-ellipsoid", "an altitude above mean sea level taken for one above the ellipsoid", ("call", "assign", "cmp"), msl_as_ellipsoid,
         ("geoid",), "take GPS_RAW_INT.alt_ellipsoid, or add the geoid's undulation"),
)
# What could not be read, or was left out: nobody knows what it depends on, so it is judged by hand. The scanner makes these itself.
UNJUDGED = Rule("MA00", "not-judged", "not read: what it depends on is unknown", (), lambda node, flow, place: None, ALL,
                "make it readable, scan it by itself, or accept it with a reason")
BY_ID = {rule.id: rule for rule in (UNJUDGED, *RULES)}


def threshold_text(finding: Finding) -> str:
    return "" if finding.threshold is None else f"{number_text(finding.threshold)} {finding.unit}".rstrip()
