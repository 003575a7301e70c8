# SPDX-License-Identifier: Apache-2.0
"""Plug-ins of mayfly-swarm (docs/plugins.md): UAV-09, UAV-15 and SBE-18, and what is refused, with one line that says what to do."""
import math
import os
import tempfile

import pytest

from names import assert_names, one
from paths import PLUGINS, SCENARIOS, SWARM, TOP, built
from programs import compile_plugin
from swarm_case import SwarmCase

OUTSIDE, NEVER, VERSION, MISSING, LACKS, SAYS_NO, NUMBERS, NOBODY, SIZE = range(1, 10)
FIELD = 'space.boundary=[[0, 0], [250, 0], [250, 190], [0, 190]]'  # instead of a square of a kilometre
LAZY = '''
swarm: 1
time: {end: 30}
plugins: [./good.so, ./world.so]
space: {weather: {kind: own, name: front, params: {from: -250}}}
entities:
  - {name: hopper, count: 3, as: agent, place: {list: [[0, 0], [3, 0], [6, 0]]}, body: {kind: own, name: lazy},
     behaviour: {kind: own, name: hop, rate: 10, params: {turns: 150}}, sensors: [{kind: pose, rate: 60}, {kind: gyroscope, rate: 60}]}
outputs: {csv: {file: lazy.csv, every: 0.5}, sensors: {file: sensors.csv, of: hopper.1}}
'''
HOP = '''
swarm: 1
time: {end: 40}
plugins: [./good.so]
entities:
  - {name: hopper, count: 3, place: {grid: [3, 1]}, behaviour: {kind: own, name: hop, rate: 10, params: {turns: 20}}}
expect:
  - {of: hopper.1, position: [4.0, 0, 0], within: 2, at: 39}
  - {event: landed, by: 39}
outputs: {csv: {file: hop.csv, every: 1}}
'''


