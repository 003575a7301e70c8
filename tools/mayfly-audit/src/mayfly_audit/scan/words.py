# SPDX-License-Identifier: Apache-2.0
"""Names, matched as words: which quantity a name stands for, and in which unit."""
from __future__ import annotations

import functools
import re
from typing import NamedTuple, Optional

SPLIT = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+")

# Quantities. MOTION is what a motion model decides.
SPEED, CLIMB, ACCEL, ATTITUDE, RATE = "speed", "climb", "acceleration", "attitude", "rotation rate"
POSITION, ALT_MSL, ALT_ELLIPSOID, ALT_REL = "position", "altitude MSL", "altitude above the ellipsoid", "height"
DISTANCE, BOOT_TIME, WALL_TIME = "distance", "time since boot", "wall time"
SET_SPEED, SET_ACCEL, ETA = "commanded speed", "commanded acceleration", "time from distance over speed"
MOTION = frozenset({SPEED, CLIMB, ACCEL, RATE})
TELEMETRY = MOTION | {ATTITUDE, POSITION, ALT_MSL, ALT_REL, ALT_ELLIPSOID, DISTANCE}

# Trust: a field of a message, a member or call whose name says it, a bare name.
FIELD, MEMBER, NAME = 3, 2, 1


class Meaning(NamedTuple):
    quantity: str
    unit: str
    trust: int


@functools.lru_cache(maxsize=65536)
def words(name: str) -> tuple[str, ...]:
    """velocityNed, velocity_ned, VELOCITY_NED -> velocity ned"""
    return tuple(w.lower() for w in SPLIT.findall(name))


# Fields of MAVLink, MAVSDK and uORB, whole names as words. The unit of vx depends on its message (MESSAGE_UNITS).
FIELDS: dict[tuple[str, ...], tuple[str, str]] = {
    **dict.fromkeys([("vx",), ("vy",), ("groundspeed",), ("airspeed",), ("ground", "speed"), ("north", "m", "s"), ("east", "m", "s"),
                     ("forward", "m", "s"), ("right", "m", "s"), ("velocity", "m", "s"), ("groundspeed", "m", "s"),
                     ("airspeed", "m", "s"), ("true", "airspeed", "m", "s"), ("velocity", "north"), ("velocity", "east"),
                     ("speed", "horizontal"), ("vel", "n", "m", "s"), ("vel", "e", "m", "s"), ("vel", "m", "s")], (SPEED, "m/s")),
    **dict.fromkeys([("vz",), ("climb",), ("climbrate",), ("climb", "rate"), ("down", "m", "s"), ("climb", "rate", "m", "s"),
                     ("z", "deriv"), ("vel", "d", "m", "s"), ("velocity", "down"), ("speed", "vertical"),
                     ("vertical", "speed"), ("vspeed",)], (CLIMB, "m/s")),
    **dict.fromkeys([("xacc",), ("yacc",), ("zacc",)], (ACCEL, "mG")),
    **dict.fromkeys([("forward", "m", "s", "2"), ("down", "m", "s", "2"), ("right", "m", "s", "2"), ("linear", "acceleration")],
                    (ACCEL, "m/s2")),
    **dict.fromkeys([("rollspeed",), ("pitchspeed",), ("yawspeed",), ("roll", "rad", "s"), ("pitch", "rad", "s"),
                     ("yaw", "rad", "s"), ("angular", "velocity")], (RATE, "rad/s")),
    **dict.fromkeys([("xgyro",), ("ygyro",), ("zgyro",)], (RATE, "mrad/s")),
    ("time", "boot", "ms"): (BOOT_TIME, "ms"), ("time", "boot"): (BOOT_TIME, "ms"),
    ("absolute", "altitude", "m"): (ALT_MSL, "m"), ("alt", "amsl"): (ALT_MSL, "m"), ("altitude", "amsl"): (ALT_MSL, "m"),
    ("alt", "msl"): (ALT_MSL, "m"), ("altitude", "msl"): (ALT_MSL, "m"), ("amsl",): (ALT_MSL, "m"),
    ("relative", "altitude", "m"): (ALT_REL, "m"), ("relative", "alt"): (ALT_REL, "mm"), ("altitude", "relative"): (ALT_REL, "m"),
    ("relative", "altitude"): (ALT_REL, "m"), ("alt", "rel"): (ALT_REL, "m"),
    ("alt", "ellipsoid"): (ALT_ELLIPSOID, "mm"), ("altitude", "ellipsoid"): (ALT_ELLIPSOID, "m"),
    ("alt", "hae"): (ALT_ELLIPSOID, "m"), ("altitude", "ellipsoid", "m"): (ALT_ELLIPSOID, "m"), ("hae",): (ALT_ELLIPSOID, "m"),
    ("latitude", "deg"): (POSITION, "deg"), ("longitude", "deg"): (POSITION, "deg"), ("lat", "int"): (POSITION, "deg"),
    ("wp", "dist"): (DISTANCE, "m"),
    **dict.fromkeys([("yaw", "rate"), ("yawrate",), ("yaw", "speed"), ("turn", "rate"), ("roll", "rate"), ("pitch", "rate"), ("rollrate",),
                     ("pitchrate",), ("gyro", "z"), ("angular", "velocity", "z"), ("rates",), ("yaw", "rate", "rad", "s")], (RATE, "rad/s")),
    **dict.fromkeys([("tilt",), ("tilt", "angle"), ("lean", "angle"), ("tilt", "deg")], (ATTITUDE, "rad")),
}
# What alone says little: they count only as members of something that is a position.
POSITION_FIELDS = frozenset({("lat",), ("lon",), ("lng",), ("latitude",), ("longitude",)})
ALT_FIELDS = frozenset({("alt",), ("altitude",)})
ATTITUDE_FIELDS = frozenset({("roll",), ("pitch",), ("yaw",), ("roll", "deg"), ("pitch", "deg"), ("yaw", "deg")})
ATTITUDE_BASES = frozenset({"attitude", "att", "euler", "orientation", "angle", "angles", "rpy"})
TILT_WORDS = frozenset({"tilt", "lean", "inclination"})

