# SPDX-License-Identifier: Apache-2.0
"""The faults of docs/failsafes.md lead to the text and the mode of their row. (Rows without a fault: the tests that the page names.)"""
import pathlib
import re

import pytest

from pytest_mayfly import Drone, find_binary

PAGE = pathlib.Path(__file__).resolve().parents[3] / "docs" / "failsafes.md"
MODES = ("Return", "Land", "Descend", "Hold")
ROWS = [(fault, text, mode if mode in MODES else None, int(delay or 0)) for fault, text, mode, delay in re.findall(
    r'^\| [^|]+ \| [^|]*fault `(\w+)` \| "([^"]+)" \| (\w+)(?:, after `COM_FAIL_ACT_T` \((\d+)\) s)?', PAGE.read_text(encoding="utf-8"), re.M)]

# A stream of sticks, which tests of C have.
FLOWN_BY_HAND = ("rc_lost",)


def test_the_page_has_rows():
    assert len(ROWS) == 7


@pytest.mark.parametrize("fault, text, mode, delay_s", [row for row in ROWS if row[0] not in FLOWN_BY_HAND])
def test_a_failsafe(request, fault, text, mode, delay_s):
    """SIM-046: a flight in Hold, 100 m from home."""
    with Drone(binary=find_binary(request.config.getoption("--mayfly"), request.config.rootpath), clock="event",
               params={"GF_MAX_HOR_DIST": 200}) as drone:
        drone.takeoff(20)
        drone.goto(*drone.place(100, 0))
        drone.inject(fault)
        at_s = drone.wait_event("fault", fault=fault).vehicle_time_s
        assert drone.wait_event("statustext", text=text, after=0).vehicle_time_s == at_s
        drone.sleep_sim(delay_s + 1)
        changes = [(event["mode"], event.vehicle_time_s - at_s) for event in drone.events("mode", failsafe=True)]
        if mode in (None, "Hold"):
            assert changes == [] and drone.vehicle()["mode"] == "Hold"
        else:
            assert changes[0] == (mode, pytest.approx(delay_s, abs=1e-5))
