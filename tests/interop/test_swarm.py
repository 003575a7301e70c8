# SPDX-License-Identifier: Apache-2.0
"""One of ten thousand vehicles of a process, and a group of 250, as clients of MAVSDK 3, MAVProxy and pymavlink see them."""
import time
import types

import http_client
from geography import distance_m, offset
from mavproxy_client import Proxy
from mavsdk_client import client, hop, run
from pymavlink_client import HOLD, M, RUN, expect, mavutil


def at_address(swarm, transport="tcp"):
    return types.SimpleNamespace(url=lambda _: swarm.url(swarm.GUEST, {"tcp": "tcpout", "udp": "udpout"}[transport]))


def ask(swarm, path, body=None, method="GET"):
    return http_client.ask_document(swarm.api, method, path, body)[1]


def test_mavsdk_flies_vehicle_7312_of_10000(swarm):
    """By its own address, over TCP and UDP; the API sees the same vehicle."""
    async def go(transport):
        async with client(at_address(swarm, transport), transport) as system:
            await hop(system)
    run(go("tcp"))
    seen = ask(swarm, f"/v1/vehicles/{swarm.GUEST}")
    place = seen["truth"]["lat_deg"], seen["truth"]["lon_deg"]
    assert distance_m(place, offset(20, -30)) < 0.02 and seen["system_id"] == 1 + (swarm.GUEST - 1) % 250
    assert ask(swarm, "/v1/vehicles?observed=true")["count"] == 1
    run(go("udp"))


def test_barrier_of_one_client_holds_the_world(swarm):
    """While vehicle 7,312 holds time, no vehicle of ten thousand moves; then all go on for just the time that it grants."""
    link = mavutil.mavlink_connection(f"tcp:{swarm.address(swarm.GUEST)}:{swarm.tcp}", source_system=255)
    sysid = 1 + (swarm.GUEST - 1) % 250
    assert link.wait_heartbeat(timeout=10) is not None and link.target_system == sysid

    def barrier(action, seconds=0):
        link.mav.command_long_send(sysid, 1, M.MAV_CMD_USER_1, 0, action, seconds, 0, 0, 0, 0, 0)
        return expect(link, "COMMAND_ACK", lambda m: m.command == M.MAV_CMD_USER_1)

    assert barrier(HOLD).result == M.MAV_RESULT_ACCEPTED
    first = ask(swarm, "/v1/clock"), ask(swarm, "/v1/vehicles?from=100&count=5")
    time.sleep(1.5)
    again = ask(swarm, "/v1/clock"), ask(swarm, "/v1/vehicles?from=100&count=5")
    assert first[0]["held"] and again[0]["time_s"] == first[0]["time_s"] and again[1] == first[1]
    assert expect(link, "HEARTBEAT", timeout=3) is not None     # the client is not left alone meanwhile
    assert barrier(RUN, 2.5).result == M.MAV_RESULT_IN_PROGRESS
    assert expect(link, "COMMAND_ACK", lambda m: m.command == M.MAV_CMD_USER_1).result == M.MAV_RESULT_ACCEPTED
    after = ask(swarm, "/v1/clock"), ask(swarm, "/v1/vehicles?from=100&count=5")
    assert abs(after[0]["time_s"] - first[0]["time_s"] - 2.5) < 1e-5
    assert after[1]["vehicles"] != first[1]["vehicles"]
    link.close()
    while ask(swarm, "/v1/clock")["time_s"] == after[0]["time_s"]:      # whoever is gone holds nothing
        time.sleep(0.1)


def test_pymavlink_sees_250_systems_on_the_port_of_a_group(swarm):
    """Vehicles 251 to 500; a command reaches the one that it is for."""
    link = mavutil.mavlink_connection(f"tcp:127.0.0.1:{swarm.group + 1}", source_system=255)
    seen, deadline = set(), time.monotonic() + 20
    while len(seen) < 250 and time.monotonic() < deadline:
        m = link.recv_match(type="HEARTBEAT", blocking=True, timeout=1)
        seen |= {m.get_srcSystem()} if m is not None else set()
    assert seen == set(range(1, 251))
    link.mav.command_long_send(17, 1, M.MAV_CMD_REQUEST_MESSAGE, 0, M.MAVLINK_MSG_ID_AUTOPILOT_VERSION, 0, 0, 0, 0, 0, 0)
    assert expect(link, "AUTOPILOT_VERSION").uid == 250 + 17
    link.close()


def test_window_has_the_vehicles_that_it_is_told(swarm):
    """Two vehicles of one system id are told apart."""
    ask(swarm, "/v1/window", {"vehicles": [3, "before.253", "guest"]}, "PUT")
    link = mavutil.mavlink_connection(f"tcp:127.0.0.1:{swarm.window}", source_system=255)
    uids, deadline = {}, time.monotonic() + 20
    while len(uids) < 3 and time.monotonic() < deadline:
        for sysid in (3, 1, 62):
            link.mav.command_long_send(sysid, 1, M.MAV_CMD_REQUEST_MESSAGE, 0, M.MAVLINK_MSG_ID_AUTOPILOT_VERSION, 0, 0, 0, 0, 0, 0)
        m = link.recv_match(type="AUTOPILOT_VERSION", blocking=True, timeout=1)
        uids.update({m.get_srcSystem(): m.uid} if m is not None else {})
    assert uids == {3: 3, 1: 253, 62: 7312}
    link.close()


def test_mavproxy_sees_250_systems_on_the_port_of_a_group(swarm, tmp_path):
    proxy = Proxy(f"tcp:127.0.0.1:{swarm.group + 29}", tmp_path)
    try:
        proxy.wait("Detected vehicle 250:1", timeout=60)
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline and proxy.log().count("Detected vehicle ") < 250:
            time.sleep(0.2)
        assert all(f"Detected vehicle {i}:1" in proxy.log() for i in range(1, 251))
    finally:
        proxy.stop()
