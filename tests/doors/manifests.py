# SPDX-License-Identifier: Apache-2.0
"""The platform door: all that a Kubernetes would get is what its schema allows, without a cluster. deploy/ as its files and as kubectl
puts it together, and the objects that build/simctl makes of each template. Unknown fields are findings, too."""
import functools
import glob
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

import kubernetes_validate
import kubernetes_validate.utils
import yaml

TOP = pathlib.Path(__file__).parents[2]
sys.path.insert(0, str(TOP / 'tests' / 'lib'))
from certificates import authority  # noqa: E402
from kube_api import KINDS, KubeCase  # noqa: E402

VERSIONS = ('1.30', '1.34')     # the oldest that docs/controller.md allows, and that of tests/cluster
kubernetes_validate.utils.schema_contents = functools.cache(kubernetes_validate.utils.schema_contents)     # megabytes, for each object
NO_OBJECTS = ('kustomization.yaml', 'config.yaml')
VALUES = {'standin': {'cloud': 'https://cloud.example'}}     # those without a default


def files():
    """(name, text) of what is applied as it is"""
    for path in sorted(TOP.glob('deploy/controller/*.yaml')) + sorted(TOP.glob('deploy/tenant/*.yaml')):
        if path.name not in NO_OBJECTS:
            yield str(path.relative_to(TOP)), path.read_text(encoding='utf-8')


def put_together():
    """The same by the overlays of deploy/, where there is a kubectl"""
    if shutil.which('kubectl') is None:
        print('manifests: left out: kubectl kustomize deploy: no kubectl here')
        return
    for folder in ('deploy', 'deploy/overlays/example'):
        done = subprocess.run(['kubectl', 'kustomize', folder], cwd=TOP, capture_output=True, text=True, check=True)
        yield f'kubectl kustomize {folder}', done.stdout


def templates():
    """{name: text} of the templates that the tree and its documentation have"""
    found = {pathlib.Path(path).stem: pathlib.Path(path).read_text(encoding='utf-8')
             for path in glob.glob(str(TOP / 'deploy/controller/templates/*.yaml')) + [str(TOP / 'tools/standin/standin.yaml')]}
    page = (TOP / 'docs/controller.md').read_text(encoding='utf-8')
    found['acme'] = re.search(r'^```template\n(.*?)^```$', page, re.S | re.M)[1]
    found['clock'] = found['acme'].replace('onboard: onboard\n', 'onboard: onboard\nvirtualTime: true\nrecording: 2M\nreach: node\n', 1)
    return found


class Made(KubeCase):
    """Instances of all templates, by a controller whose API server only keeps what it gets."""

    def runTest(self):
        found = templates()
        for name, text in found.items():
            self.write(f'templates/{name}.yaml', text)
        certificate, key = authority(self.folder)
        self.begin('--ca-certificate', certificate, '--ca-key', key)
        for name in found:
            self.controller.start(template=name, wait=False, values=VALUES.get(name, {}))


def made():
    case = Made()
    result = case.defaultTestResult()
    case.run(result)
    for _, text in result.errors + result.failures:
        raise SystemExit(text)
    for kind, objects in case.api.objects.items():
        for name, thing in objects.items():
            yield f'simctl: {kind} {name}', json.dumps({'apiVersion': KINDS[kind][0], 'kind': KINDS[kind][1], **thing})


def main():
    os.chdir(TOP)
    count, findings = 0, []
    for name, text in [*files(), *put_together(), *made()]:
        for thing in filter(None, yaml.safe_load_all(text)):
            if thing['apiVersion'].startswith('monitoring.coreos.com/'):
                continue                # of the Prometheus Operator: Kubernetes has no schema of it
            count += 1
            for version in VERSIONS:
                try:
                    kubernetes_validate.validate(thing, version, strict=True)
                except (kubernetes_validate.ValidationError, kubernetes_validate.SchemaNotFoundError) as wrong:
                    place = '.'.join(str(part) for part in getattr(wrong, 'absolute_path', None) or ())
                    findings.append(f'{name}: {thing["kind"]} of {version}: {place}: {wrong.message}')
    for finding in findings:
        print(finding)
    print(f'manifests: {count} objects, {len(findings)} findings')
    return 1 if findings or count < 40 else 0


if __name__ == '__main__':
    sys.exit(main())
