# SPDX-License-Identifier: Apache-2.0
"""The same scripts give the same telemetry, run after run and clock after clock (SIM-042, docs/time.md)."""
import asyncio
import concurrent.futures
import time

import pytest
from mavsdk.mission import MissionPlan

from mavsdk_client import client, until, waypoint
from held_flight import fly_pymavlink, held, to_the_end

RUNS = 20
AT_ONCE = 10
async def fly_mavsdk(clock):
    """The script is MAVSDK's; pymavlink keeps time and watches."""
    with held(clock) as (drone, telemetry):
        async with client(drone, "tcp") as system:
            await system.mission.set_return_to_launch_after_mission(True)
            await system.mission.upload_mission(MissionPlan([waypoint(40, 0, 8.0), waypoint(40, 25, 12.0)]))
            await system.action.arm()
            await system.mission.start_mission()
            await asyncio.to_thread(to_the_end, telemetry)
            await until(system.telemetry.armed(), lambda armed: not armed, 5, "disarmed")
            assert await system.mission.is_mission_finished()
            return telemetry


def by_pymavlink(clocks):
    with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
        return list(pool.map(fly_pymavlink, clocks))


def by_mavsdk(clocks):
    async def one(clock, places):
        async with places:
            return await fly_mavsdk(clock)

    async def all_of_them():
        places = asyncio.Semaphore(AT_ONCE)
        return await asyncio.gather(*(one(clock, places) for clock in clocks))
    return asyncio.run(all_of_them())


@pytest.mark.parametrize("clock", ["event", "fast", "x10"])
@pytest.mark.parametrize("client", [by_pymavlink, by_mavsdk])
def test_sim042_twenty_runs_one_hash(client, clock):
    start = time.monotonic()
    runs = client([clock] * RUNS)
    hashes = {run.hash() for run in runs}
    print(f"\ndeterminism: {clock} {client.__name__}: {RUNS} runs in {time.monotonic() - start:.1f} s, "
          f"{len(runs[0].events)} events and {len(runs[0].samples)} samples each: {' '.join(sorted(hashes))}")
    assert len(hashes) == 1
    assert runs[0].reached() == list(range(len(runs[0].reached()))) != []


@pytest.mark.parametrize("client", [by_pymavlink, by_mavsdk])
def test_sim038_sim042_same_flight_on_every_clock(client):
    """The same events at the same vehicle times, and the same samples wherever two clocks show one vehicle time."""
    real, scaled, fast, lockstep, event = client(["real", "x10", "fast", "lockstep", "event"])
    assert fast.events == event.events
    for other in (scaled, lockstep):
        assert fast.events == other.events and fast.samples == other.samples
    assert real.shows_part_of(fast)
    common = event.samples.keys() & fast.samples.keys()
    assert {k: event.samples[k] for k in common} == {k: fast.samples[k] for k in common}
    print(f"\ndeterminism: real, x10, fast, lockstep, event {client.__name__}: the same {len(fast.events)} events at the same "
          f"times; the same {len(real.samples)}, {len(scaled.samples)}, {len(fast.samples)}, {len(lockstep.samples)}, "
          f"{len(common)} samples")
