# SPDX-License-Identifier: Apache-2.0
"""The cluster that tests/cluster runs against, as an administrator sees it: kubectl, and objects as the controller makes them.

Python 3 standard library and kubectl. KUBECONFIG names the cluster; run.py sets it.
"""
import json
import os
import subprocess
import unittest

import waiting

HERE = os.path.dirname(os.path.abspath(__file__))
SYSTEM, TENANT = 'mayfly-system', 'mayfly'  # of deploy/
SMALL, TINY, CLIENTS = 'mayfly-small', 'mayfly-tiny', 'mayfly-clients'  # run.py's: small quotas, ServiceAccounts of callers
SERVICES = 'mayfly-services'  # run.py's: what instances reach
CONTROLLER = f'system:serviceaccount:{SYSTEM}:simctl'
EDITOR = 'edith'  # has the role `edit` in TENANT
PATIENCE_S = 60.0
IMAGE = 'localhost/mayfly'
SECURITY = {'allowPrivilegeEscalation': False, 'readOnlyRootFilesystem': True, 'capabilities': {'drop': ['ALL']}}
RESOURCES = {'requests': {'cpu': '10m', 'memory': '16M'}, 'limits': {'cpu': '250m', 'memory': '256M'}}


class Refused(Exception):
    """kubectl failed, or had no answer; the text is what it wrote."""


def kubectl(*words, namespace=TENANT, user=None, document=None, timeout_s=PATIENCE_S):
    """What kubectl writes. @param namespace  None: each object's own @param user  impersonated @param document  goes in as -f -"""
    command = ['kubectl', *(['-n', namespace] if namespace else []), *words]
    if user:
        command += ['--as', user]
    if document is not None:
        command += ['-f', '-']
    try:
        done = subprocess.run(command, input=None if document is None else json.dumps(document), capture_output=True, text=True,
                              timeout=timeout_s, check=False)
    except subprocess.TimeoutExpired as error:
        raise Refused(f'no answer within {timeout_s} s') from error
    if done.returncode != 0:
        raise Refused(done.stderr.strip() or done.stdout.strip())
    return done.stdout


def create(document, **options):
    kubectl('create', document=document, **options)


def read(*words, **options):
    """An object, or a list of them."""
    found = json.loads(kubectl('get', *words, '-o', 'json', **options))
    return found['items'] if found['kind'] == 'List' else found


def exists(kind, name, **options):
    return bool(kubectl('get', kind, name, '--ignore-not-found', '-o', 'name', **options).strip())


def pods_of(instance, **options):
    return read('pods', '-l', f'mayfly.dev/instance={instance}', **options)


def jobs_of(instance, **options):
    """None, or one: a named request gives its Job another name than the instance's id."""
    return read('jobs', '-l', f'mayfly.dev/instance={instance}', **options)


def patch(kind, name, document, *words, **options):
    kubectl('patch', kind, name, '--type=merge', '-p', json.dumps(document), *words, **options)


def wait_until(condition, what, timeout_s=PATIENCE_S, pause_s=0.1):
    """A network or an API server that does not answer yet is waited for, too."""
    return waiting.wait_until(condition, what, timeout_s, pause_s, errors=(OSError, Refused))


def pod_spec(arguments=(), security=True, resources=True):
    container = {'name': 'emulator', 'image': IMAGE, 'imagePullPolicy': 'IfNotPresent', 'args': list(arguments)}
    if resources:
        container['resources'] = RESOURCES
    spec = {'restartPolicy': 'Never', 'automountServiceAccountToken': False, 'terminationGracePeriodSeconds': 1,
            'containers': [container]}
    if security:
        container['securityContext'] = SECURITY
        spec['securityContext'] = {'runAsNonRoot': True, 'seccompProfile': {'type': 'RuntimeDefault'}}
    return spec


def meta(name, **more):
    return dict({'name': name, 'labels': {'mayfly.dev/instance': name}}, **more)


def job(name, arguments=(), deadline_s=60, pod_deadline_s=None, ttl_s=300, **options):
    """A Job as the controller orders one."""
    spec = pod_spec(arguments, **options)
    if pod_deadline_s:
        spec['activeDeadlineSeconds'] = pod_deadline_s
    return {'apiVersion': 'batch/v1', 'kind': 'Job', 'metadata': meta(name),
            'spec': {'backoffLimit': 0, 'activeDeadlineSeconds': deadline_s, 'ttlSecondsAfterFinished': ttl_s,
                     'template': {'metadata': {'labels': {'mayfly.dev/instance': name}}, 'spec': spec}}}


def secret(name, labels=None, owner=None):
    document = {'apiVersion': 'v1', 'kind': 'Secret', 'metadata': meta(name), 'stringData': {'key': 'value'}}
    if labels is not None:
        document['metadata']['labels'] = labels
    if owner:
        document['metadata']['ownerReferences'] = [{'apiVersion': 'batch/v1', 'kind': 'Job', 'name': owner['metadata']['name'],
                                                    'uid': owner['metadata']['uid'], 'blockOwnerDeletion': False}]
    return document


def service(name, owner=None):
    document = {'apiVersion': 'v1', 'kind': 'Service', 'metadata': secret(name, owner=owner)['metadata'],
                'spec': {'selector': {'mayfly.dev/instance': name}, 'ports': [{'port': 5760}]}}
    return document


def pod(name, **options):
    return {'apiVersion': 'v1', 'kind': 'Pod', 'metadata': meta(name), 'spec': pod_spec(**options)}


def emulator(instance, namespace=TENANT):
    """(pod, id of the drone's container)"""
    pod, = pods_of(instance['id'], namespace=namespace)
    status, = [c for c in pod['status']['containerStatuses'] + pod['status'].get('initContainerStatuses', []) if c['name'] == 'emulator']
    return pod, status['containerID'].rsplit('/', 1)[1]


def is_running(name):
    return any(p['status'].get('phase') == 'Running' for p in pods_of(name))


def started(name, **options):
    """A Job of the controller, once its pod runs."""
    create(job(name, **options), user=CONTROLLER)
    wait_until(lambda: is_running(name), f'pod of {name}')
    return read('job', name)


class Case(unittest.TestCase):
    """Of tests that are refused things."""

    def refused(self, expected, act, *args, **options):
        """The act is, for this reason."""
        with self.assertRaises(Refused) as caught:
            act(*args, **options)
        self.assertIn(expected, str(caught.exception))
