# SPDX-License-Identifier: Apache-2.0
"""deploy/watching: the metrics that its dashboard and its alerts name are those of a drone and of a controller, Prometheus
reads its files (PROMTOOL names promtool), and each alert fires where it must."""
import json
import os
import re
import shutil
import subprocess
import unittest

import pytest

from drone import ApiDrone
from folder_case import FolderCase
from json_schema import flaws
from local_controller import Controller
from paths import TOP
from programs import PROMTOOL, needs_promtool

WATCHING = os.path.join(TOP, 'deploy', 'watching')
# Labels that Prometheus gives to a target, and those of its own functions.
OF_PROMETHEUS = {'job', 'instance', 'namespace', 'le'}
# What Grafana puts in where a dashboard has these.
VARIABLES = {'$drone': '.*', '$__rate_interval': '1m', '${source}': 'prometheus'}

# The alert that must fire, after how many minutes, for which series, with which labels of its own.
DRONE, CONTROL = 'job="mayfly", instance="a"', 'job="mayfly-controller", instance="c"'
PAIR = 'tenant="default", template="drone"'
FIRES = [
    ('MayflyDroneDown', 2, [(f'up{{{DRONE}}}', '0x60')]),
    ('MayflyDroneBehind', 2, [(f'mayfly_clock_achieved_rate{{{DRONE}}}', '17x60'), (f'mayfly_clock_rate{{{DRONE}}}', '20x60')]),
    ('MayflyOverruns', 11, [(f'mayfly_overruns_total{{{DRONE}}}', '0+1x60')]),
    ('MayflyNotArmable', 6, [(f'mayfly_armable{{{DRONE}}}', '0x60'), (f'mayfly_faults_active{{{DRONE}, fault="wind"}}', '0x60')]),
    ('MayflyPlacesUsedUp', 6, [(f'mayfly_peers_refused_total{{{DRONE}, kind="tcp"}}', '0 0 0 1x60')]),
    ('MayflyClientTooSlow', 6, [(f'mayfly_peers_dropped_total{{{DRONE}}}', '0 0 0 1x60')]),
    ('MayflyFramesRejected', 12, [(f'mayfly_frames_rejected_total{{{DRONE}, reason="bad_crc"}}', '0+120x60')]),
    ('MayflyDroneMemory', 6, [(f'process_resident_memory_bytes{{{DRONE}}}', '130000000x60')]),
    ('MayflyControllerDown', 3, [(f'up{{{CONTROL}}}', '0x60')]),
    ('MayflyControllerDown', 3, [(f'up{{{DRONE}}}', '1x60')]),
    ('MayflyBackendDown', 3, [(f'mayfly_controller_backend_up{{{CONTROL}}}', '0x60')]),
    ('MayflyInstancesUnreclaimed', 6, [(f'mayfly_instances_expired_unreclaimed{{{CONTROL}, {PAIR}}}', '1x60')]),
    ('MayflyInstancesFail', 2, [(f'mayfly_instances_ended{{{CONTROL}, {PAIR}, outcome="image"}}', '1x60')]),
    ('MayflyInstancesWait', 25, [(f'mayfly_instances{{{CONTROL}, {PAIR}, state="pending"}}', '2x60'),
                                 (f'mayfly_controller_created_total{{{CONTROL}, {PAIR}}}', '7x60')]),
    ('MayflyControllerErrors', 12, [(f'mayfly_controller_requests_total{{{CONTROL}, status="2xx"}}', '0+90x60'),
                                    (f'mayfly_controller_requests_total{{{CONTROL}, status="5xx"}}', '0+10x60')]),
    ('MayflyInstancesStartSlowly', 25, [(f'mayfly_controller_create_seconds_bucket{{{CONTROL}, le="10"}}', '0+8x60'),
                                        (f'mayfly_controller_create_seconds_bucket{{{CONTROL}, le="60"}}', '0+10x60'),
                                        (f'mayfly_controller_create_seconds_bucket{{{CONTROL}, le="+Inf"}}', '0+10x60')]),
]


def read(*path):
    with open(os.path.join(*path), encoding='utf-8') as file:
        return file.read()


def dashboard():
    return json.loads(read(WATCHING, 'grafana.json'))


def expressions():
    """Every expression of dashboard and alerts, with the place where it stands."""
    found = {f"{panel['title']} {target['refId']}": target['expr'] for panel in dashboard()['panels'] for target in panel.get('targets', [])}
    for alert, expr in re.findall(r'- alert: (\w+)\n    expr: (?:>-\n      )?(.+)', read(WATCHING, 'alerts.yaml')):
        found[alert] = expr
    return found


def metrics_of(text):
    """{metric: its labels} of what /metrics answers; a histogram counts under the names of its series, too."""
    found = {}
    for name, kind in re.findall(r'^# TYPE (\S+) (\S+)$', text, re.M):
        for series in [name] + ([name + '_bucket', name + '_sum', name + '_count'] if kind == 'histogram' else []):
            found[series] = set()
    for name, labels in re.findall(r'^(\w+)\{(.*)\} ', text, re.M):
        found[name] |= set(re.findall(r'(\w+)="', labels))
    return found


