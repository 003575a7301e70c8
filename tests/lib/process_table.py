# SPDX-License-Identifier: Apache-2.0
"""Processes of this machine, by /proc."""


def is_alive(pid):
    try:
        with open(f'/proc/{pid}/stat', encoding='ascii', errors='replace') as f:
            return f.read().rsplit(')', 1)[1].split()[0] != 'Z'
    except FileNotFoundError:
        return False
