# SPDX-License-Identifier: Apache-2.0
"""pymavlink over links that lose every fifth frame, both ways."""
import time

import pytest

from client_drone import PATIENCE_S
from pymavlink_client import M, connect, expect

QUALITY = "loss=20%,burst=1%:3,delay=10ms,jitter=5ms,duplicate=2%,reorder=2%,corrupt=1%"


def insist(link, number, *params):
    """As every client must: again until somebody answers. How often the drone takes it does not matter here."""
    deadline = time.monotonic() + PATIENCE_S
    attempt = 0
    while time.monotonic() < deadline:
        link.mav.command_long_send(1, 1, number, min(attempt, 255), *(list(params) + [0] * (7 - len(params))))
        attempt += 1
        ack = link.recv_match(type="COMMAND_ACK", condition=f"COMMAND_ACK.command=={number}", blocking=True, timeout=0.5)
        if ack is not None:
            return ack.result
    raise AssertionError(f"command {number} was never answered")


@pytest.mark.parametrize("drone", [("--link-quality", QUALITY, "--clock", "x20")], indirect=True)
@pytest.mark.parametrize("transport", ["tcp", "udp"])
def test_it_flies_over_20_percent_loss(drone, transport):
    link = connect(drone, transport)
    expect(link, "SYS_STATUS", lambda m: m.onboard_control_sensors_health & M.MAV_SYS_STATUS_PREARM_CHECK, timeout=PATIENCE_S)
    assert insist(link, M.MAV_CMD_COMPONENT_ARM_DISARM, 1) == M.MAV_RESULT_ACCEPTED
    nan = float("nan")
    assert insist(link, M.MAV_CMD_NAV_TAKEOFF, 0, 0, 0, nan, nan, nan, nan) == M.MAV_RESULT_ACCEPTED
    expect(link, "EXTENDED_SYS_STATE", lambda m: m.landed_state == M.MAV_LANDED_STATE_IN_AIR, timeout=PATIENCE_S)
    assert insist(link, M.MAV_CMD_NAV_LAND) == M.MAV_RESULT_ACCEPTED
    expect(link, "EXTENDED_SYS_STATE", lambda m: m.landed_state == M.MAV_LANDED_STATE_ON_GROUND, timeout=PATIENCE_S)
    expect(link, "HEARTBEAT", lambda m: not m.base_mode & M.MAV_MODE_FLAG_SAFETY_ARMED, timeout=PATIENCE_S)
    link.close()
