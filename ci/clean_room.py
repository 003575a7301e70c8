#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""clean_room.py [CASE ...]: README's two commands on a Debian 12 that has nothing but its base system and empty package lists.

Each case begins with a fresh copy of the root, which debootstrap makes once and CLEAN_ROOM (/var/cache/mayfly-clean-room) keeps, and of
the files that git knows. Commands are README's, as printed; `make run` has to serve a HEARTBEAT at port 5760. Package sources and
certificates are those of this machine. Needs root; without a CASE all are tried. The log of a command that fails is printed.
Its first case is the fault that led to it: `make test` after `make run` could not link, since archives that were made without their
packages stayed empty.
"""
import os
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(TOP, 'tests', 'lib'))
import documents  # noqa: E402

BASE = os.path.join(os.environ.get('CLEAN_ROOM', '/var/cache/mayfly-clean-room'), 'debian-12.tar')
RUN, TEST, PORT, MOST_S = 'make run', 'make test', 5760, 1800
# {case: (ordinary user with sudo?, folder, umask, has .git?, commands after README's apt-get line)}
CASES = {
    'root': (False, '/mayfly', '022', True, [RUN, TEST, RUN, TEST]),
    'test-first': (False, '/mayfly', '022', True, [TEST, RUN]),
    'two-at-once': (False, '/mayfly', '022', True, ['make build/mayfly & make all && wait $!', 'make all & make test && wait $!', RUN]),
    'user': (True, '/srv/dev/my drones/mayfly', '077', True, [RUN, TEST]),
    'space': (False, '/srv/my drones', '022', True, [RUN, TEST]),
    'tarball': (False, '/mayfly', '022', False, [RUN, TEST]),
    'clang': (False, '/mayfly', '022', True, ['apt-get -qq install --yes clang', 'make run CC=clang', 'make test CC=clang']),
    'package-again': (False, '/mayfly', '022', True, [TEST, 'apt-get -qq remove --yes libjansson-dev libyaml-dev', TEST,
                                                      'apt-get -qq remove --yes libyaml-dev', RUN]),
    'some-programs': (False, '/mayfly', '022', True, ['make build/mayfly build/fly', RUN, TEST]),
}
ENVIRONMENT = {'PATH': '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', 'TERM': 'dumb', 'LANG': 'C.UTF-8'}
# in namespaces of its own, so that nothing that was started outlives a command
ENTER = '''mount -t proc proc "$1/proc" && mount --rbind /dev "$1/dev" && mount -t tmpfs tmp "$1/tmp" && chmod 1777 "$1/tmp" && exec chroot "$@"'''


class Failed(Exception):
    """A command that does not do what README promises"""


def make_base():
    if os.path.exists(BASE):
        return
    os.makedirs(os.path.dirname(BASE), exist_ok=True)
    with tempfile.TemporaryDirectory(dir=os.path.dirname(BASE)) as folder:
        subprocess.run(['debootstrap', '--variant=minbase', '--include=ca-certificates', 'bookworm', folder], check=True, stdout=subprocess.DEVNULL)
        subprocess.run(['tar', '-C', folder, '--exclude=./var/lib/apt/lists/*', '--exclude=./var/cache/apt/archives/*.deb', '-cf', BASE + '.new', '.'],
                       check=True)
    os.rename(BASE + '.new', BASE)


def make_root():
    """A folder with the base system, and the package sources and certificates of this machine; the caller removes it"""
    make_base()
    root = tempfile.mkdtemp(prefix='clean-room-', dir='/var/tmp')
    subprocess.run(['tar', '-C', root, '-xf', BASE], check=True)
    os.chmod(root, 0o755)   # tar has set the mode of debootstrap's folder, 0700
    for name in ('apt/sources.list', 'apt/sources.list.d', 'apt/apt.conf.d', 'resolv.conf', 'hosts', 'ssl/certs'):
        path = '/etc/' + name
        if os.path.isdir(path):
            shutil.rmtree(root + path, ignore_errors=True)
            shutil.copytree(path, root + path, symlinks=False, ignore_dangling_symlinks=True,
                            ignore=shutil.ignore_patterns('*docker*', '*packagekit*', '*appstream*'))
        elif os.path.exists(path):
            shutil.copy(path, root + path)
    return root


class Room:
    def __init__(self, user, folder, umask, git):
        self.root, self.user, self.folder, self.umask = make_root(), user, folder, umask
        place = self.root + folder
        os.makedirs(place)
        tree = ['git', '-C', TOP, 'clone', '-q', '--no-hardlinks', TOP, place] if git else ['mkdir', '-p', place]
        subprocess.run(tree, check=True)
        files = subprocess.run(['git', '-C', TOP, 'ls-files', '-z', '--cached', '--others', '--exclude-standard'], check=True, stdout=subprocess.PIPE).stdout
        subprocess.run(f'tar -C {shlex.quote(TOP)} --null --ignore-failed-read --files-from=- -c | tar -C {shlex.quote(place)} -x', input=files,
                       shell=True, check=True)
        if user:
            self.type('apt-get -qq update && apt-get -qq install --yes --no-install-recommends sudo >/dev/null && useradd -m -d /srv/dev -s /bin/bash dev && '
                      'echo "dev ALL=(ALL) NOPASSWD: ALL" >/etc/sudoers.d/dev && chown -R dev: /srv/dev && rm -rf /var/lib/apt/lists/*', as_root=True)

    def start(self, command, as_root=False):
        script = f'cd {shlex.quote(self.folder)} && umask {self.umask} && {{ {command}\n}}'
        shell = ['bash', '-c', script] if as_root or not self.user else ['su', 'dev', '-c', script]
        return subprocess.Popen(['unshare', '--mount', '--pid', '--fork', '--kill-child', 'sh', '-c', ENTER, 'sh', self.root, *shell],
                                env=ENVIRONMENT, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors='replace',
                                start_new_session=True)

    def type(self, command, as_root=False):
        process = self.start(command, as_root)
        try:
            out, _ = process.communicate(timeout=MOST_S)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            raise Failed(f'still running after {MOST_S} s:\n{process.communicate()[0][-4000:]}') from None
        if process.returncode != 0:
            raise Failed(f'exit code {process.returncode}:\n{out[-6000:]}')
        return out

    def serve(self, command):
        """Until a HEARTBEAT comes"""
        process = self.start(command)
        end = time.monotonic() + MOST_S
        try:
            while process.poll() is None and time.monotonic() < end:
                try:
                    with socket.create_connection(('127.0.0.1', PORT), timeout=5) as drone:
                        if drone.recv(1) == b'\xfd':
                            return
                except OSError:
                    time.sleep(0.2)
        finally:
            os.killpg(process.pid, signal.SIGKILL)
            out, _ = process.communicate()
        raise Failed(f'no HEARTBEAT at port {PORT}:\n{out[-6000:]}')

    def close(self):
        shutil.rmtree(self.root, ignore_errors=True)


def try_case(name):
    user, folder, umask, git, commands = CASES[name]
    install = [line for line in documents.commands('README.md', 'Two commands') if 'apt-get' in line]
    room = Room(user, folder, umask, git)
    try:
        for command in [line.replace('apt-get', 'sudo apt-get') if user else line for line in install] + commands:
            begin = time.monotonic()
            (room.serve if command.startswith(RUN) else room.type)(command)
            print(f'clean-room: {name}: {time.monotonic() - begin:5.0f} s  {command}', flush=True)
    except Failed as failed:
        print(f'clean-room: {name}: FAILED  {command}\n{failed}', flush=True)
        return False
    finally:
        room.close()
    return True


def main():
    unknown = [name for name in sys.argv[1:] if name not in CASES]
    if unknown or os.geteuid() != 0:
        sys.exit(f'clean-room: {"must be root" if not unknown else f"no case {unknown[0]}; there are: " + " ".join(CASES)}')
    failed = [name for name in sys.argv[1:] or CASES if not try_case(name)]
    print(f'clean-room: {len(sys.argv[1:] or CASES) - len(failed)} passed, {len(failed)} failed {" ".join(failed)}')
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
