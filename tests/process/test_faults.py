#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Faults that wait for events, by the environment, under every clock: the same instants of the flight. MAYFLY names
the binary."""
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from test_mission import MAYFLY, Client, frame as mission_frame, ITEM, ITEM_INT     # noqa: E402
from test_process import command     # noqa: E402

TAKEOFF, WAYPOINT, LAND, MISSION_START = 22, 16, 21, 300
CLOCKS = 'x20', 'fast', 'event'

# when the fault begins, and a line of the log that is so many seconds before: topic, beginning of the text
EVENTS = {
    'arm:1.25': ('armed', 'yes', 1.25),
    'takeoff:0.5': ('landed', 'takeoff', 0.5),
    'landing:1s': ('landed', 'on ground', 1.0),
    'disarm:2s': ('armed', 'no', 2.0),
    'waypoint1:0.25': ('landed', 'takeoff', None),   # the same under every clock
}


def item(seq, number, lat, height):
    return mission_frame(ITEM_INT, ITEM.pack(0, 0, 0, 0, lat, 85455940, height, seq, number, 1, 1, 6, seq == 0, 1, 0))


MISSION = [item(0, TAKEOFF, 473977420, 5.0), item(1, WAYPOINT, 473978420, 5.0), item(2, LAND, 473978420, 0.0)]


def microseconds(t):
    return round(t * 1e6)


class Events(unittest.TestCase):
    def fly(self, clock, when):
        """Log lines of the flight up to the fault: microseconds, topic, text."""
        env = {k: v for k, v in os.environ.items() if not k.startswith(('MAYFLY_', 'PX4_'))}
        env['MAYFLY_FAULTS'] = f'motor_off@{when}'
        process = subprocess.Popen([MAYFLY, '--udp', 'none', '--udp-out', 'none', '--tcp', '127.0.0.1:0', '--clock', clock,
                                    '--log', 'json'], stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, env=env, text=True)
        lines, client = [], None
        try:
            for text in process.stderr:
                port = re.search(r'tcp \S+:(\d+): MAVSDK', text)
                if port and client is None:
                    client = Client(int(port[1]))
                    self.assertEqual(client.upload(MISSION), 0)
                    client.sock.sendall(command(MISSION_START))
                line = json.loads(text)
                lines.append((microseconds(line['t']), line['topic'], line['text']))
                if line['topic'] == 'motors':
                    return lines
        finally:
            if client:
                client.close()
            process.send_signal(signal.SIGTERM)
            process.communicate(timeout=10)
        raise AssertionError('the fault did not begin')

    def test_sim046_faults_by_event_come_at_the_same_instants_under_every_clock(self):
        for when, (topic, text, later_s) in EVENTS.items():
            took = set()
            for clock in CLOCKS:
                with self.subTest(when=when, clock=clock):
                    lines = self.fly(clock, when)
                    since = [t for t, at, what in lines if at == topic and what.startswith(text)]
                    took.add(lines[-1][0] - since[-1])
            self.assertEqual(len(took), 1, (when, took))
            if later_s is not None:
                self.assertEqual(took, {microseconds(later_s)}, when)


if __name__ == '__main__':
    unittest.main()
