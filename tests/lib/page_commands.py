# SPDX-License-Identifier: Apache-2.0
"""The command lines of docs/controller.md, run in their order by one shell, as a reader types them."""
import os
import re
import subprocess

import documents
from paths import BUILD, TOP

PAGE = 'docs/controller.md'
SHELL = re.compile(r'(build/\w+|simctl|kubectl|openssl|export|kill|make|pytest|\$|PATH=\S*|ID=\S*)\s')
PORT = re.compile(r'\b(5\d{3})\b')


def blocks(heading=None):
    """Those indented examples that are command lines."""
    return [b for b in documents.examples(PAGE, heading, kind='') if SHELL.match(b)]


def script(lines, ports):
    """A program of bash, which ends at the first command that fails. A reader goes on when what runs in the background listens.
    @param ports  of what the lines begin in the background, in their order"""
    text, ports = 'set -eo pipefail -m\ntrap \'kill $(jobs -p) 2>/dev/null || true\' EXIT\nset -v\n', list(ports)
    for line in lines:
        text += line + '\n'
        if re.search(r'&\s*(#.*)?$', line):
            text += f'for i in $(seq 300); do (exec 3<>/dev/tcp/127.0.0.1/{ports.pop(0)}) 2>/dev/null && break; sleep 0.1; done\n'
    return text


def run(lines, ports, folder, timeout_s=300, **environment):
    """What they print. The folder is that of the tree, as far as the page needs it."""
    done = subprocess.run(['bash', '-c', script(lines, ports)], cwd=folder, env=dict(os.environ, **environment), stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=timeout_s, check=False)
    assert done.returncode == 0, done.stdout
    return done.stdout
