# SPDX-License-Identifier: Apache-2.0
"""SIM-005 on a laptop: onboard software finds certificates at its start, and a service that asks for them lets it in."""
import socket
import ssl
import threading

import pytest

from certificates import authority, certificate
from drone import PATIENCE_S
from folder_case import FolderCase
from local_controller import Controller, templates

ONBOARD = '''
import os, socket, ssl, sys
folder = os.environ['MAYFLY_CERTIFICATES']
assert os.stat(folder + '/tls.key').st_mode & 0o777 == 0o600
context = ssl.create_default_context(cafile=folder + '/ca.crt')
context.check_hostname = False
if sys.argv[2] == 'own':
    context.load_cert_chain(folder + '/tls.crt', folder + '/tls.key')
with socket.create_connection(('127.0.0.1', int(sys.argv[1]))) as raw, context.wrap_socket(raw) as tls:
    tls.sendall(b'hello')
    sys.exit(0 if tls.recv(2) == b'ok' else 3)
'''
TEMPLATE = '''
onboard: onboard
certificates: {names: ["{id}.fleet.example"]}
values:
  arguments: {args: onboard}
local:
  onboard: {command: [python3, %s]}
pod:
  spec:
    initContainers: [{name: emulator, image: localhost/mayfly, restartPolicy: Always}]
    containers: [{name: onboard, image: localhost/acme/onboard}]
'''


class Certificates(FolderCase):
    def setUp(self):
        super().setUp()
        authority(self.folder)
        authority(self.folder, 'other')
        certificate(self.folder, 'factory', 'cloud')
        self.templates = self.enterContext(templates(certified=TEMPLATE % self.write('onboard.py', ONBOARD)))

    def serve(self, certificate, port, names):
        """One handshake of a cloud service that wants a certificate of the factory's."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.verify_mode = ssl.CERT_REQUIRED
        context.load_verify_locations(self.path(certificate))
        context.load_cert_chain(self.path('cloud.crt'), self.path('cloud.key'))
        listener = socket.create_server(('127.0.0.1', 0))
        self.addCleanup(listener.close)
        listener.settimeout(PATIENCE_S)
        port.append(listener.getsockname()[1])

        def answer():
            try:
                raw, _ = listener.accept()
                with raw, context.wrap_socket(raw, server_side=True) as tls:
                    names.extend(value for _, value in tls.getpeercert()['subjectAltName'])
                    tls.recv(5)
                    tls.sendall(b'ok')
            except OSError:
                pass  # who has none is refused

        thread = threading.Thread(target=answer, daemon=True)
        thread.start()
        self.addCleanup(thread.join)

    def fly(self, authority, own='own'):
        """How an instance ended whose onboard software asks a service that trusts this authority, and who it was there."""
        port, names = [], []
        self.serve(authority, port, names)
        with Controller('--templates', self.templates, '--ca-certificate', self.path('factory.crt'),
                        '--ca-key', self.path('factory.key')) as controller:
            instance, = controller.start(wait=False, template='certified', values={'arguments': [str(port[0]), own]})
            return controller.wait_until(instance, 'ended'), names

    @pytest.mark.long
    def test_sim005_the_service_knows_the_instance(self):
        instance, names = self.fly('factory.crt')
        self.assertEqual(instance['outcome'], 'completed', instance)
        self.assertEqual(names, [instance['id'], instance['id'] + '.fleet.example'])

    @pytest.mark.long
    def test_sim005_without_the_certificate_it_is_refused(self):
        self.assertEqual(self.fly('factory.crt', own='none')[0]['outcome'], 'onboard_failed')
        self.assertEqual(self.fly('other.crt')[0]['outcome'], 'onboard_failed')

    def test_without_a_ca_the_template_is_refused(self):
        with Controller('--templates', self.templates) as controller:
            status, refusal = controller.ask('POST', '/v1/instances', {'template': 'certified'})
            self.assertEqual((status, refusal['code']), (422, 'certificates'))
            self.assertIn('--ca-certificate', refusal['error'])
