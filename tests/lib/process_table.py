# SPDX-License-Identifier: Apache-2.0
"""Processes of this machine, by /proc."""
import contextlib
import os


def state(pid):
    """Its letter: R runs, S sleeps, T stopped, Z has ended. None: it is gone."""
    try:
        with open(f'/proc/{pid}/stat', encoding='ascii', errors='replace') as f:
            return f.read().rsplit(')', 1)[1].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return None


def is_alive(pid):
    return state(pid) not in (None, 'Z')


def children(pid, name=None):
    """Process ids of those that it began. @param name  of their programs, at most 15 characters"""
    found = []
    for task in os.listdir(f'/proc/{pid}/task'):
        with open(f'/proc/{pid}/task/{task}/children', encoding='ascii') as f:
            found += map(int, f.read().split())
    return [child for child in found if name in (None, name_of(child))]


def name_of(pid):
    with contextlib.suppress(FileNotFoundError, ProcessLookupError), open(f'/proc/{pid}/comm', encoding='ascii', errors='replace') as f:
        return f.read().rstrip('\n')
    return None
