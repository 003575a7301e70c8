# SPDX-License-Identifier: Apache-2.0
"""An autopilot that climbs and holds its place, over ArduPilot's JSON interface: python3 pilot.py PORT HEIGHT. It sends widths of pulses
for the four motors of an X, 250 times a second of the simulator's time, and gets the state back."""
import json
import math
import socket
import struct
import sys

RATE, HOVER = 250, 0.39  # frames a second; part of the thrust that carries the weight
MIX = ((-1, 1, 1), (1, -1, 1), (1, 1, -1), (-1, -1, -1))  # how each motor turns the body: right side down, nose up, clockwise
if len(sys.argv) != 3:
    sys.exit(__doc__)
port, height = int(sys.argv[1]), float(sys.argv[2])
link = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
link.settimeout(0.2)
link.connect(('127.0.0.1', port))
drift = [0.0, 0.0, 0.0]


def within(value, limit):
    return max(-limit, min(limit, value))


def pulses(state):
    """From place to speed to attitude to rates to motors."""
    w, x, y, z = state['quaternion']
    roll = math.atan2(2 * (w * x + y * z), 1 - 2 * (x * x + y * y))
    pitch = math.asin(within(2 * (w * y - z * x), 1))
    yaw = math.atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z))
    pull = []
    for axis, target in enumerate((0, 0, -height)):
        error = within(target - state['position'][axis], 3) - state['velocity'][axis]
        drift[axis] = within(drift[axis] + 0.8 * error / RATE, 4)
        pull.append(within(3 * error + drift[axis], 6))
    north, east, down = pull[0], pull[1], pull[2] - 9.8
    ahead, right = north * math.cos(yaw) + east * math.sin(yaw), east * math.cos(yaw) - north * math.sin(yaw)
    tilt = (math.atan2(right, -down) - roll, -math.atan2(ahead, -down) - pitch, -yaw)
    turn = [gain * (6 * within(angle, 0.5) - rate) for gain, angle, rate in zip((0.025, 0.025, 0.05), tilt, state['imu']['gyro'])]
    thrust = HOVER * -down / 9.8 / max(0.5, math.cos(roll) * math.cos(pitch))
    parts = [max(0, min(1, thrust + sum(m * t for m, t in zip(mix, turn)))) for mix in MIX]
    return [round(1150 + 800 * (math.sqrt(0.35 ** 2 + 4 * 0.65 * part) - 0.35) / 1.3) for part in parts]


frame, answer = 0, {'quaternion': (1, 0, 0, 0), 'position': (0, 0, 0), 'velocity': (0, 0, 0), 'imu': {'gyro': (0, 0, 0)}}
while True:
    frame += 1
    data = struct.pack('<HHI16H', 18458, RATE, frame, *pulses(answer), *[1000] * 12)
    while True:
        try:
            link.send(data)
            answer = json.loads(link.recv(2048))
            break
        except (TimeoutError, ConnectionRefusedError, json.JSONDecodeError):
            pass  # nobody is there yet, or time stands: the same frame again
