# SPDX-License-Identifier: Apache-2.0
"""The controller before an API server that misbehaves: build/simctl and a scripted server, whose bodies are as a real one's (1.34)
were recorded. That the controller works with a real one, tests/cluster proves."""
import concurrent.futures
import json
import os
import threading

import pytest

from kube_api import TEMPLATE, KubeCase, answers, event, refusal, streams
from names import assert_names
from waiting import wait_until

LINE_MAX = 4 << 20  # SIMCTL_KUBE_LINE_MAX
GONE = {'kind': 'Status', 'apiVersion': 'v1', 'metadata': {}, 'status': 'Failure', 'reason': 'Expired', 'code': 410,
        'message': 'The provided continue parameter is too old to display a consistent list result.'}
EXPIRED = {'type': 'ERROR', 'object': {'kind': 'Status', 'apiVersion': 'v1', 'metadata': {}, 'status': 'Failure',
                                       'message': 'too old resource version: 1 (12)', 'reason': 'Expired', 'code': 410}}


class Streams(KubeCase):
    """What ends the first watch of Jobs. By then there is an instance, which went unnoticed."""

    def first_watch(self, *pieces, cut=False):
        released = threading.Event()

        def act(h):
            released.wait(60)
            streams(*pieces, cut=cut)(h)
        self.api.next['watch jobs'] = [act]
        self.begin()
        one, = self.start()
        self.api.tell('jobs', 'ADDED', self.another(one, 'other-0'))
        self.assertEqual(self.ids(), [one])
        released.set()
        self.knows([one, 'other-0'])
        wait_until(lambda: len(self.api.asks('watch jobs')) > 1, 'another watch')
        return self.api.asks('list jobs'), self.api.asks('watch jobs')

    def test_sim008_a_version_that_is_forgotten_is_listed_anew(self):
        lists, watches = self.first_watch(event(**EXPIRED))
        self.assertGreater(len(lists), 1)
        self.assertNotEqual(watches[1][1]['resourceVersion'], watches[0][1]['resourceVersion'])
        self.assertEqual(self.readiness()[0], 200)

    @pytest.mark.long
    def test_what_was_deleted_meanwhile_is_gone_after_the_list(self):
        released = threading.Event()
        self.begin()
        one, two = self.start(2)
        self.api.next['watch jobs'] = [lambda h: (released.wait(60), streams(event(**EXPIRED))(h))]
        self.addCleanup(released.set)
        self.api.always['watch jobs'] = streams(event(**EXPIRED))
        self.controller.stop()
        self.begin()
        self.knows([one, two])
        del self.api.objects['jobs'][one]
        released.set()
        self.knows([two])

    def test_an_error_of_another_kind_and_an_old_status_are_listed_anew(self):
        lists, _ = self.first_watch(event(type='ERROR', object=refusal(500, 'InternalError', 'etcdserver: no leader')))
        self.assertGreater(len(lists), 1)

    def test_a_line_that_is_cut_is_asked_for_again(self):
        job = event(type='MODIFIED', object={'metadata': {'name': 'other-0', 'resourceVersion': '99'}})
        lists, watches = self.first_watch(job[:40], cut=True)
        self.assertEqual(len(lists), 1)  # from where it was
        self.assertEqual(watches[1][1]['resourceVersion'], watches[0][1]['resourceVersion'])

    def test_a_watch_that_ends_goes_on_from_its_bookmark(self):
        mark = event(type='BOOKMARK', object={'kind': 'Job', 'apiVersion': 'batch/v1', 'metadata': {'resourceVersion': '2', 'creationTimestamp': None}, 'spec': {}})
        lists, watches = self.first_watch(mark)
        self.assertEqual((len(lists), watches[1][1]['resourceVersion']), (1, '2'))
        self.assertEqual(watches[0][1]['allowWatchBookmarks'], 'true')

    def test_a_line_over_the_limit_is_given_up_and_listed(self):
        lists, _ = self.first_watch(*[b'{"type": "ADDED", "object": "' + b'x' * (1 << 20)] * 5)
        self.assertGreater(len(lists), 1)

    @pytest.mark.long
    def test_lines_that_are_no_events_are_listed_anew(self):
        for bad in (b'{"type": "ADDED", "object": {\n', b'<html>busy</html>\n', b'[]\n', b'null\n', event(type='WHATEVER')):
            with self.subTest(bad):
                lists, _ = self.first_watch(bad)
                self.assertGreater(len(lists), 1)
                self.doCleanups()
                self.setUp()

    @pytest.mark.long
    def test_a_server_whose_watches_end_at_once_is_not_hammered(self):
        for act in (streams(event(**EXPIRED)), streams()):
            self.api.always['watch jobs'] = act
            self.begin()
            watches = wait_until(lambda: len(self.api.asks('watch jobs')) > 5 and self.api.asks('watch jobs'), 'six watches')
            self.assertGreater(watches[5][3] - watches[0][3], 0.2 + 0.4 + 0.8 + 1.6)  # each wait is double
            self.doCleanups()
            self.setUp()


