# SPDX-License-Identifier: Apache-2.0
"""Sensors of build/mayfly-swarm on MAVLink links: programs that fly a vehicle or a drone elsewhere sense a wall that exists in the swarm alone."""
import socket
import struct
import time

import pytest

from drone import PATIENCE_S, Drone
from mavlink import (ARM, GLOBAL_POSITION_INT, HEARTBEAT, SET_MODE, SET_POSITION_TARGET_LOCAL_NED as SETPOINT, TAKEOFF, frame)
from names import assert_names
from swarm_case import SwarmCase
from swarm_links import ADDRESS, LinkClient, Swarm, command

DISTANCE_SENSOR, OBSTACLE_DISTANCE, OPTICAL_FLOW_RAD, OFFBOARD = 132, 330, 106, 6
# A wall 40 m to the north that one flies over in vain; the sensors of who flies towards it.
WALL = '{kind: box, at: [40, -200, -10], size: [1, 400, 500]}'
SENSORS = '[{kind: range, rate: 20, reach: 60}, {kind: ring, rate: 5, reach: 60}, {kind: optical_flow, rate: 5}]'


def setpoint(north):
    """SET_POSITION_TARGET_LOCAL_NED: a velocity, nothing else."""
    return frame(SETPOINT, struct.pack('<I11fHBBB', 0, 0, 0, 0, north, 0, 0, 0, 0, 0, 0, 0, 0x0FC7, 0, 0, 1))


def distance(payload):
    """time_boot_ms, max_distance, current_distance, id, orientation"""
    ms, _, most, now, _, number, orientation = struct.unpack_from('<IHHHBBB', payload.ljust(39, b'\0'))
    return ms, most, now, number, orientation


class Pilot:
    """Onboard software that knows nothing of the world but what it hears."""

    def __init__(self, client, system=1):
        self.client, self.system, self.seen, self.height, self.mode, self.at = client, system, [], 0.0, 0, []
        self.others = {}

    def hear(self, seconds):
        for system, message, payload in self.client.read(seconds):
            if system != self.system:
                continue
            if message == DISTANCE_SENSOR:
                self.seen.append(distance(payload))
            elif message == GLOBAL_POSITION_INT:
                values = struct.unpack_from('<IiiiihhhH', payload.ljust(28, b'\0'))
                self.at.append(values[1] / 1e7)
                self.height = values[4] / 1e3
            elif message == HEARTBEAT:
                self.mode = payload[2]
            elif message in (OBSTACLE_DISTANCE, OPTICAL_FLOW_RAD):
                self.others[message] = payload

    def until(self, done):
        end = time.monotonic() + 3 * PATIENCE_S
        while not done():
            assert time.monotonic() < end, (self.seen[-1:], self.height, self.mode)
            self.hear(0.05)
            yield

    def brake(self, before_cm):
        """It takes off, flies north at 3 m/s, and stops when something is nearer than that. Returns how near the wall was then."""
        self.client.send(command(ARM, 1, system=self.system))
        self.client.send(command(TAKEOFF, 0, 0, 0, 0, 0, 0, 488 + 10, system=self.system))
        for _ in self.until(lambda: self.height > 9.5):
            pass
        for _ in self.until(lambda: self.mode == OFFBOARD):
            self.client.send(setpoint(3) + command(SET_MODE, 1, OFFBOARD, system=self.system))
        for _ in self.until(lambda: self.seen and self.seen[-1][2] < before_cm):
            self.client.send(setpoint(3))
        for _ in self.until(lambda: len(self.seen) > 6 and len({now for _, _, now, _, _ in self.seen[-6:]}) == 1):
            self.client.send(setpoint(0))
        self.client.send(setpoint(0))
        return self.seen[-1][2]


