# SPDX-License-Identifier: Apache-2.0
"""The picture of one member of a swarm, by HTTP alone: what the page of a drone asks for beneath /vehicles/N/."""
import unittest

from names import assert_names
from swarm_links import Swarm
from waiting import wait_until


class Picture(unittest.TestCase):
    def test_the_picture_of_a_member(self):
        """Beneath /vehicles/N/ there is what the page of a drone asks for: of a vehicle all that a drone has, of another one what there is of it."""
        entities = ('{name: walker, count: 2, place: {grid: [2, 1], spacing: 20}}, {name: bee, as: agent, place: {list: [[100, 50]]}, '
                    'behaviour: {kind: walk, rate: 10, speed_max: 2, speed_sigma: 0.2, heading_sigma: 0.2, height: 15}}')
        with Swarm('{api: API}', clock='x2, end: 900', entities=entities) as swarm:
            call = swarm.call
            self.assertEqual(call('/healthz')[0], 200)
            self.assertIn('<title>Mayfly</title>', call('/vehicles/walker.2/')[1])
            clock = '/vehicles/2/v1/clock'
            held = call(clock, {'action': 'hold'})[1]
            self.assertEqual((held['action'], held['standing'], held['controllers']), ('hold', True, 1))
            for short in ('mission', 'fence', 'rally', 'faults', 'misbehaviour', 'parameters/MPC_XY_CRUISE', 'links'):
                self.assertEqual(call(f'/vehicles/2/v1/{short}'), call(f'/v1/vehicles/2/{short}'), short)
            self.assertEqual(call('/vehicles/2/v1/vehicle')[1]['truth'], call('/v1/vehicles/walker.2')[1]['truth'])
            self.assertEqual(call('/vehicles/2/v1/map'), (200, {'tiles': None, 'credit': ''}))
            # it steers: a plan, an order; time as a drone's page asks for it
            self.assertEqual(call('/vehicles/2/v1/commands', {'action': 'arm'})[1]['name'], 'accepted')
            self.assertEqual(call('/vehicles/2/v1/commands', {'action': 'takeoff', 'alt_m': 10})[1]['name'], 'accepted')
            self.assertEqual(call('/vehicles/2/v1/track')[1]['total'], 1)
            self.assertEqual(call(clock, {'mode': 'real', 'rate': 100})[1]['rate'], 100)
            ran = call(clock, {'action': 'run', 'for_s': 20})[1]
            self.assertEqual((ran['action'], ran['standing'], round(ran['until_s'] - held['until_s'], 3)), ('run', False, 20))
            wait_until(lambda: call(clock)[1]['standing'], 'time stands')
            flown = call('/vehicles/2/v1/vehicle')[1]
            self.assertAlmostEqual(flown['truth']['alt_amsl_m'] - flown['truth']['ground_amsl_m'], 10, delta=0.3)
            track = call('/vehicles/2/v1/track')[1]
            self.assertEqual((track['total'], track['total'] > 1), (flown['track'], True))
            self.assertEqual([call(clock, wrong)[0] for wrong in ({'action': 'run', 'event': True}, {'action': 'run', 'until_s': 1}, {'mode': 'event'}, {'action': 'fly'})],
                             [422] * 4)
            # an agent: where it is and has been, and no firmware
            self.assertEqual(call('/vehicles/3/v1/track')[1]['total'], 1)
            bee = call('/vehicles/bee/v1/vehicle')[1]
            self.assertEqual((bee['mission']['count'], bee['health'], bee['battery'], bee['track']), (0, [], None, 1))
            self.assertEqual([call(f'/vehicles/3/v1/{short}')[1] for short in ('mission', 'faults', 'misbehaviour')],
                             [{'count': 0, 'tag': 0, 'items': []}, {'faults': []}, {'rules': [], 'known': []}])
            status, why = call('/vehicles/3/v1/commands', {'action': 'arm'})
            self.assertEqual(status, 409)
            assert_names(why['error'], 'agent')
            self.assertEqual(call(clock, {'action': 'resume'})[1]['controllers'], 0)
            wait_until(lambda: call('/vehicles/3/v1/track')[1]['total'] >= 4, 'points of a track')
            last, now = call('/vehicles/3/v1/track')[1]['points'][-1], call(clock, {'action': 'hold'})
            self.assertLess(last['vehicle_time_s'], now[1]['vehicle_time_s'])
            self.assertEqual((call('/vehicles/4/v1/vehicle')[0], call('/vehicles/2/v2')[0], call('/vehicles/2')[0]), (404, 404, 404))
