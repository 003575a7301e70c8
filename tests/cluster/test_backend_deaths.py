# SPDX-License-Identifier: Apache-2.0
"""What becomes of instances whose containers end: the onboard software, the drone, a sidecar."""

from backend import Case


class Deaths(Case):
    def test_sim003_onboard_software_ends_it(self):
        good, bad = (self.a.start(template, wait=False) for template in ('succeeds', 'fails'))
        ended = self.a.ended(good)
        self.assertEqual((ended['outcome'], ended['reason']), ('completed', 'the onboard software ended with 0'))
        ended = self.a.ended(bad)
        self.assertEqual(ended['outcome'], 'onboard_failed')
        self.assertRegex(ended['reason'], '^container onboard ended with exit code 2: .*')

    def test_sim012_too_little_memory(self):
        ended = self.a.ended(self.a.start('starved', wait=False))
        self.assertEqual((ended['outcome'], ended['reason']), ('out_of_memory', 'container onboard needed more memory than it may have'))

    def test_a_drone_that_dies(self):
        one = self.a.start('alone')
        self.kill(one, 'mayfly')
        ended = self.a.ended(one)
        self.assertEqual(ended['outcome'], 'emulator_failed')
        self.assertIn('exit code 137', ended['reason'])

    def test_sim041_another_geoid_than_plannings(self):
        ended = self.a.ended(self.a.start('planned', wait=False))
        self.assertEqual(ended['outcome'], 'geoid_mismatch', ended)
        self.assertIn('f' * 64 + ' is wanted', ended['reason'])

    def test_sim003_a_sidecar_that_restarted_is_told(self):
        one = self.a.start('degrades')
        self.kill(one, 'elevation --listen 0.0.0.0:8089')
        now = self.b.wait_for(one, lambda i: i['state'] == 'degraded' and i['restarts'] == 1, 'degraded')
        self.assertRegex(now['reason'], r'^container elevation .*\b137\b')
        self.kill(one, 'mayfly')
        self.b.wait_for(one, lambda i: i['state'] == 'degraded' and i['restarts'] == 2, 'degraded twice')
        self.b.end(one)

    def test_sim003_or_ends_the_instance(self):
        one = self.a.start('ends')
        self.kill(one, 'elevation --listen 0.0.0.0:8089')
        ended = self.b.ended(one)
        self.assertEqual(ended['outcome'], 'onboard_failed', ended)
        self.assertIn('container elevation ended with exit code 137', ended['reason'])
        self.assertEqual(self.b.ask('GET', f'/v1/instances/{one["id"]}/logs?container=elevation')[0], 200)
