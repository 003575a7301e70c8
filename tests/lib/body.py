# SPDX-License-Identifier: Apache-2.0
"""build/mayfly-body, and the autopilot's end of its link, ArduPilot's JSON interface."""
import json
import signal
import socket
import struct
import subprocess

from paths import built
from ports import free_port

BODY = built('mayfly-body')
RATE = 250
STILL = [1000] * 16


def packet(frame, pwm, rate=RATE, magic=18458):
    """As ArduPilot's readme lays it out: uint16 magic, uint16 frame_rate, uint32 frame_count, uint16 pwm[16]."""
    return struct.pack('<HHI16H', magic, rate, frame, *pwm)


class Body:
    def __init__(self, *args):
        self.port = free_port()
        self.process = subprocess.Popen([BODY, '--port', str(self.port), *args], stderr=subprocess.PIPE, text=True)
        self.said = self.process.stderr.readline()
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.settimeout(20)
        self.socket.connect(('127.0.0.1', self.port))
        self.frame = 0

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()
        self.end()

    def end(self, by=signal.SIGTERM):
        if self.process.returncode is None:
            self.process.send_signal(by)
            self.said += self.process.communicate(timeout=20)[1]
        return self.said

    def ask(self, data):
        self.socket.send(data)
        return self.socket.recv(2048)

    def step(self, pwm=(), rate=RATE):
        self.frame += 1
        return json.loads(self.ask(packet(self.frame, [*pwm, *STILL[len(pwm):]], rate)))

    def fly(self, pilot, seconds, state, each=lambda state: None):
        for _ in range(int(seconds * RATE)):
            state = self.step(pilot.pulses(state, 1 / RATE))
            each(state)
        return state
