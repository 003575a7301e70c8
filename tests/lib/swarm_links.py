# SPDX-License-Identifier: Apache-2.0
"""A swarm that goes on beside a test, its vehicles from outside: clients of links, and the control API."""
import functools
import os
import select
import signal
import socket
import struct
import subprocess
import tempfile
import time

import mavlink
from http_client import ask_document
from mavlink import AUTOPILOT_VERSION, COMMAND_ACK, REQUEST_MESSAGE, content, split
from paths import SWARM
from ports import free_port
from waiting import end_process, wait_until

PATIENCE_S = 30.0
command = functools.partial(mavlink.command, system=0)     # to whichever vehicle has the link
ADDRESS = '"127.64.0.0:TCP"'    # of vehicle 0, at a port that Swarm chooses
PLAN = '''QGC WPL 110
0 0 3 22 0 0 0 0 47.397742 8.545594 30 1
1 0 3 16 0 0 0 0 47.399742 8.545594 30 1
'''


class LinkClient:
    """What one link says: (system, message, payload)."""

    def __init__(self, sock):
        self.sock, self.data, self.found = sock, b'', []

    def close(self):
        self.sock.close()

    def send(self, data):
        self.sock.send(data)

    def take(self, data):
        frames, self.data = split(self.data + data, strict=True)
        self.found += [(one[5], *content(one)) for one in frames]

    def take_within(self, seconds):
        """Whether the other end is still there."""
        if select.select([self.sock], [], [], seconds)[0]:
            data = self.sock.recv(65536)
            if not data:
                return False
            self.take(data)
        return True

    def read(self, seconds):
        """What comes within this time."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0 and self.take_within(left):
            pass
        found, self.found = self.found, []
        return found

    def expect(self, message, system=None, accept=lambda payload: True):
        end = time.monotonic() + PATIENCE_S
        while time.monotonic() < end:
            while self.found:
                sysid, msgid, payload = self.found.pop(0)
                if msgid == message and system in (None, sysid) and accept(payload):
                    return payload.ljust(64, b'\0')
            if not self.take_within(0.2):
                break
        return None

    def ack(self, number, system=None):
        payload = self.expect(COMMAND_ACK, system, lambda p: struct.unpack_from('<H', p.ljust(2, b'\0'))[0] == number)
        return None if payload is None else payload[2]

    def uid(self, system):
        """AUTOPILOT_VERSION.uid: the number of the vehicle that answers for a system."""
        self.send(command(REQUEST_MESSAGE, AUTOPILOT_VERSION, system=system))
        payload = self.expect(AUTOPILOT_VERSION, system)
        return None if payload is None else struct.unpack_from('<Q', payload, 8)[0]


def call(port, path, body=None, method=None, headers=None):
    """(status, JSON or text) of a control API, which may not listen yet."""
    def ask():
        try:
            return ask_document(port, method or ('GET' if body is None else 'POST'), path, body, headers)
        except ConnectionRefusedError:
            return None
    return wait_until(ask, f'a control API at port {port}', PATIENCE_S)


class Swarm:
    """links: of the scenario, where TCP and API stand for ports of its own."""

    def __init__(self, links, more='', count=600, clock='x5', args=(), prepare=None, entities=None, top=''):
        self.folder = tempfile.TemporaryDirectory()
        self.tcp, self.api, self.clients = free_port(), free_port(), []
        self.write('hop.waypoints', PLAN)
        entities = entities or f'{{name: walker, count: {count}, place: {{grid: [1000, 1000], spacing: 20}}{more}}}'
        self.write('s.yaml', f'''swarm: 1
time: {{clock: {clock}}}
entities: [{entities}]
links: {links.replace('TCP', str(self.tcp)).replace('API', str(self.api))}
{top}''')
        self.process = None
        self.start(*args, prepare=prepare)

    def start(self, *args, prepare=None):
        if self.process is not None:
            self.process.stdout.close()
            self.process.stderr.close()
        self.process = subprocess.Popen([SWARM, self.path('s.yaml'), '--out', self.folder.name, *args], preexec_fn=prepare,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def __enter__(self):
        return self

    def __exit__(self, *unused):
        for client in self.clients:
            client.close()
        end_process(self.process)
        self.process.stdout.close()
        self.process.stderr.close()
        self.folder.cleanup()

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def write(self, name, text):
        with open(self.path(name), 'w', encoding='utf-8') as f:
            f.write(text)

    def call(self, path, body=None, method=None, headers=None):
        return call(self.api, path, body, method, headers)

    def clock_s(self):
        return self.call('/v1/clock')[1]['time_s']

    def connect(self, host, port):
        end = time.monotonic() + PATIENCE_S
        while True:
            try:
                self.clients.append(LinkClient(socket.create_connection((host, port), timeout=PATIENCE_S)))
                return self.clients[-1]
            except ConnectionRefusedError:
                if time.monotonic() > end or self.process.poll() is not None:
                    raise
                time.sleep(0.02)

    def vehicle(self, number):
        return self.connect(f'127.64.{number >> 8}.{number & 255}', self.tcp)

    def end(self):
        """Ctrl-C. Returns its code, what it printed, its complaints."""
        self.process.send_signal(signal.SIGINT)
        out, error = self.process.communicate(timeout=PATIENCE_S)
        return self.process.returncode, out, error
