# SPDX-License-Identifier: Apache-2.0
"""Flights that pymavlink holds by barriers, and what it sees of them."""
import contextlib
import hashlib
import socket

from client_drone import Drone
from geography import offset
from ports import free_port
from pymavlink_client import EVENT, HOLD, LEAVE, M, barrier, command, connect, item, upload

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
