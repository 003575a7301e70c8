# SPDX-License-Identifier: Apache-2.0
"""Clocks on hosts that stall and with clients that dawdle or do not read (docs/time.md): no frame is skipped."""
import os
import re
import select
import signal
import socket
import threading
import time
import unittest

import pytest

from drone import ApiDrone, Peer
from mavlink import (ACCEPTED, ANY, ARM, BARRIER, COMMAND_ACK, HEARTBEAT, IN_PROGRESS, LAND, REPOSITION, TAKEOFF, command,
                     content, split)
from time_socket import S
from waiting import wait_until

OVERRUNS = 'mayfly_overruns_total'
# Of 255/190, to the end of a run: the frame's trailing zeros are cut off.
ACK_OF_RUN = BARRIER.to_bytes(2, 'little') + bytes([ACCEPTED, 0, 0, 0, 0, 0, 255, 190])


class ClockDrone(ApiDrone):
    """Its vehicle time stands at 0 until somebody is heard."""

    def __init__(self, clock, *args):
        super().__init__('--clock', clock, '--start', 'connect', '--time-socket', '0', '--epoch', '2026-03-01', *args)

    def metric(self, series):
        return float(re.search(rf'^{re.escape(series)} (\S+)$', self.get('/metrics')[1], re.M)[1])

    def deaf(self):
        """A client that takes little before it reads."""
        sock = self.opened(socket.socket())
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        sock.connect(('127.0.0.1', self.port()))
        return sock

    def said(self, what):
        return sum(what in line for line in list(self.lines))


class Watched:
    """A MAVLink client and all frames that it got; each is (message id, payload), and has followed the last one."""

    def __init__(self, peer):
        self.peer, self.frames, self.data, self.sequence = peer, [], peer.frames.data, None

    def take(self, patience_s=0.0):
        while select.select([self.peer.fd], [], [], patience_s)[0]:
            data = os.read(self.peer.fd, 65536)
            assert data, 'the drone has hung up'
            new, self.data = split(self.data + data, strict=True)
            for one in new:
                assert self.sequence is None or one[4] == (self.sequence + 1) % 256, 'a gap'
                self.sequence = one[4]
                self.frames.append(content(one))
            if not patience_s:
                continue
            return

    def ask(self, number, *params):
        """Until the command is answered: its result."""
        known = len(self.frames)
        self.peer.send(command(number, *params))

        def answer():
            self.take(0.1)
            return [(p + bytes(3))[2] for kind, p in self.frames[known:] if kind == COMMAND_ACK and p[0] | p[1] << 8 == number]
        return wait_until(answer, f'an answer to {number}', pause_s=0)[0]


class Stops(threading.Thread):
    """SIGSTOP and SIGCONT, again and again: the host has no time for the drone."""

    def __init__(self, drone, pauses_s, between_s):
        super().__init__(daemon=True)
        self.drone, self.pauses_s, self.between_s = drone, pauses_s, between_s
        self.start()

    def run(self):
        for pause_s in self.pauses_s:
            time.sleep(self.between_s)
            self.drone.process.send_signal(signal.SIGSTOP)
            time.sleep(pause_s)
            self.drone.process.send_signal(signal.SIGCONT)


def without_heartbeats(frames):
    return [one for one in frames if one[0] != HEARTBEAT]


def stall(drone, time_, pause_s):
    """The host has no time for the drone, while it is on its way: False if it has arrived already, where it would lose nothing."""
    drone.process.send_signal(signal.SIGSTOP)
    os.waitid(os.P_PID, drone.process.pid, os.WSTOPPED)
    running = time_.quiet(0)
    if running:
        time.sleep(pause_s)
    drone.process.send_signal(signal.SIGCONT)
    return running


def fly(clock, stalls_s=((), (), ())):
    """A minute from arming on, in three legs. Returns all frames, how many HEARTBEATs the wall may have added, and the drone's own figures."""
    due_s = []
    with ClockDrone(clock, '--param', 'COM_DL_LOSS_T=3600') as drone:  # it tells of no ground station that is silent on a slow host
        start = time.monotonic()
        time_ = drone.controller()
        assert time_.at('hold') == 0
        peer = Watched(drone.client())
        assert peer.ask(ARM, 1) == ACCEPTED
        assert peer.ask(TAKEOFF, -1, 0, 0, ANY, ANY, ANY, 498) == ACCEPTED
        legs = ((REPOSITION, -1, 1, 0, ANY, 47.398, 8.5459, 500), 8), ((LAND, 0, 0, 0, ANY, ANY, ANY, 0), 20), (None, 60)
        for (order, to_s), pauses_s in zip(legs, stalls_s):
            time_.ask('hold')  # nothing is left: the next line says that it has arrived, the next frame that it has started
            peer.take()
            due_s += pauses_s
            known = len(peer.frames)
            time_.say(f'go {to_s * S}')
            while time_.quiet(0):
                peer.take(0.05)
                if due_s and without_heartbeats(peer.frames[known:]) and stall(drone, time_, due_s[0]):
                    del due_s[0]
            assert time_.expect('at')['at'] == str(to_s * S)
            assert order is None or peer.ask(*order) == ACCEPTED
        assert not due_s, 'it has arrived before the host stalled'
        figures = {name: drone.metric(name) for name in (OVERRUNS, 'mayfly_clock_lost_seconds_total{reason="host"}')}
        peer.take()  # what it had sent before it answered
        wall_s = time.monotonic() - start
        return peer.frames, int(wall_s) + 1, figures


