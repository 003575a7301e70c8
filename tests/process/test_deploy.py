# SPDX-License-Identifier: Apache-2.0
"""deploy/ as kubectl puts it together, without a cluster: the overlay, the monitors, and the chart, which has the same objects."""
import functools
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import unittest

from paths import TOP

DEPLOY = os.path.join(TOP, 'deploy')
needs_kubectl = unittest.skipUnless(shutil.which('kubectl'), 'no kubectl, which make nightly installs')
UNITS = {'': 1, 'm': 1e-3, 'M': 1e6, 'G': 1e9}
MOST = 500  # SIMCTL_COUNT_MAX: what one request may start


def read(*path):
    with open(os.path.join(DEPLOY, *path), encoding='utf-8') as f:
        return f.read()


def kubectl(*words, text=None):
    return subprocess.run(['kubectl', *words], input=text, capture_output=True, text=True, timeout=60, check=True).stdout


def objects(text):
    """The objects of a YAML text. kubectl reads YAML, and writes JSON once it has something to change."""
    said, found = kubectl('annotate', '--local', '--overwrite', '-f', '-', 'made=json', '-o', 'json', text=text), []
    while said.strip():
        thing, end = json.JSONDecoder().raw_decode(said.lstrip())
        said = said.lstrip()[end:]
        del thing['metadata']['annotations']['made']
        if not thing['metadata']['annotations']:
            del thing['metadata']['annotations']
        found.append(thing)
    return found


def document(text):
    """Any YAML text as what it says."""
    return objects('apiVersion: v1\nkind: Any\nmetadata: {name: any}\nis:\n' + re.sub('^', '  ', text, flags=re.M))[0]['is']


@functools.cache
def kustomized(folder):
    return {(o['kind'], o['metadata'].get('namespace'), o['metadata']['name']): o for o in objects(kubectl('kustomize', os.path.join(DEPLOY, folder)))}


def find(folder, kind, name):
    found, = (o for (k, _, n), o in kustomized(folder).items() if (k, n) == (kind, name))
    return found


def number(quantity):
    value, unit = re.fullmatch(r'([\d.]+)(\D*)', quantity).groups()
    return float(value) * UNITS[unit]


def containers(deployment):
    return deployment['spec']['template']['spec']['containers']


@needs_kubectl
class Base(unittest.TestCase):
    def test_the_quota_has_room_for_one_request_of_drones(self):
        """A drone alone: k_drone_limit of kube_job.c."""
        with open(os.path.join(TOP, 'tools', 'simctl', 'kube', 'kube_job.c'), encoding='utf-8') as f:
            limits = re.findall(r'\{"(cpu|memory)", "(\w+)", "(\w+)"\}', f.read())[:2]
        self.assertEqual(len(limits), 2)
        hard = find('', 'ResourceQuota', 'instances')['spec']['hard']
        for resource, request, limit in limits:
            self.assertGreaterEqual(number(hard['requests.' + resource]), MOST * number(request))
            self.assertGreaterEqual(number(hard['limits.' + resource]), MOST * number(limit))
        for count in ('pods', 'services', 'count/secrets', 'count/jobs.batch'):
            self.assertGreaterEqual(int(hard[count]), MOST)

    def test_names_of_others_are_there(self):
        """Priority classes, the budget's and the monitors' selectors, ports."""
        deployment, service = find('', 'Deployment', 'simctl'), find('', 'Service', 'simctl')
        labels = deployment['spec']['template']['metadata']['labels']
        self.assertEqual(find('', 'PodDisruptionBudget', 'simctl')['spec'], {'maxUnavailable': 1, 'selector': {'matchLabels': labels}})
        self.assertGreater(deployment['spec']['replicas'], 1)
        classes = {name for kind, _, name in kustomized('') if kind == 'PriorityClass'}
        used = {deployment['spec']['template']['spec']['priorityClassName']}
        for text in find('', 'ConfigMap', 'simctl-templates')['data'].values():
            used |= set(re.findall(r'priorityClassName: (\S+)', text))
        self.assertEqual(used, classes)
        monitor = find('monitoring', 'ServiceMonitor', 'simctl')
        self.assertEqual(monitor['metadata']['namespace'], service['metadata']['namespace'])
        self.assertLessEqual(monitor['spec']['selector']['matchLabels'].items(), service['metadata']['labels'].items())
        self.assertIn(monitor['spec']['endpoints'][0]['port'], [p['name'] for p in service['spec']['ports']])
        port = find('monitoring', 'PodMonitor', 'drones')['spec']['podMetricsEndpoints'][0]['port']
        with open(os.path.join(TOP, 'tools', 'simctl', 'kube', 'kube_job.h'), encoding='utf-8') as f:
            self.assertIn(f'#define SIMCTL_API_PORT_NAME "{port}"', f.read())

    def test_jobs_have_the_names_of_the_alerts(self):
        monitors = [find('monitoring', 'ServiceMonitor', 'simctl')['spec']['endpoints'], find('monitoring', 'PodMonitor', 'drones')['spec']['podMetricsEndpoints']]
        jobs = {r['replacement'] for endpoints in monitors for e in endpoints for r in e['relabelings'] if r['targetLabel'] == 'job'}
        self.assertEqual(jobs, set(re.findall(r'job="([\w-]+)"', read('watching', 'alerts.yaml'))))

    def test_the_rules_are_the_alerts(self):
        self.assertEqual(find('monitoring', 'PrometheusRule', 'mayfly')['spec'], document(read('watching', 'alerts.yaml')))