class Lists(KubeCase):
    @pytest.mark.long
    def test_sim008_a_list_that_took_too_long_begins_anew(self):
        self.begin()
        ids = self.start(3)
        self.controller.stop()
        self.api.asked.clear()
        list_page = self.api.list
        self.api.next['list jobs'] = [lambda h: list_page(h, 'jobs', {}, None), answers(410, GONE)]
        self.begin()
        self.knows(ids)
        self.assertEqual([q.get('continue') for _, q, _, _ in self.api.asks('list jobs')], [None, '1', None, '1', '2'])

    @pytest.mark.long
    def test_what_is_no_list_empties_nothing_and_is_told(self):
        for bad in (b'{"items": [', b'{}', b'[]', b'{"metadata": {"resourceVersion": "9"}}', b'{"items": [], "metadata": {}}', b'<html>busy</html>'):
            with self.subTest(bad):
                released = threading.Event()
                self.begin()
                ids = self.start(2)
                self.controller.stop()
                self.api.next['watch jobs'] = [lambda h, go=released: (go.wait(60), streams(event(**EXPIRED))(h))]
                self.begin()
                self.api.always['list jobs'] = answers(200, bad)
                released.set()
                status, said = wait_until(lambda: self.readiness() if self.readiness()[0] != 200 else None, 'not ready')
                self.assertRegex(said['error'], r'\b(list|JSON)\b')
                del self.api.always['list jobs']
                wait_until(lambda: self.readiness()[0] == 200, 'ready again')
                self.assertEqual((status, self.ids()), (502, sorted(ids)))
                self.doCleanups()
                self.setUp()


class Many(KubeCase):
    @pytest.mark.long
    def test_sim007_more_than_a_page_are_listed_and_ended(self):
        """The controller lists and ends 500 in one answer."""
        self.begin()
        status, answer = self.controller.ask('POST', '/v1/instances', {'template': 'drone', 'labels': {'suite': 'many'}})
        self.assertEqual(status, 201)
        other, = self.start()
        one = answer['instances'][0]['id']
        names = sorted([one, *(f'more-{n}' for n in range(600))])
        for name in names:
            if name != one:
                self.api.tell('jobs', 'ADDED', self.another(one, name))
        wait_until(lambda: self.controller.ask('GET', '/v1/instances?label=suite=many&limit=1')[1]['left'] == 600, 'all are known')
        lines = self.controller.run('ls', '--label', 'suite=many').splitlines()
        self.assertEqual([line.split()[0] for line in lines[1:]], names)
        self.assertEqual(len(json.loads(self.controller.run('ls', '--json'))['instances']), 602)
        self.assertEqual(self.controller.ask('DELETE', '/v1/instances?label=suite=many')[1], {'ended': 500, 'left': 101})
        self.controller.run('rm', '--label', 'suite=many')
        told = [j['metadata']['name'] for j in self.api.objects['jobs'].values() if j['metadata']['annotations'].get('mayfly.dev/outcome') == 'ended']
        self.assertEqual(sorted(told), names)
        self.assertEqual(self.controller.read({'id': other})['state'], 'pending')


