# SPDX-License-Identifier: Apache-2.0
"""podman as its users call it, with all that it keeps below build/, in a network of its own: there, every port is free."""
import ctypes
import os
import shutil
import subprocess
import time

from paths import TOP

CONFIGURATION = {     # for machines without systemd, with either version of control groups
    'containers.conf': '[containers]\ndefault_ulimits = ["nofile=1024:1024", "nproc=1024:1024"]\n'
                       '[engine]\nruntime = "runc"\ncgroup_manager = "cgroupfs"\n[network]\nnetwork_backend = "netavark"\n'
                       'network_config_dir = "{0}/networks"\n',
    'storage.conf': '[storage]\ndriver = "vfs"\ngraphroot = "{0}/root"\nrunroot = "{0}/run"\n'}
PROGRAMS = ('podman', 'runc', 'netavark', 'aardvark-dns', 'ip', 'iptables', 'unshare', 'nsenter')


CLONE_NEWNET = 0x40000000
NETWORKS = '/run/containers/networks'


def missing(programs=PROGRAMS):
    """What is not here of these programs, or of what they need, in words; None: nothing."""
    gone = [name for name in programs if not shutil.which(name) and not os.path.exists(f'/usr/lib/podman/{name}')]
    if gone:
        return f'no {", ".join(gone)}: "sh ci/deps.sh image" installs them'
    return None if os.geteuid() == 0 else 'networks of containers need root: "sudo make process"'


class InNetworkOf:
    """This thread's sockets live in the network of another process: the container's own, with its own ports."""

    def __init__(self, pid):
        self.pid = pid
        self.libc = ctypes.CDLL(None, use_errno=True)

    def enter(self, path):
        with open(path, 'rb') as f:
            if self.libc.setns(f.fileno(), CLONE_NEWNET) != 0:
                raise OSError(ctypes.get_errno(), 'setns')

    def __enter__(self):
        self.home = os.open('/proc/self/ns/net', os.O_RDONLY)
        self.enter(f'/proc/{self.pid}/ns/net')

    def __exit__(self, *_):
        self.libc.setns(self.home, CLONE_NEWNET)
        os.close(self.home)


class Place:
    """A network (with alone=False: the machine's), and podman's storage in a folder. run() is what a user types there, at the top of
    the working tree."""

    def __init__(self, folder, alone=True):
        self.folder = os.path.abspath(folder)
        os.makedirs(self.folder, exist_ok=True)
        for name, text in CONFIGURATION.items():
            with open(os.path.join(self.folder, name), 'w', encoding='utf-8') as f:
                f.write(text.replace('{0}', self.folder))
        self.env = dict(os.environ, CONTAINERS_CONF=f'{self.folder}/containers.conf', CONTAINERS_STORAGE_CONF=f'{self.folder}/storage.conf')
        self.holder, self.enter = None, []
        if alone:
            self.live_alone()

    def live_alone(self):
        """Wherever podman's storage is, its list of addresses and its server of names are the machine's: here they are the Place's."""
        own = f'mkdir -p {NETWORKS} && mount -t tmpfs none {NETWORKS} && ip link set lo up && echo && exec sleep 86400'
        self.holder = subprocess.Popen(['unshare', '--net', '--mount', 'sh', '-c', own], stdout=subprocess.PIPE)
        self.holder.stdout.readline()
        self.pid = self.holder.pid
        self.enter = ['nsenter', f'--net=/proc/{self.pid}/ns/net', f'--mount=/proc/{self.pid}/ns/mnt', f'--wd={TOP}']

    def run(self, command, timeout_s=120, **more):
        """(exit code, stdout, stderr) of a command of the shell"""
        done = subprocess.run([*self.enter, 'sh', '-ec', command], cwd=TOP, text=True, capture_output=True,
                              timeout=timeout_s, check=False, env=dict(self.env, **more), stdin=subprocess.DEVNULL)
        return done.returncode, done.stdout, done.stderr

    def podman(self, *arguments):
        """Its stdout"""
        done = subprocess.run([*self.enter, 'podman', *arguments], capture_output=True, text=True, timeout=120, check=False, env=self.env)
        if done.returncode != 0:
            raise RuntimeError(f'podman {" ".join(arguments)}: {done.stderr.strip()}')
        return done.stdout.strip()

    def pull(self, archive, *options):
        """The image of an OCI archive, among podman's."""
        return self.podman('pull', '--quiet', *options, f'oci-archive:{archive}').split()[-1]

    def must(self, command, patience_s=0, **more):
        """stdout of a command that ends well, within that time: a drone that has just begun may not listen yet"""
        limit = time.monotonic() + patience_s
        while True:
            code, out, err = self.run(command, **more)
            if code == 0:
                return out
            if time.monotonic() > limit:
                raise AssertionError(f'{command}: exit code {code}: {out}{err}')
            time.sleep(0.2)

    def close(self):
        self.run('podman rm --all --force --time 0; podman network prune --force; podman rmi --all --force')
        if self.holder:
            self.holder.terminate()
            self.holder.wait()
            self.holder.stdout.close()
        shutil.rmtree(self.folder, ignore_errors=True)
