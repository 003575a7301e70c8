#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""mavsdk_script.py URL: a script of MAVSDK 4 that knows nothing of simulations. It takes off, stays in the air for 20 s, and lands.
mavsdk_script.py --check says whether MAVSDK is there."""
import os
import sys
import time

try:
    from mavsdk import ComponentType, Configuration, Mavsdk
    from mavsdk.plugins.action import Action
    from mavsdk.plugins.telemetry import Telemetry
except ImportError:
    PYTHON = os.path.join('build', 'venv4', 'bin', 'python3')  # of make interop
    if os.path.exists(PYTHON) and os.environ.get('SCRIPT_PYTHON') is None:
        os.environ['SCRIPT_PYTHON'] = PYTHON
        os.execv(PYTHON, [PYTHON, *sys.argv])
    sys.exit('mavsdk_script.py: MAVSDK 4 is not there: pip install mavsdk')

if sys.argv[1] == '--check':
    sys.exit()
begin = time.time()
sdk = Mavsdk(Configuration.create_with_component_type(ComponentType.GROUND_STATION))
sdk.add_any_connection(sys.argv[1])
drone = sdk.first_autopilot(10)
action, telemetry = Action(drone), Telemetry(drone)
while not telemetry.health_all_ok():
    time.sleep(0.1)
action.arm()
action.takeoff()
time.sleep(20)
print(f'{telemetry.position().relative_altitude_m:.1f} m above home after {time.time() - begin:.1f} s')
action.land()
while telemetry.armed():
    time.sleep(0.1)
print(f'landed after {time.time() - begin:.1f} s')
