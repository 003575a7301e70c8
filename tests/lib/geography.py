# SPDX-License-Identifier: Apache-2.0
"""Where drones of tests stand, and distances there."""
import math

HOME = (47.397742, 8.545594, 488.0)

def distance_m(a, b):
    """Horizontal distance of two (lat, lon) a few hundred metres apart."""
    north = math.radians(a[0] - b[0]) * 6367000
    east = math.radians(a[1] - b[1]) * 6389000 * math.cos(math.radians(a[0]))
    return math.hypot(north, east)


def offset(north_m, east_m, origin=HOME):
    """The place north and east of another, (lat, lon) in degrees."""
    lat = origin[0] + math.degrees(north_m / 6367000)
    return lat, origin[1] + math.degrees(east_m / (6389000 * math.cos(math.radians(origin[0]))))
