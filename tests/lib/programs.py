# SPDX-License-Identifier: Apache-2.0
"""Programs that the build does not make; a test without the one that it needs is skipped, and says which."""
import os
import shlex
import shutil
import subprocess
import unittest

CC = shlex.split(os.environ.get('CC', 'gcc'))
PROMTOOL = os.environ.get('PROMTOOL') or shutil.which('promtool')
NO_PROMTOOL = 'no promtool: "sh ci/promtool.sh FILE" brings it, and PROMTOOL=FILE names it'
needs_promtool = unittest.skipUnless(PROMTOOL, NO_PROMTOOL)


def needs(program, package=None):
    return unittest.skipUnless(shutil.which(program), f'no {program}: "apt-get install {package or program}" installs it')


def assert_metrics_are_good(test, text):
    """promtool has nothing to say about their form."""
    done = subprocess.run([PROMTOOL, 'check', 'metrics'], input=text, text=True, capture_output=True, timeout=60, check=False)
    test.assertEqual((done.returncode, done.stdout + done.stderr), (0, ''))
