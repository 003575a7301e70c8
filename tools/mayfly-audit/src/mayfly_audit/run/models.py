# SPDX-License-Identifier: Apache-2.0
"""Against what a client is flown: the motion models, ramps, rates, clocks and altitudes, as one table."""
from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

REFERENCE = "physics"
RAMPS = (8.0, 4.0, 2.0, 1.0)                # m/s2
PROFILE = "profile px4"
SLOW_HZ = 4.0                               # of streams that come 10 times a second otherwise
SLOWED = ("GLOBAL_POSITION_INT", "LOCAL_POSITION_NED", "ATTITUDE", "VFR_HUD")
# What --profile px4 sends otherwise than sim (docs/streams.md of Mayfly): one by one, so that a run can tell which of them counts.
PX4_STREAMS = {"SYSTEM_TIME": 0, "GPS_RAW_INT": 5, "ATTITUDE": 15, "LOCAL_POSITION_NED": 1, "GLOBAL_POSITION_INT": 5, "SERVO_OUTPUT_RAW": 1,
               "GPS_GLOBAL_ORIGIN": 1, "NAV_CONTROLLER_OUTPUT": 1, "ATTITUDE_TARGET": 2, "POSITION_TARGET_LOCAL_NED": 1.5,
               "POSITION_TARGET_GLOBAL_INT": 1, "HIGHRES_IMU": 0, "WIND_COV": 0.5, "ODOMETRY": 0, "AVAILABLE_MODES_MONITOR": 0.3}
EVENT_GAP_MS = 60                           # of the wall: a client in Python answers an event within it
# What a client that sleeps needs: time that passes with the wall.
CLOCK_FACTOR = "x3"
DAMPING = 0.5               # 16 % of the speed back: a climb at 1.5 m/s overshoots by 0.3 m, a leg at 5 m/s by 2.6 m


@dataclass(frozen=True)
class Model:
    """What differs from the reference, and the settings of mayfly for it."""
    name: str
    group: str                              # constant, ramp, overshoot, event, rates, profile, clock, geoid
    settings: Mapping[str, Any] = field(default_factory=dict)
    clock: str = ""                         # "": the one that the run chooses
    ramp: float = 0.0


def ramp_model(accel: float) -> Model:
    return Model(f"ramp {accel:g}", "ramp", {"motion": "constant", "accel": accel}, ramp=accel)


def rates_model(hz: float) -> Model:
    return Model(f"{hz:g} Hz", "rates", {"motion": "physics", "streams": {name: hz for name in SLOWED}})


def streams_model(name: str, streams: Mapping[str, float]) -> Model:
    return Model(name, "profile", {"motion": "physics", "streams": dict(streams)})


def of_rates(names: Iterable[str]) -> bool:
    """Are these models all of the same motion, and only the rates of their samples differ?"""
    return all(name.endswith("Hz") or name.startswith(PROFILE) for name in names)


MODELS: tuple[Model, ...] = (
    Model(REFERENCE, "reference", {"motion": "physics"}),
    Model("constant", "constant", {"motion": "constant"}),
    *(ramp_model(a) for a in RAMPS),
    Model("overshoot", "overshoot", {"motion": "physics", "damping": DAMPING}),
    Model("event", "event", {"motion": "constant", "event_gap": EVENT_GAP_MS}, clock="event"),
    rates_model(SLOW_HZ),
    streams_model(PROFILE, PX4_STREAMS),
    Model("clock", "clock", {"motion": "physics"}, clock=CLOCK_FACTOR),
    Model("no geoid", "geoid", {"motion": "physics", "geoid": "none"}),
)
BY_NAME = {model.name: model for model in MODELS}
