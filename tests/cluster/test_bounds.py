# SPDX-License-Identifier: Apache-2.0
"""What a pod of an instance may be, how much there may be, and that the control plane ends and reclaims it, by whatever policy.

Needs no controller: its ServiceAccount acts by impersonation. run.py prepares the cluster.
"""

import cluster
from cluster import CONTROLLER, SMALL, TENANT, Case, create, exists, is_running, job, kubectl, patch, pods_of, read, started, wait_until


class Lifetime(Case):
    """The control plane ends and reclaims what the policy keeps everybody else from."""

    def test_sim006_sim008_the_deadline_of_a_pod_ends_it_and_all_is_reclaimed(self):
        name = 'expires'
        owner = started(name, pod_deadline_s=8, deadline_s=18, ttl_s=3)
        create(cluster.secret(name, owner=owner), user=CONTROLLER)
        create(cluster.service(name, owner=owner), user=CONTROLLER)
        ended = wait_until(lambda: [p for p in pods_of(name) if p['status'].get('reason') == 'DeadlineExceeded'], 'end of the pod')
        self.assertEqual(len(ended), 1)
        for kind in ('job', 'secret', 'service'):
            wait_until(lambda kind=kind: not exists(kind, name), f'{kind} is gone')
        wait_until(lambda: not pods_of(name), 'pod is gone')

    def test_sim006_the_deadline_of_a_job_ends_a_pod_that_may_live_longer(self):
        started('extendable', pod_deadline_s=900, deadline_s=8, ttl_s=0)
        wait_until(lambda: not exists('job', 'extendable') and not pods_of('extendable'), 'job and pod are gone')

    def test_sim007_sim008_the_controller_ends_one_by_its_deadline(self):
        started('ended')
        patch('job', 'ended', {'metadata': {'annotations': {'mayfly.dev/reason': 'enough'}}, 'spec': {'activeDeadlineSeconds': 1}},
              user=CONTROLLER)
        wait_until(lambda: not is_running('ended'), 'end of the pod')
        self.assertEqual(read('job', 'ended')['metadata']['annotations']['mayfly.dev/reason'], 'enough')
        patch('job', 'ended', {'spec': {'ttlSecondsAfterFinished': 0}}, user=CONTROLLER)
        wait_until(lambda: not exists('job', 'ended'), 'job is gone')

    def test_sim002_an_eviction_ends_one_and_no_second_pod_begins(self):
        started('evicted', ttl_s=5)
        name = pods_of('evicted')[0]['metadata']['name']
        eviction = {'apiVersion': 'policy/v1', 'kind': 'Eviction', 'metadata': {'name': name, 'namespace': TENANT}}
        kubectl('create', '--raw', f'/api/v1/namespaces/{TENANT}/pods/{name}/eviction', document=eviction)
        seen = set()

        def over():
            seen.update(p['metadata']['name'] for p in pods_of('evicted'))
            return not exists('job', 'evicted')
        wait_until(over, 'job is gone')
        self.assertLessEqual(seen, {name})


class Bounds(Case):
    """Pod security, quota and limits. The small tenant has room for one pod."""

    def message(self, name, namespace=TENANT):
        """Why the Job controller could not make the pod of a Job, which ends with the test."""
        self.addCleanup(patch, 'job', name, {'spec': {'activeDeadlineSeconds': 1, 'ttlSecondsAfterFinished': 0}}, user=CONTROLLER, namespace=namespace)
        events = wait_until(lambda: [e for e in read('events', namespace=namespace) if e['involvedObject']['name'] == name and e['reason'] == 'FailedCreate'],
                            f'refusal of the pod of {name}')
        return events[0]['message']

    def test_pods_are_restricted(self):
        create(job('privileged', security=False), user=CONTROLLER)
        self.assertIn('violates PodSecurity "restricted', self.message('privileged'))

    def test_a_quota_is_told_by_its_name(self):
        create(job('first'), user=CONTROLLER, namespace=SMALL)
        wait_until(lambda: pods_of('first', namespace=SMALL), 'pod')
        create(job('second'), user=CONTROLLER, namespace=SMALL)
        self.assertIn('exceeded quota: instances', self.message('second', SMALL))
        create(job('third'), user=CONTROLLER, namespace=SMALL)
        self.refused('exceeded quota: instances', create, job('fourth'), user=CONTROLLER, namespace=SMALL)
        for name in ('first', 'third'):
            patch('job', name, {'spec': {'activeDeadlineSeconds': 1, 'ttlSecondsAfterFinished': 0}}, user=CONTROLLER, namespace=SMALL)

    def test_sim012_a_container_without_limits_gets_some(self):
        create(job('boundless', resources=False, deadline_s=20, ttl_s=0), user=CONTROLLER)
        made = wait_until(lambda: pods_of('boundless'), 'pod')[0]
        self.assertEqual(made['spec']['containers'][0]['resources'],
                         {'limits': {'cpu': '1', 'memory': '512M'}, 'requests': {'cpu': '100m', 'memory': '128M'}})
        patch('job', 'boundless', {'spec': {'activeDeadlineSeconds': 1}}, user=CONTROLLER)
        greedy = job('greedy', deadline_s=20)
        greedy['spec']['template']['spec']['containers'][0]['resources'] = {'limits': {'cpu': '64', 'memory': '1G'}}
        create(greedy, user=CONTROLLER)
        self.assertIn('maximum cpu usage per Container is 4', self.message('greedy'))
