# SPDX-License-Identifier: Apache-2.0
"""A ground station behind a network with 300 m of range, at which a drone flies by."""
import json
import socket
import struct

from gzuav_client import Subscriber
from mavlink import HEARTBEAT, frame
from ports import free_port
from swarm_case import RunCase, options

AWAY = '''
swarm: 1
time: {clock: fast, end: 160}
gzuav: {listen: 0, tick: 1, expect: [1, 0]}
links: {address: "ADDRESS:5760", transport: vehicle}
network:
  kind: ns3
  range: 300
  params: {radio: adhoc, loss: range, range: 300}
  flows: [{client: PORT, station: gcs, vehicle: drone, via: VIA}]
entities:
  - {name: gcs, as: agent, place: [0, 0, 0]}
  - {name: drone, place: [5, 0, 0], start: 5, plan: away.plan, params: {NAV_DLL_ACT: 2, COM_DL_LOSS_T: 10, MPC_XY_CRUISE: 10}}
outputs: {events: events.csv}
'''
SAYS = frame(HEARTBEAT, struct.pack('<IBBBBB', 0, 6, 8, 0, 4, 3))


def plan(*latitudes):
    """Take-off to 20 m, then there."""
    def item(number, command, latitude):
        return {'type': 'SimpleItem', 'autoContinue': True, 'command': command, 'doJumpId': number, 'frame': 3, 'Altitude': 20, 'AltitudeMode': 1,
                'AMSLAltAboveTerrain': None, 'params': [0, 0, 0, None, latitude, 8.545594, 20]}
    items = [item(k + 1, 22 if k == 0 else 16, latitude) for k, latitude in enumerate(latitudes)]
    return {'fileType': 'Plan', 'groundStation': 'test', 'version': 1, 'geoFence': {'circles': [], 'polygons': [], 'version': 2},
            'rallyPoints': {'points': [], 'version': 2},
            'mission': {'cruiseSpeed': 15, 'hoverSpeed': 5, 'firmwareType': 12, 'globalPlanAltitudeMode': 1, 'items': items,
                        'plannedHomePosition': [latitudes[0], 8.545594, 488], 'vehicleType': 2, 'version': 2}}


class StationCase(RunCase):
    def setUp(self):
        super().setUp()
        self.port, self.address = free_port(), f'127.64.0.0:{free_port()}'

    def away(self, via):
        return AWAY.replace('PORT', str(self.port)).replace('VIA', via).replace('ADDRESS:5760', self.address)

    def lose(self, via, *sets):
        """The events and the trace of a run, [(s, bytes that the station has read then)] on gzuav's clock, and what the swarm says."""
        self.write('away.plan', json.dumps(plan(47.397742, 47.397742 + 900 / 111_200)))
        self.begin(self.away(via), *options(*sets))
        gzuav, = self.ports(self.process, 'gzuav')
        with socket.socket(type=socket.SOCK_DGRAM) if via == 'udp' else socket.socket() as link:
            link.connect(('127.0.0.1', self.port))
            link.setblocking(False)
            driver, heard = Subscriber(gzuav, 0), []    # time begins
            for _ in range(160):
                t, _ = driver.begin()
                got = 0
                try:
                    while True:
                        got += len(link.recv(65536))
                except BlockingIOError:
                    pass
                heard.append((t, got))
                link.send(SAYS)
                driver.end()
            out, _ = self.end()
        return self.text('events.csv'), self.text('trace.txt'), heard, out
