# SPDX-License-Identifier: Apache-2.0
"""podman as its users call it, with all that it keeps below build/, in a network of its own: there, every port is free."""
import os
import shutil
import subprocess
import time

from paths import TOP

CONFIGURATION = {     # for machines without systemd, with either version of control groups
    'containers.conf': '[containers]\ndefault_ulimits = ["nofile=1024:1024", "nproc=1024:1024"]\n'
                       '[engine]\nruntime = "runc"\ncgroup_manager = "cgroupfs"\n[network]\nnetwork_backend = "netavark"\n',
    'storage.conf': '[storage]\ndriver = "vfs"\ngraphroot = "{0}/root"\nrunroot = "{0}/run"\n'}
PROGRAMS = ('podman', 'runc', 'ip', 'iptables', 'unshare', 'nsenter')


def missing(*more):
    """What is not here of what a Place needs, in words; None: nothing."""
    gone = [name for name in (*PROGRAMS, *more) if shutil.which(name) is None]
    gone += [name for name in ('netavark', 'aardvark-dns') if not os.path.exists(f'/usr/lib/podman/{name}')]
    return f'{", ".join(gone)} not installed' if gone else None if os.geteuid() == 0 else 'not root'


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
        self.holder = subprocess.Popen(['unshare', '--net', 'sh', '-c', 'ip link set lo up && echo && exec sleep 86400'], stdout=subprocess.PIPE)
        self.holder.stdout.readline()
        self.pid = self.holder.pid
        self.enter = ['nsenter', f'--net=/proc/{self.pid}/ns/net']

    def run(self, command, timeout_s=120, **more):
        """(exit code, stdout, stderr) of a command of the shell"""
        done = subprocess.run([*self.enter, 'sh', '-ec', command], cwd=TOP, text=True, capture_output=True,
                              timeout=timeout_s, check=False, env=dict(self.env, **more), stdin=subprocess.DEVNULL)
        return done.returncode, done.stdout, done.stderr

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
