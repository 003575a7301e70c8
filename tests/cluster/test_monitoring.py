# SPDX-License-Identifier: Apache-2.0
"""deploy/monitoring before a real Prometheus Operator (ci/prometheus_operator.sh builds it), which runs beside the cluster: the API server
admits the objects by the operator's CRDs, and the operator makes a configuration with our jobs and alerts of them."""
import base64
import gzip
import os
import re
import subprocess
import unittest

from cluster import SYSTEM, TENANT, Case, create, kubectl, read, wait_until
from paths import TOP, built

OPERATOR = os.environ.get('OPERATOR', built('prometheus-operator'))
MONITORING = os.path.join(TOP, 'deploy', 'monitoring')
NAMESPACE = 'mayfly-monitoring'
EVERYTHING = {f'{kind}{of}Selector': {} for kind in ('serviceMonitor', 'podMonitor', 'rule') for of in ('', 'Namespace')}
PROMETHEUS = {'apiVersion': 'monitoring.coreos.com/v1', 'kind': 'Prometheus', 'metadata': {'name': 'all'}, 'spec': {'replicas': 0, **EVERYTHING}}


@unittest.skipUnless(os.access(f'{OPERATOR}/operator', os.X_OK), f'no {OPERATOR}/operator: ci/prometheus_operator.sh builds it by golang-go')
class Monitoring(Case):
    @classmethod
    def setUpClass(cls):
        cls.addClassCleanup(kubectl, 'delete', '-f', f'{OPERATOR}/crds', namespace=None)
        kubectl('apply', '--server-side', '-f', f'{OPERATOR}/crds', namespace=None)
        kubectl('wait', '--for=condition=Established', '-f', f'{OPERATOR}/crds', namespace=None)
        log = cls.enterClassContext(open(built('cluster/operator.log'), 'wb'))
        operator = subprocess.Popen([f'{OPERATOR}/operator', '--web.listen-address=127.0.0.1:0', '--feature-gates=StatusForConfigurationResources=true'],
                                    stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        cls.addClassCleanup(operator.wait, 30)
        cls.addClassCleanup(operator.terminate)
        kubectl('create', 'namespace', NAMESPACE, namespace=None)
        cls.addClassCleanup(kubectl, 'delete', 'namespace', NAMESPACE, namespace=None)  # the operator releases what is in it
        create(PROMETHEUS, namespace=NAMESPACE)
        kubectl('apply', '--validate=strict', '-k', MONITORING, namespace=None)

    def test_the_operator_accepts_the_monitors(self):
        """Only the ServiceMonitor has a status in this version."""
        bindings = wait_until(lambda: read('servicemonitor', 'simctl', namespace=SYSTEM).get('status', {}).get('bindings'), 'a status')
        self.assertEqual([(c['type'], c['status']) for b in bindings for c in b['conditions']], [('Accepted', 'True')], bindings)

    def test_a_prometheus_gets_the_jobs(self):
        def jobs():
            packed = read('secret', 'prometheus-all', namespace=NAMESPACE)['data']['prometheus.yaml.gz']
            found = dict(job.split('\n', 1) for job in re.split(r'(?m)^- job_name: ', gzip.decompress(base64.b64decode(packed)).decode())[1:])
            return found if len(found) == 2 else None
        found = wait_until(jobs, 'a configuration with both')
        named = {name: re.findall(r'(?m)^  - target_label: job\n    replacement: (\S+)$', text)[-1] for name, text in found.items()}
        self.assertEqual(named, {f'serviceMonitor/{SYSTEM}/simctl/0': 'mayfly-controller', f'podMonitor/{TENANT}/drones/0': 'mayfly'})

    def test_a_prometheus_gets_the_alerts(self):
        def alerts():
            files = read('configmaps', '-l', 'prometheus-name=all', namespace=NAMESPACE)
            return sorted(alert for f in files for text in f['data'].values() for alert in re.findall(r'(?m)^ *-? *alert: (\w+)$', text))
        with open(os.path.join(TOP, 'deploy', 'watching', 'alerts.yaml'), encoding='utf-8') as f:
            self.assertEqual(wait_until(alerts, 'rules'), sorted(re.findall(r'(?m)^ *- alert: (\w+)$', f.read())))

    def test_a_field_that_is_unknown_is_refused(self):
        """The API server knows the fields of these objects, so what it admitted has no other."""
        rule = {'apiVersion': 'monitoring.coreos.com/v1', 'kind': 'PrometheusRule', 'metadata': {'name': 'wrong'},
                'spec': {'groups': [{'name': 'a', 'rules': [{'alrt': 'A', 'expr': 'up'}]}]}}
        self.refused('alrt', kubectl, 'create', '--validate=strict', '--dry-run=server', document=rule, namespace=SYSTEM)
