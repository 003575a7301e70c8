# SPDX-License-Identifier: Apache-2.0
"""Instances begin once, and end, though the controller is killed meanwhile.

run.py runs it by itself. SEED=1 chooses the moments at which it is killed.
"""
import contextlib
import os
import random
import signal
import threading
import time
import unittest

import controller
from cases import cases
from cluster import SYSTEM, kubectl, read, wait_until

KILLS = cases(10, 100)
SEED = int(os.environ.get('SEED', '1'))
BATCH = 4


def kill_controllers():
    """kill -9 of all replicas in the midst of what they do; other pods take their place, without the kubelet's back-off."""
    names = [p['metadata']['name'] for p in controller.pods()]
    pids = controller.processes()
    for pid in pids:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    if names:
        kubectl('delete', 'pod', '--force', '--grace-period=0', '--wait=false', *names, namespace=SYSTEM)
    return len(pids)


class Kills(unittest.TestCase):
    """Storms of creating and ending, and a controller that is killed at random moments."""

    def test_a_request_that_is_repeated_begins_each_instance_once(self):
        c, chance = controller.begin(), random.Random(SEED)
        killed = 0
        for n in range((KILLS + 1) // 2):  # one while instances begin, one while they end
            suite = f'storm-{os.getpid()}-{n}'
            body = {'template': 'fleet', 'count': BATCH, 'lifetime': '120s', 'request': suite, 'labels': {'suite': suite}}
            killed += self.while_killed(chance, lambda body=body: c.insist('POST', '/v1/instances', body))
            made = c.list(suite=suite)
            self.assertEqual((len(made), len({i['id'] for i in made})), (BATCH, BATCH))
            killed += self.while_killed(chance, lambda suite=suite: self.end_all(c, suite))
            self.assertEqual([i['outcome'] for i in c.all_ended(suite=suite)], ['ended'] * BATCH)
            self.assertLessEqual(len(read('pods', '-l', f'mayfly.dev/instance in ({",".join(i["id"] for i in made)})')), BATCH)
        print(f'figure: {2 * ((KILLS + 1) // 2)} storms survived {killed} kills of a controller, seed {SEED}')

    def end_all(self, c, suite):
        wait_until(lambda: c.insist('DELETE', f'/v1/instances?label=suite={suite}')['left'] == 0, 'all are told to end')

    def while_killed(self, chance, act):
        """Does it, while controllers are killed some time after it began. @return how many were"""
        failed = []

        def run():
            try:
                act()
            except Exception as error:  # pylint: disable=broad-except  # it is the test's, whatever it is
                failed.append(error)
        thread = threading.Thread(target=run)
        thread.start()
        time.sleep(chance.uniform(0, 0.4))
        killed = kill_controllers()
        thread.join()
        if failed:
            raise failed[0]
        return killed
