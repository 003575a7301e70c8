# SPDX-License-Identifier: Apache-2.0
"""make install: programs, man page and completions where a system looks for them, and nothing left by make uninstall."""
import os
import re
import shutil
import subprocess
import tempfile
import unittest

import pytest

from paths import BUILD, TOP
from programs import needs

# capture.zsh FOLDER OUT LINE...: FOLDER has completions. It presses the tabulator behind each line, and writes the candidates to OUT,
# those of a line after the line itself.
CAPTURE = r'''
zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell "fpath=($1 \$fpath); autoload -Uz compinit; compinit -u -D"
zpty -w shell 'compadd() { local -a found
    [[ " $*" == *" -"[OAD]* ]] || { builtin compadd -A found "$@"; print -rl -- "${found[@]}" >>'$2' }
    builtin compadd "$@" }'
zpty -w shell 'offer() { _main_complete; print -r -- OFFE"RED" }; zle -C offer list-choices offer; bindkey "^I" offer'
for line in "${@:3}"; do
    print -r -- "$line" >>$2
    zpty -w -n shell $'\C-u'"$line"$'\t'
    zpty -r shell screen '*OFFERED*'
done
'''


def call(argv, **more):
    return subprocess.run(argv, check=True, capture_output=True, text=True, timeout=60, cwd=TOP, **more).stdout


def make(goal, folder):
    env = {k: v for k, v in os.environ.items() if k not in ('MAKEFLAGS', 'MFLAGS', 'MAKELEVEL')}
    return call(['make', '-s', '-o', 'all', goal, 'DEPS=no', f'BUILD={os.path.relpath(BUILD, TOP)}', f'DESTDIR={folder}', 'PREFIX=/usr'], env=env)


class Install(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = cls.enterClassContext(tempfile.TemporaryDirectory(prefix='mayfly-install-'))
        make('install', cls.folder)

    def path(self, *parts):
        return os.path.join(self.folder, 'usr', *parts)

    def flags(self):
        return re.findall(r'^  (--[\w-]+)', call([self.path('bin', 'mayfly'), '--help-all']), re.M)

    def test_the_program_runs_from_there(self):
        self.assertRegex(call([self.path('bin', 'mayfly'), '--version']), r'^mayfly \S+\n$')
        flight = os.path.join(self.folder, 'flight.mfr')
        drone = [self.path('bin', 'mayfly'), 'exec', '--clock', 'event', '--record', flight, '--', 'sh', '-c']
        call([*drone, '"$0" "$MAYFLY_PYMAVLINK_URL"', self.path('bin', 'fly')])
        self.assertRegex(call([self.path('bin', 'replay'), flight]), r': equal: \d+ records')
        self.assertTrue(os.path.exists(self.path('share', 'doc', 'mayfly', 'docs', 'options.md')))

    def test_virtual_time_is_installed(self):
        told = call([self.path('bin', 'mayfly'), 'exec', '--virtual', '--log-level', 'warning', '--', 'sh', '-c', 'sleep 3600; date -u +%FT%T'],
                    env={'PATH': '/usr/bin:/bin'})
        self.assertEqual(told, '2026-01-01T01:00:00\n')

    def test_the_man_page_has_every_flag(self):
        with open(self.path('share', 'man', 'man1', 'mayfly.1'), encoding='utf-8') as f:
            page = f.read().replace('\\-', '-')
        flags = self.flags()
        self.assertGreater(len(flags), 60)
        self.assertEqual([flag for flag in flags if f'\\fB{flag}\\fR' not in page], [])
        if shutil.which('man') and shutil.which('groff'):
            done = subprocess.run(['man', '--warnings', '-l', self.path('share', 'man', 'man1', 'mayfly.1')], check=True,
                                  capture_output=True, text=True, env=dict(os.environ, MANWIDTH='100'), timeout=60)
            self.assertEqual(done.stderr, '')

    def complete(self, *words):
        """What bash offers for the last of some words"""
        quoted = ' '.join(f"'{word}'" for word in words)
        script = (f'. {self.path("share", "bash-completion", "completions", "mayfly")}; COMP_WORDS=({quoted}); '
                  f'COMP_CWORD={len(words) - 1}; _mayfly; printf "%s\\n" "${{COMPREPLY[@]}}"')
        return call(['bash', '-c', script]).split()

    @needs('bash')
    def test_bash_completes_flags_and_words(self):
        self.assertEqual(self.complete('mayfly', '--clo'), ['--clock'])
        self.assertEqual(self.complete('mayfly', '--clock', 'e'), ['event'])
        self.assertEqual(self.complete('mayfly', 'ex'), ['exec'])
        self.assertEqual(self.complete('mayfly', '--record', 'READM'), ['README.md'])
        self.assertEqual(set(self.flags()) - set(self.complete('mayfly', '--')), set())
        self.assertEqual(self.complete('mayfly', 'exec', '--', '--clo'), [])   # those of the command are not ours

    def zsh_offers(self, *lines):
        """{line: what an interactive zsh offers at its end}"""
        with tempfile.TemporaryDirectory() as folder:
            script, out = os.path.join(folder, 'capture.zsh'), os.path.join(folder, 'out')
            with open(script, 'w', encoding='ascii') as f:
                f.write(CAPTURE)
            call(['zsh', '-f', script, self.path('share', 'zsh', 'site-functions'), out, *lines], env=dict(os.environ, TERM='vt100', ZDOTDIR=folder))
            offers = {}
            with open(out, encoding='utf-8') as f:
                for text in f.read().splitlines():
                    if text in lines:
                        offers[text] = into = []
                    elif text:
                        into.append(text)
            return offers

    @needs('zsh')
    def test_zsh_completes_flags_and_words(self):
        wanted = {'mayfly --clo': ['--clock'], 'mayfly --clock e': ['event'], 'mayfly ex': ['exec'], 'mayfly --record READM': ['README.md'],
                  'mayfly exec --clo': ['--clock'], 'mayfly exec -- cat READM': ['README.md'],
                  'mayfly exec -- cat --clo': []}   # those of the command are not ours
        offers = self.zsh_offers(*wanted, 'mayfly --')
        self.assertEqual(set(self.flags()) - set(offers.pop('mayfly --')), set())
        self.assertEqual(offers, wanted)

    @pytest.mark.long
    def test_uninstall_leaves_nothing(self):
        with tempfile.TemporaryDirectory() as folder:
            shutil.copytree(self.path(), os.path.join(folder, 'usr'), symlinks=True)
            make('uninstall', folder)
            left = [os.path.join(where, name) for where, _, names in os.walk(folder) for name in names]
            self.assertEqual(left, [])
