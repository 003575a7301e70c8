# SPDX-License-Identifier: Apache-2.0
"""The tests of docs/testing.md in C++, Java and JavaScript, by the page's own commands. Those in Python: tools/pytest-mayfly/tests."""
import os
import pathlib
import re
import shutil
import subprocess
import sys

import pytest

import node_mavlink
from documents import examples, section
from paths import BUILD

PAGE = 'docs/testing.md'
NO_JAVA = None if shutil.which('mvn') and shutil.which('javac') else 'no maven or no JDK: "apt-get install maven openjdk-17-jdk-headless" installs them'
SECONDS = 170       # a first run fetches libraries


def run(folder, heading, files):
    """Saves the blocks of a section as the page says, and runs its commands. Returns what they print."""
    for name, kind in files.items():
        text, = examples(PAGE, heading, kind)
        assert f'`{name}`' in section(PAGE, heading)
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding='utf-8')
    (folder / 'venv').symlink_to(sys.prefix)
    env = {**os.environ, 'PATH': f'{BUILD}{os.pathsep}{os.environ["PATH"]}', 'npm_config_ignore_scripts': 'true'}
    line, = examples(PAGE, heading, 'sh')
    done = subprocess.run(['sh', '-e', '-c', line], cwd=folder, env=env, capture_output=True, text=True, timeout=SECONDS, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


def test_cpp(tmp_path):
    assert '[  PASSED  ] 3 tests.' in run(tmp_path, 'C++', {'test_drone.cpp': 'cpp'})


@pytest.mark.skipif(NO_JAVA is not None, reason=str(NO_JAVA))
def test_java(tmp_path):
    run(tmp_path, 'Java', {'pom.xml': 'xml', 'src/test/java/DroneTest.java': 'java'})
    report, = pathlib.Path(tmp_path, 'target', 'surefire-reports').glob('*.xml')
    assert re.search(r'tests="3" errors="0" skipped="0" failures="0"', report.read_text(encoding='utf-8'))


@pytest.mark.skipif(node_mavlink.MISSING is not None, reason=str(node_mavlink.MISSING))
def test_javascript(tmp_path):
    assert re.search('^# pass 3$', run(tmp_path, 'JavaScript', {'drone.test.cjs': 'js'}), re.M)
