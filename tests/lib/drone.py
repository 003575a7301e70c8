# SPDX-License-Identifier: Apache-2.0
"""build/mayfly as a process of a test, on free ports, and clients of its links."""
import os
import re
import select
import signal
import socket
import struct
import subprocess
import threading
import time

import http_client
from mavlink import COMMAND_ACK, GROUND_STATION, HEARTBEAT, PARAM_VALUE, Frames, command, param_name
from paths import FLY, MAYFLY, REPLAY
from time_socket import TimeController
from waiting import end_process

PATIENCE_S = 30.0
QUIET = ['--udp', 'none', '--udp-out', 'none']


class Peer:
    """One end of a link: a socket or a file descriptor."""

    def __init__(self, sock=None, fd=None):
        self.sock, self.fd, self.frames = sock, sock.fileno() if sock else fd, Frames()

    def send(self, data):
        if self.sock:
            self.sock.sendall(data)
        else:
            os.write(self.fd, data)

    def expect(self, msgid, accept=lambda payload: True, patience_s=PATIENCE_S):
        """The payload of the next message of that kind that is accepted, or None."""
        end = time.monotonic() + patience_s
        while True:
            while self.frames.found:
                found, payload = self.frames.found.pop(0)
                if found == msgid and accept(payload):
                    return payload
            left = end - time.monotonic()
            if left <= 0 or not select.select([self.fd], [], [], left)[0]:
                return None
            data = os.read(self.fd, 65536)
            if not data:
                return None
            self.frames.feed(data)

    def ack(self, number):
        """The result of a command's acknowledgement."""
        payload = self.expect(COMMAND_ACK, lambda p: p[0] | (p[1] if len(p) > 1 else 0) << 8 == number)
        return None if payload is None else (payload + bytes(3))[2]

    def command(self, number, *params):
        """The result of a command."""
        self.send(command(number, *params))
        return self.ack(number)

    def param(self, name, patience_s=PATIENCE_S):
        """The value in the next PARAM_VALUE of that name, or None."""
        payload = self.expect(PARAM_VALUE, lambda p: p[8:24].ljust(16, b'\0') == param_name(name), patience_s)
        return None if payload is None else struct.unpack_from('<i' if payload[24] == 6 else '<f', payload)[0]

    def take_everything(self):
        """What has come so far."""
        while select.select([self.fd], [], [], 0)[0]:
            data = os.read(self.fd, 65536)
            if not data:
                break
            self.frames.feed(data)
        found, self.frames.found = self.frames.found, []
        return found

    def close(self):
        if self.sock:
            self.sock.close()
        else:
            os.close(self.fd)


def environment(extra=None):
    env = {k: v for k, v in os.environ.items() if not k.startswith(('MAYFLY_', 'PX4_'))}
    env.update(extra or {})
    return env


class Drone:
    """A running process; its stderr is read on the side. Its end closes what tcp() and the like have opened."""

    def __init__(self, *args, env=None, base=QUIET, program=MAYFLY, **more):
        self.lines, self.ends = [], []
        if base is QUIET and '--tcp' not in args and '--config' not in args:
            base = [*base, '--tcp', '0']    # beside whatever else runs on this machine
        self.process = subprocess.Popen([program, *base, *args], stderr=subprocess.PIPE, stdout=subprocess.DEVNULL,
                                        stdin=subprocess.DEVNULL, env=environment(env), text=True, **more)
        self.reader = threading.Thread(target=lambda: self.lines.extend(iter(self.process.stderr.readline, '')),
                                       daemon=True)
        self.reader.start()

    def __enter__(self):
        return self

    def __exit__(self, *unused):
        for end in self.ends:
            end.close()
        end_process(self.process)
        self.end()

    def wait_for(self, pattern):
        end = time.monotonic() + PATIENCE_S
        while time.monotonic() < end:
            for line in list(self.lines):
                found = re.search(pattern, line)
                if found:
                    return found
            if self.process.poll() is not None and not self.reader.is_alive():
                break
            time.sleep(0.01)
        raise AssertionError(f'no line with {pattern!r} in {"".join(self.lines)!r}')

    def port(self, kind='tcp'):
        return int(self.wait_for(rf'{kind} \S+:(\d+): MAVSDK')[1])

    def api_port(self):
        return int(self.wait_for(r'http://\S+:(\d+)/')[1])

    def time_port(self):
        return int(self.wait_for(r'time \S+:(\d+): controllers')[1])

    def as_ghost(self):
        """What an entity of a swarm is that stands for it."""
        return f'as: ghost, link: "tcpout:127.0.0.1:{self.port()}", time_socket: "127.0.0.1:{self.time_port()}"'

    def opened(self, end):
        self.ends.append(end)
        return end

    def tcp(self, host='127.0.0.1'):
        return self.opened(Peer(socket.create_connection((host, self.port()), PATIENCE_S)))

    def udp(self):
        sock = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        sock.connect(('127.0.0.1', self.port('udp')))
        return self.opened(Peer(sock))

    def controller(self):
        sock = self.opened(socket.create_connection(('127.0.0.1', self.time_port()), PATIENCE_S))
        return self.opened(TimeController(sock))

    def client(self):
        """A MAVLink client that has been heard."""
        peer = self.tcp()
        peer.send(GROUND_STATION)
        assert peer.expect(HEARTBEAT) is not None
        return peer

    def fly(self, *args, kind='tcp', timeout=120):
        """build/fly does as it is told."""
        return subprocess.run([FLY, f'{kind}:127.0.0.1:{self.port(kind)}', *args], capture_output=True, text=True, timeout=timeout,
                              check=False)

    def end(self, number=signal.SIGTERM):
        """@return exit code and how long it took [s]"""
        start = time.monotonic()
        if self.process.poll() is None:
            self.process.send_signal(number)
        code = self.process.wait(PATIENCE_S)
        took = time.monotonic() - start
        self.reader.join()
        self.process.stderr.close()
        return code, took


class TimeDrone(Drone):
    """It has a time socket, and begins at a date."""

    def __init__(self, *args, **more):
        super().__init__('--tcp', '0', '--time-socket', '0', '--epoch', '2026-03-01', *args, **more)


class ApiDrone(Drone):
    """It has a control API, which is there already."""

    def __init__(self, *args, api='127.0.0.1:0', **more):
        super().__init__('--tcp', '0', '--api', api, *args, **more)
        self.api = self.api_port()

    def connect(self):
        return http_client.connect(self.api)

    def ask(self, method, path, body=None, **more):
        """(status, answer as JSON or text)"""
        return http_client.ask_document(self.api, method, path, body, **more)

    def get(self, path, **more):
        return self.ask('GET', path, **more)

    def post(self, path, body, **more):
        return self.ask('POST', path, body, **more)

    def raw(self, data=b''):
        sock = socket.create_connection(('127.0.0.1', self.api), PATIENCE_S)
        sock.sendall(data)
        return sock

    def events(self, path='/v1/events', headers=''):
        return self.opened(http_client.Events(self.api, path, headers))


def run(*args, env=None, **more):
    return subprocess.run([MAYFLY, *args], env=environment(env), capture_output=True, text=True, timeout=PATIENCE_S,
                          stdin=subprocess.DEVNULL, check=False, **more)


def assert_replays(test, path):
    """A fresh vehicle does with the recording's input what the recorded one did."""
    result = subprocess.run([REPLAY, path], capture_output=True, text=True, timeout=60, check=False)
    test.assertEqual(result.returncode, 0, result.stdout + result.stderr)
    test.assertIn(': equal: ', result.stdout)
