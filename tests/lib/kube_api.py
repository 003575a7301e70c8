# SPDX-License-Identifier: Apache-2.0
"""build/simctl before a scripted API server, whose bodies are as a real one's (1.34) were recorded."""
import http.server
import json
import os
import threading
import time
import urllib.parse

from folder_case import FolderCase
from local_controller import Controller
from waiting import wait_until

KINDS = {'jobs': ('batch/v1', 'Job'), 'pods': ('v1', 'Pod'), 'services': ('v1', 'Service'), 'secrets': ('v1', 'Secret'), 'events': ('v1', 'Event')}
WATCHED = ('jobs', 'pods', 'services', 'events')
TEMPLATE = 'ttl: 5m\npod: {spec: {containers: [{name: emulator, image: localhost/mayfly}]}}\n'


def refusal(code, reason, message):
    return {'kind': 'Status', 'apiVersion': 'v1', 'metadata': {}, 'status': 'Failure', 'message': message, 'reason': reason, 'code': code}


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = 'HTTP/1.1'
    disable_nagle_algorithm = True  # an answer is two writes

    def log_message(self, *_):
        pass

    def answer(self, status, document, **headers):
        body = document if isinstance(document, bytes) else json.dumps(document).encode()
        self.send_response(status)
        for name, value in {'Content-Type': 'application/json', 'Content-Length': str(len(body)), **headers}.items():
            self.send_header(name.replace('_', '-'), value)
        self.end_headers()
        self.wfile.write(body)

    def begin_stream(self):
        self.send_response(200)
        self.send_header('Content-Type', 'application/json')
        self.send_header('Transfer-Encoding', 'chunked')
        self.end_headers()

    def piece(self, data):
        self.wfile.write(b'%x\r\n%s\r\n' % (len(data), data))
        self.wfile.flush()

    def serve(self):
        url = urllib.parse.urlsplit(self.path)
        query = dict(urllib.parse.parse_qsl(url.query))
        body = self.rfile.read(int(self.headers.get('Content-Length') or 0))
        words = url.path.split('/')
        kind = next((w for w in words if w in KINDS), '')
        verb = 'watch' if 'watch' in query else 'pulse' if query == {'limit': '1'} else 'list' if self.command == 'GET' and words[-1] == kind else self.command
        self.server.script.take(self, verb, kind, query, body)

    do_GET = do_POST = do_PATCH = serve


class Api:
    """A namespace of one tenant; keys of `next` and `always` are "VERB KIND", and their values are called instead of what it does."""

    def __init__(self):
        self.lock = threading.Condition()
        self.objects = {kind: {} for kind in KINDS}
        self.version = 1
        self.events = {kind: [] for kind in KINDS}  # (version, line)
        self.next, self.always, self.asked = {}, {}, []
        self.over = threading.Event()
        self.server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), Handler)
        self.server.daemon_threads, self.server.script = True, self
        self.server.handle_error = lambda *_: None  # a client that ends is none
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def stop(self):
        self.over.set()
        with self.lock:
            self.lock.notify_all()
        self.server.shutdown()
        self.server.server_close()

    def take(self, h, verb, kind, query, body):
        key = f'{verb} {kind}'
        with self.lock:
            if query.get('dryRun') is None:
                self.asked.append((key, query, h.headers.get('Authorization'), time.monotonic()))
            wanted = [] if query.get('dryRun') else self.next.get(key, [])
            act = wanted.pop(0) if wanted else self.always.get('*') or self.always.get(key)
        h.body = json.loads(body or b'null')
        try:
            if act:
                act(h)
            else:
                getattr(self, verb.lower())(h, kind, query, h.body)
        except OSError:
            h.close_connection = True

    def asks(self, key):
        with self.lock:
            return [a for a in self.asked if a[0] == key]

    # ---- what it does unless it is told otherwise

    def tell(self, kind, event, document):
        """Change an object, and tell of it. @param event  ADDED, MODIFIED or DELETED"""
        with self.lock:
            self.version += 1
            document['metadata']['resourceVersion'] = str(self.version)
            self.objects[kind][document['metadata']['name']] = document
            if event == 'DELETED':
                del self.objects[kind][document['metadata']['name']]
            self.events[kind].append((self.version, json.dumps({'type': event, 'object': document}).encode() + b'\n'))
            self.lock.notify_all()

    def pulse(self, h, kind, *_):
        """The controller asks whether the server answers."""
        h.answer(200, {'kind': KINDS[kind][1] + 'List', 'apiVersion': KINDS[kind][0], 'metadata': {'resourceVersion': '1'}, 'items': []})

    @staticmethod
    def selects(query, document):
        """Does the reason of a field selector fit? Events of any other reason are not sent."""
        wanted = dict(pair.split('=') for pair in query.get('fieldSelector', '').split(',') if pair).get('reason')
        return wanted in (None, document.get('reason'))

    def list(self, h, kind, query, _):
        with self.lock:
            items, version = [o for o in self.objects[kind].values() if self.selects(query, o)], self.version
        for name, text in (pair.split('=') for pair in query.get('labelSelector', '').split(',') if pair):
            items = [i for i in items if i['metadata'].get('labels', {}).get(name) == text]
        begin = int(query.get('continue', 0))
        metadata = {'resourceVersion': str(version)}
        if begin + 1 < len(items):
            metadata['continue'] = str(begin + 1)
        h.answer(200, {'kind': KINDS[kind][1] + 'List', 'apiVersion': KINDS[kind][0], 'metadata': metadata, 'items': items[begin:begin + 1]})

    def watch(self, h, kind, query, _):
        since = int(query['resourceVersion'])
        h.begin_stream()
        while not self.over.is_set():
            with self.lock:
                lines = [(v, line) for v, line in self.events[kind] if v > since and self.selects(query, json.loads(line)['object'])]
                if not lines:
                    self.lock.wait(1)
            for since, line in lines:
                h.piece(line)

    def post(self, h, kind, query, document):
        name = document['metadata'].get('name')
        if query.get('dryRun'):
            h.answer(201, document)
            return
        if name in self.objects[kind]:
            h.answer(409, refusal(409, 'AlreadyExists', f'{kind} "{name}" already exists'))
            return
        document['metadata'].update(uid=f'{kind}-{name}', creationTimestamp=time.strftime('%Y-%m-%dT%H:%M:%SZ', time.gmtime()))
        self.tell(kind, 'ADDED', document)
        h.answer(201, document)

    def patch(self, h, kind, _, change):
        """A merge patch, of objects in objects."""
        def merge(into, of):
            for name, value in of.items():
                into[name] = merge(into.get(name) or {}, value) if isinstance(value, dict) else value
            return into
        document = self.objects[kind][urllib.parse.urlsplit(h.path).path.rsplit('/', 1)[-1]]
        self.tell(kind, 'MODIFIED', merge(document, change))
        h.answer(200, document)

    def get(self, h, kind, _, __):
        name = urllib.parse.urlsplit(h.path).path.rsplit('/', 1)[-1]
        found = self.objects.get(kind, {}).get(name)
        h.answer(200 if found else 404, found or refusal(404, 'NotFound', f'{kind} "{name}" not found'))


