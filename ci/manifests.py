#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""manifests.py [--check]: writes the files of deploy/ that are made of others of deploy/, by kubectl kustomize.

    deploy/monitoring/rules.yaml  a PrometheusRule, of deploy/watching/alerts.yaml
    deploy/chart/                 a chart for Helm, of deploy/ and deploy/monitoring

The chart has the objects of the kustomization, with values in some places. A value stands there as JSON, which is YAML: the templates
need no indentation, and tests/process/test_deploy.py renders them without Helm. --check only says which files are not as they would be
made, and exits with 1."""
import os
import re
import subprocess
import sys

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
MADE = '# SPDX-License-Identifier: Apache-2.0\n# Made by ci/manifests.py (make manifests).\n'
VALUES = '''\
# The controller's image, by tag or digest. Those of instances stand in `config`, under `images`.
image: localhost/mayfly-tools
# Of the controller: [{name: pull}]. A template names those of its pods (pod.spec.imagePullSecrets).
imagePullSecrets: []
replicas: 2
# A Secret of type kubernetes.io/tls in the release's namespace mayfly-system: the CA of instances' certificates. "": none
instanceCA: ""
# ServiceMonitor, PodMonitor and PrometheusRule, for clusters with the Prometheus Operator
monitoring: false
'''
CA_ARGUMENTS = '''\
{{- if .Values.instanceCA }}
        - --ca-certificate=/etc/simctl/ca/tls.crt
        - --ca-key=/etc/simctl/ca/tls.key
{{- end }}
'''
CA_MOUNT = '''\
{{- if .Values.instanceCA }}
        - mountPath: /etc/simctl/ca
          name: ca
          readOnly: true
{{- end }}
'''
CA_VOLUME = '''\
{{- if .Values.instanceCA }}
      - name: ca
        secret:
          defaultMode: 288
          secretName: {{ .Values.instanceCA | toJson }}
{{- end }}
'''


def read(path):
    with open(os.path.join(TOP, path), encoding='utf-8') as f:
        return f.read()


def kustomize(folder):
    """The objects of a kustomization, as texts."""
    done = subprocess.run(['kubectl', 'kustomize', os.path.join(TOP, folder)], capture_output=True, text=True, check=True)
    return done.stdout.split('\n---\n')


def once(pattern, replacement, text):
    """re.subn() that insists on one place: the manifests have changed in a way that this program must follow."""
    text, n = re.subn(pattern, lambda m: m.expand(replacement) if '\\' in replacement else replacement, text, flags=re.M)
    if n != 1:
        raise SystemExit(f'manifests: {n} places in deploy/ fit {pattern}, not 1')
    return text


def rules():
    groups = once(r'^groups:$', '  groups:', re.sub(r'^#.*\n', '', read('deploy/watching/alerts.yaml'), flags=re.M))
    body = re.sub(r'^(?=[- ]) *(?! *groups:)', lambda m: '  ' + m[0], groups, flags=re.M)
    return f'{MADE}apiVersion: monitoring.coreos.com/v1\nkind: PrometheusRule\nmetadata:\n  name: mayfly\n  namespace: mayfly-system\nspec:\n{body}'


def kind_of(text):
    return re.search(r'^kind: (\w+)$', text, re.M)[1]


def block(text, key):
    """(text without the content of a key at the left margin, the content)"""
    match = re.search(rf'^{key}:\n((?:  .*\n|\n)+)', text, re.M)
    return text.replace(match[0], '\0'), match[1]


def with_values(text):
    """An object with values in their places. @return (text, values that it brings)"""
    text = re.sub(r'\bsimctl-config-[a-z0-9]{10}\b', 'simctl-config', text.rstrip('\n') + '\n')
    kind, values = kind_of(text), ''
    if kind == 'Deployment':
        text = once(r'^        image: localhost/mayfly-tools$', '        image: {{ .Values.image | toJson }}', text)
        text = once(r'^  replicas: 2$', '  replicas: {{ .Values.replicas }}', text)
        text = once(r'^      labels:$', '      annotations: # a change restarts the controller, which reads it once\n'
                    '        checksum/config: {{ .Values.config | sha256sum }}\n      labels:', text)
        text = once(r'^(        - /etc/simctl/tls/tls\.key\n)', r'\1' + CA_ARGUMENTS, text)
        text = once(r'^(          name: tls\n          readOnly: true\n)', r'\1' + CA_MOUNT, text)
        text = text + CA_VOLUME                                        # the volumes come last
        if not re.search(r'secretName: simctl-tls\n\{\{- if', text):
            raise SystemExit('manifests: the last lines of the Deployment are not its volumes')
    elif kind == 'ServiceAccount':
        text = 'imagePullSecrets: {{ .Values.imagePullSecrets | toJson }}\n' + text
    elif kind == 'ResourceQuota':
        head, hard = text.split('  hard:\n')
        text = head + '  hard: {{ .Values.quota | toJson }}\n'
        values = 'quota:\n' + re.sub('^  ', '', hard, flags=re.M)
    elif kind == 'ConfigMap':
        text, data = block(text, 'data')
        if 'name: simctl-config\n' in text:
            text = text.replace('\0', 'data:\n  config.yaml: {{ .Values.config | toJson }}\n')
            values = '# Tenants, their callers, and images in place of those that templates name (docs/controller.md)\n' \
                + re.sub('^  ', '', data, flags=re.M).replace('config.yaml:', 'config:')
        else:
            text = text.replace('\0', 'data: {{ .Values.templates | toJson }}\n')
            values = "# A file for each template; --set-file 'templates.acme\\.yaml=acme.yaml' adds one, null takes one away\ntemplates:\n" + data
    return text, values


def escaped(text):
    """Braces of Prometheus' own templates, which Helm must leave alone; kustomize may have broken the line within them."""
    return re.sub(r'\{\{.*?\}\}', lambda m: '{{ `' + m[0] + '` }}', text, flags=re.S)


def chart():
    objects, values = [], VALUES
    for text in kustomize('deploy'):
        text, more = with_values(text)
        objects.append(text)
        values += more
    monitoring = '---\n'.join(escaped(text.rstrip('\n') + '\n') for text in kustomize('deploy/monitoring'))
    version = '.'.join(re.findall(r'^#define MF_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)', read('firmware/state/version.h'), re.M))
    return {
        'Chart.yaml': f'{MADE}apiVersion: v2\nname: mayfly\ndescription: the Simulation Controller of Mayfly and one tenant (docs/controller.md)\n'
                      f'type: application\nversion: {version}\nappVersion: "{version}"\nkubeVersion: ">=1.30.0-0"\n',
        'values.yaml': MADE + values,
        'templates/controller.yaml': MADE + '---\n'.join(objects),
        'templates/monitoring.yaml': MADE + '{{- if .Values.monitoring }}\n' + monitoring + '{{- end }}\n',
    }


def write(path, text, check):
    """Whether the file was as it must be."""
    path = os.path.join(TOP, path)
    same = os.path.exists(path) and read(path) == text
    if not same and not check:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, 'w', encoding='utf-8') as f:
            f.write(text)
    if not same:
        print(f'manifests: {os.path.relpath(path, TOP)} {"is not what deploy/ makes of it: make manifests" if check else "written"}')
    return same


def main():
    check = sys.argv[1:] == ['--check']
    good = write('deploy/monitoring/rules.yaml', rules(), check)
    for name, text in chart().items():
        good = write(f'deploy/chart/{name}', text, check) and good
    return 0 if good or not check else 1


if __name__ == '__main__':
    sys.exit(main())
