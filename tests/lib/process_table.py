# SPDX-License-Identifier: Apache-2.0
"""Processes of this machine, by /proc."""
import contextlib
import os

GONE = (FileNotFoundError, ProcessLookupError)  # what /proc says of a process or thread that has ended


def stat(pid):
    """What follows its program's name in /proc/PID/stat: state, parent ... None: it is gone."""
    with contextlib.suppress(*GONE), open(f'/proc/{pid}/stat', encoding='ascii', errors='replace') as f:
        return f.read().rsplit(')', 1)[1].split()
    return None


def state(pid):
    """Its letter: R runs, S sleeps, T stopped, Z has ended. None: it is gone."""
    fields = stat(pid)
    return fields and fields[0]


def is_alive(pid):
    return state(pid) not in (None, 'Z')


def children(pid, name=None):
    """Process ids of those that it began. @param name  of their programs, at most 15 characters"""
    found = [int(other) for other in os.listdir('/proc') if other.isdigit() and (stat(other) or '  ')[1] == str(pid)]
    return [child for child in found if name in (None, name_of(child))]


def cpu_s(pid):
    """Processor time of all its threads."""
    total = 0
    for task in os.listdir(f'/proc/{pid}/task'):
        with contextlib.suppress(*GONE), open(f'/proc/{pid}/task/{task}/schedstat', encoding='ascii') as f:
            total += int(f.read().split()[0])
    return total * 1e-9


def name_of(pid):
    with contextlib.suppress(*GONE), open(f'/proc/{pid}/comm', encoding='ascii', errors='replace') as f:
        return f.read().rstrip('\n')
    return None
