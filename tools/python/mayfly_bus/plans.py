# SPDX-License-Identifier: Apache-2.0
"""A plan that is written in Python: boustrophedon over squares that a camera sees at once, as fleet/plan_bcd.c has it for rectangles."""
from typing import List

import numpy as np

from .client import Area


def boustrophedon(area: Area, partial: bool = True) -> List[np.ndarray]:
    """Paths over each square of the box around ``area``, column by column, up and down in turn; each ends at the station.

    ``partial``: the last row and column, which are no whole squares, too; UavSim leaves them out.
    Returns a path for each member: an array of shape (points, 3), north, east, up [m].
    """
    low, high = area.corners.min(axis=0), area.corners.max(axis=0)
    edge = area.edge

    def cuts(length: float) -> int:
        n = int(length / edge)
        n += n * edge < length
        return n if partial else n - 1

    rows, columns = cuts(high[0] - low[0]), cuts(high[1] - low[1])
    points = np.empty((rows * columns, 3))
    for k in range(rows * columns):
        i, j = divmod(k, rows)
        j = rows - 1 - j if i % 2 else j
        south, west = low[0] + j * edge, low[1] + i * edge
        points[k] = ((south + min(south + edge, high[0])) / 2, (west + min(west + edge, high[1])) / 2, area.altitude)
    share = -(-len(points) // area.members)
    return [np.vstack([points[m * share:(m + 1) * share], area.station]) for m in range(area.members)]
