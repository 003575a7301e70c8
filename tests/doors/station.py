# SPDX-License-Identifier: Apache-2.0
"""The operator's door: QGroundControl's recorded session, with the drone of `make run` on the ports that it has by itself."""
import pathlib
import sys

sys.path[:0] = [str(pathlib.Path(__file__).parents[1] / folder) for folder in ("interop", "lib")]
import test_qgroundcontrol as recorded  # noqa: E402
from ground_station import Station  # noqa: E402


class Running:
    tcp, udp_out = 5760, 14550


for session in (recorded.test_setup_pages, recorded.test_analysis_tools):
    station = Station(Running)
    try:
        session(station)
    finally:
        station.close()
print("QGroundControl's session: as recorded")
