# SPDX-License-Identifier: Apache-2.0
"""Programs that the build does not make, and copies of those that it makes. A test without the one that it needs is skipped, and says which."""
import os
import shlex
import shutil
import subprocess
import unittest

from paths import MAYFLY, TIME_LIBRARY, TOP

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


def copy_programs(folder, program=MAYFLY):
    """A program, Mayfly and its library in another folder. @return the program there"""
    os.makedirs(folder, exist_ok=True)
    for path in {program, MAYFLY, TIME_LIBRARY}:
        shutil.copy(path, folder)
    return os.path.join(folder, os.path.basename(program))


def compile_plugin(target, source, *flags):
    """A plug-in of mayfly-swarm as a shared object."""
    subprocess.run([*CC, '-std=gnu11', '-O1', '-Wall', '-Wextra', '-Werror', '-shared', '-fPIC', '-I', TOP, source, '-o', target, '-lm',
                    *flags], check=True)


def build_outsider(folder):
    """A program that starts another one without an environment: with arguments by the instruction itself, without by the number of the system
    call. Its code is the child's, or 9."""
    source, program = os.path.join(folder, 'outsider.c'), os.path.join(folder, 'outsider')
    with open(source, 'w', encoding='ascii') as file:
        file.write('''
#include "tools/virtual-time/raw.h"
#include <sys/wait.h>
#include <unistd.h>
int main(int argc, char **argv) {
    char *none[] = {0};
    int status = 0;
    if (fork() == 0) {
        if (argc == 2) syscall(SYS_execve, argv[1], argv + 1, none);
        vt_raw(SYS_execve, argv[1], argv + 1, none);
    }
    wait(&status);
    return WIFSIGNALED(status) ? 9 : WEXITSTATUS(status);
}''')
    subprocess.run([*CC, '-D_GNU_SOURCE', '-I', TOP, source, '-o', program], check=True, timeout=60)
    return program
