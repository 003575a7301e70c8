# SPDX-License-Identifier: Apache-2.0
"""HTTP to programs of this machine, whatever proxies the environment names."""
import contextlib
import http.client
import json
import socket
import urllib.request

PATIENCE_S = 20.0
JSON = {'Content-Type': 'application/json'}
OPENER = urllib.request.build_opener(urllib.request.ProxyHandler({}))


def connect(port):
    return http.client.HTTPConnection('127.0.0.1', port, timeout=PATIENCE_S)


def ask(port, method, path, body=None, headers=None, connection=None):
    """(status, headers, body), whatever the status. @param body  a dictionary is sent as JSON"""
    with contextlib.closing(connection or connect(port)) as c:
        data = json.dumps(body) if isinstance(body, dict) else body
        c.request(method, path, data, headers if headers is not None else JSON if body is not None else {})
        answer = c.getresponse()
        return answer.status, answer.headers, answer.read()


def ask_document(*args, **more):
    """(status, answer as JSON or text)"""
    status, headers, data = ask(*args, **more)
    return status, json.loads(data or b'null') if headers['Content-Type'] == 'application/json' else data.decode()


def everything(sock):
    """What comes until the other end closes."""
    return b''.join(iter(lambda: sock.recv(65536), b''))


class Events:
    """A stream of server-sent events."""

    def __init__(self, port, path='/v1/events', headers=''):
        self.sock = socket.create_connection(('127.0.0.1', port), PATIENCE_S)
        self.sock.sendall(f'GET {path} HTTP/1.1\r\nHost: localhost\r\n{headers}\r\n'.encode())
        self.file = self.sock.makefile('r', encoding='utf-8', newline='\n')
        assert ' 200 ' in self.file.readline()
        while self.file.readline().strip():
            pass

    def next(self):
        """(id, event, data)"""
        fields = {}
        while 'data' not in fields:
            line = self.file.readline()
            assert line, 'the stream has ended'
            if ': ' in line and not line.startswith(':'):
                key, value = line.rstrip('\n').split(': ', 1)
                fields[key] = value
        return int(fields['id']), fields['event'], json.loads(fields['data'])

    def wait_for(self, event, **data):
        while True:
            number, name, found = self.next()
            if name == event and all(found.get(k) == v for k, v in data.items()):
                return number, found

    def close(self):
        self.file.close()
        self.sock.close()
