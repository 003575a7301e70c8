# SPDX-License-Identifier: Apache-2.0
"""Behaviours of build/mayfly-swarm that live by what radios hear: along beacons and back, and a survey without a leader
(docs/hive.md)."""
import math
import xml.dom.minidom

import pytest

from cases import cases
from names import assert_names
from paths import SCENARIOS
from swarm_case import SwarmCase, hash_of, options

GRADIENT, SURVEY = f'{SCENARIOS}/gradient.yaml', f'{SCENARIOS}/survey_flock.yaml'
METRES_A_DEGREE = 111178, 75400     # at the scenarios' origin, to a thousandth
ORIGIN = 47.397742, 8.545594
SEEDS = cases(1, 5)
# As in gradient.yaml: north, east of the last ones.
EDGES = {'east': (20, 175), 'north': (160, 40)}


class Heard(SwarmCase):
    def tracks(self, name):
        """{member: [(time, north, east, height)]}, by the file of samples."""
        tracks = {}
        for row in self.rows(name):
            north, east = ((float(row[key]) - origin) * metres
                           for key, origin, metres in zip(('lat_deg', 'lon_deg'), ORIGIN, METRES_A_DEGREE))
            tracks.setdefault(row['member'], []).append((float(row['t_s']), north, east, float(row['alt_amsl_m']) - 488.0))
        return tracks

    @pytest.mark.long
    def test_sbe23_five_of_five_reach_an_edge_and_return_on_two_paths(self):
        """Of any seed. By their places: each was within 16 m of one edge, where -58 dBm are received, never near the other
        one, and ended within 20 m of where it began."""
        for seed in range(1, SEEDS + 1):
            self.swarm(GRADIENT, '--set', f'seed={seed}')
            edges = []
            tracks = self.tracks('gradient.csv')
            self.assertEqual(len(tracks), 5)
            for track in tracks.values():
                nearest = {edge: min(math.hypot(n - place[0], e - place[1]) for _, n, e, _ in track) for edge, place in EDGES.items()}
                edges.append(min(nearest, key=nearest.get))
                self.assertLess(nearest[edges[-1]], 16.0, seed)
                self.assertGreater(max(nearest.values()), 60.0, seed)
                self.assertLess(math.hypot(track[-1][1], track[-1][2]), 20.0, seed)
            self.assertEqual(sorted(edges), ['east'] * 3 + ['north'] * 2, seed)
            items = [row for row in self.rows('events.csv') if row['event'] == 'item']
            self.assertEqual(sorted(int(row['detail']) for row in items), sorted(5 * list(range(7))), seed)

    def test_sbe23_the_overhead_trace(self):
        """A line for each bee with its places every half second, a circle for each beacon; two threads draw the same."""
        pictures = []
        for threads in ('1', '2'):
            self.swarm(GRADIENT, '--threads', threads, '--set', 'time.end=100', '--set', 'expect=[]')
            with open(self.path('gradient.svg'), encoding='utf-8') as f:
                pictures.append(f.read())
        self.assertEqual(pictures[0], pictures[1])
        picture = xml.dom.minidom.parseString(pictures[0])
        lines = picture.getElementsByTagName('polyline')
        self.assertEqual([line.getElementsByTagName('title')[0].firstChild.data for line in lines], [f'bee.{k}' for k in range(1, 6)])
        self.assertEqual({len(line.getAttribute('points').split()) for line in lines}, {201})
        self.assertEqual(len(picture.getElementsByTagName('circle')), 8)

    @pytest.mark.long
    def test_vehicles_walk_along_beacons_as_agents_do(self):
        self.swarm(GRADIENT, '--set', 'entities.2.as=vehicle')

    def covered(self, tracks, until_s=math.inf):
        """Middles of cells of 5 m that were in a square picture: half its side is the height times tan 0.785, and it is turned
        along the heading; a circle in it is what any heading shows, so the program may say more and never less."""
        seen = [0] * 40  # a bit for each cell of a row
        for track in tracks:
            for at_s, north, east, height in track:
                if height < 1 or at_s > until_s:
                    continue
                reach = height * math.tan(0.785)
                for row in range(max(math.ceil((north - reach) / 5 - 0.5), 0), min(math.floor((north + reach) / 5 - 0.5) + 1, 40)):
                    half = math.sqrt(reach * reach - (5 * row + 2.5 - north) ** 2)
                    first, end = max(math.ceil((east - half) / 5 - 0.5), 0), min(math.floor((east + half) / 5 - 0.5) + 1, 48)
                    seen[row] |= (1 << max(first, end)) - (1 << first)
        return sum(row.bit_count() for row in seen)

    @pytest.mark.long
    def test_an_area_is_covered_though_2_of_12_fall(self):
        for seed in range(1, SEEDS + 1):
            summary = self.swarm(SURVEY, '--set', f'seed={seed}', '--set', 'outputs.csv.every=1')
            self.assertRegex(summary, r'survey +12\D+1920\D+1920\D')
            tracks = self.tracks('survey.csv')
            self.assertEqual(len(tracks), 12)
            self.assertLess(self.covered(tracks.values(), 30.0), 0.6 * 1920)         # most was left when they fell
            left = [track for name, track in tracks.items() if name.startswith('bee')]
            self.assertGreater(self.covered(left), 0.99 * 1920)    # the corners of a picture count in the program only

    @pytest.mark.long
    def test_without_a_radio_each_does_all_and_with_it_they_share(self):
        """What a member sees by itself: with ears that hear nobody it is the whole area, and takes longer."""
        ends = []
        for more in ((), ('--set', 'medium.range=0.1')):
            self.swarm(SURVEY, '--set', 'time.end=600', '--set', 'space.boundary=[[0, 0], [0, 140], [120, 140], [120, 0]]',
                       '--set', 'entities.1.faults=[]', '--set', 'expect=[]',
                       '--set', 'outputs.events=events.csv', *more)
            ends.append(max(float(row['t_s']) for row in self.rows('events.csv') if row['event'] == 'landed'))
        self.assertGreater(ends[1], 1.5 * ends[0])

    @pytest.mark.long
    def test_a_checkpoint_holds_them(self):
        short = '--set', 'time.end=20', '--set', 'expect=[]'
        for scenario in (GRADIENT, SURVEY):
            whole = self.swarm(scenario, *short)
            self.swarm(scenario, *short, '--checkpoint', self.path('c'), '--at', '10')
            resumed = self.swarm(scenario, *short, '--resume', self.path('c'))
            self.assertEqual(hash_of(resumed), hash_of(whole))

    def test_bad_input_is_one_line_and_exit_code_2(self):
        for scenario, sets, wanted in (
                (GRADIENT, ['entities.2.radio.kind=none'], 'entities.2.radio.kind'),
                (GRADIENT, ['entities.2.behaviour.beacons=nobody'], 'beacons nobody'),
                (GRADIENT, ['entities.0.count=1'], 'beacons east'),
                (GRADIENT, ['entities.2.behaviour.beacons={}'], '1 4'),
                (SURVEY, ['entities.0.send.message=bytes'], 'survey_flock space.boundary send'),
                (SURVEY, ['entities.0.behaviour.cell=0.5'], '65536 cells')):
            assert_names(self.refused(scenario, *options(*sets)), wanted)