# cm/s and mm are integers of the wire; a message's name, as words, decides.
MESSAGE_UNITS: tuple[tuple[tuple[str, ...], dict[str, str]], ...] = (
    (("global", "position", "int"), {SPEED: "cm/s", CLIMB: "cm/s", ALT_MSL: "mm", ALT_REL: "mm", POSITION: "1e-7 deg"}),
    (("globalpositionint",), {SPEED: "cm/s", CLIMB: "cm/s", ALT_MSL: "mm", ALT_REL: "mm", POSITION: "1e-7 deg"}),
    (("gps", "raw"), {SPEED: "cm/s", ALT_MSL: "mm", ALT_ELLIPSOID: "mm", POSITION: "1e-7 deg"}),
    (("local", "position"), {SPEED: "m/s", CLIMB: "m/s"}),
    (("vfr", "hud"), {SPEED: "m/s", CLIMB: "m/s", ALT_MSL: "m"}),
)
MESSAGE_WORDS = frozenset({"msg", "message", "packet", "pkt", "hud", "telemetry", "pos", "position", "gps", "state", "vehicle", "m",
                           "data", "local", "global", "odometry", "odom", "lpos", "gpos", "vel", "velocity"})

# Types whose members are a vehicle's motion, by the words of their names; one's own state classes are often called so, too.
RECORD_WORDS = frozenset({"mavlink", "vehicle", "telemetry", "position", "velocity", "odometry", "twist", "vfr", "hud", "gps", "attitude", "imu",
                          "state", "status", "speed", "drone", "copter", "uav", "flight", "sample", "estimate", "local", "global"})

FLIGHT_WORDS = frozenset({"groundspeed", "airspeed", "ground", "climb", "climbrate", "descent", "altitude", "alt", "attitude"})

# Words within a longer name. Words of NOT_MEASURED make it a setting.
SPEED_WORDS = frozenset({"speed", "velocity", "vel", "groundspeed", "velocities"})
VERTICAL_WORDS = frozenset({"vertical", "climb", "descent", "descend", "down", "up", "sink", "vz", "z", "d"})
SPEED_ALONE = frozenset({"climbrate", "vspeed", "hspeed", "airspeed", "gspeed", "gndspd", "groundspd"})
ACCEL_WORDS = frozenset({"acc", "accel", "acceleration", "accelerations", "deceleration", "decel", "jerk"})
SETTING_WORDS = frozenset({"set", "setpoint", "sp", "target", "desired", "cmd", "command", "max", "maximum", "min", "minimum", "limit",
                           "default", "cruise", "param", "threshold", "thresh", "tolerance", "tol", "nominal", "const", "wanted", "goal",
                           "mission", "mis", "config", "cfg", "setting", "settings", "trim", "wp", "profile", "expected", "ref", "scale",
                           "waypoint", "demanded", "request", "requested", "rtl", "approach", "limits", "limited"})
# Another speed than that of a vehicle.
FOREIGN_WORDS = frozenset({"sound", "baud", "baudrate", "wind", "playback", "simulation", "sim", "fan", "motor", "gimbal", "servo", "mouse",
                           "scroll", "animation", "download", "upload", "transfer", "link", "light", "replay", "speedup", "factor",
                           "rotor", "engine", "rpm", "text", "label", "color", "colour", "widget", "button", "font", "unit", "units",
                           "type", "accuracy", "variance", "var", "noise", "std", "cov", "covariance", "count", "index", "id", "name",
                           "sound", "clock", "cpu", "network", "net", "disk", "tide", "current", "format", "str", "string", "topic",
                           "mode", "mask", "frame", "valid", "ok", "accuracy", "age", "radius", "rad", "access", "account", "enabled", "subscriber", "publisher", "pub", "sub", "callback", "test",
                           "rate"})
DISTANCE_WORDS = frozenset({"distance", "dist", "range", "haversine"})
NOT_DISTANCE = frozenset({"sensor", "rangefinder", "max", "min", "threshold", "tolerance", "radius", "lidar", "sonar", "bearing"})
TIME_WORDS = frozenset({"time", "now", "monotonic", "clock", "timestamp", "perf"})