class Stalls(unittest.TestCase):
    @pytest.mark.long
    def test_sim042_a_host_that_stalls_skips_nothing(self):
        """50 ms at x20 and 10 ms at x100 are a second of vehicle time, 1 s at x20 is a third of the flight."""
        fast, _, _ = fly('fast')
        self.assertGreater(len(fast), 1000)
        for clock, stalls_s in (('x20', ((0.3, 0.05), (1.0, 0.05), (0.05, 0.05))), ('x100', ((0.2, 0.01), (0.01, 0.01), (0.01, 0.01)))):
            with self.subTest(clock=clock):
                frames, more, figures = fly(clock, stalls_s)
                self.assertEqual(len(without_heartbeats(frames)), len(without_heartbeats(fast)))
                self.assertEqual(without_heartbeats(frames), without_heartbeats(fast))
                self.assertLessEqual(len(frames) - len(fast), more)  # HEARTBEATs of the wall
                self.assertEqual(figures[OVERRUNS], 0)
                lost_s = figures['mayfly_clock_lost_seconds_total{reason="host"}']
                self.assertGreater(lost_s, sum(map(sum, stalls_s)) / 2)

    @pytest.mark.long
    def test_a_clock_that_cannot_keep_its_rate_says_so(self):
        with ClockDrone('x20') as drone:
            peer = Watched(drone.client())
            behind = ' of x20'
            Stops(drone, [0.2] * 12, 0.05).join()
            peer.take()
            wait_until(lambda: peer.take(0.1) or drone.said(behind), behind, pause_s=0)
            clock = drone.get('/v1/clock')[1]
            self.assertEqual((clock['behind'], clock['rate']), (True, 20))
            self.assertLess(drone.metric('mayfly_clock_achieved_rate'), 20.0)
            self.assertEqual(drone.metric('mayfly_clock_rate'), 20.0)
            self.assertGreater(drone.metric('mayfly_clock_lost_seconds_total{reason="host"}'), 1.5)
            self.assertEqual(drone.metric('mayfly_clock_lost_seconds_total{reason="client"}'), 0.0)
            self.assertEqual(drone.said(behind), 1)

    @pytest.mark.long
    def test_a_client_that_does_not_read_holds_vehicle_time(self):
        """For 2 s at x1000, behind a small buffer: it misses nothing, and nobody is dropped."""
        with ClockDrone('x1000', '--profile', 'onboard') as drone:
            sock = drone.deaf()
            slow, other = Watched(Peer(sock)), Watched(drone.client())
            slow.peer.send(command(BARRIER, 0))
            end = time.monotonic() + 2
            while time.monotonic() < end:
                other.take(0.05)
            self.assertLess(drone.metric('mayfly_vehicle_time_seconds'), 1000)
            self.assertGreater(drone.metric('mayfly_clock_lost_seconds_total{reason="client"}'), 0.5)
            drone.wait_for(r'x\S+ of x1000')
            stood_s = drone.metric('mayfly_vehicle_time_seconds')

            def goes_on():
                for watched in (slow, other):
                    watched.take(0.01)  # without a gap
                return drone.metric('mayfly_vehicle_time_seconds') > stood_s + 100
            wait_until(goes_on, 'time goes on', pause_s=0)
            self.assertEqual(drone.metric('mayfly_frames_unsent_total{reason="no_room"}'), 0)

    @pytest.mark.long
    def test_a_dead_client_holds_vehicle_time_for_five_seconds(self):
        with ClockDrone('x100', '--profile', 'onboard') as drone:
            sock = drone.deaf()
            sock.sendall(command(BARRIER, 0))
            wait_until(lambda: drone.said(f'{sock.getsockname()[1]}: dropped'), 'the drone drops it', 60)
            stood_s = drone.metric('mayfly_vehicle_time_seconds')
            self.assertGreater(drone.metric('mayfly_clock_lost_seconds_total{reason="client"}'), 4.5)
            other = Watched(drone.client())
            wait_until(lambda: other.take(0.1) or drone.metric('mayfly_vehicle_time_seconds') > stood_s + 20, 'time goes on', pause_s=0)


class Dawdling(unittest.TestCase):
    @pytest.mark.long
    def test_sim042_a_client_that_thinks_gets_heartbeats_in_addition(self):
        """With barriers on fast: what comes while time stands are HEARTBEATs of the wall; without them all frames are the same."""
        def session(thinks_s):
            with ClockDrone('fast') as drone:
                watched, added = Watched(drone.tcp()), 0
                self.assertEqual(watched.ask(BARRIER, 1), ACCEPTED)
                self.assertEqual(watched.ask(ARM, 1), ACCEPTED)
                for order in (TAKEOFF, -1, 0, 0, ANY, ANY, ANY, 530), None, None, (LAND, 0, 0, 0, ANY, ANY, ANY, 0), None:
                    if order is not None:
                        self.assertEqual(watched.ask(*order), ACCEPTED)
                    known = len(watched.frames)
                    end = time.monotonic() + thinks_s
                    while time.monotonic() < end:
                        watched.take(0.1)
                    thought = watched.frames[known:]
                    self.assertEqual({kind for kind, _ in thought} - {HEARTBEAT}, set())
                    del watched.frames[known:]
                    added += len(thought)
                    self.assertEqual(watched.ask(BARRIER, 2, 2.4), IN_PROGRESS)
                    while watched.frames[-1] != (COMMAND_ACK, ACK_OF_RUN):
                        watched.take(0.1)
                return watched.frames, added

        quick, _ = session(0)
        slow, added = session(1.2)
        self.assertGreaterEqual(added, 5)
        self.assertEqual(slow, quick)
