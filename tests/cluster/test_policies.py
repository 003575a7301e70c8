#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What deploy/ holds in a namespace of instances: who may order and end them, what a pod may be, and how much there may be.

Needs no controller: its ServiceAccount acts by impersonation. run.py prepares the cluster.
"""
import unittest

import cluster
from cluster import CONTROLLER, EDITOR, SMALL, SYSTEM, TENANT, Refused, create, exists, job, kubectl, patch, pods_of, read, wait_until

DEPLOYMENT = {'apiVersion': 'apps/v1', 'kind': 'Deployment', 'metadata': {'name': 'side-door'},
              'spec': {'replicas': 1, 'selector': {'matchLabels': {'a': 'b'}},
                       'template': {'metadata': {'labels': {'a': 'b'}}, 'spec': dict(cluster.pod_spec(), restartPolicy='Always')}}}
CRON_JOB = {'apiVersion': 'batch/v1', 'kind': 'CronJob', 'metadata': {'name': 'side-door'},
            'spec': {'schedule': '* * * * *', 'jobTemplate': {'spec': job('side-door')['spec']}}}


def is_running(name):
    return any(p['status'].get('phase') == 'Running' for p in pods_of(name))


def started(name, **options):
    """A Job of the controller, once its pod runs."""
    create(job(name, **options), user=CONTROLLER)
    wait_until(lambda: is_running(name), f'pod of {name}')
    return read('job', name)


class Case(unittest.TestCase):
    def refused(self, expected, act, *args, **options):
        with self.assertRaises(Refused) as caught:
            act(*args, **options)
        self.assertIn(expected, str(caught.exception))


class Exclusive(Case):
    """An instance of the controller's ServiceAccount, and who may touch it."""

    @classmethod
    def setUpClass(cls):
        cls.job = started('exclusive', deadline_s=900)
        cls.pod = pods_of('exclusive')[0]['metadata']['name']
        create(cluster.secret('exclusive', owner=cls.job), user=CONTROLLER)
        create(cluster.service('exclusive', owner=cls.job), user=CONTROLLER)
        cls.addClassCleanup(patch, 'job', 'exclusive', {'spec': {'activeDeadlineSeconds': 1, 'ttlSecondsAfterFinished': 0}},
                            user=CONTROLLER)

    def tearDown(self):
        self.assertTrue(is_running('exclusive'))
        self.assertEqual(len(pods_of('exclusive')), 1)

    def test_sim008_nobody_else_starts_an_instance(self):
        for user in (None, EDITOR, f'system:serviceaccount:{TENANT}:default', f'system:serviceaccount:{SYSTEM}:default'):
            for document in (job('mine'), CRON_JOB, cluster.pod('mine'), cluster.service('mine'), cluster.secret('mine')):
                with self.subTest(user=user, kind=document['kind']):
                    # who has no right at all hears that first
                    expected = f'by the API of their controller ({CONTROLLER}), not by' if user in (None, EDITOR) else 'cannot create resource'
                    self.refused(expected, create, document, user=user)

    def test_sim008_nobody_else_ends_one(self):
        for user in (None, EDITOR):
            for kind, name in (('job', 'exclusive'), ('pod', self.pod), ('secret', 'exclusive'), ('service', 'exclusive')):
                with self.subTest(user=user, kind=kind):
                    self.refused('not by', kubectl, 'delete', kind, name, '--wait=false', user=user)
                    self.refused('not by', patch, kind, name, {'metadata': {'labels': {'a': 'b'}}}, user=user)
            self.refused('not by', kubectl, 'delete', 'jobs,pods', '--all', '--wait=false', user=user)
            self.refused('not by', kubectl, 'delete', 'pod', self.pod, '--force', '--grace-period=0', user=user)

    def test_sim008_nor_by_a_status(self):
        end = {'status': {'phase': 'Failed', 'reason': 'Evicted'}}
        self.refused('not by', patch, 'pod', self.pod, end, '--subresource=status')
        self.refused('not by', patch, 'job', 'exclusive', {'status': {'failed': 1}}, '--subresource=status')

    def test_sim008_nor_by_a_deployment(self):
        create(DEPLOYMENT)
        self.addCleanup(kubectl, 'delete', 'deployment', 'side-door')
        told = wait_until(lambda: [e for e in read('events') if 'side-door' in e['involvedObject']['name'] and e['reason'] == 'FailedCreate'],
                          'refusal of its pod')
        self.assertIn('not by system:serviceaccount:kube-system:replicaset-controller', told[0]['message'])
        self.assertEqual(read('pods', '-l', 'a=b'), [])

    def test_sim008_the_controller_itself_does_not_delete(self):
        self.refused('cannot delete resource', kubectl, 'delete', 'job', 'exclusive', user=CONTROLLER)

    def test_the_controller_tries_a_pod_and_makes_none(self):
        kubectl('create', '--dry-run=server', document=cluster.pod('tried'), user=CONTROLLER)
        self.refused('not by', create, cluster.pod('tried'), user=CONTROLLER)
        self.refused('not by', kubectl, 'create', '--dry-run=server', document=cluster.pod('tried'))

    def test_secrets_that_templates_mount_are_an_administrators(self):
        shared = {'mayfly.dev/shared': 'yes'}
        create(cluster.secret('shared', shared))
        self.refused('not by', create, cluster.secret('shared2', dict(shared, **{'mayfly.dev/instance': 'exclusive'})))
        self.refused('not by', patch, 'secret', 'shared', {'metadata': {'labels': {'mayfly.dev/instance': 'exclusive'}}})
        self.refused('not by', patch, 'secret', 'exclusive', {'metadata': {'labels': dict(shared, **{'mayfly.dev/instance': None})}})
        kubectl('delete', 'secret', 'shared')

    def test_only_who_may_cordon_a_node_may_evict(self):
        eviction = {'apiVersion': 'policy/v1', 'kind': 'Eviction', 'metadata': {'name': self.pod, 'namespace': TENANT}}
        self.refused('only who may patch nodes may evict from here', kubectl, 'create', '--raw',
                     f'/api/v1/namespaces/{TENANT}/pods/{self.pod}/eviction', document=eviction, user=EDITOR)