class Calls(KubeCase):
    def authorised(self, token):
        return lambda h: None if h.headers.get('Authorization') == f'Bearer {token}' else h.answer(401, refusal(401, 'Unauthorized', 'Unauthorized'))

    def tokens(self):
        return [a[2] for a in self.api.asks('POST jobs')]

    def test_sim008_a_token_that_has_expired_is_read_again(self):
        self.begin()
        self.write('token', 'second\n')
        self.api.next['POST jobs'] = [answers(401, refusal(401, 'Unauthorized', 'Unauthorized'))]
        self.start()
        self.assertEqual(self.tokens(), ['Bearer first', 'Bearer second'])

    def test_a_token_file_that_is_empty_or_gone_changes_nothing(self):
        self.begin()
        for change in (lambda: self.write('token', ''), lambda: os.remove(self.path('token'))):
            change()
            self.api.asked.clear()
            self.api.next['POST jobs'] = [answers(401, refusal(401, 'Unauthorized', 'Unauthorized'))]
            self.start()
            self.assertEqual(self.tokens(), ['Bearer first', 'Bearer first'])

    def test_a_token_that_stays_refused_is_told(self):
        self.begin()
        self.api.always['POST jobs'] = answers(401, refusal(401, 'Unauthorized', 'Unauthorized'))
        status, said = self.controller.ask('POST', '/v1/instances', {'template': 'drone'})
        self.assertEqual((status, said['code'], len(self.tokens())), (503, 'kubernetes', 2), said)

    @pytest.mark.long
    def test_sim008_a_busy_server_is_waited_for(self):
        busy = refusal(429, 'TooManyRequests', 'too many requests, please try again later')
        self.begin()
        self.api.next['POST jobs'] = [answers(429, busy, Retry_After='2')]
        self.start()
        first, second = (a[3] for a in self.api.asks('POST jobs'))
        self.assertGreaterEqual(second - first, 1.9)
        self.api.always['POST jobs'] = answers(429, busy, Retry_After='1')
        status, said = self.controller.ask('POST', '/v1/instances', {'template': 'drone'})
        self.assertEqual((status, said['code'], len(self.api.asks('POST jobs'))), (429, 'busy', 6), said)

    def test_a_quota_that_others_changed_is_asked_again(self):
        """Many creations at once under one quota: some are a conflict, though no object of their name is there."""
        conflict = answers(409, refusal(409, 'Conflict', 'Operation cannot be fulfilled on resourcequotas "instances": the object has been modified; '
                                                         'please apply your changes to the latest version and try again'))
        self.begin()
        self.api.next.update({'POST jobs': [conflict] * 2, 'POST secrets': [conflict]})
        one, = self.start()
        self.assertEqual((list(self.api.objects['jobs']), list(self.api.objects['secrets'])), ([one], [one]))

    @pytest.mark.long
    def test_one_that_is_gone_takes_no_other_from_the_answer(self):
        """Its TTL was over while its caller waited."""
        self.begin()
        with concurrent.futures.ThreadPoolExecutor() as pool:
            answer = pool.submit(self.controller.ask, 'POST', '/v1/instances?wait=ready&timeout=4', {'template': 'drone', 'count': 2})
            first, second = wait_until(lambda: len(self.ids()) == 2 and list(self.api.objects['jobs']), 'both')
            self.api.tell('jobs', 'DELETED', self.api.objects['jobs'][first])
            status, told = answer.result()
        self.assertEqual((status, [(i['id'], i['state']) for i in told['instances']]), (201, [(first, 'ended'), (second, 'pending')]))
        assert_names(told['instances'][0]['reason'], 'TTL')

    def test_sim008_a_request_after_the_ttl_is_another_instance(self):
        """The first one's id and token are not used again; as long as its Job exists, any controller finds it by the request."""
        body = {'template': 'drone', 'request': 'nightly', 'count': 2}

        def ask():
            status, answer = self.controller.ask('POST', '/v1/instances', body)
            self.assertEqual(status, 201, answer)
            return [i['id'] for i in answer['instances']]
        self.write('key', 'k' * 32)
        self.begin('--drone-key', self.path('key'))
        first = ask()
        self.assertEqual(first[0][:-1], first[1][:-1])
        self.assertEqual(ask(), first)
        self.controller.stop()
        self.begin('--drone-key', self.path('key'))
        self.assertEqual(ask(), first)
        for job in list(self.api.objects['jobs'].values()):
            self.assertNotIn(job['metadata']['name'], first)
            self.api.tell('jobs', 'DELETED', job)
        second = ask()
        self.assertFalse(set(first) & set(second))
        self.assertEqual(sorted(self.api.objects['secrets']), sorted(first + second))
        self.assertEqual(len({s['stringData']['token'] for s in self.api.objects['secrets'].values()}), 4)
        wait_until(lambda: self.controller.ask('GET', '/v1/instances/' + first[0])[0] == 404, 'news of the end of its Job')
        self.assertEqual(self.controller.ask('DELETE', '/v1/instances/' + second[1])[0], 200)

    def test_a_template_without_a_pod_is_for_laptops(self):
        self.write('templates/bare.yaml', 'description: a drone\n')
        self.begin()
        status, answer = self.controller.ask('POST', '/v1/instances', {'template': 'bare'})
        self.assertEqual((status, answer['code']), (422, 'template'))
        assert_names(answer['error'], 'bare pod')
        self.start()

    def test_commands_that_wait_in_vain_end_with_3_and_the_reason(self):
        """Its pod never starts: nothing of a cluster runs here."""
        self.begin()
        said = self.controller.run('up', '--timeout', '0.2', code=3)
        one, = self.ids()
        assert_names(said, f'{one} 0.2 pending')
        said = self.controller.run('wait', one, '--timeout', '100ms', code=3)
        assert_names(said, f'{one} 100ms pending')
        self.controller.run('up', '--json', '--timeout', '0', code=3)
        self.controller.run('run', '--timeout', '0', '--', 'touch', self.path('ran'), code=3)
        self.assertFalse(os.path.exists(self.path('ran')))
        self.controller.run('up', '--no-wait')
        assert_names(self.controller.run('up', '--timeout', 'soon', code=1), 'timeout=soon 600')

    def test_sim012_a_quota_without_room_is_refused_at_once(self):
        """The API server takes a Job whose pod has no room. One that exists already is found by its request."""
        body = {'template': 'drone', 'request': 'nightly'}
        self.begin()
        status, answer = self.controller.ask('POST', '/v1/instances', body)
        self.assertEqual(status, 201, answer)
        self.api.always['POST pods'] = answers(403, refusal(403, 'Forbidden', 'pods "x" is forbidden: exceeded quota: instances, requested: pods=1, '
                                                                              'used: pods=1, limited: pods=1'))
        self.assertEqual(self.controller.ask('POST', '/v1/instances', body)[1]['instances'][0]['id'], answer['instances'][0]['id'])
        status, said = self.controller.ask('POST', '/v1/instances', {'template': 'drone'})
        self.assertEqual((status, said['code'], len(self.ids())), (429, 'quota', 1), said)

    def test_a_pod_that_cannot_be_made_is_told(self):
        """Events of the Job say so; the latest counts. They are read wherever the Job is known from."""
        def failed(name, uid, message):
            self.api.tell('events', 'ADDED', {'metadata': {'name': name, 'uid': name, 'creationTimestamp': '2026-03-01T12:00:00Z'},
                                              'involvedObject': {'kind': 'Job', 'name': 'x', 'uid': uid}, 'reason': 'FailedCreate', 'message': message})
        self.begin()
        one, other = self.start(2)
        failed('first', 'jobs-' + one, 'Error creating: pods "x-" is forbidden: exceeded quota: instances, requested: pods=1')
        reason = wait_until(lambda: 'quota' in self.controller.read({'id': one})['reason'] and self.controller.read({'id': one})['reason'], 'reason')
        assert_names(reason, 'exceeded quota: instances, requested: pods=1')
        waits = wait_until(lambda: self.api.objects['jobs'][one]['metadata']['annotations'].get('mayfly.dev/waits'), 'a note')
        assert_names(waits, 'unschedulable exceeded quota: instances')
        failed('second', 'jobs-' + one, 'Internal error: failed calling webhook')
        wait_until(lambda: 'webhook' in self.controller.read({'id': one})['reason'], 'the later reason')
        self.assertEqual(self.controller.read({'id': one})['state'], 'pending')
        self.assertNotIn('webhook', self.controller.read({'id': other})['reason'])
        self.controller.stop()
        self.begin()
        wait_until(lambda: 'quota' in self.controller.read({'id': one})['reason'] or 'webhook' in self.controller.read({'id': one})['reason'], 'reason')

    def test_instances_of_one_request_begin_and_end_side_by_side(self):
        """The server keeps each Secret, and each end, until it has four of them."""
        together = threading.Barrier(4)

        def act(verb, kind, wait=True):
            def one(h):
                if wait:
                    together.wait(30)
                getattr(self.api, verb)(h, kind, {}, h.body)
            return one
        self.begin()
        self.api.next['POST secrets'] = [act('post', 'secrets', wait=False)]  # the first instance gives the others their id
        self.api.always.update({'POST secrets': act('post', 'secrets'), 'PATCH jobs': act('patch', 'jobs')})
        status, answer = self.controller.ask('POST', '/v1/instances', {'template': 'drone', 'count': 9, 'labels': {'suite': 'many'}})
        self.assertEqual((status, [i['id'].split('-')[1] for i in answer['instances']]), (201, list('012345678')), answer)
        self.assertEqual(len({i['id'].split('-')[0] for i in answer['instances']}), 1)
        del self.api.always['PATCH jobs']
        self.assertEqual(self.controller.ask('DELETE', '/v1/instances/' + answer['instances'][0]['id'])[0], 200)
        self.api.always['PATCH jobs'] = act('patch', 'jobs')
        self.assertEqual(self.controller.ask('DELETE', '/v1/instances?label=suite=many'), (200, {'ended': 8, 'left': 0}))

    def test_one_that_cannot_begin_ends_those_of_its_request(self):
        """The quota is full while they begin."""
        self.begin()
        post = lambda h: self.api.post(h, 'jobs', {}, h.body)  # noqa: E731
        full = answers(403, refusal(403, 'Forbidden', 'jobs.batch "a" is forbidden: exceeded quota: instances, requested: count/jobs.batch=1'))
        self.api.next['POST jobs'] = [post, post, post, full]
        status, said = self.controller.ask('POST', '/v1/instances', {'template': 'drone', 'count': 20})
        self.assertEqual((status, said['code']), (429, 'quota'), said)
        jobs = self.api.objects['jobs'].values()
        self.assertGreaterEqual(len(jobs), 3)
        self.assertEqual({j['metadata']['annotations'].get('mayfly.dev/outcome') for j in jobs}, {'ended'})

    def test_a_log_that_is_gone_is_none(self):
        """While a pod goes the kubelet answers 200 with a sentence of its own (1.34)."""
        self.begin()
        one, = self.start()
        status, said = self.controller.ask('GET', f'/v1/instances/{one}/logs')
        self.assertEqual((status, said['code']), (404, 'no_logs'))
        assert_names(said['error'], f'{one} pod')
        self.api.tell('pods', 'ADDED', {'metadata': {'name': one + '-abcde', 'uid': 'p', 'labels': {'mayfly.dev/instance': one, 'job-name': one}}, 'spec': {}, 'status': {}})
        logs = f'/v1/instances/{one}/logs'
        self.api.always['GET pods'] = answers(200, b'a line\n', Content_Type='text/plain')
        wait_until(lambda: self.controller.ask('GET', logs) == (200, b'a line\n'), 'a log')
        for text in (b'failed to try resolving symlinks in path "/var/log/pods/a/0.log": lstat /var/log/pods/a/0.log: no such file or directory',
                     b'unable to retrieve container logs for containerd://0123456789abcdef'):
            self.api.always['GET pods'] = answers(200, text, Content_Type='text/plain')
            status, said = self.controller.ask('GET', logs)
            self.assertEqual((status, said['code']), (404, 'no_logs'))
            assert_names(said['error'], one)

    def test_events_say_what_the_controller_did(self):
        """One event for each act, however often it is repeated; none of them is waited for."""
        self.write('templates/drone.yaml', TEMPLATE + 'lifetime: {default: 10m, max: 1h, extend: true}\n')
        self.begin()
        one, two = self.start(2)
        path = f'/v1/instances/{one}'
        for _ in range(2):
            self.assertEqual(self.controller.ask('POST', path + '/extend', {'lifetime': '20m'})[0], 200)
        self.assertEqual(self.controller.ask('DELETE', path)[0], 200)
        pod = {'metadata': {'name': two + '-abcde', 'uid': 'p', 'labels': {'mayfly.dev/instance': two}}, 'spec': {},
               'status': {'phase': 'Failed', 'reason': 'DeadlineExceeded'}}
        self.api.tell('pods', 'ADDED', pod)

        def told(name):
            return sorted((e['reason'], e['type']) for e in self.api.objects['events'].values() if e['involvedObject']['name'] == name)
        wait_until(lambda: len(told(one)) == 3 and len(told(two)) == 2, 'all events')
        self.assertEqual(told(one), [('Created', 'Normal'), ('Ended', 'Normal'), ('Extended', 'Normal')])
        self.assertEqual(told(two), [('Created', 'Normal'), ('Expired', 'Normal')])
        wait_until(lambda: len(self.api.asks('POST events')) == 6, 'the repeated extension, whose event is there')
        created = next(e for e in self.api.objects['events'].values() if e['reason'] == 'Created' and e['involvedObject']['name'] == one)
        self.assertEqual(created['involvedObject'], {'apiVersion': 'batch/v1', 'kind': 'Job', 'namespace': 'default', 'name': one, 'uid': f'jobs-{one}'})
        self.assertEqual(created['metadata']['labels']['mayfly.dev/instance'], one)
        assert_names(created['message'], 'drone 600')

    def test_events_that_are_refused_keep_nobody(self):
        self.api.always['POST events'] = answers(403, refusal(403, 'Forbidden', 'events is forbidden: User "x" cannot create resource "events"'))
        self.begin()
        one, = self.start()
        wait_until(lambda: self.api.asks('POST events'), 'an event')
        self.assertEqual(self.controller.ask('DELETE', '/v1/instances/' + one)[0], 200)

    def test_a_verdict_that_the_server_does_not_take_holds_up_no_watch(self):
        """The server keeps the verdict on the first pod; the second pod's end is seen meanwhile. An answer is due within 30 s."""
        def failed(name, reason):
            self.api.tell('pods', 'ADDED', {'metadata': {'name': name + '-abcde', 'uid': name, 'labels': {'mayfly.dev/instance': name}}, 'spec': {},
                                            'status': {'phase': 'Failed', 'reason': reason}})
        self.begin()
        one, two = self.start(2)
        released = threading.Event()

        def keep(h):
            released.wait(60)
            self.api.patch(h, 'jobs', {}, h.body)
        self.api.next['PATCH jobs'] = [keep]
        failed(one, 'Evicted')
        wait_until(lambda: self.api.asks('PATCH jobs'), 'a verdict')
        failed(two, 'Evicted')
        wait_until(lambda: self.controller.read({'id': two})['state'] == 'ended', 'the end of the second', 20)
        released.set()
        wait_until(lambda: all(self.api.objects['jobs'][name]['metadata']['annotations'].get('mayfly.dev/outcome') == 'evicted' for name in (one, two)), 'both verdicts')

    def test_refusals_are_told_as_they_were_recorded(self):
        quota = 'jobs.batch "a" is forbidden: exceeded quota: instances, requested: count/jobs.batch=1, used: count/jobs.batch=3, limited: count/jobs.batch=3'
        self.begin()
        for status, reason, message, code, word in (
                (403, 'Forbidden', quota, (429, 'quota'), 'exceeded quota: instances'),
                (403, 'Forbidden', 'jobs.batch is forbidden: User "x" cannot create resource "jobs"', (503, 'kubernetes'), 'cannot create'),
                (422, 'Invalid', 'Job.batch "a" is invalid: spec.template.spec.containers[0].image: Required value', (422, 'template'), 'image'),
                (500, 'InternalError', 'Internal error occurred: etcdserver: request timed out', (503, 'kubernetes'), 'etcdserver'),
                (504, 'Timeout', 'Timeout: request did not complete within the allotted timeout', (503, 'kubernetes'), 'Timeout')):
            with self.subTest(message):
                self.api.next['POST jobs'] = [answers(status, refusal(status, reason, message))]
                answered, said = self.controller.ask('POST', '/v1/instances', {'template': 'drone'})
                self.assertEqual((answered, said['code']), code, said)
                self.assertIn(word, said['error'])
        for body in (b'', b'<html>bad gateway</html>', b'{', b'[1]', b'"x"'):
            with self.subTest(body):
                self.api.next['POST jobs'] = [answers(502, body)]
                self.assertEqual(self.controller.ask('POST', '/v1/instances', {'template': 'drone'})[0], 503)
                self.api.next['POST jobs'] = [answers(201, body)]
                self.assertEqual(self.controller.ask('POST', '/v1/instances', {'template': 'drone'})[0], 502)
