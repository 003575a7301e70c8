#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""run.py [--missing] [--keep] [TEST ...]: deploys the controller to a real Kubernetes and runs tests/cluster/test_*.py there.

CLUSTER (../shared/cluster/cluster) is the program that builds, starts and stops a Kubernetes of one node on this machine; a
cluster of it that runs already is used and left running. DEMAND=yes: a cluster that is missing is a failure, and it is built.
BUILD=build has the images. --missing only says what is missing. --keep leaves the deployment where it is.

Exit code 0: all passed, or left out for a reason that is printed. Everything that the tests made is taken away, and a cluster
that was started here is stopped; whatever is left then, in the cluster or on the machine, is a failure.
"""
import argparse
import calendar
import glob
import os
import re
import shutil
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), 'lib'))
import cluster  # noqa: E402
import waiting  # noqa: E402
from certificates import authority  # noqa: E402
from cluster import CLIENTS, EDITOR, HERE, SERVICES, SMALL, SYSTEM, TENANT, TINY, Refused, exists, kubectl, read, wait_until  # noqa: E402
from paths import BUILD, TOP, built  # noqa: E402

PROGRAM = os.environ.get('CLUSTER', os.path.join(TOP, '..', 'shared', 'cluster', 'cluster'))
STATE = os.environ.get('STATE', '/var/lib/mayfly-cluster')
WORK = built('cluster')
IMAGES = [built('mayfly-image.tar'), built('mayfly-tools-image.tar')]
TOOLS = 'containerd ctr runc iptables ip conntrack openssl curl kubectl musl-gcc buildah'.split()
FIRST = ['test_page.py']  # of a cluster that has nothing of ours
SIDE_BY_SIDE = ['test_policies.py', 'test_bounds.py', 'test_ends.py', 'test_callers.py', 'test_commands.py', 'test_suite.py', 'test_backend_ends.py',
                'test_backend_deaths.py', 'test_backend_requests.py', 'test_backend_templates.py', 'test_backend_tokens.py', 'test_virtual.py', 'test_sweep.py',
                'test_monitoring.py']
ALONE = ['test_backend_strict.py', 'test_fleet.py', 'test_standin.py', 'test_kills.py', 'test_dead.py']  # measures; stop what others need
NAMES = FIRST + SIDE_BY_SIDE + ALONE
NAMESPACES = (TENANT, SMALL, TINY, SYSTEM, CLIENTS, SERVICES)
# Requests are low: a node of two cores has room for twenty.
LOW_DRONE = 'resources: {requests: {cpu: 20m, memory: 32M}, limits: {cpu: 250m, memory: 256M}}'
DRONE = f'{{name: emulator, image: localhost/mayfly, imagePullPolicy: IfNotPresent, {LOW_DRONE}}}'
LOW = 'resources: {requests: {cpu: 20m, memory: 32M}, limits: {cpu: "1", memory: 128M}}'
FETCHED = (f'{{description: a drone with a geoid of a service, ttl: 30s, values: {{fetch: {{args: geoid, flags: [--model, --out, --cache, --fingerprint]}}, planned: {{env: MAYFLY_GEOID_FINGERPRINT}}}}, '
           f'pod: {{spec: {{volumes: [{{name: geoid, emptyDir: {{}}}}], initContainers: [{{name: geoid, image: localhost/mayfly-tools, '
           f'imagePullPolicy: IfNotPresent, command: [geoid, fetch], volumeMounts: [{{name: geoid, mountPath: /geoid}}], {LOW}}}], '
           f'containers: [{DRONE[:-1]}, args: [--geoid, "egm96:/geoid/egm96.mfpk"], volumeMounts: [{{name: geoid, mountPath: /geoid}}]}}]}}}}}}')


# Unmodified onboard software that takes its time; on the wall's clock a pod of it would live for a minute, at least.
VIRTUAL = (f'{{description: onboard software on the drone\'s clock, virtualTime: true, onboard: onboard, recording: 2M, ttl: 2m, values: '
           f'{{arguments: {{args: onboard, flags: [--side], default: ["tcp:127.0.0.1:5760"]}}}}, pod: {{spec: {{initContainers: [{DRONE[:-1]}, restartPolicy: Always}}], '
           f'containers: [{{name: onboard, image: localhost/mayfly-tools, imagePullPolicy: IfNotPresent, command: [fly], {LOW}}}]}}}}}}')


def standin(more=''):
    """tools/standin/standin.yaml with low requests. @param more  of the drone's container"""
    with open(os.path.join(TOP, 'tools', 'standin', 'standin.yaml'), encoding='utf-8') as f:
        text = f.read().replace('ttl: 5m', 'ttl: 2m').replace('restartPolicy: Always}', f'restartPolicy: Always, {LOW_DRONE}{more}}}')
    return re.sub(r'(?m)^( +)image: localhost/mayfly-tools$', rf'\g<0>\n\1{LOW}', text)


