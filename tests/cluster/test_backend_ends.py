# SPDX-License-Identifier: Apache-2.0
"""What becomes of instances that a caller, their lifetime or their node ends."""
import time

from backend import Case, seconds
from cluster import exists, kubectl, pods_of, read, wait_until


class Ends(Case):
    def test_sim001_sim007_a_caller_ends_it_and_all_controllers_tell(self):
        one = self.a.start('alone')
        self.assertEqual(one['state'], 'ready', one)
        times = one['times']
        self.assertTrue(times['asked'] <= times['scheduled'] <= times['started'] <= times['ready'] < times['ends'], times)
        self.b.wait_for(one, lambda i: i['state'] == 'ready', 'the other controller knows that it is ready')
        status, after = self.b.end(one)
        self.assertEqual((status, after['state'] in ('ending', 'ended')), (200, True), after)
        for c in (self.a, self.b):
            after = c.ended(one)
            self.assertEqual((after['outcome'], after['reason']), ('ended', 'ended by a caller'))
        self.assertEqual(self.a.end(one)[0], 200, 'once more, it is as it was')
        wait_until(lambda: not pods_of(one['id'], namespace=self.namespace), 'pod is gone')
        status, answer = self.a.ask('GET', f'/v1/instances/{one["id"]}/logs')
        self.assertEqual((status, answer['code']), (404, 'no_logs'))

    def test_sim007_logs_are_kept_where_they_are_wanted(self):
        one = self.a.start('longer')
        self.b.end(one, '?logs=keep')
        self.assertEqual(self.b.ended(one)['outcome'], 'ended')
        self.assertIn('Mayfly', self.a.text(f'/v1/instances/{one["id"]}/logs'))

    def test_sim006_lifetimes(self):
        one = self.a.start('brief', lifetime='2s', wait=False)
        longer = self.a.start('longer', lifetime='3s', wait=False)
        status, answer = self.b.ask('POST', f'/v1/instances/{longer["id"]}/extend', {'lifetime': '100s'})
        self.assertEqual(status, 200, answer)
        self.assertEqual(read('job', longer['id'], namespace=self.namespace)['spec']['activeDeadlineSeconds'], 100)
        for lifetime, code in (('3m', 'lifetime'), ('-1s', 'wrong_type')):
            status, answer = self.b.ask('POST', f'/v1/instances/{longer["id"]}/extend', {'lifetime': lifetime})
            self.assertEqual(status, 422, (lifetime, code, answer))
        self.assertEqual(self.b.ask('POST', f'/v1/instances/{one["id"]}/extend', {'lifetime': '50s'})[0], 403)
        for kind in ('job', 'secret'):
            wait_until(lambda kind=kind: not exists(kind, one['id'], namespace=self.namespace), f'{kind} is gone')
        wait_until(lambda: self.a.ask('GET', f'/v1/instances/{one["id"]}')[0] == 404, 'the API says so')
        time.sleep(max(0.0, 15 - (time.time() - seconds(longer['times']['asked']))))
        self.assertEqual(self.b.read(longer)['state'], 'ready', 'its first lifetime and the grace of its Job are over')
        self.b.end(longer)
        status, answer = self.a.ask('POST', f'/v1/instances/{longer["id"]}/extend', {'lifetime': '110s'})
        self.assertEqual((status, answer['code']), (409, 'ended'))
        self.assertEqual(self.a.ended(longer)['outcome'], 'ended')

    def test_sim006_it_expires_and_its_logs_stay(self):
        one = self.a.start('alone', lifetime='3s', wait=False)
        ended = self.b.ended(one)
        self.assertEqual((ended['outcome'], ended['reason']), ('expired', 'its lifetime is over'))
        self.assertEqual(self.b.ask('GET', f'/v1/instances/{one["id"]}/logs')[0], 200)

    def test_sim002_an_eviction_is_told_for_as_long_as_the_job_is_there(self):
        one = self.a.start('alone')
        name = pods_of(one['id'], namespace=self.namespace)[0]['metadata']['name']
        kubectl('create', '--raw', f'/api/v1/namespaces/{self.namespace}/pods/{name}/eviction', document={
            'apiVersion': 'policy/v1', 'kind': 'Eviction', 'metadata': {'name': name, 'namespace': self.namespace}})
        wait_until(lambda: not pods_of(one['id'], namespace=self.namespace), 'pod is gone')
        for c in (self.a, self.b, self.controller()):
            ended = c.ended(one)
            self.assertEqual(ended['outcome'], 'evicted', ended)
            self.assertIn('EvictionByEvictionAPI', ended['reason'])

    def test_what_an_instance_waits_for(self):
        one = self.a.start('nowhere', wait=False)
        now = self.b.wait_for(one, lambda i: i['reason'] != '', 'reason')
        self.assertEqual(now['state'], 'pending')
        self.assertIn('unschedulable: 0/1 nodes are available', now['reason'])
        said = wait_until(lambda: [e for e in self.b.ask('GET', f'/v1/instances/{one["id"]}/events')[1]['events'] if e['reason'] == 'FailedScheduling'],
                          'event')
        self.assertIn('0/1 nodes', said[0]['message'])
        self.b.end(one)
        self.assertEqual(self.a.ended(one)['outcome'], 'ended')