class SenseLinks(SwarmCase):
    @pytest.mark.long
    def test_sbe17_a_client_of_a_vehicle_brakes_before_a_virtual_wall(self):
        more = f', sensors: {SENSORS}, sensor_link: {{rate: 10}}'
        with Swarm(f'{{address: {ADDRESS}}}', more=more, count=2, clock='x2', top=f'space: {{obstacles: [{WALL}]}}\n'
                   'outputs: {contacts: {file: met.csv, every: 0.1}}\n') as swarm:
            pilot = Pilot(swarm.vehicle(1))
            near = pilot.brake(before_cm=1500)
            self.assertEqual(pilot.mode, OFFBOARD)
            self.assertTrue(300 < near < 1500, near)
            self.assertEqual(pilot.seen[0][1:], (6000, 4000, 1, 0))  # before it flies: 40 m ahead
            steps = {after[0] - before[0] for before, after in zip(pilot.seen, pilot.seen[1:])}
            self.assertEqual(steps, {100})  # it measures 20 times a second, of which 10 may leave
            north = (pilot.at[-1] - 47.397742) * 111178
            self.assertAlmostEqual(north + near / 100, 40, delta=0.1)
            around = struct.unpack_from('<Q72HHHBBffB', pilot.others[OBSTACLE_DISTANCE].ljust(167, b'\0'))
            self.assertEqual((around[1], around[37], around[73:75], around[76]), (near, 6001, (0, 6000), 5))
            self.assertAlmostEqual(around[13], 2 * near, delta=2)  # 60 degrees to the right
            flow = struct.unpack_from('<QI5fIfhBB', pilot.others[OPTICAL_FLOW_RAD].ljust(44, b'\0'))
            self.assertEqual((flow[1], flow[2], flow[3], flow[10], flow[11]), (200000, 0, 0, 3, 255))
            self.assertAlmostEqual(flow[8], pilot.height, delta=0.01)
            _, out, _ = swarm.end()
            self.assertRegex(out, r'(?m)^sensors +[1-9][0-9]* .*\b[1-9][0-9]* ')
            assert_names(out, 'contacts 0 obstacles')

    @pytest.mark.long
    def test_sbe17_a_drone_elsewhere_brakes_before_a_wall_that_it_cannot_have(self):
        """The swarm sends what a ghost's sensors see to the drone, which passes it on to its own client."""
        with Drone() as drone:
            swarm = self.start(self.scenario(
                f'time: {{clock: real, end: 60}}\nspace: {{obstacles: [{WALL}]}}\nentities:\n'
                f'  - {{name: real, as: ghost, link: "tcpout:127.0.0.1:{drone.port()}", sensors: {SENSORS}}}\n'))
            client = LinkClient(drone.opened(socket.create_connection(('127.0.0.1', drone.port()), timeout=PATIENCE_S)))
            pilot = Pilot(client)
            near = pilot.brake(before_cm=3000)
            self.assertEqual(pilot.mode, OFFBOARD)
            self.assertTrue(1000 < near < 3000, near)
            north = (pilot.at[-1] - 47.397742) * 111178
            self.assertAlmostEqual(north + near / 100, 40, delta=0.3)
            swarm.terminate()
            self.assertRegex(swarm.communicate()[0], r'sensors +[1-9][0-9]* messages')

    @pytest.mark.long
    def test_a_ghost_that_is_lost_measures_nothing(self):
        with Drone() as drone:
            swarm = self.start(self.scenario(
                'time: {clock: real, end: 9}\nentities:\n'
                f'  - {{name: real, as: ghost, link: "tcpout:127.0.0.1:{drone.port()}", lost_after: 1, sensors: [{{kind: position, rate: 10}}]}}\n'
                'outputs: {sensors: {file: sensors.csv}}\n'), '--out', self.folder)
            time.sleep(2)
            drone.end()
            swarm.communicate(timeout=4 * PATIENCE_S)
        times = [float(row['t_s']) for row in self.rows('sensors.csv')]
        self.assertGreater(len(times), 5)
        self.assertLess(times[-1], 8.5)  # otherwise 9