# ---------------------------------------------------------------- what a script may do

def answers(status, document, **headers):
    return lambda h: h.answer(status, document, **headers)


def streams(*pieces, cut=False):
    """A watch that says these bytes and ends. @param cut  without the end of its body"""
    def act(h):
        h.begin_stream()
        for piece in pieces:
            h.piece(piece)
        if not cut:
            h.wfile.write(b'0\r\n\r\n')
        h.close_connection = cut
    return act


def event(**members):
    return json.dumps(members).encode() + b'\n'


def says_nothing(api):
    return lambda h: api.over.wait()


class KubeCase(FolderCase):
    def setUp(self):
        super().setUp()
        self.api = Api()
        self.addCleanup(self.api.stop)
        self.write('token', 'first')
        self.write('templates/drone.yaml', TEMPLATE)
        url = 'http://127.0.0.1:%d' % self.api.server.server_address[1]
        self.write('config', json.dumps({'clusters': [{'name': 'c', 'cluster': {'server': url}}], 'users': [{'name': 'u', 'user': {'tokenFile': 'token'}}],
                                         'contexts': [{'name': 'x', 'context': {'cluster': 'c', 'user': 'u'}}], 'current-context': 'x'}))

    def write(self, name, content):
        """In one step, as a kubelet does."""
        os.makedirs(os.path.dirname(self.path(name)), exist_ok=True)
        os.replace(super().write(name + '.new', content), self.path(name))

    def begin(self, *flags, ready=True):
        self.controller = Controller('--backend', 'kubernetes', '--kubeconfig', self.path('config'),
                                     '--templates', self.path('templates'), *flags)
        self.addCleanup(self.controller.stop)
        if ready:
            wait_until(lambda: self.readiness()[0] == 200, 'ready')

    def readiness(self):
        return self.controller.ask('GET', '/readyz')

    def ids(self):
        status, answer = self.controller.ask('GET', '/v1/instances')
        self.assertEqual(status, 200, answer)
        return sorted(i['id'] for i in answer['instances'])

    def start(self, count=1):
        status, answer = self.controller.ask('POST', '/v1/instances', {'template': 'drone', 'count': count})
        self.assertEqual(status, 201, answer)
        return [i['id'] for i in answer['instances']]

    def another(self, of, name):
        """A Job of another controller's, like one that is there."""
        job = json.loads(json.dumps(self.api.objects['jobs'][of]))
        job['metadata'].update(name=name, uid=name)
        job['metadata']['labels']['mayfly.dev/instance'] = name
        return job

    def knows(self, ids):
        wait_until(lambda: self.ids() == sorted(ids), f'{ids} are known, and not {self.ids()}')
