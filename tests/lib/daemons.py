# SPDX-License-Identifier: Apache-2.0
"""Daemons of every kind, for tests of what ends them: a shell script that leaves them behind, and a look for those that live."""
import contextlib
import os
import signal
import uuid

from process_table import GONE, is_alive, stat
from waiting import wait_until

# $1 stands in the command line of each. Every line starts one that outlives its parent.
SCRIPT = '''\
setsid sh -c 'while :; do sleep 0.5; done' "$1" &
nohup sh -c 'while :; do sleep 0.5; done' "$1" > /dev/null 2>&1 &
(setsid sh -c '(trap "" TERM HUP INT; while :; do sleep 0.5; done) & exit' "$1" &)
env -i setsid sh -c 'while :; do sleep 0.5; done' "$1" < /dev/null > /dev/null 2>&1 &
sh -c 'kill -STOP $$' "$1" &
sh -c 'sh -c "sh -c \\"while :; do sleep 0.5; done\\" $0; :" $0; :' "$1" &
'''
QUICK = ''.join(line for line in SCRIPT.splitlines(keepends=True) if 'trap' not in line)    # all that end by SIGTERM
COUNT = 8       # processes with $1 in their command lines: the last line has three


def mark():
    """A word that no other process has."""
    return 'daemon-' + uuid.uuid4().hex


def command(word, then):
    """A command that starts the daemons, and then runs a line of its own."""
    return ['sh', '-c', SCRIPT + then, 'sh', word]


def alive(word):
    """Process ids of those that have a word in their command lines. @param word  or several, of which any counts"""
    words, found = [w.encode() for w in ([word] if isinstance(word, str) else word)], []
    for pid in filter(str.isdigit, os.listdir('/proc')):
        try:
            with open(f'/proc/{pid}/cmdline', 'rb') as f:
                line = f.read()
        except GONE:
            continue
        if any(w in line for w in words) and is_alive(pid) and int(pid) != os.getpid():
            found.append(int(pid))
    return found


def wait_gone(word):
    """Until no process has a word. A failure names those that have it: their parents, groups and command lines."""
    try:
        wait_until(lambda: not alive(word), 'no daemon is left')
    except AssertionError as error:
        raise AssertionError('\n'.join([str(error), *map(about, alive(word))])) from None


def about(pid):
    """A line about a process."""
    with contextlib.suppress(*GONE), open(f'/proc/{pid}/cgroup', encoding='utf-8') as group, open(f'/proc/{pid}/cmdline', 'rb') as line:
        state, parent = (stat(pid) or '??')[:2]
        return f'{pid}: {state}, child of {parent}, group {group.read().split()[-1]}: {line.read()!r}'
    return f'{pid}: gone meanwhile'


def has_groups():
    """Whether this process may make groups of processes that Linux ends as a whole (hal-posix/cgroup.h)."""
    root = '/sys/fs/cgroup' if os.path.exists('/sys/fs/cgroup/cgroup.controllers') else '/sys/fs/cgroup/unified'
    with open('/proc/self/cgroup', encoding='utf-8') as f:
        own = [line.rstrip('\n')[3:] for line in f if line.startswith('0::/')]
    with contextlib.suppress(OSError):
        folder = f'{root}{own[0]}/test-{uuid.uuid4().hex}' if own else ''
        os.mkdir(folder)
        able = os.access(folder + '/cgroup.kill', os.W_OK)
        os.rmdir(folder)
        return able
    return False


def end(word):
    """Of a test that has failed."""
    for pid in alive(word):
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