class Lifetime(Case):
    """The control plane ends and reclaims what the policy keeps everybody else from."""

    def test_sim006_sim008_the_deadline_of_a_pod_ends_it_and_all_is_reclaimed(self):
        name = 'expires'
        owner = started(name, pod_deadline_s=4, deadline_s=14, ttl_s=3)
        create(cluster.secret(name, owner=owner), user=CONTROLLER)
        create(cluster.service(name, owner=owner), user=CONTROLLER)
        ended = wait_until(lambda: [p for p in pods_of(name) if p['status'].get('reason') == 'DeadlineExceeded'], 'end of the pod')
        self.assertEqual(len(ended), 1)
        for kind in ('job', 'secret', 'service'):
            wait_until(lambda kind=kind: not exists(kind, name), f'{kind} is gone')
        wait_until(lambda: not pods_of(name), 'pod is gone')

    def test_sim006_the_deadline_of_a_job_ends_a_pod_that_may_live_longer(self):
        started('extendable', pod_deadline_s=900, deadline_s=3, ttl_s=0)
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
        """Why the Job controller could not make the pod of a Job."""
        events = wait_until(lambda: [e for e in read('events', namespace=namespace) if e['involvedObject']['name'] == name and e['reason'] == 'FailedCreate'],
                            f'refusal of the pod of {name}')
        patch('job', name, {'spec': {'activeDeadlineSeconds': 1, 'ttlSecondsAfterFinished': 0}}, user=CONTROLLER, namespace=namespace)
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


class Network(Case):
    """What the policies select. The bridge of the test's cluster does not enforce them."""

    def test_nothing_passes_but_what_is_stated(self):
        policies = {p['metadata']['name']: p['spec'] for p in read('networkpolicies')}
        self.assertEqual(sorted(policies), ['deny-all', 'drone', 'egress'])
        self.assertEqual(policies['deny-all'], {'podSelector': {}, 'policyTypes': ['Ingress', 'Egress']})
        for name in ('drone', 'egress'):
            self.assertEqual(policies[name]['podSelector'], {'matchExpressions': [{'key': 'mayfly.dev/instance', 'operator': 'Exists'}]})
        open_ports = {(p['port'], p['protocol']) for rule in policies['drone']['ingress'] for p in rule['ports']}
        self.assertEqual(open_ports, {(5760, 'TCP'), (5760, 'UDP'), (5759, 'TCP')})
        self.assertTrue(all(rule.get('from') for rule in policies['drone']['ingress']), 'a rule without "from" lets everybody in')
        self.assertTrue(all(rule.get('to') for rule in policies['egress']['egress']))


if __name__ == '__main__':
    unittest.main()
