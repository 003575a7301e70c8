# SPDX-License-Identifier: Apache-2.0
"""A client of the controller's API (docs/controller.md), of whatever backend."""
import json
import os
import ssl
import urllib.error
import urllib.parse
import urllib.request

from waiting import wait_until

PATIENCE_S = 60.0


def body_of(answer):
    """A document, or the bytes of something else."""
    return json.load(answer) if answer.headers.get_content_type() == 'application/json' else answer.read()


class Client:
    """A controller at an address."""

    def __init__(self, url, token=None, ca=None):
        self.url, self.token = url.rstrip('/'), token
        handlers = [urllib.request.ProxyHandler({})]
        if url.startswith('https:'):
            handlers.append(urllib.request.HTTPSHandler(context=ssl.create_default_context(cafile=ca)))
        self.opener = urllib.request.build_opener(*handlers)

    def ask(self, method, path, body=None, raw=None):
        """(status, document)"""
        data = raw if raw is not None else None if body is None else json.dumps(body).encode()
        headers = {'Content-Type': 'application/json', **({'Authorization': f'Bearer {self.token}'} if self.token else {})}
        request = urllib.request.Request(self.url + path, method=method, data=data, headers=headers)
        try:
            with self.opener.open(request, timeout=PATIENCE_S + 10) as answer:
                return answer.status, body_of(answer)
        except urllib.error.HTTPError as error:
            with error:
                return error.code, json.load(error)

    def start(self, wait=True, **body):
        status, answer = self.ask('POST', '/v1/instances' + ('?wait=ready' if wait else ''), body)
        assert status == 201, answer
        return answer['instances']

    def read(self, instance):
        status, answer = self.ask('GET', '/v1/instances/' + instance['id'])
        assert status == 200, answer
        return answer

    def text(self, path):
        """What is not a document."""
        status, data = self.ask('GET', path)
        assert status == 200, data
        return data.decode()

    def logs(self, instance, container='onboard'):
        return self.text(f'/v1/instances/{instance["id"]}/logs?container={container}')

    @property
    def port(self):
        return urllib.parse.urlsplit(self.url).port

    def wait_until(self, instance, *states):
        return wait_for_state(self, instance, *states)


def wait_for_state(controller, instance, *states):
    """It, once it is in one of the states."""
    def read():
        now = controller.read(instance)
        return now if now['state'] in states else None
    return wait_until(read, f'{instance["id"]} {" or ".join(states)}', PATIENCE_S, errors=())


def from_environment():
    """The controller that MAYFLY_CONTROLLER names; None: it names none."""
    url, token = os.environ.get('MAYFLY_CONTROLLER'), os.environ.get('MAYFLY_CONTROLLER_TOKEN')
    if token and '/' in token:
        with open(token, encoding='ascii') as f:
            token = f.readline().strip()
    return Client(url, token, os.environ.get('MAYFLY_CONTROLLER_CA')) if url else None
