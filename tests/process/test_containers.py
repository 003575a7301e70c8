# SPDX-License-Identifier: Apache-2.0
"""The commands of README.md, docs/not-on-linux.md and docs/containers.md as they stand, under podman with a bridge network and published ports.

Needs build/mayfly-image.tar (`make image`) and, for the compose file, build/mayfly-tools-image.tar (`make tools-image`), root, podman
with netavark, and podman-compose. What is missing is said; with CI set it is a failure.
"""
import json
import os
import re
import socket
import subprocess
import unittest

import documents
from containers import PROGRAMS, InNetworkOf
from documents import of_build
from images import IMAGE, TOOLS, place_of
from paths import SIMCTL, TOP
from waiting import wait_until

PATIENCE_S = 20


class Containerfiles(unittest.TestCase):
    def test_both_images_have_the_same_settings(self):
        """deploy/Containerfile compiles the program by itself; everything else is the Containerfile's."""
        def settings(path):
            with open(os.path.join(TOP, path), encoding='utf-8') as f:
                return [line for line in f.read().split('FROM scratch\n')[1].split('\n') if re.match('USER|ENV|EXPOSE|STOPSIGNAL|ENTRYPOINT', line)]
        self.assertEqual(settings('deploy/Containerfile'), settings('Containerfile'))
        self.assertEqual(len(settings('Containerfile')), 5)


class Case(unittest.TestCase):
    def system_id(self, port):
        """In the first frame that a client of this machine reads from a TCP port; docker's and podman's proxies accept early."""
        def first():
            with InNetworkOf(self.place.pid):
                connection = socket.create_connection(('127.0.0.1', port), timeout=PATIENCE_S)
            with connection:
                frame = connection.recv(6, socket.MSG_WAITALL)
                return len(frame) == 6 and frame[0] == 0xfd and frame[5]
        return wait_until(first, f'a frame from port {port}', PATIENCE_S)

    def all(self, heading, page='docs/not-on-linux.md'):
        """What the commands below a heading print, line by line"""
        return [self.place.must(line, PATIENCE_S) for line in documents.commands(page, heading)]


class Readme(Case):
    """The platform engineer's door, but for make: what was built is tested."""
    @classmethod
    def setUpClass(cls):
        cls.place = place_of(cls, IMAGE, programs=PROGRAMS, alone=True)
        cls.podman, cls.simctl = documents.examples('README.md', 'Platform engineers')

    def lines(self, block):
        return [of_build(line) for line in block.splitlines() if not line.startswith('make ')]

    def test_an_image(self):
        said = [self.place.must(line) for line in self.lines(self.podman)]
        self.assertIn('localhost/mayfly', said[0])
        self.assertEqual(self.system_id(5760), 1)
        self.assertIn('system id 1', self.place.must('podman logs drone 2>&1'))

    def test_the_controller(self):
        serve = subprocess.Popen([*self.place.enter, SIMCTL, 'serve'], cwd=TOP, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.addCleanup(serve.wait)
        self.addCleanup(serve.terminate)
        up, rm = self.lines(self.simctl)
        said = self.place.must(up, PATIENCE_S)
        self.assertEqual(len(re.findall(r'tcpout://\S+', said)), 5, said)
        self.place.must(rm)
        self.assertNotIn(' ready ', self.place.must(of_build('build/simctl ls')))


class NotOnLinux(Case):
    @classmethod
    def setUpClass(cls):
        cls.place = place_of(cls, IMAGE, programs=PROGRAMS, alone=True)
        load, = [line for line in documents.commands('docs/not-on-linux.md', 'The image') if 'load' in line]
        cls.place.must(of_build(load.replace('mayfly-images', 'mayfly-image')))     # the image of this machine's processor

    def test_a_drone(self):
        _, log, vehicle = self.all('A drone')
        self.assertNotIn('Error', log)
        self.assertEqual(json.loads(vehicle)['armed'], False)
        self.assertEqual(self.system_id(5760), 1)

    def test_a_ground_station_on_udp(self):
        with InNetworkOf(self.place.pid):
            station = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        with station:
            station.bind(('0.0.0.0', 14550))
            station.settimeout(PATIENCE_S)
            self.all('A ground station on UDP')
            self.assertEqual(station.recv(300)[0], 0xfd)

    def test_a_drone_per_test(self):
        _, address, _ = [self.place.must(line, PATIENCE_S) if 'stop' not in line else None
                         for line in documents.commands('docs/not-on-linux.md', 'A drone per test')]
        self.assertEqual(self.system_id(int(address.strip().split(':')[1])), 1)
        self.place.must(documents.commands('docs/not-on-linux.md', 'A drone per test')[-1])
        self.assertNotIn('test-1', self.place.must('podman ps --all'))


class Compose(Case):
    @classmethod
    def setUpClass(cls):
        cls.place = place_of(cls, IMAGE, TOOLS, programs=(*PROGRAMS, 'podman-compose'), alone=True)

    def test_three_drones_and_a_client(self):
        self.place.env['MAYFLY_API_TOKEN'] = 'correct-horse'
        for line in documents.commands('docs/containers.md', 'Three drones and a client'):
            if line.startswith('make '):
                continue     # what is tested is what was built
            if 'podman wait' in line:
                self.check_drones()
            said = self.place.must(of_build(line), timeout_s=300)
            if 'podman wait' in line:
                self.assertEqual(said.strip().split('\n')[-1], '0', self.place.must('podman logs deploy_client_1 2>&1'))
            if 'podman logs' in line:
                log = said + self.place.must('podman logs deploy_client_1 2>&1')
                self.assertRegex(log, 'system 2 ')
        self.assertEqual(self.place.must('podman ps --all --quiet'), '')

    def check_drones(self):
        self.assertEqual([self.system_id(port) for port in (5761, 5762, 5763)], [1, 2, 3])
        homes = []
        for port in (5861, 5862, 5863):
            ask = f'curl -sS -f -H "Authorization: Bearer correct-horse" http://127.0.0.1:{port}/v1/vehicle'
            homes.append(json.loads(self.place.must(ask, PATIENCE_S))['home'])
        north_m = [(home['lat_deg'] - homes[0]['lat_deg']) * 111_190 for home in homes]
        self.assertAlmostEqual(max(north_m), 20, delta=0.2)     # a grid: the second stands 20 m north of the first