class Names(unittest.TestCase):
    """What is named is there."""

    @classmethod
    def setUpClass(cls):
        with ApiDrone('--link-quality', 'out:loss=5%') as drone:
            drone.tcp()
            cls.drone = drone.get('/metrics')[1]
        with Controller() as controller:
            cls.controller = controller.text('/metrics')

    def test_metrics_and_labels(self):
        there = {'up': set(), **metrics_of(self.drone), **metrics_of(self.controller)}
        self.assertGreater(len(expressions()), 40)
        for place, expr in expressions().items():
            with self.subTest(place):
                labels = set()
                bare = re.sub(r'"[^"]*"', '""', expr)
                names = set(re.findall(r'\b(?:mayfly|process)_\w+|\bup\b', bare))
                self.assertTrue(names)
                for name in names:
                    self.assertIn(name, there)
                    labels |= there[name]
                used = set(re.findall(r'(\w+)\s*(?:=~|!=|=)\s*""', bare))
                for words in re.findall(r'\b(?:by|on) \(([^)]*)\)', bare):
                    used |= {word for word in words.split(', ') if word}
                self.assertLessEqual(used, labels | OF_PROMETHEUS)

    def test_words_of_labels(self):
        """A state, outcome, reason that an expression asks for is one of those that are told."""
        told = self.drone + self.controller
        for place, expr in expressions().items():
            for label, words in re.findall(r'\b(state|outcome|reason|status)(?:=~|!=|=)"([^"]*)"', expr):
                for word in words.split('|'):
                    self.assertIn(f'{label}="{word}"', told, place)

    def test_each_metric_of_a_drone_in_trouble_is_watched(self):
        all_of_them = ' '.join(expressions().values())
        for name in ('mayfly_frames_rejected_total', 'mayfly_frames_unsent_total', 'mayfly_overruns_total', 'mayfly_peers_refused_total',
                     'mayfly_clock_lost_seconds_total', 'mayfly_faults_active', 'mayfly_instances_expired_unreclaimed'):
            self.assertIn(name, all_of_them)


class Dashboard(unittest.TestCase):
    def test_it_has_the_form_that_grafana_reads(self):
        self.assertEqual(flaws({}, json.loads(read(TOP, 'tests', 'data', 'dashboard.schema.json')), dashboard()), [])

    def test_panels_have_places_and_numbers_of_their_own(self):
        panels, taken = dashboard()['panels'], set()
        self.assertEqual(len({p['id'] for p in panels}), len(panels))
        self.assertEqual(len({p['title'] for p in panels}), len(panels))
        for panel in panels:
            at = panel['gridPos']
            cells = {(x, y) for x in range(at['x'], at['x'] + at['w']) for y in range(at['y'], at['y'] + at['h'])}
            self.assertFalse(cells & taken, panel['title'])
            self.assertLessEqual(at['x'] + at['w'], 24)
            taken |= cells
            letters = [t['refId'] for t in panel.get('targets', [])]
            self.assertEqual(len(set(letters)), len(letters))

    def test_its_variables_are_declared(self):
        declared = {v['name'] for v in dashboard()['templating']['list']} | {'__rate_interval'}
        self.assertEqual(set(re.findall(r'\$\{?(\w+)', json.dumps(dashboard()))), declared)


@needs_promtool
class Prometheus(FolderCase):
    def setUp(self):
        super().setUp()
        shutil.copy(os.path.join(WATCHING, 'alerts.yaml'), self.folder)

    def promtool(self, words, name, text):
        done = subprocess.run([PROMTOOL, *words, self.write(name, text)], capture_output=True, text=True, check=False, timeout=60, cwd=self.folder)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_it_reads_the_configuration(self):
        self.promtool(['check', 'config'], 'scrape.yaml', read(WATCHING, 'scrape.yaml'))
        # Debian's is built without Kubernetes: the rest of the file must hold
        text = re.sub(r'  kubernetes_sd_configs:\n  - role: pod\n(    .*\n)*', '', read(WATCHING, 'scrape-kubernetes.yaml'))
        self.promtool(['check', 'config', '--syntax-only'], 'scrape-kubernetes.yaml', text)

    def test_it_reads_each_expression_of_the_dashboard(self):
        rules = []
        for i, expr in enumerate(expressions().values()):
            for name, value in VARIABLES.items():
                expr = expr.replace(name, value)
            rules.append({'record': f'watching:rule{i}', 'expr': expr})
        self.promtool(['check', 'rules'], 'dashboard.json', json.dumps({'groups': [{'name': 'dashboard', 'rules': rules}]}))

    def test_no_alert_where_all_is_well(self):
        self.promtool(['test', 'rules'], 'quiet.yaml', read(TOP, 'tests', 'data', 'alerts.yaml'))

    @pytest.mark.long
    def test_each_alert_fires(self):
        self.assertEqual({alert for alert, _, _ in FIRES}, set(re.findall(r'- alert: (\w+)', read(WATCHING, 'alerts.yaml'))))
        for alert, minutes, series in FIRES:
            with self.subTest(alert):
                rule = {'eval_time': f'{minutes}m', 'alertname': alert}
                tests = {'rule_files': ['alerts.yaml'], 'evaluation_interval': '1m', 'tests': [
                    {'interval': '1m', 'input_series': [{'series': s, 'values': v} for s, v in series], 'alert_rule_test': [rule]}]}
                path = self.write('fires.json', json.dumps(tests))
                done = subprocess.run([PROMTOOL, 'test', 'rules', path], capture_output=True, text=True, check=False, timeout=60)
                self.assertEqual(done.returncode, 1, 'it did not fire')
                self.assertRegex(done.stdout + done.stderr, rf'alertname: {alert}[^[]*exp:\[[^[]*got:\[\s*\S*\s*Labels')