def ensemble():
    """The same; the drone has the geoids and the onboard software the plans of a ConfigMap that a test makes."""
    mount = 'volumeMounts: [{name: ensemble, mountPath: /ensemble}]'
    return standin(f', {mount}').replace('\n    containers:', '\n    volumes: [{name: ensemble, configMap: {name: ensemble, optional: true}}]\n    containers:') \
        .rstrip() + f'\n      {mount}\n'


TEMPLATES = {
    'standin': standin(),
    'ensemble': ensemble(),
    'fetched': FETCHED,
    'virtual': VIRTUAL,
    'fleet': f'{{description: a drone alone, values: {{clock: {{env: MAYFLY_CLOCK}}}}, ttl: 30s, pod: {{spec: {{containers: [{DRONE}]}}}}}}',
    'recorded': f'{{description: the same with a recording, recording: 2M, ttl: 30s, pod: {{spec: {{containers: [{DRONE}]}}}}}}',
    'outside': f'{{description: the same for clients elsewhere, reach: node, ttl: 30s, pod: {{spec: {{containers: [{DRONE.replace("/mayfly", "/of-the-registry")}]}}}}}}',
    'nowhere': f'{{description: no node has it, ttl: 30s, pod: {{spec: {{nodeSelector: {{nobody: "has"}}, containers: [{DRONE}]}}}}}}',
    'imageless': f'{{description: no node gets its image, ttl: 30s, pod: {{spec: {{containers: [{DRONE.replace("/mayfly", "/mayfly-nobody-has")}]}}}}}}',
    'brief': f'{{description: is reclaimed at once, ttl: 2s, reach: node, pod: {{spec: {{containers: [{DRONE}]}}}}}}',
}
CONFIG = f'''\
tenants:
  default: {{namespace: {TENANT}, accounts: ["{CLIENTS}:tester", "{CLIENTS}:other", "{CLIENTS}:leaver"]}}
  small: {{namespace: {TINY}, accounts: ["{CLIENTS}:small"]}}
images: {{localhost/of-the-registry: localhost/mayfly}}
'''
OVERLAY = f'''\
resources: [../../deploy, {SMALL}, {TINY}]
configMapGenerator:
- name: simctl-config
  namespace: {SYSTEM}
  behavior: merge
  files: [config.yaml]
- name: simctl-templates
  namespace: {SYSTEM}
  behavior: merge
  files: [mission.yaml, {", ".join(name + ".yaml" for name in TEMPLATES)}]
  options: {{disableNameSuffixHash: true}}
patches: # the CA of instances' certificates
- target: {{kind: Deployment, name: simctl}}
  patch: |
    - {{op: add, path: /spec/template/spec/containers/0/args/-, value: --ca-certificate=/etc/simctl/ca/tls.crt}}
    - {{op: add, path: /spec/template/spec/containers/0/args/-, value: --ca-key=/etc/simctl/ca/tls.key}}
    - {{op: add, path: /spec/template/spec/containers/0/volumeMounts/-, value: {{name: ca, mountPath: /etc/simctl/ca, readOnly: true}}}}
    - {{op: add, path: /spec/template/spec/volumes/-, value: {{name: ca, secret: {{secretName: simctl-ca, defaultMode: 0440}}}}}}
'''
SMALL_OVERLAY = '''\
namespace: NAME
resources: [../../../deploy/tenant]
patches:
- patch: '{apiVersion: v1, kind: ResourceQuota, metadata: {name: instances}, spec: {hard: {pods: "1", count/jobs.batch: "3"}}}'
'''


