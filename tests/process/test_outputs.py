# SPDX-License-Identifier: Apache-2.0
"""Outputs of programs: never over an input, by any name, nor over a file or folder that another program uses."""
import fcntl
import os
import subprocess

from names import assert_names, one
from paths import MAYFLY, REPLAY, SWARM
from swarm_case import HOP, SwarmCase, stop

FLIGHT = '''swarm: 1
time: {clock: CLOCK, end: END}
entities: [{name: a, plan: hop.waypoints}]
outputs: {csv: {file: FILE, every: 1}}
'''
MESH = 'solid x\nendsolid x\n'


def flight(file='a.csv', clock='fast', end='1', more=''):
    return FLIGHT.replace('CLOCK', clock).replace('END', end).replace('FILE', file) + more


class Outputs(SwarmCase):
    def assert_kept(self, scenario, *args, names, out='out', **more):
        """It is refused with these names, and every file of the folder has what it had."""
        files = {entry.path: self.bytes(entry.path) for entry in os.scandir(self.folder) if entry.is_file()}
        files[self.path('s.yaml')] = scenario.encode()
        assert_names(self.refused(scenario, *args, out=out, **more), names)
        for path, content in files.items():
            self.assertEqual(self.bytes(path), content, path)

    def test_an_input_as_output(self):
        os.symlink('hop.waypoints', self.path('soft'))
        os.link(self.path('hop.waypoints'), self.path('hard'))
        self.write('plugin.so', b'\x7fELF')
        for name in ('s.yaml', 'hop.waypoints', 'soft', 'hard'):
            self.assert_kept(flight(self.path(name)), names=f'4 outputs {one(self.path(name))} input')
        self.assert_kept(flight('../hop.waypoints'), names='4 outputs input')
        mesh = f'space: {{boundary: [[0, 0], [0, 9], [9, 9]], obstacles: [{{file: {self.write("m.stl", MESH)}}}]}}\n'
        for more in ('plugins: [./plugin.so]\n', mesh):
            name = self.path('plugin.so' if 'plugin' in more else 'm.stl')
            self.assert_kept(flight(more=more), '--result', name, names=f'--result {one(name)} input')

    def test_an_input_as_a_file_of_the_command_line(self):
        for option in ('--result', '--junit', '--profile', '--checkpoint', '--trace'):
            for name in ('s.yaml', 'hop.waypoints'):
                self.assert_kept(flight(), option, self.path(name), names=f'{option} {one(self.path(name))} input')

    def test_a_checkpoint_may_replace_the_one_before(self):
        self.swarm(flight(end='4'), '--checkpoint', self.path('c'), '--at', '1', out='out')
        before = self.bytes('c')
        self.swarm(flight(end='4'), '--resume', self.path('c'), '--checkpoint', self.path('c'), '--at', '2', out='out')
        self.assertNotEqual(self.bytes('c'), before)
        profile = ('--profile', self.path('c'))
        self.assert_kept(flight(end='4'), '--resume', self.path('c'), *profile, names=f'--profile {one(self.path("c"))} input')

    def run_for_long(self, file):
        process = subprocess.Popen([SWARM, self.write('long.yaml', flight(file, 'real', '600')), '--out', self.path('out'), '--progress'],
                                   stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        self.addCleanup(stop, process)
        self.assertTrue(process.stderr.readline())
        return process

    def test_one_run_at_a_time(self):
        """Of a folder, and of a file that two folders share; the run before them flies on."""
        shared = self.path('shared.csv')
        process = self.run_for_long(shared)
        assert_names(self.refused(flight('b.csv'), out='out'), f'--out {one(self.path("out"))} another')
        assert_names(self.refused(flight(shared), out='other'), f'4 outputs {one(shared)} another')
        self.assertIsNone(process.poll())
        process.terminate()
        process.wait(timeout=30)
        self.swarm(flight(shared), out='out')
        self.assertEqual(len(self.rows('shared.csv')), 2)

    def test_a_folder_of_a_sweep(self):
        """A whole sweep has it alone; single runs share it."""
        scenario = self.scenario(flight(more='sweep: {for: {seed: [1, 2]}}\n'))
        os.mkdir(self.path('out'))
        folder = os.open(self.path('out'), os.O_RDONLY)
        self.addCleanup(os.close, folder)
        sweep = (SWARM, 'sweep', scenario, '--out', self.path('out'))
        fcntl.flock(folder, fcntl.LOCK_SH)
        self.run_program(*sweep, '--variation', '0')
        assert_names(self.run_program(*sweep, code=2), f'--out {one(self.path("out"))} another')
        assert_names(self.run_program(*sweep[:3], '--merge', self.path('out'), code=2), f'--out {one(self.path("out"))} another')
        fcntl.flock(folder, fcntl.LOCK_EX)
        assert_names(self.run_program(*sweep, '--variation', '1', code=2), f'--out {one(self.path("out"))} another')
        fcntl.flock(folder, fcntl.LOCK_UN)
        self.run_program(*sweep)
        self.assertEqual([row['seed'] for row in self.rows('out/runs.csv')], ['1', '2'])

    def test_a_recording_over_its_configuration(self):
        config = self.write('mayfly.yaml', 'sysid: 7\n')
        error = self.run_program(MAYFLY, '--config', config, '--record', config, code=2)
        assert_names(error, f'--record {one(config)} input')
        self.assertEqual(self.text('mayfly.yaml'), 'sysid: 7\n')

    def test_an_export_over_its_recording(self):
        self.swarm(flight(more='').replace('csv: {file: a.csv, every: 1}', 'record: {file: a.rec, of: a}'))
        before = self.bytes('a.rec')
        for option in ('--json', '--kml', '--tlog', '--html'):
            assert_names(self.run_program(REPLAY, self.path('a.rec'), option, self.path('a.rec'), code=2), f'{option} {one(self.path("a.rec"))}')
        self.assertEqual(self.bytes('a.rec'), before)
