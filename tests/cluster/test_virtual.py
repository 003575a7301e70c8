# SPDX-License-Identifier: Apache-2.0
"""virtualTime in a template: onboard software in a container of its own waits on the drone's clock. run.py prepares the cluster."""
import re
import unittest

import controller
from cluster import TENANT, read
from recordings import exchanged

FLIGHT_S = 120.0
SIDE = ['--side', '400', 'tcp:127.0.0.1:5760']     # of the square: a flight of three minutes


class Virtual(unittest.TestCase):
    def setUp(self):
        self.c = controller.begin()

    def fly(self, **values):
        """The instance at its end, what its onboard software said, and what its drone took and sent."""
        one, = self.c.start(wait=False, template='virtual', lifetime='60s', values=values)
        ended = self.c.wait_for(one, 'ended', timeout_s=FLIGHT_S)
        said = self.c.raw('GET', f'/v1/instances/{one["id"]}/logs?container=onboard')[1].decode()
        self.assertEqual(ended['outcome'], 'completed', (ended, said))
        status, recording = self.c.raw('GET', f'/v1/instances/{one["id"]}/recording')
        self.assertEqual(status, 200)
        return one, said, exchanged(recording)

    def test_three_minutes_of_flight_within_a_lifetime_of_one_and_the_same_bytes_again(self):
        one, *first = self.fly(arguments=SIDE)
        flown = float(re.search(r'flown: 5 items in ([\d.]+) s', first[0])[1])
        self.assertGreater(flown, 160)
        _, *again = self.fly(arguments=SIDE)
        self.assertEqual(again, first)
        pod, = (p for p in read('pods', namespace=TENANT) if p['metadata']['labels'].get('mayfly.dev/instance') == one['id'])
        status = pod['status']['initContainerStatuses'][0]
        self.assertEqual((status['name'], status['state']['terminated']['exitCode']), ('mayfly-time', 0))