def say(text):
    print(f'cluster-test: {text}', flush=True)


def missing():
    """What keeps the cluster from running here, or None."""
    if os.geteuid() != 0:
        return 'not root'
    if not os.access(PROGRAM, os.X_OK):
        return f'no program {os.path.relpath(PROGRAM)} (CLUSTER) that starts a Kubernetes'
    tools = [tool for tool in TOOLS if not shutil.which(tool)]
    if tools:
        return f'{", ".join(tools)} not installed (make nightly installs what Debian has)'
    if not glob.glob(os.path.join(os.environ.get('BIN', f'{STATE}/bin'), '*')):
        return f'no Kubernetes is built in {STATE}; "{os.path.relpath(PROGRAM)} build-go" builds one'
    return None


def program(*words, timeout_s=180):
    """Its output goes into a file: what it starts inherits it, and a pipe would never end."""
    path = os.path.join(WORK, f'{words[0]}.log')
    with open(path, 'wb') as log:
        code = subprocess.run([PROGRAM, *words], stdin=subprocess.DEVNULL, stdout=log, stderr=log, timeout=timeout_s, check=False).returncode
    if code != 0:
        with open(path, encoding='utf-8', errors='replace') as log:
            raise RuntimeError(f'{PROGRAM} {" ".join(words)}: {log.read().strip()}')


def stop():
    """The cluster of this program. A container that still ends keeps `down` from removing its folder, on a slow machine for seconds."""
    def stopped():
        program('down')
        return True
    waiting.wait_until(stopped, 'the cluster has stopped', 30, 2, errors=(RuntimeError,))


def runs():
    """Does a cluster answer already?"""
    try:
        return os.path.exists(os.environ['KUBECONFIG']) and 'Ready' in kubectl('get', 'nodes', timeout_s=10)
    except (Refused, subprocess.TimeoutExpired):
        return False


# ---------------------------------------------------------------- the machine, before and after

def output(*command):
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout


def processes():
    """Command lines that speak of the cluster."""
    found = set()
    for path in glob.glob('/proc/[0-9]*/cmdline'):
        try:
            with open(path, 'rb') as f:
                line = f.read().replace(b'\0', b' ').decode(errors='replace')
        except OSError:
            continue
        if (f'{STATE}/' in line or 'mayfly-containerd' in line) and str(os.getpid()) != path.split('/')[2] and 'run.py' not in line:
            found.add(line.strip())
    return found


def machine():
    """{kind: set of what there is}"""
    with open('/proc/mounts', encoding='utf-8') as f:
        mounts = {line.split()[1] for line in f}
    rules = {f'{tool} {line}' for tool in ('iptables-save', 'ip6tables-save') for line in output(tool).splitlines()
             if re.match('-A|:[A-Z]+-', line)}
    folders = {path for pattern in ('/var/log/containers/*', '/var/log/pods/*', '/var/lib/kubelet', '/var/lib/kubelet/*', '/run/mayfly-containerd',
                                    '/var/lib/cni/networks/*', '/usr/libexec/kubernetes', '/sys/fs/cgroup/kubepods*',
                                    '/sys/fs/cgroup/*/kubepods*', f'{STATE}/*') for path in glob.glob(pattern)}
    return {'mount': mounts, 'rule of iptables': {re.sub(r' \[[0-9:]*\]$', '', rule) for rule in rules}, 'file or folder': folders,
            'network device': set(os.listdir('/sys/class/net')), 'route': set(output('ip', 'route').splitlines()),
            'process': processes()}


