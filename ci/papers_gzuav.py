# SPDX-License-Identifier: Apache-2.0
"""The order of gzuav's phases beside that of a run here, for papers.py. Its paper has no figures of results."""
import os
import subprocess

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
ORDER = ['phase 0 begins', 'phase 0 ends', 'phase 1 begins', 'phase 1 ends']
TICKS = 10


def compare(program, folder, tell):
    """tell(what, published, ours, good, how)"""
    trace = os.path.join(folder, 'gzuav.txt')
    subprocess.run([os.path.abspath(program), os.path.join('examples', 'cosim', 'gzuav.yaml'), '--out', folder, '--trace', trace], cwd=TOP, check=True,
                   capture_output=True)
    with open(trace, encoding='utf-8') as file:
        said = [line.split(' gzuav: ')[1].strip() for line in file if ' gzuav: phase ' in line]
    rounds = sum(said[k:k + 4] == ORDER for k in range(0, len(said), 4))
    tell('gzuav: ticks of 0, then 1', TICKS, rounds, rounds == TICKS and len(said) == 4 * TICKS, 'equal')