@needs_kubectl
class Overlay(unittest.TestCase):
    EXAMPLE = 'overlays/example'

    def test_every_image_is_the_registrys(self):
        images = document(find(self.EXAMPLE, 'ConfigMap', next(n for k, _, n in kustomized(self.EXAMPLE) if n.startswith('simctl-config-')))['data']['config.yaml'])['images']
        named = {'localhost/mayfly', 'localhost/mayfly-tools'}  # of the template `drone`, and the default of `recorder`
        for text in find(self.EXAMPLE, 'ConfigMap', 'simctl-templates')['data'].values():
            named |= set(re.findall(r'\bimage: (localhost/[^,}\s]+)', text))
        self.assertEqual(set(images), named)
        self.assertEqual([c['image'] for c in containers(find(self.EXAMPLE, 'Deployment', 'simctl'))], [images['localhost/mayfly-tools']])
        self.assertTrue(all(re.fullmatch(r'registry\.example/[a-z-]+@sha256:[0-9a-f]{64}', image) for image in images.values()))

    def test_pull_secrets(self):
        for namespace, account in (('mayfly-system', 'simctl'), ('mayfly', 'default')):
            secret = kustomized(self.EXAMPLE)['Secret', namespace, 'mayfly-pull']
            self.assertEqual((secret['type'], list(secret['data'])), ('kubernetes.io/dockerconfigjson', ['.dockerconfigjson']))
            self.assertEqual(secret['metadata'].get('labels', {}).get('mayfly.dev/shared'), 'yes' if namespace == 'mayfly' else None)
            self.assertEqual(kustomized(self.EXAMPLE)['ServiceAccount', namespace, account]['imagePullSecrets'], [{'name': 'mayfly-pull'}])

    def test_the_ca_is_mounted_where_the_arguments_say(self):
        deployment = find(self.EXAMPLE, 'Deployment', 'simctl')
        mount = next(m for m in containers(deployment)[0]['volumeMounts'] if m['name'] == 'ca')
        for flag in ('--ca-certificate=/etc/simctl/ca/tls.crt', '--ca-key=/etc/simctl/ca/tls.key'):
            self.assertIn(flag, containers(deployment)[0]['args'])
            self.assertTrue(flag.split('=')[1].startswith(mount['mountPath'] + '/'))
        self.assertIn('simctl-ca', [v.get('secret', {}).get('secretName') for v in deployment['spec']['template']['spec']['volumes']])

    def test_the_rest_is_as_before(self):
        changed = {key for key, o in kustomized('').items() if kustomized(self.EXAMPLE).get(key) != o}
        self.assertEqual({kind for kind, _, _ in changed}, {'Deployment', 'ConfigMap', 'ServiceAccount', 'ResourceQuota'})


