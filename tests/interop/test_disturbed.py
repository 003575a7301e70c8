# SPDX-License-Identifier: Apache-2.0
"""Wind, an inexact receiver and a battery that is used up, as clients see them (docs/disturbances.md)."""
import math

import pytest

from geography import HOME, distance_m
from held_flight import fly_pymavlink
from mavsdk_client import client, down, ready, run, take_off, until

ALL = ("--wind-speed", "6", "--wind-direction", "270", "--wind-gusts", "2", "--gnss-noise", "0.5",
       "--gnss-noise-vertical", "0.8", "--gnss-drift", "1", "--gnss-drift-vertical", "1", "--battery-capacity", "500")


@pytest.mark.parametrize("drone", [("--clock", "x10", *ALL)], indirect=True)
def test_sim043_mavsdk_sees_them(drone):
    async def go():
        async with client(drone, "tcp") as system:
            await ready(system)
            full = (await until(system.telemetry.battery(), lambda b: True))[0]
            await take_off(system, 12.0)
            tilted = await until(system.telemetry.attitude_euler(), lambda a: a.roll_deg < -10, what="it leans west")
            assert tilted[-1].roll_deg > -45.1
            places = set()
            await until(system.telemetry.position(), lambda p: places.add(p.latitude_deg) or len(places) > 20,
                        what="it sways")
            here = (await until(system.telemetry.position(), lambda p: True))[0]
            assert distance_m((here.latitude_deg, here.longitude_deg), HOME[:2]) < 10
            used = (await until(system.telemetry.battery(), lambda b: b.remaining_percent < full.remaining_percent - 3))[-1]
            assert used.voltage_v < full.voltage_v and math.isclose(used.current_battery_a, 15.0)
            await system.action.land()
            await down(system)
    run(go())


def test_sim043_sim042_equal_on_every_clock_for_equal_seeds():
    keys = ("x20", "1"), ("fast", "1"), ("event", "1"), ("fast", "2")
    every = {"event": ("--event-streams", "all")}
    flown = {key: fly_pymavlink(key[0], "--seed", key[1], *every.get(key[0], ()), *ALL).samples for key in keys}
    positions = {key: {k: v for k, v in samples.items() if k[1] == "GLOBAL_POSITION_INT"} for key, samples in flown.items()}
    fast, other = positions["fast", "1"], positions["fast", "2"]
    for clock in ("x20", "event"):
        common = positions[clock, "1"].keys() & fast.keys()
        assert len(common) > 100
        assert all(positions[clock, "1"][t] == fast[t] for t in common), clock
    common = other.keys() & fast.keys()
    assert sum(other[t] != fast[t] for t in common) > 0.9 * len(common)
