# SPDX-License-Identifier: Apache-2.0
"""The controller before an API server that takes connections and says nothing: 30 s are waited for an answer."""
import threading

import pytest

from kube_api import WATCHED, KubeCase, says_nothing
from names import assert_names
from waiting import wait_until


class Silence(KubeCase):
    @pytest.mark.long
    def test_sim008_a_call_without_an_answer_ends_and_holds_up_nobody(self):
        self.begin()
        one, = self.start()
        self.api.always['POST jobs'] = says_nothing(self.api)
        answers_to = []
        asking = threading.Thread(target=lambda: answers_to.append(self.controller.ask('POST', '/v1/instances', {'template': 'drone'})))
        asking.start()
        wait_until(lambda: len(self.api.asks('POST jobs')) == 2, 'it is asked')
        self.assertEqual((self.ids(), self.readiness()[0], answers_to), ([one], 200, []))
        asking.join(90)
        (status, said), = answers_to
        self.assertEqual((status, said['code']), (503, 'kubernetes'), said)
        self.assertIn('imeout', said['error'])

    @pytest.mark.long
    def test_lists_without_an_answer_are_told_and_the_controller_ends(self):
        for kind in WATCHED:
            self.api.always[f'list {kind}'] = says_nothing(self.api)
        self.begin(ready=False)
        status, said = self.readiness()
        self.assertEqual(status, 503, said)
        assert_names(said['error'], 'namespace')
        wait_until(lambda: 'imeout' in self.readiness()[1]['error'], 'it is told', pause_s=0.5)
        self.assertEqual(self.controller.ask('GET', '/healthz')[0], 200)
        self.controller.stop()  # while a list waits: within PATIENCE_S

    @pytest.mark.long
    def test_without_an_answer_to_watches_lists_show_what_there_is(self):
        for kind in WATCHED:
            self.api.always[f'watch {kind}'] = says_nothing(self.api)
        self.begin()
        one, = self.start()
        self.api.tell('jobs', 'ADDED', self.another(one, 'other-0'))
        wait_until(lambda: 'other-0' in [i['id'] for i in self.controller.ask('GET', '/v1/instances')[1].get('instances', [])], 'it is known', pause_s=0.5)

    def test_sim008_readiness_follows_a_server_that_hangs(self):
        """Its watches stay open and silent, as those of a good server do for a minute."""
        self.begin()
        one, = self.start()
        self.api.always['pulse jobs'] = says_nothing(self.api)
        status, said = wait_until(lambda: self.readiness() if self.readiness()[0] != 200 else None, 'not ready', patience_s=20, pause_s=0.5)
        self.assertEqual((status, said['code'], self.ids()), (503, 'kubernetes', [one]), said)
        self.assertEqual(self.controller.ask('GET', '/healthz')[0], 200)
        del self.api.always['pulse jobs']
        wait_until(lambda: self.readiness()[0] == 200, 'ready again', pause_s=0.5)