def render(name, **values):
    """What Helm makes of a template of the chart, as far as the chart uses Helm."""
    values = {**document(read('chart', 'values.yaml')), **values}
    text = read('chart', 'templates', name)
    text = re.sub(r'\{\{- if \.Values\.(\w+) \}\}\n(.*?)\{\{- end \}\}\n', lambda m: m[2] if values[m[1]] else '', text, flags=re.S)
    text = re.sub(r'\{\{ \.Values\.(\w+) \| toJson \}\}', lambda m: json.dumps(values[m[1]]), text)
    text = re.sub(r'\{\{ \.Values\.(\w+) \| sha256sum \}\}', lambda m: hashlib.sha256(values[m[1]].encode()).hexdigest(), text)
    text = re.sub(r'\{\{ \.Values\.(\w+) \}\}', lambda m: str(values[m[1]]), text)
    plain = re.sub(r'\{\{ `(.*?)` \}\}', '', text, flags=re.S)
    assert '{{' not in plain, re.search('.*{{.*', plain)[0]
    return re.sub(r'\{\{ `(.*?)` \}\}', r'\1', text, flags=re.S)


@needs_kubectl
class Chart(unittest.TestCase):
    def made(self, name='controller.yaml', **values):
        return {(o['kind'], o['metadata'].get('namespace'), o['metadata']['name']): o for o in objects(render(name, **values))}

    def test_files_that_are_made_are_what_would_be_made(self):
        done = subprocess.run([sys.executable, os.path.join(TOP, 'ci', 'manifests.py'), '--check'], capture_output=True, text=True, timeout=60, check=False)
        self.assertEqual((done.returncode, done.stdout), (0, ''), done.stderr)

    def test_it_has_the_objects_of_the_kustomization(self):
        made = self.made()
        del made['Deployment', 'mayfly-system', 'simctl']['spec']['template']['metadata']['annotations']
        self.assertEqual(made['ServiceAccount', 'mayfly-system', 'simctl'].pop('imagePullSecrets'), [])
        plain = json.loads(re.sub(r'simctl-config-\w{10}', 'simctl-config', json.dumps(list(kustomized('').values()))))
        self.assertEqual(made, {(o['kind'], o['metadata'].get('namespace'), o['metadata']['name']): o for o in plain})
        self.assertEqual(self.made('monitoring.yaml', monitoring=True), kustomized('monitoring'))
        self.assertNotIn('kind:', render('monitoring.yaml'))

    def test_values_stand_where_they_belong(self):
        quota = {'pods': '7'}
        made = self.made(image='r.example/tools@sha256:12', instanceCA='authority', replicas=3, config='tenants: {}\n', quota=quota,
                         templates={'acme.yaml': 'pod: {}\n'}, imagePullSecrets=[{'name': 'pull'}])
        deployment = made['Deployment', 'mayfly-system', 'simctl']
        container, = containers(deployment)
        self.assertEqual((container['image'], deployment['spec']['replicas']), ('r.example/tools@sha256:12', 3))
        self.assertIn('--ca-key=/etc/simctl/ca/tls.key', container['args'])
        self.assertIn({'mountPath': '/etc/simctl/ca', 'name': 'ca', 'readOnly': True}, container['volumeMounts'])
        self.assertIn({'name': 'ca', 'secret': {'defaultMode': 0o440, 'secretName': 'authority'}}, deployment['spec']['template']['spec']['volumes'])
        self.assertEqual(made['ConfigMap', 'mayfly-system', 'simctl-config']['data'], {'config.yaml': 'tenants: {}\n'})
        self.assertEqual(made['ConfigMap', 'mayfly-system', 'simctl-templates']['data'], {'acme.yaml': 'pod: {}\n'})
        self.assertEqual(made['ResourceQuota', 'mayfly', 'instances']['spec']['hard'], quota)
        self.assertEqual(made['ServiceAccount', 'mayfly-system', 'simctl']['imagePullSecrets'], [{'name': 'pull'}])
