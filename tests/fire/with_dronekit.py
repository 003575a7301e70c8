# SPDX-License-Identifier: Apache-2.0
"""DroneKit 2.9.2 as its examples use it. It waits without a limit only where its examples do not give one."""
import collections
import collections.abc
import os
import time

os.environ["MAVLINK20"] = "1"
collections.MutableMapping = collections.abc.MutableMapping     # gone since Python 3.10; DroneKit is of 2019
import dronekit  # noqa: E402
from pymavlink import mavutil  # noqa: E402

import client  # noqa: E402

M = mavutil.mavlink
vehicle = None


def until(condition, what, patience_s=10):
    """The loop of its examples, which knows an end."""
    deadline = time.monotonic() + patience_s
    while not condition():
        if time.monotonic() > deadline:
            raise client.Reported(f"{what} not within {patience_s} s")
        time.sleep(0.05)


def connect():
    global vehicle
    vehicle = dronekit.connect(f"tcp:127.0.0.1:{client.port}", wait_ready=False, heartbeat_timeout=10)


def parameters():
    vehicle.wait_ready("parameters", timeout=20)
    return dict(vehicle.parameters)


def one(name):
    def run():
        vehicle.wait_ready("parameters", timeout=20)
        value = vehicle.parameters.get(name)
        if value is None:
            raise client.Reported(f"no parameter {name}")
        return value
    return run


def store():
    vehicle.wait_ready("parameters", timeout=20)
    if not vehicle.parameters.set(client.PARAMETER, 6.5, retries=3):
        raise client.Reported("parameters.set: False")
    return vehicle.parameters[client.PARAMETER]


def flight():
    vehicle.arm(wait=True, timeout=10)
    encode = vehicle.message_factory.command_long_encode
    vehicle.send_mavlink(encode(0, 0, M.MAV_CMD_NAV_TAKEOFF, 0, 0, 0, 0, 0, 0, 0, client.HOME[2] + client.TAKEOFF_M))
    until(lambda: (vehicle.location.global_relative_frame.alt or 0) > 0.9 * client.TAKEOFF_M, "height")


def land():
    vehicle.mode = dronekit.VehicleMode("LAND")
    until(lambda: vehicle.mode.name == "LAND", "mode LAND")


def upload(mission):
    def run():
        commands = vehicle.commands
        commands.clear()
        for number, lat, lon, height in mission:
            commands.add(dronekit.Command(0, 0, 0, M.MAV_FRAME_GLOBAL_RELATIVE_ALT, number, 0, 1, 0, 0, 0, 0,
                                          lat / 1e7, lon / 1e7, height))
        commands.upload(timeout=15)
        return len(mission)
    return run


def download():
    """Item 0 it takes for ArduPilot's home and keeps to itself."""
    commands = vehicle.commands
    commands.download()
    commands.wait_ready(timeout=15)
    return [(c.command, round(c.x * 1e7), round(c.y * 1e7), c.z) for c in commands]


def message():
    """AUTOPILOT_VERSION; it asks for it by itself."""
    vehicle.wait_ready("autopilot_version", timeout=10)
    return [vehicle.version.major, vehicle.version.minor]


def other_message():
    vehicle.wait_ready("gps_0", timeout=10)
    return vehicle.gps_0.fix_type


OPERATIONS = {
    "connect": connect, "parameters": parameters, "parameter": one(client.PARAMETER), "store": store,
    "other_parameter": one(client.OTHER_PARAMETER), "flight": flight, "land": land, "upload": upload(client.MISSION),
    "short_upload": upload(client.SHORT_MISSION), "download": download, "message": message, "other_message": other_message,
}
client.serve(OPERATIONS, (dronekit.APIException,))
