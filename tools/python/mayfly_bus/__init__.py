# SPDX-License-Identifier: Apache-2.0
"""A client of the bus of mayfly-swarm (docs/bus.md): plans, orders, detection and learning in Python, in lockstep with a swarm.

Places are north, east, up of ``space.origin`` in metres, velocities metres per second in the same frame, headings radians clockwise
from north, times seconds since the beginning. Members are numbered from 0, as they stand in the scenario.

>>> with mayfly_bus.Swarm('search.yaml') as swarm:                      # starts build/mayfly-swarm, connects
...     for member in range(swarm.area.members):
...         swarm.path(member, [[100.0, 100.0, 30.0]], speed=20.0)
...     end = swarm.run()                                               # to its end
...     print(end.statistics['energy'])
"""
import sys

try:
    import numpy  # noqa: F401
except ModuleNotFoundError:
    # python -m mayfly_bus.fit comes by here first: a program says it in a line
    raise (SystemExit if sys.argv[0] == '-m' else ImportError)('mayfly_bus needs numpy: pip install numpy') from None

from .client import (ACK, REPORT, SENSED, STATE, STATISTICS, Area, BusError, Client, End, Entity, Heard, Look, Swarm, Turn)
from .plans import boustrophedon

__all__ = ['ACK', 'REPORT', 'SENSED', 'STATE', 'STATISTICS', 'Area', 'BusError', 'Client', 'End', 'Entity', 'Heard', 'Look', 'Swarm', 'Turn',
           'boustrophedon']
__version__ = '1.0.0'
