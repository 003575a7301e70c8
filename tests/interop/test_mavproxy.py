# SPDX-License-Identifier: Apache-2.0
"""MAVProxy, scripted through its console, watched by pymavlink on a second link."""

import pytest

from geography import offset
from pymavlink_client import connect, expect
from mavproxy_client import Proxy

MISSION = [(22, 0, 0, 0, 6), (16, 0, 20, 0, 6), (16, 0, 20, 20, 8), (21, 0, 0, 0, 0)]
FENCE = [(5001, 4, -60, -60, 0), (5001, 4, -60, 60, 0), (5001, 4, 60, 60, 0), (5001, 4, 60, -60, 0), (5004, 5, 40, 40, 0)]
RALLY = [(5100, 0, 8, 8, 6), (5100, 0, -8, 8, 6)]


def plan(path, items):
    """A file of MAVProxy's: command, parameter 1, metres north and east, height."""
    rows = ["QGC WPL 110"]
    for seq, (command, p1, north, east, height) in enumerate(items):
        lat, lon = offset(north, east)
        rows.append(f"{seq}\t{int(seq == 0)}\t3\t{command}\t{p1}\t0\t0\t0\t{lat:.7f}\t{lon:.7f}\t{height}\t1")
    path.write_text("\n".join(rows) + "\n")


def saved(path):
    """What such a file says of its items, places to a tenth of a metre."""
    rows = [line.split("\t") for line in path.read_text().splitlines()[1:]]
    return [(int(r[3]), float(r[4]), f"{float(r[8]):.6f}", f"{float(r[9]):.6f}", float(r[10])) for r in rows]


@pytest.mark.parametrize("transport", ["tcp", "udp"])
def test_param_fetch_wp_load_arm_mission(drone, tmp_path, transport):
    plan(tmp_path / "square.txt", MISSION)
    master = f"tcp:127.0.0.1:{drone.tcp}" if transport == "tcp" else f"udpout:127.0.0.1:{drone.udp}"
    proxy = Proxy(master, tmp_path)
    try:
        link = connect(drone, "udp-out")
        proxy.wait("Received", 30)                      # "Received 150 parameters": fetched by itself
        proxy.say("param show RTL_RETURN_ALT")
        proxy.wait("RTL_RETURN_ALT   30.0")
        proxy.say("wp load square.txt")
        proxy.wait("Got MISSION_ACK: TYPE_MISSION: ACCEPTED", 20)
        expect(link, "MISSION_CURRENT", lambda m: m.total == 4, 5)
        proxy.say("arm throttle")
        expect(link, "HEARTBEAT", lambda m: m.base_mode & 128, 5)
        proxy.say("long MISSION_START 0 0 0 0 0 0 0")   # its "mode" command cannot name PX4 modes
        expect(link, "HEARTBEAT", lambda m: link.flightmode == "MISSION", 5)
        expect(link, "MISSION_ITEM_REACHED", lambda m: m.seq == 2, 40)
        expect(link, "HEARTBEAT", lambda m: not m.base_mode & 128, 40)
        expect(link, "GLOBAL_POSITION_INT", lambda m: abs(m.relative_alt) < 10, 5)
    finally:
        proxy.stop()


# What is typed, and what the console must say then.
CONSOLE = [
    ("param set MPC_XY_CRUISE 6.5",),
    ("param set COM_RC_IN_MODE 3",),                    # an integer, as bits; it sends them when it has time
    ("wp load mission.txt", "Got MISSION_ACK: TYPE_MISSION: ACCEPTED"),
    ("wp save mission.back", "Saved 4 waypoints to mission.back"),
    ("fence load fence.txt", "Got MISSION_ACK: TYPE_FENCE: ACCEPTED", "fence present"),
    ("fence save fence.back", "Saved 5 fence items to fence.back"),
    ("rally load rally.txt", "Got MISSION_ACK: TYPE_RALLY: ACCEPTED"),
    ("rally save rally.back", "Saved 2 rally items to rally.back"),
    ("param fetch MPC_XY_CRUISE", "MPC_XY_CRUISE = 6.5"),
    ("param fetch COM_RC_IN_MODE", "COM_RC_IN_MODE = 3"),
    ("param show COM_RC*", "COM_RC_IN_MODE   3"),
    ("param fetch", "Received "),
    ("param save all.parm", "parameters to all.parm"),
    ("set streamrate 8",),
    ("set streamrate", "streamrate 8"),
    ("mode", "MISSION, RTL, LAND"),
    ("status HEARTBEAT", "type : 2, autopilot : 12"),
    ("takeoff 494", "Taking off", "Got COMMAND_ACK: NAV_TAKEOFF: ACCEPTED", "TAKEOFF> "),     # it means AMSL to PX4
    ("arm throttle", "ARMED", "Got COMMAND_ACK: COMPONENT_ARM_DISARM: ACCEPTED", "LOITER> "),
    ("long DO_SET_MODE 1 4 5", "RTL> ", "LAND> ", "DISARMED"),
    ("wp clear", "Got MISSION_ACK: TYPE_MISSION: ACCEPTED"),
    ("fence clear", "Got MISSION_ACK: TYPE_FENCE: ACCEPTED"),
    ("rally clear", "Got MISSION_ACK: TYPE_RALLY: ACCEPTED"),
    ("link list", "1 links"),
    ("link add udpout:127.0.0.1:{udp}", "Detected vehicle 1:1 on link 1"),
    ("link list", "2 links"),
]


def test_the_console(drone, tmp_path):
    files = {"mission": MISSION, "fence": FENCE, "rally": RALLY}
    for name, items in files.items():
        plan(tmp_path / f"{name}.txt", items)
    proxy = Proxy(f"tcp:127.0.0.1:{drone.tcp}", tmp_path)
    try:
        proxy.wait("Received", 30)
        for line, *answers in CONSOLE:
            proxy.ask(line.format(udp=drone.udp), *answers)
        for name in files:
            assert saved(tmp_path / f"{name}.back") == saved(tmp_path / f"{name}.txt")
        text = (tmp_path / "all.parm").read_text()
        assert "MPC_XY_CRUISE" in text and len(text.splitlines()) > 130
    finally:
        proxy.stop()