def left_on(before):
    """What is on the machine now and was not before. The image of pauses is kept with the binaries."""
    now = machine()
    return [f'{kind} {item}' for kind in now for item in sorted(now[kind] - before[kind]) if item not in (f'{STATE}/pause',)]


# ---------------------------------------------------------------- the deployment

def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, 'w', encoding='utf-8') as f:
        f.write(text)


def secrets():
    """The two that are made by hand (docs/controller.md)."""
    address = read('service', 'simctl', namespace=SYSTEM)['spec']['clusterIP']  # no name is resolved here
    names = f'DNS:simctl.{SYSTEM}.svc,DNS:simctl.{SYSTEM}.svc.cluster.local,IP:{address}'
    subprocess.run(['openssl', 'req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=simctl', '-addext',
                    f'subjectAltName={names}', '-keyout', f'{WORK}/tls.key', '-out', f'{WORK}/tls.crt'], check=True, capture_output=True)
    write(f'{WORK}/drone.key', os.urandom(32).hex() + '\n')
    authority(WORK)
    for words in (['tls', 'simctl-ca', f'--cert={WORK}/factory.crt', f'--key={WORK}/factory.key'], ['generic', 'simctl-key', f'--from-file=key={WORK}/drone.key'],
                  ['tls', 'simctl-tls', f'--cert={WORK}/tls.crt', f'--key={WORK}/tls.key']):
        kubectl('create', 'secret', *words, namespace=SYSTEM)


def deploy():
    undeploy()
    write(f'{WORK}/kustomization.yaml', OVERLAY)
    for name in (SMALL, TINY):
        write(f'{WORK}/{name}/kustomization.yaml', SMALL_OVERLAY.replace('NAME', name))
    write(f'{WORK}/config.yaml', CONFIG)
    with open(os.path.join(TOP, 'deploy/controller/templates/mission.yaml'), encoding='utf-8') as f:
        write(f'{WORK}/mission.yaml', re.sub('^ttl: .*', 'ttl: 30s', f.read(), flags=re.M))
    for name, text in TEMPLATES.items():
        write(f'{WORK}/{name}.yaml', text + '\n')
    kubectl('apply', '-k', WORK, namespace=None)
    secrets()
    for name in (CLIENTS, SERVICES):
        kubectl('create', 'namespace', name)
    kubectl('label', 'namespace', SERVICES, 'mayfly.dev/services=all-tenants')
    for account in ('tester', 'other', 'leaver', 'small', 'stranger'):
        kubectl('create', 'serviceaccount', account, namespace=CLIENTS)
    kubectl('create', 'rolebinding', EDITOR, '--clusterrole=edit', f'--user={EDITOR}')
    wait_until(lambda: 'not by' in refusal(), 'the policy holds')
    for name in (TENANT, SMALL, TINY):  # before it is counted anything may be made
        wait_until(lambda name=name: all('count/jobs.batch' in quota.get('status', {}).get('used', {}) for quota in read('resourcequotas', namespace=name)),
                   f'the quota of {name} is counted')


def refusal():
    try:
        kubectl('create', '--dry-run=server', document=cluster.job('probe'))
    except Refused as error:
        return str(error)
    return ''


def undeploy():
    """Everything of deploy/ and of the tests. The namespace controller takes instances with their namespaces."""
    for namespace in NAMESPACES:
        kubectl('delete', 'namespace', namespace, '--ignore-not-found', '--wait=false')
    wait_until(lambda: not any(exists('namespace', name) for name in NAMESPACES), 'namespaces are gone', timeout_s=120)
    kubectl('delete', 'validatingadmissionpolicybinding,validatingadmissionpolicy,clusterrolebinding,clusterrole,priorityclass', '-l', 'app.kubernetes.io/part-of=mayfly')


