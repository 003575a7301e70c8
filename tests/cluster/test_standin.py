# SPDX-License-Identifier: Apache-2.0
"""Stand-ins in a cluster: certificates, a cloud service that asks for them, geoids by an init container, 40 minutes in one.

run.py prepares the cluster: the controller has the CA of WORK/factory.crt, the namespace SERVICES may be reached by instances.
"""
import json
import os
import ssl
import tempfile
import unittest

import controller
import figures
import standins
from certificates import certificate
from cluster import SECURITY, SERVICES, TENANT, create, kubectl, read

EGM96 = 'f980cd11a72467c3a2b47a115505561fb950dd93389f7430fd974b03547ea507'
FLIGHT_S = 120.0
FIGURES = figures.Figures()


def service(name, port):
    """Address of a Service for pods with this label. No name is resolved in this cluster."""
    create({'apiVersion': 'v1', 'kind': 'Service', 'metadata': {'name': name},
            'spec': {'selector': {'app': name}, 'ports': [{'port': port}]}}, namespace=SERVICES)
    return read('service', name, namespace=SERVICES)['spec']['clusterIP']


def pod(name, command, probe, secret=None):
    """Of the tools' image, once it answers."""
    container = {'name': name, 'image': 'localhost/mayfly-tools', 'imagePullPolicy': 'IfNotPresent', 'command': command,
                 'readinessProbe': dict(probe, periodSeconds=1), 'securityContext': SECURITY,
                 'resources': {'requests': {'cpu': '20m', 'memory': '32M'}, 'limits': {'cpu': '1', 'memory': '128M'}}}
    spec = {'containers': [container], 'terminationGracePeriodSeconds': 1, 'automountServiceAccountToken': False,
            'securityContext': {'runAsNonRoot': True, 'fsGroup': 65532, 'seccompProfile': {'type': 'RuntimeDefault'}}}
    if secret:
        container['volumeMounts'] = [{'name': 'files', 'mountPath': '/files', 'readOnly': True}]
        spec['volumes'] = [{'name': 'files', 'secret': {'secretName': secret, 'defaultMode': 0o440}}]
    create({'apiVersion': 'v1', 'kind': 'Pod', 'metadata': {'name': name, 'labels': {'app': name}}, 'spec': spec}, namespace=SERVICES)
    kubectl('wait', '--for=condition=Ready', f'pod/{name}', '--timeout=60s', namespace=SERVICES, timeout_s=70)


