# SPDX-License-Identifier: Apache-2.0
"""An autopilot that steers motors by widths of pulses: place, velocity, attitude and rate, one loop in the other. It shares
nothing with Mayfly's; what it is told about the world is a line of JSON (or the same as a dictionary)."""
import math

MASS, GRAVITY, THRUST_MAX = 3.0, 9.80665, 3.0 * 9.80665 / 0.39
EXPO, IDLE, FULL = 0.65, 0.15, 0.95
# motors 1 to 4 of an X: how each turns the body to the right, nose up, clockwise
MIX = ((-1, 1, 1), (1, -1, 1), (1, 1, -1), (-1, -1, -1))


def limited(value, limit):
    return limit if value > limit else -limit if value < -limit else value


def euler(q):
    """Roll, pitch, yaw [rad] of a quaternion w, x, y, z."""
    w, x, y, z = q
    return (math.atan2(2 * (w * x + y * z), 1 - 2 * (x * x + y * y)), math.asin(limited(2 * (w * y - z * x), 1.0)),
            math.atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z)))


class Autopilot:
    """pulses(state, dt): four widths [us], to go to `target` (NED, m) looking at `yaw`. Off until `on`."""

    def __init__(self, yaw=0.0):
        self.target, self.yaw, self.on = (0.0, 0.0, 0.0), yaw, False
        self.sum_v = [0.0, 0.0, 0.0]

    def wanted(self, state, dt):
        """Acceleration against gravity [m/s^2], NED."""
        out = []
        for axis, limit in enumerate((4.0, 4.0, 2.0)):
            speed = limited(1.0 * (self.target[axis] - state['position'][axis]), limit)
            error = speed - state['velocity'][axis]
            self.sum_v[axis] = limited(self.sum_v[axis] + error * dt * 0.8, 6.0)
            out.append(3.0 * error + self.sum_v[axis])
        return limited(out[0], 7.0), limited(out[1], 7.0), limited(out[2], 5.0) - GRAVITY

    def pulses(self, state, dt):
        if not self.on:
            self.sum_v = [0.0, 0.0, 0.0]
            return [1000] * 4
        roll, pitch, yaw = euler(state['quaternion'])
        north, east, down = self.wanted(state, dt)
        ahead = north * math.cos(yaw) + east * math.sin(yaw)
        right = east * math.cos(yaw) - north * math.sin(yaw)
        tilt = (math.atan2(right, -down), -math.atan2(ahead, -down))
        thrust = MASS * -down / max(0.5, math.cos(roll) * math.cos(pitch)) / THRUST_MAX
        turn = math.remainder(self.yaw - yaw, 2 * math.pi)
        rates = (6 * limited(tilt[0] - roll, 0.8), 6 * limited(tilt[1] - pitch, 0.8), 2 * limited(turn, 0.8))
        moment = [gain * (rate - gyro) for gain, rate, gyro in zip((0.025, 0.025, 0.08), rates, state['imu']['gyro'])]
        widths = []
        for mix in MIX:
            part = limited(max(0.0, thrust + sum(m * f for m, f in zip(mix, moment))), 1.0)
            level = (-(1 - EXPO) + math.sqrt((1 - EXPO) ** 2 + 4 * EXPO * part)) / (2 * EXPO)
            widths.append(round(1000 + 1000 * (IDLE + (FULL - IDLE) * level)))
        return widths
