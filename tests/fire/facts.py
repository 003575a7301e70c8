# SPDX-License-Identifier: Apache-2.0
"""What runner and clients know of the drone: where it stands, what is asked of it, what it holds."""
HOME = (47.397742, 8.545594, 488.0)
PARAMETER = "MIS_TAKEOFF_ALT"
OTHER_PARAMETER = "RTL_RETURN_ALT"
FOLDER = "/etc/extras"
FILE = "/etc/extras/parameters.json"
TAKEOFF_M = 2.5
PATIENCE_S = 3          # of a script that waits for an answer
AIRBORNE_S = 10         # from the acknowledged take-off to the air
TARGET = (1, 1)

# command, north and east [1e-7 deg], height above home [m]
STEPS = [(22, 0, 0, 5.0), (16, 1000, 0, 5.0), (16, 1000, 1500, 8.0), (16, 0, 1500, 8.0), (21, 0, 0, 0.0)]
MISSION = [(number, round(HOME[0] * 1e7) + north, round(HOME[1] * 1e7) + east, height) for number, north, east, height in STEPS]
SHORT_MISSION = MISSION[:1] + MISSION[-1:]