class Standins(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.c = controller.begin()
        cls.folder = cls.enterClassContext(tempfile.TemporaryDirectory())
        for name in ('factory.crt', 'factory.key'):
            os.symlink(os.path.join(controller.WORK, name), os.path.join(cls.folder, name))
        certificate(cls.folder, 'factory', 'operator')
        cls.cloud = cls.serve('cloud')

    @classmethod
    def serve(cls, name, *volumes):
        """Address of a cloud service."""
        address = service(name, 8443)
        certificate(cls.folder, 'factory', 'cloud', 'IP:' + address)
        files = ('cloud.crt', 'cloud.key', 'factory.crt', *volumes)
        kubectl('create', 'secret', 'generic', name, *(f'--from-file={file}={cls.folder}/{file}' for file in files), namespace=SERVICES)
        pod(name, ['standin', 'cloud', '--listen', '0.0.0.0:8443', '--certificate', '/files/cloud.crt', '--key', '/files/cloud.key',
                   '--ca', '/files/factory.crt', *(f'--volumes=/files/{file}' for file in volumes)], {'tcpSocket': {'port': 8443}}, name)
        return f'https://{address}:8443'

    @classmethod
    def tearDownClass(cls):
        kubectl('delete', 'pods,services,secrets', '--all', '--wait=false', namespace=SERVICES)

    def known(self, cloud=None):
        context = ssl.create_default_context(cafile=os.path.join(self.folder, 'factory.crt'))
        context.load_cert_chain(os.path.join(self.folder, 'operator.crt'), os.path.join(self.folder, 'operator.key'))
        return standins.ask_cloud(cloud or self.cloud, context)

    def logs(self, instance, container='onboard'):
        return self.c.raw('GET', f'/v1/instances/{instance["id"]}/logs?container={container}')[1].decode()

    def wait(self, one):
        return self.c.wait_for(one, 'ended', timeout_s=FLIGHT_S)

    def test_sim038_forty_minutes_of_missions_on_the_event_clock(self):
        flown, wall, milestones = standins.forty_minutes(lambda **body: self.c.start(wait=False, **body), self.wait, self.logs, self.cloud)
        print(f'figure: {flown / 60:.1f} minutes of missions, {milestones} milestones, none missed')
        FIGURES.add('cluster.forty_minutes', wall, 's')
        self.assertEqual(FIGURES.broken, [])

    def test_sim001_sim003_sim004_twenty_fly_by_their_own_onboard_software(self):
        made = self.c.start(count=20, template='standin', wait=False, values={'clock': 'event', 'cloud': self.cloud, 'mission': ['--side', '40']})
        self.assertEqual(len(made), 20)
        for one in made:
            ended = self.wait(one)
            self.assertEqual(ended['outcome'], 'completed', self.logs(one))
            self.assertEqual([leg['item'] for leg in standins.report_of(self.logs(one))['legs']], standins.SQUARE[:-1])
        known = self.known()
        self.assertLessEqual({one['id'] for one in made}, set(known))

    def test_sim005_the_cloud_service_hears_of_the_flight_by_the_certificate(self):
        one, = self.c.start(wait=False, template='standin', values={'clock': 'fast', 'cloud': self.cloud, 'mission': ['--side', '40']})
        ended = self.wait(one)
        self.assertEqual(ended['outcome'], 'completed', self.logs(one))
        self.assertGreater(self.known()[one['id']]['reports'], 10)
        with self.assertRaises(OSError):
            standins.ask_cloud(self.cloud, ssl.create_default_context(cafile=os.path.join(self.folder, 'factory.crt')))

    def test_sim041_a_geoid_comes_by_an_init_container_and_another_ends_the_instance(self):
        address = service('elevation', 8089)
        pod('elevation', ['elevation', '--listen', '0.0.0.0:8089'], {'httpGet': {'path': '/v1', 'port': 8089}})
        fetch = [f'http://{address}:8089', '--model', 'egm96', '--out', '/geoid/egm96.mfpk', '--cache', 'none', '--fingerprint', EGM96]
        one, = self.c.start(template='fetched', values={'fetch': fetch, 'planned': EGM96})
        self.assertEqual(one['state'], 'ready', (one, self.logs(one, 'geoid')))
        self.c.end(one)
        other, = self.c.start(wait=False, template='fetched', values={'fetch': fetch, 'planned': 'ab' * 32})
        ended = self.wait(other)
        self.assertEqual(ended['outcome'], 'geoid_mismatch', ended)

    def test_sim041_an_ensemble_on_two_geoids_conforms_above_wgs84_and_a_wrong_one_does_not(self):
        with open(os.path.join(self.folder, 'volumes.json'), 'w', encoding='ascii') as file:
            json.dump(standins.ENSEMBLE_VOLUMES, file)
        cloud = self.serve('authority', 'volumes.json')
        standins.pack_navd88(self.folder)

        def fly(geoid, plan, home):
            files = [f'--from-file={os.path.join(self.folder, name)}' for name in ('navd88.mfpk', plan)]
            kubectl('create', 'configmap', 'ensemble', *files, namespace=TENANT)
            try:
                one, = self.c.start(wait=False, template='ensemble', values={
                    'clock': 'fast', 'cloud': cloud, 'home': home, 'mission': ['--plan', '/ensemble/' + plan],
                    'geoid': geoid if geoid == 'egm96' else f'{geoid}:/ensemble/{geoid}.mfpk'})
                ended = self.wait(one)
            finally:
                kubectl('delete', 'configmap', 'ensemble', namespace=TENANT)
            self.assertEqual(ended['outcome'], 'completed', self.logs(one))
            return ended

        states = standins.ensemble(self.folder, fly, lambda: self.known(cloud))
        self.assertEqual({name: s['state'] for name, s in states.items()}, standins.CONFORMITY, states)