class Plugins(SwarmCase):
    @classmethod
    def setUpClass(cls):
        cls.compiled = cls.enterClassContext(tempfile.TemporaryDirectory())
        good, radio, world, bad = (os.path.join(cls.compiled, name) for name in ('good.so', 'radio.so', 'world.so', 'bad.so'))
        compile_plugin(world, os.path.join(PLUGINS, 'world.c'))
        compile_plugin(good, os.path.join(PLUGINS, 'bcd.c'))
        compile_plugin(radio, os.path.join(PLUGINS, 'radio.c'))
        compile_plugin(bad, os.path.join(TOP, 'tests', 'process', 'plugin_bad.c'), '-D_GNU_SOURCE')
        with open(bad, 'rb') as file:
            content = file.read()
        for number in range(1, 10):  # it knows which it is by its name
            with open(os.path.join(cls.compiled, f'bad{number}.so'), 'wb') as file:
                file.write(content.replace(b'mf_plugin\0', b'no_plugin\0') if number == MISSING else content)

    def setUp(self):
        super().setUp()
        for name in os.listdir(self.compiled):
            os.symlink(os.path.join(self.compiled, name), self.path(name))
        self.good, self.radio, self.world = map(self.path, ('good.so', 'radio.so', 'world.so'))
        self.write('hop.yaml', HOP)
        self.write('lazy.yaml', LAZY)

    def fly(self, *sets, scenario=None, code=0, program=SWARM, plugin=None):
        """Runs the example's scenario with --set of each; its output, or its error if it must fail."""
        sets = sets if scenario else (f'plugins=[{plugin or self.good}]', *sets)
        args = [word for key in sets for word in (key if isinstance(key, tuple) else (key,) if key.startswith('--') else ('--set', key))]
        return self.run_program(program, scenario or os.path.join(PLUGINS, 'bcd.yaml'), '--out', self.folder, *args, code=code)

    def rows(self, name='bcd.csv'):
        return super().rows(name)

    @pytest.mark.long
    def test_uav15_a_plan_of_ones_own_has_the_published_energies(self):
        self.fly()
        own = [row['Energy_Used'] for row in self.rows()]
        self.swarm(os.path.join(SCENARIOS, 'sharks.yaml'))
        self.assertEqual(own, [row['Energy_Used'] for row in self.rows('sharks.csv')])
        self.assertEqual([round(float(energy)) for energy in own], [11001, 12722, 12906, 36630])

    def test_uav09_cost_and_detection(self):
        self.fly('cost={name: power, params: {factor: 0}}', 'detection={model: own, name: near, params: {away: 1000}}', FIELD)
        for row in self.rows():
            self.assertEqual((float(row['Energy_Used']), float(row['Recall']), float(row['Precision'])), (0, 1, 1))
        self.fly('plan={kind: bcd}', FIELD)
        least = 20 * float(self.rows()[-1]['Energy_Used'])  # of some 20 N the square is 20 times as much
        self.fly('cost={name: power}', 'detection={model: own, name: near, params: {away: 0}}', FIELD)
        self.assertGreater(float(self.rows()[-1]['Energy_Used']), least)
        self.assertEqual(self.rows()[-1]['Recall'], '0.000000')

    def test_sbe18_parameters_have_names_and_types(self):
        self.fly('plan.params.partial=true', FIELD)
        whole = self.rows()  # also squares that are cut by the boundary: as the plan that is built in, without compat
        self.fly('plan={kind: bcd}', FIELD)
        self.assertEqual([row['Energy_Used'] for row in whole], [row['Energy_Used'] for row in self.rows()])
        for value, text in (('plan.params.partial=7', 'plan.params.partial 7 true false'),
                            ('plan.params.parial=true', 'squares parial partial'),
                            ('plan.params.partial=[1]', 'plan.params true false'),
                            ('plan.name=square', 'plan square squares'),
                            ('cost={name: near}', 'cost near')):
            self.refused(text, value)
        for value, text in (('{rows: 1.5}', 'plan.params.rows 1.5 1 9'), ('{rows: 10}', 'plan.params.rows 10 1 9'), ('{open: maybe}', 'plan.params.open maybe true false')):
            self.refused(text, 'plan.name=bad', f'plan.params={value}', plugin=self.path(f'bad{SAYS_NO}.so'))

    def refused(self, text, *sets, **more):
        error = self.fly(*sets, code=2, **more)
        assert_names(error, text)
        self.assertEqual(error.count('\n'), 1, error)

    def test_what_is_wrong_is_one_line(self):
        for bad, text in ((OUTSIDE, 'point 0 member 2 north 500.0 east 1000.5'),
                          (VERSION, '77 fleet/plugin.h 2'),
                          (SIZE, 'fleet/plugin.h 2'),
                          (MISSING, 'mf_plugin'),
                          (LACKS, '0 bad'),
                          (SAYS_NO, ''),
                          (NUMBERS, 'point 0 member 2 0'),
                          (NOBODY, 'member 3 0 2')):
            path = self.path(f'bad{bad}.so')
            self.refused(f'{one(path)} {text}', 'plan={kind: own, name: bad}', plugin=path)
        bad = self.path(f'bad{SAYS_NO}.so')
        self.refused(f"detection 'two' {one(bad)} 2 0 1", 'plan={kind: bcd}', 'detection={model: own, name: two}', plugin=bad)
        self.refused(f"cost 'minus' {one(bad)} -1", 'plan={kind: bcd}', 'cost={name: minus}', plugin=bad)
        self.refused(one(self.path('nothing.so')), plugin=self.path('nothing.so'))

    @pytest.mark.long
    def test_what_never_returns_is_named(self):
        never = self.path(f'bad{NEVER}.so')
        self.refused(f"plan 'bad' {one(never)} 0.02 'limit'", 'plan={kind: own, name: bad}',
                     plugin=f'{{file: {never}, limit: 0.02}}')
        self.refused(f"scheduler 'nobody' {one(never)} 0.02", f'plugins=[{{file: {never}, limit: 0.02}}]',
                     'controllers.0.scheduler={kind: own, name: nobody}', scenario=os.path.join(SCENARIOS, 'package_delivery.yaml'))

    def test_a_behaviour_of_ones_own_on_vehicles_and_agents(self):
        hashes = set()
        for args in ((), (('--threads', '2'),), ('entities.0.as=agent',)):
            out = self.fly(*args, scenario=self.path('hop.yaml'))
            hashes.add(next(line for line in out.splitlines() if line.startswith('hash')))
        self.assertEqual(len(hashes), 2)  # two threads do the same; agents are others
        self.refused('hopper.behaviour squares', 'entities.0.behaviour.name=squares', scenario=self.path('hop.yaml'))
        self.refused('hopper.behaviour squares', 'entities.0.behaviour.name=squares', ('--check',),
                     scenario=self.path('hop.yaml'))

    @pytest.mark.long
    def test_sbe17_a_behaviour_brakes_by_what_a_sensor_measures(self):
        brake = self.path('brake.so')
        compile_plugin(brake, os.path.join(PLUGINS, 'brake.c'))
        scenario = os.path.join(PLUGINS, 'brake.yaml')
        for kind in ('vehicle', 'agent'):
            out = self.fly(f'plugins=[{brake}]', f'entities.0.as={kind}', scenario=scenario)
            assert_names(out, 'contacts 0 obstacles')
        # behind them they never see it
        self.fly(f'plugins=[{brake}]', 'entities.0.sensors.0.yaw=180', scenario=scenario, code=1)
        self.assertEqual(sorted(row['member'] for row in self.rows('met.csv') if row['with'] == 'obstacle.1'),
                         ['scout.1', 'scout.2', 'scout.3', 'scout.4'])

    def test_a_scheduler_and_a_formula_of_trust(self):
        parcels = os.path.join(SCENARIOS, 'package_delivery.yaml')
        own = (f'plugins=[{self.good}]', 'controllers.0.scheduler={kind: own, name: nearest}', 'controllers.0.trust={name: score}')
        self.fly(scenario=parcels)
        queue = self.rows('tasks.csv')
        self.fly(*own, scenario=parcels)
        nearest = self.rows('tasks.csv')
        self.assertEqual(len(nearest), 9)
        # the first parcel at (1, 2): all drones are free, and the first stands nearest; the queue gives the same
        self.assertEqual({row['task']: row['drone'] for row in nearest}['1'], {row['task']: row['drone'] for row in queue}['1'])
        self.assertEqual({row['trust'] for row in nearest}, {queue[0]['trust']})  # all in time: 1
        self.fly(*own, '--variation=interrupted', scenario=parcels)
        late = [row for row in self.rows('tasks.csv') if int(row['actual']) > int(row['estimated'])]
        self.assertGreater(len(late), 3)
        for row in late:
            self.assertAlmostEqual(float(row['trust']), int(row['estimated']) / int(row['actual']), places=3)
        bad = f'plugins=[{self.path("bad6.so")}]'
        self.refused(f"trust 'three' {one(self.path('bad6.so'))} 3 0 1", bad, 'controllers.0.trust={name: three}',
                     scenario=parcels)
        out = self.fly(bad, 'controllers.0.scheduler={kind: own, name: nobody}', 'expect=[]', 'time.end=50', scenario=parcels)
        self.assertIn('scheduler', out)

    def test_a_formula_of_trust_divides_by_a_tick(self):
        """LDS-12: the drone stands where it is sent, an estimate of no ticks: a formula that divides gets one tick for each."""
        self.fly(f'plugins=[{self.good}]', 'controllers.0.trust={name: score}', 'expect=[]', 'entities.1.count=1', 'entities.1.place=[0, 2]',
                 'controllers.0.tasks=[{goto: [0, 2]}, {wait: 0}]', scenario=os.path.join(SCENARIOS, 'package_delivery.yaml'))
        self.assertEqual([(row['estimated'], row['trust']) for row in self.rows('tasks.csv')], [('0', '1.000000')] * 2)

    def test_sbe18_a_radio_an_antenna_and_a_path_loss_of_ones_own(self):
        scenario = os.path.join(PLUGINS, 'radio.yaml')
        out = self.fly(f'plugins=[{self.radio}]', scenario=scenario)
        heard = self.rows('heard.csv')
        # 868 MHz: 58.770 - 27.55 dB over the first metre, 30 dB for each tenfold distance; both antennas have 0 dB towards each other
        for name, dbm in (('drone.1', -81.22), ('drone.2', -106.57)):
            self.assertEqual({float(row['strength_dbm']) for row in heard if row['sender'] == name}, {dbm})
        # -28.8 dB over the noise is too little; 3.43 dB are received with a chance of 0.84
        self.assertEqual([sum(row['sender'] == f'drone.{n}' for row in heard) for n in (1, 2, 3)], [11, 9, 0])
        self.assertEqual({row['receiver'] for row in heard}, {'base'})  # drones hear nothing from behind: -40 dB
        self.fly(f'plugins=[{self.radio}]', 'entities.1.radio.axis=[0, 0, 1]', 'entities.1.place.list=[[100, 0, 10], [200, 0, 10], [300, 0, 10]]',
                 scenario=scenario)
        self.assertEqual(self.rows('heard.csv')[0]['strength_dbm'], '-87.24')  # across: half the field, -6.02 dB
        threads = self.fly(f'plugins=[{self.radio}]', ('--threads', '2'), scenario=scenario)
        self.assertEqual(out.splitlines()[-1], threads.splitlines()[-1])

    def test_sbe18_radios_that_are_wrong_are_named(self):
        scenario = os.path.join(PLUGINS, 'radio.yaml')
        good, bad = f'plugins=[{self.radio}, {self.path("bad6.so")}]', self.path('bad6.so')
        for value, text in (('medium={kind: own, name: nan, range: 2000}', f"path 'nan' {one(bad)} nan 100"),
                            ('medium.range=1000000', 'medium range'),
                            ('medium.params.exponent=7', 'medium.params.exponent 7 1 6'),
                            ('entities.1.radio={kind: own, name: none}', f"radio 'none' {one(bad)}"),
                            ('entities.1.radio={kind: own, name: cardioid}', 'drone.radio cardioid'),
                            ('entities.1.radio.gain={name: loud}', f"antenna 'loud' {one(bad)} 101 0"),
                            ('entities.0.radio={kind: own, name: twice}', f"radio 'twice' {one(bad)} 2")):
            self.refused(text, good, value, scenario=scenario)

    def test_sbe18_a_scenario_without_plugins_is_refused(self):
        self.write('none.yaml', 'swarm: 1\ntime: {end: 9}\nentities: [{name: b}, {name: a, as: agent, radio: cc2420}]\n')
        for value, text in (('entities.1.body={kind: own, name: x}', "a.body 'x'"), ('entities.1.sensors=[{kind: own, name: x}]', "a.sensors 'x'"),
                            ('entities.1.behaviour={kind: own, name: x}', "a.behaviour 'x'"), ('entities.1.radio={kind: own, name: x}', "a.radio 'x'"),
                            ('entities.1.radio={kind: cc2420, gain: {name: x}}', "a.radio 'x'"), ('medium={kind: own, name: x, range: 9}', "medium 'x'"),
                            ('space.weather={kind: own, name: x}', "space.weather 'x'"), ('components=[{name: x}]', "components 'x'")):
            self.refused(text + ' plugins', value, scenario=self.path('none.yaml'))

    def measured(self, sensor):
        """What the sensors of a name have measured in world.yaml: {(member, time): numbers}."""
        rows = [row for row in self.rows('sensors.csv') if row['sensor'] == sensor]
        return {(row['member'], float(row['t_s'])): [float(row[key]) if row[key] else None for key in 'abcdefgh'] for row in rows}

    def refused_of_world(self, *pairs):
        scenario = os.path.join(PLUGINS, 'world.yaml')
        for value, text in pairs:
            self.refused(text, f'plugins=[{self.world}, {self.path("bad6.so")}]', value, scenario=scenario)

    def test_sbe18_weather_of_ones_own_by_place_and_time(self):
        scenario = os.path.join(PLUGINS, 'world.yaml')
        out = self.fly(f'plugins=[{self.world}]', scenario=scenario)
        east, degrees = self.measured('attribute'), self.measured('attribute.2')
        for member, at_s in (('mast.1', 5.125), ('mast.2', 10.125)):  # -102.5 m + 20 m/s
            for t in range(20):
                self.assertEqual((east[member, t][0], degrees[member, t][0]), (12, 11.9) if t > at_s else (0, 19.9))
        # drag of 0.5 * 1.225 * 0.1 = 0.06125 N per (m/s)^2 on 1 kg, from the step on that begins behind the front: the speed through
        # the air falls from 12 m/s as 12 / (1 + 12 * 0.06125 * t)
        speed = {float(row['t_s']): float(row['vel_e_mps']) for row in self.rows('world.csv') if row['member'] == 'ball'}
        for t in range(20):
            self.assertAlmostEqual(speed[t], 12 - 12 / (1 + 0.735 * max(t - 308 / 60, 0)), delta=0.01)
        threads = self.fly(f'plugins=[{self.world}]', ('--threads', '2'), scenario=scenario)
        self.assertEqual(out.splitlines()[-1], threads.splitlines()[-1])
        # what the scenario says comes first, and its wind is added
        self.fly(f'plugins=[{self.world}]', 'space.weather.values={temperature: 7}', 'space.weather.wind=[3, 90]', scenario=scenario)
        self.assertEqual(self.measured('attribute.2')['mast.1', 15][0], 7)
        self.assertEqual([self.measured('attribute')['mast.1', t][0] for t in (0, 15)], [-3, 9])

    def test_sbe18_a_sensor_of_ones_own(self):
        scenario, state = os.path.join(PLUGINS, 'world.yaml'), self.path('state.ckpt')
        lossy = 'entities.2.sensors.0.params.miss='
        self.fly(f'plugins=[{self.world}]', lossy + '0', scenario=scenario)
        slant = round(5 * 1.25 ** 0.5, 6)  # the wall is 5 m ahead, and the rays go aside by half of that
        for (member, t), numbers in self.measured('own').items():
            near = {'scout.1': 1, 'scout.2': 2, 'scout.3': 1}[member]  # at 0, 3 and 9 m, and it reaches 8 m
            self.assertEqual(numbers, [slant, 5, slant, near, 0, 11.9 if t > 5.125 + {'scout.1': 0, 'scout.2': 3 / 20, 'scout.3': 9 / 20}[member]
                                       else 19.9, None, None])
        self.fly(f'plugins=[{self.world}]', lossy + '0', 'entities.2.sensors.0.sigma=0.5', 'entities.2.sensors.0.reach=5.2', scenario=scenario)
        noisy = self.measured('own')
        self.assertEqual({(row[0], row[2]) for row in noisy.values()}, {(None, None)})  # beyond its reach
        self.assertEqual(len({row[1] for row in noisy.values()}), 63)
        self.assertAlmostEqual(sum(row[1] for row in noisy.values()) / 63, 5, delta=4 * 0.5 / 63 ** 0.5)
        self.fly(f'plugins=[{self.world}]', scenario=scenario)
        lost = self.measured('own')
        for member in ('scout.1', 'scout.2', 'scout.3'):
            before = 0
            for t in range(21):
                before += lost[member, t][:3].count(None)
                self.assertEqual(lost[member, t][4], before)  # its state counts them
        blanks = sum(row[:3].count(None) for row in lost.values())
        self.assertAlmostEqual(blanks, 189 / 4, delta=4 * (189 * 3 / 16) ** 0.5)
        self.fly(f'plugins=[{self.world}]', 'components=[]', ('--checkpoint', state), ('--at', '10'), scenario=scenario)
        begun = self.text('sensors.csv')
        self.fly(f'plugins=[{self.world}]', 'components=[]', ('--resume', state), scenario=scenario)
        self.write('sensors.csv', begun + self.text('sensors.csv'))
        self.assertEqual(self.measured('own'), lost)
        self.fly(f'plugins=[{self.world}]', ('--threads', '2'), scenario=scenario)
        self.assertEqual(self.measured('own'), lost)
        self.fly(f'plugins=[{self.world}]', 'seed=2', scenario=scenario)
        self.assertNotEqual(self.measured('own'), lost)

    def test_sbe18_a_vehicle_leans_into_the_wind_where_it_begins(self):
        leans = []
        for weather in ('{}', '{wind: [10, 270]}', '{kind: own, name: front, params: {from: 100}}', '{kind: own, name: front, params: {from: -100}}'):
            self.fly(f'plugins=[{self.good}, {self.world}]', 'entities.0.body=physics', 'entities.0.sensors=[{kind: pose}]', 'expect=[]',
                     'outputs={sensors: {file: sensors.csv}}', f'space.weather={weather}', scenario=self.path('hop.yaml'))
            leans.append(min(numbers[3] for numbers in self.measured('pose').values()))
        self.assertLess(leans[1], -0.5)
        self.assertEqual(leans, [0, leans[1], leans[1], 0])

    def test_sbe18_sensors_that_are_wrong_are_named(self):
        sensor = 'entities.2.sensors.0.'
        self.refused_of_world(
            (sensor + 'name=sona', 'scout.sensors sona sonar'),
            (sensor + 'params.miss=2', 'scout.sensors.params.miss 2 0 1'),
            ('entities.0.sensors.0.name=sonar', 'sensors name params own'),
            (sensor + 'of=nobody', 'sensors nobody'),
            ('entities.2.sensors=[{kind: own, name: blind}]', f"sensor 'blind' {one(self.path('bad6.so'))} nan 3"))

    @pytest.mark.long
    def test_sbe18_a_body_of_ones_own(self):
        scenario, state = self.path('lazy.yaml'), self.path('lazy.ckpt')
        out = self.fly(scenario=scenario)
        whole = self.text('lazy.csv')
        self.assertIn('hopper.3', whole)

        def speeds(key, phase='Offboard'):
            return {float(row['t_s']): float(row[key]) for row in self.rows('lazy.csv') if row['member'] == 'hopper.1' and row['mode'] == phase}
        # of what it is told, 2 m/s to the north, a part of 59/60 is left after each of 60 steps a second
        north, steered = speeds('vel_n_mps'), sorted(speeds('vel_n_mps'))
        self.assertGreater(len(steered), 20)
        for t in steered[1:]:
            self.assertAlmostEqual(2 - north[t], (2 - north[steered[0]]) * (59 / 60) ** (60 * (t - steered[0])), delta=0.002)
        # the front reaches it at 12.5 s, in the middle of no step: from then on it drifts to the east, as fast as the wind in the end
        east = speeds('vel_e_mps')
        for t in steered:
            self.assertAlmostEqual(east[t], 10 * (1 - (59 / 60) ** max(60 * t - 750 - 1, 0)), delta=0.18)  # a step more or less
        # the same, from the place alone; and it leans to the right, by the angle between gravity and what drives it
        pose = {t: numbers for (_, t), numbers in self.measured('pose').items()}
        last = max(t for t in pose if t < 13)
        self.assertEqual(pose[min(t for t in pose if t > 12)][3], 0)
        leans = max(numbers[3] for t, numbers in pose.items() if t < last)
        self.assertAlmostEqual(leans, math.atan2(10, 9.80665), delta=0.02)  # at first 10 m/s2
        self.assertEqual(self.fly(('--threads', '2'), scenario=scenario).splitlines()[-1], out.splitlines()[-1])
        self.fly(('--checkpoint', state), ('--at', '9.7'), scenario=scenario)
        begun = self.text('lazy.csv')
        self.fly(('--resume', state), scenario=scenario)
        self.assertEqual(begun + self.text('lazy.csv'), whole)
        # tired after 12 s in the air, which begin at 0.5 to 1.5 s: the state counts each step once, however often it is asked
        self.fly('entities.0.body.params.tires=12', 'space.weather={kind: plain}', scenario=scenario)
        north = speeds('vel_n_mps')
        self.assertGreater(north[12], 1.98)
        self.assertAlmostEqual(north[21], 1, delta=0.002)

    @pytest.mark.long
    def test_sbe18_a_body_of_ones_own_under_the_firmware(self):
        """The same body and behaviour, as an agent and with the whole firmware: the same part of a speed is left after each step; on any
        number of threads, and from a checkpoint."""
        scenario, state = self.path('lazy.yaml'), self.path('lazy.ckpt')
        out = self.fly('entities.0.as=vehicle', scenario=scenario)
        whole = self.text('lazy.csv')
        north = {float(row['t_s']): float(row['vel_n_mps']) for row in self.rows('lazy.csv') if row['member'] == 'hopper.1' and row['mode'] == 'Offboard'}
        steered = sorted(north)
        self.assertGreater(len(steered), 20)
        for t in steered[1:]:
            self.assertAlmostEqual(2 - north[t], (2 - north[steered[0]]) * (59 / 60) ** (60 * (t - steered[0])), delta=0.05)
        self.assertEqual(self.fly(('--threads', '2'), 'entities.0.as=vehicle', scenario=scenario).splitlines()[-1], out.splitlines()[-1])
        self.fly(('--checkpoint', state), ('--at', '9.7'), 'entities.0.as=vehicle', scenario=scenario)
        begun = self.text('lazy.csv')
        self.fly(('--resume', state), 'entities.0.as=vehicle', scenario=scenario)
        self.assertEqual(begun + self.text('lazy.csv'), whole)

    def test_sbe18_bodies_that_are_wrong_are_named(self):
        bad = self.path('bad6.so')
        self.refused_of_world(
            ('entities.3.body.name=lasy', 'lazy.body lasy lazy'),
            ('entities.3.body.params.time=0', 'lazy.body.params.time 0 0.1 100'),
            ('entities.3.body.kind=bee', 'body.name body.params own'),
            ('entities.3.body={kind: own, name: leaves}', f"body 'leaves' {one(bad)} member 7"))

    def test_sbe16_and_sbe18_a_component_of_ones_own_delays_nothing(self):
        scenario, plugins = os.path.join(PLUGINS, 'world.yaml'), f'plugins=[{self.world}, {self.path("bad6.so")}]'
        hashes = set()
        for components, line in (('[]', 'hash'), ('[{name: highest}]', 'highest   ball, 50.0 m after 0 s'), ('[{name: highest, of: mast}]', 'highest   mast.1, 10.0 m after 0 s'),
                                 ('[{name: highest}]', 'component highest: 168 lines, 0 dropped'),  # 8 members at 21 instants
                                 ('[{name: sleeps, of: ball, queue: 5}]', 'component sleeps: 21 lines, 20 dropped')):
            out = self.fly(plugins, f'components={components}', scenario=scenario)
            self.assertIn(line, out)
            hashes.add(next(line for line in out.splitlines() if line.startswith('hash')))
        self.assertEqual(len(hashes), 1)
        self.refused_of_world(
            ('components=[{name: higest}]', 'components higest highest'),
            ('components=[{name: highest, run: cat}]', 'components run name params'),
            ('components=[{name: highest, params: {a: 1}}]', "components.params highest 'a'"))

    def test_sbe18_weather_that_is_wrong_is_named(self):
        bad = self.path('bad6.so')
        self.refused_of_world(
            ('space.weather.name=fron', 'space.weather fron front'),
            ('space.weather.kind=plain', 'space.weather.name params own'),
            ('space.weather.params.wind=99', 'space.weather.params.wind 99 0 50'),
            ('space.weather={kind: own, name: storm, values: {temperature: 1}}', f"weather 'storm' {one(bad)} wind 0 east inf north"),
            ('space.weather={kind: own, name: storm}', f"weather 'storm' {one(bad)} nan temperature"))

    def test_a_static_program_names_the_other(self):
        static = built('ship/mayfly-swarm')
        if not os.path.exists(static):
            self.skipTest(f'no {static}: "make ship" builds it')
        self.refused('build/mayfly-swarm', program=static)
