# SPDX-License-Identifier: Apache-2.0
"""What deploy/ holds in a namespace of instances: who may order and end them, and what reaches them.

Needs no controller: its ServiceAccount acts by impersonation. run.py prepares the cluster.
"""

import cluster
from cluster import CONTROLLER, EDITOR, SERVICES, SMALL, SYSTEM, TENANT, TINY, Case, create, is_running, job, kubectl, patch, pods_of, read, started, wait_until

DEPLOYMENT = {'apiVersion': 'apps/v1', 'kind': 'Deployment', 'metadata': {'name': 'side-door'},
              'spec': {'replicas': 1, 'selector': {'matchLabels': {'a': 'b'}},
                       'template': {'metadata': {'labels': {'a': 'b'}}, 'spec': dict(cluster.pod_spec(), restartPolicy='Always')}}}
CRON_JOB = {'apiVersion': 'batch/v1', 'kind': 'CronJob', 'metadata': {'name': 'side-door'},
            'spec': {'schedule': '* * * * *', 'jobTemplate': {'spec': job('side-door')['spec']}}}


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

    def test_clients_and_services_are_those_of_the_tenant_that_their_namespace_names(self):
        """The API server itself says which namespaces a policy selects."""
        for value in (TENANT, SMALL, TINY, 'all-tenants', 'yes'):
            for label in ('clients', 'services'):
                name = f'{label}-of-{value}'
                create({'apiVersion': 'v1', 'kind': 'Namespace', 'metadata': {'name': name, 'labels': {f'mayfly.dev/{label}': value}}}, namespace=None)
                self.addCleanup(kubectl, 'delete', 'namespace', name, '--wait=false', namespace=None)
        for tenant in (TENANT, SMALL, TINY):
            drone, egress = (read('networkpolicy', name, namespace=tenant)['spec'] for name in ('drone', 'egress'))
            clients, = (rule['from'] for rule in drone['ingress'] if 5760 in [p['port'] for p in rule['ports']])
            services, = (rule['to'] for rule in egress['egress'] if 'ports' not in rule)
            self.assertEqual(selected(clients), ['clients-of-all-tenants', f'clients-of-{tenant}'])
            self.assertEqual(selected(services), sorted([SERVICES, 'services-of-all-tenants', f'services-of-{tenant}']))


def selected(peers):
    """The namespaces of a rule's peers. kubectl knows the operator In of theirs, and no other."""
    def words(of):
        pairs = [f'{name}={value}' for name, value in of.get('matchLabels', {}).items()]
        return ','.join(pairs + [f'{e["key"]} {e["operator"].lower()} ({",".join(e["values"])})' for e in of.get('matchExpressions', [])])
    return sorted(n['metadata']['name'] for peer in peers for n in read('namespaces', '-l', words(peer['namespaceSelector']), namespace=None))
