# SPDX-License-Identifier: Apache-2.0
"""At the end of a lifetime plus 10 s nothing of an instance runs, whatever its template says, and without a controller. Software that
ignores SIGTERM does not decide the outcome, either."""
import os
import random
import subprocess
import time

import pytest

import local_controller
from backend import DRONE, TOOLS, Case, Controller, seconds
from cluster import wait_until

COUNT = int(os.environ.get('COUNT', '25'))  # templates
ROUND = 25  # instances side by side: a node of two cores begins so many before they end
GRACE_S = 10.0  # after times.ends
DEAF = 'image: localhost/mayfly-deaf, imagePullPolicy: IfNotPresent, resources: {requests: {cpu: 10m, memory: 16M}, limits: {cpu: 100m, memory: 16M}}'
DEAF_SOURCE = '#include <unistd.h>\nint main(void)\n{\n    for (;;)\n        pause();\n}\n'  # as process 1 of a container it ignores SIGTERM
ORDER = ['pending', 'starting', 'ready', 'ending', 'ended']
SERVICE = f'''\
ttl: 2m
onboard: onboard
pod:
  spec:
    initContainers: [{{name: emulator, restartPolicy: Always, {DRONE}}}, {{name: weather, restartPolicy: Always, {DEAF}}}]
    containers: [{{name: onboard, command: [fly, --help], {TOOLS}}}]
'''
HOOKS = ['', ', lifecycle: {preStop: {sleep: {seconds: 60}}}', ', lifecycle: {preStop: {exec: {command: [/deaf]}}}']
GRACES = ['', 'terminationGracePeriodSeconds: 0, ', 'terminationGracePeriodSeconds: 2, ', 'terminationGracePeriodSeconds: 90, ',
          'terminationGracePeriodSeconds: 100000, ']


def any_template(choose):
    """A drone, deaf services before the onboard software, and software that ends by SIGKILL only, or by SIGTERM."""
    services = ''.join(f', {{name: s{n}, restartPolicy: Always{choose.choice(HOOKS)}, {DEAF}}}' for n in range(choose.randint(0, 2)))
    onboard = choose.choice([f'command: [elevation, --listen, "0.0.0.0:8088"], {TOOLS}', DEAF])
    probe = choose.choice(['', f', livenessProbe: {{exec: {{command: [/nothing]}}, periodSeconds: 2, terminationGracePeriodSeconds: {choose.choice([1, 90])}}}'])
    return (f'lifetime: {{default: {choose.randint(4, 12)}s, max: 10m, extend: {choose.choice(["true", "false"])}}}\nttl: 2m\nonboard: onboard\n'
            f'pod: {{spec: {{{choose.choice(GRACES)}initContainers: [{{name: emulator, restartPolicy: Always, {DRONE}}}{services}], '
            f'containers: [{{name: onboard{choose.choice(HOOKS)}{probe}, {onboard}}}]}}}}\n')


class Strict(Case):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.load_deaf(cls.shared)
        cls.service = cls.enterClassContext(local_controller.templates(service=SERVICE))

    @staticmethod
    def load_deaf(folder):
        """Build the image of DEAF_SOURCE, and load it into the node."""
        def run(*words):
            return subprocess.run(words, check=True, capture_output=True, text=True, cwd=folder).stdout.strip()
        with open(os.path.join(folder, 'deaf.c'), 'w', encoding='ascii') as f:
            f.write(DEAF_SOURCE)
        run('musl-gcc', '-static', '-Os', '-o', 'deaf', 'deaf.c')
        container = run('buildah', 'from', 'scratch')
        run('buildah', 'copy', container, 'deaf', '/deaf')
        run('buildah', 'config', '--user', '65532:65532', '--entrypoint', '["/deaf"]', container)
        run('buildah', 'commit', '--rm', container, 'oci-archive:deaf.tar:localhost/mayfly-deaf:latest')
        run(os.environ['CLUSTER'], 'load', os.path.join(folder, 'deaf.tar'))

    @pytest.mark.timeout(600 * -(-COUNT // ROUND))
    def test_sim006_nothing_runs_10_s_after_the_end_of_a_lifetime(self):
        choose, late, began = random.Random(32), [], 0
        for first in range(0, COUNT, ROUND):
            ended = self.lifetimes(late, {f'any-{n}': any_template(choose) for n in range(first, min(first + ROUND, COUNT))})
            self.assertEqual({i['state'] for i in ended}, {'ended'}, ended)
            self.assertLessEqual({i['outcome'] for i in ended}, {'expired', 'onboard_failed'}, ended)
            began += sum(bool(i['times']['started']) for i in ended)
        print(f'{COUNT} instances, {began} of them began, {len(late)} processes ran {GRACE_S:.0f} s after the end')
        self.assertEqual(late, [])
        self.assertGreater(began, 0)

    def lifetimes(self, late, texts):
        """The instances of these templates, once all must have ended. @param late  gets the processes that run GRACE_S after an end"""
        with local_controller.templates(**texts) as folder, Controller(self.namespace, self.shared, *self.options, '--templates', folder) as c:
            wait_until(lambda: c.ask('GET', '/readyz')[0] == 200, 'ready')
            all_of_them = [c.start(name, wait=False) for name in texts]
            wait_until(lambda: all(c.read(i)['state'] not in ('pending',) for i in all_of_them), 'all have begun')
            ends = {i['id']: seconds(c.read(i)['times']['ends']) for i in all_of_them}
        for one in sorted(all_of_them, key=lambda i: ends[i['id']]):  # no controller of these runs any more
            time.sleep(max(0.0, ends[one['id']] + GRACE_S - time.time()))
            late += [(one['template'], round(time.time() - ends[one['id']], 1), words) for words in self.processes(one).values()]
        return [self.a.read(i) for i in all_of_them]

    def test_sim003_the_onboard_software_decides(self):
        """Its service is killed after it. Its states come in their order, with a reason each."""
        with Controller(self.namespace, self.shared, *self.options, '--templates', self.service) as c:
            wait_until(lambda: c.ask('GET', '/readyz')[0] == 200, 'ready')
            one, seen = c.start('service', wait=False), []
            while not seen or seen[-1]['state'] != 'ended':
                now = c.read(one)
                seen += [now] if not seen or now['state'] != seen[-1]['state'] else []
                time.sleep(0.02)
        states = [i['state'] for i in seen]
        self.assertEqual(states, sorted(set(states), key=ORDER.index))
        self.assertIn('ending', states)
        self.assertTrue(all(i['reason'] or i['state'] == 'ready' for i in seen), seen)
        self.assertEqual(seen[-1]['outcome'], 'completed', seen[-1])
        self.assertRegex(seen[-1]['reason'], '^the onboard software ended with 0; container weather .* 137$')
        times = seen[-1]['times']
        self.assertTrue(times['asked'] <= times['scheduled'] <= times['started'] <= times['ended'] < times['ends'], times)
