# SPDX-License-Identifier: Apache-2.0
"""DroneKit 2.9.2, as scripts for PX4 use it. It was written for ArduPilot; what it cannot do with PX4 it cannot do here."""
import collections
import collections.abc
import contextlib

import pytest

from pymavlink_client import M

collections.MutableMapping = collections.abc.MutableMapping     # gone since Python 3.10; DroneKit is of 2019
from dronekit import Command, LocationGlobalRelative, VehicleMode, connect  # noqa: E402

from geography import HOME, distance_m, offset  # noqa: E402
from waiting import wait_until  # noqa: E402


@pytest.fixture
def vehicle(drone, request):
    url = f"udpout:127.0.0.1:{drone.udp}" if getattr(request, "param", "tcp") == "udp" else f"tcp:127.0.0.1:{drone.tcp}"
    v = connect(url, wait_ready=True, timeout=10, heartbeat_timeout=10)
    v.texts = []
    v.add_message_listener("STATUSTEXT", lambda _v, _name, m: v.texts.append(m.text))
    with contextlib.closing(v):
        yield v


def until(condition, timeout=20):
    wait_until(condition, "in time", timeout)


def send(vehicle, number, *params):
    vehicle.send_mavlink(vehicle.message_factory.command_long_encode(0, 0, number, 0, *params))


def place(vehicle):
    here = vehicle.location.global_relative_frame
    return here.lat, here.lon


def arm(vehicle):
    vehicle.armed = True
    until(lambda: vehicle.armed, 3)


def landed(vehicle):
    until(lambda: not vehicle.armed, 40)
    assert vehicle.system_status.state == "STANDBY"


@pytest.mark.parametrize("vehicle", ["tcp", "udp"], indirect=True)
def test_attributes_and_parameters(vehicle):
    vehicle.wait_ready("autopilot_version", "home_location", "battery", "system_status", timeout=5)
    assert str(vehicle.version) == "PX4Copter-1.17.0"
    assert vehicle.capabilities.mission_int and vehicle.capabilities.command_int and vehicle.capabilities.param_float
    assert (vehicle.gps_0.fix_type, vehicle.gps_0.satellites_visible) == (3, 10)
    assert (vehicle.gps_0.eph, vehicle.gps_0.epv) != (None, None)
    assert vehicle.battery.level == 100 and 10 < vehicle.battery.voltage < 20
    assert (vehicle.mode.name, vehicle.armed, vehicle.system_status.state) == ("LOITER", False, "STANDBY")
    assert (vehicle.attitude.roll, vehicle.attitude.pitch, vehicle.heading) == (0, 0, 0)
    assert (vehicle.velocity, vehicle.groundspeed) == ([0, 0, 0], 0)
    home, here = vehicle.home_location, vehicle.location
    assert (home.lat, home.lon, home.alt) == HOME
    assert (here.global_frame.lat, here.global_frame.lon, here.global_frame.alt) == HOME
    assert here.global_relative_frame.alt == 0 and here.local_frame.north == here.local_frame.down == 0
    assert not vehicle.is_armable               # needs a message of ArduPilot's, as with PX4
    params = vehicle.parameters
    assert len(params) > 130 and params["MIS_TAKEOFF_ALT"] == 2.5
    params["MIS_TAKEOFF_ALT"] = 6.5
    assert params.set("RTL_RETURN_ALT", 21.0, retries=2) and params["RTL_RETURN_ALT"] == 21
    vehicle.send_mavlink(vehicle.message_factory.param_request_read_encode(0, 0, b"MIS_TAKEOFF_ALT", -1))
    seen = []
    vehicle.add_message_listener("PARAM_VALUE", lambda _v, _name, m: seen.append((m.param_id, m.param_value)))
    until(lambda: ("MIS_TAKEOFF_ALT", 6.5) in seen, 3)
    for mode in ("MISSION", "POSCTL", "RTL", "LAND", "LOITER"):
        vehicle.mode = VehicleMode(mode)
        until(lambda mode=mode: vehicle.mode.name == mode, 3)


def test_mission_as_in_px4s_example(vehicle):
    """Items of floats, asked for with MISSION_REQUEST; AUTO by a flag of the base mode; and it acknowledges no download."""
    items = [(M.MAV_CMD_NAV_TAKEOFF, offset(0, 0), 6), (M.MAV_CMD_NAV_WAYPOINT, offset(15, 0), 6),
             (M.MAV_CMD_NAV_WAYPOINT, offset(15, 15), 8), (M.MAV_CMD_NAV_LAND, offset(0, 15), 0)]
    commands = vehicle.commands
    commands.clear()
    for number, (lat, lon), height in items:
        commands.add(Command(0, 0, 0, M.MAV_FRAME_GLOBAL_RELATIVE_ALT, number, 0, 1, 0, 0, 0, 0, lat, lon, height))
    commands.upload(timeout=10)
    commands.download()
    commands.wait_ready(timeout=10)
    # The first one it takes for ArduPilot's home.
    assert [(c.command, c.z) for c in commands] == [(number, height) for number, _, height in items[1:]]
    assert all(distance_m((c.x, c.y), there) < 1 for c, (_, there, _) in zip(commands, items[1:]))
    reached = []
    vehicle.add_message_listener("MISSION_ITEM_REACHED", lambda _v, _name, m: reached.append(m.seq))
    send(vehicle, M.MAV_CMD_DO_SET_MODE, M.MAV_MODE_FLAG_AUTO_ENABLED, 0, 0, 0, 0, 0, 0)
    until(lambda: vehicle.mode.name == "MISSION", 3)
    arm(vehicle)
    until(lambda: commands.next == 2)
    landed(vehicle)
    assert reached == [0, 1, 2, 3]
    assert distance_m(place(vehicle), items[3][1]) < 1


def test_guided(vehicle):
    arm(vehicle)
    assert vehicle.mode.name == "MANUAL"
    send(vehicle, M.MAV_CMD_NAV_TAKEOFF, 0, 0, 0, 0, 0, 0, HOME[2] + 5)
    until(lambda: vehicle.mode.name == "LOITER" and vehicle.location.global_relative_frame.alt == 5)
    # What it sends for ArduPilot is of no use to PX4: an item with current=2 to nobody, and a take-off to 9 m AMSL.
    vehicle.simple_goto(LocationGlobalRelative(*offset(50, 0), 20))
    vehicle.simple_takeoff(9)
    until(lambda: any("Already higher than takeoff altitude" in text for text in vehicle.texts), 3)
    until(lambda: vehicle.mode.name == "LOITER", 3)
    assert (place(vehicle), vehicle.location.global_relative_frame.alt) == (HOME[:2], 5)
    there = offset(-10, 10)
    vehicle.send_mavlink(vehicle.message_factory.command_int_encode(
        0, 0, M.MAV_FRAME_GLOBAL_INT, M.MAV_CMD_DO_REPOSITION, 0, 0, -1, 1, 0, float("nan"), round(there[0] * 1e7),
        round(there[1] * 1e7), HOME[2] + 8))
    until(lambda: distance_m(place(vehicle), there) < 0.02 and vehicle.groundspeed == 0)
    assert vehicle.location.global_relative_frame.alt == 8
    assert abs(vehicle.location.local_frame.north + 10) < 0.05 and abs(vehicle.location.local_frame.down + 8) < 0.01
    vehicle.armed = False
    until(lambda: any("Disarming denied" in text for text in vehicle.texts), 3)
    assert vehicle.armed
    vehicle.mode = VehicleMode("LAND")
    landed(vehicle)
