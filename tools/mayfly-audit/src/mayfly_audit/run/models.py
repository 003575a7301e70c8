# SPDX-License-Identifier: Apache-2.0
"""Against what a client is flown: the motion models, ramps, rates, clocks and altitudes, as one table."""
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

REFERENCE = "physics"
RAMPS = (8.0, 4.0, 2.0, 1.0)                # m/s2
SLOW_HZ = 4.0                               # of streams that come 10 times a second otherwise
SLOWED = ("GLOBAL_POSITION_INT", "LOCAL_POSITION_NED", "ATTITUDE", "VFR_HUD")
EVENT_GAP_MS = 60                           # of the wall: a client in Python answers an event within it
# What a client that sleeps needs: time that passes with the wall.
CLOCK_FACTOR = "x3"


@dataclass(frozen=True)
class Model:
    """What differs from the reference, and the settings of mayfly for it."""
    name: str
    group: str                              # constant, ramp, event, rates, clock, geoid
    settings: Mapping[str, Any] = field(default_factory=dict)
    clock: str = ""                         # "": the one that the run chooses
    ramp: float = 0.0


def ramp_model(accel: float) -> Model:
    return Model(f"ramp {accel:g}", "ramp", {"motion": "constant", "accel": accel}, ramp=accel)


def rates_model(hz: float) -> Model:
    return Model(f"{hz:g} Hz", "rates", {"motion": "physics", "streams": {name: hz for name in SLOWED}})


MODELS: tuple[Model, ...] = (
    Model(REFERENCE, "reference", {"motion": "physics"}),
    Model("constant", "constant", {"motion": "constant"}),
    *(ramp_model(a) for a in RAMPS),
    Model("event", "event", {"motion": "constant", "event_gap": EVENT_GAP_MS}, clock="event"),
    rates_model(SLOW_HZ),
    Model("clock", "clock", {"motion": "physics"}, clock=CLOCK_FACTOR),
    Model("no geoid", "geoid", {"motion": "physics", "geoid": "none"}),
)
BY_NAME = {model.name: model for model in MODELS}
