# SPDX-License-Identifier: Apache-2.0
"""The same scripts give the same telemetry, run after run and clock after clock (SIM-042, docs/time.md)."""
import asyncio
import concurrent.futures
import contextlib
import hashlib
import socket
import time

import pytest
from mavsdk.mission import MissionPlan

from conftest import Drone, free_port, offset
from test_mavsdk import client, until, waypoint
from test_pymavlink import M, command, connect, item, upload
from test_time import EVENT, HOLD, LEAVE, barrier

RUNS = 20
AT_ONCE = 10
FLAGS = ("--start", "connect", "--epoch", "2026-03-01T12:00:00Z")
STATES = {"HEARTBEAT": lambda m: (m.base_mode, m.custom_mode), "EXTENDED_SYS_STATE": lambda m: m.landed_state,
          "MISSION_CURRENT": lambda m: (m.seq, m.mission_state)}


class Telemetry:
    """What one link shows: samples by their vehicle time, and events by the time at which a barrier stopped for them."""

    def __init__(self, link):
        self.link, self.samples, self.events, self.fresh, self.last = link, {}, [], [], {}
        for m in [m for kind, m in link.messages.items() if kind in STATES]:
            self.take(link, m)
        link.message_hooks.append(self.take)

    def take(self, _, m):
        if m.get_srcSystem() != 1:      # another client's, forwarded
            return
        kind = m.get_type()
        t = getattr(m, "time_boot_ms", None)
        if t is not None:
            assert self.samples.setdefault((t, kind), m.get_payload()) == m.get_payload(), (t, kind)
        if kind in ("MISSION_ITEM_REACHED", "STATUSTEXT"):
            self.fresh.append((kind, m.seq if kind == "MISSION_ITEM_REACHED" else m.text))
        if kind in STATES and self.last.get(kind) != STATES[kind](m):
            self.last[kind] = STATES[kind](m)
            self.fresh.append((kind, self.last[kind]))

    def time_ms(self):
        assert command(self.link, M.MAV_CMD_REQUEST_MESSAGE, M.MAVLINK_MSG_ID_SYSTEM_TIME) == 0
        return self.link.messages["SYSTEM_TIME"].time_boot_ms

    def stop(self):
        """On to the next event, whose time all that came with it gets. Returns whether the vehicle is disarmed there."""
        barrier(self.link, EVENT)
        t = self.time_ms()
        self.events += [(t, *event) for event in self.fresh]
        self.fresh.clear()
        return not self.last["HEARTBEAT"][0] & 128

    def reached(self):
        return [what for _, kind, what in self.events if kind == "MISSION_ITEM_REACHED"]

    def shows_part_of(self, whole):
        """In real time a stream skips samples when the host is late by ten of them: not more."""
        return (self.events == whole.events and self.samples.items() <= whole.samples.items()
                and len(self.samples) > 0.5 * len(whole.samples))

    def hash(self):
        return hashlib.sha256(repr((self.events, sorted(self.samples.items()))).encode()).hexdigest()


@contextlib.contextmanager
def held(clock, *flags):
    """A vehicle whose time stands still at 0: what it hears first holds it."""
    port = free_port()
    lockstep = clock == "lockstep"
    drone = Drone("--clock", clock, *FLAGS, *flags, *(("--time-socket", str(port)) if lockstep else ()))
    try:
        with socket.create_connection(("127.0.0.1", port)) if lockstep else contextlib.nullcontext() as controller:
            if lockstep:    # a controller that grants all time there is: only barriers hold it
                controller.sendall(b"go 1000000000000000\n")
            link = connect(drone)
            barrier(link, HOLD)
            telemetry = Telemetry(link)
            assert telemetry.time_ms() == 0
            yield drone, telemetry
        barrier(link, LEAVE)
    finally:
        drone.stop()


def to_the_end(telemetry):
    for _ in range(60):
        if telemetry.stop():
            return
    raise AssertionError("never disarmed")


def fly_pymavlink(clock, *flags):
    with held(clock, *flags) as (_, telemetry):
        a, b = offset(40, 0), offset(40, 25)
        items = [item(0, 22, 0, 0, 8), item(1, 16, *a, 8), item(2, 16, *b, 12, p1=2), item(3, 21, *offset(0, 0), 0)]
        assert upload(telemetry.link, items) == 0
        assert command(telemetry.link, M.MAV_CMD_MISSION_START, 0, 0) == 0
        to_the_end(telemetry)
        return telemetry


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