def is_setting(parts: tuple[str, ...]) -> bool:
    return bool(SETTING_WORDS.intersection(parts))


@functools.lru_cache(maxsize=65536)
def meaning(name: str, member: bool, base: str = "") -> Optional[Meaning]:
    """Of a name: as a member (of something whose last name is `base`) or bare. None: it has none."""
    parts = words(name)
    if not parts:
        return None
    bare = parts[1:] if len(parts) > 1 and parts[0] in ("get", "current", "last", "prev", "previous", "old", "subscribe", "new") else parts
    found = FIELDS.get(bare)
    if found is not None:
        return Meaning(*found, FIELD if member and len(bare) == len(parts) else MEMBER if member else NAME)
    above = words(base)
    if member and bare in ATTITUDE_FIELDS and ATTITUDE_BASES.intersection(above):
        return Meaning(ATTITUDE, "rad", FIELD)
    if member and bare in POSITION_FIELDS and MESSAGE_WORDS.union(("location", "frame")).intersection(above):
        return Meaning(POSITION, "deg", MEMBER)
    if member and bare in ALT_FIELDS:
        if "relative" in above:
            return Meaning(ALT_REL, "m", FIELD)
        if MESSAGE_WORDS.union(("location", "frame")).intersection(above):
            return Meaning(ALT_MSL, "m", MEMBER)
    if member and bare in (("x",), ("y",), ("z",)):
        if "linear" in above:
            return Meaning(CLIMB if bare == ("z",) else SPEED, "m/s", MEMBER)
        if "acceleration" in above:
            return Meaning(ACCEL, "m/s2", MEMBER)
    return by_words(bare, member)


def is_foreign(name: str) -> bool:
    """A speed of it is none of a vehicle."""
    return bool({"wind", "mouse", "motor", "gimbal", "servo", "sound", "animation"}.intersection(words(name)))


def by_words(parts: tuple[str, ...], member: bool) -> Optional[Meaning]:
    trust = MEMBER if member else NAME
    if FOREIGN_WORDS.intersection(parts):
        return None
    if "ellipsoid" in parts or "ellipsoidal" in parts or "hae" in parts:
        return Meaning(ALT_ELLIPSOID, "m", trust)
    setting = is_setting(parts)
    if ACCEL_WORDS.intersection(parts):
        return Meaning(SET_ACCEL if setting or not member else ACCEL, "m/s2", trust)
    if SPEED_WORDS.intersection(parts) or SPEED_ALONE.intersection(parts):
        if "angular" in parts or "yaw" in parts:
            return Meaning(RATE, "rad/s", trust)
        if setting:
            return Meaning(SET_SPEED, unit_of(parts), trust)
        return Meaning(CLIMB if VERTICAL_WORDS.intersection(parts) else SPEED, unit_of(parts), trust)
    if DISTANCE_WORDS.intersection(parts) and not NOT_DISTANCE.intersection(parts):
        return Meaning(DISTANCE, "m", trust)
    return None


def unit_of(parts: tuple[str, ...]) -> str:
    """Of a speed, by the end of its name."""
    text = "_".join(parts)
    for ending, unit in (("cm_s", "cm/s"), ("cms", "cm/s"), ("mm_s", "mm/s"), ("kmh", "km/h"), ("km_h", "km/h"), ("kts", "kt"), ("knots", "kt")):
        if text.endswith(ending):
            return unit
    return "m/s"


def unit_in(message: str, quantity: str) -> Optional[str]:
    """The unit of a quantity in a message, by the words of its type's name."""
    text = "_".join(words(message))
    for parts, units in MESSAGE_UNITS:
        if "_".join(parts) in text and quantity in units:
            return units[quantity]
    return None


def is_of_flight(name: str) -> bool:
    """Nothing but a vehicle has it: groundspeed, not vx."""
    return bool(FLIGHT_WORDS.intersection(words(name)))


def is_record_of_vehicle(name: str) -> bool:
    return bool(RECORD_WORDS.intersection(words(name)))


# A file that is about vehicles.
VEHICLE_TEXT = re.compile(rb"mavlink|gomavlib|mavlib|mavutil|mavproxy|mavsdk|mavros|dronekit|px4|uorb|ardupilot|drone|copter|quadrotor|autopilot|\buav\b|"
                          rb"GLOBAL_POSITION_INT|LOCAL_POSITION_NED|VFR_HUD|GPS_RAW_INT|EXTENDED_SYS_STATE|\bvehicle\b", re.I)
# What every finding needs one of; a file without them is not parsed.
CANDIDATE_TEXT = re.compile(rb"speed|veloc|\bv[xyz]\b|vel_|_vel\b|\bvel\b|climb|accel|jerk|[xyz]acc\b|time_boot|timeboot|sleep|delay|timeout|"
                            rb"(?:MPC|WPNAV|NAV|LNDMC|MIS|RTL|ATC|PSC)_|_m_s|linear|ellips|geodetic|lla2|tilt|roll|pitch|gyro|acc[XYZ_]|[_.]wait\(|singleShot|asyncAfter|timer|attitude|rotation|setTimeout|altitude|\.alt\b", re.I)
