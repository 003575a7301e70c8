#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The main job of a swarm: ten thousand vehicles fly the survey of tests/data/plans/survey.plan, each from its own place on a
grid of 100 x 100, on the event clock. All missions are complete, the recording of vehicle 7,312 replays without a
difference, two threads do the same as one, and so does another process from a checkpoint on.
"""
import os
import re
import subprocess
import sys
import tempfile

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD = os.path.abspath(os.environ.get('BUILD', 'build'))
SCENARIO = os.path.join(TOP, 'examples', 'scenarios', 'surveys.yaml')


def run(*args):
    done = subprocess.run([os.path.join(BUILD, args[0]), *args[1:]], capture_output=True, text=True, timeout=300, check=False)
    if done.returncode != 0:
        sys.exit(f'{" ".join(args)}: exit code {done.returncode}\n{done.stdout}{done.stderr}')
    return done.stdout


def main():
    with tempfile.TemporaryDirectory() as folder:
        record = '{file: "%n.mfr", of: surveyor.7312}'
        one = run('mayfly-swarm', SCENARIO, '--out', folder, '--set', f'outputs.record={record}')
        print(one, end='')
        print(run('replay', os.path.join(folder, '7312.mfr')), end='')
        print('conform', run('conform', os.path.join(folder, '7312.mfr')), end='')
        checkpoint = os.path.join(folder, 'checkpoint')
        run('mayfly-swarm', SCENARIO, '--checkpoint', checkpoint, '--at', '60')
        resumed = run('mayfly-swarm', SCENARIO, '--resume', checkpoint)
    two = run('mayfly-swarm', SCENARIO, '--threads', '2')
    hashes = [re.search(r'^hash +(\w+)$', text, re.M)[1] for text in (one, two, resumed)]
    if '10000 of 10000 missions finished' not in two:
        sys.exit(f'not all missions are complete\n{two}')
    print(f'two threads: hash {hashes[1]}; resumed after 60 s: hash {hashes[2]}')
    # A recorded vehicle has links of its own and is stepped as others are: the hash is that of a run without a recording.
    if len(set(hashes)) != 1:
        sys.exit('two threads, or a run that was resumed, do something else')


if __name__ == '__main__':
    main()