def keeps(job):
    """Is this one that has ended, and can be asked about until its TTL is over?"""
    ended = [c['lastTransitionTime'] for c in job.get('status', {}).get('conditions', []) if c['type'] in ('Complete', 'Failed') and c['status'] == 'True']
    age_s = time.time() - calendar.timegm(time.strptime(ended[0], '%Y-%m-%dT%H:%M:%SZ')) if ended else 0
    return bool(ended) and age_s < job['spec']['ttlSecondsAfterFinished'] + 15


def left_in():
    """What the namespaces of tenants have and should not: instances that run, or are past their TTL, and whatever no Job owns."""
    found = []
    for namespace in (TENANT, SMALL, TINY):
        kept = {instance_of(j) for j in read('jobs', namespace=namespace) if keeps(j)} - {None}
        for kind in ('jobs', 'pods', 'secrets', 'services', 'configmaps'):
            found += [f'{kind} {namespace}/{o["metadata"]["name"]}' for o in read(kind, namespace=namespace)
                      if instance_of(o) not in kept and o['metadata']['name'] != 'kube-root-ca.crt']
    return found


def instance_of(thing):
    """The id is a label: the name of a Job is another one when its request has a name."""
    return thing['metadata'].get('labels', {}).get('mayfly.dev/instance')


# ---------------------------------------------------------------- the run

def chosen(scripts, names):
    return [os.path.join(HERE, s) for s in scripts if not names or s in names or s[5:-3] in names]


def run_tests(groups):
    """Exit code of the tests of each group, one group after the other."""
    code = 0
    for scripts in groups:
        if scripts:
            code |= subprocess.run([sys.executable, '-m', 'pytest', '--timeout', '600', '-n', str(min(8, len(scripts))), '--dist', 'loadfile', *scripts],
                                   env=dict(os.environ, BUILD=BUILD), check=False).returncode
    return code


def run(names, keep):
    failures = []
    undeploy()
    code = run_tests([chosen(FIRST, names)])
    deploy()
    code |= run_tests([chosen(SIDE_BY_SIDE, names), *([s] for s in chosen(ALONE, names))])  # those that stop what others need, alone
    if code != 0:
        failures.append('tests')
    try:
        wait_until(lambda: not left_in(), 'instances are reclaimed', timeout_s=60, pause_s=1)
    except AssertionError:
        found = left_in()
        failures.append(f'left in the cluster: {len(found)} objects: {" ".join(found[:20])}')
    if not keep:
        undeploy()
    return failures


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--missing', action='store_true')
    parser.add_argument('--keep', action='store_true')
    parser.add_argument('tests', nargs='*', metavar='TEST', help='test_NAME.py, or NAME; all without one')
    options = parser.parse_args()
    unknown = [name for name in options.tests if name not in NAMES and f'test_{name}.py' not in NAMES]
    if unknown:
        parser.error(f'no test {unknown[0]}; there are {", ".join(name[5:-3] for name in NAMES)}')
    demanded = os.environ.get('DEMAND') == 'yes'
    os.makedirs(WORK, exist_ok=True)
    if demanded and not options.missing and os.access(PROGRAM, os.X_OK) and not glob.glob(f'{STATE}/bin/*'):
        say('Kubernetes is built, which takes 8 to 28 minutes')
        program('build-go', timeout_s=3600)
    reason = missing()
    if options.missing:
        print(reason or '')
        return 0
    if reason:
        say(f'left out: {reason}')
        return 1 if demanded else 0
    os.environ.update(KUBECONFIG=f'{STATE}/admin.conf', CLUSTER=PROGRAM)
    begin, before, own = time.monotonic(), machine(), not runs()
    if own:
        stop()
        before = machine()
        program('up')
    try:
        for image in IMAGES:
            program('load', image)
        failures = run(options.tests, options.keep)
    finally:
        if own:
            stop()
    if own:
        failures += [f'left on the machine: {what}' for what in left_on(before)]
    for failure in failures:
        say(f'FAILED: {failure}')
    say(f'{"a cluster of its own" if own else "a cluster that ran already"}, {time.monotonic() - begin:.0f} s')
    return 1 if failures else 0


if __name__ == '__main__':
    sys.exit(main())
